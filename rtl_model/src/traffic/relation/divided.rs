//! Relations divided into traffic of at most one message a node.

use crate::error::Error;
use crate::traffic::relation::{Relation, colouring};
use crate::traffic::{Message, NodeSet, Payloads, Traffic};

impl Relation {
    /// Slot by slot: the `s`-th message of each node that has one is in the `s`-th of `h` traffics, of which the last may
    /// be empty. Any number of a slot's messages may be for one node; [`Relation::check`] says whether a node receives
    /// more than `h` of all of them. Payloads go along.
    ///
    /// # Errors
    /// That a node sends more than `h` messages.
    pub fn by_source(&self, h: usize) -> Result<Vec<Traffic>, Error> {
        self.check_end(true, h)?;
        let mut slots = vec![Vec::new(); h];
        let mut index = 0;
        let same_source = |one: &Message, two: &Message| one.source == two.source;
        for of_source in self.messages.chunk_by(same_source) {
            for slot in &mut slots[..of_source.len()] {
                slot.push(index);
                index += 1;
            }
        }
        Ok(slots.iter().map(|slot| self.part(slot)).collect())
    }

    /// As many partial permutations as the [`degree`](Relation::degree) is, and it could not be fewer: each message is
    /// in one, with its payload. They are the colours of an edge colouring of the bipartite graph in which each message
    /// joins its source and its destination.
    pub fn matchings(&self) -> Vec<Traffic> {
        let mut matchings = vec![Vec::new(); self.degree()];
        for (index, colour) in colouring::colours(&self.messages).into_iter().enumerate() {
            matchings[colour].push(index);
        }
        let matchings = matchings.iter();
        matchings.map(|matching| self.part(matching)).collect()
    }

    /// The messages of these indices, which are in ascending order, and no two of which are from one node.
    fn part(&self, indices: &[usize]) -> Traffic {
        let messages = indices.iter().map(|&index| self.messages[index]);
        let sources = NodeSet::new(self.nodes, messages.clone().map(|one| one.source));
        let ends = NodeSet::new(self.nodes, messages.clone().map(|one| one.destination));
        let mut payloads = Payloads::zeros(self.payload_bits(), indices.len());
        for (place, &index) in indices.iter().enumerate() {
            for from in (0..self.payload_bits()).step_by(64) {
                payloads.set_chunk(place, from, self.payloads.chunk(index, from));
            }
        }
        Traffic {
            nodes: self.nodes,
            sources,
            destinations: messages.map(|one| one.destination as u32).collect(),
            payloads,
            one_to_each: ends.len() == indices.len(),
            labelled: self.labelled,
        }
    }
}
