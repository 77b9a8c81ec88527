//! The grid of a sweep of wormhole routers: its points, each checked before the first one runs.

use std::collections::HashSet;
use std::fmt;
use std::time::Instant;

use rtl_model::memory;
use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::measure::MeasureOptions;
use crate::measure::grid::{check_amount, check_seeds, product};
use crate::measure::left_out::LeftOut;
use crate::measure::ranges;
use crate::measure::run::Job;
use crate::measure::wormhole::duration;
use crate::measure::wormhole::lists::{self, InUse};
use crate::measure::wormhole::row::Row;
use crate::options::{RunOptions, Setup};
use crate::wormhole::options::{
    DEFAULT_BUFFER_BITS, DEFAULT_LEVELS, DEFAULT_MESSAGE_BITS, DEFAULT_VIRTUAL_CHANNELS,
    InjectionSetup, NAME, NetworkName, SwitchName, WormholeSetup,
};
use crate::wormhole::requirement::{Requirement, requirement};
use crate::wormhole::run;
use crate::wormhole::traffic;

/// What a point sends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Load {
    /// One message of each of a share of the nodes, all at bit time 0.
    Once(f64),
    /// Message bits of each node in a bit time.
    Offered(f64),
}

/// A point of the grid.
#[derive(Clone)]
pub(super) struct Point {
    pub network: NetworkName,
    /// Of network copies, those in use.
    pub copies: Option<InUse>,
    pub dims: usize,
    pub message_bits: usize,
    pub virtual_channels: usize,
    pub buffer_bits: usize,
    pub switch: SwitchName,
    pub traffic: &'static str,
    pub load: Load,
    pub seed: u64,
    pub requirement: Option<Requirement>,
}

impl fmt::Display for Point {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let load = match self.load {
            Load::Once(load) => format!("load {load}"),
            Load::Offered(load) => format!("offered load {load}"),
        };
        write!(
            formatter,
            "{}, n = {}, M = {}, V = {}, b = {}, switch {}, traffic {}, {load}, seed {}",
            self.network_label(),
            self.dims,
            self.message_bits,
            self.virtual_channels,
            self.buffer_bits,
            self.switch.name(),
            self.traffic,
            self.seed
        )
    }
}

impl Point {
    /// The network, with the copies in use.
    pub fn network_label(&self) -> String {
        network_label(self.network.name(), self.in_use())
    }

    /// Copies in use, where the network is made of them.
    fn in_use(&self) -> Option<usize> {
        self.copies.map(|copies| copies.of(self.dims))
    }

    /// The point that a run is. Its traffic is not looked at.
    pub fn of_run(options: &RunOptions) -> Result<Self, Error> {
        let (setup, wormhole) = (&options.setup, &options.setup.wormhole);
        let requirement = requirement(options)?;
        let network = wormhole.network.unwrap_or_default();
        let copies = match network {
            NetworkName::Copies => Some(wormhole.copies.map_or(InUse::All, InUse::Number)),
            NetworkName::Ccc | NetworkName::Ecube => None,
        };
        let parameters = requirement.machine.parameters();
        Ok(Point {
            network,
            copies,
            dims: setup.dims.unwrap_or(DEFAULT_LEVELS),
            message_bits: requirement.message_bits,
            virtual_channels: parameters.virtual_channels,
            buffer_bits: parameters.buffer_bits,
            switch: wormhole.switch.unwrap_or_default(),
            traffic: Pattern::Randperm.name(),
            load: match options.injection.offered_load {
                Some(load) => Load::Offered(load),
                None => Load::Once(traffic::checked_load(setup)?),
            },
            seed: setup.seed,
            requirement: Some(requirement),
        })
    }

    /// As a run of its own.
    pub fn run_options(&self) -> RunOptions {
        let (load, offered_load) = match self.load {
            Load::Once(load) => (Some(load), None),
            Load::Offered(load) => (None, Some(load)),
        };
        RunOptions {
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
                },
                ..Setup::default()
            },
            injection: InjectionSetup {
                offered_load,
                ..InjectionSetup::default()
            },
            quiet: true,
            ..RunOptions::default()
        }
    }
}

