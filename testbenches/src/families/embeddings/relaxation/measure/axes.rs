//! The axes of a sweep of relaxations, as options and as lists.

use clap::Args;
use rtl_model::embedding::phase::Order;

use crate::error::Error;
use crate::families::embeddings::relaxation::measure::point::Place;
use crate::families::embeddings::relaxation::options::{DEFAULT_WORD_BITS, GUESTS};
use crate::measure::Seeds;
use crate::measure::axes::Axes;
use crate::measure::ranges::{named, numbers};

/// Dimensions where none are asked for: all guests are in them.
const DEFAULT_DIMS: usize = 8;

/// Axes of a sweep.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Grid")]
pub(super) struct RelaxationAxes {
    /// Grids of processes: gray-grid, grid, large-grid, or all [default: all]
    #[arg(long, value_name = "LIST")]
    pub guest: Option<String>,

    /// Dimensions n of the hypercube: numbers and ranges, as in 4,8, both ends included [default: 8]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub dims: Option<String>,

    /// Points M of a side of the torus: numbers and ranges [default: 2^(n/2) n/2]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub points: Option<String>,

    /// Bits W of a point: numbers and ranges [default: 16]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub word_bits: Option<String>,

    /// Who goes first: hop-by-hop, greedy, or all [default: hop-by-hop]
    #[arg(long, value_name = "LIST")]
    pub order: Option<String>,

    /// Start-up: bit times before a packet's first bit, numbers and ranges [default: 0]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub start_up: Option<String>,
}

impl RelaxationAxes {
    /// A grid of places, with the first seed.
    ///
    /// # Errors
    /// A list that cannot be read.
    pub(super) fn places(&self, seeds: &Seeds) -> Result<Vec<Axes<Place>>, Error> {
        let or = |option, list: &Option<String>, default: usize| match list {
            None => Ok(vec![default]),
            Some(list) => numbers(option, list),
        };
        let guests = named(
            "guest",
            self.guest.as_deref().unwrap_or("all"),
            &GUESTS.map(|guest| (guest, guest)),
        )?;
        let orders = named(
            "order",
            self.order.as_deref().unwrap_or("hop-by-hop"),
            &Order::EACH.map(|order| (order.name(), order)),
        )?;
        let points = match &self.points {
            None => vec![None],
            Some(list) => numbers("--points", list)?.into_iter().map(Some).collect(),
        };
        let first = Place {
            guest: GUESTS[0],
            dims: DEFAULT_DIMS,
            points: None,
            word_bits: DEFAULT_WORD_BITS,
            order: Order::default(),
            start_up: 0,
            seed: seeds.first,
        };
        let dims = or("--dims", &self.dims, DEFAULT_DIMS)?;
        let word_bits = or("--word-bits", &self.word_bits, DEFAULT_WORD_BITS)?;
        let start_ups = or("--start-up", &self.start_up, 0)?;
        Ok(vec![
            Axes::new(first)
                .over(&dims, |place, dims| place.dims = dims)
                .over(&guests, |place, guest| place.guest = guest)
                .over(&orders, |place, order| place.order = order)
                .over(&word_bits, |place, bits| place.word_bits = bits)
                .over(&start_ups, |place, start_up| place.start_up = start_up)
                .over(&points, |place, points| place.points = points),
        ])
    }
}
