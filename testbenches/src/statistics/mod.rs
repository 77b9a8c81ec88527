//! What can be said of numbers that chance has a part in: intervals, where a warm-up ends, and whether a backlog grows.
//!
//! A run under continuous injection is one sample of a random process, and its observations depend on each other. What is
//! here is what the field does about that: batch means and Student's t ([`interval`]), a truncation rule for the warm-up
//! ([`truncation`]), and a test of growth ([`growth`]) on the means of short slots of a run ([`series`]).

pub mod growth;
pub mod histogram;
pub mod interval;
pub mod series;
pub mod truncation;
