//! Lists of links and routes: rings, complete networks, random ones by shortest ways and by up*/down* ways.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// Links by slots, as `(from, to)` are given: each has the lowest slot that is free at both of its ends.
fn in_slots(pairs: &[(usize, usize)]) -> Vec<(usize, usize, usize)> {
    let (mut leave, mut come) = (BTreeSet::new(), BTreeSet::new());
    let mut links = Vec::new();
    for &(from, to) in pairs {
        let is_free =
            |slot: &usize| !leave.contains(&(from, *slot)) && !come.contains(&(to, *slot));
        let slot = (0..).find(is_free).unwrap();
        leave.insert((from, slot));
        come.insert((to, slot));
        links.push((from, to, slot));
    }
    links
}

/// Of links, and of the next node and the class for every node and every other destination.
pub fn listed(
    nodes: usize,
    classes: usize,
    pairs: &[(usize, usize)],
    mut next: impl FnMut(usize, usize) -> (usize, usize),
) -> Listed {
    let links = in_slots(pairs);
    let slots: BTreeMap<(usize, usize), usize> =
        (links.iter().map(|&(from, to, slot)| ((from, to), slot))).collect();
    let routes = (0..nodes)
        .map(|node| {
            (0..nodes)
                .map(|destination| {
                    (node != destination).then(|| {
                        let (to, class) = next(node, destination);
                        (slots[&(node, to)], class)
                    })
                })
                .collect()
        })
        .collect();
    Listed {
        nodes,
        slots: links.iter().map(|link| link.2 + 1).max().unwrap_or(0),
        classes,
        links,
        routes,
    }
}

/// Tests are short, and networks are copied: they stay.
pub fn network(listed: Listed) -> Network {
    Network::Listed(Box::leak(Box::new(listed)))
}

/// One link from every node to the next, and from the last to node 0. With two classes what has this link still before it
/// goes in class 0, and what has not in class 1.
pub fn ring(nodes: usize, classes: usize) -> Listed {
    let pairs: Vec<_> = (0..nodes).map(|node| (node, (node + 1) % nodes)).collect();
    listed(nodes, classes, &pairs, |node, destination| {
        let class = usize::from(classes == 2 && destination > node);
        ((node + 1) % nodes, class)
    })
}

/// A link from every node to every other.
pub fn complete(nodes: usize) -> Listed {
    let pairs: Vec<_> = (0..nodes * nodes)
        .map(|pair| (pair / nodes, pair % nodes))
        .filter(|(from, to)| from != to)
        .collect();
    listed(nodes, 1, &pairs, |_, destination| (destination, 0))
}

/// Four nodes: 0 and 1 have links to 2, in slots 0 and 1, and 2 has links to 3, 1 and 0, in slots 0, 1 and 2; from 3 there is
/// one back in slot 2.
pub fn fork(classes: usize) -> Listed {
    let pairs = [(0, 2), (1, 2), (2, 3), (3, 2), (2, 1), (2, 0)];
    listed(4, classes, &pairs, |node, destination| match node {
        2 => (destination, 0),
        _ => (2, 0),
    })
}

/// A ring with random links added, each one way, and shortest ways: nothing keeps worms from deadlocks.
pub fn shortest(nodes: usize, more: usize, random: &mut ChaCha8Rng) -> Listed {
    let mut pairs: BTreeSet<_> = (0..nodes).map(|node| (node, (node + 1) % nodes)).collect();
    for _ in 0..more {
        let [from, to] = [0, 1].map(|_| random.random_range(0..nodes));
        if from != to {
            pairs.insert((from, to));
        }
    }
    let mut pairs: Vec<_> = pairs.into_iter().collect();
    pairs.shuffle(random);
    let hops = distances(nodes, &pairs);
    listed(nodes, 1, &pairs, |node, destination| {
        let ends = pairs.iter().filter(|(from, _)| *from == node);
        let nearest = ends.map(|&(_, to)| (hops[to][destination], to)).min();
        (nearest.unwrap().1, 0)
    })
}

