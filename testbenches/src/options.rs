//! Options that testbenches of several families have, and what of them is refused before any work starts.

mod checkpoints;
mod input;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{ArgMatches, Args, Command, ValueEnum};

use rtl_model::csv_file::{is_whole, whole};
use rtl_model::machine::memory;

use crate::error::Error;
use crate::error::refusal::out_of_range;
use crate::junit;
use crate::output::DASH;
use crate::report::{DateArgument, with_value};

pub use checkpoints::CheckpointArguments;
pub use input::{Input, staging_beside};
pub(crate) use input::{check_reaches_all, file_name, open_file, read_text, read_traffic_file};

/// Options of `run` beside the parameters of a testbench.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// The waveform.
    pub wave: Option<PathBuf>,
    /// Nodes in it.
    pub trace_nodes: Option<String>,
    /// Its first bit time.
    pub trace_from: Option<u64>,
    /// The bit time before which it ends.
    pub trace_to: Option<u64>,
    /// The picture of the run.
    pub picture: Option<PathBuf>,
    /// The report says what the run has covered.
    pub coverage: bool,
    /// The message whose route is printed, and that waveform and picture follow.
    pub trace_message: Option<String>,
    /// Where what arrived is written.
    pub deliveries: Option<PathBuf>,
    /// Where the routes of messages are written.
    pub log: Option<PathBuf>,
    /// Where the checks are written as JUnit XML.
    pub junit: Option<junit::SuiteFile>,
    /// With how many seeds it is run.
    pub seeds: Option<u64>,
    /// Threads, of a run without a waveform.
    pub threads: Option<usize>,
    /// Form of the report.
    pub format: Format,
    /// When the report was made.
    pub date: DateArgument,
    /// Without a progress bar of its own.
    pub quiet: bool,
    /// How far it is, written down from time to time.
    pub checkpoints: CheckpointArguments,
}

/// The waveform of a run.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct WaveArguments {
    /// Write a waveform here (VCD, or FST by the ending .fst), and beside it views for GTKWave and Surfer. A view that was
    /// edited is left as it is, and the new one is called .new.gtkw. Where no size is given, the run has one that can be
    /// looked at, and a note says which
    #[arg(long, value_name = "FILE.vcd")]
    pub wave: Option<PathBuf>,

    /// Nodes in the waveform: numbers with commas between, or all [default: those on the route of the message that is followed, or
    /// some that the testbench finds worth a look]
    #[arg(long, value_name = "LIST", requires = "wave")]
    pub trace_nodes: Option<String>,

    /// Draw the whole run here: a page for a browser (.html), which needs nothing else, or an image (.svg). Rows are nodes,
    /// columns bit times; up to 16384 nodes
    #[arg(long, value_name = "FILE.html")]
    pub picture: Option<PathBuf>,

    /// Say which register bits and wires have changed, at how many nodes, what never has, and in which states the sequencer was.
    /// With --seeds, over all runs
    #[arg(long)]
    pub coverage: bool,

    /// First bit time in the waveform [default: 0]
    #[arg(
        long,
        value_name = "T",
        requires = "wave",
        value_parser = whole_number::<u64>
    )]
    pub trace_from: Option<u64>,

    /// Bit time before which the waveform ends [default: the end of the run]
    #[arg(
        long,
        value_name = "T",
        requires = "wave",
        value_parser = whole_number::<u64>
    )]
    pub trace_to: Option<u64>,
}

/// The message that is followed.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct TraceMessageArgument {
    /// Print the route of this message, and have waveform and picture follow it: SOURCE->DESTINATION (quoted, for the shell), or
    /// its number in the order of traffic, from 0. Without --trace-nodes the nodes of the waveform are those that it visits
    /// [default: no route is printed, and one that shows much is followed]
    #[arg(long, value_name = "MESSAGE")]
    pub trace_message: Option<String>,
}

/// Further seeds of a run.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Traffic")]
pub struct SeedsArgument {
    /// Run with so many seeds, from --seed on: report and files are of the first, and the report says how readings are spread over
    /// all of them, and whether all checks hold [default: 1]
    #[arg(long, value_name = "N", value_parser = whole_number::<u64>)]
    pub seeds: Option<u64>,
}

/// Threads of a run.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Machine")]
pub struct ThreadsArgument {
    /// Threads, of a run without a waveform; all give the same [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>)]
    pub threads: Option<usize>,
}

/// Where options are that the command line does not give. They are put into it before it is read.
#[derive(Args, Clone, Debug, Default)]
pub struct ConfigArgument {
    /// Take options that are not given here from this TOML file, as in dims = 6, schedule = "plain", no-date = true; lists stand in
    /// brackets
    #[arg(long, value_name = "FILE.toml", help_heading = "Configuration")]
    pub config: Option<PathBuf>,
}

/// Where what arrived is written.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct DeliveriesArgument {
    /// Write what arrived here, as CSV: node,source,payload,bit_time. `-` is standard output; the report then goes to
    /// standard error
    #[arg(long, value_name = "FILE.csv")]
    pub deliveries: Option<PathBuf>,
}

