//! Which tree uses each link, where trees are to be edge-disjoint.
//!
//! What crossed a link is told by its bits: a packet is one of the message, and its number says of which tree it is. What the
//! receiving node calls it is not asked.

use std::collections::HashMap;

use crate::ports::message::Message;

/// The trees that links were used by.
pub struct Links {
    ports: usize,
    /// The tree of the packets with these words; none where there are such packets of several.
    known: HashMap<Vec<u64>, Option<usize>>,
    /// By node and port: the tree whose packets came across the link into the node, and one more; 0 if none did.
    used: Vec<u8>,
    shared: Option<(usize, usize)>,
}

impl Links {
    /// Of so many trees, and of nodes with so many ports.
    pub fn new(message: &Message, trees: usize, (nodes, ports): (usize, usize)) -> Self {
        let mut known = HashMap::new();
        for packet in 0..message.packets() {
            let words = (0..message.words_a_packet()).map(|word| message.word(packet, word));
            let tree = packet % trees;
            let of = known.entry(words.collect()).or_insert(Some(tree));
            if *of != Some(tree) {
                *of = None;
            }
        }
        Links {
            ports,
            known,
            used: vec![0; nodes * ports],
            shared: None,
        }
    }

    /// These words came to a node across a port.
    pub fn came(&mut self, node: usize, port: usize, words: &[u64]) {
        let Some(Some(tree)) = self.known.get(words) else {
            return;
        };
        let used = &mut self.used[node * self.ports + port];
        let now = *tree as u8 + 1;
        if *used != 0 && *used != now {
            self.shared.get_or_insert((node, port));
        }
        *used = now;
    }

    /// The first link, into a node across a port, that two trees shared.
    pub fn shared(&self) -> Option<(usize, usize)> {
        self.shared
    }
}

#[cfg(test)]
mod tests {
    use bitvec::vec::BitVec;

    use super::*;

    #[test]
    fn a_link_that_two_trees_use_is_found_by_what_crosses_it() {
        // Packets 0 to 3 of two bits: 00, 01, 10 and 00 again, of trees 0, 1, 0 and 1.
        let bits: BitVec<u64> = [0, 0, 0, 1, 1, 0, 0, 0]
            .iter()
            .map(|bit| *bit == 1)
            .collect();
        let message = Message::new(bits, 2);
        let mut links = Links::new(&message, 2, (4, 2));
        links.came(3, 1, &[0b01]);
        links.came(3, 1, &[0b01]);
        // Of either tree, and of none.
        links.came(3, 1, &[0b00]);
        links.came(3, 1, &[0b11]);
        links.came(3, 0, &[0b10]);
        assert_eq!(links.shared(), None);
        links.came(3, 1, &[0b10]);
        assert_eq!(links.shared(), Some((3, 1)));
    }
}
