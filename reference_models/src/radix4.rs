//! Schedule `radix4` with whole messages: groups of one or two dimensions are crossed, then all messages of a
//! subcube are numbered and packed to the nodes of their numbers; the last dimensions are crossed greedily.
//! Nothing travels with a message that says where it is packed to: counts and offsets do
//! ([`packing`]). Its invariants are checked at every stage.
//!
//! [`Variant`] holds what could be done otherwise as choices, so that tests can plant each mistake and show
//! that it is caught; [`Composition`] is a choice too.

mod exchange;
pub mod packing;
#[cfg(test)]
mod tests;

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::Message;

use crate::radix4::exchange::{Exchange, Most};
use crate::radix4::packing::{Packing, Stage};
use crate::violation::Violation;

/// How the dimensions are shared out, from the lowest up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composition {
    /// Dimensions of each group: 2, or 1.
    pub groups: Vec<usize>,
    /// Dimensions that are crossed at the end, without packing.
    pub last: usize,
}

/// What the hardware does.
pub fn composition(k: usize, payload_bits: usize) -> Composition {
    let (groups, last) = match k {
        0..=4 => (Vec::new(), k),
        _ if k.is_multiple_of(2) => (vec![2; (k - 4) / 2], 4),
        _ if payload_bits < 2 => (vec![2; (k - 3) / 2], 3),
        _ => ([vec![2; (k - 5) / 2], vec![1]].concat(), 4),
    };
    Composition { groups, last }
}

/// How messages are numbered, counted and packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Messages that a wire can carry in a stage: 2. Nodes have room for twice as many.
    pub lanes: usize,
    /// The number of the first message: 0.
    pub first_rank: usize,
    /// Packing fixes the least significant bit of the rank first.
    pub packs_lsb_first: bool,
    /// Nodes without messages work out their offsets too.
    pub runs_empty_nodes: bool,
    /// A high node goes by its own offset to decide what crosses, not by that of the low node.
    pub crosses_by_own_offset: bool,
    /// A node gets the larger half of a pair's messages where the first of them is of its class.
    pub carries_into_count: bool,
    /// As it does of the low node's.
    pub carries_into_part: bool,
    /// A new list begins with what comes from the low node.
    pub low_part_first: bool,
    /// Of two messages that cross, the first of the list is the first received.
    pub lanes_in_order: bool,
}

impl Variant {
    /// What the hardware does.
    pub const CORRECT: Variant = Variant {
        lanes: 2,
        first_rank: 0,
        packs_lsb_first: true,
        runs_empty_nodes: true,
        crosses_by_own_offset: true,
        carries_into_count: true,
        carries_into_part: true,
        low_part_first: true,
        lanes_in_order: true,
    };
}

/// What happened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// After each group, and at the end: for each node the index of the message that it holds.
    pub after_group: Vec<Vec<Option<usize>>>,
    /// The most messages that a node ever held.
    pub most_messages: usize,
    /// For each dimension the most messages that a wire carried when they crossed it.
    pub crossing: Vec<usize>,
    /// The most messages that a wire carried in a stage of a packing.
    pub packing: usize,
}

impl Outcome {
    /// The most messages that a wire carried in a stage of any kind.
    pub fn most_crossing(&self) -> usize {
        (self.crossing.iter()).fold(self.packing, |most, crossing| most.max(*crossing))
    }
}

/// Routes `messages` (a partial permutation) with every invariant checked.
///
/// # Errors
/// The first [`Violation`].
pub fn route(
    dimensions: Dimensions,
    messages: &[Message],
    composition: &Composition,
    variant: Variant,
) -> Result<Outcome, Violation> {
    route_observed(dimensions, messages, composition, variant, &mut |_| ())
}

/// The same; `observe` is shown every packing before its first stage, and after each.
///
/// # Errors
/// The first [`Violation`].
pub fn route_observed(
    dimensions: Dimensions,
    messages: &[Message],
    composition: &Composition,
    variant: Variant,
    observe: &mut dyn FnMut(&Stage<'_>),
) -> Result<Outcome, Violation> {
    let k = dimensions.count();
    let covered = composition.groups.iter().sum::<usize>() + composition.last;
    if covered > k {
        return Err(Violation::NotCovered { covered, k });
    }
    let mut lists = vec![Vec::new(); dimensions.nodes()];
    for (index, message) in messages.iter().enumerate() {
        lists[message.source].push(index);
    }
    let mut model = Model {
        messages,
        lists,
        crossed: 0,
        outcome: Outcome::default(),
    };
    for (group, &size) in composition.groups.iter().enumerate() {
        for step in 0..size {
            model.cross(group, variant.most(step, usize::BITS as usize))?;
        }
        let packing = Packing::new(group, size, k, model.crossed, variant, model.lists);
        let (lists, most) = packing.pack(observe)?;
        model.lists = lists;
        model.outcome.packing = model.outcome.packing.max(most.crossing);
        model.outcome.most_messages = model.outcome.most_messages.max(most.stored);
        model.end_group();
    }
    for step in 0..composition.last {
        let most = variant.most(step, composition.last - 1 - step);
        model.cross(composition.groups.len(), most)?;
    }
    model.check_delivered()?;
    model.end_group();
    Ok(model.outcome)
}

impl Variant {
    /// What there may be where messages cross a dimension, `before` dimensions after each node held one
    /// message, and `after` dimensions before each does so again.
    fn most(self, before: usize, after: usize) -> Most {
        let power = |exponent: usize| 1usize.checked_shl(exponent as u32).unwrap_or(usize::MAX);
        Most {
            crossing: self.lanes.min(power(before)).min(power(after)),
            stored: (2 * self.lanes).min(power(before + 1)).min(power(after)),
        }
    }
}

struct Model<'a> {
    messages: &'a [Message],
    /// Indices of the messages at each node.
    lists: Vec<Vec<usize>>,
    /// Dimensions crossed so far.
    crossed: usize,
    outcome: Outcome,
}

impl Model<'_> {
    /// Messages whose address bit differs from the node's cross, and go behind those that stay.
    fn cross(&mut self, group: usize, most: Most) -> Result<(), Violation> {
        let dimension = self.crossed;
        let exchange = Exchange::new(&self.lists, dimension, |node, item| {
            let message = self.lists[node][item];
            (self.messages[message].destination ^ node) >> dimension & 1 == 1
        });
        exchange.check(group, most)?;
        let found = exchange.most();
        self.lists = exchange.merged(|_| true);
        self.crossed += 1;
        self.outcome.crossing.push(found.crossing);
        self.outcome.most_messages = self.outcome.most_messages.max(found.stored);
        Ok(())
    }

    fn end_group(&mut self) {
        let first = self.lists.iter().map(|list| list.first().copied());
        self.outcome.after_group.push(first.collect());
    }

    fn check_delivered(&self) -> Result<(), Violation> {
        for (node, list) in self.lists.iter().enumerate() {
            for &message in list {
                let destination = self.messages[message].destination;
                if destination != node {
                    return Err(Violation::NotDelivered { destination, node });
                }
            }
        }
        Ok(())
    }
}
