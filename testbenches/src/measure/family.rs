//! What a family of testbenches says so that it can be measured.

use clap::{ArgMatches, Command};

use crate::measure::AnyGrid;
use crate::testbench::Choice;

/// Testbenches whose rows have the same columns.
pub trait Family: Sync {
    /// Its testbenches: the name of each, and what it models in a line.
    fn testbenches(&self) -> Vec<(&'static str, &'static str)>;

    /// Where testbenches of other families have names of its own: the option whose presence on the command line picks this
    /// family, as [`Testbench::chosen_by`](crate::testbench::Testbench::chosen_by).
    fn chosen_by(&self) -> Option<Choice> {
        None
    }

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
