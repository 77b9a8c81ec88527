//! Which lists are of a network.

use std::collections::{HashMap, HashSet};

use super::{Listed, Refusal};

/// Where the links of a list lead, by node and slot.
type Ends = HashMap<(usize, usize), usize>;

/// Refuses a list of which there is no network with so many virtual channels of a link.
pub fn check(listed: &Listed, virtual_channels: usize) -> Result<(), Refusal> {
    let &Listed { nodes, classes, .. } = listed;
    if !(2..=1024).contains(&nodes) {
        return Err(Refusal::Nodes { nodes });
    }
    if !(1..=virtual_channels).contains(&classes) {
        return Err(Refusal::Classes {
            classes,
            virtual_channels,
        });
    }
    let ends = check_links(listed)?;
    let is_short = |routes: &Vec<_>| routes.len() != nodes;
    if listed.routes.len() != nodes || listed.routes.iter().any(is_short) {
        return Err(Refusal::Tables { nodes });
    }
    for destination in 0..nodes {
        let next = (0..nodes)
            .map(|node| check_entry(listed, &ends, node, destination))
            .collect::<Result<Vec<_>, _>>()?;
        check_arrivals(&next, destination)?;
    }
    Ok(())
}

fn check_links(listed: &Listed) -> Result<Ends, Refusal> {
    let &Listed { nodes, slots, .. } = listed;
    let (mut ends, mut starts, mut pairs) = (Ends::new(), HashSet::new(), HashSet::new());
    for &(from, to, slot) in &listed.links {
        if from >= nodes || to >= nodes {
            return Err(Refusal::NoSuchEnd { from, to, nodes });
        }
        if slot >= slots {
            return Err(Refusal::NoSuchSlot {
                from,
                to,
                slot,
                slots,
            });
        }
        if from == to {
            return Err(Refusal::Loop { node: from });
        }
        if !pairs.insert((from, to)) {
            return Err(Refusal::TwoLinks { from, to });
        }
        if ends.insert((from, slot), to).is_some() {
            return Err(Refusal::TwoLeave { node: from, slot });
        }
        if !starts.insert((to, slot)) {
            return Err(Refusal::TwoCome { node: to, slot });
        }
    }
    Ok(ends)
}

/// The node to which an entry leads; none from the destination.
fn check_entry(
    listed: &Listed,
    ends: &Ends,
    node: usize,
    destination: usize,
) -> Result<Option<usize>, Refusal> {
    let classes = listed.classes;
    match listed.routes[node][destination] {
        None if node == destination => Ok(None),
        None => Err(Refusal::NoRoute { node, destination }),
        Some(_) if node == destination => Err(Refusal::LeadsOn { node }),
        Some((_, class)) if class >= classes => Err(Refusal::NoClass {
            node,
            destination,
            class,
            classes,
        }),
        Some((slot, _)) => match ends.get(&(node, slot)) {
            Some(&end) => Ok(Some(end)),
            None => Err(Refusal::NoLink {
                node,
                destination,
                slot,
            }),
        },
    }
}

/// From every node the next ones lead to the destination.
fn check_arrivals(next: &[Option<usize>], destination: usize) -> Result<(), Refusal> {
    let mut arrives = vec![false; next.len()];
    arrives[destination] = true;
    for start in 0..next.len() {
        let mut walk = Vec::new();
        let mut node = start;
        while !arrives[node] {
            // More steps than nodes: one was met twice.
            if walk.len() == next.len() {
                return Err(Refusal::NeverArrives {
                    node: start,
                    destination,
                });
            }
            walk.push(node);
            node = next[node].unwrap_or(destination);
        }
        walk.into_iter().for_each(|node| arrives[node] = true);
    }
    Ok(())
}
