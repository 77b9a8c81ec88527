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

use super::quotient::Quotient;
use super::{Channel, Dependencies};
use crate::routers::wormhole::networks::direct::Routing;
use crate::routers::wormhole::networks::direct::channels::{Channels, Leg};
use crate::routers::wormhole::space::{Hop, Space};

/// A channel of a link, in any node with this digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

/// The same with those the other way round a torus that are as long.
fn shortest_lines(space: Space, dimension: usize) -> Vec<Line> {
    let mut lines = lines(space, dimension);
    let Space::Grid(grid) = space else {
        return lines;
    };
    let round = |line: &Line| {
        let first = line.hops[0];
        let link = first.link ^ 1;
        let (mut from, mut is_behind_wrap) = (first.from, false);
        let hops = line.hops.iter().map(|_| {
            let hop = Hop {
                from,
                link,
                is_behind_wrap,
            };
            is_behind_wrap |= grid.is_at_end(from, link);
            from = grid.far(from, link);
            hop
        });
        Line {
            hops: hops.collect(),
            to: line.to,
            is_in_order: false,
        }
    };
    let halves = lines
        .iter()
        .filter(|line| grid.wraps() && 2 * line.hops.len() == grid.radix());
    let others: Vec<Line> = halves.map(round).collect();
    lines.extend(others);
    lines
}

/// What stays in one dimension, of which there is a circle if there is any; and all.
#[derive(Default)]
struct Pairs {
    within: HashSet<Vec<Kind>>,
    between: HashSet<Vec<Kind>>,
}

