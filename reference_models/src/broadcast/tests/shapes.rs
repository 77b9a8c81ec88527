//! The trees are those of the papers, and the schedules use the links that the papers name.

use super::*;
use crate::broadcast::trees::{Tree, binomial, disjoint, hamiltonian_path, multiple};
use crate::broadcast::violation::Violation;
use crate::broadcast::{schedules, two_rooted};

/// The bits of an address, bit 0 first.
fn bits(address: usize, dims: usize) -> Vec<bool> {
    (0..dims)
        .map(|place| address / (1 << place) % 2 == 1)
        .collect()
}

/// The children of a node in order of dimension.
fn children(tree: &Tree, node: usize) -> Vec<usize> {
    let mut children: Vec<usize> = tree
        .edges
        .iter()
        .filter(|it| it.0 == node)
        .map(|it| it.1)
        .collect();
    children.sort_by_key(|child| child ^ node);
    children
}

/// The paper's k and the set M of a node in tree `j`: the first 1 to the right of bit `j`, around the
/// end, and the places between.
fn first_one(set: &[bool], tree: usize) -> (usize, Vec<usize>) {
    let dims = set.len();
    let mut between = Vec::new();
    for distance in 1..=dims {
        let place = (tree + dims - distance) % dims;
        if set[place] {
            return (place, between);
        }
        between.push(place);
    }
    panic!("the source has no 1")
}

/// The paper's children of a node in tree `j`.
fn children_in_multiple(node: usize, tree: usize, dims: usize) -> Vec<usize> {
    let across = |place: usize| node ^ (1 << place);
    if node == 0 {
        return vec![across(tree)];
    }
    let set = bits(node, dims);
    if !set[tree] {
        return Vec::new();
    }
    let (first, mut places) = first_one(&set, tree);
    if first != tree {
        places.push(tree);
    }
    places.sort_unstable();
    places.into_iter().map(across).collect()
}

#[test]
fn the_path_is_the_gray_code() {
    for dims in 1..=6 {
        let tree = hamiltonian_path(dims);
        for (place, edge) in tree.edges.iter().enumerate() {
            let gray = |place: usize| place ^ (place >> 1);
            assert_eq!(*edge, (gray(place), gray(place + 1)));
        }
        assert_eq!(tree.spans(1 << dims), Ok(()));
    }
}

#[test]
fn the_binomial_tree_complements_leading_zeroes() {
    for dims in 1..=6 {
        let tree = binomial(dims);
        assert_eq!(tree.spans(1 << dims), Ok(()));
        for node in 0..1 << dims {
            let leading = bits(node, dims).iter().rposition(|set| *set);
            let zeroes = leading.map_or(0, |place| place + 1)..dims;
            let expected: Vec<usize> = zeroes.map(|place| node ^ (1 << place)).collect();
            assert_eq!(children(&tree, node), expected);
        }
    }
}

#[test]
fn the_two_rooted_tree_is_one() {
    for dims in 2..=10 {
        let tree = two_rooted::tree(dims);
        assert_eq!(tree.spans(1 << dims), Ok(()));
        let roots = children(&tree, 0);
        assert_eq!(roots.len(), 2);
        // Below each root is a complete binary tree of `dims - 1` levels.
        let other = tree.edges[0];
        assert_eq!(other.0, 0);
        let own: Vec<usize> = roots.into_iter().filter(|it| *it != other.1).collect();
        assert!(is_complete(&tree, &own, dims - 1));
        assert!(is_complete(&tree, &children(&tree, other.1), dims - 1));
    }
}

/// Whether `level` is one node, and the nodes below have two children each for `levels` levels.
fn is_complete(tree: &Tree, level: &[usize], levels: usize) -> bool {
    let mut level = level.to_vec();
    for depth in 0..levels {
        if level.len() != 1 << depth {
            return false;
        }
        level = level
            .iter()
            .flat_map(|node| children(tree, *node))
            .collect();
    }
    level.is_empty()
}

