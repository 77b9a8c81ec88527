//! The relaxation on the testbench seam.

use clap::{ArgMatches, Args, Command};

use crate::error::Error;
use crate::families::embeddings::relaxation::arguments::{RunArguments, SetupArguments};
use crate::families::embeddings::relaxation::measure::{self, Relaxations};
use crate::families::embeddings::relaxation::options::{GUESTS, Setup};
use crate::families::embeddings::relaxation::stimulus::Relaxing;
use crate::families::embeddings::testbench::{ROUNDS, exported};
use crate::lockstep::verilog::{FirstRound, Plan};
use crate::lockstep::{Identity, carry_out};
use crate::measure as sweeps;
use crate::options::{Format, Input, VerilogArguments, reworded};
use crate::report::json;
use crate::testbench::{Ran, Testbench, parsed};

/// The testbench of grid relaxations.
pub static RELAXATION: &dyn Testbench = &Bench;

/// What it is called.
pub(super) const NAME: &str = "relaxation";
/// What it models.
pub(super) const MODELS: &str =
    "a grid relaxation: blocks of points send their sides to their neighbours";

struct Bench;

/// What a report says first.
pub(super) fn identity() -> Identity {
    Identity {
        name: NAME,
        models: MODELS,
        source: "Greenberg & Bhatt 1990, sections 2 and 8.3",
        schedule: None,
    }
}

/// The file that is read, if one is.
fn input(setup: &Setup) -> Option<Input<'_>> {
    setup.values.as_deref().map(|path| Input {
        path,
        what: "the points",
    })
}

impl Testbench for Bench {
    fn name(&self) -> &'static str {
        NAME
    }

    fn models(&self) -> &'static str {
        MODELS
    }

    fn source(&self) -> &'static str {
        identity().source
    }

    fn choices(&self) -> Vec<String> {
        vec![format!("guests: {}", GUESTS.join(", "))]
    }

    fn named_choices(&self) -> Vec<(&'static str, Vec<&'static str>)> {
        vec![("guest", GUESTS.to_vec())]
    }

    fn examples(&self) -> &'static [&'static str] {
        &[
            "cubewave run relaxation",
            "cubewave run relaxation --guest large-grid --dims 4 --points 32 --sweeps 10",
            "cubewave run relaxation --dims 4 --points 16 --values points.csv --results relaxed.csv",
            "cubewave run relaxation --guest gray-grid --dims 4 --wave relaxation.vcd",
            "cubewave measure relaxation --dims 8 --points 64,128,256,512 --order all",
            "cubewave verilog relaxation --dims 4 --points 8 --out relaxation4",
        ]
    }

    fn run_arguments(&self, command: Command) -> Command {
        RunArguments::augment_args(command)
    }

    fn run(&self, arguments: &ArgMatches) -> Result<Ran, Error> {
        let options = parsed::<RunArguments>(arguments)?.options();
        let threads = options.threads()?;
        measure::foretell(&options)?;
        let stimulus = Relaxing::new(&options.setup, threads)?;
        let inputs = input(&options.setup);
        let report = carry_out(&identity(), &options, inputs.as_slice(), Box::new(stimulus))?;
        Ok(Ran {
            report: Box::new(report),
            format: options.format,
            deliveries: options.setup.results,
        })
    }

    fn verilog_arguments(&self, command: Command) -> Command {
        let command = VerilogArguments::<SetupArguments>::augment_args(command);
        reworded(command, "rounds", ROUNDS)
    }

    fn verilog(&self, arguments: &ArgMatches) -> Result<String, Error> {
        let options =
            parsed::<VerilogArguments<SetupArguments>>(arguments)?.options(SetupArguments::setup);
        let setup = &options.setup;
        let inputs = input(setup);
        let stimulus = Relaxing::new(setup, 1)?;
        let host = stimulus.job.embedding.host();
        let plan = Plan::new(&options, inputs.as_slice(), &host)?;
        let first_round = FirstRound {
            file: "values.csv",
            option: Some("--values"),
        };
        let facts = stimulus.facts();
        let exported = exported(
            (identity(), stimulus.job.name),
            (setup.command("verilog")?, first_round, setup.seed),
            facts,
        );
        let project = plan.write(&exported, &stimulus)?;
        match options.format {
            Format::Text => Ok(project.text()),
            Format::Json => json(&project),
        }
    }

    fn measured_as(&self) -> &'static dyn sweeps::Family {
        &Relaxations
    }
}