/// Where checks are written for build servers.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct JunitArgument {
    /// Write the checks here as JUnit XML, which build servers read: a test case a check. `-` is standard output; the report then
    /// goes to standard error
    #[arg(long, value_name = "FILE.xml")]
    pub junit: Option<PathBuf>,
}

/// Whether nothing is said but what is wrong.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct QuietArgument {
    /// Say nothing but what is wrong: no progress and no notes, and of a run, in place of its report, the checks that fail. Rows,
    /// comparisons, JSON and files are there all the same
    #[arg(short, long, global = true, overrides_with = "quiet")]
    pub quiet: bool,
}

impl QuietArgument {
    /// Whether it is among arguments that clap has looked through.
    pub(crate) fn is_given(arguments: &ArgMatches) -> bool {
        matches!(arguments.try_get_one("quiet"), Ok(Some(true)))
    }
}

/// Where the routes of messages are written.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct LogArgument {
    /// Write the route of every message here, as CSV: message,source,destination,created,injected,arrived,hops,path,bit_times; a path
    /// is 5>4>6>2, its bit times are 12-20 30-37 50-62, hop by hop. `-` is standard output; the report then goes to standard error
    #[arg(long, value_name = "FILE.csv")]
    pub log: Option<PathBuf>,
}

/// The form of what is printed.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct FormatArgument {
    /// Form of what is printed
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub format: Format,
}

/// Options of `verilog` beside the parameters of a testbench.
#[derive(Args, Clone, Debug, Default)]
pub struct VerilogOptions {
    /// Rounds of the testbench, 1 to 64: the first sends the traffic that is asked for, the others what is drawn from the
    /// seed to reach the rest of the router, each after a reset [default: 12; of more than 128 nodes fewer, as a simulator
    /// takes longer over them, and 2 of the largest]
    #[arg(long, value_name = "N", help_heading = "Traffic", value_parser = whole_number::<usize>)]
    pub rounds: Option<usize>,

    /// Write properties.sv too: what the machine promises, as SystemVerilog assertions for tools that prove them. Refused,
    /// with the reason, of machines of which nothing can be stated
    #[arg(long, help_heading = "Output")]
    pub properties: bool,

    /// The folder to write; made if it is not there
    #[arg(long, value_name = "DIR", help_heading = "Output", required = true)]
    pub out: PathBuf,

    /// Write into a folder that is not empty; its other files stay
    #[arg(long, help_heading = "Output")]
    pub force: bool,

    /// Form of what is printed
    #[arg(
        long,
        value_name = "FORM",
        help_heading = "Output",
        default_value = "text"
    )]
    pub format: Format,

    /// Whether what is printed says when it was made.
    #[command(flatten)]
    pub date: DateArgument,
}

/// Says something else in the help of an option, which keeps its place (`Command::mut_arg` would put it last).
pub fn reworded(command: Command, option: &str, help: impl Into<String>) -> Command {
    let help = help.into();
    command.mut_args(|argument| match argument.get_id() == option {
        true => argument.help(help.clone()),
        false => argument,
    })
}

/// Form of the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// For scripts.
    Json,
}

impl Format {
    /// As a command line asks for it; nothing, where it need not.
    pub(crate) fn word(self) -> Option<String> {
        (self == Format::Json).then(|| "json".to_owned())
    }
}

/// The words of a command line that give these options, as far as they have a value.
pub(crate) fn words<const N: usize>(
    given: [(&'static str, Option<String>); N],
    date: DateArgument,
) -> String {
    let given = given.into_iter().filter_map(|(option, value)| {
        let value = value?;
        Some(match value.is_empty() {
            true => format!(" {option}"),
            false => with_value(option, &value),
        })
    });
    given.collect::<String>() + date.word()
}

/// Reads a share, and says what is wanted where there is none.
pub(crate) fn share(text: &str) -> Result<f64, &'static str> {
    text.parse()
        .map_err(|_| "a number is wanted, from 0 to 1, as in 0.75")
}

/// Reads an amount, which need not be whole, and says what is wanted where there is none.
pub(crate) fn amount(text: &str) -> Result<f64, &'static str> {
    text.parse()
        .map_err(|_| "a number is wanted, 1 or more, as in 8 or 2.5")
}

/// Reads a number, and says what is wanted where there is none.
pub(crate) fn whole_number<T: FromStr>(text: &str) -> Result<T, String> {
    whole(text).ok_or_else(|| match is_whole(text) {
        // None of them has a sign.
        true => format!(
            "it is too large: {} is the largest",
            u64::MAX >> (64 - 8 * size_of::<T>())
        ),
        false => "a whole number is wanted, 0 or more".to_owned(),
    })
}

/// More threads than any machine for this has.
const MOST_THREADS: usize = 256;

/// Processors that there are: of those of a machine that several processes share, a part.
pub(crate) fn processors() -> usize {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    (all / memory::processes() as usize).max(1)
}

