//! A sweep: a testbench run at every point of a grid, a row a point.
//!
//! This is a kit that knows no testbench. A family of testbenches says as a value ([`sweep::Sweep`]) which axes there are, what
//! rows have, what a plot shows and what is said below the table. What is the same for all of them is here: seeds, points that are left out, limits of
//! amount, memory and time, points that run side by side, tables, CSV, JSON and the drawing.
//!
//! Every point is checked before the first one runs. Points are independent, so several run at a time, as
//! far as there are threads and memory, on several ranks if there are any; the rows come in the order of the grid all the
//! same. A journal has them as they come, and a sweep that was broken off goes on where it has ended.

pub mod axes;
pub mod beside;
pub mod crossover;
pub mod duration;
pub mod fastest;
mod hand_out;
mod journal;
pub mod left_out;
mod list;
mod memory_gate;
mod options;
pub mod plot;
pub mod ranges;
pub mod reading;
pub mod row;
mod run;
pub mod seeds;
mod suite;
pub mod sweep;
pub mod table;
pub mod timing;

use std::path::PathBuf;

use rtl_model::machine::memory;

use crate::error::Error;
use crate::junit;
use crate::options::{checked_threads, processors};
use crate::output::Staging;
use crate::ranks::line::Line;
use crate::report::{self, Date, Meta, counted, shown_path};
use crate::testbench::chosen::check_streams;
use axes::{Coordinate, Series};
use duration::{Cost, Work};
use journal::{Identity, Planned};
use left_out::LeftOut;
pub use options::{RowFormat, Seeds, SweepOptions};
use plot::{Against, Panel, Plot};
use row::Row;
use run::first::{Begun, Others};
use run::{Here, first, other};
use table::Column;

/// A point of a grid: a machine and its traffic.
pub trait GridPoint: Clone + Sync {
    /// Where it is, an axis after the other: this is what it is called, and what tells the series of a plot apart.
    fn coordinates(&self) -> Vec<Coordinate>;

    /// The same with another seed.
    fn with_seed(&self, seed: u64) -> Self;

    /// Nodes of its machine.
    fn nodes(&self) -> usize;

    /// Bytes that a run of it takes.
    fn bytes(&self) -> u64;

    /// How it is called where it would not fit into memory.
    fn large(&self) -> String {
        format!("the point {}", self.name())
    }

    /// How much work it is.
    fn work(&self) -> Work;

    /// What points have in common that take as long for as much work.
    fn kind_of_work(&self) -> String;

    /// What its work takes, going by smaller runs of its kind.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    fn cost(&self) -> Result<Cost, Error>;

    /// The share of it that is done, while it runs.
    fn done(&self) -> f64 {
        0.0
    }

    /// The file that it leaves beside its row, if it leaves one.
    fn file(&self) -> Option<PathBuf> {
        None
    }

    /// Where its row comes from.
    fn meta(&self, date: Date) -> Meta;

    /// Runs it. What it took is added to the row.
    ///
    /// # Errors
    /// What is refused of it, and whatever keeps it from its end.
    fn run(&self) -> Result<Row, Error>;

    /// What it is called.
    fn name(&self) -> String {
        axes::name(&self.coordinates())
    }

    /// An error that says at which point it was met.
    fn refused(&self, reason: Error) -> Error {
        match reason {
            Error::Interrupted => reason,
            reason => Error::AtPoint {
                point: self.name(),
                reason: Box::new(reason),
            },
        }
    }
}

/// What a sweep is over: points, and what is made of their rows.
pub trait Grid {
    /// What it is made of.
    type Point: GridPoint;

    /// All points with the first seed that can be, each sized up, in the order of the rows.
    ///
    /// # Errors
    /// A list that cannot be read, something out of range, too many points.
    fn points(&self, seeds: &Seeds, left_out: &mut LeftOut) -> Result<Vec<Self::Point>, Error>;

    /// Those points whose traffic can be: for what is not known before traffic is drawn, which takes memory. They come with
    /// all seeds.
    ///
    /// # Errors
    /// Traffic of no point at all.
    fn with_traffic(
        &self,
        points: Vec<Self::Point>,
        _left_out: &mut LeftOut,
    ) -> Result<Vec<Self::Point>, Error> {
        Ok(points)
    }

