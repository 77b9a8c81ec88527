//! Who holds which message, and what every way to run Algorithm 2 does alike: step 1, and what must hold
//! after an iteration.

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::Message;

use crate::violation::Violation;

/// Messages, by node.
pub(super) struct Places<'a> {
    messages: &'a [Message],
    /// Indices of the messages at each node; the one that came last is the second.
    held: Vec<Vec<usize>>,
}

impl<'a> Places<'a> {
    /// Each message at its source.
    pub fn of(dimensions: Dimensions, messages: &'a [Message]) -> Self {
        let mut held = vec![Vec::new(); dimensions.nodes()];
        for (index, message) in messages.iter().enumerate() {
            held[message.source].push(index);
        }
        Places { messages, held }
    }

    /// The messages at a node.
    pub fn at(&self, node: usize) -> &[usize] {
        &self.held[node]
    }

    /// For each node its first message.
    pub fn first(&self) -> Vec<Option<usize>> {
        self.held.iter().map(|held| held.first().copied()).collect()
    }

    /// The most messages at any node.
    pub fn most_messages(&self) -> usize {
        self.held.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The second message of one node becomes the first of another.
    pub fn move_second(&mut self, two: usize, empty: usize) {
        let message = self.held[two].pop();
        self.held[empty].extend(message);
    }

    /// Messages, each with its new node, take the place of those before.
    pub fn replace(&mut self, moved: impl IntoIterator<Item = (usize, usize)>) {
        self.held.iter_mut().for_each(Vec::clear);
        for (message, node) in moved {
            self.held[node].push(message);
        }
    }

    /// Step 1: messages whose address bit differs from the node's cross, behind those that stay.
    pub fn cross(&mut self, iteration: usize) -> Result<(), Violation> {
        let mut after = vec![Vec::new(); self.held.len()];
        let crosses = |node: usize, message: usize| {
            (self.messages[message].destination ^ node) >> iteration & 1 == 1
        };
        for stay in [true, false] {
            for (node, held) in self.held.iter().enumerate() {
                for &message in held {
                    if stay != crosses(node, message) {
                        after[if stay { node } else { node ^ 1 << iteration }].push(message);
                    }
                }
            }
        }
        self.held = after;
        self.check_amounts(iteration, 2)
    }

    /// After an iteration: one message a node, every message in its destination's subcube.
    pub fn check(&self, iteration: usize) -> Result<(), Violation> {
        self.check_amounts(iteration, 1)?;
        for (node, held) in self.held.iter().enumerate() {
            for &message in held {
                let destination = self.messages[message].destination;
                if !(destination ^ node).is_multiple_of(2 << iteration) {
                    return Err(Violation::WrongSubcube {
                        iteration,
                        destination,
                        node,
                    });
                }
            }
        }
        Ok(())
    }

    fn check_amounts(&self, iteration: usize, most: usize) -> Result<(), Violation> {
        let node = self.held.iter().position(|held| held.len() > most);
        node.map_or(Ok(()), |node| {
            Err(Violation::TooMany {
                iteration,
                node,
                messages: self.held[node].len(),
            })
        })
    }
}
