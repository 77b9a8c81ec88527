//! Algorithm 2, one step after the other: any partial permutation, two message buffers a node.
//!
//! For each dimension `i` from 0, with `m = k-1-i` dimensions and `L = m+D` message bits left:
//!
//! | step | what happens | bit times |
//! |---|---|---|
//! | 1 | messages cross dimension `i` where they have to: nodes hold 0, 1 or 2 | L+1 |
//! | 2 | nodes with two messages are enumerated | 2m-1 |
//! | 3 | each sends its second message to the node of that rank: a packing | 2m+L-1 |
//! | 4 | nodes with no message are enumerated | 2m-1 |
//! | 5 | each sends its own address to the node of that rank: a packing | 3m-1 |
//! | 6 | the messages of step 3 go to the addresses of step 5, packing run backwards | 2m+L-1 |
//!
//! The last iteration is step 1 alone. Steps 2 to 6 work in subcubes of the `m` dimensions above
//! `i`. Summed over the iterations: 7k(k-1)+(3k-2)D-4k+5 bit times.
//!
//! [`node`] is what each node is made of, [`sequencer`] when what happens, [`strobes`] what passes
//! between the two, [`occupancy`] how much of the storage is in use.

pub mod node;
pub mod occupancy;
pub mod sequencer;
pub mod strobes;

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::Position;
use crate::routers::kuszmaul::TWO_ADDERS_A_DIMENSION;
use crate::routers::permutation::{AnySchedule, Forms, PermutationRouter, Schedule, Size};

pub use node::PlainNode;
pub use sequencer::PlainSequencer;
pub use strobes::PlainStrobes;

/// One step after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plain;

/// The machine of Algorithm 2 on schedule `plain`.
pub type PlainRouter = PermutationRouter<Plain>;

/// It behind an object.
pub static PLAIN: &dyn AnySchedule = &Plain;

impl Schedule for Plain {
    type Broadcast<S: Strobe> = PlainStrobes<S>;
    type Node<B: Bit> = PlainNode<B>;
    type Sequencer<S: Strobe> = PlainSequencer<S>;

    /// Codes 1 to 6 are the paper's steps.
    const STEPS: &'static [&'static str] = &[
        "",
        "1_cross",
        "2_enumerate_twos",
        "3_pack_messages",
        "4_enumerate_empties",
        "5_pack_addresses",
        "6_rendezvous",
        "done",
    ];
    const STEPS_OVERLAP: bool = false;
    const UNITS: &'static [&'static str] = &["exchange", "enumeration", "packing"];
    /// Small cubes lack some parts: one dimension has no second message, two have a lone stage.
    const FORMS: Forms = Forms {
        bit_times: "7k(k-1)+(3k-2)D-4k+5",
        driven_bit_times: Some("(2d+1)D+k+d(5k-2d-1)"),
        storage_bits: "D+4 (k=1); 2D+11 (k=2); 12k+2D-11",
        storage_bound: "14k+3D+8",
        serial_adders: TWO_ADDERS_A_DIMENSION,
        most_messages: 2,
    };

    fn node<B: Bit>(size: Size) -> PlainNode<B> {
        PlainNode::new(size)
    }

    fn sequencer<S: Strobe>(size: Size) -> PlainSequencer<S> {
        PlainSequencer::new(size)
    }

    fn position(sequencer: &PlainSequencer<bool>) -> Position {
        sequencer.position()
    }
}
