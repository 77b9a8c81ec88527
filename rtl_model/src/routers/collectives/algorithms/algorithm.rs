//! What an algorithm is, what it is asked for, and what it gives.

use crate::closed_form::{ClosedForm, Letter};
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::collectives::algorithms::operation::Operation;
use crate::routers::collectives::program::TransferProgram;
use crate::routers::ports::algorithm::PortModel;

/// What is asked of an algorithm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The cube, of `d` dimensions.
    pub cube: Dimensions,
    /// The one node of scatter, gather and send; 0 elsewhere.
    pub source: usize,
    /// Of a send: the other end.
    pub destination: Option<usize>,
    /// Of a permuted send: where each node's message goes.
    pub permutation: Option<Vec<usize>>,
    /// Bits of a message, `m`. Of a histogram: bits of a bin's number; of a transposition by submatrices, of a submatrix.
    pub message_bits: usize,
    /// Of a histogram: bins, `b`.
    pub bins: usize,
    /// Bits of a packet, `B`, where the algorithm has packets of one size; it chooses if none is given.
    pub packet_bits: Option<usize>,
    /// Groups, `g`, where the algorithm has groups (of [`Operation::Transpose`]: sends, `G`); the best number if none is given.
    pub groups: Option<usize>,
    /// Bit times of START, `T`.
    pub start_up: usize,
    /// Ports that may be busy.
    pub ports: PortModel,
}

impl Ask {
    /// Messages of so many bits, from node 0 where there is one that sends, without start-ups, on all ports; what there may be
    /// beside is left to the algorithm.
    pub fn of(cube: Dimensions, message_bits: usize) -> Self {
        Ask {
            cube,
            source: 0,
            destination: None,
            permutation: None,
            message_bits,
            bins: 0,
            packet_bits: None,
            groups: None,
            start_up: 0,
            ports: PortModel::All,
        }
    }

    /// Dimensions.
    pub fn dims(&self) -> usize {
        self.cube.count()
    }

    /// The value of a closed form in `d`, `N = 2^d`, `m` and `T`, and in these letters.
    pub(super) fn form(&self, text: &'static str, more: &[Letter<'_>]) -> ClosedForm {
        let letters = [
            ("d", self.dims() as u64),
            ("N", self.cube.nodes() as u64),
            ("m", self.message_bits as u64),
            ("T", self.start_up as u64),
        ];
        ClosedForm::of(text, &[&letters, more].concat())
    }
}

/// How many groups a message goes in (of [`Operation::Transpose`]: sends).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    /// Of the send whose stages are the routing steps: `g` of the closed forms.
    pub number: usize,
    /// Where a part of the message goes straight and the rest beside: of both, in this order.
    pub straight_and_beside: Option<[usize; 2]>,
}

impl From<usize> for Groups {
    fn from(number: usize) -> Self {
        Groups {
            number,
            straight_and_beside: None,
        }
    }
}

/// A program, and what is known of it beforehand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationPlan {
    /// What the machine does.
    pub program: TransferProgram,
    /// Routing steps (stages).
    pub routing_steps: ClosedForm,
    /// Bit times; with ceilings, so that it holds for any message.
    pub bit_times: ClosedForm,
    /// The peak of a node's forwarding buffer: bits that it is to send on, from the beginning of their arrival until they have
    /// left.
    pub forwarding_buffer: ClosedForm,
    /// Whether the message can be cut as the paper has it; else packets are rounded up.
    pub divides: bool,
    /// Groups, where the algorithm has them.
    pub groups: Option<Groups>,
    /// Packet bits, where the algorithm has packets of one size.
    pub packet_bits: Option<usize>,
}

/// An algorithm of one of the papers.
pub trait Algorithm: Sync {
    /// What it does.
    fn operation(&self) -> Operation;
    /// What it is called on a command line.
    fn name(&self) -> &'static str;
    /// What the paper calls it.
    fn paper_name(&self) -> &'static str;
    /// What it does, in a few words.
    fn models(&self) -> &'static str;
    /// Paper and section.
    fn source(&self) -> &'static str;
    /// The ports that it is defined for, the first if none are asked for.
    fn port_models(&self) -> &'static [PortModel];
    /// Of a transposition: whether every node has a submatrix, in place of whole rows.
    fn stores_submatrices(&self) -> bool {
        false
    }
    /// Its program.
    ///
    /// # Errors
    /// Sizes that it does not take, with the nearest that it does.
    fn plan(&self, ask: &Ask) -> Result<OperationPlan, Error>;
}

/// Refuses what an algorithm does not take.
pub(super) fn refused<T>(of: &dyn Algorithm, why: String) -> Result<T, Error> {
    let refusal = Refusal::of(of.name()).because(why);
    Err(refusal.only_together(of.name()).into())
}
