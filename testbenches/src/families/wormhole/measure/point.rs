//! A point of a sweep of wormhole routers.

use std::collections::HashSet;

use rtl_model::routers::wormhole::network::MAX_BUFFER_BITS;
use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::families::wormhole::measure::lists::InUse;
use crate::families::wormhole::measure::{duration, row, search};
use crate::families::wormhole::options::{
    DEFAULT_BUFFER_BITS, DEFAULT_LEVELS, DEFAULT_MESSAGE_BITS, DEFAULT_VIRTUAL_CHANNELS,
    InjectionSetup, NetworkName, PiecesName, SwitchName, WormholeSetup,
};
use crate::families::wormhole::options::{RunOptions, RunSetup, Setup};
use crate::families::wormhole::requirement::{Requirement, requirement};
use crate::families::wormhole::{run, traffic};
use crate::measure;
use crate::measure::axes::{Coordinate, InSeries};
use crate::measure::duration::{Cost, Work};
use crate::measure::row::Row;

/// What a point sends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Load {
    /// One message of each of a share of the nodes, all at bit time 0.
    Once(f64),
    /// Message bits of each node in a bit time.
    Offered(f64),
    /// As many as the network carries, which is looked for.
    Sought {
        /// The latency that is too long, in bit times; none for a multiple of that at a light load.
        latency_bound: Option<u64>,
        /// Between two loads as near as that.
        tolerance: f64,
    },
}

impl Load {
    /// How much.
    pub fn share(self) -> f64 {
        match self {
            Load::Once(load) | Load::Offered(load) => load,
            // The most that it may turn out to be.
            Load::Sought { .. } => 1.0,
        }
    }
}

/// Where a point is.
#[derive(Clone)]
pub(super) struct Place {
    pub network: NetworkName,
    /// Of network copies, those in use.
    pub copies: Option<InUse>,
    /// Of network copies, how messages are cut.
    pub pieces: PiecesName,
    pub dims: usize,
    pub message_bits: usize,
    pub virtual_channels: usize,
    pub buffer_bits: usize,
    pub switch: SwitchName,
    pub traffic: &'static str,
    pub load: Load,
    /// As of `run`, under continuous injection.
    pub warm_up: Option<u64>,
    pub measurement: Option<u64>,
    pub drain: Option<u64>,
    pub seed: u64,
}

impl Place {
    /// Of a network, and of defaults else.
    pub fn of(network: NetworkName, seed: u64) -> Self {
        Place {
            network,
            copies: None,
            pieces: PiecesName::default(),
            dims: DEFAULT_LEVELS,
            message_bits: DEFAULT_MESSAGE_BITS,
            virtual_channels: DEFAULT_VIRTUAL_CHANNELS,
            buffer_bits: DEFAULT_BUFFER_BITS,
            switch: SwitchName::default(),
            traffic: Pattern::Randperm.name(),
            load: Load::Once(1.0),
            warm_up: None,
            measurement: None,
            drain: None,
            seed,
        }
    }

    /// Gives its buffers as many places as a node has room for that stores so many bits in all.
    ///
    /// # Errors
    /// [`Error::Refused`] if there is no room for one place; whatever is out of range.
    pub fn fit(&mut self, storage: usize) -> Result<(), Error> {
        let options = self.run_options();
        let mut wormhole = options.setup.wormhole.clone();
        let mut largest = None;
        let mut least = 0;
        for buffer_bits in (1..=MAX_BUFFER_BITS).rev() {
            wormhole.buffer_bits = Some(buffer_bits);
            (_, least) = wormhole.machine(Some(self.dims), self.seed)?.storage_bits();
            if least <= storage {
                largest = Some(buffer_bits);
                break;
            }
        }
        self.buffer_bits = largest.ok_or_else(|| Error::Refused {
            by: "--storage",
            why: format!("{storage} bits a node are too few: buffers of one bit take {least}"),
        })?;
        Ok(())
    }

    /// The network, with the copies in use.
    pub fn network_label(&self) -> String {
        network_label(self.network.name(), self.in_use(), self.pieces.name())
    }

    /// Copies in use, where the network is made of them.
    pub fn in_use(&self) -> Option<usize> {
        self.copies.map(|copies| copies.of(self.dims))
    }

    /// As a run of its own.
    pub fn run_options(&self) -> RunOptions {
        let (load, offered_load) = match self.load {
            Load::Once(load) => (Some(load), None),
            Load::Offered(_) | Load::Sought { .. } => (None, Some(self.load.share())),
        };
        RunOptions {
            setup: RunSetup {
                setup: Setup {
                    dims: Some(self.dims),
                    traffic: Some(self.traffic.to_owned()),
                    load,
                    seed: self.seed,
                    wormhole: WormholeSetup {
                        network: Some(self.network),
                        message_bits: Some(self.message_bits),
                        virtual_channels: Some(self.virtual_channels),
                        buffer_bits: Some(self.buffer_bits),
                        switch: Some(self.switch),
                        copies: self.in_use(),
                        pieces: self.copies.map(|_| self.pieces),
                    },
                    ..Setup::default()
                },
                injection: InjectionSetup {
                    offered_load,
                    warm_up: self.warm_up,
                    measurement: self.measurement,
                    drain: self.drain,
                    is_probe: matches!(self.load, Load::Sought { .. }),
                    ..InjectionSetup::default()
                },
            },
            quiet: true,
            ..RunOptions::default()
        }
    }

