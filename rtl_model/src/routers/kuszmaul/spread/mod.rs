//! Algorithm 2 with its steps 2 to 6 replaced by spreading all messages out.
//!
//! After step 1 a node holds 0, 1 or 2 messages, and a subcube no more than it has nodes. So all its
//! messages can be numbered (Theorem 2, counting messages and not nodes) and sent to the nodes of their
//! numbers (Algorithm 1, for two messages a node): then every node holds one at most, and the next
//! iteration can begin. Nobody needs to know who is empty, and there is no way back.
//!
//! | step | what happens | from bit time |
//! |---|---|---|
//! | 1 | messages whose address bit `i` is not the node's cross dimension `i` | 0 |
//! | 2 | messages are enumerated | 1 |
//! | 3 | all messages are packed, on two tracks | m+1 |
//!
//! An iteration takes 3m+D+1 bit times; summed over the iterations: 3k(k-1)/2+kD+k. This is not in the
//! paper; what it adds is [`crate::routers::kuszmaul::spread::track_switch`].
//!
//! [`node`] is what each node is made of, [`sequencer`] when what happens, [`strobes`] what passes between
//! the two, [`occupancy`] how much of the storage is in use.

pub mod node;
pub mod occupancy;
pub mod sequencer;
pub mod strobes;
pub mod track_packer;
pub mod track_switch;

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::Position;
use crate::routers::kuszmaul::TWO_ADDERS_A_DIMENSION;
use crate::routers::permutation::{AnySchedule, Forms, PermutationRouter, Schedule, Size};

pub use node::SpreadNode;
pub use sequencer::SpreadSequencer;
pub use strobes::SpreadStrobes;

/// All messages spread out in every iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spread;

/// The machine of schedule `spread`.
pub type SpreadRouter = PermutationRouter<Spread>;

/// It behind an object.
pub static SPREAD: &dyn AnySchedule = &Spread;

impl Schedule for Spread {
    type Broadcast<S: Strobe> = SpreadStrobes<S>;
    type Node<B: Bit> = SpreadNode<B>;
    type Sequencer<S: Strobe> = SpreadSequencer<S>;

    const STEPS: &'static [&'static str] = &[
        "",
        "1_cross",
        "2_enumerate_messages",
        "3_pack_messages",
        "done",
    ];
    const STEPS_OVERLAP: bool = true;
    const UNITS: &'static [&'static str] = &["exchange", "enumeration", "packing"];
    /// Small cubes lack some parts: one dimension has no second message, two have a lone stage.
    const FORMS: Forms = Forms {
        bit_times: "3k(k-1)/2+kD+k",
        driven_bit_times: Some("kD+k^2 (d=k-1); (d+1)D+k+d(2k-d)"),
        storage_bits: "D+4 (k=1); D+12+min(D+1,2) (k=2); 13k+D-14+min(k-1+D,2k-2)",
        storage_bound: "16k+2D+8",
        serial_adders: TWO_ADDERS_A_DIMENSION,
        most_messages: 2,
    };

    fn node<B: Bit>(size: Size) -> SpreadNode<B> {
        SpreadNode::new(size)
    }

    fn sequencer<S: Strobe>(size: Size) -> SpreadSequencer<S> {
        SpreadSequencer::new(size)
    }

    fn position(sequencer: &SpreadSequencer<bool>) -> Position {
        sequencer.position()
    }
}
