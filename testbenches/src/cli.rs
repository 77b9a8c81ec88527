//! The command line.

use std::io::{self, Write};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Parser, Subcommand};
use rtl_model::traffic::pattern::Pattern;
use serde::Serialize;

use crate::benches;
use crate::catalogue::{Bench, Selected};
use crate::error::Error;
use crate::interrupt;
use crate::measure::{self, MeasureOptions, Measured};
use crate::options::{Format, RunOptions, Setup, VerilogOptions};
use crate::output::{Stream, report_stream};
use crate::report::Report;
use crate::verilog;
use crate::wormhole;
use crate::wormhole::options::{InjectionSetup, WormholeSetup};

/// Bit-serial hypercube routers, run bit by bit.
///
/// Without a command, the main job: Kuszmaul's Algorithm 2 routes a random partial permutation of 64
/// nodes; the report is printed, and a waveform with its GTKWave view is written here.
#[derive(Parser, Debug)]
#[command(name = "cubewave", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// List the testbenches: what each models, paper and section
    List,
    /// Run a testbench and report
    ///
    /// Exit status: 0 all checks hold, 1 a check failed, 2 bad usage or input.
    #[command(after_help = RUN_EXAMPLES)]
    Run {
        /// The testbench; `cubewave list` names them
        bench: String,
        #[command(flatten)]
        options: Box<RunOptions>,
    },
    /// Run a testbench at every point of a grid: a row a point, and a plot
    ///
    /// The grid is over dimensions, schedules, payloads, loads and seeds; of wormhole, over networks and their
    /// sizes, message bits, patterns, loads and seeds. Points run side by side, as far as there are processors
    /// and memory. Exit status: 0 all checks of all points hold, 1 a check failed (a deadlock is one, saturation
    /// is none), 2 bad usage or input.
    #[command(after_help = MEASURE_EXAMPLES)]
    Measure {
        /// The testbench, or several with commas between; `cubewave list` names them
        bench: String,
        #[command(flatten)]
        options: Box<MeasureOptions>,
    },
    /// Export a testbench as a Verilog project
    ///
    /// The router that `run` simulates, as synthesizable Verilog-2005, with a testbench in Verilog that
    /// loads the same traffic and checks what arrives. Exit status: 0 written, 2 bad usage or input.
    #[command(
        after_help = VERILOG_EXAMPLES,
        mut_arg("dims", |dims| dims.help(
            "Dimensions of the hypercube, 1 to 10 [default: 6]; of wormhole routers the levels n, as long as there \
             are 2048 switches at the most [default: 4]"
        )),
        mut_arg("payload_bits", |bits| bits.help(
            "Payload bits of every message, 1 to 65536 / 2^K [default: 8]"
        )),
    )]
    Verilog {
        /// The testbench; `cubewave list` names them
        bench: String,
        #[command(flatten)]
        options: Box<VerilogOptions>,
    },
}

const EXAMPLES: &str = "\
Examples:
  cubewave                                  the main job, with its waveform
  cubewave list                             the testbenches
  cubewave run kuszmaul --dims 10 --load 1  a full random permutation of 1024 nodes
  cubewave run --help                       all options of a run
  cubewave measure kuszmaul --dims 2..12 --schedule all    a row a size and schedule
  cubewave verilog kuszmaul --dims 4 --out cube4    the same router as Verilog
  cubewave run wormhole --wave worm.vcd     worms on cube-connected cycles

k is the number of dimensions, D the payload bits of a message.";

const RUN_EXAMPLES: &str = "\
Examples:
  cubewave run kuszmaul --dims 8 --payload-bits 16 --traffic bitrev --load 0.5
  cubewave run kuszmaul --dims 3 --traffic-file mine.csv --deliveries arrived.csv
  cubewave run kuszmaul --wave run.vcd --trace-nodes 0,5,9 --trace-from 90 --trace-to 170
  cubewave run kuszmaul --schedule radix4 --dims 8
  cubewave run bitonic --dims 8
  cubewave run wormhole --dims 4 --virtual-channels 1 --wave deadlock.vcd
  cubewave run wormhole --network copies --dims 8 --message-bits 256
  cubewave run wormhole --network ecube --traffic uniform --offered-load 0.2
  cubewave run packing --dims 10 --load 0.3
  cubewave run enumeration --dims 12 --load 0.5 --format json

