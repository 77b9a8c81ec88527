//! Machines of prearranged packets in hardware: what arrives and where, what faults do to it; the same as gates, and as Verilog.

mod beside;
mod collectives;
mod phase;
