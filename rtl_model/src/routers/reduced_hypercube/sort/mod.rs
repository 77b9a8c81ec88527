//! Sorting: keys into the order of addresses, every node as many as it began with (thesis, chapter 5).
//!
//! Whole words are compared, so equal keys cannot be told apart, and all of them are kept. A bitonic sort is not stable: whoever wants
//! equal keys in the order of their nodes puts the node's number below the key, in a wider word.
//!
//! [`crate::routers::reduced_hypercube::steps::sort`] has what is done, [`node`] what a node is made of.

pub mod node;
pub mod strobes;

use crate::closed_form::ClosedForm;
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::language::bit::Bit;
use crate::language::lines::MAX_LINES;
use crate::machine::device::Device;
use crate::routers::reduced_hypercube::collective::Collective;
use crate::routers::reduced_hypercube::network::BlockNetwork;
use crate::routers::reduced_hypercube::step_table_machine::StepTableMachine;
use crate::routers::reduced_hypercube::steps::sort::{
    KINDS, Sorting, full, pairs_of_blocks, virtual_cube,
};
use crate::routers::reduced_hypercube::steps::table::Table;
use crate::routers::reduced_hypercube::word_bits::check_word_bits;
use node::SortNode;

/// In which form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SortForm {
    /// One bitonic sort over virtual addresses.
    #[default]
    VirtualCube,
    /// The thesis's: pairs of building blocks are sorted anew, with its errors mended.
    PairsOfBlocks,
}

/// A sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    network: BlockNetwork,
    form: SortForm,
    keys: usize,
    word_bits: usize,
}

impl Sort {
    /// Of so many keys a node, each of so many bits. The form is that on a reduced hypercube; on a hypercube there is one.
    ///
    /// # Errors
    /// A width or a number of keys out of range.
    pub fn new(
        network: BlockNetwork,
        form: SortForm,
        keys: usize,
        word_bits: usize,
    ) -> Result<Self, Error> {
        check_word_bits("keys", word_bits)?;
        check_keys(keys, network)?;
        let form = match network {
            BlockNetwork::Reduced(_) => form,
            BlockNetwork::Full(_) => SortForm::default(),
        };
        Ok(Sort {
            network,
            form,
            keys,
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

    /// Slots of a node.
    fn slots(&self) -> usize {
        match self.network {
            BlockNetwork::Reduced(network) => network.blocks_dimensions() * self.keys,
            BlockNetwork::Full(_) => self.keys,
        }
    }
}

impl Collective for Sort {
    type Orders = Sorting;
    type Node<B: Bit> = SortNode<B>;

    const KINDS: &'static [&'static str] = &KINDS;

    fn network(&self) -> BlockNetwork {
        self.network
    }

    fn word_bits(&self) -> usize {
        self.word_bits
    }

    fn words(&self) -> Vec<String> {
        (0..self.slots())
            .map(|slot| format!("slot_{slot}"))
            .collect()
    }

    fn table(&self) -> Table<Sorting> {
        match (self.network, self.form) {
            (BlockNetwork::Full(cube), _) => full(cube, self.keys),
            (BlockNetwork::Reduced(network), SortForm::VirtualCube) => {
                virtual_cube(network, self.keys)
            }
            (BlockNetwork::Reduced(network), SortForm::PairsOfBlocks) => {
                pairs_of_blocks(network, self.keys)
            }
        }
    }

    fn node<B: Bit>(&self) -> SortNode<B> {
        SortNode::new(self.network, (self.slots(), self.keys), self.word_bits)
    }

    fn steps(&self) -> ClosedForm {
        let text = match (self.network, self.form) {
            (BlockNetwork::Full(_), _) => "pK(K+1)/2",
            (_, SortForm::VirtualCube) => {
                "p(k(k+1)/2 + 2^n + 4^n(2^n+1)/2 + 4^n(k-n) + 4^n(2^n-1))"
            }
            (_, SortForm::PairsOfBlocks) => {
                "p(k(k+1)/2 + 2^n + 4^n(2^n+1)(1 + (k-n)(k+n+3)/2)/2 + 4^n(2^n-1))"
            }
        };
        self.form(text, &[("p", self.keys as u64)])
    }

    /// A word a step, of which there are `S`, and those that are put into order within nodes.
    fn bit_times(&self) -> ClosedForm {
        let text = match (self.network, self.form, self.keys) {
            (BlockNetwork::Full(_), _, 1) => "wK(K+1)/2",
            (BlockNetwork::Full(_), ..) => "w(pK(K+1)/2 + (p(p-1)/2)(1 + K(K+1)/2))",
            (_, SortForm::VirtualCube, 1) => "w(k(k+1)/2 + 2^n + 4^n((2^n+1)/2 + k-n/2 + 2^n-1))",
            (_, SortForm::VirtualCube, _) => {
                "w(S + pn4^n/2 + (p(p-1)/2)(1 + k(k+1)/2 + 4^n((2^n+1)/2 + k)))"
            }
            (_, SortForm::PairsOfBlocks, 1) => "w(S + 4^n(2^n+1)n(n+3)/8)",
            (_, SortForm::PairsOfBlocks, _) => {
                "w(S + p4^n(2^n+1)n(n+3)/8 + (p(p-1)/2)(1 + k(k+1)/2 + 4^n(2^n+1)(k+1)(k+2)/4))"
            }
        };
        let letters = [("p", self.keys as u64), ("S", self.steps().value)];
        self.form(text, &letters)
    }

    fn storage_bits(&self) -> ClosedForm {
        let text = match self.network {
            BlockNetwork::Reduced(_) => "2^n pw + 2",
            BlockNetwork::Full(_) => "pw + 2",
        };
        self.form(text, &[("p", self.keys as u64)])
    }
}

/// Refuses more keys than a node has slots for.
///
/// # Errors
/// None, or too many.
fn check_keys(keys: usize, network: BlockNetwork) -> Result<(), Error> {
    let blocks = match network {
        BlockNetwork::Reduced(network) => network.blocks_dimensions(),
        BlockNetwork::Full(_) => 1,
    };
    let most = MAX_LINES / blocks;
    match (1..=most).contains(&keys) {
        true => Ok(()),
        false => {
            let refusal = Refusal::of(format!("{keys} keys a node are out of range")).instead(format!(
                "choose 1 to {most} (a node has 64 slots, and needs {blocks} for each of its keys)"
            ));
            Err(match keys {
                0 => refusal,
                _ => refusal.only_together("keys"),
            }
            .into())
        }
    }
}
