//! What the nodes are to end up with: worked out from all words at once, one after the other.

use hosts::words::Words;
use rtl_model::routers::reduced_hypercube::operator::Operator;

use crate::families::reduced_hypercube::operators::{combine_into, compare};

/// The combination of all words, in the order of nodes.
pub fn reduced(words: &Words, operator: Operator) -> Words {
    let mut all = Words::zeros(1, 1, words.bits());
    let last = words.nodes() - 1;
    all.word_mut(0).copy_from_slice(words.word(last));
    // From the last one on: what is combined stands on the right.
    for number in (0..last).rev() {
        combine_into(operator, words.word(number), all.word_mut(0), words.bits());
    }
    all
}

/// Of every node, its word and all before it.
pub fn prefixes(words: &Words, operator: Operator) -> Words {
    let mut prefixes = words.clone();
    for number in 1..words.nodes() {
        let before = prefixes.word(number - 1).to_vec();
        combine_into(operator, &before, prefixes.word_mut(number), words.bits());
    }
    prefixes
}

/// All words in ascending order, as many at each node as there were.
pub fn sorted(words: &Words) -> Words {
    let mut order: Vec<&[u64]> = words.iter().collect();
    order.sort_unstable_by(|one, other| compare(one, other));
    let mut sorted = Words::zeros(words.nodes(), words.per_node(), words.bits());
    for (number, word) in order.into_iter().enumerate() {
        sorted.word_mut(number).copy_from_slice(word);
    }
    sorted
}

/// One node's word, at all nodes.
pub fn everywhere(words: &Words, source: usize) -> Words {
    let mut everywhere = Words::zeros(words.nodes(), 1, words.bits());
    for node in 0..words.nodes() {
        everywhere
            .word_mut(node)
            .copy_from_slice(words.word(source));
    }
    everywhere
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_end_with_the_reduction_and_begin_with_the_first_word() {
        for operator in Operator::ALL {
            let words = Words::drawn(32, 1, 12, 3);
            let prefixes = prefixes(&words, operator);
            assert_eq!(prefixes.word(31), reduced(&words, operator).word(0));
            assert_eq!(prefixes.word(0), words.word(0));
        }
    }

    #[test]
    fn sorted_words_are_the_same_words_in_order() {
        let words = Words::drawn(16, 3, 4, 3);
        let sorted = sorted(&words);
        assert!(sorted.iter().is_sorted());
        let count =
            |words: &Words, value: u64| words.iter().filter(|word| word[0] == value).count();
        assert!((0..16).all(|value| count(&words, value) == count(&sorted, value)));
        let everywhere = everywhere(&Words::drawn(8, 1, 4, 3), 5);
        assert!(everywhere.iter().all(|word| word == everywhere.word(5)));
    }
}
