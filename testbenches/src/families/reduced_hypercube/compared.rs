//! What was found against what is due.

use hosts::words::{Words, hexadecimal};

use crate::families::reduced_hypercube::hosts::Found;
use crate::families::reduced_hypercube::job::Due;
use crate::families::reduced_hypercube::operation::Operation;
use crate::families::reduced_hypercube::values::Whose;
use crate::lockstep::Compared;

/// Compares what nodes have with what is due.
pub fn compare(found: &Found, due: &Due, operation: Operation) -> Compared {
    let mut compared = Compared::default();
    let nodes = match due.whose {
        Whose::All => 0..found.words.nodes(),
        Whose::Of(node) => node..node + 1,
    };
    for node in nodes {
        let of_due = match due.whose {
            Whose::All => node,
            Whose::Of(_) => 0,
        };
        let is_right = found.valid[node] && found.words.of_node(node).eq(due.words.of_node(of_due));
        compared.add(is_right, || {
            let shown = |words: &Words, node: usize| {
                let words = words
                    .of_node(node)
                    .map(|word| hexadecimal(word, due.words.bits()));
                words.collect::<Vec<String>>().join(" ")
            };
            let what = operation.word();
            match found.valid[node] {
                false => format!("node {node} has no {what}"),
                true => format!(
                    "node {node} has {} in place of {}",
                    shown(&found.words, node),
                    shown(&due.words, of_due)
                ),
            }
        });
    }
    compared
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(words: &Words) -> Found {
        Found {
            words: words.clone(),
            valid: vec![true; words.nodes()],
        }
    }

    #[test]
    fn a_node_with_another_word_or_none_is_found() {
        let words = Words::drawn(4, 2, 8, 1);
        let due = Due {
            words: words.clone(),
            whose: Whose::All,
        };
        let right = compare(&found(&words), &due, Operation::Sort);
        assert_eq!((right.amount, right.right, right.first_fault), (4, 4, None));
        let mut wrong = found(&words);
        wrong.words.word_mut(5)[0] ^= 1;
        wrong.valid[3] = false;
        let wrong = compare(&wrong, &due, Operation::Sort);
        assert_eq!((wrong.amount, wrong.right), (4, 2));
        let fault = wrong.first_fault.unwrap();
        assert!(
            fault.starts_with("node 2 has ") && fault.contains(" in place of "),
            "{fault}"
        );
    }

    #[test]
    fn of_a_reduction_only_node_0_is_looked_at() {
        let words = Words::drawn(4, 1, 8, 1);
        let mut all = Words::zeros(1, 1, 8);
        all.word_mut(0)[0] = words.word(0)[0];
        let due = Due {
            words: all,
            whose: Whose::Of(0),
        };
        let compared = compare(&found(&words), &due, Operation::Reduce);
        assert_eq!((compared.amount, compared.right), (1, 1));
        let mut wrong = found(&words);
        wrong.valid[0] = false;
        let compared = compare(&wrong, &due, Operation::Reduce);
        assert_eq!(compared.first_fault.as_deref(), Some("node 0 has no word"));
    }
}
