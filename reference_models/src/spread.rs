//! Schedule `spread` with whole messages: after step 1 all messages of a subcube are numbered, and each is
//! packed to the node of its number. Its invariants are checked at every stage.
//!
//! [`Variant`] holds what could be done otherwise as choices, so that tests can plant each mistake and show
//! that it is caught.

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::Message;

use crate::places::Places;
use crate::row::{self, Row};
use crate::violation::Violation;

/// How messages are numbered and packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Address bits that agree in the subcubes, beyond the `i` of the text: 1.
    pub further_fixed_bits: usize,
    /// Numbers count messages; if not, nodes that hold any, as in Theorem 2.
    pub counts_messages: bool,
    /// The number of the first message: 0.
    pub first_rank: usize,
    /// The scan passes the dimensions in the same order as the packing that follows it.
    pub scan_follows_row: bool,
    /// Packing fixes the least significant bit of the rank first.
    pub packs_lsb_first: bool,
}

impl Variant {
    /// What the hardware does.
    pub const CORRECT: Variant = Variant {
        further_fixed_bits: 1,
        counts_messages: true,
        first_rank: 0,
        scan_follows_row: true,
        packs_lsb_first: true,
    };
}

/// What happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// After each iteration: for each node the index of the message that it holds.
    pub after_iteration: Vec<Vec<Option<usize>>>,
    /// The most messages that a node ever held.
    pub most_messages: usize,
}

/// Routes `messages` (a partial permutation) with every invariant checked.
///
/// # Errors
/// The first [`Violation`].
pub fn route(
    dimensions: Dimensions,
    messages: &[Message],
    variant: Variant,
) -> Result<Outcome, Violation> {
    let k = dimensions.count();
    let mut places = Places::of(dimensions, messages);
    let mut outcome = Outcome::default();
    for iteration in 0..k {
        places.cross(iteration)?;
        outcome.most_messages = outcome.most_messages.max(places.most_messages());
        if iteration + 1 < k {
            let packing = Packing {
                iteration,
                k,
                fixed: iteration + variant.further_fixed_bits,
                variant,
            };
            let packed = packing.pack(packing.enumerate(&places)?)?;
            places.replace(packed.iter().map(|moving| (moving.message, moving.node)));
        }
        places.check(iteration)?;
        outcome.after_iteration.push(places.first());
    }
    Ok(outcome)
}

/// A message on its way.
#[derive(Clone, Copy)]
struct Moving {
    message: usize,
    node: usize,
    rank: usize,
    target: usize,
}

/// What follows step 1 in an iteration: all subcubes of equal lower bits at once.
struct Packing {
    iteration: usize,
    k: usize,
    /// Lower address bits in which a subcube's nodes agree.
    fixed: usize,
    variant: Variant,
}

impl Packing {
    fn enumerate(&self, places: &Places) -> Result<Vec<Moving>, Violation> {
        let mut next = vec![self.variant.first_rank; 1 << self.fixed];
        let mut nodes: Vec<usize> = (0..1 << self.k).collect();
        if !self.variant.scan_follows_row {
            let mut scanned = Row::Ascending.dimensions(self.fixed, self.k);
            scanned.reverse();
            nodes.sort_by_key(|&node| row::place(&scanned, node));
        }
        let mut all = Vec::new();
        for node in nodes {
            let subcube = node % (1 << self.fixed);
            for (place, &message) in places.at(node).iter().enumerate() {
                let rank = next[subcube] + place;
                let target = subcube + (rank << self.fixed);
                if target >= 1 << self.k {
                    return Err(Violation::NoSuchTarget {
                        iteration: self.iteration,
                        packing: "packing",
                        node,
                        target,
                    });
                }
                all.push(Moving {
                    message,
                    node,
                    rank,
                    target,
                });
            }
            let messages = places.at(node).len();
            next[subcube] += match self.variant.counts_messages {
                true => messages,
                false => messages.min(1),
            };
        }
        Ok(all)
    }

    fn pack(&self, mut all: Vec<Moving>) -> Result<Vec<Moving>, Violation> {
        let mut dimensions = Row::Ascending.dimensions(self.fixed, self.k);
        if !self.variant.packs_lsb_first {
            dimensions.reverse();
        }
        self.check_apart(0, &all)?;
        for (stage, dimension) in (1..).zip(dimensions) {
            self.check_ways(stage, dimension, &all)?;
            for moving in &mut all {
                moving.node ^= (moving.node ^ moving.target) & 1 << dimension;
            }
            self.check_apart(stage, &all)?;
        }
        match all.iter().find(|moving| moving.node != moving.target) {
            Some(moving) => Err(Violation::NotAtTarget {
                iteration: self.iteration,
                packing: "packing",
                target: moving.target,
                node: moving.node,
            }),
            None => Ok(all),
        }
    }

    /// A node has one wire for those that cross, and one track for those that stay. So it never stores more
    /// than two: one that stayed, and one that it received.
    fn check_ways(&self, stage: usize, dimension: usize, all: &[Moving]) -> Result<(), Violation> {
        let mut taken = vec![[false; 2]; 1 << self.k];
        for moving in all {
            let crosses = row::place(&[dimension], moving.node ^ moving.target);
            if std::mem::replace(&mut taken[moving.node][crosses], true) {
                return Err(Violation::SameWay {
                    iteration: self.iteration,
                    stage,
                    node: moving.node,
                    way: ["stay", "cross"][crosses],
                });
            }
        }
        Ok(())
    }

    /// Two messages at a node are 2^r apart after stage r; after the last, that is more than there are
    /// ranks, so there is only one.
    fn check_apart(&self, stage: usize, all: &[Moving]) -> Result<(), Violation> {
        let mut at: Vec<Option<usize>> = vec![None; 1 << self.k];
        for moving in all {
            let other = at[moving.node].replace(moving.rank);
            if let Some(other) = other.filter(|other| moving.rank.abs_diff(*other) != 1 << stage) {
                return Err(Violation::RanksApart {
                    iteration: self.iteration,
                    stage,
                    node: moving.node,
                    ranks: [other, moving.rank],
                });
            }
        }
        Ok(())
    }
}
