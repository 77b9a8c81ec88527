//! Reduction: one word of all words, at node 0 (thesis, chapter 3).
//!
//! Two forms on the reduced hypercube: `printed` is the thesis's, `short` goes home once
//! ([`crate::routers::reduced_hypercube::steps::reduction`] has what they do). [`node`] is what a node is made of.

pub mod node;

use crate::closed_form::ClosedForm;
use crate::error::Error;
use crate::language::bit::Bit;
use crate::machine::device::Device;
use crate::routers::reduced_hypercube::collective::Collective;
use crate::routers::reduced_hypercube::network::BlockNetwork;
use crate::routers::reduced_hypercube::operator::{Operator, check_operator};
use crate::routers::reduced_hypercube::step_table_machine::StepTableMachine;
use crate::routers::reduced_hypercube::steps::reduction::{KINDS, Reducing, full, reduced, short};
use crate::routers::reduced_hypercube::steps::table::Table;
use node::ReductionNode;

/// In which form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ReductionForm {
    /// The thesis's: what is left of a building block goes home to sub-block 0 after every step.
    #[default]
    Printed,
    /// It walks from sub-block to sub-block, and goes home once.
    Short,
}

/// A reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction {
    network: BlockNetwork,
    form: ReductionForm,
    operator: Operator,
    word_bits: usize,
}

impl Reduction {
    /// Of words of so many bits. The form is that on a reduced hypercube; on a hypercube there is one.
    ///
    /// # Errors
    /// A width out of range, or one that the operator does not take.
    pub fn new(
        network: BlockNetwork,
        form: ReductionForm,
        operator: Operator,
        word_bits: usize,
    ) -> Result<Self, Error> {
        check_operator(operator, word_bits)?;
        let form = match network {
            BlockNetwork::Reduced(_) => form,
            BlockNetwork::Full(_) => ReductionForm::default(),
        };
        Ok(Reduction {
            network,
            form,
            operator,
            word_bits,
        })
    }

    /// Its machine.
    pub fn machine(self) -> StepTableMachine<Self> {
        StepTableMachine::new(self)
    }

    /// Its machine behind an object: compiled here, for whoever is above the hardware seam.
    #[inline(never)]
    pub fn device(self) -> Box<dyn Device> {
        Box::new(self.machine())
    }

    /// What words are combined by.
    pub fn operator(&self) -> Operator {
        self.operator
    }
}

impl Collective for Reduction {
    type Orders = Reducing;
    type Node<B: Bit> = ReductionNode<B>;

    const KINDS: &'static [&'static str] = &KINDS;

    fn network(&self) -> BlockNetwork {
        self.network
    }

    fn word_bits(&self) -> usize {
        self.word_bits
    }

    fn words(&self) -> Vec<String> {
        vec!["word".to_owned()]
    }

    fn table(&self) -> Table<Reducing> {
        match (self.network, self.form) {
            (BlockNetwork::Full(cube), _) => full(cube),
            (BlockNetwork::Reduced(network), ReductionForm::Printed) => reduced(network),
            (BlockNetwork::Reduced(network), ReductionForm::Short) => short(network),
        }
    }

    fn node<B: Bit>(&self) -> ReductionNode<B> {
        ReductionNode::new(self.operator, self.word_bits)
    }

    fn steps(&self) -> ClosedForm {
        let text = match (self.network, self.form) {
            (BlockNetwork::Full(_), _) => "K",
            (_, ReductionForm::Printed) => "k + (n+1)2^n",
            (_, ReductionForm::Short) => "k + 3*2^n - 2",
        };
        self.form(text, &[])
    }

    fn bit_times(&self) -> ClosedForm {
        let text = match (self.network, self.form) {
            (BlockNetwork::Full(_), _) => "wK",
            (_, ReductionForm::Printed) => "w(k + (n+1)2^n)",
            (_, ReductionForm::Short) => "w(k + 3*2^n - 2)",
        };
        self.form(text, &[])
    }

    fn storage_bits(&self) -> ClosedForm {
        let text = match self.operator.flip_flops() {
            0 => "w",
            1 => "w + 1",
            _ => "w + 2",
        };
        self.form(text, &[])
    }
}
