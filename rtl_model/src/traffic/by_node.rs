//! What traffic is to those who ask node by node.

use crate::machine::topology::hypercube::Dimensions;

/// Traffic of a hypercube that is known node by node, at both ends of its messages: at most one from each node, and at most
/// one to each.
pub trait ByNode: Sync {
    /// The hypercube.
    fn dimensions(&self) -> Dimensions;

    /// Bits of each payload.
    fn payload_bits(&self) -> usize;

    /// How many messages there are.
    fn messages(&self) -> usize;

    /// Whether no two payloads are alike: then a message can be told from every other.
    fn payloads_are_distinct(&self) -> bool;

    /// Whether a node sends.
    fn sends(&self, node: usize) -> bool;

    /// Where a node sends, if it does.
    fn destination(&self, source: usize) -> usize;

    /// The node whose message is for this one, if there is one.
    fn source(&self, destination: usize) -> Option<usize>;

    /// Bits `from ..` of the payload of the message that a node sends, 64 of them or as many as there are; `from` is a multiple
    /// of 64.
    fn payload_chunk(&self, source: usize, from: usize) -> u64;

    /// The same, asked where a message ends, by its source and its destination.
    #[inline]
    fn arriving_chunk(&self, (source, _destination): (usize, usize), from: usize) -> u64 {
        self.payload_chunk(source, from)
    }

    /// The first node that sends nothing, if there is one.
    fn idle(&self) -> Option<usize> {
        (0..self.dimensions().nodes()).find(|&node| !self.sends(node))
    }
}
