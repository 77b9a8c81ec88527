//! Personalized communication along the trees of Ho & Johnsson 1986, section 4: the spanning binomial tree (SBT), the balanced
//! spanning tree (BST) and the two-rooted complete binary tree (TCBT).
//!
//! ```text
//!   BST, n = 3, from the source 000        SBT                          TCBT
//!   base 0: 001, 011 from it, 111 from it  across 0: 001, from it 011,  the source and R = 100 are the roots
//!   base 1: 010, 110 from it                   101; from 011: 111       the port of each node's parent is listed
//!   base 2: 100, 101 from it               across 1: 010, then 110
//!                                          across 2: 100
//! ```
//!
//! In SBT and BST a message gets to `w` by its ones in ascending order, seen from the first port that it crosses: that is its
//! lowest 1 in the SBT, and the base of `w` in the BST. So all ways of one shape, seen from their first ports, are one [`Way`];
//! they go at once, and one transfer has a line for each.

pub(super) mod halving;
pub(super) mod levels;
pub(super) mod packets;
mod rooted;
pub(super) mod subtrees;

use std::cmp::Reverse;

use crate::closed_form::Letter;
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::collectives::algorithms::algorithm::Ask;
use crate::routers::collectives::algorithms::counting::{
    is_least, necklaces, period, rotated_down,
};
use crate::routers::collectives::algorithms::scattering::{self, Passage, seen_as};
use crate::routers::collectives::program::{self, Line, LineOrder, Side, View, side};
use crate::routers::ports::two_rooted_tree;

/// Letters of closed forms of trees, beside those of [`Ask::form`].
fn letters(ask: &Ask) -> [Letter<'static>; 3] {
    let n = ask.dims();
    let by_ones = || (0..=n).map(|ones| necklaces(n, ones) as u64);
    [
        ("n", n as u64),
        ("necklaces(n)", by_ones().sum()),
        (
            "most necklaces(n) of as many ones",
            by_ones().max().unwrap_or(0),
        ),
    ]
}

/// Which tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Spanning binomial tree.
    Binomial,
    /// Balanced spanning tree.
    Balanced,
    /// Two-rooted complete binary tree; the source is a root.
    TwoRooted,
}

/// Ways of one shape from the source to nodes.
pub(super) struct Way {
    /// The nodes on it, seen from the first port, from the source on. In the two-rooted tree, their places.
    pub stations: Vec<usize>,
    /// The first ports: all below. In the two-rooted tree there is one.
    pub ports: usize,
}

impl Way {
    /// How far it is.
    pub fn hops(&self) -> usize {
        self.stations.len() - 1
    }

    /// By the ones of what the first port sees of the node, ascending.
    fn ascending(seen: usize, ports: usize) -> Self {
        let lowest = |ones: usize| {
            let cleared = (0..ones).fold(seen, |rest, _| rest & rest.wrapping_sub(1));
            seen & !cleared
        };
        Way {
            stations: (0..=seen.count_ones() as usize).map(lowest).collect(),
            ports,
        }
    }
}

/// A tree.
pub(super) struct Tree {
    n: usize,
    listed: Option<Listed>,
    /// Of the source's largest subtree and, seen from their first ports, of the others: the farthest nodes first, and of those the
    /// ways that start from the most ports.
    pub ways: Vec<Way>,
}

/// A tree that is listed, node by node.
struct Listed {
    tree: program::Tree,
    /// By place.
    nodes: Vec<usize>,
}

/// Where a hop takes bits from and to; whether they are held on the way.
#[derive(Clone, Copy)]
pub(super) struct Hop {
    /// Of the way's hops, from 0.
    pub number: usize,
    /// Where the receiver puts them.
    pub to: usize,
    /// Whether they are sent on from there.
    pub goes_on: bool,
}

