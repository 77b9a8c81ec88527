//! Broadcasting on the testbench seam.

use clap::{ArgMatches, Args, Command};
use rtl_model::routers::ports::algorithm::Algorithm;

use crate::error::Error;
use crate::families::ports::options::{NAME, RunArguments, Setup};
use crate::families::ports::report::{MODELS, SOURCE};
use crate::families::ports::{measure, run, verilog};
use crate::measure as sweeps;
use crate::options::{Format, VerilogArguments, reworded};
use crate::output::Stream;
use crate::report::json;
use crate::testbench::{Ran, Testbench, parsed};
use crate::verilog::WIDEST_VECTOR;

/// The testbench.
pub static BENCH: BroadcastBench = BroadcastBench;

/// The testbench of broadcasts.
pub struct BroadcastBench;

impl Testbench for BroadcastBench {
    fn name(&self) -> &'static str {
        NAME
    }

    fn models(&self) -> &'static str {
        MODELS
    }

    fn source(&self) -> &'static str {
        SOURCE
    }

    fn choices(&self) -> Vec<String> {
        let names: Vec<&str> = Algorithm::EACH.iter().map(|one| one.name()).collect();
        let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
        let each = Algorithm::EACH.iter().map(|one| {
            let name = one.name();
            format!("  {name:<longest$}  {}", one.models())
        });
        let all = format!("broadcasts: {}", names.join(", "));
        std::iter::once(all)
            .chain(each)
            .chain(["ports: one-way, two-way, all".to_owned()])
            .collect()
    }

    fn named_choices(&self) -> Vec<(&'static str, Vec<&'static str>)> {
        let algorithms = Algorithm::EACH.iter().map(|one| one.name());
        vec![("algorithm", algorithms.collect())]
    }

    fn examples(&self) -> &'static [&'static str] {
        &[
            "cubewave run broadcast --algorithm msbt --ports two-way --dims 6 --message-bits 4096 --packet-bits 64",
            "cubewave run broadcast --algorithm broadcast-4 --dims 4 --wave waves.vcd",
            "cubewave run broadcast --algorithm sbt --ports one-way --start-up 100 --source 5",
            "cubewave measure broadcast --dims 4 --message-bits 4096",
            "cubewave measure broadcast --algorithm hp,sbt,tcbt,msbt --dims 3..10 --packets 1,10,100",
            "cubewave measure broadcast --algorithm sbt,msbt --dims 2..6 --packets 60 --plot trees.svg",
            "cubewave verilog broadcast --algorithm msbt --dims 4 --message-bits 64 --packet-bits 8 --out msbt4",
        ]
    }

    fn run_arguments(&self, command: Command) -> Command {
        RunArguments::augment_args(command)
    }

    fn run(&self, arguments: &ArgMatches) -> Result<Ran, Error> {
        let options = parsed::<RunArguments>(arguments)?.options();
        measure::foretell(&options)?;
        Ok(Ran {
            report: Box::new(run::run(&options)?),
            format: options.format,
            // The report does not go where one of them is printed.
            deliveries: match options.deliveries.as_deref().and_then(Stream::of) {
                Some(_) => options.deliveries,
                None => options.setup.results,
            },
        })
    }

    fn why_not_planned(&self) -> &'static str {
        "hosts read and write its wires in every bit time, so it is no program, and ranks cannot share it"
    }

    fn verilog_arguments(&self, command: Command) -> Command {
        let command = reworded(
            VerilogArguments::<Setup>::augment_args(command),
            "dims",
            format!(
                "Dimensions n of the hypercube, 1 to {}, as long as all nodes have {} flip-flops at the most [default: 6]",
                verilog::MOST_DIMENSIONS,
                verilog::MOST_FLIP_FLOPS
            ),
        );
        let command = reworded(
            command,
            "message_bits",
            format!(
                "Bits of the message, M; its packets have {WIDEST_VECTOR} bits together at the most, and take {} bit times \
                 [default: 1024]",
                verilog::MOST_BIT_TIMES
            ),
        );
        reworded(
            command,
            "rounds",
            "Rounds of the testbench, 1 to 64: the first sends the message that is asked for, the others messages as long, some \
             drawn from the seed, each after a reset [default: 12; of more than 128 nodes fewer, as a simulator takes longer \
             over them, and 2 of the largest]",
        )
    }

    fn verilog(&self, arguments: &ArgMatches) -> Result<String, Error> {
        let options = parsed::<VerilogArguments<Setup>>(arguments)?.options(|setup| setup);
        let project = verilog::export(&options)?;
        match options.format {
            Format::Text => Ok(project.text()),
            Format::Json => json(&project),
        }
    }

    fn measured_as(&self) -> &'static dyn sweeps::Family {
        &measure::Broadcasts
    }
}
