//! A sweep of wormhole routers: over networks and their sizes, switches, message bits, patterns and loads; bit times, or latency
//! and accepted load, and what networks gain on each other.

mod compare;
mod duration;
mod lists;
mod options;
mod point;
mod row;
mod search;
mod seeds;

use std::collections::HashSet;

use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::error::Error;
use crate::families::wormhole::options::NAME;
use crate::families::wormhole::options::PiecesName;
use crate::families::wormhole::report::MODELS;
use crate::measure::axes::{self, Series};
use crate::measure::left_out::LeftOut;
use crate::measure::plot::{Against, Curve, Look, Panel, Scale, curves};
use crate::measure::row::Row;
use crate::measure::table::Column;
use crate::measure::{AnyGrid, Family, Grid, Seeds};
pub(crate) use duration::foretell;
use options::WormholeAxes;
use point::{Load, Point, sized_up};

/// The testbench of wormhole routers.
pub struct Wormhole;

impl Family for Wormhole {
    fn testbenches(&self) -> Vec<(&'static str, &'static str)> {
        vec![(NAME, MODELS)]
    }

    fn arguments(&self, command: Command, _testbenches: &[&str]) -> Command {
        WormholeAxes::augment_args(command)
    }

    fn plot(&self) -> &'static str {
        "Draw bit times for each bit of a message here, against --dims, or against --message-bits; with --offered-load, \
         latency and accepted load against it; with --saturation, the load that is carried. With several --seeds, bars are \
         95 % confidence intervals"
    }

    fn grid(
        &self,
        arguments: &ArgMatches,
        _testbenches: &[&str],
    ) -> Result<Box<dyn AnyGrid>, clap::Error> {
        Ok(Box::new(WormholeAxes::from_arg_matches(arguments)?))
    }
}

fn at_point(point: String, reason: Error) -> Error {
    Error::AtPoint {
        point,
        reason: Box::new(reason),
    }
}

/// How a mark looks, by the verdict on its row.
fn look(row: &Row) -> Look {
    match row.text("verdict").as_str() {
        "saturated" => Look::Hollow,
        "undecided" => Look::Dotted,
        _ => Look::Filled,
    }
}

impl Grid for WormholeAxes {
    type Point = Point;

    fn points(&self, seeds: &Seeds, left_out: &mut LeftOut) -> Result<Vec<Point>, Error> {
        let mut places = axes::points(&self.places(seeds)?, seeds)?;
        for place in &mut places {
            // Of some networks it depends on the size.
            let most = place.network.most_virtual_channels(place.dims);
            place.virtual_channels = place.virtual_channels.min(most);
            // Where there is one copy, nothing is cut.
            if place.in_use() == Some(1) {
                place.pieces = PiecesName::default();
            }
        }
        // Where a number of copies is that of all.
        let mut seen = HashSet::new();
        places.retain(|place| seen.insert(axes::name(&place.coordinates())));
        let mut points = Vec::new();
        let mut with_pattern = HashSet::new();
        for mut place in places {
            let fits = self.storage.map_or(Ok(()), |bits| place.fit(bits));
            let name = || axes::name(&place.coordinates());
            if (left_out.keep(fits, (name, seeds.amount)))
                .map_err(|reason| at_point(name(), reason))?
                .is_none()
            {
                continue;
            }
            let requirement =
                left_out.keep(sized_up(&place, &mut with_pattern), (name, seeds.amount));
            let requirement = requirement.map_err(|reason| at_point(name(), reason))?;
            points.extend(requirement.map(|requirement| Point { place, requirement }));
        }
        Ok(points)
    }

    fn columns(&self) -> &[Column] {
        &row::COLUMNS
    }

    fn title(&self, _points: &[Self::Point], in_words: &str) -> String {
        format!("{NAME}, {in_words}")
    }

    fn conclude(&self, points: &[Point], rows: &mut [Row]) {
        seeds::conclude(points, rows);
    }

