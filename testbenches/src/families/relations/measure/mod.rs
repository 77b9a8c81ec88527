//! A sweep of batches, or of h-relations: over schedules, sizes, and how many messages a node has, beside routers that send one set of
//! messages after the other.

mod axes;
mod duration;
mod others;
mod place;
mod point;
mod row;

use std::marker::PhantomData;

use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::error::Error;
use crate::families::relations::options::Amount;
use crate::measure::axes::{self as places, Series};
use crate::measure::left_out::LeftOut;
use crate::measure::plot::{Against, Panel, Scale};
use crate::measure::row::Row;
use crate::measure::table::{Column, titled};
use crate::measure::{AnyGrid, Family, Grid, Seeds};
use crate::testbench::Choice;
use axes::{AmountAxis, RelationAxes};
pub(super) use axes::{BatchAxis, HAxis, ProcessorAxis};
pub(super) use duration::foretell;
use point::{Point, sized_up};

/// Batches, or h-relations.
pub(super) struct Relations<A> {
    /// The testbench.
    pub bench: &'static str,
    /// The option that picks them.
    pub choice: Choice,
    /// What is modelled.
    pub models: &'static str,
    /// Which axis says how many messages a node has.
    pub axis: PhantomData<fn() -> A>,
}

impl<A: AmountAxis + 'static> Family for Relations<A> {
    fn testbenches(&self) -> Vec<(&'static str, &'static str)> {
        vec![(self.bench, self.models)]
    }

    fn chosen_by(&self) -> Option<Choice> {
        Some(self.choice)
    }

    fn arguments(&self, command: Command, _testbenches: &[&str]) -> Command {
        RelationAxes::augment_args(A::augment_args(command))
    }

    fn plot(&self) -> &'static str {
        "Draw sets of messages a 1000 bit times, bit times, storage and wires here, against --dims, the number of messages of a node, \
         --payload-bits or --load, the first of them that varies"
    }

    fn grid(
        &self,
        arguments: &ArgMatches,
        _testbenches: &[&str],
    ) -> Result<Box<dyn AnyGrid>, clap::Error> {
        let amounts = A::from_arg_matches(arguments)?;
        Ok(Box::new(RelationGrid {
            bench: self.bench,
            amounts: amounts.amounts(),
            axes: RelationAxes::from_arg_matches(arguments)?,
        }))
    }
}

/// Schedules, and what they are run at.
struct RelationGrid {
    bench: &'static str,
    /// How many messages a node has, or why the list cannot be read.
    amounts: Result<Vec<Amount>, Error>,
    axes: RelationAxes,
}

impl Grid for RelationGrid {
    type Point = Point;

    fn points(&self, seeds: &Seeds, left_out: &mut LeftOut) -> Result<Vec<Point>, Error> {
        let amounts = match &self.amounts {
            Ok(amounts) => amounts,
            Err(Error::List { option, why }) => {
                return Err(Error::List {
                    option,
                    why: why.clone(),
                });
            }
            Err(other) => {
                return Err(Error::List {
                    option: "--batches",
                    why: other.to_string(),
                });
            }
        };
        let places = places::points(&self.axes.places(amounts, seeds)?, seeds)?;
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
        titled(
            &format!("{}, several messages a node", self.bench),
            in_words,
        )
    }

    fn below(&self, _points: &[Point], _rows: &[Row]) -> String {
        if self.bench == "packing" {
            return String::from(
                "T: bit times with one processor at a vertex; P: from one pass to the next; factor: bit times / T\n",
            );
        }
        String::from(
            "a set: a message of each node that has one; T: bit times of a batch alone; P: from one batch to the next\n\
             sets: delivered in 1000 bit times; a wire: the same, by the wires of a node\n\
             router: register bits of a node; of a pipeline without outbox and inbox, which are its processor's\n\
             one after another: a set at a time on one wire each way across each dimension, the whole router for each of them\n",
        )
    }

    fn against(&self, points: &[Point]) -> Result<Against, Error> {
        let differ = |of: &dyn Fn(&Point) -> String| {
            points.windows(2).any(|pair| of(&pair[0]) != of(&pair[1]))
        };
        let against = |axis, label, scale| {
            Ok(Against {
                axis,
                label,
                scale,
                series_of: "schedule",
            })
        };
        if differ(&|point| point.place.dims.to_string()) {
            return against("dims", "dimensions k of the hypercube", Scale::Whole);
        }
        if differ(&|point| point.place.amount.slots().to_string()) {
            let (axis, label) = match points[0].place.amount {
                Amount::Batches(_) => ("batches", "batches"),
                Amount::Relation(_) => ("h", "messages H of a node, at the most"),
                Amount::Processors(_) => ("processors", "processors at a vertex"),
            };
            return against(axis, label, Scale::Whole);
        }
        if differ(&|point| point.place.payload.to_string()) {
            return against(
                "payload_bits",
                "payload bits D of a message",
                Scale::Log(2.0),
            );
        }
        if differ(&|point| point.place.load.to_string()) {
            return against("load", "share of nodes that send", Scale::FromZero(1.0));
        }
        Err(Error::NothingVaries {
            what: "bit times",
            against: "--dims, --payload-bits, --load or the number of messages of a node",
            only: "one of each".to_owned(),
            example: "--dims 2..8".to_owned(),
        })
    }

    fn panels(&self, points: &[Point], rows: &[Row], series: &Series) -> Result<Vec<Panel>, Error> {
        let axis = self.against(points)?.axis;
        let along = (series, rows, axis);
        let panel = |named, scale, name: &str| Panel::of_column(named, scale, name, along);
        let whole = Scale::FromZero(1.05);
        // Over sizes, sets become fewer and fewer.
        let of_sets = if axis == "dims" {
            Scale::Log(10.0)
        } else {
            whole
        };
        let sets = ("Throughput", "sets of messages in 1000 bit times");
        let by_wire = (
            "Throughput by the wires of a node",
            "sets in 1000 bit times and wire",
        );
        let storage = ("Storage of a node's router", "register bits");
        if self.bench == "packing" {
            let factor = ("Times as long as with one processor", "bit times / T");
            return Ok(vec![
                panel(factor, whole, "factor"),
                panel(("Bit times", "bit times"), whole, "bit_times"),
            ]);
        }
        Ok(vec![
            panel(sets, of_sets, "sets_in_1000_bit_times"),
            panel(by_wire, of_sets, "sets_in_1000_bit_times_by_wire"),
            panel(("Bit times", "bit times"), whole, "bit_times"),
            panel(storage, whole, "router_storage_bits_per_node"),
        ])
    }
}
