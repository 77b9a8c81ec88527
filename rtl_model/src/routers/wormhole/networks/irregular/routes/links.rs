//! The links of a network, as those who make tables look for paths of them.

use std::collections::VecDeque;

use super::Next;
use crate::machine::topology::irregular::Irregular;

/// The links of a network, by node.
pub(super) struct Links {
    /// Where those lead that leave a node, in ascending order, and their colours.
    pub(super) out: Vec<Vec<(usize, usize)>>,
    /// Where those come from that come to a node.
    pub(super) into: Vec<Vec<usize>>,
}

impl Links {
    pub(super) fn of(network: &Irregular) -> Self {
        let nodes = network.nodes();
        let out = |node| {
            let mut links: Vec<_> =
                (network.from(node).map(|(colour, far)| (far, colour))).collect();
            links.sort_unstable();
            links
        };
        let into = |node| {
            let colours = 0..network.colours();
            colours
                .filter_map(|colour| network.near(node, colour))
                .collect()
        };
        Links {
            out: (0..nodes).map(out).collect(),
            into: (0..nodes).map(into).collect(),
        }
    }

    /// How many links of those for which `may(from, to)` holds lead from each node to a destination, at the least; none where
    /// no path of such links does.
    pub(super) fn distances(
        &self,
        destination: usize,
        may: impl Fn(usize, usize) -> bool,
    ) -> Vec<Option<usize>> {
        let mut distances = vec![None; self.into.len()];
        distances[destination] = Some(0);
        let mut queue = VecDeque::from([(destination, 0)]);
        while let Some((node, distance)) = queue.pop_front() {
            for &from in &self.into[node] {
                if distances[from].is_none() && may(from, node) {
                    distances[from] = Some(distance + 1);
                    queue.push_back((from, distance + 1));
                }
            }
        }
        distances
    }

    /// Of the links from a node to the neighbours for which something holds, the one for a destination.
    pub(super) fn spread(
        &self,
        node: usize,
        destination: usize,
        holds: impl Fn(usize) -> bool,
    ) -> Option<Next> {
        let choices = || self.out[node].iter().filter(|(far, _)| holds(*far));
        let index = destination.checked_rem(choices().count())?;
        let &(_, colour) = choices().nth(index)?;
        Some(Next { colour, class: 0 })
    }
}
