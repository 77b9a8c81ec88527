//! The model itself: it carries what is right, and each mistake is seen.

use super::guests::{Levels, are_cycles, is_complete_tree};
use super::{Carried, Edge, Hop, Laid, Measures, Violation};

/// One edge from node 0 to node 3 over both shortest paths, and one back over another wire.
fn laid() -> Laid {
    Laid {
        dimensions: 2,
        edges: vec![
            Edge {
                from: 0,
                to: 3,
                paths: vec![vec![0, 1], vec![1, 0]],
            },
            Edge {
                from: 3,
                to: 2,
                paths: vec![vec![0], vec![1, 0, 1]],
            },
        ],
        packets: vec![0, 1],
    }
}

fn hop(step: usize, from: usize, dimension: usize, packet: usize) -> Hop {
    Hop {
        step,
        from,
        dimension,
        packet,
    }
}

fn hops() -> Vec<Hop> {
    vec![
        hop(0, 0, 0, 0),
        hop(0, 0, 1, 1),
        hop(1, 1, 1, 0),
        hop(1, 2, 0, 1),
        hop(0, 3, 0, 2),
        hop(0, 3, 1, 3),
        hop(1, 1, 0, 3),
        hop(2, 0, 1, 3),
    ]
}

fn messages() -> Vec<Vec<bool>> {
    vec![vec![true, false, true], vec![false, true, true]]
}

fn carried(laid: &Laid, hops: &[Hop]) -> Result<Carried, Violation> {
    laid.carry(&messages(), hops)
}

#[test]
fn messages_come_as_they_were_sent() {
    let carried = carried(&laid(), &hops()).unwrap();
    assert_eq!(carried.messages, messages());
    assert_eq!((carried.steps, carried.crossings), (3, 8));
    // Two begin at node 0 and two at node 3; in the end two are at node 2 and two at node 3.
    assert_eq!(carried.held, [2, 2, 2, 2]);
    let measures = Measures {
        width: 2,
        dilation: 3,
        congestion: 2,
    };
    assert_eq!(laid().measures(), Ok(measures));
}

/// Changes one hop.
fn changed(number: usize, change: impl Fn(&mut Hop)) -> Violation {
    let mut hops = hops();
    change(&mut hops[number]);
    carried(&laid(), &hops).unwrap_err()
}

#[test]
fn two_packets_on_a_wire_are_seen() {
    // Packet 1 is to go the way of packet 0.
    let violation = changed(1, |hop| hop.dimension = 0);
    let due = Violation::WireTwice {
        step: 0,
        from: 0,
        dimension: 0,
        packets: [0, 1],
    };
    assert_eq!(violation, due);
}

#[test]
fn a_packet_that_is_elsewhere_is_seen() {
    let violation = changed(2, |hop| hop.from = 3);
    assert!(matches!(
        violation,
        Violation::NotHere {
            packet: 0,
            from: 3,
            at: 1,
            ..
        }
    ));
    // One step too late for what follows.
    let violation = changed(5, |hop| hop.step = 2);
    assert!(matches!(
        violation,
        Violation::NotHere {
            packet: 3,
            step: 1,
            at: 3,
            ..
        }
    ));
}

#[test]
fn a_packet_that_goes_on_before_it_has_come_is_seen() {
    let violation = changed(2, |hop| hop.step = 0);
    let due = Violation::TooEarly {
        step: 0,
        from: 1,
        packet: 0,
    };
    assert_eq!(violation, due);
}

#[test]
fn a_packet_that_leaves_its_path_is_seen() {
    // The same packets, each on the path of the other.
    let mut laid = laid();
    laid.packets = vec![1, 0];
    laid.edges[1].paths.swap(0, 1);
    let violation = carried(&laid, &hops()).unwrap_err();
    let due = Violation::Strays {
        step: 0,
        packet: 0,
        dimension: 0,
    };
    assert_eq!(violation, due);
}

#[test]
fn packets_that_stay_behind_are_seen() {
    for left in [2, 3, 4, 7] {
        let mut hops = hops();
        let Hop { from, packet, .. } = hops.remove(left);
        let violation = carried(&laid(), &hops).unwrap_err();
        assert!(
            matches!(violation, Violation::Lost { packet: lost, at, .. } if lost == packet && at == from),
            "{violation}"
        );
    }
}

