//! Algorithm 2 with each step begun as soon as its wires are free.
//!
//! Step 4 counts the empty nodes while step 1 still streams, step 2 follows it through the same
//! adders. Step 5 sends headers only and step 6 goes back through the circuits that they set. An
//! iteration takes 7m+2D+1 bit times; summed over the iterations: 7k(k-1)/2+(2k-1)D+k.
//!
//! Its rows ascend: stage `r` of iteration `i` has dimension `i+r`. Node, sequencer and windows are
//! those of [`crate::routers::kuszmaul::held`].

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::Position;
use crate::parts::dimensions::RowOrder;
use crate::routers::kuszmaul::TWO_ADDERS_A_DIMENSION;
use crate::routers::kuszmaul::held::{self, HeldNode, HeldSequencer, HeldStrobes};
use crate::routers::permutation::{AnySchedule, Forms, PermutationRouter, Schedule, Size};

/// Steps behind one another, circuits held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlapped;

/// The machine of Algorithm 2 on schedule `overlapped`.
pub type OverlappedRouter = PermutationRouter<Overlapped>;

/// It behind an object.
pub static OVERLAPPED: &dyn AnySchedule = &Overlapped;

impl Schedule for Overlapped {
    type Broadcast<S: Strobe> = HeldStrobes<S>;
    type Node<B: Bit> = HeldNode<B>;
    type Sequencer<S: Strobe> = HeldSequencer<S>;

    const STEPS: &'static [&'static str] = held::STEPS;
    const STEPS_OVERLAP: bool = true;
    const UNITS: &'static [&'static str] = held::UNITS;
    /// Small cubes lack some parts: one dimension has no second message, two have a lone stage.
    const FORMS: Forms = Forms {
        bit_times: "7k(k-1)/2+(2k-1)D+k",
        driven_bit_times: Some("(2d+1)D+k+d(4k-2d)"),
        storage_bits: "D+4 (k=1); 2D+14 (k=2); 12k+2D-9",
        storage_bound: "14k+3D+8",
        serial_adders: TWO_ADDERS_A_DIMENSION,
        most_messages: 2,
    };

    fn node<B: Bit>(size: Size) -> HeldNode<B> {
        HeldNode::new(size, RowOrder::Ascending)
    }

    fn sequencer<S: Strobe>(size: Size) -> HeldSequencer<S> {
        HeldSequencer::new(size, RowOrder::Ascending)
    }

    fn position(sequencer: &HeldSequencer<bool>) -> Position {
        sequencer.position()
    }
}
