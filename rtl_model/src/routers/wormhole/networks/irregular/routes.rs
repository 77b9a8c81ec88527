//! The routing tables of an irregular network: where a worm goes on, by the node where it is and its destination.
//!
//! ```text
//!   shortest     fewest links; a network with circles of links needs more than one class against deadlock
//!   up_down      up links first, down links then: no deadlock with one class
//!   from_table   as somebody else has computed them
//! ```
//!
//! Whoever follows the tables comes to the destination, from every node: that is checked of all three.

mod shortest;
mod table;
mod up_down;

use std::collections::VecDeque;
use std::sync::Arc;

use crate::error::Error;
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
    /// By as few links as can be, all of class 0. Where several neighbours are nearest to destination `d`, the one of index `d`
    /// modulo their number is taken, in ascending order: so load spreads, and any reader can follow it.
    ///
    /// # Errors
    /// A node that cannot reach another one.
    pub fn shortest(network: &Irregular) -> Result<Self, Error> {
        Ok(shortest::table(network).finish()?)
    }

    /// Up*/down* routing (Schroeder et al. 1991, "Autonet: a high-speed, self-configuring local area network using
    /// point-to-point links"), all of class 0: a worm takes up links first and down links then.
    ///
    /// Node 0 is on level 0, its neighbours on level 1, and so on; a link leads up if it leads to a lower level, or to a lower
    /// number on the same one. Where down links alone lead from a node to the destination, a shortest such path is taken; else
    /// the up link from which the whole is shortest. Of several the one is taken that [`Routes::shortest`] would take.
    ///
    /// # Errors
    /// A link without one back; a node that cannot reach another one.
    pub fn up_down(network: &Irregular) -> Result<Self, Error> {
        Ok(up_down::table(network)?.finish()?)
    }

    /// As entries `(node, destination, next node, class)` say, in any order.
    ///
    /// # Errors
    /// A node or class out of range, an entry for the way from a node to itself, a next node that is no neighbour, an entry that
    /// is given twice or not at all, entries that lead in a circle.
    pub fn from_table(
        network: &Irregular,
        entries: impl Iterator<Item = (usize, usize, usize, usize)>,
    ) -> Result<Self, Error> {
        let mut table = Table::new(network);
        for (node, destination, next, class) in entries {
            table.add(Entry {
                node,
                destination,
                next,
                class,
            })?;
        }
        Ok(table.finish()?)
    }

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

/// The links of a network, by node.
struct Links {
    /// Where those lead that leave a node, in ascending order, and their colours.
    out: Vec<Vec<(usize, usize)>>,
    /// Where those come from that come to a node.
    into: Vec<Vec<usize>>,
}

impl Links {
    fn of(network: &Irregular) -> Self {
        let nodes = network.nodes();
        let out = |node| {
            let mut links: Vec<_> =
                (network.from(node).map(|(colour, far)| (far, colour))).collect();
            links.sort_unstable();
            links
        };
        let into = |node| {
            let colours = 0..network.colours();
            colours
                .filter_map(|colour| network.near(node, colour))
                .collect()
        };
        Links {
            out: (0..nodes).map(out).collect(),
            into: (0..nodes).map(into).collect(),
        }
    }

    /// How many links of those for which `may(from, to)` holds lead from each node to a destination, at the least; none where
    /// no path of such links does.
    fn distances(
        &self,
        destination: usize,
        may: impl Fn(usize, usize) -> bool,
    ) -> Vec<Option<usize>> {
        let mut distances = vec![None; self.into.len()];
        distances[destination] = Some(0);
        let mut queue = VecDeque::from([(destination, 0)]);
        while let Some((node, distance)) = queue.pop_front() {
            for &from in &self.into[node] {
                if distances[from].is_none() && may(from, node) {
                    distances[from] = Some(distance + 1);
                    queue.push_back((from, distance + 1));
                }
            }
        }
        distances
    }

    /// Of the links from a node to the neighbours for which something holds, the one for a destination.
    fn spread(
        &self,
        node: usize,
        destination: usize,
        holds: impl Fn(usize) -> bool,
    ) -> Option<Next> {
        let choices = || self.out[node].iter().filter(|(far, _)| holds(*far));
        let index = destination.checked_rem(choices().count())?;
        let &(_, colour) = choices().nth(index)?;
        Some(Next { colour, class: 0 })
    }
}

#[cfg(test)]
mod tests;
