//! One suite for all testbenches. It goes over the list of them, at a [sample](crate::common::sample) of what can be asked of each, and
//! through all that a testbench offers: a report, a row of a sweep, a waveform with its views, files, a Verilog project, checkpoints;
//! and faults that have to be noticed. What only one family has stands beside its other tests.

mod asked;
mod checkpoints;
pub mod comes_from;
mod coverage;
pub mod dumped;
mod faults;
pub mod followed;
mod logs;
mod projects;
mod ran;
pub mod reports;
pub mod sweeps;
pub mod texts;
mod views;
mod waves;
