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
use crate::machine::router::Position;
use crate::routers::permutation::{AnySchedule, Forms, PermutationRouter, Schedule, Size};

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

const STORAGE_BITS: &str = "3k+D+2";
const STORAGE_BOUND: &str = "4k+D+2";

/// It behind an object.
pub static SORT_AND_UNPACK: &dyn AnySchedule = &SortAndUnpack;

impl Schedule for SortAndUnpack {
    type Broadcast<S: Strobe> = BitonicStrobes<S>;
    type Node<B: Bit> = BitonicNode<B>;
    type Sequencer<S: Strobe> = BitonicSequencer<S>;

    const STEPS: &'static [&'static str] = &["", "1_sort", "2_unpack", "done"];
    const STEPS_OVERLAP: bool = true;
    const UNITS: &'static [&'static str] = &["comparison", "unpacking"];
    const FORMS: Forms = Forms {
        bit_times: "k^2+kD+2k+D",
        driven_bit_times: Some("(k+1-d)(k+D)+1"),
        storage_bits: STORAGE_BITS,
        storage_bound: STORAGE_BOUND,
        serial_adders: "0",
        most_messages: 1,
    };

    fn node<B: Bit>(size: Size) -> BitonicNode<B> {
        BitonicNode::new(size, true)
    }

    fn sequencer<S: Strobe>(size: Size) -> BitonicSequencer<S> {
        BitonicSequencer::new(size, true)
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
    const FORMS: Forms = Forms {
        bit_times: "k(k+D+1)",
        driven_bit_times: Some("(k-d)(k+1+D)"),
        storage_bits: STORAGE_BITS,
        storage_bound: STORAGE_BOUND,
        serial_adders: "0",
        most_messages: 1,
    };
    const FULL_ONLY: bool = true;

    fn node<B: Bit>(size: Size) -> BitonicNode<B> {
        BitonicNode::new(size, false)
    }

    fn sequencer<S: Strobe>(size: Size) -> BitonicSequencer<S> {
        BitonicSequencer::new(size, false)
    }

    fn position(sequencer: &BitonicSequencer<bool>) -> Position {
        sequencer.position(2)
    }

    fn live_bits_per_message(size: Size, after: Position) -> usize {
        occupancy::live_bits(size, after, false)
    }
}