impl Pairs {
    fn dependencies(self, channels: Channels) -> Dependencies {
        let space = channels.space();
        let routes = |of: &HashSet<Vec<Kind>>| Vec::from_iter(of.iter().cloned());
        let within = routes(&self.within);
        // In an order of its own, so that the circle that is found is always the same one.
        let sorted = |mut routes: Vec<Vec<Kind>>| {
            routes.sort_unstable_by_key(|route| {
                Vec::from_iter(route.iter().map(|one| (one.link, one.digit, one.class)))
            });
            routes.into_iter().map(Vec::into_iter)
        };
        let all = [routes(&self.within), routes(&self.between)].concat();
        let whole = Quotient::of(sorted(all));
        let channel = |kind: Kind, column: usize| channel(space, kind, column);
        match space {
            Space::Hypercube(_) => whole.dependencies(|kind| 1 << kind.link, channel),
            Space::Grid(_) => {
                let cycle = Quotient::of(sorted(within))
                    .dependencies(|_| 0, channel)
                    .cycle;
                Dependencies {
                    cycle,
                    ..whole.counts()
                }
            }
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
        for dimension in 0..dimensions {
            for line in &all[dimension] {
                let kinds = Vec::from_iter(line.hops.iter().map(|hop| kind(phase, hop)));
                pairs.within.extend(kinds.iter().map(|one| vec![*one]));
                pairs.within.extend(kinds.windows(2).map(<[Kind]>::to_vec));
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
                    let found = firsts.map(|(first, _)| vec![*last, *first]);
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

/// Classes of adaptive routing: the adaptive channels, then each escape channel.
const ADAPTIVE: usize = 0;

fn adaptive(channels: Channels) -> Dependencies {
    let space = channels.space();
    let dimensions = space.dimensions();
    let escapes = channels.escapes();
    let has_escape = escapes > 0;
    let adaptive = |link: usize, digit: usize| Kind {
        link,
        digit,
        class: ADAPTIVE,
    };
    // The escape channel of a hop of a line, with what is left of it.
    let escape = |line: &[Hop]| {
        let hop = line[0];
        let wraps_ahead = matches!(space, Space::Grid(grid) if line.iter().any(|hop| grid.is_at_end(hop.from, hop.link)));
        Kind {
            link: hop.link,
            digit: digit(space, hop.from, space.dimension(hop.link)),
            class: match escapes {
                2 if !wraps_ahead => 2,
                _ => 1,
            },
        }
    };
    let mut whole = Pairs::default();
    let mut extended = Pairs::default();
    let all: Vec<Vec<Line>> = (0..dimensions)
        .map(|one| shortest_lines(space, one))
        .collect();
    // By dimension, all kinds by which a worm may go in it: adaptive ones, escapes, and of those the ones that may end it.
    let into = |dimension: usize| {
        let mut kinds = HashSet::new();
        let mut of_escapes = HashSet::new();
        let mut last_escapes = HashSet::new();
        for line in &all[dimension] {
            for place in 0..line.hops.len() {
                let hop = line.hops[place];
                let digit = digit(space, hop.from, dimension);
                kinds.insert(adaptive(hop.link, digit));
                if has_escape && (place > 0 || line.is_in_order) {
                    of_escapes.insert(escape(&line.hops[place..]));
                    if place + 1 == line.hops.len() {
                        last_escapes.insert(escape(&line.hops[place..]));
                    }
                }
            }
        }
        (kinds, of_escapes, last_escapes)
    };
    let into: Vec<_> = (0..dimensions).map(into).collect();
    for dimension in 0..dimensions {
        let (of_adaptive, of_escapes, last_escapes) = &into[dimension];
        let kinds = of_adaptive.iter().chain(of_escapes);
        whole.within.extend(kinds.map(|one| vec![*one]));
        extended
            .within
            .extend(of_escapes.iter().map(|one| vec![*one]));
        for line in &all[dimension] {
            for place in 0..line.hops.len() {
                let hops = &line.hops[place..];
                let here = adaptive(hops[0].link, digit(space, hops[0].from, dimension));
                let may_escape = has_escape && (place > 0 || line.is_in_order);
                let firsts = [Some(here), may_escape.then(|| escape(hops))];
                for first in firsts.into_iter().flatten() {
                    for (ahead, next) in hops.iter().enumerate().skip(1) {
                        let further = adaptive(next.link, digit(space, next.from, dimension));
                        let seconds = [Some(further), has_escape.then(|| escape(&hops[ahead..]))];
                        for second in seconds.into_iter().flatten() {
                            if ahead == 1 {
                                whole.within.insert(vec![first, second]);
                            }
                            if first.class != ADAPTIVE && second.class != ADAPTIVE {
                                extended.within.insert(vec![first, second]);
                            }
                        }
                    }
                }
            }
        }
        for next in (0..dimensions).filter(|next| *next != dimension) {
            let (next_adaptive, next_escapes, _) = &into[next];
            let follow = |firsts: &HashSet<Kind>, seconds: &HashSet<Kind>| -> Vec<Vec<Kind>> {
                let pairs = firsts
                    .iter()
                    .flat_map(|first| seconds.iter().map(move |second| (first, second)));
                pairs.map(|(first, second)| vec![*first, *second]).collect()
            };
            whole.between.extend(follow(of_adaptive, next_adaptive));
            whole.between.extend(follow(of_adaptive, next_escapes));
            if next > dimension {
                whole.between.extend(follow(of_escapes, next_adaptive));
                whole.between.extend(follow(last_escapes, next_escapes));
                extended.between.extend(follow(of_escapes, next_escapes));
            }
        }
    }
    let mut found = whole.dependencies(channels);
    if let (Space::Grid(grid), true) = (space, dimensions > 1) {
        // Round four nodes.
        let mut node = 0;
        let round = [0, 2, 1, 3].map(|link| {
            let from = node;
            node = grid.far(node, link);
            Channel::Grid {
                grid,
                from,
                link,
                virtual_channel: ADAPTIVE,
            }
        });
        found.cycle = Some(round.to_vec());
    }
    let escape = has_escape.then(|| Box::new(extended.dependencies(channels)));
    Dependencies { escape, ..found }
}
