//! Broadcasting on the testbench seam.

use clap::{ArgMatches, Args, Command};
use rtl_model::routers::ports::algorithm::Algorithm;

use crate::error::Error;
use crate::families::ports::options::{NAME, RunArguments};
use crate::families::ports::report::{MODELS, SOURCE};
use crate::families::ports::{measure, run};
use crate::measure as sweeps;
use crate::testbench::{Ran, Testbench, parsed};

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

    fn examples(&self) -> &'static [&'static str] {
        &[
            "cubewave run broadcast --algorithm msbt --ports two-way --dims 6 --message-bits 4096 --packet-bits 64",
            "cubewave run broadcast --algorithm broadcast-4 --dims 4 --wave waves.vcd",
            "cubewave run broadcast --algorithm sbt --ports one-way --start-up 100 --source 5",
            "cubewave measure broadcast --dims 4 --message-bits 4096",
            "cubewave measure broadcast --algorithm hp,sbt,tcbt,msbt --dims 3..10 --packets 1,10,100",
            "cubewave measure broadcast --algorithm sbt,msbt --dims 2..6 --packets 60 --plot speed-up.svg",
        ]
    }

    fn run_arguments(&self, command: Command) -> Command {
        RunArguments::augment_args(command)
    }

    fn run(&self, arguments: &ArgMatches) -> Result<Ran, Error> {
        let options = parsed::<RunArguments>(arguments).options();
        Ok(Ran {
            report: Box::new(run::run(&options)?),
            format: options.format,
            deliveries: options.deliveries,
        })
    }

    fn verilog_arguments(&self, command: Command) -> Command {
        command
    }

    fn verilog(&self, _arguments: &ArgMatches) -> Result<String, Error> {
        todo!()
    }

    fn measured_as(&self) -> &'static dyn sweeps::Family {
        &measure::Broadcasts
    }
}
