//! Where each key of a sort is. A node that has handed a key over still has it in its registers: of all that have it the key is at
//! the one at which it is needed next. So every key is somewhere once, and at the end where its rank says.

use ::hosts::words::{Words, hexadecimal};

use super::Row;
use crate::families::reduced_hypercube::operators::compare;

/// The keys of a sort.
pub(super) struct Keys<'a> {
    words: &'a Words,
    /// By rank, the first of them 0; several may be equal.
    in_order: Vec<&'a [u64]>,
}

impl<'a> Keys<'a> {
    /// These words, node by node.
    pub fn of(words: &'a Words) -> Self {
        let mut in_order: Vec<&[u64]> = words.iter().collect();
        in_order.sort_by(|one, other| compare(one, other));
        Keys { words, in_order }
    }

    /// A key and its rank: `42: 2 of 8`.
    pub fn told(&self, rank: usize) -> String {
        let word = hexadecimal(self.in_order[rank], self.words.bits());
        // Equal keys have the rank of the first of them.
        let first = self.first_of(self.in_order[rank]);
        format!("{word}: {} of {}", first + 1, self.in_order.len())
    }

    fn first_of(&self, key: &[u64]) -> usize {
        let in_order = &self.in_order;
        in_order.partition_point(|one| compare(one, key).is_lt())
    }

    /// By row and node, the ranks of the keys that are there, in the order of a node's slots.
    pub fn lives(&self, rows: &[Row]) -> Vec<Vec<Vec<usize>>> {
        let per_node = self.words.per_node();
        // By rank, the node that it is at: in the end its own, and before that the one that it comes from.
        let mut at: Vec<usize> = (0..self.in_order.len())
            .map(|rank| rank / per_node)
            .collect();
        let back = |(_, of_nodes): &Row| {
            let slot_of = |rank: usize, node: usize| {
                let key = self.in_order[rank];
                of_nodes[node]
                    .iter()
                    .position(|slot| slot.as_slice() == key)
            };
            let mut here: Vec<Vec<usize>> = vec![Vec::new(); of_nodes.len()];
            for (rank, at) in at.iter_mut().enumerate() {
                if slot_of(rank, *at).is_none() {
                    let mut nodes = 0..of_nodes.len();
                    *at = nodes
                        .find(|node| slot_of(rank, *node).is_some())
                        .unwrap_or(*at);
                }
                here[*at].push(rank);
            }
            for (node, ranks) in here.iter_mut().enumerate() {
                ranks.sort_by_key(|rank| slot_of(*rank, node));
            }
            here
        };
        let mut lives: Vec<Vec<Vec<usize>>> = rows.iter().rev().map(back).collect();
        lives.reverse();
        lives
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of 8 bits, one a node.
    fn words(keys: [u64; 2]) -> Words {
        let mut words = Words::zeros(2, 1, 8);
        for (node, key) in keys.into_iter().enumerate() {
            words.fill(node, || key);
        }
        words
    }

    /// Rows in which nodes have these numbers in two slots.
    fn rows(rows: &[[[u64; 2]; 2]]) -> Vec<Row> {
        let of_nodes = |nodes: &[[u64; 2]; 2]| {
            let slots = |slots: &[u64; 2]| slots.iter().map(|slot| vec![*slot]).collect();
            nodes.iter().map(slots).collect()
        };
        rows.iter().map(|row| (0, of_nodes(row))).collect()
    }

    /// Node 1 hands its key to node 0, which gives another one back: every key is somewhere once.
    #[test]
    fn a_key_is_where_it_is_needed_next() {
        let words = words([9, 4]);
        let keys = Keys::of(&words);
        let lives = keys.lives(&rows(&[
            [[9, 0], [4, 0]],
            [[9, 4], [4, 0]],
            [[4, 9], [4, 0]],
            [[4, 9], [9, 0]],
        ]));
        assert_eq!(lives[0], [vec![1], vec![0]]);
        assert_eq!(lives[1], [vec![1, 0], vec![]]);
        assert_eq!(lives[2], [vec![0, 1], vec![]]);
        assert_eq!(lives[3], [vec![0], vec![1]]);
        assert_eq!(keys.told(1), "09: 2 of 2");
    }

    #[test]
    fn equal_keys_have_the_same_rank() {
        let words = words([4, 4]);
        let keys = Keys::of(&words);
        assert_eq!([0, 1].map(|rank| keys.told(rank)), ["04: 1 of 2"; 2]);
        let lives = keys.lives(&rows(&[[[4, 0], [4, 0]]]));
        assert_eq!(lives[0].iter().flatten().count(), 2, "{lives:?}");
    }
}
