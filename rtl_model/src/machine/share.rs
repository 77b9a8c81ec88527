//! A share of a machine: what one of several ranks holds, and how ranks meet.
//!
//! ```text
//!   number of a seat:   | rank | seat within the share |      its highest bits are the rank
//!                          ^
//!                          +-- of a hypercube: the lowest dimensions, dimension 0 first
//!
//!   rank 0            rank 1
//!   [ share ] ------> [ share ]     planes of the links that cross over in those bits, one bit a node,
//!   [       ] <------ [       ]     for each bit time in which such a link is driven; else nothing
//! ```
//!
//! Most routers use the lowest dimensions first and never again (`machine/topology/hypercube.rs`): then ranks soon go on
//! alone. What each node does in each bit time is the same with any number of ranks.

pub mod gathered;
pub mod threads;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::Topology;
use crate::machine::topology::hypercube::Dimensions;

/// log2 of the fewest nodes of a share: a word of lanes.
pub const LOG2_FEWEST_NODES: usize = 6;

/// Which share of a machine: that of `rank`, of `2^log2_ranks`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    rank: usize,
    log2_ranks: usize,
}

/// How ranks meet. All of them do so in the same order, as the schedule has it.
pub trait Communicator: Send + Sync {
    /// Hands words to another rank, and receives as many from it.
    fn exchange(&self, with: usize, sent: &[u64], received: &mut [u64]);

    /// Makes of each word the sum of those of all ranks.
    fn sum(&self, words: &mut [u64]);

    /// Makes of each word the largest of those of all ranks.
    fn most(&self, words: &mut [u64]);

    /// Hands words to another rank, which is waiting for them.
    fn send(&self, to: usize, words: &[u64]);

    /// Waits for words of another rank.
    fn receive(&self, from: usize) -> Vec<u64>;
}

impl Share {
    /// The whole machine.
    pub const WHOLE: Share = Share {
        rank: 0,
        log2_ranks: 0,
    };

    /// That of `rank`, of so many ranks.
    ///
    /// # Errors
    /// A number of them that is no power of two.
    pub fn new(rank: usize, ranks: usize) -> Result<Self, Error> {
        debug_assert!(rank < ranks);
        match ranks.is_power_of_two() {
            true => Ok(Share {
                rank,
                log2_ranks: ranks.ilog2() as usize,
            }),
            false => {
                let above = ranks.next_power_of_two();
                Err(Refusal::of(format!("{ranks} ranks cannot share a machine"))
                    .instead(format!("take {} or {above}, a power of two", above / 2))
                    .into())
            }
        }
    }

    /// Whose it is.
    pub fn rank(self) -> usize {
        self.rank
    }

    /// How many ranks there are.
    pub fn ranks(self) -> usize {
        1 << self.log2_ranks
    }

    /// log2 of it.
    pub fn log2_ranks(self) -> usize {
        self.log2_ranks
    }

    /// Refuses a network that cannot be shared out, or not among so many.
    ///
    /// # Errors
    /// That a share would have fewer than `2^`[`LOG2_FEWEST_NODES`] nodes;
    /// that nodes are no power of two, or a link does not cross over in one bit of all seats' numbers.
    pub fn check(self, topology: &dyn Topology) -> Result<(), Error> {
        if self.log2_ranks == 0 {
            return Ok(());
        }
        let nodes = topology.nodes();
        let crosses_alike = |link| {
            let crossings = topology.crossings(link, LOG2_FEWEST_NODES);
            matches!(crossings.as_deref(), Some([all]) if all.mask == 0)
        };
        if !nodes.is_power_of_two() || !(0..topology.links()).all(crosses_alike) {
            let what = format!("a {} cannot be shared among ranks", topology.kind());
            return Err(Refusal::of(what)
                .because("that takes links that join all nodes of a half to the other half")
                .instead("run it on one rank")
                .into());
        }
        let most = nodes >> LOG2_FEWEST_NODES;
        match self.ranks() <= most {
            true => Ok(()),
            false => Err(Refusal::of(format!(
                "{} ranks are too many for {nodes} nodes, for each takes 64 at the least",
                self.ranks()
            ))
            .instead(format!(
                "take {} or fewer, or a larger machine",
                most.max(1)
            ))
            .into()),
        }
    }

    /// Nodes of a share of so many.
    pub fn nodes(self, of: usize) -> usize {
        of >> self.log2_ranks
    }

    /// The lane groups of a share of so many.
    pub(crate) fn groups(self, of: usize) -> Range<usize> {
        let groups = of >> self.log2_ranks;
        self.rank * groups..(self.rank + 1) * groups
    }

