//! Machines of ports: their netlists, lanes, compiled programs, storage, logic depth and sequencers, of all broadcasts on all
//! ports. What a broadcast has to do is tested in `testbenches`, beside the reference model.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;
mod lanes;
mod netlist;
mod program;
mod sequencer;
mod sizes;
