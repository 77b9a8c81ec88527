//! A sweep: a testbench run at every point of a grid, a row a point.
//!
//! Every point is checked before the first one runs. Points are independent, so several run at a time, as
//! far as there are threads and memory; the rows come in the order of the grid all the same.

mod lists;
mod memory_gate;
mod plot;
mod row;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use clap::{Args, ValueEnum};
use rayon::iter::{ParallelBridge, ParallelIterator};
use rtl_model::memory;

use crate::benches::{self, Requirement};
use crate::catalogue::Bench;
use crate::error::Error;
use crate::options::{RunOptions, Setup, whole_number};
use crate::output::{Staged, Staging};
use crate::progress::Progress;
use lists::PayloadSize;
use memory_gate::MemoryGate;
pub use row::Row;

/// Options of `measure`.
#[derive(Args, Clone, Debug, Default)]
pub struct MeasureOptions {
    /// Dimensions of the hypercubes: numbers and ranges, as in 2..=8,10
    #[arg(
        long,
        value_name = "LIST",
        help_heading = "Grid",
        default_value = "2..=8"
    )]
    pub dims: String,

    /// Schedules, or all; where a testbench has several [default: its first]
    #[arg(long, value_name = "LIST", help_heading = "Grid")]
    pub schedule: Option<String>,

    /// Payload bits of every message: numbers, or k, 2k, 2k+1 for as many as there are dimensions
    /// [default: 8]
    #[arg(long, value_name = "LIST", help_heading = "Grid")]
    pub payload_bits: Option<String>,

    /// Shares of the nodes that send a message each, 0 to 1
    #[arg(
        long,
        value_name = "LIST",
        help_heading = "Grid",
        default_value = "0.75"
    )]
    pub load: String,

    /// How many seeds, from --seed on
    #[arg(
        long,
        value_name = "N",
        help_heading = "Grid",
        default_value_t = 1,
        allow_negative_numbers = true,
        value_parser = whole_number::<u64>
    )]
    pub seeds: u64,

    /// First seed of all random choices
    #[arg(
        long,
        value_name = "N",
        help_heading = "Grid",
        default_value_t = 1,
        allow_negative_numbers = true,
        value_parser = whole_number::<u64>
    )]
    pub seed: u64,

    /// Traffic pattern, as of `run` [default: randperm; of packing: packed]
    #[arg(long, value_name = "NAME", help_heading = "Grid")]
    pub traffic: Option<String>,

    /// Form of the rows
    #[arg(
        long,
        value_name = "FORM",
        help_heading = "Output",
        default_value = "table"
    )]
    pub format: RowFormat,

    /// Draw bit times and storage against the dimensions here: measured points on their closed forms
    #[arg(long, value_name = "FILE.svg", help_heading = "Output")]
    pub plot: Option<PathBuf>,

    /// Points at a time [default: as many as there are processors]
    #[arg(
        long,
        value_name = "N",
        help_heading = "Work",
        allow_negative_numbers = true,
        value_parser = whole_number::<usize>
    )]
    pub threads: Option<usize>,

    /// Begin even if it would take hours
    #[arg(long, help_heading = "Work")]
    pub yes: bool,
}

/// Form of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    /// For people.
    #[default]
    Table,
    /// For scripts: comma-separated values with a header.
    Csv,
    /// For scripts: a list of objects.
    Json,
}

/// A point of the grid.
struct Point {
    setup: Setup,
    payload: Option<PayloadSize>,
    requirement: Requirement,
}

/// What a sweep gave.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// A row a point, in the order of the grid.
    pub rows: Vec<Row>,
    /// The closed forms of each schedule: its name, that of its bit times, that of its storage.
    forms: Vec<[String; 3]>,
    /// The plot, if one was asked for.
    plot: Option<PathBuf>,
}

impl Sweep {
    /// All checks of all points hold.
    pub fn passed(&self) -> bool {
        self.rows.iter().all(|row| row.passed)
    }

    /// In the form that was asked for.
    ///
    /// # Errors
    /// [`Error::Unprintable`].
    pub fn formatted(&self, format: RowFormat) -> Result<String, Error> {
        match format {
            RowFormat::Table => Ok(self.text()),
            RowFormat::Csv => row::comma_separated(&self.rows),
            RowFormat::Json => match serde_json::to_string_pretty(&self.rows) {
                Ok(json) => Ok(json + "\n"),
                Err(error) => Err(Error::Unprintable {
                    reason: error.into(),
                }),
            },
        }
    }

    /// The table, what its columns are, and what did not hold.
    fn text(&self) -> String {
        let mut text = row::table(&self.rows);
        text += "\nstorage: register bits of a node; occupied: the most of them that ever held message bits\n";
        text += "\nclosed forms\n";
        for [schedule, bit_times, storage] in &self.forms {
            text += &format!("  {schedule}: bit times {bit_times}, storage {storage}\n");
        }
        for row in self.rows.iter().filter(|row| !row.passed) {
            let schedule = row.schedule.unwrap_or_default();
            text += &format!(
                "\nFAIL  {schedule} k={} D={} load {} seed {}: {}\n",
                row.dims,
                row.payload_bits,
                row.load.unwrap_or_default(),
                row.seed,
                row.failed
            );
        }
        if let Some(plot) = &self.plot {
            text += &format!("\nwritten\n  plot  {}\n", plot.display());
        }
        text
    }
}