    /// A series of a plot is called by its network and by what else points differ in.
    pub fn coordinates(&self) -> Vec<Coordinate> {
        let named = |axis, label: String, name: &str| Coordinate {
            in_series: InSeries::IfOthersDiffer(name.to_owned()),
            ..Coordinate::always(axis, label)
        };
        let channels = format!("V = {}", self.virtual_channels);
        let (load, offered) = (self.load.share(), "offered_load");
        let (switch, traffic) = (self.switch.name(), self.traffic);
        vec![
            Coordinate {
                in_series: match self.copies {
                    Some(InUse::All) => {
                        let copies = network_label("all copies", None, self.pieces.name());
                        InSeries::Along("dims", copies)
                    }
                    _ => InSeries::Always,
                },
                ..Coordinate::always("network", self.network_label())
            },
            Coordinate::of_some("dims", format!("n = {}", self.dims)),
            Coordinate::of_some("message_bits", format!("M = {}", self.message_bits)),
            match self.network {
                // It has no choice.
                NetworkName::Ecube => Coordinate::of_none("virtual_channels", channels),
                _ => Coordinate::of_some("virtual_channels", channels),
            },
            Coordinate::of_some("buffer_bits", format!("b = {}", self.buffer_bits)),
            named("switch", format!("switch {switch}"), switch),
            named("traffic", format!("traffic {traffic}"), traffic),
            match self.load {
                Load::Once(_) => Coordinate::of_some("load", format!("load {load}")),
                Load::Offered(_) => Coordinate::of_some(offered, format!("offered load {load}")),
                Load::Sought { .. } => Coordinate::of_none(offered, "saturation".to_owned()),
            },
            Coordinate::of_none("seed", format!("seed {}", self.seed)),
        ]
    }
}

/// A point, and what it takes.
#[derive(Clone)]
pub(super) struct Point {
    pub place: Place,
    pub requirement: Requirement,
}

impl Point {
    /// The point that a run is. Its traffic is not looked at.
    pub fn of_run(options: &RunOptions) -> Result<Self, Error> {
        let (setup, wormhole) = (&options.setup, &options.setup.wormhole);
        let requirement = requirement(options)?;
        let network = wormhole.network.unwrap_or_default();
        let parameters = requirement.machine.parameters();
        let place = Place {
            copies: match network {
                NetworkName::Copies => Some(wormhole.copies.map_or(InUse::All, InUse::Number)),
                _ => None,
            },
            pieces: wormhole.pieces.unwrap_or_default(),
            dims: setup.dims.unwrap_or(DEFAULT_LEVELS),
            message_bits: requirement.message_bits,
            virtual_channels: parameters.virtual_channels,
            buffer_bits: parameters.buffer_bits,
            switch: wormhole.switch.unwrap_or_default(),
            warm_up: options.setup.injection.warm_up,
            measurement: options.setup.injection.measurement,
            drain: options.setup.injection.drain,
            load: match options.setup.injection.offered_load {
                Some(load) => Load::Offered(load),
                None => Load::Once(traffic::checked_load(setup)?),
            },
            ..Place::of(network, setup.seed)
        };
        Ok(Point { place, requirement })
    }
}

impl measure::Point for Point {
    fn coordinates(&self) -> Vec<Coordinate> {
        self.place.coordinates()
    }

    fn with_seed(&self, seed: u64) -> Self {
        let mut point = self.clone();
        point.place.seed = seed;
        point
    }

    fn nodes(&self) -> usize {
        self.requirement.machine.network().nodes()
    }

    fn bytes(&self) -> u64 {
        self.requirement.bytes
    }

    fn work(&self) -> Work {
        duration::work(self, true)
    }

    fn kind_of_work(&self) -> String {
        self.place.network.name().to_owned()
    }

    fn cost(&self) -> Result<Cost, Error> {
        duration::cost(self)
    }

    fn run(&self) -> Result<Row, Error> {
        match self.place.load {
            Load::Once(_) | Load::Offered(_) => Ok(row::row(&run::run(&self.place.run_options())?)),
            Load::Sought {
                latency_bound,
                tolerance,
            } => search::row(self, latency_bound, tolerance),
        }
    }
}

/// A network, with the copies in use where it is made of them, and how messages are cut, if not as usual.
pub(super) fn network_label(network: &str, in_use: Option<usize>, pieces: &str) -> String {
    let usual = pieces == PiecesName::default().name();
    let in_use = in_use.map_or(String::new(), |copies| format!(" {copies}"));
    let pieces = if usual {
        String::new()
    } else {
        format!(" {pieces}")
    };
    format!("{network}{in_use}{pieces}")
}

/// Sizes a place up, and looks whether its nodes have its pattern, if that is not known of as many nodes.
pub(super) fn sized_up(
    place: &Place,
    with_pattern: &mut HashSet<(usize, &'static str)>,
) -> Result<Requirement, Error> {
    let options = place.run_options();
    let requirement = requirement(&options)?;
    let nodes = requirement.machine.network().nodes();
    if !with_pattern.contains(&(nodes, place.traffic)) {
        traffic::check_pattern(&options.setup, &requirement.machine)?;
        with_pattern.insert((nodes, place.traffic));
    }
    Ok(requirement)
}
