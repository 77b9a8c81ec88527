//! Collective operations on the testbench seam.

use std::marker::PhantomData;
use std::path::PathBuf;

use clap::{ArgMatches, Args, Command};
use rtl_model::routers::collectives::algorithms::{Algorithm, Operation};

use crate::error::Error;
use crate::families::collectives::arguments::{
    OfAllNodes, OfMatrix, OfOneNode, OfOperation, OfPermutation, OfSamples, OfTwoNodes,
    RunArguments, of_operation,
};
use crate::families::collectives::operations::{algorithms, lines, told};
use crate::families::collectives::options::Setup;
use crate::families::collectives::stimulus::Carrying;
use crate::families::collectives::{measure, permutation};
use crate::lockstep::verilog::{Exported, FirstRound, Plan};
use crate::lockstep::{Identity, carry_out};
use crate::measure as sweeps;
use crate::options::{Format, Input, VerilogArguments, reworded};
use crate::report::json;
use crate::testbench::{Ran, Testbench, parsed};

/// One node to each of the others.
pub static SCATTER: &dyn Testbench = &Bench::<OfOneNode>::of(
    Operation::Scatter,
    &[
        "cubewave run scatter --dims 4 --source 3",
        "cubewave run scatter --dims 4 --message-bits 16 --wave scatter.vcd",
        "cubewave measure scatter --dims 2..6 --algorithm all",
        "cubewave verilog scatter --dims 3 --message-bits 16 --out scatter3",
    ],
);
/// Each of the others to one node.
pub static GATHER: &dyn Testbench = &Bench::<OfOneNode>::of(
    Operation::Gather,
    &[
        "cubewave run gather --dims 4 --source 3",
        "cubewave run gather --dims 4 --values messages.csv --results gathered.csv",
        "cubewave measure gather --dims 2..6 --algorithm all",
        "cubewave verilog gather --dims 3 --message-bits 16 --out gather3",
    ],
);
/// Each to all, the same.
pub static ALL_GATHER: &dyn Testbench = &Bench::<OfAllNodes>::of(
    Operation::AllGather,
    &[
        "cubewave run all-gather --dims 4",
        "cubewave run all-gather --dims 3 --message-bits 12 --wave gathered.vcd",
        "cubewave measure all-gather --dims 2..6",
        "cubewave verilog all-gather --dims 3 --message-bits 12 --out gather3",
    ],
);
/// Each to each.
pub static ALL_TO_ALL: &dyn Testbench = &Bench::<OfAllNodes>::of(
    Operation::AllToAll,
    &[
        "cubewave run all-to-all --dims 4",
        "cubewave run all-to-all --dims 3 --message-bits 12 --wave exchange.vcd",
        "cubewave measure all-to-all --dims 3..6 --against all",
        "cubewave verilog all-to-all --dims 3 --message-bits 12 --out exchange3",
    ],
);
/// One node to one other.
pub static SEND: &dyn Testbench = &Bench::<OfTwoNodes>::of(
    Operation::Send,
    &[
        "cubewave run send --dims 4 --message-bits 1024",
        "cubewave run send --dims 6 --source 1 --destination 6",
        "cubewave run send --dims 4 --wave send.vcd",
        "cubewave measure send --dims 2..8 --algorithm all",
        "cubewave verilog send --dims 3 --out send3",
    ],
);
/// Each to one, by a permutation.
pub static PERMUTED_SEND: &dyn Testbench = &Bench::<OfPermutation>::of(
    Operation::PermutedSend,
    &[
        "cubewave run permuted-send --dims 4",
        "cubewave run permuted-send --dims 4 --permutation bitrev --wave permuted.vcd",
        "cubewave measure permuted-send --dims 2..6",
        "cubewave verilog permuted-send --dims 3 --permutation shuffle --out permuted3",
    ],
);
/// Each to the opposite corner.
pub static INVERSION: &dyn Testbench = &Bench::<OfAllNodes>::of(
    Operation::Inversion,
    &[
        "cubewave run inversion --dims 4",
        "cubewave run inversion --dims 3 --message-bits 12 --wave inversion.vcd",
        "cubewave measure inversion --dims 2..8",
        "cubewave verilog inversion --dims 3 --out inversion3",
    ],
);
/// A matrix that is spread over all nodes.
pub static TRANSPOSE: &dyn Testbench = &Bench::<OfMatrix>::of(
    Operation::Transpose,
    &[
        "cubewave run transpose --dims 4 --size 16",
        "cubewave run transpose --dims 4 --matrix matrix.csv --results transposed.csv",
        "cubewave run transpose --dims 3 --size 8 --word-bits 8 --wave transpose.vcd",
        "cubewave measure transpose --algorithm all --word-bits 1,4,16 --against all",
        "cubewave verilog transpose --dims 3 --size 8 --word-bits 8 --out transpose3",
    ],
);
/// Samples of all nodes.
pub static HISTOGRAM: &dyn Testbench = &Bench::<OfSamples>::of(
    Operation::Histogram,
    &[
        "cubewave run histogram --dims 4 --samples 1000",
        "cubewave run histogram --dims 4 --values samples.csv --results counts.csv",
        "cubewave run histogram --dims 3 --wave histogram.vcd",
        "cubewave measure histogram --dims 2..6",
        "cubewave verilog histogram --dims 3 --out histogram3",
    ],
);

