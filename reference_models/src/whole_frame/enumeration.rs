//! Theorem 2 with a number in a word: an adder is an integer addition.
//!
//! ```text
//!   stage           1          2              3
//!   total's bits    1          2              3         of up to 1, 2, 4 members
//!   on the wire     0          1 .. 2         2 .. 4    bit times: each adder adds one
//! ```

use crate::whole_frame::tally::{Step, Tally, Watch, Windows};

/// Who reads the totals of an enumeration, beside the ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Totals {
    /// Nobody.
    Unread,
    /// The host.
    Read,
}

/// Members before each node and in all, in the subcube of the dimensions of `row`; `totals` comes in as 1 for
/// a member and 0 for any other node.
pub(super) fn enumerate(
    (ranks, totals): (&mut [u64], &mut [u64]),
    row: &[usize],
    read: Totals,
    (step, tally, watch): (Step, &mut Tally, &mut impl Watch),
) {
    let mut windows = Windows::new(tally, step);
    ranks.fill(0);
    // Members that there may be so far, and the bit time in which their number begins to come.
    let (mut most, mut begin) = (1usize, 0);
    for (stage, &dimension) in row.iter().enumerate() {
        watch.wires(step, dimension, digits(most), &|node| totals[node]);
        windows.carry(dimension, begin, digits(most), 0);
        add(ranks, totals, dimension);
        most *= 2;
        if stage + 1 < row.len() {
            begin += 1;
        }
    }
    // The last adders give what is read.
    windows.last(begin, digits(most - 1));
    if read == Totals::Read {
        windows.last(begin, digits(most));
    }
    windows.close();
}

/// Bits of numbers up to this one.
fn digits(most: usize) -> usize {
    most.checked_ilog2().map_or(0, |top| top as usize + 1)
}

/// The stage of one dimension: neighbours add up their totals, and what the lower one has counted comes before
/// the higher one.
fn add(ranks: &mut [u64], totals: &mut [u64], dimension: usize) {
    let distance = 1 << dimension;
    let blocks = ranks.chunks_exact_mut(2 * distance);
    for (ranks, totals) in blocks.zip(totals.chunks_exact_mut(2 * distance)) {
        let (low, high) = totals.split_at_mut(distance);
        let ranks = &mut ranks[distance..];
        for ((low, high), rank) in low.iter_mut().zip(high).zip(ranks) {
            *rank += *low;
            *low += *high;
            *high = *low;
        }
    }
}
