//! The numbers, names and classes of the channels of a node.

use crate::language::register::Name;
use crate::routers::wormhole::networks::direct::{Direct, Routing};
use crate::routers::wormhole::plan::{ChannelPlan, LinkPlan, Port, Request, When};
use crate::routers::wormhole::space::Space;

/// Whether a worm is on its way to the intermediate node or behind it, and whether it has come over the wrap of the dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Leg {
    /// 0 or 1.
    pub phase: usize,
    /// 0 or 1.
    pub wraps: usize,
}

/// The channels of a node, so many for each link.
#[derive(Clone, Copy, Debug)]
pub struct Channels {
    /// The network.
    pub network: Direct,
    /// Of a link.
    pub count: usize,
}

impl Channels {
    /// With so many virtual channels of a link.
    pub fn of(network: Direct, count: usize) -> Self {
        Channels { network, count }
    }

    /// Nodes and links.
    pub fn space(&self) -> Space {
        self.network.space
    }

    /// Links of a node.
    pub fn per_node(&self) -> usize {
        self.space().links()
    }

    /// The two phases of Valiant have classes of their own.
    pub fn has_phases(&self) -> bool {
        matches!(self.network.routing, Routing::Valiant { .. }) && self.count > 1
    }

    /// What has come over a wrap has classes of its own.
    pub fn has_datelines(&self) -> bool {
        let phases = match self.network.routing {
            Routing::Valiant { .. } => 2,
            Routing::Order | Routing::Adaptive => 1,
        };
        self.space().wraps() && self.count >= 2 * phases
    }

    /// Classes of the channels of a link, where routes are fixed.
    pub fn classes(&self) -> usize {
        let of = |is: bool| if is { 2 } else { 1 };
        of(self.has_phases()) * of(self.has_datelines())
    }

    /// The class in which a worm goes.
    pub fn class(&self, leg: Leg) -> usize {
        let phase = if self.has_phases() { leg.phase } else { 0 };
        match self.has_datelines() {
            true => 2 * phase + leg.wraps,
            false => phase,
        }
    }

    /// Where a worm may be in a class; of several the first.
    pub fn leg(&self, class: usize) -> Leg {
        match self.has_datelines() {
            true => Leg {
                phase: class / 2,
                wraps: class % 2,
            },
            false => Leg {
                phase: class,
                wraps: 0,
            },
        }
    }

    /// Escape channels, the last of each link.
    pub fn escapes(&self) -> usize {
        match (self.network.routing, self.count) {
            (Routing::Order | Routing::Valiant { .. }, _) | (_, 1) => 0,
            (_, 2) => 1,
            _ if self.space().wraps() => 2,
            _ => 1,
        }
    }

    /// The output channel of a link's channel.
    pub fn output(&self, link: usize, channel: usize) -> usize {
        channel * self.per_node() + link
    }

    /// The output channel to the host.
    pub fn eject(&self) -> usize {
        self.count * self.per_node()
    }

    /// What a candidate means that is any channel of a class of a link.
    pub fn requests(&self, link: usize, class: usize, when: When) -> Vec<Request> {
        let channels = (class..self.count).step_by(self.classes()).enumerate();
        channels
            .map(|(lane, channel)| Request {
                output: self.output(link, channel),
                when,
                lane,
            })
            .collect()
    }

    fn name(&self, kinds: [&'static str; 3], link: usize, channel: usize) -> Name {
        let [of_cube, plus, minus] = kinds;
        let dimension = self.space().dimension(link);
        let kind = match (self.space(), link % 2) {
            (Space::Hypercube(_), _) => of_cube,
            (Space::Grid(_), 0) => plus,
            (Space::Grid(_), _) => minus,
        };
        let part = match (self.network.routing, self.count) {
            (_, 1) => return Name::Numbered(kind, dimension),
            (Routing::Valiant { .. }, 2) => "phase",
            (Routing::Adaptive, count) if channel >= count - self.escapes() => {
                let escape = channel + self.escapes() - count;
                return Name::Part(kind, dimension, "escape", escape);
            }
            _ => "channel",
        };
        Name::Part(kind, dimension, part, channel)
    }

    /// What an output channel of a link is called.
    pub fn output_name(&self, link: usize, channel: usize) -> Name {
        self.name(["out", "out_plus", "out_minus"], link, channel)
    }

    /// What an input channel is called, over whose link bits come in.
    pub fn input_name(&self, link: usize, channel: usize) -> Name {
        self.name(["in", "in_plus", "in_minus"], link, channel)
    }

    /// All channels of links in the order of their numbers, as link and channel.
    pub fn all(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let links = self.per_node();
        (0..self.count).flat_map(move |channel| (0..links).map(move |link| (link, channel)))
    }

    /// The names of all output channels.
    pub fn outputs(&self) -> Vec<Name> {
        let of_links = self
            .all()
            .map(|(link, channel)| self.output_name(link, channel));
        of_links.chain([Name::Field("eject")]).collect()
    }

    /// The links: what leaves by an output channel comes in on the input channel of the next number, behind the host's.
    pub fn links(&self) -> Vec<LinkPlan> {
        let channel = |link, channel| {
            let port = |channel| vec![Port::lone(channel)];
            let output = self.output(link, channel);
            ChannelPlan {
                senders: port(output),
                receivers: port(output + 1),
            }
        };
        let link = |link| {
            let channels = (0..self.count).map(|number| channel(link, number));
            LinkPlan::new(self.space().link_name(link), channels.collect())
        };
        (0..self.per_node()).map(link).collect()
    }
}
