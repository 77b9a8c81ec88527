//! A sweep of embeddings: over guests, hypercubes and sizes of messages, as many bits by one embedding beside another.

mod axes;
pub(in crate::families::embeddings) mod duration;
mod point;
mod row;

use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::error::Error;
use crate::families::embeddings::testbench::{MODELS, NAME};
use crate::measure::axes::{self as places, Series};
use crate::measure::crossover::{self, Comparison};
use crate::measure::left_out::LeftOut;
use crate::measure::plot::{Against, Panel, Scale};
use crate::measure::row::Row;
use crate::measure::table::{Column, titled};
use crate::measure::{AnyGrid, Family, Grid, Seeds};
use axes::EmbeddingAxes;
pub(in crate::families::embeddings) use duration::{foretell, work};
use point::{Bits, Point, sized_up};

/// The testbench of embeddings.
pub struct Embeddings;

/// Of phases: how much is sent, which is what is asked for of a node, or else of a message.
const OF_PHASES: Comparison = Comparison {
    of: &["guest"],
    alike: &["dims", "order", "start_up", "both_ways", "seed"],
    sizes: &[
        ("node_bits", "bits a node"),
        ("message_bits", "bits of a message"),
    ],
    at: &[("n", "dims")],
    with_always: true,
    title: "faster with as many bits and all more, of those measured",
};

impl Family for Embeddings {
    fn testbenches(&self) -> Vec<(&'static str, &'static str)> {
        vec![(NAME, MODELS)]
    }

    fn arguments(&self, command: Command, _testbenches: &[&str]) -> Command {
        EmbeddingAxes::augment_args(command)
    }

    fn plot(&self) -> &'static str {
        "Draw bit times, bits a bit time, the use of wires and storage here, against --message-bits, --node-bits, --dims, --packets \
         or --start-up, the first of them that varies"
    }

    fn grid(
        &self,
        arguments: &ArgMatches,
        _testbenches: &[&str],
    ) -> Result<Box<dyn AnyGrid>, clap::Error> {
        Ok(Box::new(EmbeddingGrid {
            axes: EmbeddingAxes::from_arg_matches(arguments)?,
        }))
    }
}

/// Guests, and what they are run at.
struct EmbeddingGrid {
    axes: EmbeddingAxes,
}

impl Grid for EmbeddingGrid {
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
            "load: guest vertices on a node; M bits of a guest edge's message, in packets of B; steps: of a packet over a wire\n\
             corrected, paper: steps that hold, and those that the paper has, of its own packets one way and hop by hop\n\
             bits a bit time: of messages, a node; wires busy: the share of their bit times with packets\n",
        ) + &crossover::text(OF_PHASES, rows)
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
        let of_message = |point: &Point| match point.place.bits {
            Bits::OfMessage(bits) => bits,
            Bits::OfNode(_) => 0,
        };
        let of_node = |point: &Point| match point.place.bits {
            Bits::OfNode(bits) => bits,
            Bits::OfMessage(_) => 0,
        };
        if differ(&of_message) {
            return against(
                "message_bits",
                "bits M of a guest edge's message",
                Scale::Log(2.0),
            );
        }
        if differ(&of_node) {
            return against("node_bits", "bits that a node sends", Scale::Log(2.0));
        }
        // Guests may have dimensions of their own: what varies is what was asked for.
        if self.axes.dims.is_some() && differ(&|point| point.place.dims) {
            return against("dims", "dimensions n of the hypercube", Scale::Whole);
        }
        if differ(&|point| point.place.packets.unwrap_or(0)) {
            return against("packets", "packets of a message", Scale::Whole);
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
            against: "--message-bits, --node-bits, --dims, --packets or --start-up",
            only: "one of each".to_owned(),
            example: "--message-bits 1,16,256,4096".to_owned(),
        })
    }

    fn panels(&self, points: &[Point], rows: &[Row], series: &Series) -> Result<Vec<Panel>, Error> {
        let axis = self.against(points)?.axis;
        let along = (series, rows, axis);
        let panel = |named, scale, name: &str| Panel::of_column(named, scale, name, along);
        let (decades, whole) = (Scale::Log(10.0), Scale::FromZero(1.05));
        Ok(vec![
            panel(("Bit times", "bit times"), decades, "bit_times"),
            panel(
                ("Bits sent", "bits a node and bit time"),
                whole,
                "bits_a_bit_time",
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
