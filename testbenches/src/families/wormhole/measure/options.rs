//! The axes of a sweep of wormhole routers, as options and as lists.

use clap::{Args, ValueEnum};
use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::families::wormhole::measure::lists::{self, InUse};
use crate::families::wormhole::measure::point::{Load, Place};
use crate::families::wormhole::measure::search;
use crate::families::wormhole::options::{
    DEFAULT_BUFFER_BITS, DEFAULT_LEVELS, DEFAULT_MESSAGE_BITS, DEFAULT_VIRTUAL_CHANNELS, NAME,
    NetworkName, PiecesName, SwitchName,
};
use crate::measure::Seeds;
use crate::measure::axes::Axes;
use crate::measure::ranges::{insert, named, numbers, shares};
use crate::options::{share, whole_number};

/// Axes of a sweep of wormhole routers.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Grid")]
pub(super) struct WormholeAxes {
    /// Levels of the cube-connected cycles: numbers and ranges, as in 2..8,10 or 2..8:2, both ends included [default: 4]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub dims: Option<String>,

    /// Networks of --dims n, as of `run`, or all [default: ccc]
    #[arg(long, value_name = "LIST")]
    pub network: Option<String>,

    /// Copies in use, of network copies: numbers and ranges, and all for as many as there are. With several, with --pieces all,
    /// and with ecube beside copies, the ratios of bit times are added below the table [default: all]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub copies: Option<String>,

    /// How messages are cut, of network copies: by-way, even, or all [default: by-way]
    #[arg(long, value_name = "LIST")]
    pub pieces: Option<String>,

    /// Bits of every message, headers not counted: numbers and ranges [default: 64]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub message_bits: Option<String>,

    /// Virtual channels of a straight link: numbers and ranges. Network ecube takes 1 and valiant 2 at the most, whatever
    /// others take [default: 3]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub virtual_channels: Option<String>,

    /// Bits that each channel's buffer holds: numbers and ranges [default: 2]
    #[arg(
        long,
        value_name = "LIST",
        allow_hyphen_values = true,
        conflicts_with = "storage"
    )]
    pub buffer_bits: Option<String>,

    /// Give every network the same storage: buffers of as many bits as can be, 64 at the most, so that a node stores no more
    /// bits than this
    #[arg(long, value_name = "BITS", value_parser = whole_number::<usize>)]
    pub storage: Option<usize>,

    /// New connections in a node in a bit time: strong, weak, or all [default: strong]
    #[arg(long, value_name = "LIST")]
    pub switch: Option<String>,

    /// Traffic patterns, as of `run`, or all [default: randperm]
    #[arg(long, value_name = "LIST")]
    pub traffic: Option<String>,

    /// Shares of the nodes that send a message each, 0 to 1, as in 0.25,0.5..0.9:0.1 (from, to and including, and by how
    /// much, 0.05 if that is left out) [default: 1]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub load: Option<String>,

    /// Continuous injection: message bits that each node offers in a bit time, on the average, as in
    /// 0.01,0.05..0.9 or 0.1..0.9:0.2 (from, to and including, and by how much, 0.05 if that is left out). Every
    /// load runs in full: at a saturated one, latencies are of those messages that arrived in the time for it
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub offered_load: Option<String>,

    /// Find the offered load that each network carries, in place of a list of them: the one at which the average latency passes
    /// its bound, or the backlog grows without end. A row says between which two loads that is
    #[arg(long)]
    pub saturation: bool,

    /// With --saturation: the latency that is too long, in bit times [default: 3 times that of messages which are hardly ever
    /// in each other's way, measured at an offered load of 0.01]
    #[arg(long, value_name = "T", value_parser = whole_number::<u64>)]
    pub latency_bound: Option<u64>,

    /// With --saturation: how near to each other the two loads shall be, 0.0001 to 0.5 [default: 0.005]
    #[arg(long, value_name = "LOAD", value_parser = share)]
    pub tolerance: Option<f64>,

    /// With --offered-load or --saturation: bit times before each measurement, as of `run` [default: as many as it takes]
    #[arg(long, value_name = "T", value_parser = whole_number::<u64>)]
    pub warm_up: Option<u64>,

    /// With --offered-load or --saturation: bit times of each measurement, as of `run` [default: as many as it takes]
    #[arg(long, value_name = "T", value_parser = whole_number::<u64>)]
    pub measurement: Option<u64>,

    /// With --offered-load or --saturation: bit times after each measurement at the most, as of `run` [default: ten times the
    /// shortest measurement]
    #[arg(long, value_name = "T", value_parser = whole_number::<u64>)]
    pub drain: Option<u64>,
}

