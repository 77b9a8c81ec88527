//! A sweep of routers in lockstep: over dimensions, schedules, payloads and loads; bit times and storage beside their closed
//! forms.

mod duration;
mod forms;
pub mod lists;
mod point;
mod row;

use clap::{Arg, ArgMatches, Args, Command};

use crate::error::Error;
use crate::families::lockstep_benches;
use crate::lockstep::options::default_load;
use crate::lockstep::{Bench, Schedule};
use crate::measure::axes::{self, Axes, Series};
use crate::measure::left_out::LeftOut;
use crate::measure::plot::{Against, Look, Panel, Scale, curves};
use crate::measure::row::Row;
use crate::measure::table::Column;
use crate::measure::{AnyGrid, Family, Grid, Seeds, ranges};
pub(crate) use duration::foretell;
use lists::{PayloadSize, Schedules};
use point::{Place, Point};

/// Axes of a sweep of routers in lockstep; a testbench has some of them.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Grid")]
struct LockstepAxes {
    /// Dimensions of the hypercubes: numbers and ranges, as in 2..8,10 or 2..8:2, both ends included [default: 2..8]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    dims: Option<String>,

    /// Schedules, or all
    #[arg(long, value_name = "LIST")]
    schedule: Option<String>,

    /// Payload bits of every message: numbers, or k, 2k, 2k+1 for as many as there are dimensions
    /// [default: 8]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    payload_bits: Option<String>,

    /// Shares of the nodes that send a message each, 0 to 1, as in 0.25,0.5..0.9:0.1 (from, to and including, and by how
    /// much, 0.05 if that is left out)
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    load: Option<String>,

    /// Traffic pattern, as of `run`
    #[arg(long, value_name = "NAME")]
    traffic: Option<String>,
}

/// Testbenches of routers in lockstep.
pub struct Lockstep;

impl Lockstep {
    /// Those of these names.
    fn benches(names: &[&str]) -> Vec<Bench> {
        let of_name = |name: &&str| lockstep_benches().find(|bench| bench.name() == *name);
        names.iter().filter_map(of_name).collect()
    }
}

/// Whether a testbench has an axis.
fn has(bench: Bench, axis: &str) -> bool {
    match axis {
        "schedule" => !bench.schedules().is_empty(),
        // Nodes are counted, and no message is sent.
        "payload_bits" | "traffic" => bench.has_messages(),
        _ => true,
    }
}

/// What is added to the help of an axis of these testbenches: names that there are, and what is taken if none is given.
fn more_help(axis: &str, benches: &[Bench]) -> String {
    let names = |bench: &Bench| {
        let names: Vec<_> = bench.schedules().iter().map(|one| one.name()).collect();
        let default = names.first().copied().unwrap_or_default();
        format!("{} [default: {default}]", names.join(", "))
    };
    let are_full = |bench: &Bench| bench.schedules().iter().any(|one| one.is_full_only());
    match (axis, benches) {
        ("schedule", [bench]) => format!(": {}", names(bench)),
        ("schedule", _) => {
            let with_schedules = benches.iter().filter(|bench| has(**bench, axis));
            let each = with_schedules.map(|bench| format!("of {}: {}", bench.name(), names(bench)));
            let each = each.collect::<Vec<_>>().join("; ");
            format!(": {each}. Each testbench takes those that it has")
        }
        ("load", _) if benches.iter().any(are_full) => {
            " [default: 0.75; of schedule sort: 1]".to_owned()
        }
        ("load", _) => " [default: 0.75]".to_owned(),
        ("traffic", _) => {
            let of = |bench: &Bench| bench.default_pattern().name();
            let first = benches.iter().find(|bench| has(**bench, axis)).map(of);
            let others = benches.iter().filter(|bench| Some(of(bench)) != first);
            let others = others.map(|bench| format!("; of {}: {}", bench.name(), of(bench)));
            let others: String = others.collect();
            format!(" [default: {}{others}]", first.unwrap_or_default())
        }
        _ => String::new(),
    }
}

