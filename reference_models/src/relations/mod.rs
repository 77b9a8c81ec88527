//! Relations on line with whole messages: every node sends and receives up to `H` of them, and nothing is
//! coloured beforehand. The paper (Kuszmaul 1990) has batches in mind for this, and does not say how messages
//! get into them; here there are none, and an iteration of schedule [`spread`](crate::spread) is repeated.
//!
//! ```text
//!   iteration i                    pass 0      pass 1      ..      pass H-1
//!   step 1: crosses or stays       slot 0      slot 1              slot H-1        of each node's list
//!   numbers, by subcube            E, ..       on from there       on from there
//!   packing, stage by stage        each message to member E mod 2^m of its subcube
//!   delivered                      into the next free slots of the other list
//! ```
//!
//! Messages are numbered in ascending order of nodes, and at a node what stayed in step 1 comes before what
//! crossed. Where two come to a node in a pass, the one that stayed in the last stage comes first.
//!
//! After step 1 a subcube of `m` free dimensions holds `H 2^m` messages at the most, as many as its nodes may
//! receive. Numbers run over all passes of an iteration, so each member gets `H` of them at the most, whatever
//! the first number is: where there are several passes, an iteration goes on from where the one before ended.
//! In a pass a block of `2^r` nodes holds at most `2 * 2^r` messages, of successive numbers: after stage `r`
//! of the packing two at a node differ by `2^r`, so there are two of them at the most, and the next stage
//! takes one across. All of this is checked.
//!
//! [`Variant`] holds what could be done otherwise as choices, so that tests can plant each mistake and show
//! that it is caught.

mod lists;
mod pass;
#[cfg(test)]
mod tests;
mod violation;

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::Message;

use crate::row::Row;

use lists::Lists;
use pass::Pass;
pub use violation::Violation;

/// A message, and the slot of its source's list in which it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// From where to where.
    pub message: Message,
    /// `0 .. H`; slots before it may be empty.
    pub slot: usize,
}

/// How messages are numbered and packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Address bits that agree in the subcubes, beyond the `i` of the text: 1.
    pub further_fixed_bits: usize,
    /// Numbers count messages; if not, nodes that hold any, as in Theorem 2.
    pub counts_messages: bool,
    /// A pass numbers on from where the one before ended; if not, from 0.
    pub goes_on: bool,
    /// So does the first pass of an iteration, where there are several; if not, it begins at 0. Messages get
    /// elsewhere then, and all arrive: a choice, and no mistake.
    pub clears_nothing: bool,
    /// Members are taken in turn, by the number modulo their amount.
    pub wraps: bool,
    /// The scan passes the dimensions in the same order as the packing that follows it.
    pub scan_follows_row: bool,
    /// Packing fixes the least significant bit of the number first.
    pub packs_lsb_first: bool,
}

impl Variant {
    /// What the hardware does.
    pub const CORRECT: Variant = Variant {
        further_fixed_bits: 1,
        counts_messages: true,
        goes_on: true,
        clears_nothing: true,
        wraps: true,
        scan_follows_row: true,
        packs_lsb_first: true,
    };
}

/// What happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// After each iteration: for each node and each of its `H` slots, the index of the message there.
    pub after_iteration: Vec<Vec<Vec<Option<usize>>>>,
    /// The most messages that a node ever held of a pass: 2 at the most.
    pub most_in_a_pass: usize,
    /// The most messages that a node held after an iteration: `H` at the most.
    pub most_messages: usize,
}

/// Routes `messages`, of which every node sends and receives up to `h`, with every invariant checked.
///
/// # Errors
/// The first [`Violation`].
pub fn route(
    dimensions: Dimensions,
    h: usize,
    messages: &[Listed],
    variant: Variant,
) -> Result<Outcome, Violation> {
    let k = dimensions.count();
    let mut lists = Lists::of(dimensions, h, messages)?;
    let mut outcome = Outcome::default();
    // By subcube, the number of the next message.
    let mut numbered = vec![0];
    for iteration in 0..k {
        let fixed = (iteration + variant.further_fixed_bits).min(k);
        let mut next = lists.emptied();
        // Each of these subcubes is a part of one before, whose nodes agree in what they number on from.
        let within = |subcube| match variant.clears_nothing && h > 1 {
            true => numbered[subcube % numbered.len()],
            false => 0,
        };
        numbered = (0..1 << fixed).map(within).collect();
        for number in 0..h {
            let mut pass = Pass::cross((iteration, number), k, lists.in_slot(number));
            if !variant.goes_on {
                numbered.fill(0);
            }
            pass.number(fixed, variant, &mut numbered)?;
            let mut row = Row::Ascending.dimensions(fixed, k);
            if !variant.packs_lsb_first {
                row.reverse();
            }
            let most = pass.pack(&row)?;
            outcome.most_in_a_pass = outcome.most_in_a_pass.max(most);
            for (node, message) in pass.delivered() {
                next.append((iteration, number), node, message)?;
            }
        }
        lists = next;
        lists.check(iteration)?;
        outcome.most_messages = outcome.most_messages.max(lists.most_messages());
        outcome.after_iteration.push(lists.slots());
    }
    Ok(outcome)
}

/// Bit times of an iteration with `m` free dimensions: of `H` passes, each of which begins as soon as wires
/// let it behind the one before ([`interval`](crate::batches::interval) of the first stage of a cube of
/// `m+1` dimensions), and the last of which takes as long as an iteration of schedule `spread`.
pub fn bit_times_of_iteration(m: usize, payload_bits: usize, h: usize) -> usize {
    let (alone, behind) = match m {
        0 => (payload_bits + 1, payload_bits + 1),
        _ => (3 * m + payload_bits + 1, 3 * m + payload_bits),
    };
    (h - 1) * behind + alone
}

/// Bit times of all iterations: `H(3k(k-1)/2 + kD + 1) + k - 1`.
pub fn bit_times(k: usize, payload_bits: usize, h: usize) -> usize {
    h * (3 * k * (k - 1) / 2 + k * payload_bits + 1) + k - 1
}
