//! A sweep of relaxations: over grids of processes, hypercubes and tori, the comparison of section 8.3.

mod axes;
mod duration;
mod point;
mod row;

use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::error::Error;
use crate::families::embeddings::relaxation::testbench::{MODELS, NAME};
use crate::measure::axes::{self as places, Series};
use crate::measure::crossover::{self, Comparison};
use crate::measure::left_out::LeftOut;
use crate::measure::plot::{Against, Panel, Scale};
use crate::measure::row::Row;
use crate::measure::table::{Column, titled};
use crate::measure::{AnyGrid, Family, Grid, Seeds};
use axes::RelaxationAxes;
pub(super) use duration::foretell;
use point::{Point, sized_up};

/// The testbench of relaxations.
pub struct Relaxations;

/// Of tori of more and more points.
const OF_TORI: Comparison = Comparison {
    of: &["guest"],
    alike: &["dims", "word_bits", "order", "start_up", "seed"],
    sizes: &[("points_a_side", "points a side")],
    at: &[("n", "dims")],
    with_always: true,
    title: "faster with as many points a side and all more, of those measured",
};

impl Family for Relaxations {
    fn testbenches(&self) -> Vec<(&'static str, &'static str)> {
        vec![(NAME, MODELS)]
    }

    fn arguments(&self, command: Command, _testbenches: &[&str]) -> Command {
        RelaxationAxes::augment_args(command)
    }

    fn plot(&self) -> &'static str {
        "Draw bit times of a sweep, bits that a node sends, the use of wires and storage here, against --points, --word-bits, --dims \
         or --start-up, the first of them that varies"
    }

    fn grid(
        &self,
        arguments: &ArgMatches,
        _testbenches: &[&str],
    ) -> Result<Box<dyn AnyGrid>, clap::Error> {
        Ok(Box::new(RelaxationGrid {
            axes: RelaxationAxes::from_arg_matches(arguments)?,
        }))
    }
}

/// Grids of processes, and what they are run at.
struct RelaxationGrid {
    axes: RelaxationAxes,
}

impl Grid for RelaxationGrid {
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
        &row::COLUMNS
    }

    fn title(&self, _points: &[Self::Point], in_words: &str) -> String {
        titled(NAME, in_words)
    }

    fn below(&self, _points: &[Point], rows: &[Row]) -> String {
        String::from(
            "M: points a side of the torus; P: processes a side; load: processes on a node; words: of a side of a block; B: bits of a \
             packet\n\
             bit times: of a sweep, communication alone; bits a node: of words that it sends in a sweep; wires busy: the share of \
             their bit times with packets\n",
        ) + &crossover::text(OF_TORI, rows)
    }

    fn against(&self, points: &[Point]) -> Result<Against, Error> {
        let differ = |of: &dyn Fn(&Point) -> usize| {
            points.windows(2).any(|pair| of(&pair[0]) != of(&pair[1]))
        };
        let against = |axis, label, scale| {
            Ok(Against {
                axis,
                label,
                scale,
                series_of: "guest",
            })
        };
        // Where no points are asked for, they go by the dimensions.
        if self.axes.points.is_some() && differ(&|point| point.points) {
            return against(
                "points_a_side",
                "points M of a side of the torus",
                Scale::Log(2.0),
            );
        }
        if differ(&|point| point.place.word_bits) {
            return against("word_bits", "bits W of a point", Scale::Log(2.0));
        }
        if differ(&|point| point.place.dims) {
            return against("dims", "dimensions n of the hypercube", Scale::Whole);
        }
        if differ(&|point| point.place.start_up) {
            return against(
                "start_up",
                "bit times T before a packet's first bit",
                Scale::Whole,
            );
        }
        Err(Error::NothingVaries {
            what: "bit times",
            against: "--points, --word-bits, --dims or --start-up",
            only: "one of each".to_owned(),
            example: "--points 64,128,256".to_owned(),
        })
    }

    fn panels(&self, points: &[Point], rows: &[Row], series: &Series) -> Result<Vec<Panel>, Error> {
        let axis = self.against(points)?.axis;
        let along = (series, rows, axis);
        let panel = |named, scale, name: &str| Panel::of_column(named, scale, name, along);
        let (decades, whole) = (Scale::Log(10.0), Scale::FromZero(1.05));
        Ok(vec![
            panel(("A sweep", "bit times"), decades, "bit_times"),
            panel(
                ("Sent in a sweep", "bits a node"),
                decades,
                "node_bits_a_sweep",
            ),
            panel(
                ("Wires that carry packets", "share of all"),
                whole,
                "wire_use",
            ),
            panel(
                ("Storage of a node", "register bits"),
                decades,
                "storage_bits_per_node",
            ),
        ])
    }
}
