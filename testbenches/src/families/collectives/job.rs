//! What is asked for, worked out: the algorithm's plan, the machine that runs it, and whose messages they are.

use std::rc::Rc;
use std::sync::Arc;

use hosts::collectives::ends::{Ends, Pattern, Permutation};
use hosts::collectives::memories::{self, Carried};
use hosts::words::Words;
use rtl_model::machine::memory;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::collectives::CollectiveMachine;
use rtl_model::routers::collectives::algorithms::{Algorithm, Ask, Operation, OperationPlan};

use crate::error::Error;
use crate::families::collectives::data::{self, Data};
use crate::families::collectives::parameters::{
    self, ALGORITHM, GROUPS, PACKETS, PORTS, RECEIVER, START_UP, destination, message_bits,
    packet_bits, smaller, source,
};
use crate::families::collectives::stimulus::Carrying;
use crate::families::collectives::{histogram, operations, permutation, transpose};
use crate::interrupt;
use crate::lockstep::{Beside, Requirement, Stimulus};
use crate::testbench::bench::{self, AnyMachine};
use crate::testbench::chosen::{Chosen, Form, Given};
use crate::testbench::parameter::Parameter;

/// How much is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Bits of a message, as the algorithm is asked for them; of a histogram, of a count.
    pub message_bits: usize,
    /// Bins of a histogram.
    pub bins: usize,
}

/// What is asked for, worked out.
#[derive(Clone)]
pub struct Job {
    /// What it was asked for by.
    pub chosen: Chosen,
    /// What is done.
    pub operation: Operation,
    /// The algorithm.
    pub algorithm: &'static dyn Algorithm,
    /// The cube.
    pub cube: Dimensions,
    /// Its machine, and the plan that it runs.
    pub machine: CollectiveMachine,
    /// Whose messages they are.
    pub ends: Ends,
    /// Bits of a message as it lies in memory.
    pub word_bits: usize,
    /// By node: whether its own message never leaves it, since nobody else has it and no memory either.
    pub stays: Vec<bool>,
    /// Data on whose size all depends, so that they had to be read first.
    pub read: Option<Rc<dyn Data>>,
}

/// How much is sent, with data that had to be read to know.
pub type Amount = (Extent, Option<Rc<dyn Data>>);

impl Extent {
    /// Of messages of so many bits.
    pub fn of_messages(message_bits: usize) -> Self {
        Extent {
            message_bits,
            bins: 0,
        }
    }
}

impl Job {
    /// As asked for; nothing is drawn, and of files only those that sizes depend on are read.
    ///
    /// # Errors
    /// What is refused of what is chosen.
    pub fn new(chosen: &Chosen) -> Result<Self, Error> {
        let (algorithm, cube) = (parameters::algorithm(chosen)?, parameters::cube(chosen)?);
        let operation = algorithm.operation();
        let (extent, read) = match operation {
            Operation::Transpose => transpose::sized(chosen)?,
            Operation::Histogram => histogram::sized(chosen)?,
            _ => (Extent::of_messages(message_bits(chosen)?), None),
        };
        let word_bits = match operation {
            Operation::Histogram => extent.bins.div_ceil(cube.nodes()) * extent.message_bits,
            _ => extent.message_bits,
        };
        // Refused before the plan is made.
        let (nodes, bytes) = (cube.nodes(), planning_bytes(operation, cube));
        let what = format!("the plan of a {operation} of {nodes} nodes");
        memory::require_for_nodes(what, nodes, bytes, memory::available())?;
        let ends = Ends {
            pattern: pattern(chosen, algorithm, cube)?,
            nodes,
        };
        let ask = ask(chosen, (cube, &ends), extent)?;
        interrupt::check()?;
        let plan = algorithm.plan(&ask)?;
        check_choices(chosen, algorithm, &plan)?;
        interrupt::check()?;
        let machine = CollectiveMachine::new(Arc::new(plan))?;
        Ok(Job {
            chosen: chosen.clone(),
            operation,
            algorithm,
            cube,
            stays: stays(machine.plan(), &ends),
            machine,
            ends,
            word_bits,
            read,
        })
    }

