//! Where each key of a sort is. A node that has handed a key over still has it in its registers: of all that have it the key is at
//! the one at which it is needed next. So every key is somewhere once, and at the end where its rank says.
//!
//! ```text
//!   way            all->SB0 | SB0<>BB0 | SB0->SB1 | ... | SB0->all
//!   keys are at      all    |   SB0    |   SB0    | SB1 ...   | all      nodes of a sub-block, once keys have gone there
//! ```

use ::hosts::words::{Words, hexadecimal};

use rtl_model::machine::topology::Topology;

use super::RowBegin;
use crate::families::reduced_hypercube::operators::compare;

/// The keys of a sort.
pub(super) struct Keys<'a> {
    words: &'a Words,
    /// By rank, the first of them 0; several may be equal.
    in_order: Vec<&'a [u64]>,
    /// By node, the number of its sub-block, where nodes have one.
    sub_blocks: Vec<Option<usize>>,
}

impl<'a> Keys<'a> {
    /// These words, node by node.
    pub fn of(words: &'a Words, topology: &dyn Topology) -> Self {
        let mut in_order: Vec<&[u64]> = words.iter().collect();
        in_order.sort_by(|one, other| compare(one, other));
        let sub_block = |node: usize| topology.node_name(node).split('_').nth(1)?.parse().ok();
        Keys {
            words,
            in_order,
            sub_blocks: (0..topology.nodes()).map(sub_block).collect(),
        }
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
    pub fn lives(&self, rows: &[RowBegin]) -> Vec<Vec<Vec<usize>>> {
        let per_node = self.words.per_node();
        // By rank, the node that it is at: in the end its own, and before that the one that it comes from.
        let mut at: Vec<usize> = (0..self.in_order.len())
            .map(|rank| rank / per_node)
            .collect();
        let back = |(row, sub_block): (&RowBegin, &Option<usize>)| {
            let slot_of = |rank: usize, node: usize| {
                let slots = &row.of_nodes[node];
                let key = self.in_order[rank];
                slots.iter().position(|slot| slot.as_slice() == key)
            };
            let is_there = |node: usize| sub_block.is_none() || self.sub_blocks[node] == *sub_block;
            let mut here: Vec<Vec<usize>> = vec![Vec::new(); row.of_nodes.len()];
            for (rank, at) in at.iter_mut().enumerate() {
                let has = |node: &usize| slot_of(rank, *node).is_some();
                if !(has(at) && is_there(*at)) {
                    let nodes = || (0..row.of_nodes.len()).filter(has);
                    let there = nodes().find(|node| is_there(*node));
                    *at = there.or_else(|| nodes().next()).unwrap_or(*at);
                }
                here[*at].push(rank);
            }
            for (node, ranks) in here.iter_mut().enumerate() {
                ranks.sort_by_key(|rank| slot_of(*rank, node));
            }
            here
        };
        let sub_blocks = sub_blocks(rows);
        let rows = rows.iter().zip(&sub_blocks);
        let mut lives: Vec<Vec<Vec<usize>>> = rows.rev().map(back).collect();
        lives.reverse();
        lives
    }
}

/// By row, the sub-block at whose nodes keys are when it begins; none where they are at all nodes.
fn sub_blocks(rows: &[RowBegin]) -> Vec<Option<usize>> {
    let mut at = None;
    let each = rows.iter().map(|row| {
        let to = row
            .way
            .rsplit_once("->")
            .map_or(row.way.as_str(), |(_, to)| to);
        let digits = to.strip_prefix("SB").map(|sub_block| {
            let end = sub_block.find(|one: char| !one.is_ascii_digit());
            &sub_block[..end.unwrap_or(sub_block.len())]
        });
        let after = match to {
            "" => at,
            _ => digits.and_then(|digits| digits.parse().ok()),
        };
        std::mem::replace(&mut at, after)
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use rtl_model::machine::topology::hypercube::Dimensions;

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
    fn rows(rows: &[(&str, [[u64; 2]; 2])]) -> Vec<RowBegin> {
        let slots = |slots: &[u64; 2]| slots.iter().map(|slot| vec![*slot]).collect();
        let row = |(way, of_nodes): &(&str, [[u64; 2]; 2])| RowBegin {
            bit_time: 0,
            way: (*way).to_owned(),
            of_nodes: of_nodes.iter().map(slots).collect(),
        };
        rows.iter().map(row).collect()
    }

    fn keys(words: &Words) -> Keys<'_> {
        Keys {
            sub_blocks: vec![Some(0), Some(1)],
            ..Keys::of(words, &Dimensions::new(1).unwrap())
        }
    }

    /// Node 1 hands its key to node 0, which gives another one back: every key is somewhere once.
    #[test]
    fn a_key_is_where_it_is_needed_next() {
        let words = words([9, 4]);
        let keys = keys(&words);
        let lives = keys.lives(&rows(&[
            ("all->SB0", [[9, 0], [4, 0]]),
            ("", [[9, 4], [4, 0]]),
            ("SB0->all", [[4, 9], [4, 0]]),
            ("", [[4, 9], [9, 0]]),
        ]));
        assert_eq!(lives[0], [vec![1], vec![0]]);
        assert_eq!(lives[1], [vec![1, 0], vec![]]);
        assert_eq!(lives[2], [vec![0, 1], vec![]]);
        assert_eq!(lives[3], [vec![0], vec![1]]);
        assert_eq!(keys.told(1), "09: 2 of 2");
    }

    /// Both go to node 1 and back, which leaves node 0 as it was.
    #[test]
    fn a_key_is_in_the_sub_block_to_which_keys_have_gone() {
        let words = words([4, 9]);
        let keys = keys(&words);
        let both = [[4, 9], [4, 9]];
        let rows = rows(&[
            ("all->SB0", [[4, 0], [9, 0]]),
            ("SB0->SB1", [[4, 9], [9, 0]]),
            ("SB1<>BB1", both),
            ("SB1->SB0", both),
            ("", both),
        ]);
        let places = keys.lives(&rows);
        let at = places.iter().map(|nodes| nodes[1].as_slice());
        assert_eq!(
            at.collect::<Vec<_>>(),
            [&[1][..], &[], &[0, 1], &[0, 1], &[]]
        );
        assert_eq!(
            sub_blocks(&rows),
            [None, Some(0), Some(1), Some(1), Some(0)]
        );
    }

    #[test]
    fn equal_keys_have_the_same_rank() {
        let words = words([4, 4]);
        let keys = keys(&words);
        assert_eq!([0, 1].map(|rank| keys.told(rank)), ["04: 1 of 2"; 2]);
        let lives = keys.lives(&rows(&[("", [[4, 0], [4, 0]])]));
        assert_eq!(lives[0].iter().flatten().count(), 2, "{lives:?}");
    }
}
