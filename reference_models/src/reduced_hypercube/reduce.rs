//! Reduction (chapter 3): the words of all nodes become one, at node 0.
//!
//! First the words of each building block come together at its lowest node, across one dimension after the
//! other. Then the building blocks' words come together in the same way. A word that is to go across
//! dimension `m` of the cube of building blocks walks from subblock 0 to subblock `m`, crosses the link, and
//! walks back.
//!
//! Dimensions come in ascending order, and the word from the lower address is the left operand, so that the
//! operator need not be commutative.

use super::wires::Wires;
use super::{Network, Violation};

/// What a reduction may be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// What works.
    Correct,
    /// The bits to invert are one too high, as printed. The word of every second node is left out.
    PrintedBits,
    /// The word from the higher address is the left operand, which serves commutative operators only.
    HigherFirst,
}

/// What came of a reduction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced<Word> {
    /// Steps, in each of which a wire carries one word each way at most.
    pub steps: u64,
    /// Words sent, each counted once for each wire that it crosses.
    pub sends: u64,
    /// The word that node 0 ends with.
    pub result: Word,
}

/// Reduces one word for each node, in order of address, by an operator whose operands are the word from
/// lower addresses and the word from higher ones.
///
/// # Errors
///
/// A network that there is not, not one word for each node, or words that do not move along links.
pub fn reduce<Word: Clone>(
    network: Network,
    words: &[Word],
    operator: impl Fn(&Word, &Word) -> Word,
    variant: Variant,
) -> Result<Reduced<Word>, Violation> {
    let mut wires = Wires::new(network)?;
    let nodes = network.nodes();
    let mut held = words.to_vec();
    if held.len() != nodes {
        return Err(Violation::Entries {
            entries: held.len(),
            nodes,
        });
    }
    for bit in 0..network.cube_dims() {
        let crossed = bit + usize::from(variant == Variant::PrintedBits);
        let moving = senders(&held, 0, crossed);
        let arrived = wires.hop(moving, crossed)?;
        combine(&mut held, arrived, &operator, variant);
    }
    if let Network::Reduced(shape) = network {
        for bit in 0..shape.subblocks() {
            let crossed = bit + usize::from(variant == Variant::PrintedBits);
            let mut moving = senders(&held, shape.k, crossed);
            for dimension in shape.path(0, crossed) {
                moving = wires.hop(moving, dimension)?;
            }
            moving = wires.hop(moving, shape.k + crossed)?;
            for dimension in shape.path(crossed, 0) {
                moving = wires.hop(moving, dimension)?;
            }
            combine(&mut held, moving, &operator, variant);
        }
    }
    Ok(Reduced {
        steps: wires.steps,
        sends: wires.sends,
        result: held.swap_remove(0),
    })
}

/// The words of the nodes whose lowest bit that is set is number `bit`, counted from bit `from`. All bits
/// below `from` are clear.
fn senders<Word: Clone>(held: &[Word], from: usize, bit: usize) -> Vec<(usize, Word)> {
    let first = 1 << (from + bit);
    let nodes = (first..held.len()).step_by(2 * first);
    nodes.map(|node| (node, held[node].clone())).collect()
}

/// Takes in words that came from higher addresses.
fn combine<Word>(
    held: &mut [Word],
    arrived: Vec<(usize, Word)>,
    operator: impl Fn(&Word, &Word) -> Word,
    variant: Variant,
) {
    for (node, word) in arrived {
        held[node] = match variant {
            Variant::HigherFirst => operator(&word, &held[node]),
            _ => operator(&held[node], &word),
        };
    }
}
