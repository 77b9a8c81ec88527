//! Kinds of channels of direct networks, and which of them depend on which.

use std::collections::HashSet;

use crate::routers::wormhole::dependencies::quotient::Quotient;
use crate::routers::wormhole::dependencies::{Channel, Dependencies};
use crate::routers::wormhole::networks::direct::channels::Channels;
use crate::routers::wormhole::space::{Hop, Space};

/// A channel of a link, in any node with this digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Kind {
    pub(super) link: usize,
    /// Of the node that it leaves, in the link's dimension; 0 in a hypercube.
    pub(super) digit: usize,
    pub(super) class: usize,
}

/// A route through one dimension: its hops, and the digit to which it leads.
pub(super) struct Line {
    pub(super) hops: Vec<Hop>,
    pub(super) to: usize,
    /// Order of dimensions takes it; not the one of two that are as long.
    pub(super) is_in_order: bool,
}

pub(super) fn digit(space: Space, node: usize, dimension: usize) -> usize {
    match space {
        Space::Hypercube(_) => 0,
        Space::Grid(grid) => grid.digit(node, dimension),
    }
}

/// All routes through a dimension, in one line of it; in a hypercube the one from 0 to 1.
pub(super) fn lines(space: Space, dimension: usize) -> Vec<Line> {
    let ends: Vec<[usize; 2]> = match space {
        Space::Hypercube(_) => vec![[0, 1 << dimension]],
        Space::Grid(grid) => {
            let stride = grid.radix().pow(dimension as u32);
            let pairs =
                (0..grid.radix()).flat_map(|from| (0..grid.radix()).map(move |to| [from, to]));
            pairs.map(|pair| pair.map(|digit| digit * stride)).collect()
        }
    };
    let line = |[from, to]: [usize; 2]| Line {
        hops: space.route(from, to),
        to: digit(space, to, dimension),
        is_in_order: true,
    };
    let lines = ends.into_iter().map(line);
    lines.filter(|line| !line.hops.is_empty()).collect()
}

/// Kinds, and which of them depend on which: within one dimension, in which there is a circle if there is any, and from one to
/// another.
#[derive(Default)]
pub(super) struct Pairs {
    pub(super) kinds: HashSet<Kind>,
    pub(super) within: HashSet<(Kind, Kind)>,
    pub(super) between: HashSet<(Kind, Kind)>,
}

impl Pairs {
    pub(super) fn dependencies(self, channels: Channels) -> Dependencies {
        let space = channels.space();
        // In an order of its own, so that the circle that is found is always the same one.
        let routes = |pairs: Vec<&(Kind, Kind)>| {
            let singles = self.kinds.iter().map(|kind| vec![*kind]);
            let pairs = pairs.into_iter().map(|&(one, other)| vec![one, other]);
            let mut routes: Vec<Vec<Kind>> = singles.chain(pairs).collect();
            routes.sort_unstable();
            Quotient::of(routes.into_iter().map(Vec::into_iter))
        };
        let channel = |kind: Kind, column: usize| channel(space, kind, column);
        match space {
            Space::Hypercube(_) => routes(self.within.union(&self.between).collect())
                .dependencies(|kind| 1 << kind.link, channel),
            Space::Grid(_) => Dependencies {
                channels: self.kinds.len(),
                dependencies: self.within.len() + self.between.len(),
                cycle: (routes(self.within.iter().collect()).dependencies(|_| 0, channel)).cycle,
                escape: None,
            },
        }
    }
}

/// A channel of a kind; in a hypercube from this node, in a grid in the first line.
fn channel(space: Space, kind: Kind, from: usize) -> Channel {
    let virtual_channel = kind.class;
    match space {
        Space::Hypercube(_) => Channel::Hypercube {
            from,
            dimension: kind.link,
            virtual_channel,
        },
        Space::Grid(grid) => Channel::Grid {
            grid,
            from: kind.digit * grid.radix().pow(grid.way(kind.link).0 as u32),
            link: kind.link,
            virtual_channel,
        },
    }
}
