//! What a waveform tells of worms beside their channels: whose bit is on a link, and what becomes of the worm that is followed.
//!
//! ```text
//!   message   0_1->1_13     by 1_1 2_1 ... to 1_13     where the route is known beforehand
//!   at        0_1   0_1,1_1  0_1,1_1,2_1 ...    nodes with a channel that is the worm's
//!   head      0_1   1_1      2_1                where its first bit has come to
//!   does      goes on   waits for 3_1->0_5 at 2_1   goes on   comes out at 1_13
//! ```

use std::fmt::Write;

use rtl_model::machine::shown::Told;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::network::Network;
use rtl_model::routers::wormhole::networks::direct::{Direct, Routing};
use rtl_model::routers::wormhole::plan::{ChannelPlan, End, Standing};
use rtl_model::routers::wormhole::route::ChannelId;
use rtl_model::routers::wormhole::trip::Trip;
use waves::probe::{INDENTATION, beside};

use crate::trail::{append_list, longest_list};
use crate::wormhole::deadlock::waits_for;
use crate::wormhole::machine_lanes::MachineLanes;
use crate::wormhole::tracker::asked;
use crate::wormhole::wave::{Observed, longest_worm_name, worm_name};

/// Characters of the route beside the name of a worm.
const MOST_ON_ROUTE: usize = 112;

/// What the texts of a worm that is followed are called.
const TEXTS: [&str; 4] = ["message", "at", "head", "does"];

