//! Prearranged communication on a machine of bit-serial ports.

mod arriving;
pub mod engine;
pub mod holdings;
pub mod hosts;
mod links;
mod listed;
mod measure;
pub mod message;
pub mod monitor;
pub mod options;
pub mod packet_size;
pub mod report;
pub mod run;
mod seated;
mod testbench;
mod values;
pub mod verilog;
mod wave;

pub use testbench::{BENCH, BroadcastBench};