impl WormholeAxes {
    /// A grid of places for each network, with the first seed.
    ///
    /// # Errors
    /// A list that cannot be read; options that mean nothing together.
    pub(super) fn places(&self, seeds: &Seeds) -> Result<Vec<Axes<Place>>, Error> {
        self.check_injection()?;
        let or_one = |option, list: &Option<String>, default| match list {
            None => Ok(vec![default]),
            Some(list) => numbers(option, list),
        };
        let networks = NetworkName::value_variants().iter();
        let networks: Vec<_> = networks.map(|&network| (network.name(), network)).collect();
        let list = self.network.as_deref().unwrap_or("ccc");
        let networks = named("network", list, &networks)?;
        let copies = lists::copies(self.copies.as_deref().unwrap_or("all"))?;
        let pieces = PiecesName::value_variants().iter();
        let pieces: Vec<_> = pieces.map(|&pieces| (pieces.name(), pieces)).collect();
        let list = self.pieces.as_deref().unwrap_or("by-way");
        let pieces = named("way to cut messages", list, &pieces)?;
        let option = "--virtual-channels";
        let channels = or_one(option, &self.virtual_channels, DEFAULT_VIRTUAL_CHANNELS)?;
        let buffers = or_one("--buffer-bits", &self.buffer_bits, DEFAULT_BUFFER_BITS)?;
        let switches = [SwitchName::Strong, SwitchName::Weak].map(|one| (one.name(), one));
        let list = self.switch.as_deref().unwrap_or("strong");
        let switches = named("switch", list, &switches)?;
        let messages = or_one("--message-bits", &self.message_bits, DEFAULT_MESSAGE_BITS)?;
        let patterns = Pattern::entries().map(|(name, pattern, _)| (name, pattern));
        let list = self.traffic.as_deref().unwrap_or(Pattern::Randperm.name());
        let patterns = named("traffic pattern", list, &patterns.collect::<Vec<_>>())?;
        let dims = or_one("--dims", &self.dims, DEFAULT_LEVELS)?;
        let loads: Vec<Load> = match &self.offered_load {
            None if self.saturation => vec![Load::Sought {
                latency_bound: self.latency_bound,
                tolerance: self.checked_tolerance()?,
            }],
            Some(list) => {
                let loads = shares("--offered-load", list)?.into_iter();
                loads.map(Load::Offered).collect()
            }
            None => {
                let loads = shares("--load", self.load.as_deref().unwrap_or("1"))?;
                // A zero has no sign here.
                loads
                    .into_iter()
                    .map(|load| Load::Once(load + 0.0))
                    .collect()
            }
        };
        self.check_copies(&networks)?;
        let of_network = |network| {
            let copies = match network {
                NetworkName::Copies => copies.iter().copied().map(Some).collect(),
                _ => vec![None::<InUse>],
            };
            let pieces = match network {
                NetworkName::Copies => pieces.clone(),
                _ => vec![PiecesName::default()],
            };
            let mut of_use: Vec<usize> = Vec::new();
            for &channels in &channels {
                insert(
                    &mut of_use,
                    channels.min(network.most_virtual_channels(usize::MAX)),
                );
            }
            let first = Place {
                warm_up: self.warm_up,
                measurement: self.measurement,
                drain: self.drain,
                ..Place::of(network, seeds.first)
            };
            Axes::new(first)
                .over(&copies, |place, copies| place.copies = copies)
                .over(&pieces, |place, pieces| place.pieces = pieces)
                .over(&of_use, |place, channels| {
                    place.virtual_channels = channels;
                })
                .over(&buffers, |place, bits| place.buffer_bits = bits)
                .over(&switches, |place, switch| place.switch = switch)
                .over(&messages, |place, bits| place.message_bits = bits)
                .over(&patterns, |place, pattern| place.traffic = pattern.name())
                .over(&dims, |place, dims| place.dims = dims)
                .over(&loads, |place, load| place.load = load)
        };
        Ok(networks.into_iter().map(of_network).collect())
    }

