//! Step tables, and the sequencer that walks through one.

pub mod paths;
pub mod prefix;
pub mod reduction;
pub mod sequencer;
pub mod slots;
pub mod sort;
pub mod table;
pub mod told;