#[test]
fn the_multiple_trees_are_the_papers() {
    for dims in 1..=6 {
        let trees = multiple(dims);
        assert_eq!(trees.len(), dims);
        assert_eq!(disjoint(&trees), Ok(()));
        for (place, tree) in trees.iter().enumerate() {
            assert_eq!(tree.spans(1 << dims), Ok(()));
            for node in 0..1 << dims {
                let expected = children_in_multiple(node, place, dims);
                assert_eq!(children(tree, node), expected, "{dims} {place} {node}");
            }
        }
        // All edges are used but those into the source.
        let edges: usize = trees.iter().map(|tree| tree.edges.len()).sum();
        assert_eq!(edges, dims * (1 << dims) - dims);
    }
}

#[test]
fn labels_meet_the_papers_conditions() {
    for dims in 2..=6 {
        let trees = multiple(dims);
        let mut incoming = vec![Vec::new(); 1 << dims];
        let mut outgoing = vec![Vec::new(); 1 << dims];
        for (place, tree) in trees.iter().enumerate() {
            let label = |node| schedules::label(node, place, dims);
            for &(parent, child) in &tree.edges {
                assert!(parent == 0 || label(parent) < label(child));
                incoming[child].push(label(child) % dims);
                outgoing[parent].push(label(child) % dims);
                // In a step all packets cross one dimension.
                assert_eq!(parent ^ child, 1 << (label(child) % dims));
            }
        }
        for mut labels in incoming.into_iter().chain(outgoing) {
            let all = labels.len();
            labels.sort_unstable();
            labels.dedup();
            assert_eq!(labels.len(), all);
        }
    }
}

#[test]
fn a_one_port_binomial_tree_crosses_one_dimension_after_the_other() {
    for ports in [Ports::OneWay, Ports::TwoWay] {
        let broadcast = Broadcast {
            algorithm: Algorithm::BinomialTree,
            ports,
            dims: 5,
            source: 19,
            packets: 4,
        };
        for send in broadcast.sends() {
            assert_eq!(send.from ^ send.to, 1 << (send.step % 5));
            assert_eq!(send.packet, send.step / 5);
        }
    }
}

#[test]
fn broadcast_1_is_the_binomial_tree() {
    for dims in 1..=6 {
        let of = |algorithm| Broadcast {
            algorithm,
            ports: Ports::OneWay,
            dims,
            source: 1,
            packets: 1,
        };
        assert_eq!(
            of(Algorithm::Broadcast1).sends(),
            of(Algorithm::BinomialTree).sends()
        );
    }
}

#[test]
fn broadcast_3a_is_the_multiple_trees_with_all_ports() {
    for dims in 1..=6 {
        for packets in 1..=dims {
            let of = |algorithm| Broadcast {
                algorithm,
                ports: Ports::All,
                dims,
                source: 0,
                packets,
            };
            assert_eq!(
                of(Algorithm::Broadcast3A).sends(),
                of(Algorithm::MultipleTrees).sends()
            );
        }
    }
}

#[test]
fn broadcast_3b_is_broadcast_4_of_one_group() {
    let of = |algorithm| Broadcast {
        algorithm,
        ports: Ports::All,
        dims: 4,
        source: 9,
        packets: 4,
    };
    let one_group = of(Algorithm::Broadcast4).sends();
    assert_eq!(of(Algorithm::Broadcast3B).sends(), one_group);
}

#[test]
fn trees_that_are_none() {
    let good = binomial(3);
    let with = |change: fn(&mut Tree)| {
        let mut tree = good.clone();
        change(&mut tree);
        tree.spans(8).unwrap_err()
    };
    let far = with(|tree| tree.edges[0] = (0, 7));
    assert_eq!(
        far,
        Violation::NoSuchEdge {
            parent: 0,
            child: 7
        }
    );
    let lost = with(|tree| tree.edges.retain(|edge| edge.1 != 6));
    assert_eq!(lost, Violation::Parents { node: 6, found: 0 });
    let twice = with(|tree| tree.edges.push((7, 6)));
    assert_eq!(twice, Violation::Parents { node: 6, found: 2 });
    // Nodes 2, 3, 7 and 6 in a cycle.
    let cycle = with(|tree| {
        tree.edges.retain(|edge| ![2, 3, 7, 6].contains(&edge.1));
        tree.edges.extend([(2, 3), (3, 7), (7, 6), (6, 2)]);
    });
    assert_eq!(cycle, Violation::NotReached { node: 2 });
    let shared = disjoint(&[good.clone(), good]).unwrap_err();
    assert_eq!(
        shared,
        Violation::SharedEdge {
            parent: 0,
            child: 1
        }
    );
}
