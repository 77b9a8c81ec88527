//! What hardware could do: channels given by demand, pieces of uneven length, pieces of a message kept off
//! each other's wires. Each is measured beside the design with even pieces; nothing here is what hardware does, so
//! it is compiled for tests only. `docs/wormhole.md` has the tables.

mod decisions;
mod dependencies;
mod model;
mod network;
mod pieces;
mod rule;
mod switch;
mod tables;
mod tests;
