//! The routers, a folder a family.
//!
//! | family | what it is |
//! |---|---|
//! | [`kuszmaul`] | Kuszmaul 1990: enumeration, packing, and any partial permutation by both |
//! | [`phase`] | a phase of a guest's communication on a hypercube: packets on paths that are worked out beforehand |
//! | [`ports`] | prearranged communication: broadcasting over one tree and over many, on bit-serial ports |
//! | [`reduced_hypercube`] | broadcast, reduction, prefix and sort on a hypercube with fewer links, and on the full one |
//! | [`sorting`] | routing by sorting: section VI of the same paper |
//! | [`wormhole`] | worms on cube-connected cycles, on copies of them, and in order of dimensions |
//!
//! [`permutation`] is what the schedules of Kuszmaul's and of sorting have in common.

pub mod collectives;
pub mod kuszmaul;
pub mod permutation;
pub mod phase;
pub mod ports;
pub mod reduced_hypercube;
pub mod sorting;
pub mod wormhole;
