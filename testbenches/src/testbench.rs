//! The testbench seam: what the command line asks of a testbench. From this follow `list`, `run`, `measure`, `plan`, `verilog`
//! and their help. A testbench lives in a folder of its own, and the list of them is [`crate::families`].

pub mod arguments;
pub mod bench;
pub mod chosen;
pub mod parameter;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ArgMatches;

use crate::error::Error;
use crate::measure;
use crate::options::Format;
use crate::report::AnyReport;
use crate::testbench::bench::Bench;

/// The argument of a command that takes all words, to refuse them.
pub const ANY_WORDS: &str = "any";

/// Why a run cannot be planned, where nothing else is said.
const NOT_PLANNED: &str =
    "nobody has said what a smaller machine of its kind is, by which rates would be measured";

/// A testbench.
pub trait Testbench: Sync {
    /// Its name on the command line.
    fn name(&'static self) -> &'static str;

    /// Where several testbenches have this name: the option whose presence on the command line picks this one of them. One of
    /// them has none, and is taken where no such option is there.
    fn chosen_by(&'static self) -> Option<Choice> {
        None
    }

    /// What it models, in a line.
    fn models(&'static self) -> &'static str;

    /// Where it comes from: paper and section.
    fn source(&'static self) -> &'static str;

    /// What there is to choose: lines for `list`.
    fn choices(&'static self) -> Vec<String> {
        Vec::new()
    }

    /// Its options that take a name of a list, and these names: whoever types one where a testbench is wanted is told of it.
    fn named_choices(&'static self) -> Vec<(&'static str, Vec<&'static str>)> {
        Vec::new()
    }

    /// Command lines that show what it can do, each with what it does; of `run`, `plan` and `verilog`.
    fn examples(&'static self) -> &'static [&'static str];

    /// Adds the options of `run`.
    fn run_arguments(&'static self, command: clap::Command) -> clap::Command;

    /// Runs it.
    ///
    /// # Errors
    /// What is refused, before any work starts; and a file that could not be written after all.
    fn run(&'static self, arguments: &ArgMatches) -> Result<Ran, Error>;

    /// Why a run of it cannot be planned, where it cannot.
    fn why_not_planned(&'static self) -> &'static str {
        NOT_PLANNED
    }

    /// Adds the options of `plan`. Where it cannot be planned, all words are taken, to be refused with the reason.
    fn plan_arguments(&'static self, command: clap::Command) -> clap::Command {
        refusing_all(command)
    }

    /// Plans a run of it; returns what is to be printed.
    ///
    /// # Errors
    /// What is refused, before any work starts; [`Error::NotPlanned`].
    fn plan(&'static self, arguments: &ArgMatches) -> Result<String, Error> {
        let _ = arguments;
        Err(Error::NotPlanned {
            bench: self.name(),
            why: self.why_not_planned(),
        })
    }

    /// Adds the options of `verilog`.
    fn verilog_arguments(&'static self, command: clap::Command) -> clap::Command;

    /// Writes it down as a Verilog project; returns what is to be printed.
    ///
    /// # Errors
    /// What is refused of the options, before anything is written; a folder that cannot be written.
    fn verilog(&'static self, arguments: &ArgMatches) -> Result<String, Error>;

    /// The testbenches that it is measured with, whose rows have the same columns.
    fn measured_as(&'static self) -> &'static dyn measure::Family;

    /// It as a value, if it is one.
    fn value(&'static self) -> Option<&'static Bench> {
        None
    }
}

/// A command of a family's own, beside those that all testbenches share.
pub trait Command: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// It as clap has it: what it says of itself, and its options.
    fn arguments(&self) -> clap::Command;

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
    pub report: Box<dyn AnyReport>,
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
