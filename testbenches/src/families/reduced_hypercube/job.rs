//! A job: a machine, its steps, and what its nodes are to end up with.

use hosts::words::Words;
use rtl_model::closed_form::ClosedForm;
use rtl_model::machine::device::Device;
use rtl_model::routers::reduced_hypercube::broadcast::{Broadcast, Inner, Switching};
use rtl_model::routers::reduced_hypercube::collective::Collective;
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use rtl_model::routers::reduced_hypercube::operator::Operator;
use rtl_model::routers::reduced_hypercube::prefix::{Prefix, PrefixForm};
use rtl_model::routers::reduced_hypercube::reduction::{Reduction, ReductionForm};
use rtl_model::routers::reduced_hypercube::sort::{Sort, SortForm};
use rtl_model::routers::reduced_hypercube::step_table_machine::StepTableMachine;

use crate::error::Error;
use crate::families::reduced_hypercube::algorithm::Algorithm;
use crate::families::reduced_hypercube::due;
use crate::families::reduced_hypercube::operation::Operation;
use crate::families::reduced_hypercube::parameters::{self, KEYS, SOURCE, word_bits};
use crate::families::reduced_hypercube::stimulus::Collecting;
use crate::families::reduced_hypercube::values::Whose;
use crate::lockstep::{Beside, Requirement, Stimulus};
use crate::testbench::bench::{self, AnyMachine};
use crate::testbench::chosen::Chosen;

/// Who ends up with something that is looked at.
#[derive(Clone, Debug)]
pub struct Due {
    /// What it is: of all nodes, or of one, node 0.
    pub words: Words,
    /// Whose.
    pub whose: Whose,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    Broadcast(Broadcast),
    Reduce(Operator),
    Prefix(Operator),
    Sort,
}

/// A job.
pub struct Job {
    /// What it was asked for by.
    pub chosen: Chosen,
    /// What is done.
    pub operation: Operation,
    task: Task,
    /// The network of its machine.
    pub network: BlockNetwork,
    /// Its machine.
    pub device: Box<dyn Device>,
    /// In which form.
    pub algorithm: Algorithm,
    /// The closed form of its steps.
    pub steps_formula: ClosedForm,
    /// Steps, counted in the table that the sequencer walks through; a broadcast's follow from its bit times.
    steps_of_table: Option<u64>,
}

fn of_table<C: Collective>(machine: &StepTableMachine<C>) -> (ClosedForm, Option<u64>) {
    (machine.collective().steps(), Some(machine.table().steps()))
}

impl Job {
    /// The job that is asked for.
    ///
    /// # Errors
    /// Whatever is out of range.
    pub fn new(chosen: &Chosen) -> Result<Self, Error> {
        let (network, algorithm) = (parameters::network(chosen)?, parameters::algorithm(chosen)?);
        let (operation, word_bits) = (parameters::operation(chosen), word_bits(chosen));
        let task = match operation {
            Operation::Broadcast => Task::Broadcast(broadcast(chosen, network, algorithm)?),
            Operation::Reduce => Task::Reduce(parameters::operator(chosen)?),
            Operation::Prefix => Task::Prefix(parameters::operator(chosen)?),
            Operation::Sort => Task::Sort,
        };
        let (device, (steps_formula, steps_of_table)) = match task {
            Task::Broadcast(broadcast) => (broadcast.device(), (broadcast.steps(), None)),
            Task::Reduce(operator) => {
                let form = match algorithm {
                    Algorithm::Reduction(form) => form,
                    _ => ReductionForm::default(),
                };
                let reduction = Reduction::new(network, form, operator, word_bits)?;
                (reduction.device(), of_table(&reduction.machine()))
            }
            Task::Prefix(operator) => {
                let form = match algorithm {
                    Algorithm::Prefix(form) => form,
                    _ => PrefixForm::default(),
                };
                let prefix = Prefix::new(network, form, operator, word_bits)?;
                (prefix.device(), of_table(&prefix.machine()))
            }
            Task::Sort => {
                let form = match algorithm {
                    Algorithm::Sort(form) => form,
                    _ => SortForm::default(),
                };
                let sort = Sort::new(network, form, chosen.number(&KEYS), word_bits)?;
                (sort.device(), of_table(&sort.machine()))
            }
        };
        Ok(Job {
            chosen: chosen.clone(),
            operation,
            task,
            network,
            device,
            algorithm,
            steps_formula,
            steps_of_table,
        })
    }

