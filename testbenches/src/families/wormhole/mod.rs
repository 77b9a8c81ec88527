//! The testbench of wormhole routers: hosts that send and take worms bit by bit, what is measured, and how deadlock is
//! told from slowness.
//!
//! [`job`] sizes a machine up (`parameters`, `injection`, `phases`, `memory`); [`run`] draws its messages ([`traffic`]) and
//! ticks it ([`engine`]: [`hosts`], [`meters`], [`tracker`]) until all worms have arrived, or none can move any more
//! ([`deadlock`]), or the measurement is over; [`report`] says what came, and [`links`] what each wire carried.

pub mod continuous;
mod dating;
pub mod deliveries;
mod entries;
pub mod expected;
mod faulted;
mod injection;
pub mod job;
mod lanes;
pub mod links;
mod memory;
mod network_file;
pub mod observe;
mod parameters;
pub mod phases;
pub mod report;
pub mod round_trips;
pub mod run;
mod sending;
mod shown;
mod sweep;
mod testbench;
pub mod traffic;
pub mod verilog;

pub use ::hosts::wormhole::{
    deadlock, drawn, edges, engine, head_markers, hosts, message, meters, tracker, wave,
};
pub use testbench::BENCH;
