//! A sweep of broadcasts: over algorithms and ports, cubes, messages, packets and start-ups; the tables of both papers, and where
//! one broadcast becomes faster than another.

mod axes;
mod duration;
mod point;
mod row;
mod tables;

use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::error::Error;
use crate::families::ports::options::NAME;
use crate::families::ports::report::MODELS;
use crate::measure::axes::{self as places, Series};
use crate::measure::fastest;
use crate::measure::left_out::LeftOut;
use crate::measure::plot::{Against, Look, Panel, Scale, curves};
use crate::measure::row::Row;
use crate::measure::table::{Column, titled};
use crate::measure::{AnyGrid, Family, Grid, Seeds};
use axes::BroadcastAxes;
pub(crate) use duration::foretell;
use point::{Amount, Point, sized_up};

/// The testbench of broadcasts.
pub struct Broadcasts;

impl Family for Broadcasts {
    fn testbenches(&self) -> Vec<(&'static str, &'static str)> {
        vec![(NAME, MODELS)]
    }

    fn arguments(&self, command: Command, _testbenches: &[&str]) -> Command {
        BroadcastAxes::augment_args(command)
    }

    fn plot(&self) -> &'static str {
        "Draw bit times and routing steps here, against --dims, --message-bits, --packets, --packet-bits or --start-up, \
         whichever varies, the first of them that does; with --dims and --message-bits, also from which message on each \
         broadcast is the fastest"
    }

    fn grid(
        &self,
        arguments: &ArgMatches,
        _testbenches: &[&str],
    ) -> Result<Box<dyn AnyGrid>, clap::Error> {
        Ok(Box::new(BroadcastAxes::from_arg_matches(arguments)?))
    }
}

/// What points differ in that a plot can be drawn against, the first that does.
struct Varying {
    axis: &'static str,
    label: &'static str,
    scale: Scale,
}

impl BroadcastAxes {
    fn varying(points: &[Point]) -> Option<Varying> {
        let differ = |of: &dyn Fn(&Point) -> usize| {
            points.windows(2).any(|pair| of(&pair[0]) != of(&pair[1]))
        };
        let message = |point: &Point| match point.place.amount {
            Amount::Bits { message_bits, .. } => message_bits,
            Amount::Packets { .. } => 0,
        };
        let packets = |point: &Point| match point.place.amount {
            Amount::Bits { .. } => 0,
            Amount::Packets { packets, .. } => packets,
        };
        let packet_bits = |point: &Point| match point.place.amount {
            Amount::Bits { packet_bits, .. } => packet_bits.unwrap_or(0),
            Amount::Packets { packet_bits, .. } => packet_bits,
        };
        let varying = |axis, label, scale| Some(Varying { axis, label, scale });
        if differ(&|point| point.place.dims) {
            return varying("dims", "dimensions n (2^n nodes)", Scale::Whole);
        }
        if differ(&message) {
            return varying("message_bits", "bits of the message M", Scale::Log(2.0));
        }
        if differ(&packets) {
            return varying("packets", "packets P", Scale::Log(2.0));
        }
        if differ(&packet_bits) {
            return varying("packet_bits", "bits of a packet B", Scale::Log(2.0));
        }
        if differ(&|point| point.place.start_up) {
            return varying(
                "start_up",
                "bit times of a start-up T",
                Scale::FromZero(1.05),
            );
        }
        None
    }
}

impl Grid for BroadcastAxes {
    type Point = Point;

    fn points(&self, seeds: &Seeds, left_out: &mut LeftOut) -> Result<Vec<Point>, Error> {
        let places = places::points(&self.places(seeds)?, seeds)?;
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
        let mut text = String::from(
            "steps: routing steps, each of T + B bit times; N = 2^n nodes, P packets of B bits, g = ceil(P/n)\n\
             to send on: the most bits that a node held to send on, those in flight to it among them\n\
             storage: register bits of a node\n",
        );
        text += &tables::delays(rows);
        text += &tables::optima(rows);
        text += &tables::ratios(rows);
        text += &tables::fits(rows);
        text
    }

    fn against(&self, points: &[Point]) -> Result<Against, Error> {
        match Self::varying(points) {
            Some(Varying { axis, label, scale }) => Ok(Against {
                axis,
                label,
                scale,
                series_of: "broadcast with each of its ports",
            }),
            None => Err(Error::NothingVaries {
                what: "bit times",
                against: "--dims, --message-bits, --packets, --packet-bits or --start-up",
                only: "one of each".to_owned(),
                example: "--dims 2..6 or --message-bits 64,256,1024".to_owned(),
            }),
        }
    }

    fn panels(&self, points: &[Point], rows: &[Row], series: &Series) -> Result<Vec<Panel>, Error> {
        let axis = self.against(points)?.axis;
        let messages = rows.iter().filter_map(|row| row.number("message_bits"));
        let longest = messages.clone().fold(0.0, f64::max);
        let differ = messages.clone().any(|bits| bits < longest);
        let start_ups = rows.iter().map(|row| row.number("start_up"));
        let is_one_start_up = start_ups
            .clone()
            .all(|start_up| Some(start_up) == start_ups.clone().next());
        let has_crossover = axis == "dims" && differ && is_one_start_up && self.packets.is_none();
        // Of several messages, the longest.
        let is_drawn = |row: &Row| {
            !has_crossover
                || row
                    .number("message_bits")
                    .is_some_and(|bits| bits >= longest)
        };
        let panel = |title, unit, name: &str| Panel {
            title,
            unit,
            scale: Scale::Log(10.0),
            curves: curves(
                (series, rows),
                axis,
                |row| row.number(name).filter(|_| is_drawn(row)),
                |_| Look::Filled,
            ),
            has_diagonal: false,
        };
        let mut panels = match has_crossover {
            true => vec![panel(
                "Bit times of the longest message",
                "bit times",
                "bit_times",
            )],
            false => vec![
                panel("Bit times of a broadcast", "bit times", "bit_times"),
                panel("Routing steps", "steps", "routing_steps"),
            ],
        };
        if has_crossover {
            panels.push(Panel {
                title: "From which message on each is the fastest of all",
                unit: "bits of the message M",
                scale: Scale::Log(2.0),
                curves: fastest::curves(&["algorithm", "ports"], "message_bits", (series, rows)),
                has_diagonal: false,
            });
        }
        Ok(panels)
    }
}
