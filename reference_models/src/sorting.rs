//! Routing by sorting, with whole messages: Kuszmaul 1990, section VI. Its invariants are checked after every
//! phase and at every stage of the unpacking.
//!
//! [`Variant`] holds what could be done otherwise as choices, so that tests can plant each mistake and show
//! that it is caught.

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::Message;

use crate::violation::Violation;

/// How a bitonic sort is done, and what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Every other block of a phase is sorted upside down, as the next phase needs it.
    pub alternates: bool,
    /// A phase passes its dimensions from the highest to the lowest.
    pub highest_dimension_first: bool,
    /// A message sorts before none.
    pub empties_last: bool,
    /// Messages go from the nodes of their ranks to their destinations.
    pub unpacks: bool,
    /// The unpacking fixes the most significant bit first.
    pub unpacks_msb_first: bool,
}

impl Variant {
    /// What the hardware does on schedule `sort-and-unpack`.
    pub const CORRECT: Variant = Variant {
        alternates: true,
        highest_dimension_first: true,
        empties_last: true,
        unpacks: true,
        unpacks_msb_first: true,
    };
    /// What it does on schedule `sort`.
    pub const SORT: Variant = Variant {
        unpacks: false,
        ..Variant::CORRECT
    };
}

/// For each node the index of the message that it holds.
pub type Held = Vec<Option<usize>>;

/// Routes `messages` (a partial permutation; without unpacking a full one) with every invariant checked: what
/// nodes hold after each phase, that is, after the last one and the unpacking.
///
/// # Errors
/// The first [`Violation`].
pub fn route(
    dimensions: Dimensions,
    messages: &[Message],
    variant: Variant,
) -> Result<Vec<Held>, Violation> {
    let k = dimensions.count();
    let mut model = Model {
        messages,
        variant,
        held: vec![None; dimensions.nodes()],
    };
    for (index, message) in messages.iter().enumerate() {
        model.held[message.source] = Some(index);
    }
    let mut after_phase = Vec::new();
    for phase in 1..=k {
        model.sort_blocks(phase, k);
        model.check_order(phase, k)?;
        if phase == k && variant.unpacks {
            model.unpack(k)?;
        }
        after_phase.push(model.held.clone());
    }
    model.check_delivered(k)?;
    Ok(after_phase)
}

struct Model<'a> {
    messages: &'a [Message],
    variant: Variant,
    held: Held,
}

impl Model<'_> {
    /// What is compared: the destination; what stands for none is beyond all of them.
    fn key(&self, node: usize) -> Option<usize> {
        self.held[node].map(|index| self.messages[index].destination)
    }

    /// Whether what one node holds belongs before what another does.
    fn is_before(&self, one: usize, other: usize) -> bool {
        match (self.key(one), self.key(other)) {
            (Some(one), Some(other)) => one < other,
            (Some(_), None) => self.variant.empties_last,
            (None, Some(_)) => !self.variant.empties_last,
            (None, None) => false,
        }
    }

    /// Phase `p`: bitonic blocks of `2^p` nodes become sorted ones.
    fn sort_blocks(&mut self, phase: usize, k: usize) {
        let mut dimensions: Vec<usize> = (0..phase).collect();
        if self.variant.highest_dimension_first {
            dimensions.reverse();
        }
        for dimension in dimensions {
            for low in (0..self.held.len()).filter(|node| node >> dimension & 1 == 0) {
                let high = low | 1 << dimension;
                let exchange = match self.descends(low, phase, k) {
                    true => self.is_before(low, high),
                    false => self.is_before(high, low),
                };
                if exchange {
                    self.held.swap(low, high);
                }
            }
        }
    }

    fn descends(&self, node: usize, phase: usize, k: usize) -> bool {
        self.variant.alternates && phase < k && node >> phase & 1 == 1
    }

    /// After phase `p` every block of `2^p` nodes is in order, and no message is behind an empty node.
    fn check_order(&self, phase: usize, k: usize) -> Result<(), Violation> {
        let in_order = |one: usize, two: usize| match (self.key(one), self.key(two)) {
            (Some(one), Some(two)) => one < two,
            (None, Some(_)) => false,
            _ => true,
        };
        for node in 0..self.held.len() - 1 {
            if (node + 1).is_multiple_of(1 << phase) {
                continue;
            }
            // Every other block the other way round, but for the last phase.
            let descends = phase < k && node >> phase & 1 == 1;
            let holds = match descends {
                true => in_order(node + 1, node),
                false => in_order(node, node + 1),
            };
            if !holds {
                return Err(Violation::NotInOrder { phase, node });
            }
        }
        Ok(())
    }

    /// Algorithm 1 backwards: from the nodes of the ranks to the destinations.
    fn unpack(&mut self, k: usize) -> Result<(), Violation> {
        let mut dimensions: Vec<usize> = (0..k).collect();
        if self.variant.unpacks_msb_first {
            dimensions.reverse();
        }
        for (stage, dimension) in (1..).zip(dimensions) {
            let mut after: Held = vec![None; self.held.len()];
            for (node, held) in self.held.iter().enumerate() {
                let Some(index) = *held else { continue };
                let destination = self.messages[index].destination;
                let next = node ^ ((node ^ destination) & 1 << dimension);
                if after[next].replace(index).is_some() {
                    return Err(Violation::TwoStored {
                        iteration: k - 1,
                        packing: "unpacking",
                        stage,
                        node: next,
                    });
                }
            }
            self.held = after;
        }
        Ok(())
    }

    fn check_delivered(&self, k: usize) -> Result<(), Violation> {
        for (node, held) in self.held.iter().enumerate() {
            let Some(index) = *held else { continue };
            let target = self.messages[index].destination;
            if node != target {
                return Err(Violation::NotAtTarget {
                    iteration: k - 1,
                    packing: "sort",
                    target,
                    node,
                });
            }
        }
        Ok(())
    }
}