impl Job for Point {
    type Row = Row;

    fn work(&self) -> u64 {
        duration::work(self)
    }

    fn bytes(&self) -> u64 {
        self.requirement.as_ref().map_or(0, |known| known.bytes)
    }

    fn run(&self) -> Result<Row, Error> {
        let begin = Instant::now();
        let report = run::run(&self.run_options())?;
        Ok(Row::new(&report, begin.elapsed().as_secs_f64()))
    }

    fn at_point(&self, reason: Error) -> Error {
        match reason {
            Error::Interrupted => reason,
            reason => Error::AtPoint {
                point: self.to_string(),
                reason: Box::new(reason),
            },
        }
    }
}

/// A network, with the copies in use where it is made of them.
pub(super) fn network_label(network: &str, in_use: Option<usize>) -> String {
    match in_use {
        Some(copies) => format!("{network} {copies}"),
        None => network.to_owned(),
    }
}

/// The lists of the command line.
struct Lists {
    networks: Vec<NetworkName>,
    copies: Vec<InUse>,
    virtual_channels: Vec<usize>,
    buffer_bits: Vec<usize>,
    switches: Vec<SwitchName>,
    message_bits: Vec<usize>,
    patterns: Vec<Pattern>,
    dims: Vec<usize>,
    loads: Vec<Load>,
}

impl Lists {
    fn new(options: &MeasureOptions) -> Result<Self, Error> {
        let grid = &options.wormhole;
        let numbers = |option, list: &Option<String>, default| match list {
            None => Ok(vec![default]),
            Some(list) => ranges::numbers(option, list),
        };
        let networks = [NetworkName::Ccc, NetworkName::Copies, NetworkName::Ecube];
        let networks = networks.map(|network| (network.name(), network));
        let switches = [SwitchName::Strong, SwitchName::Weak].map(|one| (one.name(), one));
        let patterns: Vec<_> = Pattern::entries()
            .map(|(name, pattern, _)| (name, pattern))
            .collect();
        let traffic = options.traffic.as_deref().unwrap_or("randperm");
        let channels = "--virtual-channels";
        Ok(Lists {
            networks: lists::named(
                "network",
                grid.network.as_deref().unwrap_or("ccc"),
                &networks,
            )?,
            copies: lists::copies(grid.copies.as_deref().unwrap_or("all"))?,
            virtual_channels: numbers(channels, &grid.virtual_channels, DEFAULT_VIRTUAL_CHANNELS)?,
            buffer_bits: numbers("--buffer-bits", &grid.buffer_bits, DEFAULT_BUFFER_BITS)?,
            switches: lists::named(
                "switch",
                grid.switch.as_deref().unwrap_or("strong"),
                &switches,
            )?,
            message_bits: numbers("--message-bits", &grid.message_bits, DEFAULT_MESSAGE_BITS)?,
            patterns: lists::named("traffic pattern", traffic, &patterns)?,
            dims: numbers("--dims", &options.dims, DEFAULT_LEVELS)?,
            loads: match &grid.offered_load {
                Some(list) => ranges::shares("--offered-load", list)?
                    .into_iter()
                    .map(Load::Offered)
                    .collect(),
                None => ranges::shares("--load", options.load.as_deref().unwrap_or("1"))?
                    .into_iter()
                    .map(|load| Load::Once(load + 0.0))
                    .collect(),
            },
        })
    }

    /// Virtual channels of a network.
    fn virtual_channels(&self, network: NetworkName) -> &[usize] {
        match network {
            NetworkName::Ecube => &[1],
            NetworkName::Ccc | NetworkName::Copies => &self.virtual_channels,
        }
    }

    /// Points of one seed, at the most.
    fn amount(&self) -> u128 {
        let of_network = |&network| {
            let copies = match network {
                NetworkName::Copies => self.copies.len(),
                NetworkName::Ccc | NetworkName::Ecube => 1,
            };
            product(&[copies, self.virtual_channels(network).len()])
        };
        let networks: u128 = self.networks.iter().map(of_network).sum();
        networks
            * product(&[
                self.buffer_bits.len(),
                self.switches.len(),
                self.message_bits.len(),
                self.patterns.len(),
                self.dims.len(),
                self.loads.len(),
            ])
    }

