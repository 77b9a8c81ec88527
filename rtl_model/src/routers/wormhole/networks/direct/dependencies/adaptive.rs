//! The dependencies of adaptive channels, and of escape channels by themselves.

use std::collections::HashSet;

use super::pairs::{Kind, Line, Pairs, digit, lines};
use crate::routers::wormhole::dependencies::{Channel, Dependencies};
use crate::routers::wormhole::networks::direct::channels::Channels;
use crate::routers::wormhole::space::{Hop, Space};

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

/// Classes of adaptive routing: the adaptive channels, then each escape channel.
const ADAPTIVE: usize = 0;

pub(super) fn dependencies(channels: Channels) -> Dependencies {
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
        whole.kinds.extend(kinds);
        extended.kinds.extend(of_escapes);
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
                                whole.within.insert((first, second));
                            }
                            if first.class != ADAPTIVE && second.class != ADAPTIVE {
                                extended.within.insert((first, second));
                            }
                        }
                    }
                }
            }
        }
        for next in (0..dimensions).filter(|next| *next != dimension) {
            let (next_adaptive, next_escapes, _) = &into[next];
            let follow = |firsts: &HashSet<Kind>, seconds: &HashSet<Kind>| -> Vec<(Kind, Kind)> {
                let pairs = firsts
                    .iter()
                    .flat_map(|first| seconds.iter().map(move |second| (first, second)));
                pairs.map(|(first, second)| (*first, *second)).collect()
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
