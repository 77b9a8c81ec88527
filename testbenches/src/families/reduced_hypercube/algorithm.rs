//! The forms of operations, and what is said of each.

use rtl_model::routers::reduced_hypercube::broadcast::Inner;
use rtl_model::routers::reduced_hypercube::prefix::PrefixForm;
use rtl_model::routers::reduced_hypercube::reduction::ReductionForm;
use rtl_model::routers::reduced_hypercube::sort::SortForm;

use crate::families::reduced_hypercube::operation::Operation;

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
