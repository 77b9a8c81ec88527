//! What no tables can be, and how it is refused.

use super::*;
use crate::error::Error;

#[test]
fn what_no_table_can_be_is_refused() {
    let network = ring(4);
    let refused = |change: &dyn Fn(&mut Vec<Numbers>)| {
        let mut all = entries(&network, &Routes::shortest(&network).unwrap());
        change(&mut all);
        let refused = Routes::from_table(&network, all.into_iter());
        refused.unwrap_err().to_string()
    };
    let with = |entry| refused(&move |all| all.push(entry));
    assert_eq!(
        with((4, 0, 1, 0)),
        "node 4 is out of range: the network has nodes 0 to 3"
    );
    assert_eq!(
        with((0, usize::MAX, 1, 0)),
        "node 18446744073709551615 is out of range: the network has nodes 0 to 3"
    );
    assert_eq!(
        with((0, 1, 5, 0)),
        "node 5 is out of range: the network has nodes 0 to 3"
    );
    assert_eq!(
        with((0, 1, 1, 8)),
        "class 8 is out of range: choose 0 to 7, since a link has 8 virtual channels at the most"
    );
    assert_eq!(
        with((2, 2, 1, 0)),
        "node 2 has a route to itself, where worms go to the host: leave it out"
    );
    assert_eq!(
        with((0, 2, 2, 0)),
        "no link leads from node 0 to node 2: its links lead to 1, 3"
    );
    assert_eq!(
        with((0, 2, 1, 0)),
        "the route from node 0 to node 2 is given twice: leave one of the two out"
    );
    assert_eq!(
        refused(&|all| all.retain(|entry| (entry.0, entry.1) != (2, 3))),
        "node 2 has no route to node 3: each node needs one to each other"
    );
    assert_eq!(
        refused(&|all| {
            for entry in all.iter_mut().filter(|entry| entry.1 == 3) {
                entry.2 = [1, 2, 1, 3][entry.0];
            }
        }),
        "the routes to node 3 lead in a circle, 1 -> 2 -> 1: let one of these nodes go on to another"
    );
}

#[test]
fn a_long_circle_is_told_in_part() {
    let mut pairs: Vec<_> = (1..15).map(|node| (node, node % 14 + 1)).collect();
    pairs.push((0, 9));
    let network = both_ways(15, &pairs);
    let all = entries(&network, &Routes::shortest(&network).unwrap());
    let around = all.into_iter().map(|(node, to, next, class)| match to {
        0 => (node, to, node % 14 + 1, class),
        _ => (node, to, next, class),
    });
    assert_eq!(
        Routes::from_table(&network, around)
            .unwrap_err()
            .to_string(),
        "the routes to node 0 lead in a circle, 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> 9 -> 10 -> 11 -> 12 -> ... -> 1: let one of \
         these nodes go on to another"
    );
}

#[test]
fn networks_that_lead_nowhere_are_refused() {
    let refused = |nodes, links: &[(usize, usize)]| {
        let network = Irregular::new(nodes, links).unwrap();
        let shortest = Routes::shortest(&network).unwrap_err();
        // A table cannot have what no links lead to.
        let table = Routes::from_table(&network, std::iter::empty());
        assert!(matches!(table, Err(Error::Refusal(_))));
        shortest.to_string()
    };
    assert_eq!(
        refused(3, &[(0, 1), (1, 0)]),
        "node 0 cannot reach node 2: no link comes to node 2: add one, or leave no gap in the numbers of nodes"
    );
    assert_eq!(
        refused(2, &[(0, 1)]),
        "node 1 cannot reach node 0: no link leaves node 1: add one, or leave no gap in the numbers of nodes"
    );
    let apart = [(0, 1), (1, 0), (2, 3), (3, 2)];
    let of_two_parts = "node 0 cannot reach node 2: no path of links leads there: add links, or make a network of each part";
    assert_eq!(refused(4, &apart), of_two_parts);
    let up_down = |nodes, links: &[(usize, usize)]| {
        let network = Irregular::new(nodes, links).unwrap();
        Routes::up_down(&network).unwrap_err().to_string()
    };
    assert_eq!(up_down(4, &apart), of_two_parts);
    assert_eq!(
        up_down(3, &[(0, 1), (1, 2), (2, 0), (1, 0)]),
        "link 1 -> 2: it has none back, and up*/down* routing needs each link in both directions: add link 2 -> 1, or take other \
         routes"
    );
    let network = Irregular::new(2, &[(0, 1)]).unwrap();
    let entry = [(1, 0, 0, 0)].into_iter();
    assert_eq!(
        Routes::from_table(&network, entry).unwrap_err().to_string(),
        "no link leads from node 1 to node 0: none leaves it"
    );
}
