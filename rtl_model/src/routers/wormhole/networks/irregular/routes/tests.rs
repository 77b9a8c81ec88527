//! Tables are held against distances, levels and dependencies that are computed here in other ways.

mod refused;

use super::*;
use petgraph::algo::is_cyclic_directed;
use petgraph::graph::DiGraph;
use proptest::prelude::*;

/// Of links that are there both ways.
fn both_ways(nodes: usize, pairs: &[(usize, usize)]) -> Irregular {
    let links: Vec<_> = (pairs.iter())
        .flat_map(|&(one, other)| [(one, other), (other, one)])
        .collect();
    Irregular::new(nodes, &links).unwrap()
}

fn ring(nodes: usize) -> Irregular {
    let pairs: Vec<_> = (0..nodes).map(|node| (node, (node + 1) % nodes)).collect();
    both_ways(nodes, &pairs)
}

/// All distances, by Floyd and Warshall; of links for which something holds.
fn distances(network: &Irregular, holds: impl Fn(usize, usize) -> bool) -> Vec<Vec<Option<usize>>> {
    let nodes = network.nodes();
    let mut all = vec![vec![None; nodes]; nodes];
    for (node, row) in all.iter_mut().enumerate() {
        row[node] = Some(0);
    }
    for (from, to) in network.links().filter(|&(from, to)| holds(from, to)) {
        all[from][to] = Some(1);
    }
    for via in 0..nodes {
        for from in 0..nodes {
            for to in 0..nodes {
                let (Some(first), Some(second)) = (all[from][via], all[via][to]) else {
                    continue;
                };
                let least = all[from][to].map_or(usize::MAX, |length: usize| length);
                all[from][to] = Some(least.min(first + second));
            }
        }
    }
    all
}

/// The neighbours to which a node sends on, by destination; itself at the destination.
fn followed(network: &Irregular, routes: &Routes) -> Vec<Vec<usize>> {
    let far = |node, destination| match routes.next(node, destination) {
        None => {
            assert_eq!(node, destination);
            node
        }
        Some(next) => network.far(node, next.colour).unwrap(),
    };
    let nodes = network.nodes();
    let lengths = pairs(nodes).map(|(from, to)| length(network, routes, from, to));
    assert_eq!(lengths.max(), Some(routes.longest(network)));
    let of_node = |node| (0..nodes).map(|to| far(node, to)).collect();
    (0..nodes).map(of_node).collect()
}

/// Of neighbours for which something holds, the one that is to be taken.
fn taken(
    network: &Irregular,
    node: usize,
    to: usize,
    mut holds: impl FnMut(usize) -> bool,
) -> usize {
    let mut all: Vec<usize> = network.from(node).map(|(_, far)| far).collect();
    all.sort_unstable();
    all.retain(|far| holds(*far));
    all[to % all.len()]
}

fn pairs(nodes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..nodes)
        .flat_map(move |one| (0..nodes).map(move |other| (one, other)))
        .filter(|(one, other)| one != other)
}

/// Every choice of at least one.
fn some_of(all: &[(usize, usize)]) -> impl Iterator<Item = Vec<(usize, usize)>> {
    let holds = |chosen: u32, bit: usize| chosen >> bit & 1 == 1;
    (1..1 << all.len()).map(move |chosen| {
        let bits = (0..all.len()).filter(|&bit| holds(chosen, bit));
        bits.map(|bit| all[bit]).collect()
    })
}

fn length(network: &Irregular, routes: &Routes, from: usize, to: usize) -> usize {
    let path = routes.path(network, from, to);
    let mut node = from;
    for (at, next) in &path {
        assert_eq!(*at, node);
        node = network.far(node, next.colour).unwrap();
    }
    assert_eq!(node, to);
    path.len()
}

