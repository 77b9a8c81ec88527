//! How far nodes are from one another: by breadth-first search, link by link, whatever the network.

use crate::closed_form::fraction::Fraction;

/// The most nodes that are searched: a node takes four bytes and some.
pub const MOST_SEARCHED: usize = 1 << 20;

const UNREACHED: u32 = u32::MAX;

/// How many links the shortest way from one node to every other has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distances {
    /// By node; [`UNREACHED`] where no way leads.
    links: Vec<u32>,
    furthest: usize,
}

impl Distances {
    /// From `source`, in a network of so many nodes. `ends` are the nodes to which a node's links lead.
    pub fn from<E: IntoIterator<Item = usize>>(
        source: usize,
        nodes: usize,
        ends: impl Fn(usize) -> E,
    ) -> Self {
        let mut links = vec![UNREACHED; nodes];
        links[source] = 0;
        let mut furthest = 0;
        let mut front = vec![source];
        loop {
            let mut next = Vec::new();
            for node in front {
                for end in ends(node) {
                    if links[end] == UNREACHED {
                        links[end] = furthest + 1;
                        next.push(end);
                    }
                }
            }
            if next.is_empty() {
                let furthest = furthest as usize;
                return Distances { links, furthest };
            }
            furthest += 1;
            front = next;
        }
    }

    /// To a node; none where no way leads to it.
    pub fn to(&self, node: usize) -> Option<usize> {
        let links = self.links[node];
        (links != UNREACHED).then_some(links as usize)
    }

    /// To the furthest of all nodes that are reached: the diameter, where all nodes are alike and all are reached.
    pub fn furthest(&self) -> usize {
        self.furthest
    }

    /// The nodes that are reached, the source among them.
    pub fn reached(&self) -> usize {
        self.by_distance().iter().sum()
    }

    /// How many nodes there are at each distance, 0 to [`Distances::furthest`].
    pub fn by_distance(&self) -> Vec<usize> {
        let mut nodes = vec![0; self.furthest + 1];
        let reached = self.links.iter().filter(|links| **links != UNREACHED);
        reached.for_each(|links| nodes[*links as usize] += 1);
        nodes
    }

    /// Over all other nodes that are reached; none where there is no other.
    pub fn average(&self) -> Option<Fraction> {
        let by_distance = self.by_distance();
        let total: usize = (by_distance.iter().enumerate())
            .map(|(links, nodes)| links * nodes)
            .sum();
        let others = by_distance.iter().sum::<usize>() - 1;
        (others > 0).then(|| Fraction::new(total as u64, others as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;

    #[test]
    fn a_ring_of_six_that_leads_both_ways_and_one_that_leads_one_way() {
        let both = Distances::from(0, 6, |node| [(node + 1) % 6, (node + 5) % 6]);
        assert_eq!(both.by_distance(), [1, 2, 2, 1]);
        assert_eq!((both.furthest(), both.reached()), (3, 6));
        assert_eq!(both.average(), Some(Fraction::new(9, 5)));
        assert_eq!((both.to(0), both.to(4)), (Some(0), Some(2)));
        let one = Distances::from(2, 6, |node| [(node + 1) % 6]);
        assert_eq!(
            (one.furthest(), one.average()),
            (5, Some(Fraction::new(3, 1)))
        );
        assert_eq!(one.to(1), Some(5));
    }

    #[test]
    fn what_is_not_reached_is_told() {
        let halves = Distances::from(0, 6, |node| [(node + 2) % 6]);
        assert_eq!(
            (halves.reached(), halves.to(1), halves.to(4)),
            (3, None, Some(2))
        );
        assert_eq!(halves.average(), Some(Fraction::new(3, 2)));
        assert_eq!(Distances::from(0, 2, |_| []).average(), None);
    }

    #[test]
    fn a_hypercube_is_as_wide_as_its_dimensions_are_many() {
        for k in 1..=10 {
            let from_0 = Distances::from(0, 1 << k, |node| (0..k).map(move |d| node ^ 1 << d));
            assert_eq!(from_0.furthest(), k);
            let average = Fraction::new((k as u64) << (k - 1), (1 << k) - 1);
            assert_eq!(from_0.average(), Some(average));
        }
    }

    /// Straight links lead one way: `2n - 2` of them and `n` cross links lead to the furthest node.
    #[test]
    fn all_nodes_of_cube_connected_cycles_are_alike() {
        for levels in 2..=6 {
            let network = CubeConnectedCycles::new(levels).unwrap();
            let from = |source| {
                Distances::from(source, network.nodes(), |node| {
                    [network.straight(node), network.cross(node)]
                })
            };
            let first = from(0);
            assert_eq!(
                (first.furthest(), first.reached()),
                (3 * levels - 2, network.nodes())
            );
            for source in 1..network.nodes() {
                assert_eq!(from(source).by_distance(), first.by_distance());
            }
        }
    }
}
