//! A sweep of collective operations: over operations, networks and sizes, the reduced hypercube beside the hypercube with as many nodes.

mod axes;
mod duration;
mod point;
mod row;
mod trade;

use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::error::Error;
use crate::families::reduced_hypercube::options::Operation;
use crate::families::reduced_hypercube::testbench::models;
use crate::measure::axes::{self as places, Series};
use crate::measure::left_out::LeftOut;
use crate::measure::plot::{Against, Panel, Scale};
use crate::measure::row::Row;
use crate::measure::table::{Column, titled};
use crate::measure::{AnyGrid, Family, Grid, Seeds};
use crate::testbench::Choice;
use axes::CollectiveAxes;
pub(in crate::families::reduced_hypercube) use duration::foretell;
use point::{Point, sized_up};

/// What picks this family where another one broadcasts too.
pub(super) const CHOICE: Choice = Choice {
    option: "network",
    example: "reduced-hypercube",
};

/// The testbenches of collective operations.
pub struct Collectives;

impl Family for Collectives {
    fn testbenches(&self) -> Vec<(&'static str, &'static str)> {
        let of = |operation: Operation| (operation.name(), models(operation));
        Operation::ALL.map(of).to_vec()
    }

    fn chosen_by(&self) -> Option<Choice> {
        Some(CHOICE)
    }

    fn arguments(&self, command: Command, _testbenches: &[&str]) -> Command {
        CollectiveAxes::augment_args(command)
    }

    fn plot(&self) -> &'static str {
        "Draw bit times, bit times x wires, storage and logic depth here, against --dims, --blocks or --word-bits, the first of \
         them that varies"
    }

    fn grid(
        &self,
        arguments: &ArgMatches,
        testbenches: &[&str],
    ) -> Result<Box<dyn AnyGrid>, clap::Error> {
        let is_asked = |operation: &Operation| testbenches.contains(&operation.name());
        Ok(Box::new(CollectiveGrid {
            operations: Operation::ALL.into_iter().filter(is_asked).collect(),
            axes: CollectiveAxes::from_arg_matches(arguments)?,
        }))
    }
}

/// Operations, and what they are run at.
struct CollectiveGrid {
    operations: Vec<Operation>,
    axes: CollectiveAxes,
}

impl Grid for CollectiveGrid {
    type Point = Point;

    fn points(&self, seeds: &Seeds, left_out: &mut LeftOut) -> Result<Vec<Point>, Error> {
        let places = places::points(&self.axes.places(&self.operations, seeds)?, seeds)?;
        left_out.sized(
            (places, seeds.amount),
            |place| place.coordinates(),
            sized_up,
        )
    }

    fn columns(&self) -> &[Column] {
        &row::COLUMNS
    }

    fn title(&self, _rows: &[Row], in_words: &str) -> String {
        let names: Vec<&str> = self.operations.iter().map(|one| one.name()).collect();
        titled(&names.join(", "), in_words)
    }

    fn below(&self, _points: &[Point], rows: &[Row]) -> String {
        String::from(
            "wires: those that a node drives; steps: words over a wire, one after the other; w bits of a word or of the message\n\
             depth: gates on the longest path between registers; storage: register bits of a node\n\
             wires x bit times: of a node; a hypercube has K = k + 2^n dimensions\n",
        ) + &trade::text(rows)
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
                series_of: "operation and algorithm on each network",
            })
        };
        if differ(&|point| point.place.dims) {
            return against("dims", "dimensions k of a building block", Scale::Whole);
        }
        if differ(&|point| point.place.blocks) {
            return against("blocks", "bits n of a sub-block's number", Scale::Whole);
        }
        if differ(&|point| point.place.word_bits) {
            return against("word_bits", "bits w of a word", Scale::Log(2.0));
        }
        Err(Error::NothingVaries {
            what: "bit times",
            against: "--dims, --blocks or --word-bits",
            only: "one of each".to_owned(),
            example: "--dims 3..6".to_owned(),
        })
    }

    fn panels(&self, points: &[Point], rows: &[Row], series: &Series) -> Result<Vec<Panel>, Error> {
        let axis = self.against(points)?.axis;
        let along = (series, rows, axis);
        let panel = |named, scale, name: &str| Panel::of_column(named, scale, name, along);
        let (decades, whole) = (Scale::Log(10.0), Scale::FromZero(1.05));
        let of_wires = ("Wires of a node x bit times", "wire-bit-times");
        Ok(vec![
            panel(("Bit times", "bit times"), decades, "bit_times"),
            panel(of_wires, decades, "wires_bit_times"),
            panel(
                ("Storage of a node", "register bits"),
                whole,
                "storage_bits_per_node",
            ),
            panel(
                ("Logic depth", "gates between registers"),
                whole,
                "logic_depth",
            ),
        ])
    }
}
