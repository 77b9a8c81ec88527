//! Tables of shortest paths.

use super::Table;
use super::links::Links;
use crate::machine::topology::irregular::Irregular;

/// By breadth-first search from each destination, against the links.
pub(super) fn table(network: &Irregular) -> Table<'_> {
    let links = Links::of(network);
    let mut table = Table::new(network);
    for destination in 0..network.nodes() {
        let distances = links.distances(destination, |_, _| true);
        for (node, distance) in distances.iter().enumerate() {
            let is_nearer =
                |far: usize| distances[far].is_some_and(|rest| Some(rest + 1) == *distance);
            table.put(
                node,
                destination,
                links.spread(node, destination, is_nearer),
            );
        }
    }
    table
}
