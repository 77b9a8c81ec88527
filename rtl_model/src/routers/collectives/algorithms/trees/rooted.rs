//! A tree by relative addresses, with a packet for each of its nodes: all that goes to the node's subtree.
//!
//! ```text
//!   memory of a node     | its own | first child's own | ... of its children | second child's own | ... |
//!   sent to the child              |<---- last ------->|<----- first ------->|
//!   there                          |  its own          | ...                 |
//! ```

use crate::routers::collectives::algorithms::algorithm::Ask;
use crate::routers::collectives::algorithms::trees::{Hop, Kind, Tree};
use crate::routers::collectives::program::Transfer;

/// A packet that begins then, and is complete then.
#[derive(Clone, Copy, Default)]
struct Packet {
    begin: usize,
    end: usize,
    /// What has to be over before: the packet that brought it, or the one that the sender sent before. Its receiver; none at the
    /// beginning.
    after: Option<usize>,
}

/// A tree by relative addresses, for packets.
pub(super) struct Rooted {
    pub tree: Tree,
    /// By node: children, the largest subtree first.
    children: Vec<Vec<usize>>,
    /// By node: how many there are in its subtree.
    sizes: Vec<usize>,
    /// By node: the way to it by its number, and the first port.
    ways: Vec<(usize, usize)>,
    /// By node: where its parent has what goes to its subtree, in messages.
    places: Vec<usize>,
    /// By node: when it gets it.
    packets: Vec<Packet>,
}

impl Rooted {
    /// `at_once`: to all subtrees of a node.
    pub fn new(kind: Kind, at_once: bool, ask: &Ask) -> Self {
        let nodes = ask.cube.nodes();
        let tree = Tree::new(kind, ask.cube);
        let mut rooted = Rooted {
            children: vec![Vec::new(); nodes],
            sizes: vec![1; nodes],
            ways: vec![(0, 0); nodes],
            places: vec![0; nodes],
            packets: vec![Packet::default(); nodes],
            tree,
        };
        // The farthest come first, so all below a node have been counted when it is its turn.
        for (number, way) in rooted.tree.ways.iter().enumerate() {
            for port in 0..way.ports {
                let node = rooted.tree.end(way, port);
                let parent = rooted.tree.node(way.stations[way.hops() - 1], port);
                rooted.ways[node] = (number, port);
                rooted.sizes[parent] += rooted.sizes[node];
                rooted.children[parent].push(node);
            }
        }
        let (sizes, ways) = (&rooted.sizes, &rooted.ways);
        for children in &mut rooted.children {
            children.sort_by_key(|child| (std::cmp::Reverse(sizes[*child]), ways[*child].1));
        }
        let mut left = vec![0];
        while let Some(node) = left.pop() {
            let mut place = usize::from(node > 0);
            let (mut begin, mut after) = match node {
                0 => (0, None),
                _ => (rooted.packets[node].end, Some(node)),
            };
            for &child in &rooted.children[node] {
                let bits = rooted.sizes[child] * ask.message_bits;
                let end = begin + ask.start_up + bits;
                rooted.packets[child] = Packet { begin, end, after };
                rooted.places[child] = place;
                place += rooted.sizes[child];
                if !at_once {
                    (begin, after) = (end, Some(child));
                }
                left.push(child);
            }
        }
        rooted
    }

    /// Packets that wait for each other, up to the last that ends: when they begin, and the end.
    pub fn last_chain(&self) -> (Vec<usize>, usize) {
        let mut at = (1..self.packets.len()).max_by_key(|node| self.packets[*node].end);
        let end = at.map_or(0, |node| self.packets[node].end);
        let mut begins = Vec::new();
        while let Some(node) = at {
            begins.push(self.packets[node].begin);
            at = self.packets[node].after;
        }
        begins.reverse();
        (begins, end)
    }

    /// Where the source has a node's own, in messages.
    pub fn at_source(&self, node: usize) -> usize {
        let (number, port) = self.ways[node];
        let way = &self.tree.ways[number];
        let ancestors = way.stations[1..].iter();
        ancestors
            .map(|station| self.places[self.tree.node(*station, port)])
            .sum()
    }

    pub fn transfers(&self, ask: &Ask) -> Vec<Transfer> {
        let m = ask.message_bits;
        let nodes = 1..self.packets.len();
        let transfers = nodes.flat_map(|node| {
            let (number, port) = self.ways[node];
            let way = &self.tree.ways[number];
            let transfer = |begin: usize, start_up: usize, (first, count): (usize, usize)| {
                let hop = Hop {
                    number: way.hops() - 1,
                    to: first * m,
                    goes_on: first > 0,
                };
                let from = (self.places[node] + first) * m;
                let (sends, receives) = self.tree.hop(way, [port], hop, |_| from);
                Transfer {
                    begin,
                    start_up,
                    bits: count * m,
                    sends,
                    receives,
                    adds: None,
                }
            };
            let Packet { begin, end, .. } = self.packets[node];
            match self.sizes[node] {
                1 => vec![transfer(begin, ask.start_up, (0, 1))],
                size => vec![
                    transfer(begin, ask.start_up, (1, size - 1)),
                    transfer(end - m, 0, (0, 1)),
                ],
            }
        });
        transfers.collect()
    }
}