/// Whether channels wait for each other in a circle: by link and class.
fn may_deadlock(network: &Irregular, routes: &Routes) -> bool {
    let classes = routes.classes();
    let channel = |node: usize, next: Next| {
        let link = node * network.colours() + next.colour;
        (link * classes + next.class) as u32
    };
    let mut waits = DiGraph::<(), ()>::new();
    for _ in 0..network.nodes() * network.colours() * classes {
        waits.add_node(());
    }
    for (node, destination) in pairs(network.nodes()) {
        let next = routes.next(node, destination).unwrap();
        let far = network.far(node, next.colour).unwrap();
        if let Some(then) = routes.next(far, destination) {
            let [before, behind] = [channel(node, next), channel(far, then)];
            waits.update_edge(before.into(), behind.into(), ());
        }
    }
    is_cyclic_directed(&waits)
}

fn is_shortest(network: &Irregular) {
    let routes = Routes::shortest(network).unwrap();
    let distances = distances(network, |_, _| true);
    let followed = followed(network, &routes);
    assert_eq!(routes.classes(), 1);
    for (from, to) in pairs(network.nodes()) {
        let distance = distances[from][to].unwrap();
        assert_eq!(length(network, &routes, from, to), distance);
        let one = taken(network, from, to, |far| {
            distances[far][to] == Some(distance - 1)
        });
        assert_eq!(followed[from][to], one);
    }
}

fn goes_up_then_down(network: &Irregular) {
    let routes = Routes::up_down(network).unwrap();
    let all = distances(network, |_, _| true);
    let depth = |node: usize| (all[0][node], node);
    let is_up = |from, to| depth(to) < depth(from);
    let down = distances(network, |from, to| !is_up(from, to));
    let followed = followed(network, &routes);
    for (from, to) in pairs(network.nodes()) {
        let path = routes.path(network, from, to);
        let ups: Vec<bool> = (path.iter())
            .map(|(node, next)| is_up(*node, network.far(*node, next.colour).unwrap()))
            .collect();
        assert!(ups.is_sorted_by(|first, second| first >= second), "{ups:?}");
        let rest = |far| length(network, &routes, far, to);
        let one = match down[from][to] {
            Some(distance) => {
                assert_eq!((ups.len(), ups[0]), (distance, false));
                taken(network, from, to, |far| {
                    !is_up(from, far) && down[far][to] == Some(distance - 1)
                })
            }
            None => taken(network, from, to, |far| {
                is_up(from, far) && rest(far) + 1 == ups.len()
            }),
        };
        assert_eq!(followed[from][to], one);
        if down[from][to].is_none() {
            let shorter =
                |&(_, far): &(usize, usize)| is_up(from, far) && rest(far) + 1 < ups.len();
            assert_eq!(network.from(from).find(shorter), None);
        }
    }
    assert!(!may_deadlock(network, &routes));
}

#[test]
fn all_small_networks() {
    for nodes in 2usize..=5 {
        let all: Vec<_> = pairs(nodes).filter(|(one, other)| one < other).collect();
        let mut connected = 0;
        for chosen in some_of(&all) {
            let network = both_ways(nodes, &chosen);
            let is_connected = distances(&network, |_, _| true)[0]
                .iter()
                .all(Option::is_some);
            if is_connected {
                connected += 1;
                is_shortest(&network);
                goes_up_then_down(&network);
            } else {
                assert!(Routes::shortest(&network).is_err());
                assert!(Routes::up_down(&network).is_err());
            }
        }
        // Connected graphs with numbered nodes.
        assert_eq!(connected, [1, 4, 38, 728][nodes - 2]);
    }
}

#[test]
fn all_small_networks_of_links_one_way() {
    let all: Vec<_> = pairs(4).collect();
    let mut connected = 0;
    for chosen in some_of(&all) {
        let network = Irregular::new(4, &chosen).unwrap();
        let distances = distances(&network, |_, _| true);
        if distances.iter().flatten().all(Option::is_some) {
            connected += 1;
            is_shortest(&network);
        } else {
            assert!(Routes::shortest(&network).is_err());
        }
    }
    // Strongly connected graphs with numbered nodes.
    assert_eq!(connected, 1606);
}