impl<B: MachineLanes> Observed<'_, B> {
    /// The input channels of a node.
    fn input_channels(&self, node: usize) -> impl Iterator<Item = ChannelId> + use<B> {
        let plan = self.fabric.router().plan();
        let inputs = plan.switch.inputs.len();
        (0..plan.switches() * inputs).map(move |number| ChannelId {
            node,
            switch: number / inputs,
            input: number % inputs,
        })
    }

    /// The number of a link's data wire.
    pub(super) fn data_wire(&self, link: usize) -> usize {
        self.fabric.router().plan().links[link].wires.data.start
    }

    /// Whose a link of a node is in this bit time: the worm that sends, or where none does the only one that has a channel of it.
    /// To be asked between the two halves of a bit time.
    pub(super) fn sent_over(&self, node: usize, link: usize) -> Option<usize> {
        let plan = self.fabric.router().plan();
        let on = &plan.links[link];
        let bit = |wire| self.fabric.wire(node, wire);
        if !bit(on.wires.valid) {
            let mut holders = (on.channels.iter()).filter_map(|one| self.holder(node, one));
            let only = holders.next();
            return only.filter(|_| holders.next().is_none());
        }
        let number = on.wires.channel.clone().enumerate();
        let number = number.map(|(place, wire)| usize::from(bit(wire)) << place);
        self.holder(node, on.channels.get(number.sum::<usize>())?)
    }

    /// The worm that has a channel of a link that leaves a node.
    fn holder(&self, node: usize, channel: &ChannelPlan) -> Option<usize> {
        let levels = &self.fabric.router().plan().levels;
        let here = node % self.fabric.topology().nodes();
        let mut senders = channel.senders.iter().filter(|port| {
            let stands = |at: Standing| levels[at.code].level(here) == Some(at.level);
            port.at.is_none_or(stands)
        });
        match senders.next()?.end {
            End::Relay(relay) => self.tracker.relayed(&self.fabric, (node, relay)),
            End::Switch { switch, channel } => {
                (self.tracker).owner(&self.fabric, (node, switch, channel))
            }
        }
    }

    /// The worm that the one in an input channel waits for, if it waits: the one in the channel that it would go on into.
    pub(super) fn waits_for(&self, place: ChannelId) -> Option<usize> {
        let waits = waits_for(&self.fabric, place);
        let holder = waits.iter().find_map(|&place| self.tracker.worm(place));
        holder.filter(|other| Some(*other) != self.tracker.worm(place))
    }

    /// What the texts of the worm that is followed are called.
    pub(super) fn texts_of_followed(&self) -> Vec<Told> {
        let name = longest_worm_name(&self.fabric);
        let nodes = self.fabric.machines() * self.fabric.topology().nodes();
        let node = self.fabric.topology().node_name(nodes - 1).len();
        let told = TEXTS.iter().enumerate().map(|(number, text)| Told {
            name: (*text).to_owned(),
            longest: match number {
                0 => INDENTATION.max(name + " via ".len() + node) + MOST_ON_ROUTE,
                1 => longest_list(nodes, node),
                2 => node,
                _ => "waits for  at ".len() + name + node,
            },
            sent_over: None,
        });
        told.collect()
    }

    /// The ends of the way of a worm that was sent.
    fn trip(&self, worm: usize) -> Trip {
        let number = self.worms[worm].message;
        let message = &self.messages[number];
        let network = self.fabric.router().network();
        network.trip(number, message.source, message.destination)
    }

    /// The nodes by which a worm is to go, as far as there is room for them; nothing where it finds its way as it goes.
    fn route(&self, worm: usize) -> String {
        let router = self.fabric.router();
        if router.plan().switch.is_adaptive() {
            return String::new();
        }
        let path = router.path(self.worms[worm].switch, self.trip(worm));
        let mut names = path[1..]
            .iter()
            .map(|&node| self.fabric.topology().node_name(node));
        let Some(last) = names.next_back() else {
            return String::new();
        };
        let by: String = names.map(|node| format!(" {node}")).collect();
        let ends = format!(" to {last}");
        let room = MOST_ON_ROUTE.saturating_sub("by ..".len() + ends.len());
        match by.get(..room).and_then(|some| some.rsplit_once(' ')) {
            _ if by.is_empty() => format!("to {last}"),
            Some((some, _)) if by.len() > room + " ..".len() => format!("by{some} ..{ends}"),
            _ => format!("by{by}{ends}"),
        }
    }

    /// Appends what the text of that number says of the worm that is followed.
    pub(super) fn append_of_followed(&self, number: usize, text: &mut String) {
        let Some(worm) = self.followed.filter(|worm| *worm < self.worms.len()) else {
            return;
        };
        let name = |node: usize| self.fabric.topology().node_name(node);
        match number {
            0 => {
                let mut message = worm_name(self, worm, 0);
                let network = self.fabric.router().network();
                let is_valiant =
                    |direct: &Direct| matches!(direct.routing, Routing::Valiant { .. });
                if matches!(network, Network::Direct(direct) if is_valiant(direct)) {
                    // Writing to a string cannot fail.
                    let _ = write!(message, " via {}", name(self.trip(worm).intermediate));
                }
                match self.route(worm) {
                    route if route.is_empty() => text.push_str(&message),
                    route => text.push_str(&beside(&message, &route)),
                }
            }
            1 => {
                let mut nodes: Vec<usize> = Vec::new();
                for &node in self.tracker.path(worm) {
                    let is_its = |place| self.tracker.worm(place) == Some(worm);
                    if !nodes.contains(&node) && self.input_channels(node).any(is_its) {
                        nodes.push(node);
                    }
                }
                let all = self.fabric.topology().nodes();
                append_list(nodes.into_iter().map(name), (",", "nodes", all), text);
            }
            2 => {
                if let Some(place) = self.head_of(worm) {
                    text.push_str(&name(place.node));
                }
            }
            _ => self.append_deed(worm, text),
        }
    }

    /// The channel with a worm's head, as long as it is the worm's.
    fn head_of(&self, worm: usize) -> Option<ChannelId> {
        let (place, _) = self.tracker.head(worm)?;
        (self.tracker.worm(place) == Some(worm)).then_some(place)
    }

    /// What the head of a worm does.
    fn append_deed(&self, worm: usize, text: &mut String) {
        let Some(place) = self.head_of(worm) else {
            return;
        };
        let name = |node: usize| self.fabric.topology().node_name(node);
        let here = name(place.node);
        let (group, lane) = self.fabric.node(place.node);
        let channels = &group.switches()[place.switch];
        let owns = channels.input(place.input).connected().get(lane);
        let leaves = owns && asked(&self.fabric, place) == Some(channels.plan().eject());
        // Writing to a string cannot fail.
        let _ = match self.waits_for(place) {
            Some(other) => {
                let other = worm_name(self, other, place.node);
                write!(text, "waits for {other} at {here}")
            }
            None if leaves => write!(text, "comes out at {here}"),
            // The head says where: one cell for all nodes on the way can be read where each node's could not.
            None => write!(text, "goes on"),
        };
    }
}