    /// The columns of its table. CSV and JSON have all values of the rows.
    fn columns(&self) -> &[Column];

    /// What stands above the table, given what the columns say that are left out of it, since all rows are the same there.
    fn title(&self, points: &[Self::Point], in_words: &str) -> String;

    /// What stands below it: what the columns are, and what the rows say together.
    fn below(&self, points: &[Self::Point], rows: &[Row]) -> String;

    /// What the rows say together, below that: all of a summary. Most families have nothing to add.
    fn summary(&self, _points: &[Self::Point], _rows: &[Row]) -> String {
        String::new()
    }

    /// Adds to the rows what they say together. They are in the order of the points.
    fn conclude(&self, _points: &[Self::Point], _rows: &mut [Row]) {}

    /// What a plot is drawn against.
    ///
    /// # Errors
    /// A plot with nothing to compare.
    fn against(&self, points: &[Self::Point]) -> Result<Against, Error>;

    /// The pictures of a plot.
    ///
    /// # Errors
    /// None, but for what is met in sizing up what lies between points.
    fn panels(
        &self,
        points: &[Self::Point],
        rows: &[Row],
        series: &Series,
    ) -> Result<Vec<Panel>, Error>;

    /// Measures every point, together with the other ranks that there are a line to. [`crate::ranks::each_alone`] gives it.
    ///
    /// # Errors
    /// What is refused, before any work starts; a journal or a plot that could not be written after all; on all ranks but the
    /// first [`Error::ReportedElsewhere`].
    fn sweep(&self, options: &SweepOptions, line: Option<&Line>) -> Result<Sweep, Error> {
        let (seeds, date) = (options.seeds()?, options.date.date()?);
        let mut left_out = LeftOut::default();
        let points = self.points(&seeds, &mut left_out)?;
        list::check_amount(points.len() as u128 * u128::from(seeds.amount))?;
        let points = seeds.each(points);
        let available = memory::available();
        // Others do without: when they look, points of the first may run on the same computer already. What finds no room there
        // is run again when nothing else does.
        let checks_memory = line.is_none_or(Line::is_first);
        for point in points.iter().filter(|_| checks_memory) {
            let (nodes, bytes) = (point.nodes(), point.bytes());
            memory::require_for_nodes(point.large(), nodes, bytes, available)?;
        }
        let points = self.with_traffic(points, &mut left_out)?;
        let (points, left_out) = left_out.leaves(points)?;
        let names: Vec<String> = points.iter().map(GridPoint::name).collect();
        let identity = Identity::new(names.iter().map(String::as_str), &options.asked);
        let sweep = identity.sweep.clone();
        let here = |threads: usize| Here {
            points: &points,
            threads: threads.min(points.len()).max(1),
            available,
        };
        if let Some(line) = line.filter(|line| !line.is_first()) {
            let threads = checked_threads(options.threads)?;
            other::serve(&here(threads), line, &sweep)?;
            return Err(Error::ReportedElsewhere);
        }
        let mut staging = Staging::default();
        let texts = [(&options.plot, plot::FILE), (&options.junit, junit::FILE)];
        let texts = texts
            .into_iter()
            .filter_map(|(path, what)| Some((path.as_deref()?, what)));
        check_streams(texts)?;
        let plot = Plot::plan((options.plot.as_deref(), &mut staging), || {
            let against = self.against(&points)?;
            Ok((Series::of(&points, against.axis), against))
        })?;
        let junit = options.junit.as_deref();
        let junit = junit.map(|path| staging.create_text(path, junit::FILE));
        let junit = junit.transpose()?;
        let threads = checked_threads(options.threads)?;
        let journal = (options.journal.as_deref())
            .map(|path| Planned::look(path, &mut staging, (identity, &names)))
            .transpose()?;
        if let Some(journal) = &journal {
            journal.check_files(|point| points[point].file())?;
        }
        if !options.yes {
            let ranks = line.map_or(1, |line| line.ranks);
            duration::check(&points, threads.min(processors()) * ranks)?;
        }
        left_out.tell(options);
        let begun = journal.map_or_else(|| Ok(Begun::default()), Begun::of)?;
        let others = line.map(|line| Others {
            line,
            sweep: &sweep,
            is_silent: options.is_silent(),
        });
        let mut rows = first::run_all(&here(threads), begun, others.as_ref())?;
        self.conclude(&points, &mut rows);
        let command = options.command();
        if !date.is_timed() {
            for row in &mut rows {
                row.set(row::WALL_SECONDS, None::<f64>);
            }
        }
        let meta = points.iter().map(|point| Meta {
            sweep: Some(command.clone()),
            ..point.meta(date)
        });
        if let Some(plot) = plot {
            let panels = self.panels(&points, &rows, plot.series())?;
            plot.write(
                &panels,
                &Meta::new(Some(command.clone()), date).provenance(),
            )?;
        }
        let meta: Vec<Meta> = meta.collect();
        if let Some(file) = junit {
            let suite = suite::of((&names, &rows, &meta), &command, date);
            junit::write(file, &suite)?;
        }
        let (table, in_words) = table::table(self.columns(), &rows);
        Ok(Sweep {
            title: self.title(&points, &in_words),
            table,
            below: self.below(&points, &rows),
            summary: self.summary(&points, &rows),
            names,
            written: options.written(),
            meta,
            rows,
        })
    }
}