impl Family for Lockstep {
    fn testbenches(&self) -> Vec<(&'static str, &'static str)> {
        let all = lockstep_benches();
        all.map(|bench| (bench.name(), bench.models())).collect()
    }

    fn arguments(&self, command: Command, testbenches: &[&str]) -> Command {
        let benches = Self::benches(testbenches);
        let all = LockstepAxes::augment_args(Command::new("axes"));
        let name = |axis: &Arg| axis.get_id().to_string();
        let is_taken = |axis: &&Arg| benches.iter().any(|bench| has(*bench, &name(axis)));
        let with_help = |axis: &Arg| {
            let help = axis.get_help().map(ToString::to_string).unwrap_or_default();
            let axis_with_help = axis.clone().help(help + &more_help(&name(axis), &benches));
            // In the order of the command that it comes to.
            axis_with_help.display_order(None)
        };
        command.args(all.get_arguments().filter(is_taken).map(with_help))
    }

    fn plot(&self) -> &'static str {
        "Draw bit times, storage and logic depth against the dimensions here: measured points, on their closed forms where \
         there are any"
    }

    fn grid(
        &self,
        arguments: &ArgMatches,
        testbenches: &[&str],
    ) -> Result<Box<dyn AnyGrid>, clap::Error> {
        // What none of the testbenches has is no argument.
        let list = |axis| {
            arguments
                .try_get_one::<String>(axis)
                .ok()
                .flatten()
                .cloned()
        };
        Ok(Box::new(LockstepGrid {
            benches: Self::benches(testbenches),
            axes: LockstepAxes {
                dims: list("dims"),
                schedule: list("schedule"),
                payload_bits: list("payload_bits"),
                load: list("load"),
                traffic: list("traffic"),
            },
        }))
    }
}

/// What is measured of which testbenches.
struct LockstepGrid {
    /// One of them, or several.
    benches: Vec<Bench>,
    /// The lists.
    axes: LockstepAxes,
}

impl LockstepGrid {
    /// All places of a testbench, a grid a schedule.
    fn places(
        &self,
        (bench, schedules): (Bench, Schedules),
        seeds: &Seeds,
    ) -> Result<Vec<Axes<Place>>, Error> {
        let dims = ranges::numbers("--dims", self.axes.dims.as_deref().unwrap_or("2..8"))?;
        let loads = self.axes.load.as_deref();
        let loads = loads
            .map(|list| ranges::shares("--load", list))
            .transpose()?;
        let payloads: Vec<Option<PayloadSize>> = match &self.axes.payload_bits {
            None if !has(bench, "payload_bits") => vec![None],
            list => {
                let sizes = lists::payloads(list.as_deref().unwrap_or("8"))?;
                sizes.into_iter().map(Some).collect()
            }
        };
        let of_schedule = |schedule: Option<Schedule>| {
            let first = Place {
                bench,
                is_of_several: self.benches.len() > 1,
                schedule,
                payload: None,
                dims: 0,
                traffic: self.axes.traffic.clone(),
                load: 0.0,
                seed: seeds.first,
            };
            let default = [default_load(schedule)];
            Axes::new(first)
                .over(&payloads, |place, payload| place.payload = payload)
                .over(&dims, |place, dims| place.dims = dims)
                .over(loads.as_deref().unwrap_or(&default), |place, load| {
                    place.load = load;
                })
        };
        Ok(schedules.into_iter().map(of_schedule).collect())
    }
}

impl Grid for LockstepGrid {
    type Point = Point;

    fn points(&self, seeds: &Seeds, left_out: &mut LeftOut) -> Result<Vec<Point>, Error> {
        let mut grids = Vec::new();
        for &bench in &self.benches {
            let list = self.axes.schedule.as_deref();
            let schedules = lists::with_schedules(bench, &self.benches, list);
            let name = || bench.name().to_owned();
            if let Some(schedules) = left_out.keep(schedules, (name, 1))? {
                grids.extend(self.places((bench, schedules), seeds)?);
            }
        }
        let mut points = Vec::new();
        for place in axes::points(&grids, seeds)? {
            let setup = place.setup();
            let requirement = place.bench.requirement(&setup)?;
            let has_senders = place.bench.check_senders(&setup);
            let name = || axes::name(&place.coordinates());
            if left_out.keep(has_senders, (name, seeds.amount))?.is_some() {
                points.push(Point { place, requirement });
            }
        }
        Ok(points)
    }

