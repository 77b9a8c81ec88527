//! The axes of a sweep of wormhole routers, as options and as lists.

use clap::Args;
use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::families::wormhole::measure::lists::{self, InUse};
use crate::families::wormhole::measure::point::{Load, Place};
use crate::families::wormhole::options::{
    DEFAULT_BUFFER_BITS, DEFAULT_LEVELS, DEFAULT_MESSAGE_BITS, DEFAULT_VIRTUAL_CHANNELS, NAME,
    NetworkName, SwitchName,
};
use crate::measure::Seeds;
use crate::measure::axes::Axes;
use crate::measure::ranges::{named, numbers, shares};

/// Axes of a sweep of wormhole routers.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Grid")]
pub(super) struct WormholeAxes {
    /// Levels of the cube-connected cycles: numbers and ranges, as in 2..8,10, both ends included [default: 4]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub dims: Option<String>,

    /// Networks of --dims n: ccc, copies, ecube, or all [default: ccc]
    #[arg(long, value_name = "LIST")]
    pub network: Option<String>,

    /// Copies in use, of network copies: numbers and ranges, and all for as many as there are. With several, and with
    /// ecube beside copies, the ratios of bit times are added below the table [default: all]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub copies: Option<String>,

    /// Bits of every message, headers not counted: numbers and ranges [default: 64]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub message_bits: Option<String>,

    /// Virtual channels of a straight link: numbers and ranges. Network ecube takes 1, whatever others take
    /// [default: 3]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub virtual_channels: Option<String>,

    /// Bits that each channel's buffer holds: numbers and ranges [default: 2]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub buffer_bits: Option<String>,

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
}

impl WormholeAxes {
    /// A grid of places for each network, with the first seed.
    ///
    /// # Errors
    /// A list that cannot be read; options that mean nothing together.
    pub(super) fn places(&self, seeds: &Seeds) -> Result<Vec<Axes<Place>>, Error> {
        if self.load.is_some() && self.offered_load.is_some() {
            return Err(Error::NotApplicable {
                bench: NAME,
                option: "--load with --offered-load",
                why: "under continuous injection every node sends",
            });
        }
        let or_one = |option, list: &Option<String>, default| match list {
            None => Ok(vec![default]),
            Some(list) => numbers(option, list),
        };
        let networks = [NetworkName::Ccc, NetworkName::Copies, NetworkName::Ecube];
        let networks = networks.map(|network| (network.name(), network));
        let list = self.network.as_deref().unwrap_or("ccc");
        let networks = named("network", list, &networks)?;
        let copies = lists::copies(self.copies.as_deref().unwrap_or("all"))?;
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
            let (copies, channels) = match network {
                NetworkName::Ccc => (vec![None], &channels[..]),
                NetworkName::Copies => (copies.iter().copied().map(Some).collect(), &channels[..]),
                NetworkName::Ecube => (vec![None::<InUse>], &[1][..]),
            };
            Axes::new(Place::of(network, seeds.first))
                .over(&copies, |place, copies| place.copies = copies)
                .over(channels, |place, channels| {
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

    /// Refuses copies where no network has any.
    fn check_copies(&self, networks: &[NetworkName]) -> Result<(), Error> {
        // All of none are none.
        let is_given = self.copies.as_deref().is_some_and(|list| list != "all");
        match networks {
            [network, ..] if is_given && !networks.contains(&NetworkName::Copies) => {
                Err(Error::NotOfNetwork {
                    network: network.name(),
                    option: "--copies",
                    why: "a message goes whole; only --network copies splits it",
                })
            }
            _ => Ok(()),
        }
    }
}