    fn below(&self, _points: &[Point], rows: &[Row]) -> String {
        let text = match (row::are_sought(rows), row::are_offered(rows)) {
            (true, _) => {
                "carries, not: offered loads between which the network's latency passes the bound, or its backlog grows without end;\n\
                 by: which of them; zero load: the latency at an offered load of 0.01; the other columns are of the run at the\n\
                 load that is carried\n"
            }
            (false, true) => {
                "offered, created, accepted: message bits of a node in a bit time\n\
                 verdict: saturated where the backlog grows in proportion to time, stable where it does not, undecided where no\n\
                 run was long enough to tell\n"
            }
            (false, false) => {
                "at least: bits over the busiest wire, or the time of a worm that meets no other; T/M: bit times for each bit of a message\n\
                 host wires: data wires between a node and its host, as many each way\n\
                 depth: gates between two registers at the most; gate delays: bit times times depth\n\
                 storage: register bits of a node; T x storage: bit times times it\n"
            }
        }
        .to_owned();
        let of_latencies = match row::are_offered(rows) {
            true => {
                "latency: bit times from creation to the last bit's arrival, on the average (+-: half of its 95 % confidence\n\
                 interval, by batch means of this run) and of 50, 95 and 99 in 100 messages; in network: from the first bit on\n\
                 its way, on the average; hops: links on the route of a worm, on the average\n"
            }
            false => {
                "latency: bit times from creation to the last bit's arrival, on the average and of 99 in 100 messages;\n\
                 in network: from the first bit on its way, on the average\n"
            }
        };
        let of_deadlocks = "can deadlock: whether any traffic can have worms wait in a circle, by the channel dependency graph;\n\
             checks: what became of this traffic\n";
        text + of_latencies + of_deadlocks
    }

    /// What all seeds of a point say together, and what networks gain on each other.
    fn summary(&self, points: &[Point], rows: &[Row]) -> String {
        let mut text = seeds::text(rows);
        let comparisons = compare::comparisons(points, rows);
        if !comparisons.is_empty() {
            text += "\n";
            text += &compare::text(&comparisons);
        }
        text
    }

    fn against(&self, points: &[Point]) -> Result<Against, Error> {
        let series_of = "network with each of its options";
        let differ =
            |of: fn(&Point) -> f64| points.windows(2).any(|pair| of(&pair[0]) != of(&pair[1]));
        let Some(Point { place, .. }) = points.first() else {
            return Ok(Against {
                axis: "dims",
                label: "",
                scale: Scale::Whole,
                series_of,
            });
        };
        let is_offered = matches!(place.load, Load::Offered(_));
        let is_sought = matches!(place.load, Load::Sought { .. });
        match (
            is_offered,
            differ(|point| point.place.load.share()),
            differ(|point| point.place.dims as f64),
            differ(|point| point.place.message_bits as f64),
        ) {
            (true, true, ..) => Ok(Against {
                axis: "offered_load",
                label: "offered: message bits of a node in a bit time",
                scale: Scale::FromZero(1.05),
                series_of,
            }),
            (true, false, ..) => Err(Error::NothingVaries {
                what: "latency and accepted load",
                against: "the offered load",
                only: place.load.share().to_string(),
                example: "--offered-load 0.05..0.9".to_owned(),
            }),
            (false, _, true, _) => Ok(Against {
                axis: "dims",
                label: "levels n (n 2^n nodes)",
                scale: Scale::Whole,
                series_of,
            }),
            (false, _, false, true) => Ok(Against {
                axis: "message_bits",
                label: "bits of a message M",
                scale: Scale::Log(2.0),
                series_of,
            }),
            (false, _, false, false) => Err(Error::NothingVaries {
                what: if is_sought {
                    "the load that is carried"
                } else {
                    "bit times"
                },
                against: "--dims or --message-bits",
                only: format!("n = {} and M = {}", place.dims, place.message_bits),
                example: "--dims 2,4 or --message-bits 64,256".to_owned(),
            }),
        }
    }

