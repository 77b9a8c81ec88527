//! Collective operations on the reduced hypercube and on the hypercube: the hardware beside the reference models, and with faults.

mod arrivals;
mod faulted;
mod flips;
mod host;
mod job;
mod patterns;
mod properties;
mod sorts;
mod stuck;
mod words;
