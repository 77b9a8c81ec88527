//! Batches and h-relations on the testbench seam.

use std::marker::PhantomData;

use clap::{ArgMatches, Args, Command};
use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::families::relations::arguments::{
    AsSetup, BatchArguments, ProcessorArguments, RelationArguments, RunArguments, SetupArguments,
};
use crate::families::relations::options::{Amount, Setup};
use crate::families::relations::stimulus::Carrying;
use crate::families::relations::traffic::H_RELATION;
use crate::families::relations::{measure, schedules};
use crate::lockstep::verilog::{Exported, FirstRound, Plan};
use crate::lockstep::{Identity, carry_out};
use crate::measure::{self as sweeps, Family};
use crate::options::{Format, Input, VerilogArguments, reworded};
use crate::report::json;
use crate::testbench::{Choice, Ran, Testbench, parsed};

/// Batches, one behind the other.
pub static BATCHES: &dyn Testbench = &Bench::<SetupArguments<BatchArguments>> {
    name: KUSZMAUL,
    measured: &OF_BATCHES,
    source: "Kuszmaul 1990, section IV",
    examples: &[
        "cubewave run kuszmaul --batches 8",
        "cubewave run kuszmaul --schedule spread --batches 8 --dims 4 --wave batches.vcd",
        "cubewave run kuszmaul --schedule overlapped --batches 4 --traffic bitrev --load 1",
        "cubewave measure kuszmaul --batches 8 --dims 2..10 --payload-bits k --schedule all --against spread --plot sets.svg",
        "cubewave verilog kuszmaul --batches 3 --dims 3 --payload-bits 4 --out batches3",
    ],
    arguments: PhantomData,
};

/// Messages of which a node sends and receives several.
pub static RELATIONS: &dyn Testbench = &Bench::<SetupArguments<RelationArguments>> {
    name: KUSZMAUL,
    measured: &OF_RELATIONS,
    source: "Kuszmaul 1990, abstract and section IV (H-permutations)",
    examples: &[
        "cubewave run kuszmaul --traffic h-relation --h 4",
        "cubewave run kuszmaul --traffic h-relation --h 4 --schedule spread",
        "cubewave run kuszmaul --h 3 --traffic-file several.csv --deliveries arrived.csv",
        "cubewave measure kuszmaul --h 1..8 --against radix4,wormhole",
        "cubewave verilog kuszmaul --h 2 --dims 3 --payload-bits 4 --out relation2",
    ],
    arguments: PhantomData,
};

/// Processors that share a vertex.
pub static PROCESSORS: &dyn Testbench = &Bench::<ProcessorArguments> {
    name: PACKING,
    measured: &OF_PROCESSORS,
    source: "Kuszmaul 1990, section V; Theorem 1 and Algorithm 1",
    examples: &[
        "cubewave run packing --processors 6",
        "cubewave run packing --processors 4 --dims 4 --load 0.5 --wave processors.vcd",
        "cubewave measure packing --processors 1..8 --payload-bits k,64",
        "cubewave verilog packing --processors 3 --dims 3 --payload-bits 4 --out processors3",
    ],
    arguments: PhantomData,
};

const KUSZMAUL: &str = "kuszmaul";
const PACKING: &str = "packing";

static OF_BATCHES: measure::Relations<measure::BatchAxis> = measure::Relations {
    bench: KUSZMAUL,
    choice: Choice {
        option: "batches",
        example: "8",
    },
    models: "streams batches of messages through a pipeline of iterations, on redundant wires",
    axis: PhantomData,
};

static OF_RELATIONS: measure::Relations<measure::HAxis> = measure::Relations {
    bench: KUSZMAUL,
    choice: Choice {
        option: "h",
        example: "4",
    },
    models: "routes h-relations, in which a node sends and receives up to H messages",
    axis: PhantomData,
};

static OF_PROCESSORS: measure::Relations<measure::ProcessorAxis> = measure::Relations {
    bench: PACKING,
    choice: Choice {
        option: "processors",
        example: "4",
    },
    models: "packs for several processors at a vertex, whose messages share its wires",
    axis: PhantomData,
};

struct Bench<A> {
    name: &'static str,
    measured: &'static dyn sweeps::Family,
    source: &'static str,
    examples: &'static [&'static str],
    arguments: PhantomData<fn() -> A>,
}

/// The file that is read, if one is.
fn input(setup: &Setup) -> Option<Input<'_>> {
    setup.traffic_file.as_deref().map(Input::traffic)
}

/// What a report says first.
///
/// # Errors
/// A schedule that there is not.
pub(super) fn identity_of(setup: &Setup) -> Result<Identity, Error> {
    let bench = match setup.amount {
        Amount::Batches(_) => BATCHES,
        Amount::Relation(_) => RELATIONS,
        Amount::Processors(_) => PROCESSORS,
    };
    let has_choice = bench.name() == KUSZMAUL;
    Ok(Identity {
        name: bench.name(),
        models: bench.models(),
        source: bench.source(),
        schedule: has_choice.then_some(setup.schedule()?.name),
    })
}

impl<A> Bench<A> {
    fn is_batches(&self) -> bool {
        self.measured.chosen_by() == OF_BATCHES.chosen_by()
    }

