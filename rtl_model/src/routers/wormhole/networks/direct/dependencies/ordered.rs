//! The dependencies of channels in order of dimensions, once or twice.

use std::collections::HashSet;

use super::pairs::{Kind, Line, Pairs, digit, lines};
use crate::routers::wormhole::dependencies::Dependencies;
use crate::routers::wormhole::networks::direct::Routing;
use crate::routers::wormhole::networks::direct::channels::{Channels, Leg};
use crate::routers::wormhole::space::{Hop, Space};

pub(super) fn dependencies(channels: Channels) -> Dependencies {
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
