//! Personalized and complete communication on a hypercube with whole packets (Stout & Wagar 1987,
//! sections 3 to 8; Ho & Johnsson 1986, section 4).
//!
//! A schedule is a list of [`Send`]s, one for each packet that crosses a wire, with the bit time in which
//! it begins: packets of different length may cross different wires at once. [`Collective::sends`] makes
//! the list, [`check`] judges any list, and [`Collective::run`] does both. A bit takes one bit time, and
//! every packet a start-up before its first bit. Messages that do not divide are padded: of what is cut
//! into parts, each is as long as the longest has to be.

mod check;
mod corner;
mod histogram;
mod holdings;
mod names;
mod parameters;
mod schedule;
mod send;
mod subcubes;
#[cfg(test)]
mod tests;
mod transpose;
mod tree_sends;
mod trees;
mod violation;
mod waves;

pub use crate::broadcast::Ports;
pub use check::{Judgement, Task, check};
pub use send::{Message, Run, Send};
pub use violation::Violation;

use schedule::Schedule;
use trees::Spanning;

/// The largest cube of the model has this many dimensions.
const MOST_DIMS: usize = 8;

/// A spanning tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tree {
    /// Ho & Johnsson's SBT, whose largest subtree is across dimension 0.
    Binomial,
    /// Ho & Johnsson's BST.
    Balanced,
    /// Ho & Johnsson's TCBT.
    TwoRooted,
}

/// How one node sends a message to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scatter {
    /// Down a tree in packets of at most so many bits, on as many ports as there may be.
    Packets {
        /// The tree.
        tree: Tree,
        /// The most bits of a packet, at most those of a message.
        packet_bits: u64,
    },
    /// Down a tree, all messages for a level in one packet, the furthest first, on all ports.
    Levels(Tree),
    /// Down a tree, all messages for a subtree in one packet, on all ports.
    OneShot(Tree),
    /// Down a tree, all messages for a subtree in one packet, on one port. Down an SBT this is recursive
    /// halving.
    Subtrees(Tree),
    /// Stout & Wagar's DISTRIBUTE 1.
    Distribute1,
    /// Stout & Wagar's DISTRIBUTE 2.
    Distribute2,
}

/// What is sent where, and how.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// O.C. SEND 1, from the root to the opposite corner: along a path.
    OcSend1,
    /// O.C. SEND 2: along a path for each dimension.
    OcSend2,
    /// O.C. SEND 3: evenly over all wires between two distances.
    OcSend3,
    /// O.C. SEND 4: O.C. SEND 3 in groups.
    OcSend4 {
        /// How many.
        groups: usize,
    },
    /// ARBITRARY SEND 1, to the node that differs from the root in the lowest dimensions: O.C. SEND 4 in
    /// the subcube.
    ArbitrarySend1 {
        /// In how many dimensions it differs.
        distance: usize,
        /// How many groups.
        groups: usize,
    },
    /// ARBITRARY SEND 2: BROADCAST 4 without its last stages.
    ArbitrarySend2 {
        /// In how many dimensions it differs.
        distance: usize,
        /// How many groups.
        groups: usize,
    },
    /// ARBITRARY SEND 3: ARBITRARY SEND 1 and X.O.C. SEND 2 through all other subcubes at once.
    ArbitrarySend3 {
        /// In how many dimensions it differs.
        distance: usize,
        /// How many groups within the subcube.
        groups: usize,
        /// How many groups through each of the other subcubes.
        outer_groups: usize,
    },
    /// X.O.C. SEND 1, to the node that differs from the root in the lowest dimensions: O.C. SEND 3 through
    /// the subcube that is across the dimension above these.
    XocSend1 {
        /// In how many dimensions it differs.
        distance: usize,
    },
    /// X.O.C. SEND 2: X.O.C. SEND 1 in groups.
    XocSend2 {
        /// In how many dimensions it differs.
        distance: usize,
        /// How many groups.
        groups: usize,
    },
    /// From the root to every other node.
    Scatter(Scatter),
    /// From every other node to the root: a scatter backwards in time. Of DISTRIBUTE 1 this is COLLECT.
    Gather(Scatter),
    /// COMPLETE BROADCAST: from every node to all.
    CompleteBroadcast,
    /// INVERSION: from every node to its opposite corner.
    Inversion,
    /// COMPLETE EXCHANGE: from every node to every other. The transpose by rows is the same.
    CompleteExchange,
    /// PERMUTED SEND: from every node to the one that a permutation names.
    PermutedSend {
        /// Where the message of each node is to go.
        permutation: Vec<usize>,
    },
    /// The transpose of a matrix that is stored by submatrices: from every node to the one with the halves
    /// of its address exchanged.
    TransposeBySubmatrices {
        /// How many packets cross each wire, which the paper calls `kp`.
        sends: u64,
    },
    /// HISTOGRAM: sums over all nodes, of which each node is to have an equal share.
    Histogram {
        /// The bits of each value and of each sum, which are not cut.
        value_bits: u64,
    },
}