/// What a sweep gave.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// A row a point, in the order of the grid.
    pub rows: Vec<Row>,
    /// Where each comes from.
    meta: Vec<Meta>,
    /// What each point is called.
    names: Vec<String>,
    /// What stands above the table.
    title: String,
    /// The rows as a table.
    table: String,
    /// What the family says of its columns.
    below: String,
    /// What the rows say together.
    summary: String,
    /// Files that were asked for, by their names.
    written: Vec<(&'static str, PathBuf)>,
}

impl Sweep {
    /// All checks of all points hold.
    pub fn passed(&self) -> bool {
        self.rows.iter().all(Row::passed)
    }

    /// In the form that was asked for.
    ///
    /// # Errors
    /// A report that cannot be printed.
    pub fn formatted(&self, format: RowFormat) -> Result<String, Error> {
        match format {
            RowFormat::Table => Ok(self.text()),
            RowFormat::Summary => Ok(self.summary()),
            RowFormat::Csv => row::comma_separated(&self.rows, &self.meta),
            RowFormat::Json => row::json(&self.rows, &self.meta),
        }
    }

    /// The table, what is said below it, and what did not hold.
    fn text(&self) -> String {
        let Sweep {
            title,
            table,
            below,
            summary,
            ..
        } = self;
        let failed: String = self.failed().collect();
        format!("{title}\n\n{table}\n{below}{summary}{failed}") + &self.written()
    }

    /// What the rows say together, how many they are, and the first ones of which something did not hold.
    fn summary(&self) -> String {
        let (runs, failed) = (self.rows.len(), self.failed().count());
        let held = match failed {
            0 => format!("{}; all checks hold in each", counted(runs, "run")),
            _ => format!("{runs} runs; in {failed} of them a check does not hold"),
        };
        let listed: String = self.failed().take(FAILED_IN_SUMMARY).collect();
        let more = match failed.saturating_sub(FAILED_IN_SUMMARY) {
            0 => String::new(),
            more => format!("\nand {more} more, which `--format table` lists\n"),
        };
        format!("{}\n{}\n{held}\n{listed}{more}", self.title, self.summary) + &self.written()
    }

    /// Rows of which something did not hold, and what.
    fn failed(&self) -> impl Iterator<Item = String> {
        let failed = (self.rows.iter().zip(&self.names)).filter(|(row, _)| !row.passed());
        failed.map(|(row, name)| format!("\nFAIL  {name}: {}\n", row.text(row::FAILED)))
    }

    /// What was written.
    fn written(&self) -> String {
        let files = self.written.iter();
        let files = files.map(|(name, path)| (*name, shown_path(&path.display().to_string())));
        let files: Vec<_> = files.collect();
        match files.is_empty() {
            true => String::new(),
            false => format!("\nwritten\n{}", report::rows(&files)),
        }
    }
}

/// As many rows of which something did not hold are listed in a summary.
const FAILED_IN_SUMMARY: usize = 3;

#[cfg(test)]
mod tests;
