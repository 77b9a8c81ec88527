//! Routing by sorting: what Kuszmaul 1990, section VI, names beside Algorithm 2, on the same wires.
//!
//! "We can perform a sort on the destination addresses ... and then run a pack backwards in time to
//! deliver the messages to their actual destinations."
//!
//! | module | what it is |
//! |---|---|
//! | [`bitonic`] | a bitonic sort: a comparator a dimension, most significant bit first |
//! | [`radix`] | a radix sort: an enumeration and a packing a bit, least significant bit first |
//!
//! A full permutation is routed by the sort alone; where some nodes send nothing, the messages end
//! side by side in the lowest nodes, in order, and are then unpacked.

pub mod bitonic;
pub mod radix;

/// Messages change places, so a node never holds two.
const ONE_MESSAGE: &str = "1";

/// As loaded.
const ONE_WHOLE_MESSAGE: &str = "k+D";
