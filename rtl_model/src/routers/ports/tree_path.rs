//! One tree: a node receives a packet from its parent, and sends it on to its children.
//!
//! ```text
//!   parent ==port==> [ packet buffer ] ==ports==> children, all at once or one after the other
//! ```
//!
//! | tree | parent | children | sends a packet `r` from step |
//! |---|---|---|---|
//! | Hamiltonian path | lowest 1 of the rank | lowest 0 of the rank | `rank + r`, one-way `rank + 2r` |
//! | spanning binomial tree, all ports | highest 1 | 0s above the highest 1 | `ones + r` |
//! | the same, one port at a time | highest 1 | the same | `nr` on, port `b` in phase `b` |
//! | two-rooted complete binary tree | configuration | configuration | configuration `+ r`, `+ 2r` or `+ 3r` |
//!
//! A turn has as many phases as there are steps between two packets. A node subtracts its own turn and phase from those that
//! are broadcast, and what is left is the number of the packet that it sends; one step on, of that which comes.

use arrayvec::ArrayVec;

use crate::language::bit::{Bit, any};
use crate::parts::counter::Number;
use crate::registers;
use crate::routers::ports::algorithm::{Algorithm, PortModel};
use crate::routers::ports::broadcast::{Broadcast, Turns};
use crate::routers::ports::configuration::Configuration;
use crate::routers::ports::orders::{Coming, Named, Names, Orders};
use crate::routers::ports::packet_buffer::{Doing, PacketBuffer};
use crate::routers::ports::relative::{PerPort, Relative, lowest, number_on};
use crate::routers::ports::strobes::PortStrobes;

/// Which tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tree {
    Path,
    Binomial,
    BinomialByPhases,
    Configured,
}

/// Phases of a turn, at the most, where nodes have a phase of their own.
const MOST_PHASES: usize = 3;

/// What a node keeps, and how it is wired up.
#[derive(Clone, Debug)]
pub struct TreePath<B: Bit> {
    tree: Tree,
    phases: usize,
    packets: usize,
    turn_bits: usize,
    configuration: Option<Configuration<B>>,
    buffer: PacketBuffer<B>,
}
registers!(TreePath {
    configuration: "its place in the tree",
    buffer
});

/// The turn and phase from which a node sends.
struct Own<B> {
    turn: Number<B>,
    phase: ArrayVec<B, MOST_PHASES>,
}

/// The packet that a node sends, or that comes.
struct Turn<B> {
    number: Number<B>,
    is_there: B,
}

/// Whom a node receives from and sends to.
struct Relations<B> {
    parent: PerPort<B>,
    first: PerPort<B>,
    second: Option<PerPort<B>>,
}

impl<B: Bit> Relations<B> {
    fn has_children(&self) -> B {
        any(self.first.iter().copied()) | self.has_second()
    }

    fn has_second(&self) -> B {
        any(self.second.iter().flatten().copied())
    }
}

impl<B: Bit> TreePath<B> {
    pub(super) fn new(broadcast: &Broadcast, turns: &Turns) -> Self {
        let is_single = matches!(
            (broadcast.algorithm, broadcast.ports),
            (_, PortModel::OneWay)
                | (Algorithm::BinomialTree, PortModel::TwoWay)
                | (Algorithm::Broadcast1, _)
        ) || broadcast.algorithm == Algorithm::TwoRootedTree
            && turns.phases == 2
            && broadcast.cube.count() == 2;
        let tree = match (broadcast.algorithm, broadcast.ports) {
            (Algorithm::HamiltonianPath, _) => Tree::Path,
            (Algorithm::TwoRootedTree, _) => Tree::Configured,
            (Algorithm::BinomialTree, PortModel::All) => Tree::Binomial,
            _ => Tree::BinomialByPhases,
        };
        TreePath {
            tree,
            phases: turns.phases,
            packets: broadcast.packets,
            turn_bits: crate::parts::counter::width_for(turns.last_turn() as u32),
            configuration: (tree == Tree::Configured)
                .then(|| Configuration::new(broadcast.cube, turns)),
            buffer: PacketBuffer::new(broadcast.packet_bits, !is_single),
        }
    }

    /// The registers that the host writes.
    pub(super) fn configuration_mut(&mut self) -> Option<&mut Configuration<B>> {
        self.configuration.as_mut()
    }

    pub(super) fn head(&self) -> B {
        self.buffer.head()
    }

    /// The node's own turn and phase.
    fn own(&self, relative: &Relative<B>) -> Own<B> {
        let mut phase = ArrayVec::new();
        let turn = match (self.tree, &self.configuration) {
            (_, Some(configuration)) => {
                phase.extend((0..self.phases).map(|number| configuration.phase(number)));
                configuration.turn()
            }
            (Tree::Path, None) => {
                let rank = relative.rank();
                match self.phases {
                    2 => {
                        phase.extend([!rank[0], rank[0]]);
                        Number::of_bits(rank[1..].iter().copied())
                    }
                    _ => {
                        phase.push(B::ONE);
                        Number::of_bits(rank)
                    }
                }
            }
            _ => {
                phase.push(B::ONE);
                relative.ones()
            }
        };
        Own { turn, phase }
    }

    fn relations(&self, relative: &Relative<B>) -> Relations<B> {
        let ports = 0..relative.dimensions();
        match (self.tree, &self.configuration) {
            (_, Some(configuration)) => Relations {
                parent: ports
                    .clone()
                    .map(|port| configuration.parent(port))
                    .collect(),
                first: ports
                    .clone()
                    .map(|port| configuration.first(port))
                    .collect(),
                second: (self.phases > 1)
                    .then(|| ports.map(|port| configuration.second(port)).collect()),
            },
            (Tree::Path, None) => {
                let rank = relative.rank();
                Relations {
                    parent: lowest(&rank, |bit| bit),
                    first: lowest(&rank, |bit| !bit),
                    second: None,
                }
            }
            _ => Relations {
                parent: ports
                    .clone()
                    .map(|port| relative.bit(port) & relative.is_clear_from(port + 1))
                    .collect(),
                first: ports.map(|port| relative.is_clear_from(port)).collect(),
                second: None,
            },
        }
    }

