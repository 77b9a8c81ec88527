//! The `n` copies of cube-connected cycles in one hypercube, or the first of them; a message goes in as
//! many pieces at the most (Greenberg and Bhatt 1990, Theorem 3 and section 7).

use std::collections::HashSet;
use std::ops::RangeInclusive;

use crate::closed_form::Letter;
use crate::embedding::copies::Copies;
use crate::language::register::Name;
use crate::routers::wormhole::dependencies::Dependencies;
use crate::routers::wormhole::joined::Joined;
use crate::routers::wormhole::networks::cycles::{
    CycleChannels, cross_channels, cycles_switch, dependencies, switch_bits,
};
use crate::routers::wormhole::networks::{Parts, Structure};
use crate::routers::wormhole::parameters::{MAX_VIRTUAL_CHANNELS, Parameters};
use crate::routers::wormhole::plan::{ChannelPlan, End, LevelCode, LinkPlan, Port, Standing};
use crate::routers::wormhole::space::Space;
use crate::routers::wormhole::trip::Trip;

/// Copies of which the first `used` have routers.
#[derive(Clone, Copy, Debug)]
pub struct CopiesInUse<'a> {
    /// All of them.
    pub copies: &'a Copies,
    /// 1 to `n`.
    pub used: usize,
}

impl Structure for CopiesInUse<'_> {
    fn name(&self) -> &'static str {
        "copies"
    }

    fn joined(&self) -> Joined {
        Joined::Space(Space::Hypercube(self.copies.dimensions()))
    }

    fn switches(&self) -> usize {
        self.used
    }

    fn level(&self, switch: usize, node: usize) -> usize {
        self.copies.unmap(switch, node).0
    }

    fn virtual_channels(&self) -> RangeInclusive<usize> {
        1..=MAX_VIRTUAL_CHANNELS
    }

    fn header(&self, switch: usize, trip: Trip, _virtual_channels: usize) -> Vec<bool> {
        let cycles = self.copies.network();
        let vertex = |node| {
            let (level, column) = self.copies.unmap(switch, node);
            cycles.node(level, column)
        };
        let header = cycles.header(vertex(trip.source), vertex(trip.destination));
        header.iter().by_vals().collect()
    }

    fn parts(&self, virtual_channels: usize) -> Parts {
        Parts {
            switch: cycles_switch(virtual_channels),
            levels: (0..self.used)
                .map(|copy| level_code(self.copies, copy))
                .collect(),
            relays: Vec::new(),
            links: copies_links(self.copies, self.used, virtual_channels),
        }
    }

    /// `k` is the number of dimensions of the hypercube, `C` that of copies in use, of `n`.
    fn storage_bits(&self, parameters: Parameters) -> (String, Vec<Letter<'static>>) {
        let channels = parameters.virtual_channels;
        let (times_b, rest) = switch_bits(channels);
        let of_wires = self.wire_arbiters(channels);
        let size = [
            ("C", self.used),
            ("n", self.copies.levels()),
            ("k", self.copies.dimensions().count()),
        ];
        let size = size.map(|(letter, size)| (letter, size as u64)).to_vec();
        (format!("C({times_b}b+{rest})+{of_wires}"), size)
    }

    fn dependencies(&self, virtual_channels: usize) -> Dependencies {
        dependencies::of(self.copies.network(), virtual_channels)
    }
}

impl CopiesInUse<'_> {
    /// Storage of the wires' arbiters: one less than channels for each. Copies go straight over the
    /// dimensions of their windows, and over dimension 1 at two levels; they cross all others.
    fn wire_arbiters(&self, virtual_channels: usize) -> String {
        let windows = (0..self.used).map(|copy| self.copies.window(copy));
        let of_any: HashSet<usize> = windows.clone().flatten().copied().collect();
        let in_all = |dimension: &&usize| windows.clone().all(|window| window.contains(dimension));
        let k = self.copies.dimensions().count();
        let straight = of_any.len() + 1;
        let cross = k - of_any.iter().filter(in_all).count();
        let crosses = cross_channels(virtual_channels);
        match (self.used == self.copies.copies(), virtual_channels) {
            (true, 1) => "n-1".to_owned(),
            (true, _) => format!("{virtual_channels}n+k-2"),
            (false, 1) => format!("{straight}+{cross}-k"),
            (false, _) => format!("{virtual_channels}*{straight}+{crosses}*{cross}-k"),
        }
    }
}

fn level_code(copies: &Copies, copy: usize) -> LevelCode {
    let codes = (0..copies.levels()).map(|level| copies.cycle(copy, level));
    LevelCode::of_switch(copy, copies.window(copy).to_vec(), codes.collect())
}

/// The wire of a dimension has two users at the most: a copy's straight link and a copy's cross link; in
/// dimension 1, which no cross link has, the straight links of two levels.
fn copies_links(copies: &Copies, used: usize, virtual_channels: usize) -> Vec<LinkPlan> {
    let number = CycleChannels { virtual_channels };
    let levels = copies.levels();
    // The channels of number `output` of the vertices that `leave` this way, to levels `further`
    // on.
    let channel = |output: usize, further: usize, leave: &dyn Fn(usize, usize) -> bool| {
        let here = (0..used).flat_map(|copy| (0..levels).map(move |level| (copy, level)));
        let here: Vec<(usize, usize)> = here.filter(|&(copy, level)| leave(copy, level)).collect();
        let ports = |channel: usize, further: usize| {
            let port = |&(switch, level): &(usize, usize)| Port {
                end: End::Switch { switch, channel },
                at: Some(Standing {
                    code: switch,
                    level: (level + further) % levels,
                }),
            };
            here.iter().map(port).collect()
        };
        ChannelPlan {
            senders: ports(output, 0),
            receivers: ports(output + 1, further),
        }
    };
    let channels = |dimension: usize| -> Vec<ChannelPlan> {
        let straight = |leave: &dyn Fn(usize) -> bool| -> Vec<ChannelPlan> {
            let leaves =
                |copy, level| copies.straight_dimension(copy, level) == dimension && leave(level);
            (0..virtual_channels)
                .map(|one| channel(number.straight(one), 1, &leaves))
                .collect()
        };
        if dimension == 1 {
            let halfway = straight(&|level| level == levels / 2 - 1);
            let last = straight(&|level| level == levels - 1);
            return [halfway, last].concat();
        }
        let leaves = |copy, level| copies.cross_dimension(copy, level) == dimension;
        let cross =
            (0..cross_channels(virtual_channels)).map(|one| channel(number.cross(one), 0, &leaves));
        straight(&|_| true).into_iter().chain(cross).collect()
    };
    // Over some dimensions no copy goes straight: their links have no channels for that.
    let channels_in_use = |dimension: usize| {
        let mut channels = channels(dimension);
        channels.retain(|channel| !channel.senders.is_empty());
        channels
    };
    (0..copies.dimensions().count())
        .map(|dimension| LinkPlan::new(Name::Dimension(dimension), channels_in_use(dimension)))
        .collect()
}