    /// What is known beforehand.
    pub fn plan(&self) -> &OperationPlan {
        self.machine.plan()
    }

    /// Bit times of START, `T`.
    pub fn start_up(&self) -> usize {
        self.chosen.number(&START_UP)
    }

    /// Its messages and its machine, as hosts see them.
    pub fn carried(&self) -> Carried<'_> {
        Carried {
            machine: &self.machine,
            ends: &self.ends,
            word_bits: self.word_bits,
            stays: &self.stays,
        }
    }
}

impl bench::Job for Job {
    fn machine(&self) -> AnyMachine<'_> {
        AnyMachine::Lockstep(self.machine.as_device())
    }

    /// With its plan, and with messages as they are sent, as they are due and as they arrive.
    fn requirement(&self) -> Requirement {
        let program = &self.plan().program;
        let numbers = program.reorder.as_ref().map_or(0, |_| 2 * 4);
        let nodes = self.cube.nodes() as u64;
        let words = |(nodes, each)| Words::bytes(nodes, each, self.word_bits);
        let messages = 2 * words(self.ends.sent_shape()) + 2 * words(self.ends.arrived_shape());
        let beside = Beside {
            before: planning_bytes(self.operation, self.cube),
            beside: memories::bytes(program) + numbers * nodes * nodes + messages,
        };
        Requirement::of(self.machine.as_device(), beside)
    }

    fn found(&self) -> Vec<(&'static Parameter, Given)> {
        // Packets follow from groups, where there are such; where a message goes in two parts, `--groups` is of both.
        let numbers = match (self.plan().groups, self.plan().packet_bits) {
            (Some(groups), _) => {
                let is_of_both = |both: [usize; 2]| both == [groups.number; 2];
                let is_one = groups.straight_and_beside.is_none_or(is_of_both);
                is_one.then_some((&GROUPS, groups.number))
            }
            (None, Some(packet_bits)) => Some((&PACKETS, packet_bits)),
            (None, None) => None,
        };
        let numbers = numbers.into_iter();
        let numbers = numbers.map(|(one, number)| (one, Given::number(number)));
        let of_data = match self.operation {
            Operation::Transpose => transpose::found(&self.chosen),
            Operation::Histogram => {
                let bins = histogram::bins(&self.chosen).unwrap_or(1);
                let word_bits = self.word_bits / bins.div_ceil(self.cube.nodes());
                histogram::found(&self.chosen, word_bits)
            }
            _ => Vec::new(),
        };
        numbers.chain(of_data).collect()
    }

    fn source(&self) -> Option<&'static str> {
        Some(self.algorithm.source())
    }

    fn choice(&self) -> Option<&'static str> {
        Some(self.algorithm.name())
    }

    fn with_traffic(self: Box<Self>) -> Result<Box<dyn Stimulus>, Error> {
        let data = data::of(&self)?;
        Ok(Box::new(Carrying::new(*self, data)))
    }
}

/// Whose messages they are.
fn pattern(chosen: &Chosen, algorithm: &dyn Algorithm, cube: Dimensions) -> Result<Pattern, Error> {
    let nodes = 0..cube.nodes();
    let permuted = |to: Vec<usize>| Pattern::Permuted(Arc::new(Permutation::new(&to)));
    Ok(match algorithm.operation() {
        Operation::Scatter => Pattern::From(source(chosen)?),
        Operation::Gather => Pattern::To(source(chosen)?),
        Operation::AllGather => Pattern::EachToAll,
        Operation::AllToAll => Pattern::EachToEach,
        Operation::Send => Pattern::Between(source(chosen)?, destination(chosen)?),
        Operation::PermutedSend => permuted(permutation::destinations(chosen, cube)?),
        Operation::Inversion => {
            let last = nodes.end - 1;
            permuted(nodes.map(|node| node ^ last).collect())
        }
        Operation::Transpose if algorithm.stores_submatrices() => {
            let half = cube.count() / 2;
            let swapped = |node: usize| node >> half | (node & ((1 << half) - 1)) << half;
            permuted(
                nodes
                    .clone()
                    .map(|node| swapped(node) % nodes.end)
                    .collect(),
            )
        }
        Operation::Transpose => Pattern::EachToEach,
        Operation::Histogram => Pattern::Summed,
    })
}