/// Measures every point of the grid.
///
/// # Errors
/// What is refused, before any work starts; and a plot that could not be written after all.
pub fn measure(bench: Bench, options: &MeasureOptions) -> Result<Sweep, Error> {
    let points = grid(bench, options)?;
    let available = memory::available();
    for point in &points {
        let nodes = 1usize << point.setup.dims.unwrap_or_default();
        memory::require(
            format!("the point of {nodes} nodes"),
            point.requirement.bytes,
            available,
        )?;
    }
    check_traffic(bench, &points)?;
    let plot = plan_plot(options, &points)?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.unwrap_or(processors).clamp(1, points.len());
    if !options.yes {
        check_duration(bench, &points, threads)?;
    }
    let rows = run_all(bench, &points, threads, available)?;
    let forms = forms(bench, &points);
    if let Some(mut file) = plot {
        plot::write(&mut file, bench, &points, &rows)?;
        file.commit()?;
    }
    Ok(Sweep {
        rows,
        forms,
        plot: options.plot.clone(),
    })
}

/// As many rows as anybody would read by script.
const MOST_POINTS: usize = 100_000;

/// All points, each sized up.
fn grid(bench: Bench, options: &MeasureOptions) -> Result<Vec<Point>, Error> {
    let dims = lists::numbers("--dims", &options.dims)?;
    let loads = lists::loads(&options.load)?;
    let payloads = match (&options.payload_bits, bench) {
        (None, Bench::Enumeration) => vec![None],
        (list, _) => lists::payloads(list.as_deref().unwrap_or("8"))?
            .into_iter()
            .map(Some)
            .collect(),
    };
    let schedules = match &options.schedule {
        None => vec![bench.schedules().first().copied()],
        Some(list) if bench.schedules().is_empty() => {
            bench.schedule(list)?;
            Vec::new()
        }
        Some(list) => lists::schedules(bench, list)?
            .into_iter()
            .map(Some)
            .collect(),
    };
    if options.seeds == 0 {
        return Err(Error::List {
            option: "--seeds",
            why: "0 seeds leave nothing to measure: give 1 or more".to_owned(),
        });
    }
    let lengths = [schedules.len(), payloads.len(), dims.len(), loads.len()];
    let amount = lengths
        .into_iter()
        .map(|length| length as u128)
        .product::<u128>()
        * u128::from(options.seeds);
    if amount > MOST_POINTS as u128 {
        return Err(Error::GridTooLarge {
            points: amount,
            most: MOST_POINTS,
        });
    }
    let mut points = Vec::new();
    for schedule in &schedules {
        for payload in &payloads {
            for &k in &dims {
                for &load in &loads {
                    for seed in 0..options.seeds {
                        let setup = Setup {
                            dims: Some(k),
                            payload_bits: payload.map(|size| size.bits(k)),
                            schedule: schedule.map(|schedule| schedule.name().to_owned()),
                            traffic: options.traffic.clone(),
                            traffic_file: None,
                            load: Some(load),
                            seed: options.seed.wrapping_add(seed),
                        };
                        points.push(Point {
                            requirement: benches::requirement(bench, &setup)?,
                            setup,
                            payload: *payload,
                        });
                    }
                }
            }
        }
    }
    Ok(points)
}

/// Draws the traffic of the smallest cubes, which says whether pattern and load will do; and that of no
/// senders at all in the others, for patterns that some cubes lack.
fn check_traffic(bench: Bench, points: &[Point]) -> Result<(), Error> {
    struct Nothing;
    impl benches::Task for Nothing {
        type Output = ();
        fn perform<T: benches::Testbench>(self, _testbench: T) -> Result<(), Error> {
            Ok(())
        }
    }
    let smallest = points.iter().filter_map(|point| point.setup.dims).min();
    let mut checked = Vec::new();
    for point in points {
        let mut setup = point.setup.clone();
        if setup.dims != smallest {
            setup.load = Some(0.0);
        }
        let what = (setup.dims, setup.load);
        if !checked.contains(&what) && (setup.dims == smallest || setup.traffic.is_some()) {
            benches::set_up(bench, &setup, Nothing)?;
            checked.push(what);
        }
    }
    Ok(())
}

