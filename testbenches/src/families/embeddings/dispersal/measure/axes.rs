//! The axes of a sweep of dispersal, as options and as lists.

use clap::Args;
use rtl_model::embedding::constructions::CONSTRUCTIONS;

use crate::error::Error;
use crate::families::embeddings::dispersal::measure::point::Place;
use crate::families::embeddings::dispersal::options::{
    DEFAULT_DIMENSIONS, DEFAULT_DIMENSIONS_OF_COPIES, DEFAULT_MESSAGE_BITS, Over,
};
use crate::families::embeddings::dispersal::testbench::NAME;
use crate::families::embeddings::options::DEFAULT_GUEST;
use crate::measure::Seeds;
use crate::measure::axes::Axes;
use crate::measure::ranges::{named, numbers};

/// Axes of a sweep.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Grid")]
pub(super) struct DispersalAxes {
    /// Which paths: edge, copies, or all [default: edge]
    #[arg(long, value_name = "LIST")]
    pub over: Option<String>,

    /// Guests, over edges, by their names in `cubewave embedding`, or all [default: cycle]
    #[arg(long, value_name = "LIST")]
    pub guest: Option<String>,

    /// Dimensions n of the hypercube: numbers and ranges [default: 8; over copies 6]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub dims: Option<String>,

    /// Shares that restore a message: numbers and ranges [default: one fewer than it has paths]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub needed: Option<String>,

    /// Wires that fail: numbers and ranges [default: 0]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub cut_wires: Option<String>,

    /// Bits of a message: numbers and ranges [default: 256]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub message_bits: Option<String>,
}

impl DispersalAxes {
    /// A grid of places for each guest, with the first seed.
    ///
    /// # Errors
    /// A list that cannot be read.
    pub(super) fn places(&self, seeds: &Seeds) -> Result<Vec<Axes<Place>>, Error> {
        let or_one = |option, list: &Option<String>, default: usize| match list {
            None => Ok(vec![default]),
            Some(list) => numbers(option, list),
        };
        let overs = named(
            "way to disperse",
            self.over.as_deref().unwrap_or("edge"),
            &Over::NAMES,
        )?;
        if self.guest.is_some() && !overs.contains(&Over::Edge) {
            return Err(Error::NotApplicable {
                bench: NAME,
                option: "--guest",
                why: "over copies there is no guest",
            });
        }
        let guests: Vec<(&str, &str)> = CONSTRUCTIONS
            .iter()
            .map(|one| (one.name(), one.name()))
            .collect();
        let guests = named(
            "guest",
            self.guest.as_deref().unwrap_or(DEFAULT_GUEST),
            &guests,
        )?;
        let needed = match &self.needed {
            None => vec![None],
            Some(list) => numbers("--needed", list)?.into_iter().map(Some).collect(),
        };
        let cut_wires = or_one("--cut-wires", &self.cut_wires, 0)?;
        let bits = or_one("--message-bits", &self.message_bits, DEFAULT_MESSAGE_BITS)?;
        let mut grids = Vec::new();
        for over in overs {
            let (guests, dims) = match over {
                Over::Edge => (
                    guests.iter().copied().map(Some).collect(),
                    DEFAULT_DIMENSIONS,
                ),
                Over::Copies => (vec![None], DEFAULT_DIMENSIONS_OF_COPIES),
            };
            let dims = or_one("--dims", &self.dims, dims)?;
            for guest in guests {
                let first = Place {
                    over,
                    guest,
                    dims: DEFAULT_DIMENSIONS,
                    needed: None,
                    cut_wires: 0,
                    message_bits: DEFAULT_MESSAGE_BITS,
                    seed: seeds.first,
                };
                grids.push(
                    Axes::new(first)
                        .over(&dims, |place, dims| place.dims = dims)
                        .over(&needed, |place, needed| place.needed = needed)
                        .over(&bits, |place, bits| place.message_bits = bits)
                        .over(&cut_wires, |place, wires| place.cut_wires = wires),
                );
            }
        }
        Ok(grids)
    }
}
