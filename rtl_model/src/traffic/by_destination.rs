//! Messages by the node that they are for.

use crate::traffic::Nodes;

/// For each node, the indices of the messages that are for it: of a partial permutation at most
/// one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByDestination(By);

#[derive(Clone, Debug, PartialEq, Eq)]
enum By {
    /// By node; [`NONE`] where there is none.
    AtMostOne(Vec<u32>),
    Any {
        /// Where the indices of each node begin, and at the end how many there are.
        begins: Vec<u32>,
        indices: Vec<u32>,
    },
}

const NONE: u32 = u32::MAX;

impl ByDestination {
    /// Of messages with these destinations, all of which are among `nodes`.
    pub(super) fn new(nodes: Nodes, destinations: &[u32]) -> Self {
        let mut only = vec![NONE; nodes.count()];
        for (index, &destination) in destinations.iter().enumerate() {
            let only_here = &mut only[destination as usize];
            if *only_here != NONE {
                drop(only);
                return ByDestination(Self::several(nodes, destinations));
            }
            *only_here = index as u32;
        }
        ByDestination(By::AtMostOne(only))
    }

    fn several(nodes: Nodes, destinations: &[u32]) -> By {
        let mut begins = vec![0; nodes.count() + 1];
        for &destination in destinations {
            begins[destination as usize + 1] += 1;
        }
        for node in 0..nodes.count() {
            begins[node + 1] += begins[node];
        }
        let mut free = begins.clone();
        let mut indices = vec![0; destinations.len()];
        for (index, &destination) in destinations.iter().enumerate() {
            let place = &mut free[destination as usize];
            indices[*place as usize] = index as u32;
            *place += 1;
        }
        By::Any { begins, indices }
    }

    /// Indices of the messages that are for `node`, in ascending order.
    pub fn at(&self, node: usize) -> &[u32] {
        match &self.0 {
            By::AtMostOne(only) => match &only[node] {
                &NONE => &[],
                index => std::slice::from_ref(index),
            },
            By::Any { begins, indices } => {
                &indices[begins[node] as usize..begins[node + 1] as usize]
            }
        }
    }

    /// Bytes that this takes of a partial permutation.
    pub fn bytes(nodes: impl Into<Nodes>) -> u64 {
        (size_of::<u32>() * nodes.into().count()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_routing_of_four_nodes_is_taken_apart() {
        let nodes = Nodes::new(4).unwrap();
        for routing in 0..4_usize.pow(4) {
            let destinations = [0, 2, 4, 6].map(|bit| (routing >> bit & 3) as u32);
            let by_destination = ByDestination::new(nodes, &destinations);
            for node in 0..4 {
                let expected: Vec<u32> = (0..4)
                    .filter(|&index| destinations[index as usize] as usize == node)
                    .collect();
                assert_eq!(by_destination.at(node), expected);
            }
        }
    }
}