    /// All points of one seed, in the order of the grid.
    fn points(&self, seed: u64) -> Vec<Point> {
        let mut points = Vec::new();
        for &network in &self.networks {
            let copies = match network {
                NetworkName::Copies => self.copies.iter().copied().map(Some).collect(),
                NetworkName::Ccc | NetworkName::Ecube => vec![None],
            };
            let one = vec![Point {
                network,
                copies: None,
                dims: 0,
                message_bits: 0,
                virtual_channels: 0,
                buffer_bits: 0,
                switch: SwitchName::Strong,
                traffic: "",
                load: Load::Once(0.0),
                seed,
                requirement: None,
            }];
            let channels = self.virtual_channels(network);
            let some = each(one, &copies, |point, copies| point.copies = copies);
            let some = each(some, channels, |point, v| point.virtual_channels = v);
            let some = each(some, &self.buffer_bits, |point, b| point.buffer_bits = b);
            let some = each(some, &self.switches, |point, switch| point.switch = switch);
            let some = each(some, &self.message_bits, |point, m| point.message_bits = m);
            let some = each(some, &self.patterns, |point, pattern| {
                point.traffic = pattern.name();
            });
            let some = each(some, &self.dims, |point, n| point.dims = n);
            points.extend(each(some, &self.loads, |point, load| point.load = load));
        }
        // Where a number of copies is that of all.
        let mut seen = HashSet::new();
        points.retain(|point| seen.insert(point.to_string()));
        points
    }
}

/// Each point with each value.
fn each<T: Copy>(points: Vec<Point>, values: &[T], set: fn(&mut Point, T)) -> Vec<Point> {
    let with = |point: Point| {
        values.iter().map(move |&value| {
            let mut point = point.clone();
            set(&mut point, value);
            point
        })
    };
    points.into_iter().flat_map(with).collect()
}

/// Refuses options that mean nothing here.
fn check_options(options: &MeasureOptions) -> Result<(), Error> {
    let grid = &options.wormhole;
    let given = [
        (
            "--schedule",
            options.schedule.is_some(),
            "worms set their own pace",
        ),
        (
            "--payload-bits",
            options.payload_bits.is_some(),
            "give --message-bits",
        ),
        (
            "--load with --offered-load",
            options.load.is_some() && grid.offered_load.is_some(),
            "under continuous injection every node sends",
        ),
    ];
    match given.into_iter().find(|(_, given, _)| *given) {
        Some((option, _, why)) => Err(Error::NotApplicable {
            bench: NAME,
            option,
            why,
        }),
        None => Ok(()),
    }
}

/// Refuses copies where no network has any.
fn check_copies(options: &MeasureOptions, lists: &Lists) -> Result<(), Error> {
    let network = match lists.networks[..] {
        // All of none are none.
        _ if (options.wormhole.copies.as_deref()).is_none_or(|list| list == "all") => return Ok(()),
        _ if lists.networks.contains(&NetworkName::Copies) => return Ok(()),
        [network, ..] => network,
        [] => NetworkName::Ccc,
    };
    Err(Error::NotOfNetwork {
        network: network.name(),
        option: "--copies",
        why: "a message goes whole; only --network copies splits it",
    })
}

/// All points that can be, each sized up.
///
/// # Errors
/// A list that cannot be read, an option that means nothing here, something out of range; no points at all.
pub(super) fn points(
    options: &MeasureOptions,
    left_out: &mut LeftOut,
) -> Result<Vec<Point>, Error> {
    check_options(options)?;
    let lists = Lists::new(options)?;
    check_copies(options, &lists)?;
    check_seeds(options)?;
    check_amount(lists.amount() * u128::from(options.seeds))?;
    let mut points = Vec::new();
    let mut with_pattern = HashSet::new();
    for mut point in lists.points(options.seed) {
        let sized = left_out.keep(
            size_up(&point, &mut with_pattern),
            (&point, options.seeds as usize),
        );
        let Some(requirement) = sized.map_err(|reason| point.at_point(reason))? else {
            continue;
        };
        point.requirement = Some(requirement);
        for seed in 0..options.seeds {
            points.push(Point {
                seed: options.seed + seed,
                ..point.clone()
            });
        }
    }
    Ok(points)
}

