//! Broadcasting on a machine of ports, beside the reference model.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;
mod exhaustive;
mod faults;
mod flips;
mod listed;
mod observed;
mod properties;
mod random;
