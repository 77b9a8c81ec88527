//! The machine: many nodes that are the same circuit, the wires that join them, and how they are
//! run.
//!
//! | module | what it is |
//! |---|---|
//! | [`router`] | what a machine is described by: a node, a sequencer, a network |
//! | `described` | a node and its sequencer behind an object, whatever machine they are of |
//! | [`topology`] | networks: what is joined to what, and where nodes lie in lanes |
//! | [`fabric`] | all nodes of a machine and the wires between them, bit time by bit time |
//! | [`program`] | the same through many bit times, compiled for one schedule |
//! | [`device`], [`simulation`] | the hardware seam: a machine that can be built, and one that runs, behind an object |
//! | [`transmitted`] | what is seen of a bit time without a look into nodes |
//! | [`host`] | what the host writes before a run and reads after it |
//! | [`shown`] | what a waveform shows beside wires and registers |
//! | [`meter`], [`occupancy`] | registers counted, and what of them is in use |
//! | [`batch`], [`arrivals`] | many small machines side by side, and what they hold at the end |
//! | [`share`] | what one of several ranks holds of a machine, and how ranks meet |
//! | [`slots`] | what nodes of several messages each are given, and what they hold at the end |
//! | [`instructions`], [`memory`] | the machine that this runs on |

pub mod arrivals;
pub mod batch;
pub(crate) mod described;
pub mod device;
pub mod fabric;
mod field;
pub mod host;
pub mod instructions;
mod memories;
pub mod memory;
pub mod meter;
pub mod occupancy;
pub mod program;
pub mod router;
pub mod share;
pub mod shown;
pub mod simulation;
pub mod slots;
pub mod topology;
pub mod transmitted;
