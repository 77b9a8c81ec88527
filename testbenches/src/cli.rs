//! The command line: commands that ask the testbenches for what they have, one that asks about networks, and those that families
//! have of their own.

mod choice;
mod chosen;
mod compare;
mod config;
mod describe;
mod hints;
mod list;
mod manual;
mod measure;
mod new_router;
mod printed;
mod repeat;
mod schema;
mod serve;
mod topology;
mod view;

use std::ffi::OsString;
use std::fs::File;
use std::io;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use rtl_model::csv_file::visible;
use rtl_model::machine::memory;

use crate::error::Error;
use crate::error::refusal::{Refusal, unprintable};
use crate::families::{
    COMMANDS, COMPARE_EXAMPLES, EXAMPLES, LIST_EXAMPLES, MAIN_JOB, REPEAT_EXAMPLES, SCHEMA_EXAMPLES,
};
use crate::interrupt;
use crate::options::QuietArgument;
use crate::output::{Stream, hush, print_of_clap, refuse, report_stream};
use crate::progress;
use crate::ranks;
use crate::testbench as of_family;
use chosen::{Chosen, Faults, Plan, Run, Takes, Verilog, choosing};
use compare::Compare;
use list::List;
use manual::{Completions, Man};
use measure::{Measure, Search, Sweeps, Swept};
use new_router::NewRouter;
use printed::{print, print_as, print_report};
use repeat::Repeat;
use schema::Schema;
pub use schema::{page, schemas};
use serve::Serve;
use topology::Topology;
use view::View;

/// Bit-serial hypercube routers, run bit by bit.
///
/// Without a command, the main job: Kuszmaul's Algorithm 2 routes a random partial permutation of 64
/// nodes; the report is printed, and a waveform with its GTKWave view is written here.
#[derive(Parser, Debug)]
#[command(name = "cubewave", version, after_help = EXAMPLES)]
struct Cli {
    #[command(flatten)]
    quiet: QuietArgument,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// List the testbenches by what they are for; or say of one where it is from and what there is to choose
    #[command(after_help = LIST_EXAMPLES)]
    List(List),
    /// Run a testbench and report
    ///
    /// Exit status: 0 all checks hold, 1 a check failed, 2 bad usage or input.
    Run(Chosen<Run>),
    /// Run a testbench at every point of a grid: a row a point, and a plot
    ///
    /// Points run side by side, as far as there are processors and memory. Exit status: 0 all checks of all points hold, 1 a
    /// check failed (a deadlock is one, saturation is none), 2 bad usage or input.
    Measure(Swept<Measure>),
    /// Search for the traffic in which a reading is as large as can be: a row a point, a file a traffic
    ///
    /// All traffics are tried where there are few enough, else climbs begin at many. Each row is of a run of the file that was
    /// written. Exit status: 0 all checks of these runs hold, 1 a check failed, or a bound, 2 bad usage or input.
    Search(Swept<Search>),
    /// Give a report again, by the command that stands in it
    ///
    /// The `meta` of a report says what was run, or measured; the same is done here, and printed in the same form. Where the date is
    /// left out (--no-date) all bytes are the same. Files are written again where they are below the current folder.
    #[command(after_help = REPEAT_EXAMPLES)]
    Repeat(Repeat),
    /// Compare two results: what was chosen otherwise, what came out otherwise, what of it is worse
    ///
    /// Fewer bit times, bits and gates are better, and so is more that arrives; a check that holds no longer is worse. Rows of sweeps
    /// are compared point by point. Exit status: 0 nothing is worse, 1 something is, or points are missing, 2 bad usage or input.
    #[command(after_help = COMPARE_EXAMPLES)]
    Compare(Compare),
    /// Say what a run would take on which computers, and what would bound it; it is not run
    ///
    /// Memory, bit times and bits between computers are computed, from closed forms and the program of the machine. Time is
    /// reckoned from rates, for which smaller machines are run here for some seconds. Exit status: 0 planned, whether it fits or
    /// not, 2 bad usage or input.
    Plan(Chosen<Plan>),
    /// Put faults into a machine, one at a time, and say what came of each
    ///
    /// Wires and gates are stuck at 0 and at 1, register bits flip in every bit time; of many a sample is drawn. Each fault is
    /// masked, detected by a check of the testbench, or silent. Exit status: 0 none is silent, 1 one is, 2 bad usage or input.
    Faults(Chosen<Faults>),
    /// Export a testbench as a Verilog project
    ///
    /// The router that `run` simulates, as synthesizable Verilog-2005, with a testbench in Verilog that
    /// loads the same traffic and checks what arrives. Exit status: 0 written, 2 bad usage or input.
    Verilog(Chosen<Verilog>),
    /// Open a waveform in a viewer: of a testbench, which is run first, or one that was written before
    ///
    /// A testbench takes the options of `run`, and its waveform is written to BENCH.vcd unless --wave says where. The viewer is
    /// GTKWave or Surfer, on the view beside the waveform, and goes on by itself. Exit status: 0 it is open and all checks of
    /// the run hold, 1 a check failed, 2 bad usage or input, no viewer, no display.
    View(View),
    /// Serve the pages of runs (`run --picture`) to a browser on this machine, with their parameters beside them
    ///
    /// Whenever a parameter is changed there, the testbench is run again. Nothing is written. It listens on this machine alone,
    /// refuses what pages of other sites ask for, and goes on until Ctrl-C. Exit status: 0 it was stopped, 2 bad usage, or a port that
    /// cannot be had.
    #[command(after_help = serve::EXAMPLES)]
    Serve(Serve),
    /// Say what is in reports and rows: names, types, units
    ///
    /// One schema serves the report of a run and the rows of a sweep, in JSON and as columns of CSV. What another command prints as JSON
    /// has a schema of its own, which --command chooses.
    #[command(after_help = SCHEMA_EXAMPLES)]
    Schema(Schema),
    /// Print what a shell needs to complete commands, testbenches and options
    #[command(after_help = manual::EXAMPLES)]
    Completions(Completions),
    /// Write the manual: a page for man a command and testbench
    #[command(after_help = manual::EXAMPLES)]
    Man(Man),
    /// Write a crate of one's own: cubewave with a router more, which runs, and its tests
    ///
    /// The router is a small one to begin with; docs/own-router.md says what each part is for. Nothing is written over.
    #[command(after_help = new_router::EXAMPLES)]
    NewRouter(NewRouter),
    /// Say how large a network is, how far its nodes are apart, and what lies in it
    ///
    /// What has a closed form is counted and held against it. Distances are found by search from one node, since all are
    /// alike; in networks of more than 1048576 nodes the closed form stands alone.
    #[command(after_help = topology::EXAMPLES)]
    Topology(Topology),
}

