//! The testbench `relaxation`: a grid relaxation of a torus of points (Greenberg and Bhatt 1990, sections 2 and 8.3), sweep by
//! sweep. Every process has a block of points and sends the four sides of its block to its four neighbours, bit by bit, over one of
//! three embeddings of the grid of processes. The hosts compute.
//!
//! ```text
//!   points --> blocks --> messages --> machine --> messages --> blocks, relaxed --+
//!                ^                                                                |
//!                +---------------------- the next sweep --------------------------+
//! ```
//!
//! A new value is `(left + right + up + down) >> 2`: the sum is exact, and two bits wider than a word; its quarter is rounded down,
//! and is a word again. The time in which the hosts compute is not modelled: bit times are those of communication alone.

mod blocks;
pub mod job;
pub mod parameters;
mod report;
pub mod sweep;
mod sweeps;
mod torus;
