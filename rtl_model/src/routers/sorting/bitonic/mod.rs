//! A bitonic sort by destination, and the packing run backwards that follows it.
//!
//! A record is a valid bit, the destination from its most significant bit, the payload: `W = 1+k+D`
//! bits. Phase `p`, from 1 to `k`, sorts blocks of `2^p` nodes, every other one upside down, and
//! passes dimensions `p-1` down to 0. Each stage takes a bit time from a record's head to its head
//! behind it, so dimension `d` compares in phase `p` from bit time `(p-1)W-d` on, for `W` bit
//! times: its wires are never idle from phase `d+1` to the end, and the sort takes `kW` bit times.
//!
//! | step | what happens | from bit time |
//! |---|---|---|
//! | 1 | sort: messages first, by destination | 0 |
//! | 2 | unpack: the message of rank `r` goes from node `r` to its destination | kW-k+1 |
//!
//! | schedule | serves | bit times |
//! |---|---|---|
//! | [`SortAndUnpack`] | any partial permutation | kW + k+D = k^2+kD+2k+D |
//! | [`Sort`] | full permutations: rank and destination are one | kW = k(k+D+1) |
//!
//! Dimension `k-1`, of which the unpacking needs its first bits, has done its last comparison `k-1`
//! bit times before the sort ends: the unpacking begins there.
//!
//! [`node`] is what each node is made of, [`sequencer`] when what happens, [`strobes`] what passes
//! between the two, [`occupancy`] how much of the storage is in use.

pub mod comparator;
pub mod comparators;
pub mod node;
pub mod occupancy;
pub mod sequencer;
pub mod strobes;

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::{ClosedForm, Position};
use crate::routers::permutation::{AnySchedule, PermutationRouter, Schedule, Size};

pub use node::BitonicNode;
pub use sequencer::BitonicSequencer;
pub use strobes::BitonicStrobes;

/// Sort, then unpack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SortAndUnpack;

/// Sort alone, for full permutations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sort;

/// The machine that sorts and unpacks.
pub type BitonicRouter = PermutationRouter<SortAndUnpack>;

/// `W`: the bits of a record.
pub(crate) fn record_bits(size: Size) -> usize {
    1 + size.dimensions + size.payload_bits
}

fn storage_bits(size: Size) -> ClosedForm {
    size.form("3k+D+2", |k, d| 3 * k + d + 2)
}

fn storage_bound(size: Size) -> ClosedForm {
    size.form("4k+D+2", |k, d| 4 * k + d + 2)
}

/// It behind an object.
pub static SORT_AND_UNPACK: &dyn AnySchedule = &SortAndUnpack;

impl Schedule for SortAndUnpack {
    type Broadcast<S: Strobe> = BitonicStrobes<S>;
    type Node<B: Bit> = BitonicNode<B>;
    type Sequencer<S: Strobe> = BitonicSequencer<S>;

    const STEPS: &'static [&'static str] = &["", "1_sort", "2_unpack", "done"];
    const STEPS_OVERLAP: bool = true;
    const UNITS: &'static [&'static str] = &["comparison", "unpacking"];

    fn node<B: Bit>(size: Size) -> BitonicNode<B> {
        BitonicNode::new(size, true)
    }

    fn sequencer<S: Strobe>(size: Size) -> BitonicSequencer<S> {
        BitonicSequencer::new(size, true)
    }

    fn bit_times(size: Size) -> ClosedForm {
        size.form("k^2+kD+2k+D", |k, d| k * k + k * d + 2 * k + d)
    }

    fn driven_bit_times(size: Size, dimension: usize) -> Option<ClosedForm> {
        size.form_of_dimension(dimension, "(k+1-d)(k+D)+1", |k, payload, d| {
            (k + 1 - d) * (k + payload) + 1
        })
    }

    fn storage_bits(size: Size) -> ClosedForm {
        storage_bits(size)
    }

    fn storage_bound(size: Size) -> ClosedForm {
        storage_bound(size)
    }

    fn serial_adders(size: Size) -> ClosedForm {
        size.form("0", |_, _| 0)
    }

    fn position(sequencer: &BitonicSequencer<bool>) -> Position {
        sequencer.position(3)
    }

    fn live_bits_per_message(size: Size, after: Position) -> usize {
        occupancy::live_bits(size, after, true)
    }
}

/// It behind an object.
pub static SORT: &dyn AnySchedule = &Sort;

impl Schedule for Sort {
    type Broadcast<S: Strobe> = BitonicStrobes<S>;
    type Node<B: Bit> = BitonicNode<B>;
    type Sequencer<S: Strobe> = BitonicSequencer<S>;

    const STEPS: &'static [&'static str] = &["", "1_sort", "done"];
    const STEPS_OVERLAP: bool = true;
    const UNITS: &'static [&'static str] = &["comparison"];
    const FULL_ONLY: bool = true;

    fn node<B: Bit>(size: Size) -> BitonicNode<B> {
        BitonicNode::new(size, false)
    }

    fn sequencer<S: Strobe>(size: Size) -> BitonicSequencer<S> {
        BitonicSequencer::new(size, false)
    }

    fn bit_times(size: Size) -> ClosedForm {
        size.form("k(k+D+1)", |k, d| k * (k + d + 1))
    }

    fn driven_bit_times(size: Size, dimension: usize) -> Option<ClosedForm> {
        size.form_of_dimension(dimension, "(k-d)(k+1+D)", |k, payload, d| {
            (k - d) * (k + 1 + payload)
        })
    }

    fn storage_bits(size: Size) -> ClosedForm {
        storage_bits(size)
    }

    fn storage_bound(size: Size) -> ClosedForm {
        storage_bound(size)
    }

    fn serial_adders(size: Size) -> ClosedForm {
        size.form("0", |_, _| 0)
    }

    fn position(sequencer: &BitonicSequencer<bool>) -> Position {
        sequencer.position(2)
    }

    fn live_bits_per_message(size: Size, after: Position) -> usize {
        occupancy::live_bits(size, after, false)
    }
}
