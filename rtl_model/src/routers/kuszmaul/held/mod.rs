//! Algorithm 2 with its steps overlapped, and step 6 run back through the circuits that step 5 set:
//! what schedules [`overlapped`](crate::routers::kuszmaul::overlapped) and
//! [`folded`](crate::routers::kuszmaul::folded) have in common.
//!
//! [`node`] is what each node is made of, [`sequencer`] when what happens, [`strobes`] what passes
//! between the two, [`occupancy`] how much of the storage is in use. The two schedules differ in
//! the order in which a row of stages passes the dimensions, and in what that order allows: see
//! [`sequencer`].

pub mod circuits;
pub mod home_buffer;
pub mod node;
pub mod occupancy;
pub mod sequencer;
pub mod strobes;

pub use node::HeldNode;
pub use sequencer::HeldSequencer;
pub use strobes::HeldStrobes;

/// Codes 1 to 6 are the paper's steps.
pub(super) const STEPS: &[&str] = &[
    "",
    "1_cross",
    "2_enumerate_twos",
    "3_pack_messages",
    "4_enumerate_empties",
    "5_set_circuits",
    "6_return",
    "done",
];

/// What drives wires.
pub(super) const UNITS: &[&str] = &["exchange", "enumeration", "packing", "circuits"];
