//! What tests of all networks ask of graphs, and the search for a cycle.

use std::collections::{HashSet, VecDeque};

use petgraph::algo::toposort;

use super::*;

pub(in crate::routers::wormhole) fn text(cycle: &[Channel]) -> Vec<String> {
    cycle.iter().map(Channel::to_string).collect()
}

pub(in crate::routers::wormhole) fn is_acyclic<K>(graph: &DiGraph<K, ()>) -> bool {
    toposort(graph, None).is_ok()
}

/// Each edge by its ends, whatever the order in which the graph was made.
pub(in crate::routers::wormhole) fn edges<K: Copy + Eq + Hash>(
    quotient: &Quotient<K>,
) -> HashSet<(K, K)> {
    let graph = &quotient.graph;
    let ends = |edge| graph.edge_endpoints(edge).unwrap();
    graph
        .edge_indices()
        .map(ends)
        .map(|(from, to)| (graph[from], graph[to]))
        .collect()
}

/// The length of a shortest cycle of the whole graph, by a search from every channel.
pub(in crate::routers::wormhole) fn girth<K>(graph: &DiGraph<K, ()>) -> Option<usize> {
    let from = |start: NodeIndex| {
        let mut seen = HashSet::new();
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((node, length)) = queue.pop_front() {
            for next in graph.neighbors(node) {
                if next == start {
                    return Some(length + 1);
                }
                if seen.insert(next) {
                    queue.push_back((next, length + 1));
                }
            }
        }
        None
    };
    graph.node_indices().filter_map(from).min()
}

/// The search itself, on two kinds that depend on each other.
#[test]
fn a_cycle_whose_steps_do_not_cancel_is_walked_twice() {
    let quotient = Quotient::of([[0, 1], [1, 0]].map(IntoIterator::into_iter).into_iter());
    let found = quotient.dependencies(
        |dimension| 1 << dimension,
        |dimension, from| Channel::Hypercube {
            from,
            dimension,
            virtual_channel: 0,
        },
    );
    assert_eq!(
        text(&found.cycle.unwrap()),
        [
            "0 -dim_0/0-> 1",
            "1 -dim_1/0-> 3",
            "3 -dim_0/0-> 2",
            "2 -dim_1/0-> 0"
        ]
    );
}
