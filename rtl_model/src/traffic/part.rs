//! What a share of a machine has to do with of some traffic: messages that begin at its nodes, and those that end there.
//!
//! ```text
//!   all messages          rank 0 has nodes 0, 2      rank 1 has nodes 1, 3
//!   0 -> 3, payload 5     begins at 0                ends at 3
//!   1 -> 0, payload 8     ends at 0                  begins at 1
//! ```
//!
//! Nobody holds all of them. A message is on two ranks at the most: with its payload where it is loaded, and with its payload
//! where it is compared.

use crate::machine::share::{Rank, Share};
use crate::machine::topology::hypercube::Dimensions;
use crate::traffic::{ByNode, Payloads};

/// Traffic, as far as it begins or ends at nodes of a share. Of other nodes it says that they neither send nor receive.
#[derive(Clone, Debug)]
pub struct Part {
    pub(super) cube: Dimensions,
    pub(super) share: Share,
    /// Of all ranks.
    pub(super) messages: usize,
    /// Of all nodes, the first that sends nothing.
    pub(super) idle: Option<usize>,
    pub(super) payloads_are_distinct: bool,
    pub(super) begins: Ends,
    pub(super) ends: Ends,
}

/// Messages at the nodes of a share, where they begin or where they end.
#[derive(Clone, Debug)]
pub(super) struct Ends {
    /// By place, the node at the other end and 1; 0 where there is no message.
    pub others: Vec<u32>,
    /// By place.
    pub payloads: Payloads,
}

impl Ends {
    pub fn none(nodes_here: usize, payload_bits: usize) -> Self {
        Ends {
            others: vec![0; nodes_here],
            payloads: Payloads::zeros(payload_bits, nodes_here),
        }
    }

    /// The node at the other end.
    #[inline]
    pub fn other(&self, place: usize) -> Option<usize> {
        self.others[place]
            .checked_sub(1)
            .map(|other| other as usize)
    }

    fn bytes(nodes_here: usize, payload_bits: usize) -> u64 {
        (size_of::<u32>() * nodes_here) as u64 + Payloads::bytes(payload_bits, nodes_here)
    }
}

impl Part {
    /// Has all ranks know what they know together: whether all payloads are different. All ranks come here.
    pub fn join(&mut self, rank: &Rank) {
        self.payloads_are_distinct = !rank.any(!self.payloads_are_distinct);
    }

    /// Bytes that it takes of a share.
    pub fn bytes(cube: Dimensions, share: Share, payload_bits: usize) -> u64 {
        2 * Ends::bytes(share.nodes(cube.nodes()), payload_bits)
    }

    #[inline]
    fn destination_of(&self, source: usize) -> Option<usize> {
        self.begins.other(self.share.place(self.cube, source)?)
    }

    #[inline]
    fn chunk(&self, of: &Ends, node: usize, from: usize) -> u64 {
        let place = self.share.place(self.cube, node);
        place.map_or(0, |place| of.payloads.chunk(place, from))
    }
}

impl ByNode for Part {
    #[inline]
    fn dimensions(&self) -> Dimensions {
        self.cube
    }

    fn payload_bits(&self) -> usize {
        self.begins.payloads.bits()
    }

    fn messages(&self) -> usize {
        self.messages
    }

    fn payloads_are_distinct(&self) -> bool {
        self.payloads_are_distinct
    }

    #[inline]
    fn sends(&self, node: usize) -> bool {
        self.destination_of(node).is_some()
    }

    #[inline]
    fn destination(&self, source: usize) -> usize {
        self.destination_of(source).unwrap_or_default()
    }

    #[inline]
    fn source(&self, destination: usize) -> Option<usize> {
        self.ends.other(self.share.place(self.cube, destination)?)
    }

    #[inline]
    fn payload_chunk(&self, source: usize, from: usize) -> u64 {
        self.chunk(&self.begins, source, from)
    }

    /// Its source may be on another rank.
    #[inline]
    fn arriving_chunk(&self, (_source, destination): (usize, usize), from: usize) -> u64 {
        self.chunk(&self.ends, destination, from)
    }

    fn idle(&self) -> Option<usize> {
        self.idle
    }
}
