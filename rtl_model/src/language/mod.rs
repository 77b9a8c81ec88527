//! The language: what a piece of hardware is written in.
//!
//! | module | what it is |
//! |---|---|
//! | [`bit`] | a bit, and a strobe: and, or, xor, not, mux, and no `if` on a simulated value |
//! | [`register`] | the registers of a module, named once |
//! | [`register_names`] | registers and their bits by name |
//! | [`strobes`], [`lines`], [`line_storage`] | what the sequencer broadcasts, bundles of it, and room for these |
//! | [`wires`] | what a node drives onto its wires, and which unit does |
//! | [`lanes`] | bits of many nodes in one machine word |

pub mod bit;
pub mod lanes;
pub mod line_storage;
pub mod lines;
pub mod register;
pub mod register_names;
pub mod strobes;
pub mod wires;
