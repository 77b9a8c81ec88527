//! Prefix operation: of every node, its word and all before it, combined (thesis, chapter 4).
//!
//! Three forms on the reduced hypercube: `printed` is the thesis's, `short` walks from sub-block to sub-block, `in place` sends messages
//! alone ([`crate::routers::reduced_hypercube::steps::prefix`] has what they do). [`node`] is what a node is made of.

pub mod node;
pub mod strobes;

use crate::closed_form::ClosedForm;
use crate::error::Error;
use crate::language::bit::Bit;
use crate::machine::device::Device;
use crate::routers::reduced_hypercube::collective::Collective;
use crate::routers::reduced_hypercube::network::BlockNetwork;
use crate::routers::reduced_hypercube::operator::{Operator, check_operator};
use crate::routers::reduced_hypercube::step_table_machine::StepTableMachine;
use crate::routers::reduced_hypercube::steps::prefix::{
    KINDS, Prefixing, full, in_place, printed, short,
};
use crate::routers::reduced_hypercube::steps::table::Table;
use node::PrefixNode;

/// In which form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PrefixForm {
    /// The thesis's, with its operands mended.
    Printed,
    /// Messages and what precedes walk from sub-block to sub-block.
    #[default]
    Short,
    /// Messages walk; what precedes stays where it came.
    InPlace,
}

/// A prefix operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    network: BlockNetwork,
    form: PrefixForm,
    operator: Operator,
    word_bits: usize,
}

impl Prefix {
    /// Of words of so many bits. The form is that on a reduced hypercube; on a hypercube there is one.
    ///
    /// # Errors
    /// A width out of range, or one that the operator does not take.
    pub fn new(
        network: BlockNetwork,
        form: PrefixForm,
        operator: Operator,
        word_bits: usize,
    ) -> Result<Self, Error> {
        check_operator(operator, word_bits)?;
        let form = match network {
            BlockNetwork::Reduced(_) => form,
            BlockNetwork::Full(_) => PrefixForm::default(),
        };
        Ok(Prefix {
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
}

impl Collective for Prefix {
    type Orders = Prefixing;
    type Node<B: Bit> = PrefixNode<B>;

    const KINDS: &'static [&'static str] = &KINDS;

    fn network(&self) -> BlockNetwork {
        self.network
    }

    fn word_bits(&self) -> usize {
        self.word_bits
    }

    fn words(&self) -> Vec<String> {
        let words = match self.network {
            BlockNetwork::Reduced(_) => &["result", "message", "preceding"][..],
            BlockNetwork::Full(_) => &["result", "message"],
        };
        words.iter().map(|&word| word.to_owned()).collect()
    }

    fn table(&self) -> Table<Prefixing> {
        match (self.network, self.form) {
            (BlockNetwork::Full(cube), _) => full(cube),
            (BlockNetwork::Reduced(network), PrefixForm::Printed) => printed(network),
            (BlockNetwork::Reduced(network), PrefixForm::Short) => short(network),
            (BlockNetwork::Reduced(network), PrefixForm::InPlace) => in_place(network),
        }
    }

    fn node<B: Bit>(&self) -> PrefixNode<B> {
        let has_blocks = matches!(self.network, BlockNetwork::Reduced(_));
        PrefixNode::new(self.operator, self.word_bits, has_blocks)
    }

    fn steps(&self) -> ClosedForm {
        let text = match (self.network, self.form) {
            (BlockNetwork::Full(_), _) => "K",
            (_, PrefixForm::Printed) => "2k + 2^n(n2^n + 2*2^n + n)/2",
            (_, PrefixForm::Short) => "2k + 3*2^n - 2",
            (_, PrefixForm::InPlace) => "k + 3*2^n - 2",
        };
        self.form(text, &[])
    }

    /// A word a step, but for the walk of the short form: two words a hop.
    fn bit_times(&self) -> ClosedForm {
        let text = match (self.network, self.form) {
            (BlockNetwork::Full(_), _) => "wK",
            (_, PrefixForm::Printed) => "w(2k + 2^n(n2^n + 2*2^n + n)/2)",
            (_, PrefixForm::Short) => "w(2k + 5*2^n - 4 - n)",
            (_, PrefixForm::InPlace) => "w(k + 3*2^n - 2)",
        };
        self.form(text, &[])
    }

    /// Words and units: three of each with building blocks, two without.
    fn storage_bits(&self) -> ClosedForm {
        let text = match (self.network, self.operator.flip_flops()) {
            (BlockNetwork::Reduced(_), 0) => "3w",
            (BlockNetwork::Reduced(_), 1) => "3w + 3",
            (BlockNetwork::Reduced(_), _) => "3w + 6",
            (BlockNetwork::Full(_), 0) => "2w",
            (BlockNetwork::Full(_), 1) => "2w + 2",
            (BlockNetwork::Full(_), _) => "2w + 4",
        };
        self.form(text, &[])
    }
}