/// The threads that were asked for, or one a processor.
pub(crate) fn checked_threads(threads: Option<usize>) -> Result<usize, Error> {
    match threads {
        None => Ok(processors()),
        Some(threads @ 1..=MOST_THREADS) => Ok(threads),
        Some(threads) => Err(out_of_range("--threads", threads, 1..=MOST_THREADS).into()),
    }
}

impl RunOptions {
    /// Of a run beside others: on one thread, without a progress bar.
    pub fn beside_others() -> Self {
        RunOptions {
            quiet: true,
            threads: Some(1),
            ..RunOptions::default()
        }
    }

    /// Of the runs with further seeds: files are of the first, and nobody looks at the others.
    pub(crate) fn of_further_seeds(&self) -> Self {
        RunOptions {
            threads: self.threads,
            coverage: self.coverage,
            ..RunOptions::beside_others()
        }
    }

    /// Threads that the run may take.
    ///
    /// # Errors
    /// Out of range.
    pub(crate) fn threads(&self) -> Result<usize, Error> {
        checked_threads(self.threads)
    }

    /// The words of a command line that give them: those on which the report depends, and files.
    pub(crate) fn words(&self) -> String {
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let junit = self.junit.as_ref();
        let junit = junit.map(|junit| junit.path().display().to_string());
        let number = |number: Option<u64>| number.map(|number| number.to_string());
        let given = [
            ("--seeds", number(self.seeds)),
            ("--wave", path(&self.wave)),
            ("--trace-nodes", self.trace_nodes.clone()),
            ("--trace-from", number(self.trace_from)),
            ("--trace-to", number(self.trace_to)),
            ("--picture", path(&self.picture)),
            ("--coverage", self.coverage.then(String::new)),
            ("--trace-message", self.trace_message.clone()),
            ("--deliveries", path(&self.deliveries)),
            ("--log", path(&self.log)),
            ("--junit", junit),
            ("--format", self.format.word()),
        ];
        words(given, self.date)
    }

    /// Those of what is looked at, each file by its name alone; a picture that is printed nobody keeps.
    pub(crate) fn of_looks(&self) -> Self {
        let name = |path: &Option<PathBuf>| {
            let path = path.as_ref().filter(|path| path.as_os_str() != DASH)?;
            Some(PathBuf::from(path.file_name().unwrap_or_default()))
        };
        RunOptions {
            wave: name(&self.wave),
            trace_nodes: self.trace_nodes.clone(),
            trace_from: self.trace_from,
            trace_to: self.trace_to,
            picture: name(&self.picture),
            trace_message: self.trace_message.clone(),
            ..RunOptions::default()
        }
    }

    /// Files that are written.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let all = [&self.wave, &self.picture, &self.deliveries, &self.log];
        let all = all.into_iter().flatten().map(PathBuf::as_path);
        all.chain(self.junit.as_ref().map(junit::SuiteFile::path))
    }

    /// Somebody looks at it: in a waveform, or in a picture.
    pub fn is_looked_at(&self) -> bool {
        self.wave.is_some() || self.picture.is_some()
    }

    /// Somebody sees every bit time of it: who looks at it, or counts what it covers.
    pub fn is_watched(&self) -> bool {
        self.is_looked_at() || self.coverage
    }

    /// With the waveform that was asked for.
    pub(crate) fn with_wave(self, wave: WaveArguments) -> Self {
        RunOptions {
            wave: wave.wave,
            trace_nodes: wave.trace_nodes,
            trace_from: wave.trace_from,
            trace_to: wave.trace_to,
            picture: wave.picture,
            coverage: wave.coverage,
            ..self
        }
    }
}

/// The most rounds of a Verilog testbench.
const MOST_ROUNDS: usize = 64;
/// Rounds where none are asked for.
const DEFAULT_ROUNDS: usize = 12;
/// With more nodes there are fewer rounds, so that all of them together take a simulator no longer than one of the
/// largest cubes takes it alone, or twice as long.
const NODES_OF_DEFAULT_ROUNDS: usize = 128;

impl VerilogOptions {
    /// The words of a command line that give them.
    pub(crate) fn words(&self) -> String {
        let given = [
            ("--rounds", self.rounds.map(|rounds| rounds.to_string())),
            ("--properties", self.properties.then(String::new)),
            ("--out", Some(self.out.display().to_string())),
            ("--force", self.force.then(String::new)),
            ("--format", self.format.word()),
        ];
        words(given, self.date)
    }

    /// Rounds of the testbench of a machine with so many nodes, or switches, if a node has several.
    ///
    /// # Errors
    /// None, or too many.
    pub(crate) fn rounds(&self, nodes: usize) -> Result<usize, Error> {
        match self.rounds {
            None => {
                let affordable = DEFAULT_ROUNDS * NODES_OF_DEFAULT_ROUNDS / nodes.max(1);
                Ok(affordable.clamp(2, DEFAULT_ROUNDS))
            }
            Some(rounds @ 1..=MOST_ROUNDS) => Ok(rounds),
            Some(rounds) => Err(out_of_range("--rounds", rounds, 1..=MOST_ROUNDS).into()),
        }
    }
}
