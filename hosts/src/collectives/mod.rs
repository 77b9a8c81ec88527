//! Hosts of collective operations: whose messages there are, where they lie in memories, and which of them arrived as they should.

pub mod compared;
pub mod ends;
pub mod matrix;
pub mod memories;
pub mod places;
