//! A radix sort with whole messages: Kuszmaul 1990, section VI, as [`rtl_model::routers::sorting::radix`] has it. No two
//! messages may be at one node after any stage, and what the sort leaves must be in order.
//!
//! [`Variant`] holds what could be done otherwise as choices, so that tests can plant each mistake and show
//! that it is caught.

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::Message;

use crate::sorting::Held;
use crate::violation::Violation;

/// How a radix sort is done, and what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Keys are those of the reflected code, as every pass turns its ones round.
    pub reflected: bool,
    /// What is no zero goes to the top, in reverse order; if not, behind the zeros.
    pub turns_round: bool,
    /// Empty nodes count as what is no zero.
    pub counts_empties: bool,
    /// One more pass closes the gaps, and messages go from the nodes of their ranks to their destinations.
    pub unpacks: bool,
    /// The gaps are closed before that.
    pub compacts: bool,
    /// A packing fixes the least significant bit first, the unpacking the most significant one.
    pub packs_lsb_first: bool,
}

impl Variant {
    /// What the hardware does on schedule `sort-and-unpack`.
    pub const CORRECT: Variant = Variant {
        reflected: true,
        turns_round: true,
        counts_empties: true,
        unpacks: true,
        compacts: true,
        packs_lsb_first: true,
    };
    /// What it does on schedule `sort`.
    pub const SORT: Variant = Variant {
        unpacks: false,
        compacts: false,
        ..Variant::CORRECT
    };
}

/// Routes `messages` (a partial permutation; without unpacking a full one) with every invariant checked: what
/// nodes hold after each pass, that is, after the last one and the unpacking.
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
        k,
        messages,
        variant,
        held: vec![None; dimensions.nodes()],
    };
    for (index, message) in messages.iter().enumerate() {
        model.held[message.source] = Some(index);
    }
    let mut after_pass = Vec::new();
    let passes = k + usize::from(variant.compacts);
    for pass in 0..passes {
        let targets = model.targets(pass);
        model.carry(pass, "packing", variant.packs_lsb_first, |node, _| {
            targets[node]
        })?;
        if pass + 1 == k {
            model.check_order(pass)?;
        }
        if pass + 1 == passes && variant.unpacks {
            let to = |_, message: &Message| message.destination;
            model.carry(pass, "unpacking", !variant.packs_lsb_first, to)?;
        }
        after_pass.push(model.held.clone());
    }
    for (node, held) in model.held.iter().enumerate() {
        let target = held.map(|index| messages[index].destination);
        if let Some(target) = target.filter(|target| *target != node) {
            return Err(Violation::NotAtTarget {
                iteration: passes - 1,
                packing: "sort",
                target,
                node,
            });
        }
    }
    Ok(after_pass)
}

struct Model<'a> {
    k: usize,
    messages: &'a [Message],
    variant: Variant,
    held: Held,
}

impl Model<'_> {
    fn is_zero(&self, pass: usize, message: &Message) -> bool {
        let destination = message.destination;
        let key = match self.variant.reflected {
            true => destination ^ destination >> 1,
            false => destination,
        };
        key >> pass & 1 == 0
    }

    /// Where each node sends what it holds.
    fn targets(&self, pass: usize) -> Vec<usize> {
        let last = self.held.len() - 1;
        let kinds: Vec<Option<bool>> = (self.held.iter())
            .map(|held| held.map(|index| self.is_zero(pass, &self.messages[index])))
            .collect();
        let zeros = kinds.iter().filter(|kind| **kind == Some(true)).count();
        let (mut zeros_before, mut others_before) = (0, 0);
        kinds
            .into_iter()
            .map(|kind| match kind {
                Some(true) => {
                    zeros_before += 1;
                    zeros_before - 1
                }
                None if !self.variant.counts_empties => 0,
                _ => {
                    others_before += 1;
                    match self.variant.turns_round {
                        true => last + 1 - others_before,
                        false => zeros + others_before - 1,
                    }
                }
            })
            .collect()
    }

    /// Messages go to their targets, a dimension after the other.
    fn carry(
        &mut self,
        iteration: usize,
        packing: &'static str,
        lsb_first: bool,
        target: impl Fn(usize, &Message) -> usize,
    ) -> Result<(), Violation> {
        let mut moving: Vec<(usize, usize, usize)> = Vec::new();
        for (node, held) in self.held.iter().enumerate() {
            if let Some(index) = *held {
                moving.push((index, node, target(node, &self.messages[index])));
            }
        }
        let mut dimensions: Vec<usize> = (0..self.k).collect();
        if !lsb_first {
            dimensions.reverse();
        }
        for (stage, dimension) in (1..).zip(dimensions) {
            let mut stored: Held = vec![None; self.held.len()];
            for (index, node, target) in &mut moving {
                *node ^= (*node ^ *target) & 1 << dimension;
                if stored[*node].replace(*index).is_some() {
                    return Err(Violation::TwoStored {
                        iteration,
                        packing,
                        stage,
                        node: *node,
                    });
                }
            }
            self.held = stored;
        }
        Ok(())
    }

    /// Once all keys are used: messages by destination, whatever is between them.
    fn check_order(&self, pass: usize) -> Result<(), Violation> {
        let mut before = None;
        for (node, held) in self.held.iter().enumerate() {
            let Some(index) = *held else { continue };
            let destination = self.messages[index].destination;
            if before > Some(destination) {
                return Err(Violation::OutOfOrder { pass, node });
            }
            before = Some(destination);
        }
        Ok(())
    }
}
