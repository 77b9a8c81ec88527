//! The axes of a sweep of embeddings, as options and as lists.

use clap::Args;
use rtl_model::embedding::constructions::CONSTRUCTIONS;
use rtl_model::embedding::phase::Order;

use crate::error::Error;
use crate::families::embeddings::measure::point::{Bits, Place};
use crate::families::embeddings::options::{DEFAULT_GUEST, DEFAULT_MESSAGE_BITS};
use crate::measure::Seeds;
use crate::measure::axes::Axes;
use crate::measure::ranges::{named, numbers};

/// Axes of a sweep.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Grid")]
pub(super) struct EmbeddingAxes {
    /// Guests, by their names in `cubewave embedding`, or all [default: cycle]
    #[arg(long, value_name = "LIST")]
    pub guest: Option<String>,

    /// Dimensions n of the hypercube: numbers and ranges, as in 4..8,16, both ends included [default: as many as suit each guest]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub dims: Option<String>,

    /// Bits of the message of every guest edge: numbers and ranges [default: 64]
    #[arg(
        long,
        value_name = "LIST",
        allow_hyphen_values = true,
        conflicts_with = "node_bits"
    )]
    pub message_bits: Option<String>,

    /// Bits that a node of the hypercube sends in the phase, shared out evenly to the guest edges that begin there (rounded up),
    /// in place of --message-bits: so guests of different size carry as much
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub node_bits: Option<String>,

    /// Packets that every message is cut into: numbers and ranges [default: as many as the embedding sends at its cost]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub packets: Option<String>,

    /// Who goes first: hop-by-hop, greedy, or all [default: hop-by-hop]
    #[arg(long, value_name = "LIST")]
    pub order: Option<String>,

    /// Send along every edge both ways
    #[arg(long)]
    pub both_ways: bool,

    /// Start-up: bit times before a packet's first bit, numbers and ranges [default: 0]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub start_up: Option<String>,
}

impl EmbeddingAxes {
    /// A grid of places for each guest, with the first seed.
    ///
    /// # Errors
    /// A list that cannot be read.
    pub(super) fn places(&self, seeds: &Seeds) -> Result<Vec<Axes<Place>>, Error> {
        let or = |option, list: &Option<String>, default: Vec<usize>| match list {
            None => Ok(default),
            Some(list) => numbers(option, list),
        };
        let guests: Vec<(&str, &str)> = CONSTRUCTIONS
            .iter()
            .map(|one| (one.name(), one.name()))
            .collect();
        let guests = named(
            "guest",
            self.guest.as_deref().unwrap_or(DEFAULT_GUEST),
            &guests,
        )?;
        let orders = Order::EACH.map(|order| (order.name(), order));
        let orders = named(
            "order",
            self.order.as_deref().unwrap_or("hop-by-hop"),
            &orders,
        )?;
        let bits: Vec<Bits> = match &self.node_bits {
            Some(list) => numbers("--node-bits", list)?
                .into_iter()
                .map(Bits::OfNode)
                .collect(),
            None => or(
                "--message-bits",
                &self.message_bits,
                vec![DEFAULT_MESSAGE_BITS],
            )?
            .into_iter()
            .map(Bits::OfMessage)
            .collect(),
        };
        let packets = match &self.packets {
            None => vec![None],
            Some(list) => numbers("--packets", list)?.into_iter().map(Some).collect(),
        };
        let start_ups = or("--start-up", &self.start_up, vec![0])?;
        let mut grids = Vec::new();
        for guest in guests {
            let own = CONSTRUCTIONS.iter().find(|one| one.name() == guest);
            let own = own.map(|one| one.default_dimensions());
            let dims = or("--dims", &self.dims, own.into_iter().collect())?;
            let first = Place {
                guest,
                dims: 1,
                bits: Bits::OfMessage(DEFAULT_MESSAGE_BITS),
                packets: None,
                order: Order::default(),
                both_ways: self.both_ways,
                start_up: 0,
                seed: seeds.first,
            };
            grids.push(
                Axes::new(first)
                    .over(&orders, |place, order| place.order = order)
                    .over(&dims, |place, dims| place.dims = dims)
                    .over(&packets, |place, packets| place.packets = packets)
                    .over(&start_ups, |place, start_up| place.start_up = start_up)
                    .over(&bits, |place, bits| place.bits = bits),
            );
        }
        Ok(grids)
    }
}
