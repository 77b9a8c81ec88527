//! Personalized and complete communication, every algorithm.

pub mod common;
mod delivery;
mod faults;
mod large;
mod small;