    /// Refuses what means nothing together, or alone.
    fn check_injection(&self) -> Result<(), Error> {
        let refused = |option, why| {
            Err(Error::NotApplicable {
                bench: NAME,
                option,
                why,
            })
        };
        match (self.saturation, &self.load, &self.offered_load) {
            (true, Some(_), _) => {
                return refused(
                    "--load with --saturation",
                    "under continuous injection every node sends",
                );
            }
            (true, _, Some(_)) => {
                return refused(
                    "--offered-load with --saturation",
                    "the load is what --saturation finds: give one of them",
                );
            }
            (false, Some(_), Some(_)) => {
                return refused(
                    "--load with --offered-load",
                    "under continuous injection every node sends",
                );
            }
            _ => {}
        }
        let needs_search = [
            (
                "--latency-bound without --saturation",
                self.latency_bound.is_some(),
            ),
            ("--tolerance without --saturation", self.tolerance.is_some()),
        ];
        if let Some((option, _)) = needs_search
            .iter()
            .find(|(_, is_given)| *is_given && !self.saturation)
        {
            return refused(
                option,
                "no load is looked for: add --saturation, or leave it out",
            );
        }
        if self.latency_bound == Some(0) {
            return refused(
                "--latency-bound 0",
                "every message takes longer: give 1 bit time or more",
            );
        }
        let has_phases = self.saturation || self.offered_load.is_some();
        let of_phases = [
            ("--warm-up without --offered-load", self.warm_up),
            ("--measurement without --offered-load", self.measurement),
            ("--drain without --offered-load", self.drain),
        ];
        match of_phases
            .iter()
            .find(|(_, given)| given.is_some() && !has_phases)
        {
            Some((option, _)) => refused(
                option,
                "each node sends one message, and the run ends when all have arrived: add --offered-load, as in \
                 --offered-load 0.1,0.2",
            ),
            None => Ok(()),
        }
    }

    /// How near the two loads shall be between which saturation is.
    fn checked_tolerance(&self) -> Result<f64, Error> {
        match self.tolerance {
            None => Ok(search::TOLERANCE),
            Some(tolerance) if (search::LEAST_TOLERANCE..=0.5).contains(&tolerance) => {
                Ok(tolerance)
            }
            Some(tolerance) => Err(Error::List {
                option: "--tolerance",
                why: format!("{tolerance} is out of range: choose 0.0001 to 0.5"),
            }),
        }
    }

    /// Refuses copies and pieces where no network has any.
    fn check_copies(&self, networks: &[NetworkName]) -> Result<(), Error> {
        // All of none are none.
        let is_given = self.copies.as_deref().is_some_and(|list| list != "all");
        let of_copies = [("--copies", is_given), ("--pieces", self.pieces.is_some())];
        let given = of_copies.into_iter().find(|(_, is_given)| *is_given);
        match (networks, given) {
            ([network, ..], Some((option, _))) if !networks.contains(&NetworkName::Copies) => {
                Err(Error::NotOfNetwork {
                    network: network.name(),
                    option,
                    why: "a message goes whole; only --network copies splits it",
                })
            }
            _ => Ok(()),
        }
    }
}