/// An operation with its options.
struct Bench<A> {
    operation: Operation,
    examples: &'static [&'static str],
    options: PhantomData<fn() -> A>,
}

impl<A> Bench<A> {
    const fn of(operation: Operation, examples: &'static [&'static str]) -> Self {
        Bench {
            operation,
            examples,
            options: PhantomData,
        }
    }
}

/// What a report says first.
pub(super) fn identity(algorithm: &dyn Algorithm) -> Identity {
    let operation = algorithm.operation();
    Identity {
        name: operation.name(),
        models: told(operation).models,
        source: algorithm.source(),
        schedule: None,
    }
}

/// What is said of the rounds of a project.
const ROUNDS: &str = "Rounds of the testbench, 1 to 64: the first has the messages that are asked for, the others patterns and random ones, \
     each after a reset [default: 12; of more than 128 nodes fewer, as a simulator takes longer over them, and 2 of the largest]";

impl<A: OfOperation> Testbench for Bench<A> {
    fn name(&self) -> &'static str {
        self.operation.name()
    }

    fn models(&self) -> &'static str {
        told(self.operation).models
    }

    fn source(&self) -> &'static str {
        told(self.operation).source
    }

    fn choices(&self) -> Vec<String> {
        let mpi = format!("in MPI: {}", told(self.operation).mpi);
        let all = std::iter::once("algorithms:".to_owned()).chain(lines(self.operation));
        all.chain([mpi]).collect()
    }

    fn named_choices(&self) -> Vec<(&'static str, Vec<&'static str>)> {
        let algorithms = algorithms(self.operation).map(|one| one.name());
        vec![("algorithm", algorithms.collect())]
    }

    fn examples(&self) -> &'static [&'static str] {
        self.examples
    }

    fn run_arguments(&self, command: Command) -> Command {
        of_operation(RunArguments::<A>::augment_args(command), self.operation)
    }

    fn run(&self, arguments: &ArgMatches) -> Result<Ran, Error> {
        let options = parsed::<RunArguments<A>>(arguments)?.options(self.operation);
        options.threads()?;
        let stimulus = Carrying::new(&options.setup)?;
        let inputs = inputs(&options.setup);
        let report = carry_out(
            &identity(stimulus.job.algorithm),
            &options,
            &inputs.each(),
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
        let command = reworded(command, "rounds", ROUNDS);
        of_operation(command, self.operation)
    }

    fn verilog(&self, arguments: &ArgMatches) -> Result<String, Error> {
        let options =
            parsed::<VerilogArguments<A>>(arguments)?.options(|setup| setup.setup(self.operation));
        let setup = &options.setup;
        let inputs = inputs(setup);
        let plan = Plan::new(&options, &inputs.each(), &setup.cube()?)?;
        let stimulus = Carrying::new(setup)?;
        let (file, option) = stimulus.data.option();
        let algorithm = stimulus.job.algorithm;
        let mut facts = stimulus.facts();
        // The algorithm is what is chosen, and a project tells that by itself.
        facts.retain(|(name, _)| *name != "algorithm");
        let exported = Exported {
            identity: identity(algorithm),
            choice: ("algorithm", Some(algorithm.name())),
            command: setup.command("verilog")?,
            first_round: FirstRound {
                file,
                option: Some(option),
            },
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
        measure::of(self.operation)
    }
}

/// The files that are read, each with what it holds.
struct Inputs(Vec<(PathBuf, &'static str)>);

impl Inputs {
    fn each(&self) -> Vec<Input<'_>> {
        let all = self.0.iter();
        all.map(|(path, what)| Input { path, what }).collect()
    }
}

fn inputs(setup: &Setup) -> Inputs {
    let values = match setup.operation {
        Operation::Histogram => "the samples",
        _ => "the messages",
    };
    let files = [
        (setup.values.clone(), values),
        (setup.matrix.clone(), "the matrix"),
        (permutation::file(setup), "the permutation"),
    ];
    let given = files.into_iter();
    Inputs(
        given
            .filter_map(|(path, what)| Some((path?, what)))
            .collect(),
    )
}
