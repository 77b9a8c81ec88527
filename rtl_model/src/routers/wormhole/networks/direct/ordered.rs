//! Order of dimensions, once or twice: what each channel is asked about, and what headers answer.
//!
//! ```text
//!   injection --+--> phase 0: dimension 0, 1, ..., n-1 --+--> phase 1: dimension 0, ..., n-1 --> eject
//!               +----------------------------------------+
//! ```
//!
//! Along a route (phase, dimension, behind the wrap or not) only grows. Where the two phases of Valiant have one class, two worms that
//! cross a dimension in opposite directions, each about to turn back, are enough of a circle; a channel then does not tell in which
//! phase its worm is, so that behind dimension `d` the header is asked about all dimensions, `d` itself last.

use crate::language::register::Name;
use crate::machine::topology::grid::Way;
use crate::routers::wormhole::networks::direct::Routing;
use crate::routers::wormhole::networks::direct::channels::{Channels, Leg};
use crate::routers::wormhole::plan::{InputPlan, LevelCode, Request, When};
use crate::routers::wormhole::space::Space;
use crate::routers::wormhole::trip::Trip;

/// Where a channel may lead on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Candidate {
    /// By this link in this phase; on in the direction from which it came, or into a dimension.
    Link {
        link: usize,
        phase: usize,
        goes_on: bool,
    },
    Eject,
}

/// Where a channel stands: nowhere yet, or behind a link in a phase.
type Behind = Option<(usize, usize)>;

fn links(space: Space, dimensions: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
    dimensions.flat_map(move |dimension| space.links_of(dimension))
}

/// What a channel is asked about, in order.
fn candidates(channels: Channels, behind: Behind) -> Vec<Candidate> {
    let space = channels.space();
    let all = 0..space.dimensions();
    let into = |phase| {
        move |link| Candidate::Link {
            link,
            phase,
            goes_on: false,
        }
    };
    let mut asked = Vec::new();
    match behind {
        None => asked.extend(links(space, all.clone()).map(into(0))),
        Some((link, phase)) => {
            let dimension = space.dimension(link);
            let is_grid = matches!(space, Space::Grid(_));
            if is_grid {
                asked.push(Candidate::Link {
                    link,
                    phase,
                    goes_on: true,
                });
            }
            asked.extend(links(space, dimension + 1..all.end).map(into(phase)));
            if matches!(channels.network.routing, Routing::Valiant { .. }) && !channels.has_phases()
            {
                asked.extend(links(space, 0..dimension).map(into(phase)));
                let back = if is_grid { link ^ 1 } else { link };
                asked.push(into(phase)(back));
            }
        }
    }
    let is_first = behind.is_none_or(|(_, phase)| phase == 0);
    if channels.has_phases() && is_first {
        asked.extend(links(space, all).map(into(1)));
    }
    asked.push(Candidate::Eject);
    asked
}

/// The input channels of a switch.
pub(super) fn inputs(channels: Channels) -> Vec<InputPlan> {
    let eject = vec![Request::always(channels.eject())];
    let plan = |name, behind: Behind, wraps| {
        let requests = |candidate| match candidate {
            Candidate::Eject => eject.clone(),
            Candidate::Link {
                link,
                phase,
                goes_on,
            } => {
                let class = |wraps| channels.class(Leg { phase, wraps });
                let wraps = if goes_on { wraps } else { 0 };
                match goes_on && channels.has_datelines() && wraps == 0 {
                    false => channels.requests(link, class(wraps), When::Always),
                    true => [
                        channels.requests(link, class(0), When::NotAtLevel0),
                        channels.requests(link, class(1), When::AtLevel0),
                    ]
                    .concat(),
                }
            }
        };
        let asked = candidates(channels, behind);
        InputPlan {
            name,
            candidates: asked.into_iter().map(requests).collect(),
            line: match (behind, channels.has_datelines()) {
                (Some((link, _)), true) => link,
                _ => 0,
            },
        }
    };
    let mut inputs = vec![plan(Name::Field("injection"), None, 0)];
    inputs.extend(channels.all().map(|(link, channel)| {
        let leg = channels.leg(channel % channels.classes());
        let behind = Some((link, leg.phase));
        plan(channels.input_name(link, channel), behind, leg.wraps)
    }));
    inputs
}

/// By link of a torus: whether what came in over it has come over the wrap, read off a digit of the address.
pub(super) fn levels(channels: Channels) -> Vec<LevelCode> {
    let grid = match channels.space() {
        Space::Grid(grid) if channels.has_datelines() => grid,
        _ => return Vec::new(),
    };
    let bits = grid.digit_bits();
    let code = |link| {
        let (dimension, way) = grid.way(link);
        let window = (dimension * bits..(dimension + 1) * bits).rev().collect();
        let first = match way {
            Way::Plus => 0,
            Way::Minus => grid.radix() - 1,
        };
        LevelCode {
            name: grid_name(channels, link),
            of: Some((0, link)),
            label: Vec::new(),
            window,
            codes: vec![first],
        }
    };
    (0..grid.links()).map(code).collect()
}

fn grid_name(channels: Channels, link: usize) -> Name {
    channels.space().link_name(link)
}

/// The header of a worm: at each channel 0 for all candidates before the next link of its route, and 1 for that.
pub(super) fn header(channels: Channels, trip: Trip) -> Vec<bool> {
    let (from, via, to) = match channels.network.routing {
        Routing::Valiant { .. } => (trip.source, trip.intermediate, trip.destination),
        Routing::Order | Routing::Adaptive => (trip.source, trip.destination, trip.destination),
    };
    let space = channels.space();
    let phases = [space.route(from, via), space.route(via, to)];
    let mut header = Vec::new();
    let mut behind: Behind = None;
    for (phase, hops) in phases.into_iter().enumerate() {
        let phase = if channels.has_phases() { phase } else { 0 };
        for hop in hops {
            let asked = candidates(channels, behind);
            let is_next = |candidate: &Candidate| matches!(candidate, Candidate::Link { link, phase: of, .. } if (*link, *of) == (hop.link, phase));
            let declined = asked.iter().take_while(|one| !is_next(one)).count();
            header.extend(std::iter::repeat_n(false, declined));
            header.push(true);
            behind = Some((hop.link, phase));
        }
    }
    let left = candidates(channels, behind).len() - 1;
    header.extend(std::iter::repeat_n(false, left));
    header
}