/// Sizes a point up, and looks whether its nodes have its pattern, if that is not known of as many nodes.
fn size_up(
    point: &Point,
    with_pattern: &mut HashSet<(usize, &'static str)>,
) -> Result<Requirement, Error> {
    let options = point.run_options();
    let requirement = requirement(&options)?;
    let nodes = requirement.machine.network().nodes();
    if !with_pattern.contains(&(nodes, point.traffic)) {
        traffic::check_pattern(&options.setup, &requirement.machine)?;
        with_pattern.insert((nodes, point.traffic));
    }
    Ok(requirement)
}

/// Refuses a point that would not fit even alone.
///
/// # Errors
/// The first of them.
pub(super) fn check_memory(points: &[Point], available: u64) -> Result<(), Error> {
    for point in points {
        let known = point.requirement.as_ref();
        let nodes = known.map_or(0, |known| known.machine.network().nodes());
        let what = format!("the point {point}");
        memory::require_for_nodes(what, nodes, point.bytes(), available)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::wormhole::WormholeGrid;

    fn of(dims: &str, grid: WormholeGrid) -> Result<Vec<String>, String> {
        let options = MeasureOptions {
            dims: Some(dims.to_owned()),
            wormhole: grid,
            seed: 5,
            seeds: 1,
            ..MeasureOptions::default()
        };
        let mut left_out = LeftOut::default();
        let points = points(&options, &mut left_out).map_err(|error| error.to_string())?;
        let label = |point: &Point| {
            let (n, channels) = (point.dims, point.virtual_channels);
            format!("{} n={n} V={channels}", point.network_label())
        };
        let mut named: Vec<String> = points.iter().map(label).collect();
        let without = left_out.leaves(Vec::<u8>::new());
        named.extend(without.err().map(|without| format!("without {without}")));
        Ok(named)
    }

    fn list(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn each_network_takes_of_the_lists_what_it_has() {
        let grid = WormholeGrid {
            network: list("all"),
            copies: list("1,2,all"),
            virtual_channels: list("2,3"),
            ..WormholeGrid::default()
        };
        assert_eq!(
            of("2", grid).unwrap(),
            [
                "ccc n=2 V=2",
                "ccc n=2 V=3",
                "copies 1 n=2 V=2",
                "copies 1 n=2 V=3",
                // All that there are.
                "copies 2 n=2 V=2",
                "copies 2 n=2 V=3",
                "ecube n=2 V=1",
            ]
        );
    }

    #[test]
    fn a_point_that_there_cannot_be_is_left_out_and_what_is_out_of_range_refused() {
        let networks = |network, copies: Option<&str>| WormholeGrid {
            network: list(network),
            copies: copies.and_then(list),
            ..WormholeGrid::default()
        };
        assert_eq!(of("2..4", networks("ccc", None)).unwrap().len(), 3);
        for (dims, grid, points, without) in [
            (
                "2..4",
                networks("copies", None),
                2,
                "without copies 3, n = 3, M = 64, ",
            ),
            (
                "2,5",
                networks("ecube", None),
                1,
                "without ecube, n = 5, M = 64, V = 1, ",
            ),
            (
                "2,4",
                networks("copies", Some("3")),
                1,
                "without copies 3, n = 2, ",
            ),
        ] {
            let points_and_without = of(dims, grid).unwrap();
            assert_eq!(
                points_and_without.len(),
                points + 1,
                "{points_and_without:?}"
            );
            assert!(
                points_and_without[points].starts_with(without),
                "{points_and_without:?}"
            );
        }
        for (dims, grid, refusal) in [
            ("2,17", networks("ccc", None), "ccc, n = 17, "),
            ("2,4", networks("copies", Some("0,2")), "copies 0, n = 2, "),
        ] {
            let said = of(dims, grid).unwrap_err();
            assert!(
                said.starts_with(refusal) && said.contains("out of range"),
                "{said}"
            );
        }
    }
}
