//! Sets of nodes, a bit a node.

use crate::traffic::Nodes;

/// A set of nodes that knows how many of it are before a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeSet {
    /// Bit `x % 64` of word `x / 64`: node `x` is in it.
    words: Vec<u64>,
    /// Members before the first node of each word.
    before: Vec<u32>,
    count: usize,
}

impl NodeSet {
    /// The set of these nodes, in any order; a node may be named more than once.
    pub fn new(nodes: impl Into<Nodes>, members: impl IntoIterator<Item = usize>) -> Self {
        let mut words = vec![0; nodes.into().count().div_ceil(64)];
        for member in members {
            words[member / 64] |= 1_u64 << (member % 64);
        }
        Self::of_words(words)
    }

    /// The set that these words are: bit `x % 64` of word `x / 64` says whether node `x` is in it.
    pub(super) fn of_words(words: Vec<u64>) -> Self {
        let mut count = 0;
        let before = words
            .iter()
            .map(|word| {
                let before = count as u32;
                count += word.count_ones() as usize;
                before
            })
            .collect();
        NodeSet {
            words,
            before,
            count,
        }
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether nobody is in it.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether the node is in it; a node that the machine does not have is not.
    #[inline]
    pub fn contains(&self, node: usize) -> bool {
        self.words
            .get(node / 64)
            .is_some_and(|word| word >> (node % 64) & 1 == 1)
    }

    /// The first of `nodes` nodes that is not in it, if there is one.
    pub(super) fn first_other(&self, nodes: usize) -> Option<usize> {
        let word = self.words.iter().position(|word| *word != u64::MAX)?;
        let node = 64 * word + self.words[word].trailing_ones() as usize;
        (node < nodes).then_some(node)
    }

    /// Members before the node.
    #[inline]
    pub fn rank(&self, node: usize) -> usize {
        let below = self.words[node / 64] & !(u64::MAX << (node % 64));
        self.before[node / 64] as usize + below.count_ones() as usize
    }

    /// The member that so many are before, if there are more than that.
    pub fn at(&self, rank: usize) -> Option<usize> {
        if rank >= self.count {
            return None;
        }
        let word = self
            .before
            .partition_point(|&before| before as usize <= rank)
            - 1;
        let mut left = self.words[word];
        for _ in self.before[word] as usize..rank {
            left &= left - 1;
        }
        Some(64 * word + left.trailing_zeros() as usize)
    }

    /// The members, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            std::iter::successors(Some(word), |left| Some(left & left.wrapping_sub(1)))
                .take_while(|&left| left != 0)
                .map(move |left| 64 * index + left.trailing_zeros() as usize)
        })
    }

    /// Bytes that a set of so many nodes takes.
    pub fn bytes(nodes: usize) -> u64 {
        (size_of::<u64>() + size_of::<u32>()) as u64 * nodes.div_ceil(64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_its_members_in_order() {
        for count in [1, 63, 64, 65, 200] {
            let nodes = Nodes::new(count).unwrap();
            for every in [1, 2, 3, 64, 300] {
                let members: Vec<usize> = (0..count).filter(|node| node % every == 0).collect();
                let twice = members.iter().rev().chain(&members).copied();
                let set = NodeSet::new(nodes, twice);
                assert_eq!(set.iter().collect::<Vec<_>>(), members);
                assert_eq!((set.len(), set.is_empty()), (members.len(), false));
                for node in 0..count {
                    assert_eq!(set.contains(node), members.contains(&node));
                    assert_eq!(set.rank(node), members.partition_point(|one| *one < node));
                }
                assert!(!set.contains(count) && !set.contains(count + 64));
                let other = (0..count).find(|node| !members.contains(node));
                assert_eq!(set.first_other(count), other);
                for rank in 0..count + 1 {
                    assert_eq!(set.at(rank), members.get(rank).copied());
                }
                let arrays = (set.words.len(), set.before.len());
                assert_eq!(
                    NodeSet::bytes(count),
                    8 * arrays.0 as u64 + 4 * arrays.1 as u64
                );
            }
            let nobody = NodeSet::new(nodes, []);
            assert!(nobody.is_empty() && nobody.at(0).is_none() && nobody.iter().next().is_none());
        }
    }
}