    /// The packet that a node sends in this step, if it does; in which phase of its own.
    fn sends(&self, strobes: &PortStrobes<B::Strobe>, own: &Own<B>) -> (Turn<B>, [B; 2]) {
        let phases = self.phases;
        let now = |number: usize| B::from_strobe(strobes.phase.line(number));
        let in_phase = |away: usize| match away < phases {
            true => any((0..phases).map(|at| now(at) & own.phase[(at + phases - away) % phases])),
            false => B::ZERO,
        };
        let borrow = any((0..phases)
            .flat_map(|at| (at + 1..phases).map(move |of| (at, of)))
            .map(|(at, of)| now(at) & own.phase[of]));
        let turn = number_on(&strobes.turn, self.turn_bits);
        let (number, is_early) = turn.minus(&own.turn);
        let (number, is_before) = number.minus(&Number::of_bits([borrow]));
        let is_there = !is_early & !is_before & number.at_most(self.packets as i64 - 1);
        (Turn { number, is_there }, [in_phase(0), in_phase(1)])
    }

    /// The packet that comes, if one does: it is sent on in the next step.
    fn comes(&self, strobes: &PortStrobes<B::Strobe>, own: &Own<B>) -> Turn<B> {
        let phases = self.phases;
        let now = |number: usize| B::from_strobe(strobes.phase.line(number));
        let before = any((0..phases).map(|at| now(at) & own.phase[(at + 1) % phases]));
        let carry = Number::of_bits([now(phases - 1)]);
        let turn = number_on(&strobes.turn, self.turn_bits).add(&carry, "");
        let (number, is_early) = turn.minus(&own.turn);
        let is_there = before & !is_early & number.at_most(self.packets as i64 - 1);
        Turn { number, is_there }
    }

    pub(super) fn orders(
        &self,
        strobes: &PortStrobes<B::Strobe>,
        relative: &Relative<B>,
    ) -> Orders<B> {
        if self.tree == Tree::BinomialByPhases {
            return self.orders_by_phases(strobes, relative);
        }
        let (own, relations) = (self.own(relative), self.relations(relative));
        let (sent, [in_first, in_second]) = self.sends(strobes, &own);
        let coming = self.comes(strobes, &own);
        let ports = 0..relative.dimensions();
        let send = ports.map(|port| {
            let second = relations
                .second
                .as_ref()
                .map_or(B::ZERO, |second| second[port]);
            sent.is_there & (in_first & relations.first[port] | in_second & second)
        });
        let receive: PerPort<B> = (relations.parent.iter())
            .map(|&parent| coming.is_there & parent)
            .collect();
        let comes = any(receive.iter().copied());
        Orders {
            send: send.collect(),
            receive,
            take: PerPort::from_iter([comes]),
            keep: PerPort::from_iter([comes & relations.has_children()]),
        }
    }

    /// All nodes use the port of the phase.
    fn orders_by_phases(
        &self,
        strobes: &PortStrobes<B::Strobe>,
        relative: &Relative<B>,
    ) -> Orders<B> {
        let n = relative.dimensions();
        let now = |port: usize| B::from_strobe(strobes.phase.line(port));
        let receive: PerPort<B> = (0..n)
            .map(|port| now(port) & relative.bit(port) & relative.is_clear_from(port + 1))
            .collect();
        let has_children = any(receive[..n - 1].iter().copied());
        let comes = has_children | receive[n - 1];
        Orders {
            send: (0..n)
                .map(|port| now(port) & relative.is_clear_from(port))
                .collect(),
            receive,
            take: PerPort::from_iter([comes]),
            keep: PerPort::from_iter([has_children]),
        }
    }

    pub(super) fn names(
        &self,
        strobes: &PortStrobes<B::Strobe>,
        relative: &Relative<B>,
    ) -> Names<B> {
        let group = match self.tree {
            Tree::BinomialByPhases => number_on(&strobes.turn, self.turn_bits),
            _ => self.comes(strobes, &self.own(relative)).number,
        };
        let tree = Number::constant(0);
        Names::from_iter([Named { group, tree }])
    }

    /// The packet that is held is sent for the last time: what a measurement wants to know.
    fn finishes(&self, strobes: &PortStrobes<B::Strobe>, relative: &Relative<B>) -> B {
        if B::from_strobe(strobes.commit).is_known_zero() {
            return B::ZERO;
        }
        if self.tree == Tree::BinomialByPhases {
            return B::from_strobe(strobes.phase.line(relative.dimensions() - 1));
        }
        let own = self.own(relative);
        let (sent, [in_first, in_second]) = self.sends(strobes, &own);
        let has_second = self.relations(relative).has_second();
        sent.is_there & has_second.mux(in_second, in_first)
    }

    pub(super) fn clock(
        &mut self,
        strobes: &PortStrobes<B::Strobe>,
        relative: &Relative<B>,
        coming: Coming<'_, B>,
    ) {
        let (bit, receives) = coming.one();
        let doing = Doing {
            bit,
            receives,
            keep: coming.orders.keep[0],
            replaces: receives,
            finishes: self.finishes(strobes, relative),
        };
        self.buffer.clock(strobes, None, &doing);
    }

    pub(super) fn occupancy(&self, count: &mut dyn FnMut(B, u32)) {
        self.buffer.occupancy(count);
    }
}
