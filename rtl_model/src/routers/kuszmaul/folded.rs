//! Algorithm 2 with its steps overlapped, and each iteration begun while the one before it ends.
//!
//! Its rows are folded: those of iteration `i` pass dimensions i+2, i+4, ... up and ..., i+3, i+1
//! down. Step 6 runs back, so it begins with dimension i+1 and is through with it long before it
//! ends; and dimension i+1 is the one that the next iteration exchanges on. An iteration takes
//! 6m+2D+2 bit times; summed over the iterations: 3k(k-1)+(2k-1)D+2k-1.
//!
//! Node, sequencer and windows are those of [`crate::routers::kuszmaul::held`].

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::Position;
use crate::parts::dimensions::RowOrder;
use crate::routers::kuszmaul::held::{self, HeldNode, HeldSequencer, HeldStrobes};
use crate::routers::permutation::{AnySchedule, Forms, PermutationRouter, Schedule, Size};

/// Steps behind one another, iterations overlapped, circuits held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Folded;

/// The machine of Algorithm 2 on schedule `folded`.
pub type FoldedRouter = PermutationRouter<Folded>;

/// It behind an object.
pub static FOLDED: &dyn AnySchedule = &Folded;

impl Schedule for Folded {
    type Broadcast<S: Strobe> = HeldStrobes<S>;
    type Node<B: Bit> = HeldNode<B>;
    type Sequencer<S: Strobe> = HeldSequencer<S>;

    const STEPS: &'static [&'static str] = held::STEPS;
    const STEPS_OVERLAP: bool = true;
    const UNITS: &'static [&'static str] = held::UNITS;
    /// Small cubes lack some parts. There is one adder more than in an ascending row: stages that are first in one iteration are last
    /// in the next.
    const FORMS: Forms = Forms {
        bit_times: "3k(k-1)+(2k-1)D+2k-1",
        driven_bit_times: Some("(2d+1)D+k+d(4k-2d)"),
        storage_bits: "D+4 (k=1); 2D+14 (k=2); 2D+27 (k=3); 12k+2D-7",
        storage_bound: "14k+3D+8",
        serial_adders: "0 (k=1); 2(k-2) (k<=3); 2k-3",
        most_messages: 2,
    };

    fn node<B: Bit>(size: Size) -> HeldNode<B> {
        HeldNode::new(size, RowOrder::Folded)
    }

    fn sequencer<S: Strobe>(size: Size) -> HeldSequencer<S> {
        HeldSequencer::new(size, RowOrder::Folded)
    }

    fn position(sequencer: &HeldSequencer<bool>) -> Position {
        sequencer.position()
    }
}