    /// Another one like it.
    pub fn another(&self) -> Self {
        Job {
            chosen: self.chosen.clone(),
            operation: self.operation,
            task: self.task,
            network: self.network,
            device: self.device.another(),
            algorithm: self.algorithm,
            steps_formula: self.steps_formula.clone(),
            steps_of_table: self.steps_of_table,
        }
    }

    /// What words are combined by, if they are.
    pub fn operator(&self) -> Option<Operator> {
        match self.task {
            Task::Reduce(operator) | Task::Prefix(operator) => Some(operator),
            Task::Broadcast(_) | Task::Sort => None,
        }
    }

    /// The node that begins with something, if it is one alone.
    pub fn source(&self) -> Option<usize> {
        match self.task {
            Task::Broadcast(broadcast) => Some(broadcast.source()),
            _ => None,
        }
    }

    /// Whose words there are in the beginning.
    pub fn whose(&self) -> Whose {
        self.source().map_or(Whose::All, Whose::Of)
    }

    /// Bit times before the first step, in which nodes find out who they are.
    pub fn set_up(&self) -> usize {
        match self.task {
            Task::Broadcast(broadcast) => broadcast.times().set_up(),
            _ => 0,
        }
    }

    /// Steps of a run that took so many bit times.
    pub fn steps(&self, bit_times: u64) -> u64 {
        match (self.task, self.steps_of_table) {
            (Task::Broadcast(broadcast), _) => {
                let times = broadcast.times();
                let under_way = bit_times.saturating_sub(times.set_up() as u64);
                match broadcast.switching() {
                    Switching::CutThrough => {
                        under_way.saturating_sub(broadcast.message_bits() as u64)
                    }
                    Switching::StoreAndForward => under_way / times.step_bits as u64,
                }
            }
            (_, steps) => steps.unwrap_or(0),
        }
    }

    /// What its nodes are to end up with.
    pub fn due(&self, words: &Words) -> Due {
        let (words, whose) = match self.task {
            Task::Broadcast(broadcast) => (due::everywhere(words, broadcast.source()), Whose::All),
            Task::Reduce(operator) => (due::reduced(words, operator), Whose::Of(0)),
            Task::Prefix(operator) => (due::prefixes(words, operator), Whose::All),
            Task::Sort => (due::sorted(words), Whose::All),
        };
        Due { words, whose }
    }

    /// Words of a node, and bits of each.
    pub fn words(&self) -> (usize, usize) {
        (self.chosen.number(&KEYS), word_bits(&self.chosen))
    }
}

impl bench::Job for Job {
    fn machine(&self) -> AnyMachine<'_> {
        AnyMachine::Lockstep(&*self.device)
    }

    /// With words, what is due, what is read, and an order of all words while they are sorted.
    fn requirement(&self) -> Requirement {
        let (nodes, (keys, bits)) = (self.device.topology().nodes(), self.words());
        let beside = 3 * Words::bytes(nodes, keys, bits) + (16 * nodes * keys) as u64;
        let beside = Beside {
            before: beside,
            beside,
        };
        Requirement::of(&*self.device, beside)
    }

    fn source(&self) -> Option<&'static str> {
        match self.network {
            BlockNetwork::Full(_) => Some(self.operation.on_the_hypercube()),
            BlockNetwork::Reduced(_) => None,
        }
    }

    fn choice(&self) -> Option<&'static str> {
        Some(self.algorithm.name())
    }

    fn with_traffic(self: Box<Self>) -> Result<Box<dyn Stimulus>, Error> {
        Ok(Box::new(Collecting::new(*self)?))
    }
}

fn broadcast(
    chosen: &Chosen,
    network: BlockNetwork,
    algorithm: Algorithm,
) -> Result<Broadcast, Error> {
    let inner = match algorithm {
        Algorithm::Tree(inner) => inner,
        _ => Inner::ECube,
    };
    let form = (inner, parameters::switching(chosen)?);
    Ok(Broadcast::new(
        network,
        form,
        chosen.number(&SOURCE),
        word_bits(chosen),
    )?)
}
