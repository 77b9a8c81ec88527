//! Prearranged communication on a machine of bit-serial ports.

mod listed;
mod measure;
pub mod options;
pub mod packet_size;
pub mod report;
pub mod run;
mod testbench;
mod values;
pub mod verilog;

pub use testbench::{BENCH, BroadcastBench};
