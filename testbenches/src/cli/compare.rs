//! The command `compare`: two results side by side.

use std::path::PathBuf;

use clap::Args;

use crate::compare::better::Tolerance;
use crate::compare::{Comparison, Form, Results, Tolerances};
use crate::error::Error;
use crate::testbench::chosen::check_streams;

/// Its arguments.
#[derive(Args, Clone, Debug)]
pub(super) struct Compare {
    /// What there was: a report of `run --format json`, or rows of `measure --format json` or `csv`; `-` is standard input
    #[arg(value_name = "OLD")]
    old: PathBuf,

    /// What there is now, of the same kind
    #[arg(value_name = "NEW")]
    new: PathBuf,

    /// By how much a reading may differ: a number, or a share of the old value, as in wall_seconds=50%. Of what depends on the computer
    /// (wall_seconds, simulation_seconds, bytes_per_node) nothing is said without
    #[arg(long, value_name = "READING=AMOUNT", value_parser = tolerance)]
    tolerance: Vec<(String, Tolerance)>,

    /// Form of what is printed
    #[arg(
        long,
        value_name = "FORM",
        help_heading = "Output",
        default_value = "text"
    )]
    format: Form,
}

fn tolerance(text: &str) -> Result<(String, Tolerance), String> {
    let (name, amount) = text
        .split_once('=')
        .ok_or("a reading and an amount are wanted, as in bit_times=5%")?;
    Ok((name.to_owned(), Tolerance::read(amount)?))
}

impl Compare {
    /// What is printed, whether that is for people, and whether nothing is worse.
    ///
    /// # Errors
    /// Files that have no results, or results of different testbenches; a tolerance of no reading.
    pub fn execute(self) -> Result<(String, bool, bool), Error> {
        check_streams([(&*self.old, "old results"), (&*self.new, "new ones")].into_iter())?;
        let (old, new) = (Results::read(&self.old)?, Results::read(&self.new)?);
        let tolerances: Tolerances = self.tolerance.into_iter().collect();
        let comparison = Comparison::of(old, new, &tolerances)?;
        let text = comparison.formatted(self.format)?;
        Ok((text, self.format == Form::Text, comparison.passed()))
    }
}
