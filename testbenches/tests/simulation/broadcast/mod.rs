//! Broadcasting on a machine of ports, beside the reference model.

mod common;
mod exhaustive;
mod faults;
mod flips;
mod listed;
mod observed;
mod properties;
mod random;
mod wave;
