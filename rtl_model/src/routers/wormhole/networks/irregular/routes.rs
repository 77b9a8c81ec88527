//! The routing tables of an irregular network: where a worm goes on, by the node where it is and its destination.
//!
//! ```text
//!   shortest     fewest links; a network with circles of links needs more than one class against deadlock
//!   up_down      up links first, down links then: no deadlock with one class
//!   from_table   as somebody else has computed them
//! ```
//!
//! Whoever follows the tables comes to the destination, from every node: that is checked of all three.

mod links;
mod made;
mod shortest;
mod table;
mod up_down;

use std::sync::Arc;

use crate::machine::topology::irregular::Irregular;
use crate::routers::wormhole::networks::direct::MAX_VIRTUAL_CHANNELS;

pub(super) use table::{Column, Entry, Flaw, FlawAt, Table, class_out_of_range, node_out_of_range};

/// The most classes: one for each virtual channel that a link may have.
pub const MAX_CLASSES: usize = MAX_VIRTUAL_CHANNELS;

/// Where a worm goes on: the colour of a link, and the class of its channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Next {
    /// The colour of the link that it leaves by.
    pub colour: usize,
    /// The class of the channels of this link that it may take.
    pub class: usize,
}

/// The routing tables of all nodes, which have been checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routes {
    nodes: usize,
    classes: usize,
    /// By node and destination; none at the destination.
    next: Arc<[Option<Next>]>,
}

impl Routes {
    /// Classes of channels: one more than the highest that an entry has.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Where a worm at a node goes on to a destination; none where it is there.
    #[inline]
    pub fn next(&self, node: usize, destination: usize) -> Option<Next> {
        self.next[node * self.nodes + destination]
    }

    /// Links of the longest way.
    pub fn longest(&self, network: &Irregular) -> usize {
        let mut longest = 0;
        let mut hops: Vec<Option<usize>> = Vec::new();
        for to in 0..self.nodes {
            hops.clear();
            hops.resize(self.nodes, None);
            hops[to] = Some(0);
            for from in 0..self.nodes {
                // Up to a node from which it is known how far it is.
                let mut way = Vec::new();
                let mut node = from;
                while hops[node].is_none()
                    && let Some(next) = self.next(node, to)
                    && let Some(far) = network.far(node, next.colour)
                {
                    way.push(node);
                    node = far;
                }
                let known = hops[node].unwrap_or(0);
                for (ahead, node) in way.into_iter().rev().enumerate() {
                    hops[node] = Some(known + ahead + 1);
                    longest = longest.max(known + ahead + 1);
                }
            }
        }
        longest
    }

    /// The nodes from which a worm goes on, and where to, from its source to its destination.
    pub fn path(&self, network: &Irregular, from: usize, to: usize) -> Vec<(usize, Next)> {
        let mut path = Vec::new();
        let mut node = from;
        while let Some(next) = self.next(node, to) {
            path.push((node, next));
            match network.far(node, next.colour) {
                Some(far) => node = far,
                None => break,
            }
        }
        path
    }
}

#[cfg(test)]
mod tests;
