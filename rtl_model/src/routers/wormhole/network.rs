//! The networks of wormhole routers, by their sizes; [`networks`](crate::routers::wormhole::networks)
//! has what each of them is.

use crate::embedding::copies::Copies;
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use crate::routers::wormhole::joined::Joined;
use crate::routers::wormhole::networks::butterflies::vertices::Butterflies;
use crate::routers::wormhole::networks::copies::CopiesInUse;
use crate::routers::wormhole::networks::direct::{Direct, MAX_CHANNELS, Routing};
use crate::routers::wormhole::networks::irregular::TableRouted;
use crate::routers::wormhole::networks::{Parts, Structure};
use crate::routers::wormhole::parameters::{
    MAX_BUFFER_BITS, MAX_VIRTUAL_CHANNELS, MAX_WIRE_BITS, Parameters,
};
use crate::routers::wormhole::plan::{LinkWires, NodePlan};
use crate::routers::wormhole::space::Space;
use crate::routers::wormhole::trip::Trip;

/// A network of wormhole routers.
#[derive(Clone, Debug)]
pub enum Network {
    /// One machine of `n 2^n` nodes.
    CubeConnectedCycles(CubeConnectedCycles),
    /// The first `used` of the `n` copies of it in a hypercube (Greenberg and Bhatt 1990, Theorem
    /// 3).
    Copies {
        /// All of them.
        copies: Copies,
        /// So many have routers, 1 to `n`.
        used: usize,
    },
    /// A hypercube, a torus or a mesh, in order of dimensions, once or twice, or adaptively.
    Direct(Direct),
    /// Any links, routed by tables.
    TableRouted(TableRouted),
    /// Two phases on the induced cross product of butterflies (Greenberg and Bhatt 1990, sections 6 and
    /// 7).
    Butterflies(Butterflies),
}

/// Does something with what a network is, whichever it is.
macro_rules! with_structure {
    ($network:expr, $structure:ident => $value:expr) => {
        match $network {
            Network::CubeConnectedCycles(cycles) => {
                let $structure = cycles;
                $value
            }
            Network::Copies { copies, used } => {
                let $structure = &CopiesInUse {
                    copies,
                    used: *used,
                };
                $value
            }
            Network::Direct(direct) => {
                let $structure = direct;
                $value
            }
            Network::TableRouted(routed) => {
                let $structure = routed;
                $value
            }
            Network::Butterflies(butterflies) => {
                let $structure = butterflies;
                $value
            }
        }
    };
}

impl Network {
    /// A direct network.
    pub fn direct(space: impl Into<Space>, routing: Routing) -> Self {
        let space = space.into();
        Network::Direct(Direct { space, routing })
    }

    /// What it is.
    pub fn with<T>(&self, look: impl FnOnce(&dyn Structure) -> T) -> T {
        with_structure!(self, structure => look(structure))
    }

    /// What its wires join.
    #[inline]
    pub fn joined(&self) -> Joined {
        with_structure!(self, structure => structure.joined())
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.joined().nodes()
    }

    /// Directed links that there are, of so many of a node.
    pub fn directed_links(&self, of_node: usize) -> usize {
        self.joined().directed_links(of_node)
    }

    /// Switches of a node: into so many pieces a message is split at the most.
    pub fn switches(&self) -> usize {
        with_structure!(self, structure => structure.switches())
    }

    /// Whether messages go in pieces, be it one.
    pub fn has_pieces(&self) -> bool {
        matches!(self, Network::Copies { .. })
    }

    /// The level at which a switch of a node stands; 0 in dimension order, which has none.
    pub fn level(&self, switch: usize, node: usize) -> usize {
        with_structure!(self, structure => structure.level(switch, node))
    }

    /// The way of message `number` of a run.
    pub fn trip(&self, number: usize, source: usize, destination: usize) -> Trip {
        let drawn = with_structure!(self, structure => structure.intermediate(number));
        Trip {
            source,
            destination,
            intermediate: drawn.unwrap_or(destination),
        }
    }

    /// The plan of its nodes.
    ///
    /// # Errors
    /// Virtual channels or buffers out of range.
    pub fn plan(&self, parameters: Parameters) -> Result<NodePlan, Error> {
        let Parameters {
            virtual_channels,
            buffer_bits,
            wire_bits,
            weak_switch,
        } = parameters;
        let most = match self {
            Network::Direct(direct) => direct.most_channels(),
            Network::TableRouted(routed) => routed.most_channels(),
            _ => MAX_VIRTUAL_CHANNELS,
        };
        let least = match self {
            Network::TableRouted(routed) => routed.routes.classes(),
            _ => 1,
        };
        if least > most {
            return Err(Refusal::of(format!("routing tables that name classes 0 to {}", least - 1))
                .because(format!(
                    "links of this network have {most} virtual channels at the most, {MAX_CHANNELS} of all links of a node"
                ))
                .instead("name fewer classes")
                .into());
        }
        if !(least..=most).contains(&virtual_channels) {
            let refused = Refusal::of(format!(
                "{virtual_channels} virtual channels are out of range"
            ));
            let why = match self {
                Network::TableRouted(_) if virtual_channels < least => format!(
                    "choose {least} to {most} (the routing tables name classes 0 to {})",
                    least - 1
                ),
                Network::Direct(_) | Network::TableRouted(_) => format!(
                    "choose 1 to {most} (of all links of a node {MAX_CHANNELS} at the most)"
                ),
                _ => format!(
                    "choose 1 to {most} (a worm crosses the dateline of cube-connected cycles twice at the most)"
                ),
            };
            return Err(refused.instead(why).into());
        }
        if !(1..=MAX_WIRE_BITS).contains(&wire_bits) {
            return Err(
                Refusal::of(format!("links of {wire_bits} data wires are out of range"))
                    .instead(format!("choose 1 to {MAX_WIRE_BITS}"))
                    .into(),
            );
        }
        if !(1..=MAX_BUFFER_BITS).contains(&buffer_bits) {
            return Err(Refusal::of(format!(
                "a buffer of {} bits a channel is out of range",
                buffer_bits * wire_bits
            ))
            .instead(format!(
                "choose {wire_bits} to {}",
                MAX_BUFFER_BITS * wire_bits
            ))
            .into());
        }
        let Parts {
            switch,
            levels,
            relays,
            links,
        } = self.with(|structure| structure.parts(virtual_channels));
        let mut plan = NodePlan {
            lines: switch.lines(),
            switch,
            switches: self.switches(),
            levels,
            relays,
            links,
            buffer_bits,
            wire_bits,
            one_setup: weak_switch,
        };
        let mut first = 0;
        for link in &mut plan.links {
            link.wires = LinkWires::new(first, link.channels.len(), wire_bits);
            first = link.wires.end();
        }
        Ok(plan)
    }
}
