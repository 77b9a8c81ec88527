//! The testbench seam: what the command line asks of a testbench. From this follow `list`, `run`, `measure`, `plan`, `verilog`
//! and their help. A testbench lives in a folder of its own, and the list of them is [`crate::families`].

pub mod arguments;
pub mod bench;
pub mod chosen;
pub mod parameter;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ArgMatches;
use serde_json::Value;

use crate::error::Error;
use crate::options::Format;
use crate::report::Report;
pub use bench::Testbench;

/// The argument of a command that takes all words, to refuse them.
pub const ANY_WORDS: &str = "any";

/// Why a run cannot be planned, where nothing else is said.
const NOT_PLANNED: &str =
    "nobody has said what a smaller machine of its kind is, by which rates would be measured";

/// A command of a family's own, beside those that all testbenches share.
pub trait Command: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// It as clap has it: what it says of itself, and its options.
    fn arguments(&self) -> clap::Command;

    /// The schema of what it prints as JSON.
    fn schema(&self) -> Value;

    /// Does it.
    ///
    /// # Errors
    /// What is refused, before any work starts; and a file that could not be written after all.
    fn execute(&self, arguments: &ArgMatches) -> Result<Printed, Error>;
}

/// What a command gave.
pub struct Printed {
    /// What is printed.
    pub text: String,
    /// All checks hold.
    pub passed: bool,
    /// A file that was written, which may be where reports go.
    pub beside: Option<PathBuf>,
}

/// The option that picks a testbench among several of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its long name, without dashes; none of the others of that name has such an option.
    pub option: &'static str,
    /// A value for it, for examples.
    pub example: &'static str,
}

impl Choice {
    /// As one types it, for an example.
    pub fn words(self) -> String {
        format!("--{} {}", self.option, self.example)
    }
}

/// A run that is over.
pub struct Ran {
    /// What it says.
    pub report: Report,
    /// In which form.
    pub format: Format,
    /// Where deliveries went, which may be where reports go.
    pub deliveries: Option<PathBuf>,
}

/// What arguments say, which clap has looked through before.
///
/// # Errors
/// [`Error::CommandLine`].
pub fn parsed<A: clap::FromArgMatches>(arguments: &ArgMatches) -> Result<A, Error> {
    Ok(A::from_arg_matches(arguments)?)
}

/// A command that takes all words, to refuse them.
pub fn refusing_all(command: clap::Command) -> clap::Command {
    let any = clap::Arg::new(ANY_WORDS).num_args(0..).hide(true);
    let any = any.value_parser(clap::value_parser!(OsString));
    command.arg(any.trailing_var_arg(true).allow_hyphen_values(true))
}
