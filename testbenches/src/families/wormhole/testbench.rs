//! The wormhole routers on the testbench seam.

use clap::{ArgMatches, Args, Command, ValueEnum};

use crate::error::Error;
use crate::families::wormhole::options::{NAME, NetworkName, RunArguments, Setup};
use crate::families::wormhole::report::{MODELS, SOURCE};
use crate::families::wormhole::{measure, run, verilog};
use crate::measure as sweeps;
use crate::options::{Format, VerilogArguments, reworded};
use crate::report::json;
use crate::testbench::{Ran, Testbench, parsed};

/// The testbench.
pub static BENCH: Wormhole = Wormhole;

/// The testbench of wormhole routers.
pub struct Wormhole;

impl Testbench for Wormhole {
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
        let networks = NetworkName::value_variants().iter();
        let networks: Vec<&str> = networks.map(|network| network.name()).collect();
        vec![
            format!("networks: {}", networks.join(", ")),
            "traffic: also hotspot, and files with times; injection: bernoulli, bursty, request-reply".to_owned(),
        ]
    }

    fn named_choices(&self) -> Vec<(&'static str, Vec<&'static str>)> {
        let networks = NetworkName::value_variants().iter();
        vec![("network", networks.map(|network| network.name()).collect())]
    }

    fn examples(&self) -> &'static [&'static str] {
        &[
            "cubewave run wormhole --dims 4 --virtual-channels 1 --wave deadlock.vcd",
            "cubewave run wormhole --network copies --dims 8 --message-bits 256",
            "cubewave run wormhole --network ecube --traffic uniform --offered-load 0.2",
            "cubewave run wormhole --network valiant --traffic bitrev --message-bits 256",
            "cubewave run wormhole --traffic-file mine.csv --deliveries arrived.csv",
            "cubewave run wormhole --traffic-file arrived.csv --wave again.vcd",
            "cubewave run wormhole --traffic hotspot --hot-spots 0,2_6 --offered-load 0.02",
            "cubewave run wormhole --offered-load 0.05 --injection bursty --burst-messages 20",
            "cubewave run wormhole --offered-load 0.02 --injection request-reply --reply-bits 256",
            "cubewave measure wormhole --network all --copies 1,all --traffic randperm,bitrev --seeds 5",
            "cubewave measure wormhole --dims 2,4,8 --network copies,ecube --message-bits 256 --plot bits.svg",
            "cubewave measure wormhole --network all --offered-load 0.05..0.9 --plot latency.svg",
            "cubewave measure wormhole --network all --traffic uniform --saturation --seeds 3",
            "cubewave measure wormhole --network ecube --offered-load 0.3,0.4 --warm-up 5000 --measurement 20000",
            "cubewave measure wormhole --virtual-channels 1..3 --offered-load 0.02..0.2:0.02 --format csv",
            "cubewave verilog wormhole --network copies --dims 4 --message-bits 64 --out copies4",
        ]
    }

    fn run_arguments(&self, command: Command) -> Command {
        let command = RunArguments::augment_args(command);
        let command = reworded(
            command,
            "trace_nodes",
            "Nodes in the waveform: numbers with commas between (of cube-connected cycles also names as in 2_6, level and \
             column), or all [default: the route of one worm (with --offered-load one that is measured), or nodes that wait \
             for each other]",
        );
        reworded(
            command,
            "deliveries",
            "Write what arrived here, as CSV: node,source,payload,bit_time; also when each message was created and sent, \
             when its head and its tail arrived, the nodes on its way, its number and its bits; last those that did not \
             arrive. --traffic-file takes it. `-` is standard output; the report then goes to standard error",
        )
    }

    fn run(&self, arguments: &ArgMatches) -> Result<Ran, Error> {
        let options = parsed::<RunArguments>(arguments)?.options();
        measure::foretell(&options)?;
        Ok(Ran {
            report: Box::new(run::run(&options)?),
            format: options.format,
            deliveries: options.deliveries,
        })
    }

    fn why_not_planned(&self) -> &'static str {
        "its nodes decide for themselves when they send, so its bit times have no closed form"
    }

    fn verilog_arguments(&self, command: Command) -> Command {
        reworded(
            VerilogArguments::<Setup>::augment_args(command),
            "dims",
            "Levels n of the cube-connected cycles, as long as there are 2048 switches at the most [default: 4]",
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
        &measure::Wormhole
    }
}
