//! The testbench of wormhole routers: hosts that send and take worms bit by bit, what is measured, and how deadlock is
//! told from slowness.

pub mod deadlock;
pub mod engine;
pub mod hosts;
pub mod message;
pub mod meters;
pub mod tracker;
pub mod wave;
