//! Machines of ports: their storage and sequencers, of all broadcasts on all ports. What a broadcast has to do is tested in
//! `testbenches`, beside the reference model.

pub mod common;
mod sequencer;
mod sizes;
