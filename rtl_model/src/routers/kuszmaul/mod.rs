//! Kuszmaul 1990, "Fast, Deterministic Routing, on Hypercubes, Using Small Buffers".
//!
//! | module | what it is | source |
//! |---|---|---|
//! | [`enumeration`] | every member of a set learns its rank and the set's size | Theorem 2 |
//! | [`packing`] | semi-contractions, one switch stage a dimension | Theorem 1, Algorithm 1 |
//! | [`plain`] | any partial permutation; one step after the other | Algorithm 2 |
//! | [`overlapped`], [`folded`] | the same; steps overlap, [`held`] circuits | Algorithm 2 |
//! | [`spread`] | the same; each iteration packs all messages | not in the paper |
//! | [`radix4`] | the same; two address bits at a time, no headers | not in the paper |
//! | [`batches`] | many sets of messages, one behind the other, on redundant wires | section IV |
//! | [`counting`] | up to `H` messages from and to every node; as [`spread`], in `H` passes | not in the paper |
//!
//! [`crate::routers::permutation`] is what all schedules have in common, [`timeline`], [`now`] and
//! [`sums`] what their sequencers are made of, and [`crate::parts::windows`] the
//! tables that they decode.
//!
//! Throughout, `k` is the number of dimensions, `D` the payload bits of a message, `i` the
//! iteration of Algorithm 2 from 0, `m = k-1-i` the dimensions that are left after it, and
//! `L = m+D` the message bits that are left.
//!
//! The paper's statement is loose in places; what runs here is what was found to hold: after step 1
//! of iteration `i` the bits 0 to `i` of a message's place and destination agree, so steps 2 to 6
//! work in subcubes of `m` free dimensions; the scan passes them in the order in which the packing
//! does (ascending, but for [`folded`]); ranks count from 0; the member of rank `E` of a node's
//! subcube is `l + E * 2^(i+1)`, whose free address bits are just `E`, so a header of `m` rank bits
//! is all that a packing needs. ([`radix4`] does without it.)

pub mod batches;
pub mod counting;
pub mod enumeration;
pub mod folded;
pub mod held;
pub mod now;
pub mod overlapped;
pub mod packing;
pub mod plain;
pub mod radix4;
pub mod spread;
pub mod sums;
pub mod timeline;

#[cfg(test)]
mod tests;

/// Messages at a node after any stage (section III, Lemma 1).
const TWO_MESSAGES: &str = "k (k<=2); 2";

/// Message bits of two messages whose first address bit is consumed; of one as loaded, where none can join it.
const TWO_WHOLE_MESSAGES: &str = "D+1 (k=1); 2k+2D-2";

/// Serial adders of a row in which each dimension has two, but for the first, and the last of each
/// kind.
const TWO_ADDERS_A_DIMENSION: &str = "0 (k=1); 2(k-2)";
