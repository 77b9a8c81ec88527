//! What hardware could do: channels given by demand, pieces of uneven length, pieces of a message kept off
//! each other's wires. Each is measured beside the design with even pieces; this is a model of whole worms, so
//! it is compiled for tests only, and `docs/wormhole-hardware.md` says what was adopted and has
//! the tables.

mod decisions;
mod dependencies;
mod model;
mod network;
mod pieces;
mod rule;
mod switch;
mod tables;
mod tests;
