//! Tables of up*/down* routing.
//!
//! A table asks only for node and destination, not for how a worm came. That is enough: where a node goes on down, down links
//! alone lead from the next node to the destination, so the next node goes on down as well. No up link follows a down link.

use super::Table;
use super::links::Links;
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::irregular::Irregular;

/// Refused where a link has none back.
pub(super) fn table(network: &Irregular) -> Result<Table<'_>, Error> {
    let one_way = network
        .links()
        .find(|&(from, to)| network.colour(to, from).is_none());
    if let Some((from, to)) = one_way {
        return Err(Refusal::of(format!("link {from} -> {to}"))
            .because("it has none back, and up*/down* routing needs each link in both directions")
            .instead(format!("add link {to} -> {from}, or take other routes"))
            .into());
    }
    let links = Links::of(network);
    let levels = links.distances(0, |_, _| true);
    // What node 0 cannot reach has no level; the check of the table says so. Up is what is less.
    let depth = |node: usize| (levels[node].unwrap_or(usize::MAX), node);
    let is_up = |from: usize, to: usize| depth(to) < depth(from);
    let mut from_the_top: Vec<usize> = (0..network.nodes()).collect();
    from_the_top.sort_unstable_by_key(|&node| depth(node));
    let mut table = Table::new(network);
    for destination in 0..network.nodes() {
        let down = links.distances(destination, |from, to| !is_up(from, to));
        let mut whole = down.clone();
        // Up links lead to nodes whose paths are known by then.
        for &node in &from_the_top {
            let next = match down[node] {
                Some(distance) => links.spread(node, destination, |far| {
                    !is_up(node, far) && down[far].is_some_and(|rest| rest + 1 == distance)
                }),
                None => {
                    let up = links.out[node].iter().map(|&(far, _)| far);
                    let up = up.filter(|&far| is_up(node, far));
                    let least = up.filter_map(|far| whole[far]).min();
                    whole[node] = least.map(|rest| rest + 1);
                    links.spread(node, destination, |far| {
                        is_up(node, far) && least.is_some() && whole[far] == least
                    })
                }
            };
            table.put(node, destination, next);
        }
    }
    Ok(table)
}
