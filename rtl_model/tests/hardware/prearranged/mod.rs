//! Machines of prearranged packets in hardware: what arrives and where, and what faults do to it.

pub mod collectives;
pub mod phase;
