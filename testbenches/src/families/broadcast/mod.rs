//! Broadcasts that are arranged beforehand, on a machine of bit-serial ports.

mod entries;
mod faulted;
pub mod job;
mod listed;
mod packet_size;
mod parameters;
mod report;
mod run;
mod sweep;
mod tables;
mod testbench;
mod values;
pub mod verilog;

pub use testbench::BENCH;
