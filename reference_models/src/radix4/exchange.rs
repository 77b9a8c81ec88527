//! What neighbours exchange over one dimension, and what they may.

use crate::violation::Violation;

/// How many messages there are, or may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Most {
    /// On a wire, in a stage.
    pub crossing: usize,
    /// At a node, after it.
    pub stored: usize,
}

/// What all nodes keep, and what they send over one dimension, in the order of their lists.
pub(super) struct Exchange {
    dimension: usize,
    pub kept: Vec<Vec<usize>>,
    pub sent: Vec<Vec<usize>>,
}

impl Exchange {
    /// `crosses(node, item)` says what is sent.
    pub fn new(
        lists: &[Vec<usize>],
        dimension: usize,
        crosses: impl Fn(usize, usize) -> bool,
    ) -> Exchange {
        let mut kept = vec![Vec::new(); lists.len()];
        let mut sent = kept.clone();
        for (node, list) in lists.iter().enumerate() {
            for (item, &message) in list.iter().enumerate() {
                let to = match crosses(node, item) {
                    true => &mut sent,
                    false => &mut kept,
                };
                to[node].push(message);
            }
        }
        Exchange {
            dimension,
            kept,
            sent,
        }
    }

    pub fn received(&self, node: usize) -> &[usize] {
        &self.sent[node ^ 1 << self.dimension]
    }

    fn stored(&self, node: usize) -> usize {
        self.kept[node].len() + self.received(node).len()
    }

    pub fn most(&self) -> Most {
        Most {
            crossing: self.sent.iter().map(Vec::len).max().unwrap_or(0),
            stored: (0..self.kept.len())
                .map(|node| self.stored(node))
                .max()
                .unwrap_or(0),
        }
    }

    pub fn check(&self, group: usize, most: Most) -> Result<(), Violation> {
        let dimension = self.dimension;
        for node in 0..self.kept.len() {
            let messages = self.sent[node].len();
            if messages > most.crossing {
                return Err(Violation::TooManyCross {
                    group,
                    dimension,
                    node,
                    messages,
                    most: most.crossing,
                });
            }
            let messages = self.stored(node);
            if messages > most.stored {
                return Err(Violation::TooManyStored {
                    group,
                    dimension,
                    node,
                    messages,
                    most: most.stored,
                });
            }
        }
        Ok(())
    }

    /// The new lists.
    pub fn merged(&self, kept_first: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
        (0..self.kept.len())
            .map(|node| match kept_first(node) {
                true => [&self.kept[node], self.received(node)].concat(),
                false => [self.received(node), &self.kept[node]].concat(),
            })
            .collect()
    }
}
