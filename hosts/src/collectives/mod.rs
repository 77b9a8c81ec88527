//! Hosts of collective operations: whose messages there are, and where they lie in memories.

pub mod ends;
pub mod memories;
pub mod places;