impl Tree {
    /// The tree of a cube.
    pub fn new(kind: Kind, cube: Dimensions) -> Self {
        let n = cube.count();
        let mut listed = None;
        let mut ways: Vec<Way> = match kind {
            Kind::Binomial => (1..cube.nodes())
                .rev()
                .step_by(2)
                .map(|seen| Way::ascending(seen, n - seen.ilog2() as usize))
                .collect(),
            Kind::Balanced => (1..cube.nodes())
                .filter(|seen| is_least(*seen, n))
                .map(|seen| Way::ascending(seen, period(seen, n)))
                .collect(),
            Kind::TwoRooted => {
                let tree = Listed::new(cube);
                let mut places: Vec<usize> = tree
                    .tree
                    .places
                    .iter()
                    .map(|place| *place as usize)
                    .collect();
                places.sort_by(|a, b| b.cmp(a));
                places.pop();
                listed = Some(tree);
                places.into_iter().map(Way::to_place).collect()
            }
        };
        ways.sort_by_key(|way| (Reverse(way.hops()), Reverse(way.ports)));
        Tree { n, listed, ways }
    }

    /// What nodes see of themselves.
    pub fn view(&self) -> View {
        match &self.listed {
            Some(listed) => View::Tree(listed.tree.clone()),
            None => View::Relative,
        }
    }

    /// The relative address of a station.
    pub fn node(&self, station: usize, port: usize) -> usize {
        match &self.listed {
            Some(listed) => listed.nodes[station],
            None => rotated_down(station, self.n - port, self.n),
        }
    }

    /// The node to which a way leads from one of its first ports.
    pub fn end(&self, way: &Way, port: usize) -> usize {
        self.node(way.stations[way.hops()], port)
    }

    /// The sides of a hop on a way from some of its first ports; `from`: by first port, where the sender has the bits.
    pub fn hop(
        &self,
        way: &Way,
        ports: impl IntoIterator<Item = usize>,
        hop: Hop,
        from: impl Fn(usize) -> usize,
    ) -> (Side, Side) {
        let (here, there) = (way.stations[hop.number], way.stations[hop.number + 1]);
        let held = hop.number > 0;
        let Some(listed) = &self.listed else {
            let passages = ports.into_iter().map(|port| Passage {
                port,
                from: from(port),
                to: hop.to,
            });
            return scattering::hop((self.n, here, there), (held, hop.goes_on), passages);
        };
        let bits = listed.tree.place_bits;
        let line = |line: usize, address: usize, counted: bool| Line {
            line,
            address,
            counted,
        };
        let child = line(there & 1, from(0), held);
        let parent = line(0, hop.to, hop.goes_on);
        (
            side(seen_as(here, bits), LineOrder::Children, [child]),
            side(seen_as(there, bits), LineOrder::Parent, [parent]),
        )
    }
}

impl Way {
    /// To a place of the two-rooted tree: places are numbered as in a heap, from 1 at the source.
    fn to_place(place: usize) -> Self {
        let depth = place.ilog2();
        Way {
            stations: (0..=depth).rev().map(|up| place >> up).collect(),
            ports: 1,
        }
    }
}

impl Listed {
    fn new(cube: Dimensions) -> Self {
        let shape = two_rooted_tree::shape(cube);
        let place_bits = cube.count() + 1;
        let mut places = vec![1; cube.nodes()];
        let mut nodes = vec![0; 1 << place_bits];
        let mut left = vec![0];
        while let Some(node) = left.pop() {
            nodes[places[node]] = node;
            for (number, port) in shape[node].children.iter().enumerate() {
                if let Some(port) = port {
                    let child = node ^ 1 << port;
                    places[child] = 2 * places[node] + number;
                    left.push(child);
                }
            }
        }
        let tree = program::Tree {
            places: places.into_iter().map(|place| place as u32).collect(),
            children: shape.iter().map(|place| place.children).collect(),
            parents: shape.iter().map(|place| place.parent).collect(),
            place_bits,
        };
        Listed { tree, nodes }
    }
}
