//! The graph of kinds of channels, and its shortest cycle.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use crate::routers::wormhole::dependencies::{Channel, Dependencies};

#[cfg(test)]
pub(in crate::routers::wormhole) mod tests;

/// The dependencies between kinds `K`.
pub(in crate::routers::wormhole) struct Quotient<K> {
    pub(in crate::routers::wormhole) graph: DiGraph<K, ()>,
}

impl<K: Copy + Eq + Hash> Quotient<K> {
    /// What the routes make, each given as the kinds of its channels in order.
    pub(in crate::routers::wormhole) fn of(
        routes: impl Iterator<Item = impl Iterator<Item = K>>,
    ) -> Self {
        let mut graph = DiGraph::new();
        let mut indices = HashMap::new();
        for route in routes {
            let mut previous: Option<NodeIndex> = None;
            for kind in route {
                let index = *indices.entry(kind).or_insert_with(|| graph.add_node(kind));
                if let Some(previous) = previous {
                    graph.update_edge(previous, index, ());
                }
                previous = Some(index);
            }
        }
        Quotient { graph }
    }

    /// Counts, and looks for a cycle. `step` is what a channel of a kind changes in the column or
    /// address; `channel` is that of a kind which begins there.
    pub(in crate::routers::wormhole) fn dependencies(
        &self,
        step: impl Fn(K) -> usize,
        channel: impl Fn(K, usize) -> Channel,
    ) -> Dependencies {
        let cycle = self.shortest_cycle(&step).map(|kinds| {
            let mut column = 0;
            let mut channels = Vec::with_capacity(kinds.len());
            for kind in kinds {
                channels.push(channel(kind, column));
                column ^= step(kind);
            }
            channels
        });
        Dependencies {
            channels: self.graph.node_count(),
            dependencies: self.graph.edge_count(),
            cycle,
            escape: None,
        }
    }

    /// The kinds of a shortest cycle of channels: of a closed walk whose steps cancel.
    fn shortest_cycle(&self, step: &impl Fn(K) -> usize) -> Option<Vec<K>> {
        // A closed walk stays in one strongly connected component.
        let mut component = vec![0; self.graph.node_count()];
        for (number, members) in kosaraju_scc(&self.graph).iter().enumerate() {
            for member in members {
                component[member.index()] = number;
            }
        }
        let mut shortest: Option<Vec<NodeIndex>> = None;
        for start in self.graph.node_indices() {
            let limit = shortest.as_ref().map_or(usize::MAX, Vec::len);
            shortest = self
                .closed_walk(start, &component, step, limit)
                .or(shortest);
        }
        let kinds =
            |walk: Vec<NodeIndex>| walk.into_iter().map(|index| self.graph[index]).collect();
        shortest.map(kinds)
    }

    /// A shortest closed walk from `start` whose steps cancel, if there is one of fewer than
    /// `limit` kinds: breadth first over kinds and the steps so far. If a component has an edge,
    /// every kind of it has such a walk.
    fn closed_walk(
        &self,
        start: NodeIndex,
        component: &[usize],
        step: &impl Fn(K) -> usize,
        limit: usize,
    ) -> Option<Vec<NodeIndex>> {
        type ProductState = (NodeIndex, usize);
        let begin = (start, 0);
        let mut reached_from: HashMap<ProductState, ProductState> = HashMap::new();
        let mut queue = VecDeque::from([(begin, 1)]);
        while let Some((place, length)) = queue.pop_front() {
            if length >= limit {
                return None;
            }
            let (kind, column) = place;
            let column_after = column ^ step(self.graph[kind]);
            for edge in self.graph.edges(kind) {
                let next = (edge.target(), column_after);
                if component[edge.target().index()] != component[start.index()] {
                    continue;
                }
                if next == begin {
                    let mut walk = vec![kind];
                    let mut at = place;
                    while at != begin {
                        at = reached_from[&at];
                        walk.push(at.0);
                    }
                    walk.reverse();
                    return Some(walk);
                }
                reached_from.entry(next).or_insert_with(|| {
                    queue.push_back((next, length + 1));
                    place
                });
            }
        }
        None
    }
}
