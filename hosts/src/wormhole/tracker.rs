//! Which worm lies in which input channel: known to the simulator alone, for reports and waves.
//!
//! Nodes know no worms. The tracker sees a host begin one, and from then on watches registers: when an input channel
//! gets connected, the worm in it goes on into the channel at the far end; when it is released, the worm has left it.

use rtl_model::language::lanes::Lanes;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::route::{ChannelId, Standpoint};

use crate::wormhole::hosts::{Hosts, places};

/// The worms, by input channel.
#[derive(Clone, Debug)]
pub struct Tracker<B> {
    switches: usize,
    inputs: usize,
    worms: Vec<Option<u32>>,
    relays: usize,
    /// By relay: the last worm that was given the lane in which it lies, whose bits it holds if any.
    relayed: Vec<Option<u32>>,
    /// As it was before this bit time: `[(group * switches + switch) * inputs + input]`.
    connected: Vec<B>,
    /// The nodes that each worm has been in, in order.
    paths: Vec<Vec<usize>>,
    /// The same with those of the relays between them; nothing where there are none.
    ways: Vec<Vec<usize>>,
    /// By worm, the input channel to which its head has come last, and in which bit time that became its own.
    heads: Vec<Option<(ChannelId, u64)>>,
    /// The first time that two worms met in one channel: where, and the bit time.
    shared: Option<(ChannelId, u64)>,
    /// Channels that got connected in this bit time.
    entered: Vec<ChannelId>,
    /// By number, channels that were given to a worm or left by one since the last clock edge began.
    changed: Vec<usize>,
}

impl<B: Lanes> Tracker<B> {
    /// Of an idle machine.
    pub fn new(fabric: &Fabric<WormholeMachine, B>) -> Self {
        let plan = fabric.router().plan();
        let (switches, inputs) = (plan.switches(), plan.switch.inputs.len());
        let nodes = fabric.machines() * fabric.topology().nodes();
        Tracker {
            switches,
            inputs,
            worms: vec![None; nodes * switches * inputs],
            relays: plan.relays.len(),
            relayed: vec![None; nodes * plan.relays.len()],
            connected: vec![B::ZERO; fabric.node_groups().len() * switches * inputs],
            paths: Vec::new(),
            ways: Vec::new(),
            heads: Vec::new(),
            shared: None,
            entered: Vec::new(),
            changed: Vec::new(),
        }
    }

    fn index(&self, place: ChannelId) -> usize {
        (place.node * self.switches + place.switch) * self.inputs + place.input
    }

    /// The worm in an input channel.
    pub fn worm(&self, place: ChannelId) -> Option<usize> {
        self.worms[self.index(place)].map(|worm| worm as usize)
    }

    /// The worms in all input channels: node by node, the same number for each.
    pub fn worms(&self) -> &[Option<u32>] {
        &self.worms
    }

    /// Channels, by their place among [`Tracker::worms`], that were given to a worm or left by one at the last clock edge or since;
    /// some of them more than once.
    pub fn changed(&self) -> &[usize] {
        &self.changed
    }

    /// The worm whose bits lie in a relay of a node; none where there are none.
    pub fn relayed(
        &self,
        fabric: &Fabric<WormholeMachine, B>,
        (node, relay): (usize, usize),
    ) -> Option<usize> {
        let (group, lane) = fabric.node(node);
        let holds_bit = group.relays()[relay].holds_bit().get(lane);
        let worm = self.relayed[node * self.relays + relay];
        worm.filter(|_| holds_bit).map(|worm| worm as usize)
    }

    /// The worm in the input channel that owns the way out of a switch to its host.
    pub fn leaving(
        &self,
        fabric: &Fabric<WormholeMachine, B>,
        (node, switch): (usize, usize),
    ) -> Option<usize> {
        let eject = fabric.router().plan().switch.eject();
        self.owner(fabric, (node, switch, eject))
    }

    /// The worm in the input channel that owns an output channel of a switch.
    pub fn owner(
        &self,
        fabric: &Fabric<WormholeMachine, B>,
        (node, switch, output): (usize, usize, usize),
    ) -> Option<usize> {
        let (group, lane) = fabric.node(node);
        let owned = &group.switches()[switch];
        let here = node % fabric.topology().nodes();
        let mut standpoint = None;
        let mut requesters = owned.plan().outputs[output].requesters.iter();
        requesters.find_map(|one| {
            let input = one.input;
            let worm = self.worm(ChannelId {
                node,
                switch,
                input,
            })?;
            if !owned.input(input).connected().get(lane) {
                return None;
            }
            // Where a switch stands takes longer to find out than all else here.
            let standpoint =
                standpoint.get_or_insert_with(|| fabric.router().standpoint::<B>(here, switch));
            let owns = owned.owns(output, one, standpoint.here()).get(lane);
            owns.then_some(worm)
        })
    }

    /// The nodes that a worm's head has come to, the source first.
    pub fn path(&self, worm: usize) -> &[usize] {
        self.paths.get(worm).map_or(&[], Vec::as_slice)
    }

    /// The same with the nodes in which it goes over relays; nothing where there are none.
    pub fn way(&self, worm: usize) -> &[usize] {
        self.ways.get(worm).map_or(&[], Vec::as_slice)
    }

    /// The input channel to which a worm's head has come last, and the bit time from which on that was the worm's own; none of
    /// one that nobody has begun.
    pub fn head(&self, worm: usize) -> Option<(ChannelId, u64)> {
        self.heads.get(worm).copied().flatten()
    }

    /// Where two worms met in one channel, if they ever did, and when.
    pub fn shared(&self) -> Option<(ChannelId, u64)> {
        self.shared
    }