/// What a command line asks for.
enum Asked {
    /// One of the commands of this file, or none.
    Command(Cli),
    /// One that a family has.
    OfFamily(&'static dyn of_family::Command, ArgMatches),
}

impl Asked {
    /// Whether nothing is to be said but what is wrong.
    fn is_quiet(&self) -> bool {
        match self {
            Asked::Command(cli) => cli.quiet.quiet,
            Asked::OfFamily(_, arguments) => QuietArgument::is_given(arguments),
        }
    }
}

/// Runs the command line; returns the exit status.
pub fn main() -> u8 {
    serve::process::begin();
    begin_without_arenas();
    let begun = memory_to_begin().and_then(|()| interrupt::watch(last_words));
    if let Err(error) = begun.and_then(|()| ranks::begin()) {
        return refused(&error);
    }
    progress::break_silence();
    let words = config::expanded(std::env::args_os().collect());
    let asked = words.and_then(|words| Ok(read_with_hints(words)?));
    match asked.and_then(again).and_then(execute).or_else(said) {
        Ok(status) => {
            ranks::end();
            status
        }
        Err(Error::ReportedElsewhere) => {
            ranks::end();
            0
        }
        // All end alike: if one were to end them while they part, the starter of processes might never come back.
        Err(Error::Agreed(error)) => {
            interrupt::speak(|| refuse(&error));
            ranks::end();
            exit_status(&error)
        }
        Err(error) => refused(&error),
    }
}

/// Where memory is limited, begins once more with an allocator that sets nothing aside: glibc's takes 64 MiB of the limit for each
/// thread, whether they are used or not, until there is nothing left to give. The variable is read only when a program begins.
#[cfg(unix)]
fn begin_without_arenas() {
    use std::os::unix::process::CommandExt;
    // Where there is so much for each thread, that is a small part, and threads need not wait for each other to have memory.
    const PLENTY: u64 = 1 << 30;
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let is_scarce = memory::left_by_limits().is_some_and(|left| left / threads < PLENTY);
    if !is_scarce || std::env::var_os(memory::ARENAS).is_some() {
        return;
    }
    let (Ok(program), mut words) = (std::env::current_exe(), std::env::args_os()) else {
        return;
    };
    let mut again = std::process::Command::new(program);
    again.arg0(words.next().unwrap_or_default()).args(words);
    // Where it cannot begin again, it goes on with what there is.
    _ = again.env(memory::ARENAS, "1").exec();
}

#[cfg(not(unix))]
fn begin_without_arenas() {}

/// Refuses to begin where a limit leaves so little memory that threads could not be had, and nobody could be told.
fn memory_to_begin() -> Result<(), Error> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    // Where there are many threads and little memory, some of them are refused with an error of their own.
    let needed = (8 + 2 * threads.min(8)) << 20;
    match memory::left_by_limits() {
        Some(available) if available < needed => Err(Refusal::of(format!(
            "a command needs {} MiB of memory beside its program, and there are {}",
            needed >> 20,
            available >> 20
        ))
        .instead("raise the limit (`ulimit -v`, `ulimit -d`)")
        .into()),
        _ => Ok(()),
    }
}

