//! A phase of a guest's communication in hardware: what arrives and where, what faults do to it; the same as gates, and as Verilog.

mod common;
mod delivery;
mod depth;
mod faults;
mod netlist;
mod verilog;
