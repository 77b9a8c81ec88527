//! A sweep: a testbench run at every point of a grid, a row a point.
//!
//! Every point is checked before the first one runs. Points are independent, so several run at a time, as
//! far as there are threads and memory; the rows come in the order of the grid all the same.

mod duration;
mod foretell;
mod grid;
mod left_out;
mod lists;
mod memory_gate;
mod plot;
mod ranges;
mod row;
mod run;
pub mod wormhole;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use rtl_model::memory;

use crate::catalogue::Bench;
use crate::error::Error;
use crate::options::whole_number;
use crate::options::{checked_threads, processors};
use crate::output::{Staged, Staging, Stream};
use crate::report::shown_path;
pub(crate) use foretell::{foretell, foretell_worms};
use grid::Point;
use left_out::LeftOut;
pub use lists::{Measured, measured};
pub use row::Row;

/// Options of `measure`.
#[derive(Args, Clone, Debug, Default)]
pub struct MeasureOptions {
    /// Dimensions of the hypercubes; of wormhole, levels of the cube-connected cycles: numbers and ranges, as in
    /// 2..8,10, both ends included [default: 2..8; of wormhole: 4]
    #[arg(
        long,
        value_name = "LIST",
        help_heading = "Grid",
        allow_hyphen_values = true
    )]
    pub dims: Option<String>,

    /// Schedules, or all; of kuszmaul: plain, overlapped, folded, spread, radix4 [default: plain]; of bitonic
    /// and radix: sort-and-unpack, sort [default: sort-and-unpack]. Of several testbenches each takes those
    /// that it has
    #[arg(long, value_name = "LIST", help_heading = "Grid")]
    pub schedule: Option<String>,

    /// Payload bits of every message: numbers, or k, 2k, 2k+1 for as many as there are dimensions
    /// [default: 8]
    #[arg(
        long,
        value_name = "LIST",
        help_heading = "Grid",
        allow_hyphen_values = true
    )]
    pub payload_bits: Option<String>,

    /// Shares of the nodes that send a message each, 0 to 1, as in 0.25,0.5..0.9:0.1 (from, to and including, and by how
    /// much, 0.05 if that is left out) [default: 0.75; of schedule sort and of wormhole: 1]
    #[arg(
        long,
        value_name = "LIST",
        help_heading = "Grid",
        allow_hyphen_values = true
    )]
    pub load: Option<String>,

    /// How many seeds, from --seed on: each point is run with as many traffics
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

    /// Traffic pattern, as of `run`; of wormhole, patterns with commas between, or all [default: randperm; of
    /// packing: packed]
    #[arg(long, value_name = "NAME", help_heading = "Grid")]
    pub traffic: Option<String>,

    /// Of wormhole routers.
    #[command(flatten)]
    pub wormhole: wormhole::WormholeGrid,

    /// Form of the rows; they are printed when all points are done
    #[arg(
        long,
        value_name = "FORM",
        help_heading = "Output",
        default_value = "table"
    )]
    pub format: RowFormat,

    /// Draw bit times, storage and logic depth against the dimensions here: measured points, on their closed
    /// forms where there are any. Of wormhole: bit times for each bit of a message against --dims, or against
    /// --message-bits; with --offered-load, latency and accepted load against it. `-` is standard output; the rows then go
    /// to standard error
    #[arg(long, value_name = "FILE.svg", help_heading = "Output")]
    pub plot: Option<PathBuf>,

    /// Points at a time, as far as memory allows [default: as many as there are processors]
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
            RowFormat::Json => row::json(&self.rows),
        }
    }

    /// The table, what its columns are, and what did not hold.
    fn text(&self) -> String {
        let mut text = String::new();
        if let Some(row) = self.rows.first() {
            let mut benches: Vec<&str> = self.rows.iter().map(|row| row.bench).collect();
            benches.dedup();
            text += &format!("{}, traffic {}\n\n", benches.join(", "), row.traffic);
        }
        text += &row::table(&self.rows);
        text += "\ndepth: gates on the longest path between registers; gate delays: bit times x depth\n\
                 storage: register bits of a node; occupied: the most of them that ever held message bits\n";
        text += "\nclosed forms\n";
        for [schedule, bit_times, storage] in &self.forms {
            text += &format!("  {schedule}: bit times {bit_times}, storage {storage}\n");
        }
        for row in self.rows.iter().filter(|row| !row.passed) {
            let schedule = row.schedule.unwrap_or(row.bench);
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
            text += &format!(
                "\nwritten\n  plot  {}\n",
                shown_path(&plot.display().to_string())
            );
        }
        text
    }
}

