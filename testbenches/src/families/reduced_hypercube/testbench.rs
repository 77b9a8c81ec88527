//! Collective operations on the testbench seam.

use std::marker::PhantomData;

use clap::{ArgMatches, Args, Command};

use crate::error::Error;
use crate::families::reduced_hypercube::arguments::{
    BroadcastArguments, PrefixArguments, ReduceArguments, RunArguments, SetupArguments,
    SortArguments,
};
use crate::families::reduced_hypercube::job::Algorithm;
use crate::families::reduced_hypercube::measure::{self, CHOICE};
use crate::families::reduced_hypercube::options::{Kind, Operation, Setup};
use crate::families::reduced_hypercube::stimulus::Collecting;
use crate::lockstep::verilog::{Exported, FirstRound, Plan};
use crate::lockstep::{Identity, carry_out};
use crate::measure as sweeps;
use crate::options::{Format, Input, VerilogArguments, reworded};
use crate::report::json;
use crate::testbench::{Choice, Ran, Testbench, parsed};

/// The testbench of broadcasts.
pub static BROADCAST: &dyn Testbench = &Bench::<BroadcastArguments>(PhantomData);
/// The testbench of reductions.
pub static REDUCE: &dyn Testbench = &Bench::<ReduceArguments>(PhantomData);
/// The testbench of prefix operations.
pub static PREFIX: &dyn Testbench = &Bench::<PrefixArguments>(PhantomData);
/// The testbench of sorts.
pub static SORT: &dyn Testbench = &Bench::<SortArguments>(PhantomData);

/// A testbench with its options.
pub struct Bench<A>(PhantomData<fn() -> A>);

/// What each operation models.
pub(super) fn models(operation: Operation) -> &'static str {
    match operation {
        Operation::Broadcast => {
            "one node's message to all others, over trees that the nodes set up themselves"
        }
        Operation::Reduce => "all words into one, by any associative operator",
        Operation::Prefix => {
            "of every node, its word and all before it, by any associative operator"
        }
        Operation::Sort => "keys into the order of nodes",
    }
}

fn source(operation: Operation) -> &'static str {
    match operation {
        Operation::Broadcast => {
            "Mukherjee 1994, chapter 2, on the reduced hypercube; its tree program mended"
        }
        Operation::Reduce => "Mukherjee 1994, chapter 3, on the reduced hypercube",
        Operation::Prefix => {
            "Mukherjee 1994, chapter 4, on the reduced hypercube; its operands mended"
        }
        Operation::Sort => {
            "Mukherjee 1994, chapter 5, on the reduced hypercube; its directions mended"
        }
    }
}

/// What a report says first.
pub(super) fn identity(operation: Operation, kind: Kind) -> Identity {
    Identity {
        name: operation.name(),
        models: models(operation),
        source: match kind {
            Kind::Reduced => source(operation),
            Kind::Full => on_the_hypercube(operation),
        },
        schedule: None,
    }
}

/// What Mukherjee 1994 compares with.
fn on_the_hypercube(operation: Operation) -> &'static str {
    match operation {
        Operation::Broadcast => {
            "the spanning binomial tree of the hypercube, beside Mukherjee 1994, chapter 2"
        }
        Operation::Reduce => {
            "dimension by dimension of the hypercube, beside Mukherjee 1994, chapter 3"
        }
        Operation::Prefix => {
            "dimension by dimension of the hypercube, beside Mukherjee 1994, chapter 4"
        }
        Operation::Sort => {
            "the bitonic sort of the hypercube (Batcher 1968), beside Mukherjee 1994, chapter 5"
        }
    }
}

/// The file that is read, if one is.
fn input(setup: &Setup) -> Option<Input<'_>> {
    setup.values.as_deref().map(|path| Input {
        path,
        what: "the words",
    })
}

/// The words of a project's first round.
const FIRST_ROUND: FirstRound = FirstRound {
    file: "values.csv",
    option: Some("--values"),
};

