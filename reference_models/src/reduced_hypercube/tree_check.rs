//! What makes uses of ports a binary tree with two roots.

use super::Violation;
use super::tree::{Place, Relation};

/// Checks what the nodes of a cube of `dims` dimensions found. The two ends of each link agree, node 0 is
/// the only one without a parent, and no node has two. Node 0 has two children. One of them is the
/// second root, which has one child, and is node 4 from three dimensions on. All others have two children or
/// none: those without are at depth `dims` below the second root, and one higher elsewhere. Every virtual
/// address is the physical one.
///
/// # Errors
///
/// The first thing that is found wrong.
pub fn check(dims: usize, places: &[Place]) -> Result<(), Violation> {
    if places.len() != 1 << dims {
        return Err(Violation::Entries {
            entries: places.len(),
            nodes: 1 << dims,
        });
    }
    for (node, place) in places.iter().enumerate() {
        ends_agree(node, places)?;
        let parents = ports(place, Relation::Parent).len();
        if parents != usize::from(node != 0) {
            return Err(Violation::Parents { node, parents });
        }
    }
    shape(dims, places)?;
    match places
        .iter()
        .enumerate()
        .find(|(node, it)| it.current != *node)
    {
        None => Ok(()),
        Some((node, place)) => Err(Violation::VirtualAddress {
            node,
            current: place.current,
        }),
    }
}

/// The ports that a node uses like this.
fn ports(place: &Place, relation: Relation) -> Vec<usize> {
    let used = |port: &usize| place.relations[*port] == relation;
    (0..place.relations.len()).filter(used).collect()
}

fn ends_agree(node: usize, places: &[Place]) -> Result<(), Violation> {
    for (port, relation) in places[node].relations.iter().enumerate() {
        let other = places[node ^ (1 << port)].relations[port];
        let expected = match relation {
            Relation::Unused => Relation::Unused,
            Relation::Parent => Relation::Child,
            Relation::Child => Relation::Parent,
        };
        if other != expected {
            return Err(Violation::Disagree { node, port });
        }
    }
    Ok(())
}

/// Follows the tree down from node 0. As no node has two parents, a tree of this shape has every node.
fn shape(dims: usize, places: &[Place]) -> Result<(), Violation> {
    let second = match dims {
        0 => 0,
        1 | 2 => dims,
        _ => 4,
    };
    // A node, its depth, and the depth of the leaves below it.
    let mut waiting = vec![(0, 0, dims)];
    while let Some((node, depth, leaves)) = waiting.pop() {
        let children: Vec<usize> = ports(&places[node], Relation::Child)
            .iter()
            .map(|port| node ^ (1 << port))
            .collect();
        let expected = match depth {
            _ if depth == leaves => 0,
            0 if dims == 1 => 1,
            1 if leaves == dims => 1,
            _ => 2,
        };
        if children.len() != expected {
            return Err(Violation::Children {
                node,
                depth,
                children: children.len(),
            });
        }
        if depth == 0 && dims > 0 && !children.contains(&second) {
            return Err(Violation::SecondRoot {
                node: children[0],
                expected: second,
            });
        }
        for child in children {
            let shorter = depth == 0 && child != second;
            waiting.push((child, depth + 1, leaves - usize::from(shorter)));
        }
    }
    Ok(())
}