    /// What options are for here.
    fn worded(&self, command: Command) -> Command {
        if self.name == PACKING {
            return command;
        }
        let names: Vec<&str> = (schedules::serving(self.is_batches()))
            .map(|entry| entry.name)
            .collect();
        let (default, patterns, pattern) = match self.is_batches() {
            true => ("spread", String::new(), "randperm"),
            false => (
                "counting",
                format!("{H_RELATION}, or H messages each by "),
                H_RELATION,
            ),
        };
        let schedule = format!("Schedule: {} [default: {default}]", names.join(", "));
        let known: Vec<&str> = Pattern::PERMUTATIONS
            .iter()
            .map(|(name, ..)| *name)
            .collect();
        let traffic = format!(
            "Traffic pattern: {patterns}{} [default: {pattern}]",
            known.join(", ")
        );
        let load = match self.is_batches() {
            true => "Share of the nodes that send a message in a batch, 0 to 1 [default: 0.75]",
            false => {
                "Share of the nodes that send, 0 to 1: of an h-relation in each of H partial permutations [default: 0.75]"
            }
        };
        let batch = match self.is_batches() {
            true => {
                " A further column `batch` may say in which batch a message goes, from 0; without it they are shared out."
            }
            false => "",
        };
        let file = format!(
            "Traffic from a CSV file: a header `source,destination` or `source,destination,payload`, then a row a message, any number \
                    from a node and to one, as far as they are allowed.{batch} Payloads are hexadecimal, their least significant bit is sent \
                    first; those left out are drawn from the seed. `-` reads standard input"
        );
        let command = reworded(command, "schedule", schedule);
        let command = reworded(command, "traffic", traffic);
        reworded(reworded(command, "load", load), "traffic_file", file)
    }
}

impl<A: AsSetup + 'static> Testbench for Bench<A> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn chosen_by(&self) -> Option<Choice> {
        self.measured.chosen_by()
    }

    fn models(&self) -> &'static str {
        let modelled = self.measured.testbenches();
        modelled.first().map_or("", |(_, models)| models)
    }

    fn source(&self) -> &'static str {
        self.source
    }

    fn choices(&self) -> Vec<String> {
        if self.name == PACKING {
            return Vec::new();
        }
        let all = schedules::serving(self.is_batches());
        let names: Vec<&str> = all.clone().map(|entry| entry.name).collect();
        let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
        let lines = all.map(|entry| format!("  {:<longest$}  {}", entry.name, entry.models));
        let first = format!("schedules: {}", names.join(", "));
        std::iter::once(first).chain(lines).collect()
    }

    fn named_choices(&self) -> Vec<(&'static str, Vec<&'static str>)> {
        if self.name == PACKING {
            return Vec::new();
        }
        let names = schedules::serving(self.is_batches()).map(|entry| entry.name);
        vec![("schedule", names.collect())]
    }

    fn examples(&self) -> &'static [&'static str] {
        self.examples
    }

    fn run_arguments(&self, command: Command) -> Command {
        self.worded(RunArguments::<A>::augment_args(command))
    }

    fn run(&self, arguments: &ArgMatches) -> Result<Ran, Error> {
        let options = parsed::<RunArguments<A>>(arguments)?.options();
        options.threads()?;
        let stimulus = Carrying::new(&options.setup)?;
        measure::foretell(&options, &stimulus.job)?;
        let report = carry_out(
            &identity_of(&options.setup)?,
            &options,
            input(&options.setup).as_slice(),
            Box::new(stimulus),
        )?;
        Ok(Ran {
            report: Box::new(report),
            format: options.format,
            deliveries: options.deliveries,
        })
    }

    fn verilog_arguments(&self, command: Command) -> Command {
        self.worded(VerilogArguments::<A>::augment_args(command))
    }

    fn verilog(&self, arguments: &ArgMatches) -> Result<String, Error> {
        let options = parsed::<VerilogArguments<A>>(arguments)?;
        let options = options.options(A::setup);
        let setup = &options.setup;
        let inputs = input(setup);
        let plan = Plan::new(&options, inputs.as_slice(), &setup.cube()?)?;
        let mut stimulus = Carrying::to_be_written(setup)?;
        stimulus.foresee()?;
        let identity = identity_of(setup)?;
        let exported = Exported {
            identity,
            choice: ("schedule", identity.schedule),
            command: setup.command("verilog")?,
            first_round: match setup.amount {
                Amount::Processors(_) => FirstRound::DRAWN,
                _ => FirstRound::TRAFFIC,
            },
            seed: setup.seed,
            relies_on: Some(match (setup.amount, stimulus.job.pipeline()) {
                (Amount::Processors(_), _) => {
                    "in a pass no two messages end farther apart, as vertex numbers, than they began"
                }
                (_, Some(_)) => "in a batch no two messages have the same destination",
                (_, None) => "no node receives more messages than its list has slots",
            }),
            facts: stimulus.facts(),
        };
        let project = plan.write(&exported, &stimulus)?;
        match options.format {
            Format::Text => Ok(project.text()),
            Format::Json => json(&project),
        }
    }

    fn measured_as(&self) -> &'static dyn sweeps::Family {
        self.measured
    }
}