/// Begins the plot's file, if there is to be one.
fn plan_plot(options: &MeasureOptions, points: &[Point]) -> Result<Option<Staged>, Error> {
    let Some(path) = &options.plot else {
        return Ok(None);
    };
    let is_svg = |ending: &std::ffi::OsStr| ending.eq_ignore_ascii_case("svg");
    if !path.extension().is_some_and(is_svg) {
        return Err(Error::PlotFormat { path: path.clone() });
    }
    let mut dims = points.iter().filter_map(|point| point.setup.dims);
    let first = dims.next().unwrap_or_default();
    if dims.all(|k| k == first) {
        return Err(Error::SinglePoint { dims: first });
    }
    Ok(Some(Staging::default().create(path, "the plot")?))
}

/// Work below which nobody needs to be asked: far less than an hour's on any machine.
const UNQUESTIONED: u64 = 20_000_000_000;
/// Dimensions of the run that an estimate goes by: large enough to fill the widest lanes many times.
const SAMPLE_DIMENSIONS: usize = 12;

/// Refuses hours of work that nobody has said yes to. The time is estimated from a run of each schedule.
fn check_duration(bench: Bench, points: &[Point], threads: usize) -> Result<(), Error> {
    let work: u64 = points
        .iter()
        .map(|point| point.requirement.node_bit_times)
        .sum();
    if work < UNQUESTIONED {
        return Ok(());
    }
    let mut seconds = 0.0;
    let mut sampled: Vec<(&Setup, f64)> = Vec::new();
    for point in points {
        let known = sampled.iter().find(|(setup, _)| {
            (&setup.schedule, setup.payload_bits)
                == (&point.setup.schedule, point.setup.payload_bits)
        });
        let rate = match known {
            Some((_, rate)) => *rate,
            None => {
                let sample = Setup {
                    dims: Some(SAMPLE_DIMENSIONS),
                    ..point.setup.clone()
                };
                let work = benches::requirement(bench, &sample)?.node_bit_times;
                let (_, taken) = run_point(bench, &sample)?;
                let rate = taken / work as f64;
                sampled.push((&point.setup, rate));
                rate
            }
        };
        seconds += rate * point.requirement.node_bit_times as f64;
    }
    let hours = seconds / threads as f64 / 3600.0;
    if hours < 1.0 {
        return Ok(());
    }
    Err(Error::TakesHours {
        points: points.len(),
        hours,
        threads,
        nodes: 1 << SAMPLE_DIMENSIONS,
    })
}

/// One point: its row, and the seconds that it took.
fn run_point(bench: Bench, setup: &Setup) -> Result<(Row, f64), Error> {
    let options = RunOptions {
        setup: setup.clone(),
        quiet: true,
        ..RunOptions::default()
    };
    let begin = Instant::now();
    let report = benches::run(bench, &options)?;
    let seconds = begin.elapsed().as_secs_f64();
    Ok((Row::new(&report, seconds), seconds))
}

/// Runs all points, the longest first.
fn run_all(
    bench: Bench,
    points: &[Point],
    threads: usize,
    available: u64,
) -> Result<Vec<Row>, Error> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    let work = |index: usize| points[index].requirement.node_bit_times;
    order.sort_by_key(|&index| std::cmp::Reverse(work(index)));
    let total = order.iter().map(|&index| work(index)).sum();
    let template = "{wide_bar} {percent} % of the node-bit-times, {eta} left";
    let progress = Mutex::new((0, Progress::new(total, template, false)));
    let gate = MemoryGate::new(available);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Error::NoThreads {
            reason: error.to_string(),
        })?;
    let mut rows: Vec<(usize, Row)> = pool.install(|| {
        order
            .into_iter()
            .par_bridge()
            .map(|index| {
                let Point {
                    setup, requirement, ..
                } = &points[index];
                let (row, _) = gate.with(requirement.bytes, || run_point(bench, setup))?;
                let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
                progress.0 += requirement.node_bit_times;
                let done = progress.0;
                progress.1.passed(done);
                Ok((index, row))
            })
            .collect::<Result<_, Error>>()
    })?;
    rows.sort_by_key(|(index, _)| *index);
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

/// What a series of points is called: its schedule (or testbench) and its payload.
fn series(bench: Bench, point: &Point) -> String {
    let name = point.setup.schedule.as_deref().unwrap_or(bench.name());
    match point.payload {
        Some(size) => format!("{name}, D = {size}"),
        None => name.to_owned(),
    }
}

/// The closed forms of each schedule, as they are for its largest cube.
fn forms(bench: Bench, points: &[Point]) -> Vec<[String; 3]> {
    let mut forms: Vec<(usize, [String; 3])> = Vec::new();
    for point in points {
        let name = point.setup.schedule.as_deref().unwrap_or(bench.name());
        let (k, requirement) = (point.setup.dims.unwrap_or_default(), &point.requirement);
        let form = [
            name.to_owned(),
            requirement.bit_times.text.to_owned(),
            requirement.storage_bits.text.to_owned(),
        ];
        match forms.iter_mut().find(|(_, [known, ..])| known == name) {
            Some((largest, known)) if k > *largest => (*largest, *known) = (k, form),
            Some(_) => {}
            None => forms.push((k, form)),
        }
    }
    forms.into_iter().map(|(_, form)| form).collect()
}