#[test]
fn what_there_is_not_is_seen() {
    let violation = changed(0, |hop| hop.dimension = 2);
    assert!(matches!(
        violation,
        Violation::NoSuchWire {
            node: 0,
            dimension: 2
        }
    ));
    let violation = changed(0, |hop| hop.from = 4);
    assert!(matches!(
        violation,
        Violation::NoSuchWire {
            node: 4,
            dimension: 0
        }
    ));
    let violation = changed(0, |hop| hop.packet = 4);
    assert_eq!(violation, Violation::NoSuchPacket { step: 0, packet: 4 });
}

#[test]
fn paths_that_end_elsewhere_or_are_too_few_are_seen() {
    let mut ends = laid();
    ends.edges[1].paths[1].pop();
    let due = Violation::PathEnds {
        edge: 1,
        path: 1,
        ends: 0,
        expected: 2,
    };
    assert_eq!(ends.measures(), Err(due.clone()));
    assert_eq!(carried(&ends, &hops()), Err(due));
    let mut fewer = laid();
    fewer.edges[1].paths.pop();
    let due = Violation::Paths {
        edge: 1,
        paths: 1,
        width: 2,
    };
    assert_eq!(fewer.measures(), Err(due));
}

#[test]
fn congestion_is_counted_by_direction() {
    let mut laid = laid();
    laid.edges[1].paths = vec![vec![0], vec![0, 1, 1]];
    assert_eq!(laid.measures().unwrap().congestion, 2);
    laid.edges[1].paths = vec![vec![0], vec![0, 0, 0]];
    assert_eq!(laid.measures().unwrap().congestion, 3);
}

#[test]
fn cycles_are_told_from_others() {
    let ring = |first: usize, length: usize| {
        (0..length).map(move |at| (first + at, first + (at + 1) % length))
    };
    let one: Vec<_> = ring(0, 8).collect();
    let two: Vec<_> = ring(0, 4).chain(ring(4, 4)).collect();
    assert!(are_cycles(8, &one, 1) && are_cycles(8, &two, 2));
    assert!(!are_cycles(8, &one, 2) && !are_cycles(8, &two, 1) && !are_cycles(8, &one[1..], 1));
    let mut turned = one;
    turned.swap(0, 3);
    assert!(are_cycles(8, &turned, 1), "edges are in any order");
    turned[3].1 = 2;
    assert!(!are_cycles(8, &turned, 1));
}

/// A network as it is printed, its vertices numbered backwards.
fn printed(of: Levels, levels: usize) -> (Vec<usize>, Vec<(usize, usize)>) {
    let columns = 1 << levels;
    let number = |level: usize, column: usize| levels * columns - 1 - (level * columns + column);
    let mut edges = Vec::new();
    let ranks = if of == Levels::Fft {
        levels - 1
    } else {
        levels
    };
    for level in 0..ranks {
        for column in 0..columns {
            let next = (level + 1) % levels;
            let cross = if of == Levels::Ccc { level } else { next };
            edges.push((number(level, column), number(next, column)));
            edges.push((number(level, column), number(cross, column ^ (1 << level))));
        }
    }
    ((0..levels * columns).collect(), edges)
}

#[test]
fn networks_with_levels_are_told_from_others() {
    let all = [Levels::Ccc, Levels::Butterfly, Levels::Fft];
    for levels in 2..=4 {
        for of in all {
            let (vertices, mut edges) = printed(of, levels);
            for other in all {
                assert_eq!(
                    other.is(levels, &vertices, &edges),
                    other == of,
                    "{of:?} {other:?}"
                );
            }
            assert!(!of.is(levels + 1, &vertices, &edges));
            let (one, other) = (edges[1].1, edges[3].1);
            (edges[1].1, edges[3].1) = (other, one);
            assert!(!of.is(levels, &vertices, &edges), "{of:?} {levels}");
        }
    }
}

#[test]
fn trees_are_told_from_others() {
    let mut edges: Vec<_> = (1..15).map(|child| ((child - 1) / 2, child)).collect();
    assert!(is_complete_tree(4, 15, &edges));
    assert!(!is_complete_tree(3, 15, &edges) && !is_complete_tree(4, 14, &edges[..13]));
    edges[13].0 = 5;
    assert!(!is_complete_tree(4, 15, &edges));
}
