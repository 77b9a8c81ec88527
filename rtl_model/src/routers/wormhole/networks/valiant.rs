//! Valiant's two phases on a hypercube: a worm goes in dimension order to a node that was drawn at
//! random, and from there in dimension order to its destination, so that no permutation crowds a
//! wire (Valiant 1982, A scheme for fast parallel communication). Greenberg and Bhatt 1990, section 7,
//! counts it among the randomized algorithms that it speeds up.
//!
//! Each phase has a virtual channel of its own on every link. Along a route (phase, dimension) only
//! grows, so no circle of channels can wait for itself:
//!
//! ```text
//!   injection --+--> in phase 0: dimension 0, 1, ..., k-1 --+--> in phase 1: dimension 0, ..., k-1 --> eject
//!               +-------------------------------------------+
//! ```
//!
//! With one channel a link both phases have it in common, and two worms that cross one dimension in
//! opposite directions, each about to turn back, are enough of a circle. A channel then does not tell
//! in which phase its worm is: behind dimension `d` the header is asked about all dimensions, `d + 1`
//! first and `d` itself last.

use std::ops::RangeInclusive;

use crate::closed_form::Letter;
use crate::language::register::Name;
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::wormhole::dependencies::{self, Dependencies};
use crate::routers::wormhole::network::{Joined, Parameters, Trip};
use crate::routers::wormhole::networks::e_cube::differences;
use crate::routers::wormhole::networks::{Parts, Structure};
use crate::routers::wormhole::plan::{ChannelPlan, InputPlan, LinkPlan, Port, Request, SwitchPlan};
use crate::traffic;

/// The phases of a worm, and the channels that keep them free of deadlock.
const PHASES: usize = 2;

/// The network.
#[derive(Clone, Copy, Debug)]
pub struct Valiant {
    /// Of the hypercube.
    pub dimensions: Dimensions,
    /// From which intermediate nodes are drawn.
    pub seed: u64,
}

impl Structure for Valiant {
    fn name(&self) -> &'static str {
        "valiant"
    }

    fn joined(&self) -> Joined {
        Joined::Hypercube(self.dimensions)
    }

    fn virtual_channels(&self) -> RangeInclusive<usize> {
        1..=PHASES
    }

    /// Each message draws for itself, whatever the others do.
    fn intermediate(&self, number: usize) -> Option<usize> {
        Some(traffic::intermediate(
            self.dimensions.nodes(),
            number,
            self.seed,
        ))
    }

    fn header(&self, _switch: usize, trip: Trip, virtual_channels: usize) -> Vec<bool> {
        let (from, via, to) = (trip.source, trip.intermediate, trip.destination);
        let first = differences(self.dimensions, from, via);
        let both = first.chain(differences(self.dimensions, via, to));
        match virtual_channels {
            1 => around(self.dimensions.count(), both),
            _ => both.collect(),
        }
    }

    fn parts(&self, virtual_channels: usize) -> Parts {
        let dimensions = self.dimensions.count();
        let channels = virtual_channels.min(PHASES);
        Parts {
            switch: switch(dimensions, channels),
            levels: Vec::new(),
            relays: Vec::new(),
            links: links(dimensions, channels),
        }
    }

    /// `k` is the number of dimensions.
    fn storage_bits(&self, parameters: Parameters) -> (String, Vec<Letter<'static>>) {
        let text = match parameters.virtual_channels {
            1 => "3kb+2b+2k^2+5k+3",
            _ => "6kb+2b+4k^2+9k+2",
        };
        let size = vec![("k", self.dimensions.count() as u64)];
        (text.to_owned(), size)
    }

    fn dependencies(&self, virtual_channels: usize) -> Dependencies {
        dependencies::valiant(self.dimensions, virtual_channels)
    }
}

/// The header of a worm that crosses dimensions, in both phases one after the other, as it is asked
/// where they have one channel: about all dimensions, from that behind the last one crossed.
fn around(dimensions: usize, crosses: impl Iterator<Item = bool>) -> Vec<bool> {
    let mut header = Vec::new();
    let mut asked = 0;
    for (place, crosses) in crosses.enumerate() {
        if crosses {
            let dimension = place % dimensions;
            let declined = (dimension + dimensions - asked) % dimensions;
            header.extend(std::iter::repeat_n(false, declined));
            header.push(true);
            asked = (dimension + 1) % dimensions;
        }
    }
    header.extend(std::iter::repeat_n(false, dimensions));
    header
}

/// The switch, whose output channels are those of phase 0 by dimension, with a second channel those
/// of phase 1, and that to the host; input channels are numbered alike, behind that of the host.
fn switch(dimensions: usize, channels: usize) -> SwitchPlan {
    let eject = channels * dimensions;
    // In one phase from dimension `first` on, then what is behind it: all of the phases that follow,
    // or where there is one channel the other dimensions.
    let from = |phase: usize, first: usize| -> Vec<Vec<Request>> {
        let this = phase * dimensions + first..(phase + 1) * dimensions;
        let behind = match channels {
            1 => 0..first,
            _ => this.end..eject,
        };
        this.chain(behind)
            .chain([eject])
            .map(|output| vec![Request::always(output)])
            .collect()
    };
    let mut inputs = vec![InputPlan {
        name: Name::Field("injection"),
        candidates: from(0, 0),
        line: 0,
    }];
    let mut outputs = Vec::new();
    for phase in 0..channels {
        let (incoming, outgoing) = names(phase, channels);
        inputs.extend((0..dimensions).map(|dimension| InputPlan {
            name: Name::Numbered(incoming, dimension),
            candidates: from(phase, dimension + 1),
            line: 0,
        }));
        outputs.extend((0..dimensions).map(|dimension| Name::Numbered(outgoing, dimension)));
    }
    outputs.push(Name::Field("eject"));
    SwitchPlan::new(inputs, &outputs)
}

/// What input and output channels are called.
fn names(phase: usize, channels: usize) -> (&'static str, &'static str) {
    match (channels, phase) {
        (1, _) => ("in", "out"),
        (_, 0) => ("in_phase_0", "out_phase_0"),
        _ => ("in_phase_1", "out_phase_1"),
    }
}

fn links(dimensions: usize, channels: usize) -> Vec<LinkPlan> {
    let channel = |dimension, phase| {
        let port = |channel| vec![Port::lone(channel)];
        let output = phase * dimensions + dimension;
        ChannelPlan {
            senders: port(output),
            receivers: port(output + 1),
        }
    };
    let link = |dimension| {
        let channels = (0..channels).map(|phase| channel(dimension, phase));
        LinkPlan::new(Name::Dimension(dimension), channels.collect())
    };
    (0..dimensions).map(link).collect()
}
