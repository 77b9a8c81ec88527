//! Cube-connected cycles: one machine of `n 2^n` nodes (Greenberg and Bhatt 1990, section 5).
//!
//! The virtual channel of a worm is the number of datelines that it has crossed: straight links from
//! level `n - 1` to level 0.

use std::ops::RangeInclusive;

use crate::closed_form::Letter;
use crate::language::register::Name;
use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use crate::routers::wormhole::dependencies::Dependencies;
use crate::routers::wormhole::joined::Joined;
use crate::routers::wormhole::networks::{Parts, Structure};
use crate::routers::wormhole::parameters::{MAX_VIRTUAL_CHANNELS, Parameters};
use crate::routers::wormhole::plan::{
    ChannelPlan, InputPlan, LevelCode, LinkPlan, Port, Request, SwitchPlan, When,
};
use crate::routers::wormhole::trip::Trip;

pub mod dependencies;

impl Structure for CubeConnectedCycles {
    fn name(&self) -> &'static str {
        "ccc"
    }

    fn joined(&self) -> Joined {
        Joined::CubeConnectedCycles(*self)
    }

    fn level(&self, _switch: usize, node: usize) -> usize {
        (*self).level(node)
    }

    fn virtual_channels(&self) -> RangeInclusive<usize> {
        1..=MAX_VIRTUAL_CHANNELS
    }

    fn header(&self, _switch: usize, trip: Trip, _virtual_channels: usize) -> Vec<bool> {
        let header = (*self).header(trip.source, trip.destination);
        header.iter().by_vals().collect()
    }

    fn parts(&self, virtual_channels: usize) -> Parts {
        Parts {
            switch: cycles_switch(virtual_channels),
            levels: vec![level_0(*self)],
            relays: Vec::new(),
            links: cycles_links(virtual_channels),
        }
    }

    fn storage_bits(&self, parameters: Parameters) -> (String, Vec<Letter<'static>>) {
        let (times_b, rest) = switch_bits(parameters.virtual_channels);
        // Of the two wire arbiters.
        let rest = rest + [0, 2, 3][parameters.virtual_channels - 1];
        (format!("{times_b}b+{rest}"), Vec::new())
    }

    fn dependencies(&self, virtual_channels: usize) -> Dependencies {
        dependencies::of(*self, virtual_channels)
    }
}

/// Storage of a switch: so many times `b`, and the rest.
pub(super) fn switch_bits(virtual_channels: usize) -> (usize, usize) {
    match virtual_channels {
        1 => (8, 19),
        2 => (14, 33),
        _ => (17, 38),
    }
}

/// Virtual channels of a cross link: a worm crosses columns at the first `n` levels that it visits,
/// so it passes the dateline once at the most before it.
pub(super) fn cross_channels(virtual_channels: usize) -> usize {
    virtual_channels.min(2)
}

/// Channels of a switch of cube-connected cycles, by number.
pub(super) struct CycleChannels {
    pub(super) virtual_channels: usize,
}

impl CycleChannels {
    /// As input channel and, less one for the host's, as output channel.
    pub(super) fn straight(&self, channel: usize) -> usize {
        channel
    }

    pub(super) fn cross(&self, channel: usize) -> usize {
        self.virtual_channels + channel
    }

    fn eject(&self) -> usize {
        self.virtual_channels + cross_channels(self.virtual_channels)
    }
}

/// A switch of cube-connected cycles. The virtual channel of a worm is the number of datelines that
/// it has crossed.
pub(super) fn cycles_switch(virtual_channels: usize) -> SwitchPlan {
    let output = CycleChannels { virtual_channels };
    let crosses = cross_channels(virtual_channels);
    // From channel `from`, as far as there are `there` channels: it is one more behind the
    // dateline.
    let beyond = |from: usize, there: usize, to: &dyn Fn(usize) -> usize| -> Vec<Request> {
        let behind = (from + 1).min(virtual_channels - 1);
        [(from, When::NotAtLevel0), (behind, When::AtLevel0)]
            .into_iter()
            .filter(|(channel, _)| *channel < there)
            .map(|(channel, when)| Request {
                output: to(channel),
                when,
                lane: 0,
            })
            .collect()
    };
    let always = |output| vec![Request::always(output)];
    let straight = |channel| output.straight(channel);
    let cross = |channel| output.cross(channel);
    let mut inputs = vec![InputPlan {
        name: Name::Field("injection"),
        candidates: vec![
            always(output.cross(0)),
            always(output.eject()),
            always(output.straight(0)),
        ],
        line: 0,
    }];
    inputs.extend((0..virtual_channels).map(|channel| InputPlan {
        name: Name::Numbered("straight_in", channel),
        candidates: vec![
            beyond(channel, crosses, &cross),
            always(output.eject()),
            beyond(channel, virtual_channels, &straight),
        ],
        line: 0,
    }));
    inputs.extend((0..crosses).map(|channel| InputPlan {
        name: Name::Numbered("cross_in", channel),
        candidates: vec![always(output.eject()), always(output.straight(channel))],
        line: 0,
    }));
    let mut outputs: Vec<Name> = (0..virtual_channels)
        .map(|channel| Name::Numbered("straight_out", channel))
        .collect();
    outputs.extend((0..crosses).map(|channel| Name::Numbered("cross_out", channel)));
    outputs.push(Name::Field("eject"));
    SwitchPlan::new(inputs, &outputs)
}

/// The address bits above the column spell the level; only level 0 matters.
fn level_0(cycles: CubeConnectedCycles) -> LevelCode {
    let columns = cycles.levels();
    let window = (columns..address_bits(cycles)).rev().collect();
    LevelCode::of_switch(0, window, vec![0])
}

fn address_bits(cycles: CubeConnectedCycles) -> usize {
    (cycles.nodes() - 1).ilog2() as usize + 1
}

fn cycles_links(virtual_channels: usize) -> Vec<LinkPlan> {
    let number = CycleChannels { virtual_channels };
    let channel = |of: usize| {
        let port = |channel| vec![Port::lone(channel)];
        ChannelPlan {
            senders: port(of),
            receivers: port(of + 1),
        }
    };
    let straight = (0..virtual_channels).map(|one| channel(number.straight(one)));
    let cross = (0..cross_channels(virtual_channels)).map(|one| channel(number.cross(one)));
    vec![
        LinkPlan::new(Name::Field("straight"), straight.collect()),
        LinkPlan::new(Name::Field("cross"), cross.collect()),
    ]
}
