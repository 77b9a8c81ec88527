//! A phase of a guest's communication in hardware: what arrives and where, what faults do to it.

pub mod common;
mod delivery;
mod depth;
mod faults;
