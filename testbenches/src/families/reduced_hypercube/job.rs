//! A job: a machine, its steps, and what its nodes are to end up with.

use hosts::words::Words;
use rtl_model::machine::device::Device;
use rtl_model::machine::router::ClosedForm;
use rtl_model::routers::reduced_hypercube::broadcast::{Broadcast, Inner, Switching};
use rtl_model::routers::reduced_hypercube::collective::{Collective, CollectiveMachine};
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use rtl_model::routers::reduced_hypercube::operator::Operator;
use rtl_model::routers::reduced_hypercube::prefix::{Prefix, PrefixForm};
use rtl_model::routers::reduced_hypercube::reduction::{Reduction, ReductionForm};
use rtl_model::routers::reduced_hypercube::sort::{Sort, SortForm};

use crate::error::Error;
use crate::families::reduced_hypercube::due;
use crate::families::reduced_hypercube::options::{Operation, Setup};
use crate::families::reduced_hypercube::values::Whose;

/// The form of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The only one on the hypercube.
    Textbook,
    /// Of a broadcast: by the tree in a building block.
    Tree(Inner),
    /// Of a reduction.
    Reduction(ReductionForm),
    /// Of a prefix operation.
    Prefix(PrefixForm),
    /// Of a sort.
    Sort(SortForm),
}

impl Algorithm {
    /// Those of an operation on the reduced hypercube, the default first.
    pub fn of(operation: Operation) -> &'static [Algorithm] {
        match operation {
            Operation::Broadcast => &[
                Algorithm::Tree(Inner::DoubleRooted),
                Algorithm::Tree(Inner::ECube),
            ],
            Operation::Reduce => &[
                Algorithm::Reduction(ReductionForm::Printed),
                Algorithm::Reduction(ReductionForm::Short),
            ],
            Operation::Prefix => &[
                Algorithm::Prefix(PrefixForm::Short),
                Algorithm::Prefix(PrefixForm::Printed),
                Algorithm::Prefix(PrefixForm::InPlace),
            ],
            Operation::Sort => &[
                Algorithm::Sort(SortForm::VirtualCube),
                Algorithm::Sort(SortForm::PairsOfBlocks),
            ],
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Textbook => "textbook",
            Algorithm::Tree(Inner::DoubleRooted) => "double-rooted",
            Algorithm::Tree(Inner::ECube) => "e-cube",
            Algorithm::Reduction(ReductionForm::Printed)
            | Algorithm::Prefix(PrefixForm::Printed) => "printed",
            Algorithm::Reduction(ReductionForm::Short) | Algorithm::Prefix(PrefixForm::Short) => {
                "short"
            }
            Algorithm::Prefix(PrefixForm::InPlace) => "in-place",
            Algorithm::Sort(SortForm::VirtualCube) => "virtual-cube",
            Algorithm::Sort(SortForm::PairsOfBlocks) => "pairs-of-blocks",
        }
    }

    /// What it does, in a few words.
    pub fn models(self) -> &'static str {
        match self {
            Algorithm::Textbook => {
                "on the hypercube: binomial tree, dimension by dimension, bitonic sort"
            }
            Algorithm::Tree(Inner::DoubleRooted) => {
                "the double-rooted tree in each building block, as in the thesis"
            }
            Algorithm::Tree(Inner::ECube) => {
                "the binomial tree in each building block: never slower"
            }
            Algorithm::Reduction(ReductionForm::Printed) => {
                "as in the thesis: home to sub-block 0 after every step"
            }
            Algorithm::Reduction(ReductionForm::Short) => {
                "from sub-block to sub-block, and home once"
            }
            Algorithm::Prefix(PrefixForm::Printed) => "as in the thesis, its operands mended",
            Algorithm::Prefix(PrefixForm::Short) => {
                "messages and what precedes walk from sub-block to sub-block"
            }
            Algorithm::Prefix(PrefixForm::InPlace) => {
                "messages alone walk; what precedes stays where it came"
            }
            Algorithm::Sort(SortForm::VirtualCube) => {
                "one bitonic sort over building block, sub-block and node"
            }
            Algorithm::Sort(SortForm::PairsOfBlocks) => {
                "as in the thesis, mended: pairs of building blocks are sorted anew"
            }
        }
    }
}

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

fn of_table<C: Collective>(machine: &CollectiveMachine<C>) -> (ClosedForm, Option<u64>) {
    (machine.collective().steps(), Some(machine.table().steps()))
}

impl Job {
    /// The job that is asked for.
    ///
    /// # Errors
    /// Whatever is out of range.
    pub fn new(setup: &Setup) -> Result<Self, Error> {
        let network = setup.network()?;
        let algorithm = setup.algorithm()?;
        let word_bits = setup.word_bits();
        let task = match setup.operation {
            Operation::Broadcast => Task::Broadcast(broadcast(setup, network, algorithm)?),
            Operation::Reduce => Task::Reduce(setup.operator()?),
            Operation::Prefix => Task::Prefix(setup.operator()?),
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
                let sort = Sort::new(network, form, setup.keys(), word_bits)?;
                (sort.device(), of_table(&sort.machine()))
            }
        };
        Ok(Job {
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

    /// Bytes that words and what is due take beside the machine.
    pub fn bytes_beside(&self, setup: &Setup) -> u64 {
        let nodes = self.device.topology().nodes();
        let words = Words::bytes(nodes, setup.keys(), setup.word_bits());
        // What is read, and an order of all words while they are sorted.
        3 * words + (16 * nodes * setup.keys()) as u64
    }
}

fn broadcast(
    setup: &Setup,
    network: BlockNetwork,
    algorithm: Algorithm,
) -> Result<Broadcast, Error> {
    let inner = match algorithm {
        Algorithm::Tree(inner) => inner,
        _ => Inner::ECube,
    };
    let switching = match setup.is_cut_through()? {
        true => Switching::CutThrough,
        false => Switching::StoreAndForward,
    };
    let source = setup.source.unwrap_or(0);
    Ok(Broadcast::new(
        network,
        (inner, switching),
        source,
        setup.word_bits(),
    )?)
}