    /// The input channels that got connected at the last clock edge.
    pub fn entered(&self) -> &[ChannelId] {
        &self.entered
    }

    /// A host begins a worm.
    pub fn begin(&mut self, port: usize, worm: usize, bit_time: u64) {
        let place = ChannelId {
            node: port / self.switches,
            switch: port % self.switches,
            input: 0,
        };
        if self.paths.len() <= worm {
            self.paths.resize(worm + 1, Vec::new());
            self.ways.resize(worm + 1, Vec::new());
            self.heads.resize(worm + 1, None);
        }
        self.enter(place, worm as u32, bit_time);
    }

    fn enter(&mut self, place: ChannelId, worm: u32, bit_time: u64) {
        let index = self.index(place);
        self.changed.push(index);
        if self.worms[index].replace(worm).is_some() {
            self.shared.get_or_insert((place, bit_time));
        }
        self.paths[worm as usize].push(place.node);
        if self.relays > 0 {
            self.ways[worm as usize].push(place.node);
        }
        self.heads[worm as usize] = Some((place, bit_time));
    }

    /// After a clock edge: what got connected, and what was released. Returns how many channels got connected.
    pub fn follow(&mut self, fabric: &Fabric<WormholeMachine, B>, hosts: &Hosts<B>) -> usize {
        let bit_time = fabric.bit_time();
        let mut entered = std::mem::take(&mut self.entered);
        entered.clear();
        self.changed.clear();
        for (group, node) in fabric.node_groups().iter().enumerate() {
            for (number, switch) in node.switches().iter().enumerate() {
                for input in 0..self.inputs {
                    let index = (group * self.switches + number) * self.inputs + input;
                    let now = switch.input(input).connected();
                    let before = std::mem::replace(&mut self.connected[index], now);
                    if now == before {
                        continue;
                    }
                    let place = |node| ChannelId {
                        node,
                        switch: number,
                        input,
                    };
                    for lane in places(now & !before) {
                        entered.push(place(hosts.node_at(group, lane)));
                    }
                    for lane in places(before & !now) {
                        let index = self.index(place(hosts.node_at(group, lane)));
                        self.worms[index] = None;
                        self.changed.push(index);
                    }
                }
            }
        }
        let connected = entered.len();
        for &place in &entered {
            let worm = self.worms[self.index(place)];
            if let (Some(worm), Some((relays, next))) = (worm, ahead(fabric, place)) {
                for (node, relay) in relays {
                    self.ways[worm as usize].push(node);
                    self.relayed[node * self.relays + relay] = Some(worm);
                }
                self.enter(next, worm, bit_time);
            }
        }
        self.entered = entered;
        connected
    }
}

/// The output channel that an input channel owns, or asks for: of several any of which will do the first.
pub fn asked<B: Lanes>(fabric: &Fabric<WormholeMachine, B>, place: ChannelId) -> Option<usize> {
    let node = place.node % fabric.topology().nodes();
    let standpoint = fabric.router().standpoint::<B>(node, place.switch);
    asked_for(fabric, place, &standpoint).next()
}

/// Of the output channels that an input channel asks for, or asked for before it got one, the first.
pub fn asked_first<B: Lanes>(
    fabric: &Fabric<WormholeMachine, B>,
    place: ChannelId,
) -> Option<usize> {
    let (group, lane) = fabric.node(place.node);
    let switch = &group.switches()[place.switch];
    let node = place.node % fabric.topology().nodes();
    let standpoint = fabric.router().standpoint::<B>(node, place.switch);
    (0..switch.plan().outputs.len()).find(|&output| {
        let requesters = switch.plan().outputs[output].requesters.iter();
        let mut mine = requesters.filter(|one| one.input == place.input);
        mine.any(|one| {
            let first = switch.means_first(output, one, standpoint.here());
            first.is_some_and(|first| first.get(lane))
        })
    })
}

/// The output channel that an input channel owns, or those any of which it asks for, from where its switch stands.
pub fn asked_for<B: Lanes>(
    fabric: &Fabric<WormholeMachine, B>,
    place: ChannelId,
    standpoint: &Standpoint<B>,
) -> impl Iterator<Item = usize> {
    let (group, lane) = fabric.node(place.node);
    let switch = &group.switches()[place.switch];
    let connected = switch.input(place.input).connected().get(lane);
    (0..switch.plan().outputs.len()).filter(move |&output| {
        let requesters = &switch.plan().outputs[output].requesters;
        let mut mine = requesters.iter().filter(|one| one.input == place.input);
        mine.any(|one| match connected {
            true => switch.owns(output, one, standpoint.here()).get(lane),
            false => switch.means(one, standpoint.here()).get(lane),
        })
    })
}

/// The relays via which an output channel leads, each with its node, and the input channel at the far end; none at
/// the host's.
pub fn far_end<B: Lanes>(
    fabric: &Fabric<WormholeMachine, B>,
    (node, switch, output): (usize, usize, usize),
) -> Option<(Vec<(usize, usize)>, ChannelId)> {
    let nodes = fabric.topology().nodes();
    let (first, here) = (node - node % nodes, node % nodes);
    let (mut relays, to) = fabric.router().lane(here, switch, output)?;
    relays.iter_mut().for_each(|(node, _)| *node += first);
    let to = ChannelId {
        node: first + to.node,
        ..to
    };
    Some((relays, to))
}

/// The relays and the input channel into which the worm in this one goes on.
pub fn ahead<B: Lanes>(
    fabric: &Fabric<WormholeMachine, B>,
    place: ChannelId,
) -> Option<(Vec<(usize, usize)>, ChannelId)> {
    let output = asked(fabric, place)?;
    far_end(fabric, (place.node, place.switch, output))
}
