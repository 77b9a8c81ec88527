//! What arrived against what was sent.

use hosts::words::{Words, hexadecimal};
use rtl_model::embedding::paths::Embedding;

use crate::lockstep::Compared;

/// Compares what arrived with what was sent; `beyond` bits of packets that have nothing of a message are not 0.
pub fn compare(
    embedding: &Embedding,
    sent: &Words,
    (arrived, beyond): (&Words, usize),
) -> Compared {
    let mut compared = Compared::default();
    for (edge, (sent_word, word)) in sent.iter().zip(arrived.iter()).enumerate() {
        compared.add(sent_word == word, || {
            let [from, to] = embedding.edge(edge).map(|vertex| embedding.place(vertex));
            format!(
                "of edge {edge}, from node {from} to node {to}, {} arrived in place of {}",
                hexadecimal(word, sent.bits()),
                hexadecimal(sent_word, sent.bits())
            )
        });
    }
    if beyond > 0 {
        compared.fault(|| {
            format!("{beyond} bits of packets behind the end of their message are not 0")
        });
    }
    compared
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
        let right = compare(&embedding, &sent, (&sent, 0));
        assert!(right.first_fault.is_none() && right.right == 2);
        let mut arrived = sent.clone();
        let bit = arrived.bit(1, 8).unwrap();
        arrived.set_bit(1, 8, !bit);
        let compared = compare(&embedding, &sent, (&arrived, 0));
        assert_eq!((compared.amount, compared.right), (2, 1));
        let fault = compared.first_fault.unwrap();
        assert!(
            fault.starts_with("of edge 1, from node 0 to node 1, "),
            "{fault}"
        );
        let beyond = compare(&embedding, &sent, (&sent, 3));
        assert!(beyond.first_fault.is_some());
        assert_eq!(beyond.right, 2);
    }
}