A traffic file is CSV with a header:
  source,destination,payload
  0,5,2f
  3,0,";

const MEASURE_EXAMPLES: &str = "\
Examples:
  cubewave measure kuszmaul --dims 2..16 --schedule all --plot bits.svg
  cubewave measure kuszmaul --dims 4,8,12 --schedule plain,spread --payload-bits 8,k,2k+1
  cubewave measure kuszmaul --dims 10 --load 0.25,0.5,1 --seeds 20 --format csv
  cubewave measure kuszmaul,bitonic,radix --dims 2..12 --schedule spread,radix4,sort-and-unpack
  cubewave measure packing --dims 2..18 --format json
  cubewave measure wormhole --network all --copies 1,all --traffic randperm,bitrev --seeds 5
  cubewave measure wormhole --dims 2,4,8 --network copies,ecube --message-bits 256 --plot bits.svg
  cubewave measure wormhole --network all --offered-load 0.05..0.9 --plot latency.svg
  cubewave measure wormhole --virtual-channels 1..3 --offered-load 0.02..0.2:0.02 --format csv";

const VERILOG_EXAMPLES: &str = "\
Examples:
  cubewave verilog kuszmaul --dims 4 --payload-bits 8 --out cube4
  cubewave verilog kuszmaul --dims 3 --traffic-file mine.csv --out mine --force
  cubewave verilog enumeration --dims 5 --load 0.5 --out count
  cubewave verilog wormhole --network copies --dims 4 --message-bits 64 --out copies4

Then, in the folder, the commands that were printed; as a rule
  iverilog -g2005 -o tb.vvp node.v sequencer.v cube.v tb.v
  vvp tb.vvp";

/// The file that the main job writes its waveform to.
const MAIN_JOB_WAVE: &str = "kuszmaul.vcd";

/// Runs the command line; returns the exit status.
pub fn main() -> u8 {
    interrupt::watch();
    let cli = Cli::try_parse().unwrap_or_else(|error| with_command(error).exit());
    match execute(cli.command) {
        Ok(status) => status,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            match error {
                Error::Interrupted => interrupt::STATUS,
                _ => 2,
            }
        }
    }
}

/// Of options that stand where a command should: suggests one that takes them.
fn with_command(mut error: clap::Error) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let arguments: Vec<String> = (std::env::args_os().skip(1))
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    if let Some(command) = suggested(&arguments) {
        let tip = format!("options belong to a command, as in: {command}");
        error.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![tip.into()]),
        );
    }
    error
}

/// The first command that takes these arguments, all of which are options.
fn suggested(arguments: &[String]) -> Option<String> {
    if !arguments.first()?.starts_with('-') {
        return None;
    }
    let worms = WormholeSetup::augment_args(clap::Command::new("worms"));
    let worms = InjectionSetup::augment_args(worms);
    let is_of_worms = |argument: &String| {
        let name = argument.trim_start_matches('-').split('=').next();
        worms.get_arguments().any(|one| one.get_long() == name)
    };
    let bench = match arguments.iter().any(is_of_worms) {
        true => wormhole::options::NAME,
        false => Bench::Kuszmaul.name(),
    };
    ["run", "measure", "verilog"]
        .into_iter()
        .find_map(|command| {
            let words = ["cubewave", command, bench].map(str::to_owned);
            let words: Vec<String> = words.into_iter().chain(arguments.iter().cloned()).collect();
            Cli::try_parse_from(&words).ok().map(|_| words.join(" "))
        })
}