/// Says what clap has to say, once: help, or why it refuses a command line. All ranks have the same, and end alike.
fn said(error: Error) -> Result<u8, Error> {
    let Error::CommandLine(said) = error else {
        return Err(error);
    };
    if ranks::is_first() {
        let printed = print_of_clap(&said);
        printed.map_err(unprintable)?;
    }
    Ok(said.exit_code() as u8)
}

fn is_interrupted(error: &Error) -> bool {
    matches!(error, Error::Interrupted)
}

/// Of what was refused, or interrupted.
fn exit_status(error: &Error) -> u8 {
    match is_interrupted(error) {
        true => interrupt::status(),
        false => 2,
    }
}

/// Says why not; the exit status.
fn refused(error: &Error) -> u8 {
    interrupt::speak(|| last_words(error));
    exit_status(error)
}

/// Says why not, and ends all ranks.
fn last_words(error: &Error) {
    ranks::abort(exit_status(error), || {
        // Mostly all ranks are interrupted at once, and the first says so and ends them. Another comes here if it was alone.
        let rank = ranks::number();
        let alone = (is_interrupted(error) && rank > 0).then(|| {
            Refusal::of(format!(
                "rank {rank} was interrupted, and all others end with it"
            ))
            .because("a sweep that has a journal goes on when the same command is given again")
            .into()
        });
        refuse(alone.as_ref().unwrap_or(error));
    });
}

/// The commands that take a testbench.
const COMMANDS_OF_BENCHES: [&str; 7] = [
    Run::NAME,
    Measure::NAME,
    Search::NAME,
    Plan::NAME,
    Faults::NAME,
    Verilog::NAME,
    view::NAME,
];

/// All commands, with their options.
pub fn commands() -> clap::Command {
    Cli::command().subcommands(COMMANDS.map(of_family::Command::arguments))
}

/// Reads a command line; where it is refused, with what helps.
fn read_with_hints(words: Vec<OsString>) -> Result<Asked, clap::Error> {
    read(&words).map_err(|error| hints::with_hints(error, &shown(&words), &commands()))
}

/// Reads a command line. What is said of words in which there is something that a terminal would obey, is said of them as they are
/// shown.
fn read<W: Into<OsString>>(words: impl IntoIterator<Item = W>) -> Result<Asked, clap::Error> {
    let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
    let shown = shown(&words);
    read_words(words.clone()).map_err(|error| match shown == words {
        true => error,
        false => read_words(shown).err().unwrap_or(error),
    })
}

/// Words as they are shown.
fn shown(words: &[OsString]) -> Vec<OsString> {
    let shown = words.iter().map(|word| {
        let text = word.to_string_lossy();
        match visible(&text) {
            seen if seen == text => word.clone(),
            seen => seen.into(),
        }
    });
    shown.collect()
}

/// Puts a negative number, or a list that begins with one, to the option before it, so that it is the option that refuses it.
fn with_negative_values(words: Vec<OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::with_capacity(words.len());
    let mut are_options = true;
    for word in words {
        let bytes = word.as_encoded_bytes();
        are_options &= bytes != b"--";
        let is_negative = matches!(bytes, [b'-', b'0'..=b'9' | b'.', ..]);
        match joined.last_mut() {
            Some(option) if are_options && is_negative && takes_value(option) => {
                option.push("=");
                option.push(word);
            }
            _ => joined.push(word),
        }
    }
    joined
}

/// Whether a word is an option without a value.
fn takes_value(word: &OsString) -> bool {
    let bytes = word.as_encoded_bytes();
    bytes.starts_with(b"--") && !bytes.contains(&b'=')
}

