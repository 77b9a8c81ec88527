//! The axes of a sweep of broadcasts, as options and as lists.

use clap::Args;
use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};

use crate::error::Error;
use crate::families::ports::measure::point::{Amount, Place};
use crate::families::ports::options::{
    DEFAULT_DIMENSIONS, DEFAULT_MESSAGE_BITS, DEFAULT_START_UP, NAME, port_model,
};
use crate::measure::Seeds;
use crate::measure::axes::Axes;
use crate::measure::ranges::{insert, named, numbers};

/// What `--packet-bits` says for the optimum of the formula.
const OPTIMUM: &str = "optimum";

/// Axes of a sweep of broadcasts.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Grid")]
pub(super) struct BroadcastAxes {
    /// Broadcasts: hp, sbt, tcbt, msbt, broadcast-1, broadcast-2, broadcast-3a, broadcast-3b, broadcast-4, or all
    /// [default: all]
    #[arg(long, value_name = "LIST")]
    pub algorithm: Option<String>,

    /// Ports: one-way, two-way, all (all ports at once), or all-models, each broadcast on those that it is defined for
    /// [default: all-models]
    #[arg(long, value_name = "LIST")]
    pub ports: Option<String>,

    /// Dimensions of the hypercube: numbers and ranges, as in 2..8,10 or 2..8:2, both ends included [default: 6]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub dims: Option<String>,

    /// Bits of the message, M: numbers and ranges [default: 1024]
    #[arg(
        long,
        value_name = "LIST",
        allow_hyphen_values = true,
        conflicts_with = "packets"
    )]
    pub message_bits: Option<String>,

    /// Packets, P, in place of the bits of the message, which then are P packets of --packet-bits each [default of these: 8]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub packets: Option<String>,

    /// Bits of a packet, B: numbers and ranges, and optimum for that for which the formula has the fewest bit times
    /// [default: optimum]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub packet_bits: Option<String>,

    /// Bit times before the first bit of a packet, T: numbers and ranges [default: 8]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub start_up: Option<String>,

    /// The node that has the message: numbers and ranges [default: 0]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub source: Option<String>,
}

/// Packet bits where packets are counted.
const DEFAULT_PACKET_BITS: usize = 8;

impl BroadcastAxes {
    /// A grid of places for each broadcast on each of its ports, with the first seed.
    ///
    /// # Errors
    /// A list that cannot be read; a broadcast with none of the ports.
    pub(super) fn places(&self, seeds: &Seeds) -> Result<Vec<Axes<Place>>, Error> {
        let or_one = |option, list: &Option<String>, default| match list {
            None => Ok(vec![default]),
            Some(list) => numbers(option, list),
        };
        let algorithms = Algorithm::EACH.map(|one| (one.name(), one));
        let list = self.algorithm.as_deref().unwrap_or("all");
        let algorithms = named("broadcast", list, &algorithms)?;
        let models = self.port_models()?;
        let dims = or_one("--dims", &self.dims, DEFAULT_DIMENSIONS)?;
        let start_ups = or_one("--start-up", &self.start_up, DEFAULT_START_UP)?;
        let sources = or_one("--source", &self.source, 0)?;
        let amounts = self.amounts()?;
        let mut grids = Vec::new();
        for &algorithm in &algorithms {
            let each = algorithm.port_models().iter();
            for &ports in each.filter(|model| models.contains(model)) {
                let first = Place {
                    algorithm,
                    ports,
                    dims: DEFAULT_DIMENSIONS,
                    source: 0,
                    start_up: DEFAULT_START_UP,
                    amount: Amount::Bits {
                        message_bits: DEFAULT_MESSAGE_BITS,
                        packet_bits: None,
                    },
                    seed: seeds.first,
                };
                grids.push(
                    Axes::new(first)
                        .over(&dims, |place, dims| place.dims = dims)
                        .over(&amounts, |place, amount| place.amount = amount)
                        .over(&start_ups, |place, bits| place.start_up = bits)
                        .over(&sources, |place, source| place.source = source),
                );
            }
        }
        match (grids.is_empty(), algorithms.first(), models.first()) {
            (true, Some(algorithm), Some(ports)) => {
                Err(algorithm
                    .check(*ports)
                    .map_or_else(Error::from, |()| Error::NotApplicable {
                        bench: NAME,
                        option: "--ports",
                        why: "no broadcast of the list is defined for them",
                    }))
            }
            _ => Ok(grids),
        }
    }

    fn port_models(&self) -> Result<Vec<PortModel>, Error> {
        let list = self.ports.as_deref().unwrap_or("all-models");
        let mut models = Vec::new();
        for name in list.split(',').map(str::trim) {
            match name {
                "all-models" => PortModel::EACH
                    .into_iter()
                    .for_each(|model| insert(&mut models, model)),
                name => insert(&mut models, port_model(name)?),
            }
        }
        Ok(models)
    }

    /// How much is sent, in how large packets.
    fn amounts(&self) -> Result<Vec<Amount>, Error> {
        let mut sizes: Vec<Option<usize>> = Vec::new();
        for item in self.packet_bits.iter().flat_map(|list| list.split(',')) {
            match item.trim() {
                OPTIMUM => insert(&mut sizes, None),
                item => {
                    for bits in numbers("--packet-bits", item)? {
                        insert(&mut sizes, Some(bits));
                    }
                }
            }
        }
        let mut amounts = Vec::new();
        if let Some(list) = &self.packets {
            if sizes.contains(&None) {
                return Err(Error::NotApplicable {
                    bench: NAME,
                    option: "--packet-bits optimum with --packets",
                    why: "the packets are counted, so their size has to be given",
                });
            }
            if sizes.is_empty() {
                sizes.push(Some(DEFAULT_PACKET_BITS));
            }
            for packets in numbers("--packets", list)? {
                for &packet_bits in sizes.iter().flatten() {
                    amounts.push(Amount::Packets {
                        packets,
                        packet_bits,
                    });
                }
            }
            return Ok(amounts);
        }
        let messages = match &self.message_bits {
            None => vec![DEFAULT_MESSAGE_BITS],
            Some(list) => numbers("--message-bits", list)?,
        };
        if sizes.is_empty() {
            sizes.push(None);
        }
        for message_bits in messages {
            for &packet_bits in &sizes {
                amounts.push(Amount::Bits {
                    message_bits,
                    packet_bits,
                });
            }
        }
        Ok(amounts)
    }
}
