//! Options that every sweep has, whatever it is of.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::junit;
use crate::measure::GridPoint;
use crate::options::{ConfigArgument, whole_number};
use crate::output::Stream;
use crate::report::{DateArgument, with_value};

/// Seeds, form, plot and work of a sweep.
#[derive(Args, Clone, Debug, Default)]
pub struct SweepOptions {
    /// How many seeds, from --seed on: each point is run with as many traffics
    #[arg(
        long,
        value_name = "N",
        help_heading = "Grid",
        default_value_t = 1,
        value_parser = whole_number::<u64>
    )]
    pub seeds: u64,

    /// First seed of all random choices
    #[arg(
        long,
        value_name = "N",
        help_heading = "Grid",
        default_value_t = 1,
        value_parser = whole_number::<u64>
    )]
    pub seed: u64,

    /// Form of the rows; they are printed when all points are done
    #[arg(
        long,
        value_name = "FORM",
        help_heading = "Output",
        default_value = "table"
    )]
    pub format: RowFormat,

    /// Draw a plot of what was measured here. `-` is standard output; the rows then go to standard error
    #[arg(long, value_name = "FILE.svg", help_heading = "Output")]
    pub plot: Option<PathBuf>,

    /// Write the points here as JUnit XML, which build servers read: a test case a point, with the checks that fail there. `-` is
    /// standard output; the rows then go to standard error
    #[arg(long, value_name = "FILE.xml", help_heading = "Output")]
    pub junit: Option<PathBuf>,

    /// Put down each row here as soon as it is there, as JSON Lines, and go on with what an earlier run of this same sweep has
    /// put down: points that are there are not run again. It outlasts a crash
    #[arg(long, value_name = "FILE.jsonl", help_heading = "Output")]
    pub journal: Option<PathBuf>,

    /// Whether rows say when they were made.
    #[command(flatten)]
    pub date: DateArgument,

    /// Points at a time, as far as memory allows; of several ranks (mpirun), each [default: as many as there are processors]
    #[arg(long, value_name = "N", help_heading = "Work", value_parser = whole_number::<usize>)]
    pub threads: Option<usize>,

    /// Begin even if it would take hours
    #[arg(long, help_heading = "Work")]
    pub yes: bool,

    /// Where further options are.
    #[command(flatten)]
    pub config: ConfigArgument,

    /// The command that goes over the points
    #[arg(skip)]
    pub command: &'static str,

    /// What the grid was asked for with, which tells this sweep from others
    #[arg(skip)]
    pub asked: String,

    /// Nothing is said but what is wrong
    #[arg(skip)]
    pub quiet: bool,
}

/// Form of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    /// For people.
    #[default]
    Table,
    /// For people who run many seeds: what the rows say together, without them.
    Summary,
    /// For scripts: comma-separated values with a header.
    Csv,
    /// For scripts: a list of objects.
    Json,
}

impl RowFormat {
    /// For people, not for scripts.
    pub fn is_prose(self) -> bool {
        matches!(self, RowFormat::Table | RowFormat::Summary)
    }
}

impl SweepOptions {
    /// The command that measures the same again: whoever goes on in a journal has the same rows.
    pub(super) fn command(&self) -> String {
        let files = [("--plot", &self.plot), ("--junit", &self.junit)];
        let files = files.into_iter().filter_map(|(option, path)| {
            let path = path.as_ref()?.display().to_string();
            Some(with_value(option, &path))
        });
        let form = self.format.to_possible_value();
        format!(
            "cubewave {} {} --seeds {} --seed {} --format {}{}{}",
            self.command,
            self.asked,
            self.seeds,
            self.seed,
            form.as_ref().map_or("table", |form| form.get_name()),
            files.collect::<String>(),
            self.date.word()
        )
    }

    /// The files that are written when all rows are there, by their names.
    pub(super) fn written(&self) -> Vec<(&'static str, PathBuf)> {
        let files = [("plot", &self.plot), (junit::NAME, &self.junit)];
        let files = files.into_iter();
        files
            .filter_map(|(name, path)| Some((name, path.clone()?)))
            .collect()
    }

    /// A file that is written, or printed in the place of rows.
    pub fn beside(&self) -> Option<&Path> {
        let texts = [&self.plot, &self.junit].into_iter().flatten();
        let first = texts.min_by_key(|path| Stream::of(path).is_none());
        first.map(PathBuf::as_path)
    }

    /// Nothing is to be said on standard error: it is for the plot, or for rows that a script reads.
    pub(super) fn is_silent(&self) -> bool {
        match self.beside().and_then(Stream::of) {
            None => false,
            Some(Stream::Output) => !self.format.is_prose(),
            Some(Stream::Error) => true,
        }
    }

    /// The seeds of each point.
    ///
    /// # Errors
    /// That there are none, or not so many.
    pub fn seeds(&self) -> Result<Seeds, Error> {
        Seeds::new(self.seed, self.seeds)
    }
}

/// The seeds with which each point is run.
#[derive(Clone, Copy, Debug)]
pub struct Seeds {
    /// The first of them.
    pub first: u64,
    /// How many there are.
    pub amount: u64,
}

impl Seeds {
    /// So many, from the first on.
    ///
    /// # Errors
    /// That there are none, or not so many.
    pub fn new(first: u64, amount: u64) -> Result<Self, Error> {
        let wrong = |why: &str, instead: &str| {
            let refusal = Refusal::of("--seeds").because(why);
            Err(refusal.instead(instead).into())
        };
        match amount.checked_sub(1) {
            None => wrong("0 seeds leave nothing to measure", "give 1 or more"),
            Some(more) if first.checked_add(more).is_none() => wrong(
                "there are not so many seeds from --seed on",
                "begin with a smaller one",
            ),
            Some(_) => Ok(Seeds { first, amount }),
        }
    }

    /// All of them.
    pub fn all(&self) -> RangeInclusive<u64> {
        self.first..=self.first + (self.amount - 1)
    }

    /// Each point with each seed.
    pub fn each<P: GridPoint>(&self, points: Vec<P>) -> Vec<P> {
        let with = |point: P| self.all().map(move |seed| point.with_seed(seed));
        points.into_iter().flat_map(with).collect()
    }
}