/// The same. Which testbench of several of one name it is about has to be known before clap looks through it.
fn read_words(words: Vec<OsString>) -> Result<Asked, clap::Error> {
    let mut words = with_negative_values(words);
    // The testbench is no option anyway.
    let takes_bench = |word: &OsString| COMMANDS_OF_BENCHES.iter().any(|command| word == command);
    while words.get(1).is_some_and(takes_bench) && words.get(2).is_some_and(|word| word == "--") {
        words.remove(2);
    }
    let mut command = view::choosing(commands(), &mut words);
    if let Some((name, bench, rest)) = choice::subject(&words) {
        let choosing = match name {
            Run::NAME => Some(choosing::<Run> as fn(_, &_, &_) -> _),
            Plan::NAME => Some(choosing::<Plan> as _),
            Faults::NAME => Some(choosing::<Faults> as _),
            Verilog::NAME => Some(choosing::<Verilog> as _),
            view::NAME => Some(choosing::<view::OfBench> as _),
            Measure::NAME => Some(measure::choosing::<Measure> as _),
            Search::NAME => Some(measure::choosing::<Search> as _),
            _ => None,
        };
        if let Some(choosing) = choosing {
            command = command.mut_subcommand(name, |command| choosing(command, bench, rest));
        }
    }
    let mut arguments = command.clone().try_get_matches_from(words)?;
    let of_family = COMMANDS.into_iter().find_map(|one| {
        let own = arguments.subcommand_matches(one.name())?;
        Some(Asked::OfFamily(one, own.clone()))
    });
    if let Some(asked) = of_family {
        return Ok(asked);
    }
    let cli = Cli::from_arg_matches_mut(&mut arguments);
    cli.map(Asked::Command)
        .map_err(|error| error.format(&mut command))
}

/// Files that a run may have open at once, beside those that it begins with, and more.
const MOST_FILES: usize = 16;

/// Refuses a limit on open files that is too low for any run, before one of them is missing in the middle.
fn check_files() -> Result<(), Error> {
    /// What systems say where a process has no more (`EMFILE`).
    const TOO_MANY: i32 = 24;
    let opened = (0..MOST_FILES).map(|_| File::open("/"));
    // All of them are open until the last is.
    let opened: io::Result<Vec<File>> = opened.collect();
    match opened {
        Err(reason) if reason.raw_os_error() == Some(TOO_MANY) => Err(Refusal::of(format!(
            "a run has up to {MOST_FILES} files open at once, and so many are not allowed here"
        ))
        .because(reason)
        .instead("allow more (ulimit -n)")
        .into()),
        _ => Ok(()),
    }
}

/// What gave the report, where it is to be given again.
fn again(asked: Asked) -> Result<Asked, Error> {
    if asked.is_quiet() {
        hush();
    }
    match asked {
        Asked::Command(Cli {
            command: Some(Command::Repeat(repeat)),
            ..
        }) => Ok(read_with_hints(config::expanded(repeat.words()?)?)?),
        asked => Ok(asked),
    }
}

fn execute(asked: Asked) -> Result<u8, Error> {
    check_files()?;
    match &asked {
        Asked::Command(Cli {
            command: None | Some(Command::Run(_)),
            ..
        }) => ranks::check_number()?,
        // Any number of ranks can share out the points of a sweep.
        Asked::Command(Cli {
            command: Some(Command::Measure(_) | Command::Search(_)),
            ..
        }) => {}
        _ if !ranks::is_first() => return Ok(0),
        // They refuse several ranks themselves.
        Asked::Command(Cli {
            command: Some(Command::Plan(_) | Command::View(_) | Command::Faults(_)),
            ..
        }) => {}
        _ => ranks::alone(),
    }
    let cli = match asked {
        Asked::Command(cli) => cli,
        Asked::OfFamily(command, arguments) => {
            let printed = command.execute(&arguments)?;
            print(report_stream(printed.beside.as_deref()), &printed.text)?;
            return Ok(status(printed.passed));
        }
    };
    match cli.command {
        Some(Command::List(list)) => {
            print(Stream::Output, &list.text()?)?;
            Ok(0)
        }
        Some(Command::Run(run)) => {
            let (bench, arguments) = run.bench()?;
            let ran = bench.run(&arguments)?;
            if !ranks::is_first() {
                return Ok(0);
            }
            print_report(&ran)?;
            Ok(status(ran.report.passed))
        }
        Some(Command::Measure(measure)) => measure.execute(),
        Some(Command::Search(search)) => search.execute(),
        Some(Command::Repeat(_)) => again(Asked::Command(cli)).and_then(execute),
        Some(Command::Plan(plan)) => {
            let (bench, arguments) = plan.bench()?;
            print(Stream::Output, &bench.plan(&arguments)?)?;
            Ok(0)
        }
        Some(Command::Faults(faults)) => {
            let (bench, arguments) = faults.bench()?;
            let printed = bench.faults(&arguments)?;
            print(report_stream(printed.beside.as_deref()), &printed.text)?;
            Ok(status(printed.passed))
        }
        Some(Command::Verilog(verilog)) => {
            let (bench, arguments) = verilog.bench()?;
            print(Stream::Output, &bench.verilog(&arguments)?)?;
            Ok(0)
        }
        Some(Command::View(view)) => Ok(status(view.execute()?)),
        Some(Command::Serve(serve)) => serve.execute().map(|()| 0),
        Some(Command::Schema(schema)) => {
            print(Stream::Output, &schema.text()?)?;
            Ok(0)
        }
        Some(Command::Completions(completions)) => {
            print(Stream::Output, &completions.text()?)?;
            Ok(0)
        }
        Some(Command::Man(man)) => {
            print(Stream::Output, &man.write()?)?;
            Ok(0)
        }
        Some(Command::NewRouter(new)) => {
            print(Stream::Output, &new.write()?)?;
            Ok(0)
        }
        Some(Command::Compare(compare)) => {
            let (text, is_for_people, passed) = compare.execute()?;
            print_as(Stream::Output, (&text, is_for_people))?;
            Ok(status(passed))
        }
        Some(Command::Topology(topology)) => {
            let (text, is_for_people, passed) = topology.execute()?;
            print_as(Stream::Output, (&text, is_for_people))?;
            Ok(status(passed))
        }
        None => {
            let words = std::iter::once("cubewave").chain(MAIN_JOB);
            execute(read(words)?)
        }
    }
}

