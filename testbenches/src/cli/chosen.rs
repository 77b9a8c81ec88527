//! The commands `run`, `faults`, `plan` and `verilog`: a subcommand a testbench, which takes what that has and nothing else.

use std::ffi::OsString;
use std::fmt;
use std::marker::PhantomData;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::cli::choice::{is_given, others, pick, stands_in, with_others};
use crate::error::Error;
use crate::families::{names, namesakes, purposes, testbench, unknown};
use crate::options::ConfigArgument;
use crate::testbench::Testbench;

/// A command that takes a testbench.
pub(super) trait Takes {
    /// What it does, as in "Run kuszmaul".
    const VERB: &'static str;
    /// Its name.
    const NAME: &'static str;
    /// The command whose examples are also its own.
    const EXAMPLES_OF: &'static str = Self::NAME;
    /// What stands below its examples.
    const BELOW: &'static str;

    /// Whether that also stands below the examples of a testbench with these options.
    fn is_below(_: &Command) -> bool {
        true
    }

    /// Adds the options that a testbench has for it.
    fn arguments(bench: &'static Testbench, command: Command) -> Command;
}

/// The command `run`.
pub(super) struct Run;

impl Takes for Run {
    const VERB: &'static str = "Run";
    const NAME: &'static str = "run";
    const BELOW: &'static str = "

A traffic file is CSV with a header:
  source,destination,payload
  0,5,2f
  3,0,";

    /// The file that is shown has messages; of sets the option says all.
    fn is_below(command: &Command) -> bool {
        let has = |name| {
            command
                .get_arguments()
                .any(|option| option.get_id() == name)
        };
        has("traffic") && has("traffic_file")
    }

    fn arguments(bench: &'static Testbench, command: Command) -> Command {
        bench.run_arguments(command)
    }
}

/// The command `verilog`.
pub(super) struct Verilog;

impl Takes for Verilog {
    const VERB: &'static str = "Export";
    const NAME: &'static str = "verilog";
    const BELOW: &'static str = "

Then, in the folder, the commands that were printed; as a rule
  iverilog -g2005 -o tb.vvp node.v sequencer.v cube.v tb.v
  vvp tb.vvp";

    fn arguments(bench: &'static Testbench, command: Command) -> Command {
        bench.verilog_arguments(command)
    }
}

/// The command `plan`.
pub(super) struct Plan;

impl Takes for Plan {
    const VERB: &'static str = "Plan";
    const NAME: &'static str = "plan";
    const BELOW: &'static str = "

Testbenches that cannot be planned are refused, with the reason.";

    fn is_below(_: &Command) -> bool {
        false
    }

    fn arguments(bench: &'static Testbench, command: Command) -> Command {
        bench.plan_arguments(command)
    }
}

/// The command `faults`.
pub(super) struct Faults;

impl Takes for Faults {
    const VERB: &'static str = "Put faults into";
    const NAME: &'static str = "faults";
    const BELOW: &'static str = "

docs/faults.md says how to read what is printed, and what is put in where.";

    fn is_below(_: &Command) -> bool {
        false
    }

    fn arguments(bench: &'static Testbench, command: Command) -> Command {
        bench.faults_arguments(command)
    }
}

/// The testbench that was chosen, and its arguments; a refusal, if none has such a name.
pub(super) struct Chosen<K> {
    bench: Result<(&'static Testbench, ArgMatches), Error>,
    of: PhantomData<K>,
}

impl<K> Chosen<K> {
    /// It, and its arguments.
    ///
    /// # Errors
    /// A name of none.
    pub fn bench(self) -> Result<(&'static Testbench, ArgMatches), Error> {
        self.bench
    }
}

impl<K: Takes> fmt::Debug for Chosen<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(K::VERB)
    }
}

/// The examples of a testbench that are of a command.
fn examples<K: Takes>(bench: &'static Testbench) -> Vec<String> {
    let start = format!("cubewave {} ", K::EXAMPLES_OF);
    let all = bench.examples.iter();
    let rests = all.filter_map(|line| line.strip_prefix(&start));
    rests
        .map(|rest| format!("cubewave {} {rest}", K::NAME))
        .collect()
}

/// Examples as they stand in help.
fn in_help(lines: &[String]) -> String {
    match lines {
        [] => String::new(),
        _ => format!("Examples:\n  {}", lines.join("\n  ")),
    }
}

/// One example for each thing that people want, where there is one.
pub(super) fn one_each(of: impl Fn(&'static Testbench) -> Vec<String>) -> String {
    let all = purposes().into_iter().map(|(_, benches)| benches);
    let first = all.filter_map(|benches| benches.into_iter().flat_map(&of).next());
    in_help(&first.collect::<Vec<_>>())
}

/// Where there is more to know of a command.
pub(super) fn more(command: &str) -> String {
    format!(
        "\n\ncubewave {command} BENCH --help has the options of a testbench and more examples, cubewave list says what each is for."
    )
}

/// The subcommand of a testbench, which goes by its name alone.
fn subcommand<K: Takes>(bench: &'static Testbench) -> Command {
    let about = format!("{} {}: {}", K::VERB, bench.name, bench.models);
    let command = ConfigArgument::augment_args(K::arguments(bench, Command::new(bench.name)));
    let below = if K::is_below(&command) { K::BELOW } else { "" };
    let namesakes = namesakes(bench.name);
    let others = others(K::NAME, bench, &namesakes);
    let all = namesakes.iter().map(|other| other.chosen_by);
    let models = with_others(bench.models, bench.chosen_by, all);
    (command.about(models).long_about(about))
        .after_help(in_help(&examples::<K>(bench)) + &others + below)
}

/// The command for arguments that stand behind a testbench's name: with the one of that name that they choose. Nothing else is
/// known of them yet.
pub(super) fn choosing<K: Takes>(command: Command, name: &str, arguments: &[OsString]) -> Command {
    let namesakes = namesakes(name);
    let is_there = |choice| stands_in(arguments, choice);
    match pick(&namesakes, |bench| bench.chosen_by, is_there) {
        Some(bench) if namesakes.len() > 1 => {
            command.mut_subcommand(name, |_| subcommand::<K>(bench))
        }
        _ => command,
    }
}

impl<K: Takes> Args for Chosen<K> {
    fn augment_args(command: Command) -> Command {
        let benches = names().into_iter().filter_map(|name| testbench(name).ok());
        let subcommands = benches.map(subcommand::<K>);
        command
            .subcommand_required(true)
            .subcommand_value_name("BENCH")
            .subcommand_help_heading("Testbenches")
            .disable_help_subcommand(true)
            .allow_external_subcommands(true)
            .subcommands(subcommands)
            .after_help(one_each(examples::<K>) + &more(K::NAME) + K::BELOW)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The testbench of that name that arguments choose.
fn chosen<K: Takes>(name: &str, arguments: &ArgMatches) -> Result<&'static Testbench, Error> {
    let is_there = |choice| is_given(arguments, choice);
    let chosen = pick(&namesakes(name), |bench| bench.chosen_by, is_there);
    chosen.ok_or_else(|| unknown(K::NAME, name))
}

impl<K: Takes> FromArgMatches for Chosen<K> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let Some((name, arguments)) = matches.subcommand() else {
            return Err(clap::Error::new(ErrorKind::MissingSubcommand));
        };
        Ok(Chosen {
            bench: chosen::<K>(name, arguments).map(|bench| (bench, arguments.clone())),
            of: PhantomData,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