/// Measures every point of the grid, of one testbench or of several.
///
/// # Errors
/// What is refused, before any work starts; and a plot that could not be written after all.
pub fn measure(benches: &[Bench], options: &MeasureOptions) -> Result<Sweep, Error> {
    if let (Some(option), Some(bench)) = (options.wormhole.given(), benches.first()) {
        return Err(Error::NotApplicable {
            bench: bench.name(),
            option,
            why: "it is for wormhole routers",
        });
    }
    let mut left_out = LeftOut::default();
    let points = grid::points(benches, options, &mut left_out)?;
    let points = grid::with_all_senders(points, &mut left_out)?;
    let available = memory::available();
    grid::check_memory(&points, available)?;
    let points = grid::with_traffic(points, &mut left_out)?;
    let (points, left_out) = left_out.leaves(points)?;
    let plot = plan_plot(options, &points)?;
    let (threads, processors) = threads(options)?;
    if !options.yes {
        duration::check(&points, threads.min(processors))?;
    }
    left_out.tell(options);
    let rows = run::run_all(&points, threads.min(points.len()), available)?;
    let forms = forms(&points);
    if let Some(mut file) = plot {
        plot::write(&mut file, &points, &rows)?;
        file.commit()?;
    }
    Ok(Sweep {
        rows,
        forms,
        plot: options.plot.clone(),
    })
}

/// Points at a time, and processors.
fn threads(options: &MeasureOptions) -> Result<(usize, usize), Error> {
    Ok((checked_threads(options.threads)?, processors()))
}

/// The closed forms of each schedule: of its bit times, and of its storage.
fn forms(points: &[Point]) -> Vec<[String; 3]> {
    let mut schedules: Vec<String> = Vec::new();
    for point in points {
        let schedule = point.schedule();
        if !schedules.contains(&schedule) {
            schedules.push(schedule);
        }
    }
    let of = |schedule: &String, form: fn(&Point) -> &'static str| {
        let points = points.iter().filter(|point| point.schedule() == *schedule);
        grid::forms(points.map(|point| (point.dims(), form(point))).collect()).join(", ")
    };
    schedules
        .iter()
        .map(|schedule| {
            let bit_times = of(schedule, |point| point.requirement.bit_times.text);
            let storage = of(schedule, |point| point.requirement.storage_bits.text);
            [schedule.clone(), bit_times, storage]
        })
        .collect()
}

/// Begins the plot's file, if there is to be one.
fn plan_plot(options: &MeasureOptions, points: &[Point]) -> Result<Option<Staged>, Error> {
    let Some(path) = &options.plot else {
        return Ok(None);
    };
    check_is_svg(path)?;
    let mut dims = points.iter().filter_map(|point| point.setup.dims);
    let first = dims.next().unwrap_or_default();
    if dims.all(|k| k == first) {
        return Err(Error::SinglePoint { dims: first });
    }
    check_series(
        points.iter().map(Point::series),
        "schedule with each payload",
    )?;
    Ok(Some(Staging::default().create_text(path, "the plot")?))
}

/// Refuses a plot that would be no SVG.
fn check_is_svg(path: &Path) -> Result<(), Error> {
    let is_svg = |ending: &std::ffi::OsStr| ending.eq_ignore_ascii_case("svg");
    // A stream has no ending.
    match path.extension().is_some_and(is_svg) || Stream::of(path).is_some() {
        true => Ok(()),
        false => Err(Error::PlotFormat {
            path: path.to_owned(),
        }),
    }
}

/// Refuses a plot in which nobody could tell the series apart, given that of each point.
fn check_series(names: impl Iterator<Item = String>, of: &'static str) -> Result<(), Error> {
    let mut series: Vec<String> = Vec::new();
    for name in names {
        ranges::insert(&mut series, name);
    }
    match series.len() > plot::MOST_SERIES {
        true => Err(Error::TooManySeries {
            of,
            series: series.len(),
            most: plot::MOST_SERIES,
        }),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_that_fails_is_told_and_the_sweep_has_not_passed() {
        let options = MeasureOptions {
            dims: Some("3,4".to_owned()),
            load: Some("0.5".to_owned()),
            seeds: 1,
            seed: 7,
            ..MeasureOptions::default()
        };
        let mut sweep = measure(&[Bench::Kuszmaul], &options).unwrap();
        assert!(sweep.passed());
        assert!(!sweep.formatted(RowFormat::Table).unwrap().contains("FAIL"));
        sweep.rows[1].passed = false;
        sweep.rows[1].failed = "delivered: 3 of 8".to_owned();
        assert!(!sweep.passed());
        let text = sweep.formatted(RowFormat::Table).unwrap();
        assert_eq!(text.matches("FAIL").count(), 2, "in the table and below it");
        assert!(text.contains("\nFAIL  plain k=4 D=8 load 0.5 seed 7: delivered: 3 of 8\n"));
        let values = sweep.formatted(RowFormat::Csv).unwrap();
        assert!(values.contains(",false,delivered: 3 of 8,"));
    }
}
