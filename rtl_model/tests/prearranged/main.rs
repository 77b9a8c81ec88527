//! Machines of prearranged packets in hardware: what arrives and where, what faults do to it; the same as gates, and as Verilog.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod beside;
mod collectives;
mod phase;