proptest! {
    #[test]
    fn any_connected_network(
        parents in prop::collection::vec(0usize..40, 1..30),
        further in prop::collection::vec((0usize..40, 0usize..40), 0..40),
        turned in 0usize..40,
    ) {
        let nodes = parents.len() + 1;
        let tree = parents.iter().enumerate().map(|(node, parent)| (node + 1, parent % (node + 1)));
        let further = further.iter().map(|(one, other)| (one % nodes, other % nodes));
        // Node 0, where levels begin, is not always where the tree does.
        let turned = |node| (node + turned) % nodes;
        let mut all: Vec<_> = tree
            .chain(further)
            .map(|(one, other)| (turned(one), turned(other)))
            .map(|(one, other)| (one.min(other), one.max(other)))
            .filter(|(one, other)| one != other)
            .collect();
        all.sort_unstable();
        all.dedup();
        let network = both_ways(nodes, &all);
        is_shortest(&network);
        goes_up_then_down(&network);
    }
}

#[test]
fn shortest_paths_around_a_ring_may_deadlock_and_up_down_may_not() {
    let network = ring(5);
    assert!(may_deadlock(&network, &Routes::shortest(&network).unwrap()));
    assert!(!may_deadlock(&network, &Routes::up_down(&network).unwrap()));
}

#[test]
fn up_down_goes_around_by_node_0() {
    // Nodes 2 and 3 are the farthest from node 0, with a link between them that leads up from 3 to 2.
    let network = ring(5);
    let routes = Routes::up_down(&network).unwrap();
    let nodes = |from, to| -> Vec<usize> {
        let path = routes.path(&network, from, to);
        path.into_iter().map(|(node, _)| node).collect()
    };
    assert_eq!(nodes(3, 1), [3, 2]);
    assert_eq!(nodes(2, 4), [2, 1, 0]);
    assert_eq!(nodes(1, 3), [1, 2]);
    assert_eq!(nodes(3, 2), [3]);
    assert_eq!(nodes(4, 2), [4, 0, 1]);
    assert!(nodes(2, 2).is_empty());
}

#[test]
fn the_largest_network() {
    use crate::machine::topology::irregular::MAX_NODES;
    let network = ring(MAX_NODES);
    let routes = Routes::shortest(&network).unwrap();
    assert_eq!(length(&network, &routes, 0, 512), 512);
    let routes = Routes::up_down(&network).unwrap();
    assert_eq!(length(&network, &routes, 513, 511), 1022);
}

/// Node, destination, next node and class of an entry.
type Numbers = (usize, usize, usize, usize);

/// All entries of tables.
fn entries(network: &Irregular, routes: &Routes) -> Vec<Numbers> {
    let entry = |(node, destination)| {
        let next = routes.next(node, destination).unwrap();
        let far = network.far(node, next.colour).unwrap();
        (node, destination, far, next.class)
    };
    pairs(network.nodes()).map(entry).collect()
}

#[test]
fn entries_are_taken_in_any_order() {
    let network = ring(6);
    let shortest = Routes::shortest(&network).unwrap();
    let mut all = entries(&network, &shortest);
    all.reverse();
    let same = Routes::from_table(&network, all.iter().copied()).unwrap();
    assert_eq!(same, shortest);
    // With a dateline between node 5 and node 0 that a worm crosses once: class 1 is where it has crossed it or does so now.
    let with_classes = all.iter().map(|&(node, destination, next, _)| {
        let is_up = next == (node + 1) % 6;
        let is_before = match is_up {
            true => node < destination,
            false => node > destination,
        };
        (node, destination, next, usize::from(!is_before))
    });
    let routes = Routes::from_table(&network, with_classes).unwrap();
    assert_eq!(routes.classes(), 2);
    assert_eq!(routes.next(5, 1).unwrap().class, 1);
    assert!(may_deadlock(&network, &shortest));
    assert!(!may_deadlock(&network, &routes));
}
