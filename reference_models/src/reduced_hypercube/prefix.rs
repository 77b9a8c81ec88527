//! Prefixes (chapter 4): each node ends with what its word and all words from lower addresses make together.
//!
//! Within a building block, as in a full hypercube, each node has a result and a message. The messages are
//! exchanged across one dimension after the other. What comes is taken into the message, and if it comes
//! from a lower address into the result also. In the end the message is the total. What comes from a lower
//! address is the left operand, so that the operator need not be commutative.
//!
//! There are three ways to go on with the totals of the building blocks, which differ in steps. See
//! [`Variant`].

mod among;

use super::wires::{Sent, Wires};
use super::{Network, Violation};

/// How prefixes go on from building block to building block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// As in the thesis. The highest node of each building block serves it. For each dimension of the cube of
    /// building blocks in turn the last of the blocks below sends the total so far to the last of the blocks
    /// above, from where it goes down to all of them, across one dimension after the other, highest first.
    /// Each time it walks from the highest subblock to the one with the link, and back. In the end each
    /// building block broadcasts.
    Distribute,
    /// The same, and the operands are exchanged, as printed.
    DistributePrinted,
    /// The lowest node of each building block serves it. Totals are exchanged across one dimension after the
    /// other, as within a building block. They walk from each subblock to the next. What the words of the
    /// preceding building blocks make walks behind, one step later, so that a wire carries one word a step.
    /// In the end it walks back to subblock 0 and is broadcast.
    Exchange,
    /// The same, with the results of a building block's nodes on the other side of what precedes.
    ExchangeSwapped,
    /// All nodes of a subblock do as the lowest one does there. Only totals walk. What comes from the
    /// building block below stays where it came, and in the end all subblocks exchange what stayed.
    InPlace,
    /// The same, with what stayed in a higher subblock as the right operand instead of the left one.
    InPlaceSwapped,
}

/// What came of the computation of prefixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prefixes<Word> {
    /// Steps, in each of which a wire carries one word each way at most.
    pub steps: u64,
    /// For each node what its word and all words from lower addresses make together.
    pub results: Vec<Word>,
}

/// The state of all nodes.
struct State<Word, Operator> {
    wires: Wires,
    /// What the words so far make together, up to the node's own.
    results: Vec<Word>,
    /// What the words so far make together.
    messages: Vec<Word>,
    /// What changes no word.
    identity: Word,
    operator: Operator,
    /// Whether what comes from a lower address is the right operand instead of the left one.
    swapped: bool,
}

/// Computes the prefixes of one word for each node, in order of address, by an operator whose operands are
/// the word from lower addresses and the word from higher ones. In the full hypercube all variants do the
/// same, but for the operands exchanged.
///
/// # Errors
///
/// A network that there is not, not one word for each node, or words that do not move along links.
pub fn prefix<Word: Clone>(
    network: Network,
    words: &[Word],
    identity: &Word,
    operator: impl Fn(&Word, &Word) -> Word,
    variant: Variant,
) -> Result<Prefixes<Word>, Violation> {
    let wires = Wires::new(network)?;
    if words.len() != network.nodes() {
        return Err(Violation::Entries {
            entries: words.len(),
            nodes: network.nodes(),
        });
    }
    let mut state = State {
        wires,
        results: words.to_vec(),
        messages: words.to_vec(),
        identity: identity.clone(),
        operator,
        swapped: variant == Variant::DistributePrinted,
    };
    for dimension in 0..network.cube_dims() {
        state.exchange(dimension)?;
    }
    if let Network::Reduced(shape) = network {
        match variant {
            Variant::Distribute | Variant::DistributePrinted => state.distribute(shape)?,
            Variant::Exchange => state.exchange_totals(shape, false)?,
            Variant::ExchangeSwapped => state.exchange_totals(shape, true)?,
            Variant::InPlace => state.in_place(shape, false)?,
            Variant::InPlaceSwapped => state.in_place(shape, true)?,
        }
    }
    Ok(Prefixes {
        steps: state.wires.steps,
        results: state.results,
    })
}

impl<Word: Clone, Operator: Fn(&Word, &Word) -> Word> State<Word, Operator> {
    /// What two words make, the first of which comes from lower addresses.
    fn combined(&self, lower: &Word, higher: &Word) -> Word {
        match self.swapped {
            true => (self.operator)(higher, lower),
            false => (self.operator)(lower, higher),
        }
    }

    /// Exchanges messages across a dimension.
    fn exchange(&mut self, dimension: usize) -> Result<(), Violation> {
        let across = |(from, load): (usize, &Word)| Sent {
            from,
            to: from ^ (1 << dimension),
            load: load.clone(),
        };
        let sends: Vec<_> = self.messages.iter().enumerate().map(across).collect();
        self.wires.carry(1, &sends)?;
        for Sent { from, to, load } in sends {
            if from < to {
                self.results[to] = self.combined(&load, &self.results[to]);
            }
            // As printed the own word is the left operand wherever the other one comes from.
            self.messages[to] = match from < to && !self.swapped {
                true => (self.operator)(&load, &self.messages[to]),
                false => (self.operator)(&self.messages[to], &load),
            };
        }
        Ok(())
    }
}
