//! Collective operations as the command line has them: every algorithm, data in and out through files, what is refused, and
//! their Verilog projects.

mod command;
mod files;
mod refused;
mod runs;
