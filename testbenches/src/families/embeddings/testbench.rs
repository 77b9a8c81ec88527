//! Embeddings on the testbench seam.

use clap::{ArgMatches, Args, Command};
use rtl_model::embedding::constructions::CONSTRUCTIONS;
use rtl_model::machine::topology::hypercube::Dimensions;

use crate::error::Error;
use crate::families::embeddings::arguments::{RunArguments, SetupArguments};
use crate::families::embeddings::measure::{self, Embeddings};
use crate::families::embeddings::options::{Setup, guests};
use crate::families::embeddings::stimulus::Carrying;
use crate::lockstep::verilog::{Exported, FirstRound, Plan};
use crate::lockstep::{Identity, carry_out};
use crate::measure as sweeps;
use crate::options::{Format, Input, VerilogArguments, reworded};
use crate::report::{Section, json};
use crate::testbench::{Ran, Testbench, parsed};

/// The testbench of one phase of a guest's communication.
pub static EMBEDDING: &dyn Testbench = &Bench;

/// What it is called.
pub(super) const NAME: &str = "embedding";
/// What it models.
pub(super) const MODELS: &str =
    "one phase of a guest's communication, every edge over many paths at once";

/// What is said of the rounds of a project, whatever the messages are of.
pub(super) const ROUNDS: &str = "Rounds of the testbench, 1 to 64: the first has the values that are asked for, the others all ones, numbers in order \
     and against it, and random ones, each after a reset [default: 12; of more than 128 nodes fewer, as a simulator takes \
     longer over them, and 2 of the largest]";

struct Bench;

/// A project of a guest: the command that writes it, its first round and its seed, and facts of it.
pub(super) fn exported(
    (identity, guest): (Identity, &'static str),
    (command, first_round, seed): (String, FirstRound, u64),
    mut facts: Section,
) -> Exported {
    // The guest is what is chosen, and a project tells that by itself.
    facts.retain(|(name, _)| *name != "guest");
    Exported {
        identity,
        choice: ("guest", Some(guest)),
        command,
        first_round,
        seed,
        relies_on: None,
        facts,
    }
}

/// What a report says first.
pub(super) fn identity() -> Identity {
    Identity {
        name: NAME,
        models: MODELS,
        source: "Greenberg & Bhatt 1990, sections 3 to 6 and 8",
        schedule: None,
    }
}

/// The file that is read, if one is.
pub(super) fn input(setup: &Setup) -> Option<Input<'_>> {
    setup.values.as_deref().map(|path| Input {
        path,
        what: "the messages",
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
        let all = CONSTRUCTIONS.iter();
        let longest = all.clone().map(|one| one.name().len()).max().unwrap_or(0);
        let lines = all.map(|one| {
            format!(
                "  {:<longest$}  {} ({})",
                one.name(),
                one.models(),
                one.theorem()
            )
        });
        std::iter::once("guests:".to_owned()).chain(lines).collect()
    }

    fn named_choices(&self) -> Vec<(&'static str, Vec<&'static str>)> {
        vec![("guest", guests())]
    }

    fn examples(&self) -> &'static [&'static str] {
        &[
            "cubewave run embedding --guest cycle --dims 8",
            "cubewave run embedding --guest gray-cycle --dims 8 --packets 5",
            "cubewave run embedding --guest grid --dims 8 --both-ways --message-bits 256",
            "cubewave run embedding --guest cycle --dims 4 --wave cycle.vcd",
            "cubewave measure embedding --guest gray-cycle,cycle --message-bits 1,16,256,4096",
            "cubewave verilog embedding --guest cycle --dims 4 --out cycle4",
        ]
    }

    fn run_arguments(&self, command: Command) -> Command {
        RunArguments::augment_args(command)
    }

    fn run(&self, arguments: &ArgMatches) -> Result<Ran, Error> {
        let options = parsed::<RunArguments>(arguments)?.options();
        options.threads()?;
        let stimulus = Carrying::new(&options.setup)?;
        measure::foretell(&options, &stimulus.job)?;
        let report = carry_out(
            &identity(),
            &options,
            input(&options.setup).as_slice(),
            Box::new(stimulus),
        )?;
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
        let host =
            Dimensions::new(setup.construction()?.host(&setup.ask()?)?).map_err(Error::from)?;
        let plan = Plan::new(&options, inputs.as_slice(), &host)?;
        let stimulus = Carrying::new(setup)?;
        let first_round = FirstRound {
            file: "values.csv",
            option: Some("--values"),
        };
        let exported = exported(
            (identity(), stimulus.job.name),
            (setup.command("verilog")?, first_round, setup.seed),
            stimulus.facts(),
        );
        let project = plan.write(&exported, &stimulus)?;
        match options.format {
            Format::Text => Ok(project.text()),
            Format::Json => json(&project),
        }
    }

    fn measured_as(&self) -> &'static dyn sweeps::Family {
        &Embeddings
    }
}
