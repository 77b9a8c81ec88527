//! The dependencies of hypercubes, tori and meshes.
//!
//! A *kind* is a link, a class of its channels and, in a grid, the digit from which the link leads: what the other digits are changes
//! no route through this dimension. A circle of channels whose routes are in order of dimensions stays in one line of the grid, but
//! for Valiant's phases with one class, where two links there and back are one.
//!
//! # Adaptive
//!
//! Adaptive channels depend on each other all round. By Duato's theorem that does no harm if every worm can take an escape channel
//! wherever it is, and the escape channels have no circle in their own *extended* graph: one depends on another also where a worm
//! goes over adaptive channels between them.

use std::collections::HashSet;

use adaptive::adaptive;

use super::quotient::Quotient;
use super::{Channel, Dependencies};
use crate::routers::wormhole::networks::direct::Routing;
use crate::routers::wormhole::networks::direct::channels::{Channels, Leg};
use crate::routers::wormhole::space::{Hop, Space};

mod adaptive;

/// A channel of a link, in any node with this digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Kind {
    link: usize,
    /// Of the node that it leaves, in the link's dimension; 0 in a hypercube.
    digit: usize,
    class: usize,
}

/// A route through one dimension: its hops, and the digit to which it leads.
struct Line {
    hops: Vec<Hop>,
    to: usize,
    /// Order of dimensions takes it; not the one of two that are as long.
    is_in_order: bool,
}

/// The dependencies of a direct network.
pub fn direct(channels: Channels) -> Dependencies {
    match channels.network.routing {
        Routing::Adaptive => adaptive(channels),
        Routing::Order | Routing::Valiant { .. } => ordered(channels),
    }
}

fn digit(space: Space, node: usize, dimension: usize) -> usize {
    match space {
        Space::Hypercube(_) => 0,
        Space::Grid(grid) => grid.digit(node, dimension),
    }
}

/// All routes through a dimension, in one line of it; in a hypercube the one from 0 to 1.
fn lines(space: Space, dimension: usize) -> Vec<Line> {
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
struct Pairs {
    kinds: HashSet<Kind>,
    within: HashSet<(Kind, Kind)>,
    between: HashSet<(Kind, Kind)>,
}

impl Pairs {
    fn dependencies(self, channels: Channels) -> Dependencies {
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

fn ordered(channels: Channels) -> Dependencies {
    let space = channels.space();
    let phases = match channels.network.routing {
        Routing::Valiant { .. } => 0..2,
        Routing::Order | Routing::Adaptive => 0..1,
    };
    let dimensions = space.dimensions();
    let kind = |phase: usize, hop: &Hop| Kind {
        link: hop.link,
        digit: digit(space, hop.from, space.dimension(hop.link)),
        class: channels.class(Leg {
            phase,
            wraps: usize::from(hop.is_behind_wrap),
        }),
    };
    let all: Vec<Vec<Line>> = (0..dimensions).map(|one| lines(space, one)).collect();
    let mut pairs = Pairs::default();
    // By phase and dimension: with the digit to which it leads, and from which.
    let ends = |phase: usize, dimension: usize| {
        let lines = all[dimension].iter();
        let lasts = lines
            .clone()
            .filter_map(move |line| Some((kind(phase, line.hops.last()?), line.to)));
        let firsts = lines.filter_map(move |line| {
            let first = line.hops.first()?;
            Some((kind(phase, first), digit(space, first.from, dimension)))
        });
        (
            lasts.collect::<HashSet<_>>(),
            firsts.collect::<HashSet<_>>(),
        )
    };
    for phase in phases.clone() {
        for (dimension, lines) in all.iter().enumerate() {
            for line in lines {
                let kinds = Vec::from_iter(line.hops.iter().map(|hop| kind(phase, hop)));
                pairs.kinds.extend(&kinds);
                pairs
                    .within
                    .extend(kinds.windows(2).map(|pair| (pair[0], pair[1])));
            }
            let (lasts, _) = ends(phase, dimension);
            for (next_phase, next) in phases
                .clone()
                .flat_map(|phase| (0..dimensions).map(move |one| (phase, one)))
            {
                let follows = next_phase > phase || next_phase == phase && next > dimension;
                if !follows {
                    continue;
                }
                let (_, firsts) = ends(next_phase, next);
                for (last, to) in &lasts {
                    let firsts = firsts.iter().filter(|(_, from)| {
                        next != dimension || matches!(space, Space::Hypercube(_)) || to == from
                    });
                    let found = firsts.map(|(first, _)| (*last, *first));
                    match next == dimension {
                        true => pairs.within.extend(found),
                        false => pairs.between.extend(found),
                    }
                }
            }
        }
    }
    pairs.dependencies(channels)
}
