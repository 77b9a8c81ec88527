//! Algorithm 2 with each step begun as soon as its wires are free.
//!
//! Step 4 counts the empty nodes while step 1 still streams, step 2 follows it through the same
//! adders. Step 5 sends headers only and step 6 goes back through the circuits that they set. An
//! iteration takes 7m+2D+1 bit times; summed over the iterations: 7k(k-1)/2+(2k-1)D+k.
//!
//! Its rows ascend: stage `r` of iteration `i` has dimension `i+r`. Node, sequencer and windows are
//! those of [`crate::routers::kuszmaul::held`].

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::{ClosedForm, Position};
use crate::parts::dimensions::RowOrder;
use crate::routers::kuszmaul::held::{self, HeldNode, HeldSequencer, HeldStrobes};
use crate::routers::kuszmaul::two_adders_a_dimension;
use crate::routers::permutation::{AnySchedule, PermutationRouter, Schedule, Size};

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

    fn node<B: Bit>(size: Size) -> HeldNode<B> {
        HeldNode::new(size, RowOrder::Ascending)
    }

    fn sequencer<S: Strobe>(size: Size) -> HeldSequencer<S> {
        HeldSequencer::new(size, RowOrder::Ascending)
    }

    fn bit_times(size: Size) -> ClosedForm {
        size.form("7k(k-1)/2+(2k-1)D+k", |k, d| {
            7 * k * (k - 1) / 2 + (2 * k - 1) * d + k
        })
    }

    fn driven_bit_times(size: Size, dimension: usize) -> Option<ClosedForm> {
        size.form_of_dimension(dimension, "(2d+1)D+k+d(4k-2d)", |k, payload, d| {
            (2 * d + 1) * payload + k + d * (4 * k - 2 * d)
        })
    }

    /// Small cubes lack some parts: one dimension has no second message, two have a lone stage.
    fn storage_bits(size: Size) -> ClosedForm {
        match size.dimensions {
            1 => size.form("D+4 (k=1)", |_, d| d + 4),
            2 => size.form("2D+14 (k=2)", |_, d| 2 * d + 14),
            _ => size.form("12k+2D-9", |k, d| 12 * k + 2 * d - 9),
        }
    }

    fn storage_bound(size: Size) -> ClosedForm {
        size.form("14k+3D+8", |k, d| 14 * k + 3 * d + 8)
    }

    fn serial_adders(size: Size) -> ClosedForm {
        two_adders_a_dimension(size)
    }

    fn position(sequencer: &HeldSequencer<bool>) -> Position {
        sequencer.position()
    }
}
