//! Broadcasting on a hypercube with whole packets (Ho & Johnsson 1986, section 3; Stout & Wagar 1987,
//! section 2).
//!
//! Trees are lists of edges, built as the papers define them, and a schedule is a list of [`Send`]s, one
//! for each packet that goes over a link in a routing step. [`Broadcast::sends`] makes the list,
//! [`check`] judges any list, and [`Broadcast::run`] does both. Steps, packets and ports (the dimensions
//! of the cube) count from 0.

mod check;
mod forwarding;
mod schedules;
mod stages;
#[cfg(test)]
mod tests;
mod trees;
pub(crate) mod two_rooted;
mod violation;

use std::fmt;

pub use check::check;
pub use violation::Violation;

/// The largest cube of the model has this many dimensions.
const MOST_DIMS: usize = 16;

/// Who may talk at once. Links carry one packet a step each way in every model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ports {
    /// In a step a node sends on one port, or receives on one, and not both.
    OneWay,
    /// In a step a node sends on at most one port and receives on at most one, which may differ.
    TwoWay,
    /// In a step a node sends and receives on all its ports.
    All,
}

impl fmt::Display for Ports {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Ports::OneWay => "one-way",
            Ports::TwoWay => "two-way",
            Ports::All => "all-port",
        })
    }
}

/// How the packets spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Ho & Johnsson's HP: along a Gray code.
    HamiltonianPath,
    /// Ho & Johnsson's SBT: down a spanning binomial tree.
    BinomialTree,
    /// Ho & Johnsson's TCBT: down a complete binary tree with two roots, one of which is the source.
    TwoRootedTree,
    /// Ho & Johnsson's MSBT: down as many edge-disjoint trees as there are dimensions.
    MultipleTrees,
    /// Stout & Wagar's BROADCAST 1: recursive doubling, of one packet.
    Broadcast1,
    /// BROADCAST 2: recursive doubling, of a packet for each dimension at once.
    Broadcast2,
    /// BROADCAST 3A: one wave, of a packet for each dimension.
    Broadcast3A,
    /// BROADCAST 3B: two waves of the same packets, the second instead of the last stage.
    Broadcast3B,
    /// BROADCAST 4: a wave for each group of packets, and a second wave of the last group.
    Broadcast4,
}

/// A packet that goes over a link in a routing step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Send {
    /// When.
    pub step: usize,
    /// The node that sends it.
    pub from: usize,
    /// The node that receives it.
    pub to: usize,
    /// Which packet.
    pub packet: usize,
}

/// A [`Send`] and the wave that it is part of. Schedules without waves are one wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct WaveSend {
    /// What is sent.
    send: Send,
    /// In which wave.
    wave: usize,
}

/// A broadcast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broadcast {
    /// How the packets spread.
    pub algorithm: Algorithm,
    /// Who may talk at once. BROADCAST 1 to 4 have one schedule, whatever this is.
    pub ports: Ports,
    /// The cube has `2^dims` nodes. `dims` is 1 to 16.
    pub dims: usize,
    /// The node that has the packets.
    pub source: usize,
    /// How many there are: at least 1, at most 1 for BROADCAST 1, at most `dims` for 2, 3A and 3B.
    pub packets: usize,
}

/// What came of a schedule that was found correct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Routing steps, up to the last in which something is sent.
    pub steps: usize,
    /// The most packets that a node other than the source holds in a step in order to forward them.
    ///
    /// A packet that the node sends on counts from the step in which it arrives to the step in which it
    /// is sent last, both included, so that packets in flight count at both ends. A packet that the node
    /// does not send on counts nothing. A packet that comes again in another wave counts again.
    pub peak_forwarding_packets: usize,
    /// Packets sent, each counted once for each link it crosses.
    pub sends: usize,
    /// Those that arrive at a node that has the packet, or receives it twice in one step.
    pub redundant: usize,
}

impl Broadcast {
    /// The schedule, in order of step. A broadcast that [`run`](Broadcast::run) refuses has none.
    #[must_use]
    pub fn sends(&self) -> Vec<Send> {
        self.wave_sends().into_iter().map(|it| it.send).collect()
    }

    /// Checks the schedule, the trees that it follows, and that every wave sends on only what it brought.
    ///
    /// # Errors
    ///
    /// A broadcast that there is not, or the first thing that is found wrong. BROADCAST 2 to 4 send on
    /// several ports at once, so that only small cases pass where that is not allowed.
    pub fn run(&self) -> Result<Outcome, Violation> {
        self.exists()?;
        for tree in self.trees() {
            tree.spans(self.nodes())?;
        }
        trees::disjoint(&self.trees())?;
        let sends = self.wave_sends();
        forwarding::waves_hold(self.source, &sends)?;
        let outcome = check(
            self.dims,
            self.source,
            self.packets,
            self.ports,
            self.repeats_packets(),
            &self.sends(),
        )?;
        Ok(Outcome {
            peak_forwarding_packets: forwarding::peak(self.source, &sends),
            ..outcome
        })
    }

    /// How many nodes there are.
    fn nodes(&self) -> usize {
        1 << self.dims
    }

    /// Whether a second wave brings packets again.
    fn repeats_packets(&self) -> bool {
        matches!(
            self.algorithm,
            Algorithm::Broadcast3B | Algorithm::Broadcast4
        )
    }

    /// Refuses what there is not.
    fn exists(&self) -> Result<(), Violation> {
        check::cube(self.dims, self.source)?;
        let most = match self.algorithm {
            Algorithm::Broadcast1 => 1,
            Algorithm::Broadcast2 | Algorithm::Broadcast3A | Algorithm::Broadcast3B => self.dims,
            _ => usize::MAX,
        };
        if (1..=most).contains(&self.packets) {
            Ok(())
        } else {
            Err(Violation::Packets {
                packets: self.packets,
                most,
            })
        }
    }

    /// The trees from the source that the schedule follows. BROADCAST 1 to 4 are defined without any.
    fn trees(&self) -> Vec<trees::Tree> {
        let trees = match self.algorithm {
            Algorithm::HamiltonianPath => vec![trees::hamiltonian_path(self.dims)],
            Algorithm::BinomialTree => vec![trees::binomial(self.dims)],
            Algorithm::TwoRootedTree => vec![two_rooted::tree(self.dims)],
            Algorithm::MultipleTrees => trees::multiple(self.dims),
            _ => Vec::new(),
        };
        let at_source = |tree: trees::Tree| tree.translated(self.source);
        trees.into_iter().map(at_source).collect()
    }

    /// The schedule with its waves, in order of step.
    fn wave_sends(&self) -> Vec<WaveSend> {
        if self.exists().is_err() {
            return Vec::new();
        }
        let mut sends = match self.algorithm {
            Algorithm::MultipleTrees => schedules::multiple_trees(self, &self.trees()),
            Algorithm::HamiltonianPath | Algorithm::BinomialTree | Algorithm::TwoRootedTree => {
                schedules::one_tree(self, &self.trees())
            }
            Algorithm::Broadcast1 => stages::broadcast_1(self),
            Algorithm::Broadcast2 => stages::broadcast_2(self),
            Algorithm::Broadcast3A => stages::broadcast_3a(self),
            Algorithm::Broadcast3B | Algorithm::Broadcast4 => stages::broadcast_4(self),
        };
        sends.sort_unstable();
        sends
    }
}
