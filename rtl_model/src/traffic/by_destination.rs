//! Messages by the node that they are for.

use crate::traffic::{Message, Nodes};

/// For each node, the indices of the messages that are for it: of a partial permutation at most one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByDestination {
    /// Where the indices of each node begin, and at the end how many there are.
    begins: Vec<u32>,
    indices: Vec<u32>,
}

impl ByDestination {
    /// Of messages all of whose destinations are among `nodes`.
    pub(super) fn new(nodes: Nodes, messages: &[Message]) -> Self {
        let mut begins = vec![0; nodes.count() + 1];
        for message in messages {
            begins[message.destination + 1] += 1;
        }
        for node in 0..nodes.count() {
            begins[node + 1] += begins[node];
        }
        let mut free = begins.clone();
        let mut indices = vec![0; messages.len()];
        for (index, message) in messages.iter().enumerate() {
            let place = &mut free[message.destination];
            indices[*place as usize] = index as u32;
            *place += 1;
        }
        ByDestination { begins, indices }
    }

    /// Indices of the messages that are for `node`, in ascending order.
    pub fn at(&self, node: usize) -> &[u32] {
        &self.indices[self.begins[node] as usize..self.begins[node + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_routing_of_four_nodes_is_taken_apart() {
        let nodes = Nodes::new(4).unwrap();
        for routing in 0..4_usize.pow(4) {
            let messages: Vec<Message> = (0..4)
                .map(|source| Message {
                    source,
                    destination: routing >> (2 * source) & 3,
                })
                .collect();
            let by_destination = ByDestination::new(nodes, &messages);
            for node in 0..4 {
                let expected: Vec<u32> = (0..4)
                    .filter(|&index| messages[index as usize].destination == node)
                    .collect();
                assert_eq!(by_destination.at(node), expected);
            }
        }
    }
}
