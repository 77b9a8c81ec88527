//! Machines of ports: their netlists, lanes, compiled programs, storage, logic depth and sequencers, of all broadcasts on all
//! ports. What a broadcast has to do is tested in `testbenches`, beside the reference model.

mod common;
mod lanes;
mod netlist;
mod program;
mod sequencer;
mod sizes;
