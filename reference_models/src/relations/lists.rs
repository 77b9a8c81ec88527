//! Who holds which message in which slot.

use rtl_model::machine::topology::hypercube::Dimensions;

use super::Listed;
use super::violation::Violation;

/// A list of `H` slots at each node.
pub(super) struct Lists<'a> {
    h: usize,
    messages: &'a [Listed],
    /// By node and slot, the index of the message there.
    slots: Vec<Vec<Option<usize>>>,
}

impl<'a> Lists<'a> {
    /// Each message in its slot at its source.
    pub fn of(dimensions: Dimensions, h: usize, messages: &'a [Listed]) -> Result<Self, Violation> {
        let nodes = dimensions.nodes();
        let mut slots = vec![vec![None; h]; nodes];
        let mut received = vec![0; nodes];
        for (index, listed) in messages.iter().enumerate() {
            let (source, destination) = (listed.message.source, listed.message.destination);
            if let Some(&node) = [source, destination].iter().find(|node| **node >= nodes) {
                return Err(Violation::NoSuchNode { node, nodes });
            }
            let Some(place) = slots[source].get_mut(listed.slot) else {
                let slot = listed.slot;
                return Err(Violation::NoSuchSlot {
                    node: source,
                    slot,
                    h,
                });
            };
            if place.replace(index).is_some() {
                let slot = listed.slot;
                return Err(Violation::SlotTaken { node: source, slot });
            }
            received[destination] += 1;
        }
        match received.iter().position(|&count| count > h) {
            Some(node) => Err(Violation::TooManyFor {
                node,
                count: received[node],
                h,
            }),
            None => Ok(Lists { h, messages, slots }),
        }
    }

    /// Lists of as many slots, all empty.
    pub fn emptied(&self) -> Self {
        Lists {
            slots: vec![vec![None; self.h]; self.slots.len()],
            ..*self
        }
    }

    /// What each node holds in that slot: node, message and destination.
    pub fn in_slot(&self, slot: usize) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let nodes = self.slots.iter().enumerate();
        nodes.filter_map(move |(node, slots)| {
            let message = slots[slot]?;
            Some((node, message, self.messages[message].message.destination))
        })
    }

    /// Puts a message into the next free slot of a node.
    pub fn append(
        &mut self,
        (iteration, pass): (usize, usize),
        node: usize,
        message: usize,
    ) -> Result<(), Violation> {
        match self.slots[node].iter_mut().find(|slot| slot.is_none()) {
            Some(slot) => {
                *slot = Some(message);
                Ok(())
            }
            None => Err(Violation::ListFull {
                iteration,
                pass,
                node,
                h: self.h,
            }),
        }
    }

    /// After an iteration: every message is in its destination's subcube, and none is lost or doubled.
    pub fn check(&self, iteration: usize) -> Result<(), Violation> {
        let mut held = vec![0; self.messages.len()];
        for (node, slots) in self.slots.iter().enumerate() {
            for &message in slots.iter().flatten() {
                held[message] += 1;
                let destination = self.messages[message].message.destination;
                if !(destination ^ node).is_multiple_of(2 << iteration) {
                    return Err(Violation::WrongSubcube {
                        iteration,
                        destination,
                        node,
                    });
                }
            }
        }
        match held.iter().position(|&count| count != 1) {
            Some(message) => Err(Violation::Held {
                iteration,
                message,
                times: held[message],
            }),
            None => Ok(()),
        }
    }

    /// The most messages at any node.
    pub fn most_messages(&self) -> usize {
        let held = self.slots.iter();
        held.map(|slots| slots.iter().flatten().count())
            .max()
            .unwrap_or(0)
    }

    /// All slots.
    pub fn slots(&self) -> Vec<Vec<Option<usize>>> {
        self.slots.clone()
    }
}
