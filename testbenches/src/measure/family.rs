//! What a family of testbenches says so that it can be measured.

use clap::{ArgMatches, Command};

use crate::measure::AnyGrid;

/// Testbenches whose rows have the same columns.
pub trait Family: Sync {
    /// Its testbenches: the name of each, and what it models in a line.
    fn testbenches(&self) -> Vec<(&'static str, &'static str)>;

    /// Adds the axes that some of its testbenches have.
    fn arguments(&self, command: Command, testbenches: &[&str]) -> Command;

    /// What a plot draws against what, for the help.
    fn plot(&self) -> &'static str;

    /// The grid that was asked for.
    ///
    /// # Errors
    /// Arguments that cannot be read.
    fn grid(
        &self,
        arguments: &ArgMatches,
        testbenches: &[&str],
    ) -> Result<Box<dyn AnyGrid>, clap::Error>;
}
