//! Collective operations on the reduced hypercube and on the hypercube: the hardware beside the reference models.

mod arrivals;
mod host;
mod job;
mod patterns;
mod properties;
mod sorts;
mod words;