/// A collective operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collective {
    /// What is sent where, and how.
    pub algorithm: Algorithm,
    /// Who may talk at once. Only [`Scatter::Packets`] has different schedules.
    pub ports: Ports,
    /// The cube has `2^dims` nodes.
    pub dims: usize,
    /// The node that sends to others, or receives from them, if one does.
    pub root: usize,
    /// The length of each message in bits, and for HISTOGRAM that of all bins of a node.
    pub message_bits: u64,
    /// Bit times before the first bit of every packet.
    pub start_up: u64,
}

/// What came of a collective operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How many start-ups follow each other: stages, and for DISTRIBUTE 2 waves.
    pub stages: usize,
    /// What came of its schedule.
    pub judgement: Judgement,
}

impl Collective {
    /// The schedule. A collective that [`run`](Collective::run) refuses has none.
    #[must_use]
    pub fn sends(&self) -> Vec<Send> {
        match self.exists() {
            Ok(()) => self.schedule().sends,
            Err(_) => Vec::new(),
        }
    }

    /// Makes the schedule and checks it.
    ///
    /// # Errors
    ///
    /// A collective that there is not, or the first thing that is found wrong. Most algorithms send on
    /// several ports at once, so that only small cases pass where that is not allowed.
    pub fn run(&self) -> Result<Outcome, Violation> {
        self.exists()?;
        let schedule = self.schedule();
        Ok(Outcome {
            stages: schedule.stages,
            judgement: check(&self.task(), &schedule.sends)?,
        })
    }

    /// How many nodes there are.
    fn nodes(&self) -> usize {
        1 << self.dims
    }

    /// The schedule of what there is.
    fn schedule(&self) -> Schedule {
        match &self.algorithm {
            Algorithm::OcSend1 => subcubes::oc_send_1(self).laid_out(self.start_up),
            Algorithm::OcSend2 => subcubes::oc_send_2(self).laid_out(self.start_up),
            Algorithm::OcSend3 => corner::oc_send_4(self, self.dims, 1),
            Algorithm::OcSend4 { groups } => corner::oc_send_4(self, self.dims, *groups),
            Algorithm::ArbitrarySend1 { distance, groups } => {
                corner::oc_send_4(self, *distance, *groups)
            }
            Algorithm::ArbitrarySend2 { distance, groups } => {
                let stages = corner::flood_stages(self.dims, *distance, *groups);
                corner::flood(self, *distance, *groups, stages)
            }
            Algorithm::ArbitrarySend3 {
                distance,
                groups,
                outer_groups,
            } => corner::arbitrary_send_3(self, *distance, (*groups, *outer_groups)),
            Algorithm::XocSend1 { distance } => corner::xoc_send(self, *distance, 1),
            Algorithm::XocSend2 { distance, groups } => corner::xoc_send(self, *distance, *groups),
            Algorithm::Scatter(scatter) => self.scatter(*scatter, false),
            Algorithm::Gather(scatter) => self.scatter(*scatter, true),
            Algorithm::CompleteBroadcast => {
                subcubes::complete_broadcast(self).laid_out(self.start_up)
            }
            Algorithm::Inversion => subcubes::inversion(self).laid_out(self.start_up),
            Algorithm::CompleteExchange => {
                subcubes::complete_exchange(self).laid_out(self.start_up)
            }
            Algorithm::PermutedSend { permutation } => {
                subcubes::permuted_send(self, permutation).laid_out(self.start_up)
            }
            Algorithm::TransposeBySubmatrices { sends } => {
                transpose::by_submatrices(self, *sends).laid_out(self.start_up)
            }
            Algorithm::Histogram { value_bits } => {
                histogram::histogram(self, *value_bits).laid_out(self.start_up)
            }
        }
    }

    /// The schedule of a scatter, or of the gather that is the same backwards. Stages are turned as stages,
    /// so that the packets of each begin together again.
    fn scatter(&self, scatter: Scatter, backwards: bool) -> Schedule {
        let spanning = |tree| Spanning::new(tree, self.dims);
        let stages = match scatter {
            Scatter::Packets { tree, packet_bits } => {
                tree_sends::packets(self, &spanning(tree), packet_bits)
            }
            Scatter::Levels(tree) => tree_sends::levels(self, &spanning(tree)),
            Scatter::OneShot(tree) => tree_sends::one_shot(self, &spanning(tree)),
            Scatter::Distribute1 => subcubes::distribute_1(self),
            Scatter::Subtrees(_) | Scatter::Distribute2 => {
                let schedule = match scatter {
                    Scatter::Subtrees(tree) => tree_sends::subtrees(self, &spanning(tree)),
                    _ => waves::distribute_2(self),
                };
                return if backwards {
                    schedule.reversed()
                } else {
                    schedule
                };
            }
        };
        let stages = if backwards { stages.reversed() } else { stages };
        stages.laid_out(self.start_up)
    }
}