impl<A: SetupArguments> Testbench for Bench<A> {
    fn name(&self) -> &'static str {
        A::OPERATION.name()
    }

    /// The machine of ports broadcasts too, and has no such option.
    fn chosen_by(&self) -> Option<Choice> {
        (A::OPERATION == Operation::Broadcast).then_some(CHOICE)
    }

    fn models(&self) -> &'static str {
        models(A::OPERATION)
    }

    fn source(&self) -> &'static str {
        source(A::OPERATION)
    }

    fn choices(&self) -> Vec<String> {
        let all = Algorithm::of(A::OPERATION).iter();
        let longest = all.clone().map(|one| one.name().len()).max().unwrap_or(0);
        let lines = all.map(|one| format!("  {:<longest$}  {}", one.name(), one.models()));
        std::iter::once(
            "networks: reduced-hypercube, hypercube; algorithms on the first:".to_owned(),
        )
        .chain(lines)
        .collect()
    }

    fn named_choices(&self) -> Vec<(&'static str, Vec<&'static str>)> {
        let networks = Kind::NAMES.iter().map(|(name, _)| *name);
        let algorithms = Algorithm::of(A::OPERATION).iter().map(|one| one.name());
        vec![
            ("network", networks.collect()),
            ("algorithm", algorithms.collect()),
        ]
    }

    fn examples(&self) -> &'static [&'static str] {
        match A::OPERATION {
            Operation::Broadcast => &[
                "cubewave run broadcast --network reduced-hypercube --dims 3 --blocks 2 --message-bits 64",
                "cubewave run broadcast --network reduced-hypercube --algorithm e-cube --switching cut-through --source 5",
                "cubewave run broadcast --network hypercube --dims 7 --wave waves.vcd",
                "cubewave measure broadcast,reduce,prefix,sort --dims 3 --blocks 1,2",
                "cubewave verilog broadcast --network reduced-hypercube --dims 2 --blocks 2 --message-bits 8 --out tree",
            ],
            Operation::Reduce => &[
                "cubewave run reduce --network reduced-hypercube --dims 3 --blocks 2 --word-bits 16",
                "cubewave run reduce --network hypercube --dims 3 --blocks 2 --word-bits 16",
                "cubewave run reduce --operator max --algorithm short --wave waves.vcd",
                "cubewave measure reduce --dims 2..5 --blocks 1,2 --plot reduce.svg",
                "cubewave verilog reduce --dims 2 --blocks 2 --word-bits 8 --out reduce22",
            ],
            Operation::Prefix => &[
                "cubewave run prefix --network reduced-hypercube --dims 3 --blocks 2 --word-bits 16",
                "cubewave run prefix --operator carry --algorithm in-place --results sums.csv",
                "cubewave measure prefix --dims 3 --blocks 1..3 --plot prefix.svg",
                "cubewave verilog prefix --dims 2 --blocks 2 --word-bits 8 --out prefix22",
            ],
            Operation::Sort => &[
                "cubewave run sort --network reduced-hypercube --dims 3 --blocks 2 --word-bits 16",
                "cubewave run sort --dims 2 --blocks 2 --keys 3 --algorithm pairs-of-blocks",
                "cubewave measure sort --dims 2..4 --blocks 1,2 --plot sort.svg",
                "cubewave verilog sort --dims 2 --blocks 1 --word-bits 8 --out sort21",
            ],
        }
    }

    fn run_arguments(&self, command: Command) -> Command {
        RunArguments::<A>::augment_args(command)
    }

    fn run(&self, arguments: &ArgMatches) -> Result<Ran, Error> {
        let options = parsed::<RunArguments<A>>(arguments)?.options();
        options.threads()?;
        measure::foretell(&options)?;
        let stimulus = Collecting::new(&options.setup)?;
        let report = carry_out(
            &identity(A::OPERATION, options.setup.kind()?),
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
        let command = VerilogArguments::<A>::augment_args(command);
        reworded(
            command,
            "rounds",
            "Rounds of the testbench, 1 to 64: the first has the words that are asked for, the others extremes, words in order and \
             against it, and random ones, each after a reset [default: 12; of more than 128 nodes fewer, as a simulator takes \
             longer over them, and 2 of the largest]",
        )
    }

    fn verilog(&self, arguments: &ArgMatches) -> Result<String, Error> {
        let options = parsed::<VerilogArguments<A>>(arguments)?.options(A::setup);
        let setup = &options.setup;
        let inputs = input(setup);
        let plan = Plan::new(&options, inputs.as_slice(), &setup.network()?)?;
        let stimulus = Collecting::new(setup)?;
        let algorithm = Some(stimulus.algorithm().name());
        let mut facts = stimulus.facts();
        // The algorithm is what is chosen, and a project tells that by itself.
        facts.retain(|(name, _)| *name != "algorithm");
        let exported = Exported {
            identity: identity(A::OPERATION, setup.kind()?),
            choice: ("algorithm", algorithm),
            command: setup.command("verilog"),
            first_round: FIRST_ROUND,
            seed: setup.seed,
            relies_on: None,
            facts,
        };
        let project = plan.write(&exported, &stimulus)?;
        match options.format {
            Format::Text => Ok(project.text()),
            Format::Json => json(&project),
        }
    }

    fn measured_as(&self) -> &'static dyn sweeps::Family {
        &measure::Collectives
    }
}
