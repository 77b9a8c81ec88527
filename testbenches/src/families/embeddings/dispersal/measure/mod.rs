//! A sweep of dispersal: how many messages are lost of how many wires that fail, and what shares cost.

mod axes;
mod point;

use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::error::Error;
use crate::families::embeddings::dispersal::testbench::{MODELS, NAME};
use crate::measure::axes::{self as places, Series};
use crate::measure::left_out::LeftOut;
use crate::measure::plot::{Against, Panel, Scale};
use crate::measure::row::Row;
use crate::measure::table::{Column, titled};
use crate::measure::{AnyGrid, Family, Grid, Seeds};
use axes::DispersalAxes;
use point::{COLUMNS, Point, sized_up};

/// The testbench of dispersal.
pub struct Dispersals;

impl Family for Dispersals {
    fn testbenches(&self) -> Vec<(&'static str, &'static str)> {
        vec![(NAME, MODELS)]
    }

    fn arguments(&self, command: Command, _testbenches: &[&str]) -> Command {
        DispersalAxes::augment_args(command)
    }

    fn plot(&self) -> &'static str {
        "Draw the share of messages that are lost, damaged shares, bit times and storage here, against --cut-wires, --needed, \
         --message-bits or --dims, the first of them that varies"
    }

    fn grid(
        &self,
        arguments: &ArgMatches,
        _testbenches: &[&str],
    ) -> Result<Box<dyn AnyGrid>, clap::Error> {
        Ok(Box::new(DispersalGrid {
            axes: DispersalAxes::from_arg_matches(arguments)?,
        }))
    }
}

struct DispersalGrid {
    axes: DispersalAxes,
}

impl Grid for DispersalGrid {
    type Point = Point;

    fn points(&self, seeds: &Seeds, left_out: &mut LeftOut) -> Result<Vec<Point>, Error> {
        let places = places::points(&self.axes.places(seeds)?, seeds)?;
        left_out.sized(
            (places, seeds.amount),
            |place| place.coordinates(),
            sized_up,
        )
    }

    fn columns(&self) -> &[Column] {
        &COLUMNS
    }

    fn title(&self, _points: &[Self::Point], in_words: &str) -> String {
        titled(NAME, in_words)
    }

    fn below(&self, _points: &[Point], _rows: &[Row]) -> String {
        String::from(
            "m of w shares restore a message of M bits; share: bits of one, checksum included; failing: wires that are cut or stuck\n\
             survived: messages with damaged shares that were restored; lost: reported as such; wrong: restored as something else\n\
             without shares: bit times of the same messages in as many packets that nobody could restore\n",
        )
    }

    fn against(&self, points: &[Point]) -> Result<Against, Error> {
        let differ = |of: &dyn Fn(&Point) -> usize| {
            points.windows(2).any(|pair| of(&pair[0]) != of(&pair[1]))
        };
        let against = |axis, label| {
            Ok(Against {
                axis,
                label,
                scale: Scale::Whole,
                series_of: "paths and shares that are needed",
            })
        };
        if differ(&|point| point.place.cut_wires) {
            return against("cut_wires", "wires that fail");
        }
        if differ(&|point| point.place.needed.unwrap_or(0)) {
            return against("needed", "shares m that restore a message");
        }
        if differ(&|point| point.place.message_bits) {
            return against("message_bits", "bits M of a message");
        }
        if self.axes.dims.is_some() && differ(&|point| point.place.dims) {
            return against("dims", "dimensions n of the hypercube");
        }
        Err(Error::NothingVaries {
            what: "messages that are lost",
            against: "--cut-wires, --needed, --message-bits or --dims",
            only: "one of each".to_owned(),
            example: "--cut-wires 0,1,4,16,64".to_owned(),
        })
    }

    fn panels(&self, points: &[Point], rows: &[Row], series: &Series) -> Result<Vec<Panel>, Error> {
        let axis = self.against(points)?.axis;
        let along = (series, rows, axis);
        let panel = |named, name: &str| Panel::of_column(named, Scale::FromZero(1.05), name, along);
        Ok(vec![
            panel(("Messages lost", "share of all"), "lost_share"),
            panel(("Shares damaged", "shares"), "damaged_shares"),
            panel(("Bit times", "bit times"), "bit_times"),
            panel(
                ("Storage of a node", "register bits"),
                "storage_bits_per_node",
            ),
        ])
    }
}
