//! A sweep of an operation: over algorithms and ports, hypercubes and sizes; from where on one is faster than another, and what
//! routers take for the same.
//!
//! | file | what it is about |
//! |---|---|
//! | `axes`, `place` | what is asked for, and where each point is |
//! | `point` | what a point takes, and its run |
//! | `routers/` | routers of other testbenches, as points beside those of algorithms |
//! | `row` | rows and columns |
//! | `plot` | what is drawn against what |

mod axes;
mod place;
mod plot;
mod point;
mod routers;
mod row;

use clap::{ArgMatches, Command};
use rtl_model::routers::collectives::algorithms::Operation;

use crate::error::Error;
use crate::families::collectives::operations::told;
use crate::measure::axes::{self as places, Series};
use crate::measure::crossover::{self, Comparison};
use crate::measure::left_out::LeftOut;
use crate::measure::plot::{Against, Panel};
use crate::measure::row::Row;
use crate::measure::table::{Column, titled};
use crate::measure::{AnyGrid, Family, Grid, Seeds};
use axes::OperationAxes;
use place::Place;
use point::{Point, compare, sized_up};

/// The sweeps, in the order of [`Operation::EACH`].
static SWEEPS: [Sweeps; 9] = [
    Sweeps(Operation::Scatter),
    Sweeps(Operation::Gather),
    Sweeps(Operation::AllGather),
    Sweeps(Operation::AllToAll),
    Sweeps(Operation::Send),
    Sweeps(Operation::PermutedSend),
    Sweeps(Operation::Inversion),
    Sweeps(Operation::Transpose),
    Sweeps(Operation::Histogram),
];

/// Sweeps of an operation.
struct Sweeps(Operation);

/// Those of an operation.
pub fn of(operation: Operation) -> &'static dyn Family {
    let mut all = SWEEPS.iter();
    all.find(|one| one.0 == operation).unwrap_or(&SWEEPS[0])
}

/// From which message on one algorithm is faster than another.
const BY_BITS: Comparison = Comparison {
    of: &["algorithm"],
    alike: &["dims", "ports", "start_up", "seed"],
    sizes: &[
        ("node_bits", "bits a node"),
        ("message_bits", "bits of a message"),
    ],
    at: &[
        ("n", "dims"),
        ("T", "start_up"),
        ("ports", "ports"),
        ("seed", "seed"),
    ],
    with_always: false,
    title: "faster with as many bits and all more, of those measured",
};

/// From which hypercube on.
const BY_DIMENSIONS: Comparison = Comparison {
    of: &["algorithm"],
    alike: &["message_bits", "ports", "start_up", "seed"],
    sizes: &[("dims", "dimensions")],
    at: &[
        ("M", "message_bits"),
        ("T", "start_up"),
        ("ports", "ports"),
        ("seed", "seed"),
    ],
    with_always: false,
    title: "faster with as many dimensions and all more, of those measured",
};

impl Family for Sweeps {
    fn testbenches(&self) -> Vec<(&'static str, &'static str)> {
        vec![(self.0.name(), told(self.0).models)]
    }

    fn arguments(&self, command: Command, _testbenches: &[&str]) -> Command {
        axes::arguments(command, self.0)
    }

    fn plot(&self) -> &'static str {
        "Draw bit times, routing steps and what nodes hold to send on here, against --dims, sizes, --start-up, --packet-bits or \
         --groups, the first of them that varies; with --dims and sizes, also from which size on each algorithm is the fastest; \
         beside routers, bit times and storage"
    }

    fn grid(
        &self,
        arguments: &ArgMatches,
        _testbenches: &[&str],
    ) -> Result<Box<dyn AnyGrid>, clap::Error> {
        Ok(Box::new(OperationGrid {
            operation: self.0,
            axes: OperationAxes::of(arguments, self.0)?,
        }))
    }
}

/// Algorithms, and what they are run at.
struct OperationGrid {
    operation: Operation,
    axes: OperationAxes,
}

impl Grid for OperationGrid {
    type Point = Point;

    fn points(&self, seeds: &Seeds, left_out: &mut LeftOut) -> Result<Vec<Point>, Error> {
        let places = places::points(&self.axes.places(self.operation, seeds)?, seeds)?;
        let are_several = places.windows(2).any(|pair| pair[0].who != pair[1].who);
        let mut points = left_out.sized(
            (places, seeds.amount),
            |place| place.coordinates(),
            |place| sized_up(place, are_several),
        )?;
        compare(&mut points);
        Ok(points)
    }

    fn columns(&self) -> &[Column] {
        &row::COLUMNS
    }

    fn title(&self, _points: &[Self::Point], in_words: &str) -> String {
        titled(self.operation.name(), in_words)
    }

    fn below(&self, points: &[Point], rows: &[Row]) -> String {
        let mut text = String::from("M bits of a message, T bit times of a start-up\n");
        text += match row::have_routers(rows) {
            true => {
                "start-ups: routing steps of an algorithm, rounds of a router; T bit times each are counted of algorithms only\n\
                 times: bit times as a multiple of those of the fastest algorithm for as much\n\
                 storage: register bits of a node; with messages: and those of its messages that lie beside them, at the most\n\
                 wires: of a node, those for flow control among them; depth: gates on the longest path between registers\n"
            }
            false => {
                "steps: routing steps; storage: register bits of a node, its messages among them\n\
                 to send on: the most bits of a node that it is to send on, those in flight to it among them\n"
            }
        };
        let differ = |of: fn(&Place) -> [Option<usize>; 3]| {
            let mut pairs = points.windows(2);
            pairs.any(|pair| of(&pair[0].place) != of(&pair[1].place))
        };
        // Of several choices of one algorithm none stands for it.
        if !differ(|place| [place.groups, place.packet_bits, None]) {
            let by = match differ(|place| [place.message_bits, place.size, place.word_bits]) {
                true => BY_BITS,
                false => BY_DIMENSIONS,
            };
            text += &crossover::fastest(by, rows);
            text += &crossover::text(by, rows);
        }
        text
    }

    fn against(&self, points: &[Point]) -> Result<Against, Error> {
        plot::against(points)
    }

    fn panels(&self, points: &[Point], rows: &[Row], series: &Series) -> Result<Vec<Panel>, Error> {
        Ok(plot::panels(
            points,
            rows,
            (series, self.against(points)?.axis),
        ))
    }
}