/// By source and destination; `usize::MAX` where no way leads.
fn distances(nodes: usize, pairs: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let from = |source| {
        let mut hops = vec![usize::MAX; nodes];
        hops[source] = 0;
        for length in 0..nodes {
            for &(from, to) in pairs {
                if hops[from] == length && hops[to] == usize::MAX {
                    hops[to] = length + 1;
                }
            }
        }
        hops
    };
    (0..nodes).map(from).collect()
}

/// A random tree with random links added, all of them both ways. A link leads up that leads to a lower node. Worms go down
/// where that leads to their destination, and else up: never up behind down. Classes are random, so that nothing depends on
/// them.
pub fn up_and_down(nodes: usize, more: usize, classes: usize, random: &mut ChaCha8Rng) -> Listed {
    let mut edges: BTreeSet<(usize, usize)> = (1..nodes)
        .map(|node| (random.random_range(0..node), node))
        .collect();
    for _ in 0..more {
        let [one, other] = [0, 1].map(|_| random.random_range(0..nodes));
        if one != other {
            edges.insert((one.min(other), one.max(other)));
        }
    }
    let downwards: Vec<_> = edges.into_iter().collect();
    let down = distances(nodes, &downwards);
    let mut pairs = downwards.clone();
    pairs.extend(downwards.iter().map(|&(upper, lower)| (lower, upper)));
    pairs.shuffle(random);
    listed(nodes, classes, &pairs, |node, destination| {
        let goes_down = down[node][destination] != usize::MAX;
        let ends = (pairs.iter()).filter(|&&(from, to)| from == node && goes_down == (from < to));
        // Of the links up, the one below which the destination is nearest, or the highest.
        let nearest = ends.map(|&(_, to)| (down[to][destination], to)).min();
        (nearest.unwrap().1, random.random_range(0..classes))
    })
}

/// Node and slot of each hop of a way that follows the tables.
pub fn way(listed: &Listed, source: usize, destination: usize) -> Vec<(usize, usize)> {
    let mut way = Vec::new();
    let mut node = source;
    while let Some((slot, _)) = listed.routes[node][destination] {
        way.push((node, slot));
        node = end(listed, node, slot);
    }
    way
}

fn end(listed: &Listed, node: usize, slot: usize) -> usize {
    let found = (listed.links.iter()).find(|link| (link.0, link.2) == (node, slot));
    found.unwrap().1
}

/// A class of a link, by the link's node and slot.
type Vertex = (usize, usize, usize);

/// Some worm may hold a channel of a class of a link, and wait for one of another, and so on round to the first.
pub fn has_cycle(listed: &Listed) -> bool {
    let mut waits: BTreeMap<Vertex, BTreeSet<Vertex>> = BTreeMap::new();
    for (node, routes) in listed.routes.iter().enumerate() {
        for (destination, route) in routes.iter().enumerate() {
            let Some((slot, class)) = *route else {
                continue;
            };
            let to = end(listed, node, slot);
            let next = waits.entry((node, slot, class)).or_default();
            if let Some((slot, class)) = listed.routes[to][destination] {
                next.insert((to, slot, class));
            }
        }
    }
    // Again and again those are left out that wait for none that is left.
    loop {
        let left: BTreeSet<Vertex> = waits.keys().copied().collect();
        waits.retain(|_, next| next.iter().any(|vertex| left.contains(vertex)));
        if waits.len() == left.len() {
            return !left.is_empty();
        }
    }
}

#[test]
fn rings_have_a_cycle_of_one_class_only() {
    for nodes in 3..9 {
        assert!(has_cycle(&ring(nodes, 1)));
        assert!(!has_cycle(&ring(nodes, 2)));
    }
    // With two nodes no way has two links.
    assert!(!has_cycle(&ring(2, 1)));
}

#[test]
fn ways_up_and_down_have_none() {
    let mut random = ChaCha8Rng::seed_from_u64(0);
    for nodes in 2..30 {
        for classes in 1..4 {
            assert!(!has_cycle(&up_and_down(nodes, nodes, classes, &mut random)));
        }
    }
}
