//! Dimension order on a hypercube: a worm corrects its address bits one after the other, bit 0 first.

use std::ops::RangeInclusive;

use crate::closed_form::Letter;
use crate::language::register::Name;
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::wormhole::dependencies::{self, Dependencies};
use crate::routers::wormhole::network::{Joined, Parameters, Trip};
use crate::routers::wormhole::networks::{Parts, Structure};
use crate::routers::wormhole::plan::{ChannelPlan, InputPlan, LinkPlan, Port, Request, SwitchPlan};

/// The network.
#[derive(Clone, Copy, Debug)]
pub struct ECube(pub Dimensions);

impl Structure for ECube {
    fn name(&self) -> &'static str {
        "ecube"
    }

    fn joined(&self) -> Joined {
        Joined::Hypercube(self.0)
    }

    fn virtual_channels(&self) -> RangeInclusive<usize> {
        1..=1
    }

    fn header(&self, _switch: usize, trip: Trip, _virtual_channels: usize) -> Vec<bool> {
        differences(self.0, trip.source, trip.destination).collect()
    }

    fn parts(&self, _virtual_channels: usize) -> Parts {
        let (switch, links) = e_cube(self.0.count());
        Parts {
            switch,
            levels: Vec::new(),
            relays: Vec::new(),
            links,
        }
    }

    /// `k` is the number of dimensions.
    fn storage_bits(&self, _parameters: Parameters) -> (String, Vec<Letter<'static>>) {
        let size = vec![("k", self.0.count() as u64)];
        ("3kb+2b+k^2+4k+2".to_owned(), size)
    }

    fn dependencies(&self, _virtual_channels: usize) -> Dependencies {
        dependencies::e_cube(self.0)
    }
}

/// For each dimension, 0 first, whether two addresses differ in it.
pub(super) fn differences(
    dimensions: Dimensions,
    from: usize,
    to: usize,
) -> impl Iterator<Item = bool> {
    (0..dimensions.count()).map(move |dimension| (from ^ to) >> dimension & 1 == 1)
}

/// In order of dimensions: a worm that came across dimension `d` goes on across a higher one, or
/// has arrived.
fn e_cube(dimensions: usize) -> (SwitchPlan, Vec<LinkPlan>) {
    let from = |first: usize| -> Vec<Vec<Request>> {
        (first..=dimensions)
            .map(|output| vec![Request::always(output)])
            .collect()
    };
    let mut inputs = vec![InputPlan {
        name: Name::Field("injection"),
        candidates: from(0),
        line: 0,
    }];
    inputs.extend((0..dimensions).map(|dimension| InputPlan {
        name: Name::Numbered("in", dimension),
        candidates: from(dimension + 1),
        line: 0,
    }));
    let mut outputs: Vec<Name> = (0..dimensions)
        .map(|dimension| Name::Numbered("out", dimension))
        .collect();
    outputs.push(Name::Field("eject"));
    let links = (0..dimensions).map(|dimension| {
        let port = |channel| vec![Port::lone(channel)];
        let channel = ChannelPlan {
            senders: port(dimension),
            receivers: port(dimension + 1),
        };
        LinkPlan::new(Name::Dimension(dimension), vec![channel])
    });
    (SwitchPlan::new(inputs, &outputs), links.collect())
}
