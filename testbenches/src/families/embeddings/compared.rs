//! What arrived against what was sent.

use hosts::words::{Words, hexadecimal};
use rtl_model::embedding::paths::Embedding;

/// What arrived against what was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Messages that were sent,
    pub messages: usize,
    /// and of them those that arrived as they were sent.
    pub right: usize,
    /// What the first of the others is.
    pub first_fault: Option<String>,
}

impl Compared {
    /// Compares; `beyond` bits of packets that have nothing of a message are not 0.
    pub fn of(embedding: &Embedding, sent: &Words, (arrived, beyond): (&Words, usize)) -> Self {
        let mut compared = Compared::default();
        for (edge, (sent_word, word)) in sent.iter().zip(arrived.iter()).enumerate() {
            compared.messages += 1;
            compared.right += usize::from(sent_word == word);
            if sent_word != word && compared.first_fault.is_none() {
                let [from, to] = embedding.edge(edge).map(|vertex| embedding.place(vertex));
                compared.first_fault = Some(format!(
                    "of edge {edge}, from node {from} to node {to}, {} arrived in place of {}",
                    hexadecimal(word, sent.bits()),
                    hexadecimal(sent_word, sent.bits())
                ));
            }
        }
        if beyond > 0 && compared.first_fault.is_none() {
            compared.first_fault = Some(format!(
                "{beyond} bits of packets behind the end of their message are not 0"
            ));
        }
        compared
    }

    /// Whether all is as it was sent.
    pub fn is_all_right(&self) -> bool {
        self.first_fault.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtl_model::machine::topology::hypercube::Dimensions;

    #[test]
    fn what_differs_is_named() {
        let mut embedding = Embedding::new(Dimensions::new(1).unwrap(), vec![1, 0]);
        embedding.add_edge([0, 1], [[0]]);
        embedding.add_edge([1, 0], [[0]]);
        let sent = Words::drawn(2, 1, 9, 4);
        let right = Compared::of(&embedding, &sent, (&sent, 0));
        assert!(right.is_all_right() && right.right == 2);
        let mut arrived = sent.clone();
        let bit = arrived.bit(1, 8).unwrap();
        arrived.set_bit(1, 8, !bit);
        let compared = Compared::of(&embedding, &sent, (&arrived, 0));
        assert_eq!((compared.messages, compared.right), (2, 1));
        let fault = compared.first_fault.unwrap();
        assert!(
            fault.starts_with("of edge 1, from node 0 to node 1, "),
            "{fault}"
        );
        let beyond = Compared::of(&embedding, &sent, (&sent, 3));
        assert!(!beyond.is_all_right());
        assert_eq!(beyond.right, 2);
    }
}
