//! Minimal adaptive routing with escape channels: which output channels an input channel may select, in the order of preference.
//!
//! ```text
//!   adaptive channels of all links that bring the worm nearer --+
//!   escape channel of the link that order of dimensions takes --+--> the first that is free
//!   at the destination: eject ----------------------------------+
//! ```
//!
//! A worm may leave the escape channels again. It never goes back by the link on which it came.

use crate::language::register::Name;
use crate::routers::wormhole::networks::direct::channels::Channels;
use crate::routers::wormhole::plan::{InputPlan, Request, When};
use crate::routers::wormhole::space::Space;

/// The input channels of a switch.
pub(super) fn inputs(channels: Channels) -> Vec<InputPlan> {
    let plan = |name, came_by: Option<usize>| {
        let outputs = channels
            .all()
            .filter(|(link, _)| came_by.is_none_or(|by| may_follow(channels.space(), by, *link)));
        let outputs = outputs.map(|(link, channel)| {
            (
                channels.output(link, channel),
                when(channels, link, channel),
            )
        });
        let outputs = outputs.chain([(channels.eject(), When::Arrived)]);
        let requests =
            outputs
                .enumerate()
                .map(|(lane, (output, when))| Request { output, when, lane });
        InputPlan {
            name,
            candidates: vec![requests.collect()],
            line: 0,
        }
    };
    let injection = plan(Name::Field("injection"), None);
    let of_links = channels
        .all()
        .map(|(link, channel)| plan(channels.input_name(link, channel), Some(link)));
    [injection].into_iter().chain(of_links).collect()
}

/// Whether a shortest route may go on by a link behind another one.
fn may_follow(space: Space, before: usize, link: usize) -> bool {
    match space {
        Space::Hypercube(_) => link != before,
        Space::Grid(_) => link != before ^ 1,
    }
}

fn when(channels: Channels, link: usize, channel: usize) -> When {
    let (first, escapes) = (channels.count - channels.escapes(), channels.escapes());
    match channel.checked_sub(first) {
        None => When::Nearer(link),
        Some(escape) => When::InOrder {
            link,
            wrap_ahead: (escapes > 1).then_some(escape == 0),
        },
    }
}