/// Exit status of a run that was not refused.
fn status(passed: bool) -> u8 {
    if passed { 0 } else { 1 }
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    mod fuzz;

    use clap::error::ErrorKind;

    use super::*;
    use crate::families::{VIEW_EXAMPLES, testbenches};

    #[test]
    fn a_failed_check_is_exit_status_1() {
        assert_eq!(status(true), 0);
        assert_eq!(status(false), 1);
    }

    #[test]
    fn the_command_line_is_one_that_clap_takes() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_examples_of_all_testbenches_can_be_typed() {
        for bench in testbenches() {
            for example in bench.examples {
                assert!(example.contains(bench.name), "{example}");
                let parsed = read(example.split(' '));
                assert!(parsed.is_ok(), "{example}: {:?}", parsed.err());
            }
        }
        assert!(read(["cubewave"].into_iter().chain(MAIN_JOB)).is_ok());
    }

    #[test]
    fn the_examples_of_networks_can_be_typed_and_hold() {
        let examples = topology::EXAMPLES.lines().map(str::trim);
        let examples = examples.filter(|line| line.starts_with("cubewave "));
        for example in examples {
            let words: Vec<&str> = example.split(' ').collect();
            let Ok(Cli {
                command: Some(Command::Topology(asked)),
                ..
            }) = Cli::try_parse_from(words)
            else {
                panic!("{example}");
            };
            assert!(
                asked.execute().is_ok_and(|(.., passed)| passed),
                "{example}"
            );
        }
    }

    #[test]
    fn the_examples_of_views_can_be_typed() {
        let examples = VIEW_EXAMPLES.lines().map(str::trim);
        let examples = examples.filter_map(|line| line.split("  ").next());
        for example in examples.filter(|line| line.starts_with("cubewave ")) {
            let parsed = read(example.split(' '));
            // `--help` is an error to clap.
            let is_help = |error: &clap::Error| error.kind() == ErrorKind::DisplayHelp;
            assert!(parsed.as_ref().err().is_none_or(is_help), "{example}");
        }
    }

    /// `run kuszmaul` takes what kuszmaul has, and nothing of worms; and so on.
    #[test]
    fn a_testbench_takes_its_own_options_and_no_others() {
        let is_taken = |line: &str| read(line.split(' ')).is_ok();
        for (bench, option, takes) in [
            ("kuszmaul", "--schedule plain", true),
            ("packing", "--schedule plain", false),
            ("enumeration", "--payload-bits 4", false),
            ("enumeration", "--traffic randperm", false),
            ("enumeration", "--deliveries out.csv", false),
            ("packing", "--deliveries out.csv", true),
            ("radix", "--network ccc", false),
            ("wormhole", "--network ccc", true),
            ("wormhole", "--payload-bits 8", false),
            ("wormhole", "--threads 2", false),
            ("kuszmaul", "--offered-load 0.1", false),
        ] {
            let line = format!("cubewave run {bench} {option}");
            assert_eq!(is_taken(&line), takes, "{line}");
        }
    }
}
