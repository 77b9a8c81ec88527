//! Personalized and complete communication, every algorithm.

mod common;
mod delivery;
mod faults;
mod large;
mod netlist;
mod small;