    /// The bit of ranks' numbers in which a link crosses over, if it joins shares; of a network that [can be
    /// shared](Share::check).
    pub(crate) fn crosses(self, topology: &dyn Topology, link: usize) -> Option<usize> {
        if self.log2_ranks == 0 {
            return None;
        }
        let crossings = topology.crossings(link, LOG2_FEWEST_NODES)?;
        let within = self.nodes(topology.nodes()).ilog2() as usize;
        crossings.first()?.flips.checked_sub(within)
    }

    /// The bit of ranks' numbers that is a bit of the address, if it is one.
    pub(crate) fn address_bit(self, topology: &dyn Topology, bit: usize) -> Option<usize> {
        if self.log2_ranks == 0 {
            return None;
        }
        let within = self.nodes(topology.nodes()).ilog2() as usize;
        topology
            .seat_bit(bit, LOG2_FEWEST_NODES)?
            .checked_sub(within)
    }

    /// The place of a node of a hypercube within the share, which counts them from 0 in the order of their seats; none if
    /// another share has it.
    #[inline]
    pub fn place(self, cube: Dimensions, node: usize) -> Option<usize> {
        let (group, place) = cube.seat::<u64>(node);
        let seat = group << LOG2_FEWEST_NODES | place;
        let here = self.nodes(cube.nodes());
        (seat >> here.ilog2() == self.rank).then_some(seat & (here - 1))
    }

    /// The node at a [place](Share::place) of the share.
    #[inline]
    pub fn node_at(self, cube: Dimensions, place: usize) -> usize {
        let seat = self.rank * self.nodes(cube.nodes()) + place;
        let within = (1 << LOG2_FEWEST_NODES) - 1;
        cube.node_at::<u64>(seat >> LOG2_FEWEST_NODES, seat & within)
    }

    /// Whose share has the node.
    pub fn rank_of(self, topology: &impl Topology, node: usize) -> usize {
        match self.log2_ranks {
            0 => 0,
            log2 => topology.seat::<u64>(node).0 / (topology.groups::<u64>(1) >> log2),
        }
    }
}

/// A rank: its share, how it meets the others, and what it has sent to them.
#[derive(Clone)]
pub struct Rank {
    share: Share,
    exchange: Option<Arc<dyn Communicator>>,
    sent: Arc<Sent>,
}

#[derive(Default)]
struct Sent {
    words: AtomicU64,
    times: AtomicU64,
}

impl Rank {
    /// Of a machine that one rank holds.
    pub fn alone() -> Self {
        Rank {
            share: Share::WHOLE,
            exchange: None,
            sent: Arc::default(),
        }
    }

    /// One of several.
    pub fn among(share: Share, exchange: Arc<dyn Communicator>) -> Self {
        Rank {
            share,
            exchange: Some(exchange),
            sent: Arc::default(),
        }
    }

    /// What it holds.
    pub fn share(&self) -> Share {
        self.share
    }

    /// Words of 64 bits that it has sent to others, each a bit of 64 nodes.
    pub fn words_sent(&self) -> u64 {
        self.sent.words.load(Ordering::Relaxed)
    }

    /// How often it has exchanged words with another.
    pub fn exchanges(&self) -> u64 {
        self.sent.times.load(Ordering::Relaxed)
    }

    /// Counts what was sent before, of a run that is taken up again.
    pub fn has_sent(&self, words: u64, exchanges: u64) {
        self.sent.words.fetch_add(words, Ordering::Relaxed);
        self.sent.times.fetch_add(exchanges, Ordering::Relaxed);
    }

    /// Hands words to the rank whose number differs in a bit, and receives as many.
    pub(super) fn exchange(&self, bit: usize, sent: &[u64], received: &mut [u64]) {
        let Some(exchange) = &self.exchange else {
            return;
        };
        exchange.exchange(self.share.rank ^ 1 << bit, sent, received);
        self.sent
            .words
            .fetch_add(sent.len() as u64, Ordering::Relaxed);
        self.sent.times.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether it is so on any rank; all ranks ask.
    pub fn any(&self, here: bool) -> bool {
        let mut words = [u64::from(here)];
        self.most(&mut words);
        words != [0]
    }

    /// Makes of each word the sum of those of all ranks; all ranks do.
    pub fn sum(&self, words: &mut [u64]) {
        if let Some(exchange) = &self.exchange {
            exchange.sum(words);
        }
    }

    /// Makes of each word the largest of those of all ranks; all ranks do.
    pub fn most(&self, words: &mut [u64]) {
        if let Some(exchange) = &self.exchange {
            exchange.most(words);
        }
    }

    /// How it meets others; nothing where it is alone.
    pub fn others(&self) -> Option<&dyn Communicator> {
        self.exchange.as_deref()
    }
}