fn execute(command: Option<Command>) -> Result<u8, Error> {
    match command {
        Some(Command::List) => {
            print(Stream::Output, &list())?;
            Ok(0)
        }
        Some(Command::Run { bench, options }) => match Selected::from_name(&bench)? {
            Selected::Lockstep(bench) => run(bench, &options),
            Selected::Wormhole => {
                measure::foretell_worms(&options)?;
                let report_to = report_stream(options.deliveries.as_deref());
                let report = wormhole::run::run(&options)?;
                let text = match options.format {
                    Format::Text => report.text(),
                    Format::Json => json(&report),
                };
                print(report_to, &text)?;
                Ok(status(report.passed))
            }
        },
        Some(Command::Measure { bench, options }) => {
            let report_to = report_stream(options.plot.as_deref());
            let (text, passed) = match measure::measured(&bench)? {
                Measured::Lockstep(benches) => {
                    let sweep = measure::measure(&benches, &options)?;
                    (sweep.formatted(options.format)?, sweep.passed())
                }
                Measured::Wormhole => {
                    let sweep = measure::wormhole::measure(&options)?;
                    (sweep.formatted(options.format)?, sweep.passed())
                }
            };
            print(report_to, &text)?;
            Ok(status(passed))
        }
        Some(Command::Verilog { bench, options }) => {
            let text = match Selected::from_name(&bench)? {
                Selected::Lockstep(bench) => {
                    let project = verilog::export(bench, &options)?;
                    match options.format {
                        Format::Text => project.text(),
                        Format::Json => json(&project),
                    }
                }
                Selected::Wormhole => {
                    let project = verilog::wormhole::export(&options)?;
                    match options.format {
                        Format::Text => project.text(),
                        Format::Json => json(&project),
                    }
                }
            };
            print(Stream::Output, &text)?;
            Ok(0)
        }
        None => {
            let options = RunOptions {
                setup: Setup {
                    seed: 1,
                    ..Setup::default()
                },
                wave: Some(MAIN_JOB_WAVE.into()),
                ..RunOptions::default()
            };
            run(Bench::Kuszmaul, &options)
        }
    }
}

fn run(bench: Bench, options: &RunOptions) -> Result<u8, Error> {
    measure::foretell(bench, options)?;
    let report_to = report_stream(options.deliveries.as_deref());
    let report = benches::run(bench, options)?;
    print(report_to, &formatted(&report, options.format))?;
    Ok(status(report.passed))
}

/// Exit status of a run that was not refused.
fn status(passed: bool) -> u8 {
    if passed { 0 } else { 1 }
}

fn formatted(report: &Report, format: Format) -> String {
    match format {
        Format::Text => report.text(),
        Format::Json => json(report),
    }
}

fn json(result: &impl Serialize) -> String {
    match serde_json::to_string_pretty(result) {
        Ok(json) => json + "\n",
        Err(error) => format!("{{\"error\": \"{error}\"}}\n"),
    }
}

fn list() -> String {
    let mut text = String::from("testbenches\n");
    for bench in Bench::ALL {
        text += &format!("  {:<12} {}\n", bench.name(), bench.models());
        text += &format!("  {:<12} {}\n", "", bench.source());
        if !bench.schedules().is_empty() {
            let names: Vec<&str> = bench.schedules().iter().map(|s| s.name()).collect();
            text += &format!("  {:<12} schedules: {}\n", "", names.join(", "));
            let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
            for schedule in bench.schedules() {
                let name = schedule.name();
                text += &format!("  {:<14} {name:<longest$}  {}\n", "", schedule.models());
            }
        }
    }
    text += &format!(
        "  {:<12} {}\n",
        wormhole::options::NAME,
        wormhole::report::MODELS
    );
    text += &format!("  {:<12} {}\n", "", wormhole::report::SOURCE);
    text += &format!("  {:<12} networks: ccc, copies, ecube\n", "");
    text += "\ntraffic patterns\n";
    for (name, _, meaning) in Pattern::entries() {
        text += &format!("  {name:<12} {meaning}\n");
    }
    text
}

fn print(stream: Stream, text: &str) -> Result<(), Error> {
    let printed = stream.print(text.as_bytes());
    printed.map_err(|reason| Error::Unprintable { reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_check_is_exit_status_1() {
        assert_eq!(status(true), 0);
        assert_eq!(status(false), 1);
    }
}
