//! A radix sort by destination from the least significant bit, and the packing run backwards that
//! follows it.
//!
//! Each pass deals the nodes out by one key bit: those with a message whose bit is 0 to the bottom,
//! in order; all others, empty ones too, to the top, in reverse order. So one enumeration is
//! enough, of the zeros: node `x` with `r` of them below it goes to `r`, or to `2^k-1-(x-r)`. And
//! one packing carries both at once: of `2^j` nodes that agree above bit `j`, `a` zeros get the
//! ranks `r` to `r+a-1` and the others, counted down, end at `r-1` modulo `2^j`: no two of them
//! have the same lowest `j` bits, and after `j` stages no two are at one node.
//!
//! A pass turns its ones round, so the order that `k` passes leave is that of the reflected binary
//! code: where bit `b` of the key is `d_b xor d_(b+1)`, messages end in the order of `d`, with gaps
//! where a node was empty. One more pass, in which every message is a zero, closes them; then
//! messages are unpacked.
//!
//! | step | what happens | from bit time |
//! |---|---|---|
//! | 1 | zeros are enumerated (Theorem 2) | 0 of a pass |
//! | 2 | all messages are packed (Algorithm 1), their destinations with them | k |
//! | 3 | unpack: the message of rank `r` goes from node `r` home | 4k+D-1 of the last pass |
//!
//! | schedule | serves | passes | bit times |
//! |---|---|---|---|
//! | [`SortAndUnpack`] | any partial permutation | k+1 | k max(3k+D, 4k-2) + 6k+2D-2 |
//! | [`Sort`] | full permutations: rank is destination | k | (k-1) max(3k+D, 4k-2) + 4k+D-1 |
//!
//! A pass is followed by the next after `3k+D` bit times, when the first stage's wires are free:
//! `k` until the ranks begin to come, `k` header bits, `k+D` of the message. The destination comes
//! from its most significant bit, as the unpacking wants it, so the next key may come later than
//! that: in `4k-3`, where `D < k-2`. The last pass takes `4k+D-1` to its end, the unpacking
//! `2k+D-1`.
//!
//! [`node`] is what each node is made of, [`sequencer`] when what happens, [`strobes`] what passes
//! between the two, [`occupancy`] how much of the storage is in use.

pub mod node;
pub mod occupancy;
pub mod sequencer;
pub mod strobes;

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::Position;
use crate::routers::permutation::{AnySchedule, Forms, PermutationRouter, Schedule, Size};

pub use node::RadixNode;
pub use sequencer::RadixSequencer;
pub use strobes::RadixStrobes;

/// Sort, then unpack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SortAndUnpack;

/// Sort alone, for full permutations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sort;

/// The machine that sorts and unpacks.
pub type RadixRouter = PermutationRouter<SortAndUnpack>;

const STORAGE_BOUND: &str = "9k+D+5";
const SERIAL_ADDERS: &str = "0 (k=1); 2k-1";

/// It behind an object.
pub static SORT_AND_UNPACK: &dyn AnySchedule = &SortAndUnpack;

impl Schedule for SortAndUnpack {
    type Broadcast<S: Strobe> = RadixStrobes<S>;
    type Node<B: Bit> = RadixNode<B>;
    type Sequencer<S: Strobe> = RadixSequencer<S>;

    const STEPS: &'static [&'static str] = &["", "1_enumerate", "2_pack", "3_unpack", "done"];
    const STEPS_OVERLAP: bool = true;
    const UNITS: &'static [&'static str] = &["enumeration", "packing"];
    /// A cube of one dimension has no key to hold back, nothing to carry, and a lone switch.
    const FORMS: Forms = Forms {
        bit_times: "k max(3k+D,4k-2)+6k+2D-2",
        driven_bit_times: Some("2k^2+3k+2+d+(k+2)D"),
        storage_bits: "D+5 (k=1); 9k+D",
        storage_bound: STORAGE_BOUND,
        serial_adders: SERIAL_ADDERS,
        most_messages: 1,
    };

    fn node<B: Bit>(size: Size) -> RadixNode<B> {
        RadixNode::new(size, true)
    }

    fn sequencer<S: Strobe>(size: Size) -> RadixSequencer<S> {
        RadixSequencer::new(size, true)
    }

    fn position(sequencer: &RadixSequencer<bool>) -> Position {
        sequencer.position(4)
    }

    fn live_bits_per_message(size: Size, after: Position) -> usize {
        occupancy::live_bits(size, after, true)
    }
}

/// It behind an object.
pub static SORT: &dyn AnySchedule = &Sort;

impl Schedule for Sort {
    type Broadcast<S: Strobe> = RadixStrobes<S>;
    type Node<B: Bit> = RadixNode<B>;
    type Sequencer<S: Strobe> = RadixSequencer<S>;

    const STEPS: &'static [&'static str] = &["", "1_enumerate", "2_pack", "done"];
    const STEPS_OVERLAP: bool = true;
    const UNITS: &'static [&'static str] = &["enumeration", "packing"];
    /// As with the unpacking, without the registers that only it reads.
    const FORMS: Forms = Forms {
        bit_times: "(k-1) max(3k+D,4k-2)+4k+D-1",
        driven_bit_times: Some("k(2k+1+D)"),
        storage_bits: "D+5 (k=1); 9k+D-2",
        storage_bound: STORAGE_BOUND,
        serial_adders: SERIAL_ADDERS,
        most_messages: 1,
    };
    const FULL_ONLY: bool = true;

    fn node<B: Bit>(size: Size) -> RadixNode<B> {
        RadixNode::new(size, false)
    }

    fn sequencer<S: Strobe>(size: Size) -> RadixSequencer<S> {
        RadixSequencer::new(size, false)
    }

    fn position(sequencer: &RadixSequencer<bool>) -> Position {
        sequencer.position(3)
    }

    fn live_bits_per_message(size: Size, after: Position) -> usize {
        occupancy::live_bits(size, after, false)
    }
}

#[cfg(test)]
mod tests {
    /// Whichever nodes of a cube have zeros, and whether or not the others have messages: after
    /// every stage of the packing each node has what one of them sent, and it is as many at the
    /// end.
    #[test]
    fn zeros_and_all_others_are_never_two_at_a_node() {
        for k in 1..=4 {
            let nodes = 1usize << k;
            for zeros in 0u32..1 << nodes {
                let mut places: Vec<usize> = (0..nodes).collect();
                let targets = (0..nodes).map(|x| {
                    let r = (zeros & ((1 << x) - 1)).count_ones() as usize;
                    let is_zero = zeros >> x & 1 == 1;
                    if is_zero { r } else { nodes - 1 - (x - r) }
                });
                let targets: Vec<usize> = targets.collect();
                for dimension in 0..k {
                    let mut taken = vec![false; nodes];
                    for (place, target) in places.iter_mut().zip(&targets) {
                        *place ^= (*place ^ target) & 1 << dimension;
                        assert!(!std::mem::replace(&mut taken[*place], true));
                    }
                }
                assert_eq!(places, targets);
            }
        }
    }
}