    fn panels(&self, points: &[Point], rows: &[Row], series: &Series) -> Result<Vec<Panel>, Error> {
        let axis = self.against(points)?.axis;
        // What a deadlock left is no measurement.
        let lines = |name: &str| {
            let value = |row: &Row| row.number(name).filter(|_| !row.has("deadlock"));
            curves((series, rows), axis, value, look)
        };
        if row::are_sought(rows) {
            return Ok(vec![Panel {
                title: "Offered load at which latency passes its bound",
                unit: "message bits of a node in a bit time",
                scale: Scale::FromZero(1.1),
                curves: curves(
                    (series, rows),
                    axis,
                    |row| row.number("saturation"),
                    |_| Look::Filled,
                ),
                has_diagonal: false,
            }]);
        }
        if !row::are_offered(rows) {
            return Ok(vec![Panel {
                title: "Bit times of a run for each bit of a message, T / M",
                unit: "bit times / message bits",
                scale: Scale::FromZero(1.05),
                curves: lines("bit_times_per_message_bit"),
                has_diagonal: false,
            }]);
        }
        let most = lines("latency_99").into_iter().map(Curve::lightly);
        Ok(vec![
            Panel {
                title: "Latency (lighter: 99 in 100; hollow: saturated; dotted: undecided)",
                unit: "bit times from creation to arrival",
                scale: Scale::Log(10.0),
                curves: most.chain(lines("latency_average")).collect(),
                has_diagonal: false,
            },
            Panel {
                title: "Accepted load (hollow: saturated; dotted: undecided)",
                unit: "message bits of a node in a bit time",
                scale: Scale::FromZero(1.1),
                curves: lines("accepted"),
                has_diagonal: true,
            },
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    fn points(axes: &WormholeAxes) -> (Result<Vec<Point>, String>, LeftOut) {
        let seeds = Seeds {
            first: 5,
            amount: 1,
        };
        let mut left_out = LeftOut::default();
        let points = axes.points(&seeds, &mut left_out);
        (points.map_err(|error| error.to_string()), left_out)
    }

    fn of(dims: &str, axes: WormholeAxes) -> Result<Vec<String>, String> {
        let axes = WormholeAxes {
            dims: list(dims),
            ..axes
        };
        let (points, left_out) = points(&axes);
        let label = |Point { place, .. }: &Point| {
            let (n, channels) = (place.dims, place.virtual_channels);
            format!("{} n={n} V={channels}", place.network_label())
        };
        let mut named: Vec<String> = points?.iter().map(label).collect();
        let without = left_out.leaves(Vec::<u8>::new());
        named.extend(without.err().map(|without| format!("without {without}")));
        Ok(named)
    }

    #[test]
    fn each_network_takes_of_the_lists_what_it_has() {
        let axes = WormholeAxes {
            network: list("all"),
            copies: list("1,2,all"),
            virtual_channels: list("2,3"),
            ..WormholeAxes::default()
        };
        assert_eq!(
            of("2", axes).unwrap(),
            [
                "ccc n=2 V=2",
                "ccc n=2 V=3",
                "copies 1 n=2 V=2",
                "copies 1 n=2 V=3",
                // All that there are.
                "copies 2 n=2 V=2",
                "copies 2 n=2 V=3",
                "ecube n=2 V=1",
                "valiant n=2 V=2",
                "without butterflies, n = 2, M = 64, V = 2, b = 2, switch strong, traffic randperm, load 1, seed 5: network \
                 butterflies: there are none of 2 levels: choose --dims 4 (butterflies of 2 levels in rows and in columns, 64 \
                 nodes) or 8 (of 4 levels, 4096 nodes), since rows of m + log m dimensions take m copies, and m = 8 would take \
                 4,194,304 nodes",
            ]
        );
    }

    #[test]
    fn networks_of_equal_storage_have_buffers_as_large_as_fit() {
        let axes = |storage| WormholeAxes {
            network: list("all"),
            storage: Some(storage),
            ..WormholeAxes::default()
        };
        let (of_532, left_out) = points(&axes(532));
        assert!(left_out.leaves(Vec::<u8>::new()).is_ok());
        for Point { place, requirement } in of_532.unwrap() {
            let bits = |buffer_bits| {
                let mut wormhole = place.run_options().setup.wormhole.clone();
                wormhole.buffer_bits = Some(buffer_bits);
                wormhole.machine(Some(4), 1).unwrap().storage_bits().1
            };
            assert!(bits(place.buffer_bits) <= 532);
            assert_eq!(
                requirement.machine.storage_bits().1,
                bits(place.buffer_bits)
            );
            assert!(place.buffer_bits == 64 || bits(place.buffer_bits + 1) > 532);
        }
        let (too_few, left_out) = points(&axes(90));
        let left: Vec<String> = (too_few.unwrap().iter())
            .map(|Point { place, .. }| format!("{} b={}", place.network_label(), place.buffer_bits))
            .collect();
        assert_eq!(left, ["ccc b=2", "ecube b=1"]);
        let without = left_out.leaves(Vec::<u8>::new()).unwrap_err().to_string();
        assert!(without.contains("90 bits a node are too few"), "{without}");
    }

    #[test]
    fn a_point_that_there_cannot_be_is_left_out_and_what_is_out_of_range_refused() {
        let networks = |network, copies: Option<&str>| WormholeAxes {
            network: list(network),
            copies: copies.and_then(list),
            ..WormholeAxes::default()
        };
        assert_eq!(of("2..4", networks("ccc", None)).unwrap().len(), 3);
        for (dims, axes, points, without) in [
            (
                "2..4",
                networks("copies", None),
                2,
                "without copies 3, n = 3, M = 64, ",
            ),
            (
                "2,5",
                networks("ecube", None),
                1,
                "without ecube, n = 5, M = 64, V = 1, ",
            ),
            (
                "2,4",
                networks("copies", Some("3")),
                1,
                "without copies 3, n = 2, ",
            ),
        ] {
            let points_and_without = of(dims, axes).unwrap();
            assert_eq!(
                points_and_without.len(),
                points + 1,
                "{points_and_without:?}"
            );
            assert!(
                points_and_without[points].starts_with(without),
                "{points_and_without:?}"
            );
        }
        for (dims, axes, refusal) in [
            ("2,17", networks("ccc", None), "ccc, n = 17, "),
            ("2,4", networks("copies", Some("0,2")), "copies 0, n = 2, "),
        ] {
            let said = of(dims, axes).unwrap_err();
            assert!(
                said.starts_with(refusal) && said.contains("out of range"),
                "{said}"
            );
        }
    }

    #[test]
    fn series_are_what_points_differ_in_beside_the_axis_and_the_seed() {
        let points = |dims: &str, load: Option<&str>| {
            let axes = WormholeAxes {
                dims: list(dims),
                network: list("all"),
                virtual_channels: list("2,3"),
                offered_load: load.and_then(list),
                ..WormholeAxes::default()
            };
            let (points, _) = points(&axes);
            let seeds = Seeds {
                first: 5,
                amount: 2,
            };
            (seeds.each(points.unwrap()), axes)
        };
        let names = |(points, axes): (Vec<Point>, WormholeAxes)| {
            let series = Series::of(&points, axes.against(&points).unwrap().axis);
            assert_eq!(series.of.len(), points.len());
            series.names
        };
        assert_eq!(
            names(points("2,4", None)),
            [
                "ccc, V = 2",
                "ccc, V = 3",
                "all copies, V = 2",
                "all copies, V = 3",
                "ecube",
                "valiant, V = 2",
                "butterflies, V = 2"
            ]
        );
        assert_eq!(
            names(points("2", Some("0.1,0.2"))),
            [
                "ccc, V = 2",
                "ccc, V = 3",
                "copies 2, V = 2",
                "copies 2, V = 3",
                "ecube",
                "valiant, V = 2"
            ]
        );
        for (dims, load) in [("2", None), ("2,4", Some("0.1"))] {
            let (points, axes) = points(dims, load);
            assert!(axes.against(&points).is_err());
        }
    }
}