fn ask(chosen: &Chosen, (cube, ends): (Dimensions, &Ends), extent: Extent) -> Result<Ask, Error> {
    let (source, destination) = match ends.pattern {
        Pattern::From(node) | Pattern::To(node) => (node, None),
        Pattern::Between(from, to) => (from, Some(to)),
        _ => (0, None),
    };
    let permutation = match (&ends.pattern, parameters::operation(chosen)) {
        (Pattern::Permuted(permutation), Operation::PermutedSend) => {
            Some(permutation.destinations())
        }
        _ => None,
    };
    Ok(Ask {
        cube,
        source,
        destination,
        permutation,
        message_bits: extent.message_bits,
        bins: extent.bins,
        packet_bits: packet_bits(chosen, extent.message_bits)?,
        groups: chosen.whole(&GROUPS),
        start_up: chosen.number(&START_UP),
        ports: parameters::ports(chosen)?,
    })
}

/// Bytes that a plan takes while it is made, if there are many.
fn planning_bytes(operation: Operation, cube: Dimensions) -> u64 {
    let nodes = cube.nodes() as u64;
    match operation {
        // Numbers of blocks at every node, and parts of every message.
        Operation::PermutedSend => nodes * nodes * (4 + 2 * 48),
        Operation::AllToAll | Operation::AllGather | Operation::Histogram => {
            nodes * cube.count() as u64 * 4 * 256
        }
        _ => nodes * 1024,
    }
}

/// Refuses groups and packets where the algorithm has none to choose.
fn check_choices(
    chosen: &Chosen,
    algorithm: &dyn Algorithm,
    plan: &OperationPlan,
) -> Result<(), Error> {
    let name = algorithm.name();
    if chosen.has(&GROUPS) && plan.groups.is_none() {
        let others = with_groups(chosen).join(", ");
        let choose = match others.is_empty() {
            true => String::new(),
            false => format!(", or choose an algorithm that has: {others}"),
        };
        return Err(GROUPS.blamed(format!("{name} has no groups: leave it out{choose}")));
    }
    let why = match (chosen.whole(&PACKETS), plan.packet_bits) {
        (None, _) => return Ok(()),
        (Some(bits), Some(own)) if bits == own => return Ok(()),
        (_, Some(own)) => {
            format!("{name} cuts messages itself, here into packets of {own} bits: leave it out")
        }
        (_, None) => format!("{name} has no packets of one size: leave it out"),
    };
    Err(PACKETS.blamed(why))
}

/// The algorithms of the operation whose plans have groups, as one can see of small ones: to the opposite corner and elsewhere,
/// since some send to one of them only.
fn with_groups(chosen: &Chosen) -> Vec<&'static str> {
    let small = smaller(&chosen.clone().without_files(), 4).with(&PORTS, None);
    let has_groups = |one: &&dyn Algorithm| {
        let name = Given::Text(one.name().to_owned());
        let of_it = small.clone().with(&ALGORITHM, name);
        let mut to = [7, 15].into_iter();
        to.any(|node| {
            let to = Given::Whole(Form::number(node));
            let job = Job::new(&of_it.clone().with(&RECEIVER, to));
            job.is_ok_and(|job| job.plan().groups.is_some())
        })
    };
    let all = operations::algorithms(parameters::operation(chosen));
    all.filter(has_groups).map(|one| one.name()).collect()
}

/// By node: whether its own message lies in no memory at the end.
fn stays(plan: &OperationPlan, ends: &Ends) -> Vec<bool> {
    let mut stays: Vec<bool> = (0..ends.nodes).map(|node| ends.has_own(node)).collect();
    let program = &plan.program;
    for segment in program.arrivals.iter().filter(|one| one.partner == 0) {
        match segment.at {
            Some(node) => stays[node ^ program.source] = false,
            None => stays.fill(false),
        }
    }
    stays
}