    /// Draws traffic, which says whether pattern, load and schedule will do, and leaves out what has none: of the smallest
    /// cubes all of it is drawn, of the others none at all, for patterns that some cubes lack; for full permutations, all. A
    /// pattern that a packing was asked to route may be none that it can in any cube, so there all is drawn.
    fn with_traffic(
        &self,
        points: Vec<Point>,
        left_out: &mut LeftOut,
    ) -> Result<Vec<Point>, Error> {
        let smallest = points.iter().map(|point| point.place.dims).min();
        let mut known = Vec::new();
        left_out.kept(points, |Point { place, .. }| {
            let (bench, mut setup) = (place.bench, place.setup());
            if bench.has_to_draw(&setup) {
                return bench.stimulus(&setup).map(|_| ());
            }
            let is_full_only = place.schedule.is_some_and(Schedule::is_full_only);
            if setup.dims != smallest && !is_full_only {
                setup.load = Some(0.0);
            }
            let what = (bench, setup.dims, setup.load, is_full_only);
            let is_sure = setup.dims != smallest && setup.traffic.is_none();
            if !is_sure && !known.contains(&what) {
                bench.stimulus(&setup)?;
                known.push(what);
            }
            Ok(())
        })
    }

    fn columns(&self) -> &[Column] {
        &row::COLUMNS
    }

    fn title(&self, rows: &[Row], _in_words: &str) -> String {
        let mut benches: Vec<String> = rows.iter().map(|row| row.text("bench")).collect();
        benches.dedup();
        let traffic = rows.first().map(|row| row.text("traffic"));
        format!(
            "{}, traffic {}",
            benches.join(", "),
            traffic.unwrap_or_default()
        )
    }

    fn below(&self, points: &[Point], _rows: &[Row]) -> String {
        format!(
            "D: payload bits of a message; load 1: all nodes send; formula: what the column before it must equal\n\
             depth: gates on the longest path between registers; gate delays: bit times x depth; adders: serial adders of a node\n\
             storage: register bits of a node, all to be built; bound: the most that this project allows the design; occupied: \
             the most\nof them that messages filled in this run, with their address bits; other traffic may fill more\n\
             \nclosed forms\n{}",
            forms::text(points)
        )
    }

    fn against(&self, points: &[Point]) -> Result<Against, Error> {
        let mut dims = points.iter().map(|point| point.place.dims);
        let first = dims.next().unwrap_or_default();
        match dims.all(|k| k == first) {
            true => Err(Error::NothingVaries {
                what: "bit times and storage",
                against: "the dimensions",
                only: format!("k = {first}"),
                example: format!("--dims {}", point::dims_with(first)),
            }),
            false => Ok(Against {
                axis: "dims",
                label: "dimensions k (2^k nodes)",
                scale: Scale::Whole,
                series_of: "schedule with each payload",
            }),
        }
    }

    /// Bit times, how long each is, both together, and storage.
    fn panels(&self, points: &[Point], rows: &[Row], series: &Series) -> Result<Vec<Panel>, Error> {
        let panel = |title, unit, name: &str| Panel {
            title,
            unit,
            scale: Scale::FromZero(1.05),
            curves: curves(
                (series, rows),
                "dims",
                |row| row.number(name),
                |_| Look::Filled,
            ),
            has_diagonal: false,
        };
        let mut times = panel("Bit times of a run", "bit times", "bit_times");
        let mut storage = panel(
            "Storage of a node",
            "register bits a node",
            "storage_bits_per_node",
        );
        forms::draw(points, series, [&mut times, &mut storage])?;
        Ok(vec![
            times,
            storage,
            panel("Logic depth", "gates between registers", "logic_depth"),
            panel("Bit times x logic depth", "gate delays", "gate_delays"),
        ])
    }
}
