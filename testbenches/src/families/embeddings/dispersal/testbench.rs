//! Dispersal on the testbench seam.

use clap::{ArgMatches, Args, Command};

use crate::error::Error;
use crate::families::embeddings::dispersal::arguments::{RunArguments, SetupArguments};
use crate::families::embeddings::dispersal::measure::Dispersals;
use crate::families::embeddings::dispersal::options::{Over, Setup};
use crate::families::embeddings::dispersal::report::facts;
use crate::families::embeddings::dispersal::stimulus::Dispersing;
use crate::families::embeddings::options::guests;
use crate::lockstep::verilog::{Exported, FirstRound, Plan};
use crate::lockstep::{Identity, carry_out};
use crate::measure as sweeps;
use crate::options::{Format, Input, VerilogArguments, reworded};
use crate::report::json;
use crate::testbench::{Ran, Testbench, parsed};

/// The testbench of messages that survive wires that fail.
pub static DISPERSAL: &dyn Testbench = &Bench;

/// What it is called.
pub(super) const NAME: &str = "dispersal";
/// What it models.
pub(super) const MODELS: &str =
    "messages in shares over many paths, some of which restore them when wires fail";

struct Bench;

/// What a report says first.
pub(super) fn identity() -> Identity {
    Identity {
        name: NAME,
        models: MODELS,
        source: "Greenberg & Bhatt 1990, sections 1, 4 and 7; Rabin 1989",
        schedule: None,
    }
}

/// The files that are read.
fn inputs(setup: &Setup) -> Vec<Input<'_>> {
    let files = [
        (&setup.guest.values, "the messages"),
        (&setup.cut, "the wires that fail"),
    ];
    let given = files.into_iter();
    given
        .filter_map(|(path, what)| {
            let path = path.as_deref()?;
            Some(Input { path, what })
        })
        .collect()
}

/// Says what is done where an option is left out, as that differs from other testbenches that have it.
fn with_defaults(command: Command) -> Command {
    let guest = "The guest, over edges, by its name in `cubewave embedding` [default: cycle]";
    let dims = "Dimensions n of the hypercube [default: 8, or as many as suit the guest that is named; over copies 6]";
    let order = "Who goes first: hop-by-hop, as in the paper's proofs, or greedy, the farthest to go [default: hop-by-hop; over \
                 copies greedy]";
    let command = reworded(command, "guest", guest);
    reworded(reworded(command, "dims", dims), "order", order)
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
        vec![
            "over: edge, the paths of a guest's edge; copies, a path in each copy of cube-connected cycles"
                .to_owned(),
        ]
    }

    fn named_choices(&self) -> Vec<(&'static str, Vec<&'static str>)> {
        vec![
            ("over", Over::NAMES.map(|(name, _)| name).to_vec()),
            ("guest", guests()),
        ]
    }

    fn examples(&self) -> &'static [&'static str] {
        &[
            "cubewave run dispersal --dims 8 --cut-wires 3",
            "cubewave run dispersal --dims 4 --needed 2 --cut-wires 1 --wave cut.vcd",
            "cubewave run dispersal --over copies --dims 6 --needed 2 --cut-wires 2",
            "cubewave measure dispersal --dims 8 --needed 3..5 --cut-wires 0,1,4,16,64",
            "cubewave verilog dispersal --dims 4 --message-bits 16 --out dispersal4",
        ]
    }

    fn run_arguments(&self, command: Command) -> Command {
        with_defaults(RunArguments::augment_args(command))
    }

    fn run(&self, arguments: &ArgMatches) -> Result<Ran, Error> {
        let options = parsed::<RunArguments>(arguments)?.options();
        options.threads()?;
        let stimulus = Dispersing::new(&options.setup)?;
        let inputs = inputs(&options.setup);
        let report = carry_out(&identity(), &options, &inputs, Box::new(stimulus))?;
        Ok(Ran {
            report: Box::new(report),
            format: options.format,
            deliveries: options.setup.beside(),
        })
    }

    fn verilog_arguments(&self, command: Command) -> Command {
        let command = with_defaults(VerilogArguments::<SetupArguments>::augment_args(command));
        reworded(
            command,
            "rounds",
            "Rounds of the testbench, 1 to 64: the first has the messages that are asked for, the others all ones, numbers in order \
             and against it, and random ones, each after a reset and none with a wire that fails [default: 12; of more than 128 \
             nodes fewer, as a simulator takes longer over them, and 2 of the largest]",
        )
    }

    fn verilog(&self, arguments: &ArgMatches) -> Result<String, Error> {
        let options =
            parsed::<VerilogArguments<SetupArguments>>(arguments)?.options(SetupArguments::setup);
        let setup = &options.setup;
        let stimulus = Dispersing::new(setup)?;
        let host = stimulus.dispersed.job.embedding.host();
        let plan = Plan::new(&options, &inputs(setup), &host)?;
        let exported = Exported {
            identity: identity(),
            choice: ("over", Some(stimulus.dispersed.over.name())),
            command: setup.command("verilog", &stimulus.dispersed)?,
            first_round: FirstRound {
                file: "values.csv",
                option: Some("--values"),
            },
            seed: setup.guest.seed,
            relies_on: None,
            facts: (facts(&stimulus).into_iter())
                .filter(|(name, _)| *name != "over")
                .collect(),
        };
        let project = plan.write(&exported, &stimulus)?;
        match options.format {
            Format::Text => Ok(project.text()),
            Format::Json => json(&project),
        }
    }

    fn measured_as(&self) -> &'static dyn sweeps::Family {
        &Dispersals
    }
}
