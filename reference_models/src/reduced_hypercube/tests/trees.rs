//! The tree program.

use super::tree::{Place, Program, Relation, check, places, tree};
use super::*;

#[test]
fn the_corrected_program_makes_trees() {
    for dims in (0..=13).chain([16]) {
        let found = places(dims, Program::CORRECT).unwrap();
        assert_eq!(check(dims, &found), Ok(()), "{dims}");
    }
}

#[test]
fn each_correction_alone_is_not_enough() {
    let programs = [
        Program::PRINTED,
        Program {
            starts_from_virtual: true,
            ..Program::PRINTED
        },
        Program {
            moves_ports: true,
            ..Program::PRINTED
        },
    ];
    for program in programs {
        // The table of three dimensions is right.
        assert_eq!(check(3, &places(3, program).unwrap()), Ok(()));
        for dims in 4..=10 {
            let found = check(dims, &places(dims, program).unwrap());
            assert!(found.is_err(), "{dims}: {program:?}");
        }
    }
}

#[test]
fn the_smallest_trees() {
    use Relation::{Child, Parent, Unused};
    assert_eq!(tree(0).unwrap(), [vec![]]);
    assert_eq!(tree(1).unwrap(), [[Child], [Parent]]);
    let two = [
        [Child, Child],
        [Parent, Unused],
        [Child, Parent],
        [Parent, Unused],
    ];
    assert_eq!(tree(2).unwrap(), two);
}

#[test]
fn a_tree_may_have_any_root() {
    for dims in 1..=6 {
        let tree = tree(dims).unwrap();
        for root in 0..1 << dims {
            for node in 0..1 << dims {
                let relations = &tree[node ^ root];
                let parents = relations.iter().filter(|it| **it == Relation::Parent);
                assert_eq!(parents.count(), usize::from(node != root));
                for (port, relation) in relations.iter().enumerate() {
                    let other = tree[node ^ (1 << port) ^ root][port];
                    assert_eq!(*relation == Relation::Child, other == Relation::Parent);
                }
            }
        }
    }
}

#[test]
fn every_other_use_of_a_port_is_found() {
    for dims in 1..=5 {
        let good = places(dims, Program::CORRECT).unwrap();
        for node in 0..1 << dims {
            for port in 0..dims {
                for relation in [Relation::Unused, Relation::Parent, Relation::Child] {
                    let mut changed = good.clone();
                    let place: &mut Place = &mut changed[node];
                    if place.relations[port] != relation {
                        place.relations[port] = relation;
                        assert!(check(dims, &changed).is_err());
                    }
                }
            }
        }
    }
}

#[test]
fn each_check_of_a_tree_can_fail() {
    use Relation::{Child, Parent, Unused};
    let change = |changes: &[(usize, usize, Relation)]| {
        let mut places = places(3, Program::CORRECT).unwrap();
        for &(node, port, relation) in changes {
            places[node].relations[port] = relation;
        }
        check(3, &places).unwrap_err()
    };
    let found = change(&[(7, 0, Unused)]);
    assert_eq!(found, Violation::Disagree { node: 6, port: 0 });
    // Node 7 under two parents.
    let found = change(&[(7, 2, Parent), (3, 2, Child)]);
    assert_eq!(
        found,
        Violation::Parents {
            node: 7,
            parents: 2
        }
    );
    // Node 7 under none.
    let found = change(&[(7, 0, Unused), (6, 0, Unused)]);
    assert_eq!(
        found,
        Violation::Parents {
            node: 7,
            parents: 0
        }
    );
    // Node 7 under node 5 instead of node 6.
    let found = change(&[
        (7, 0, Unused),
        (6, 0, Unused),
        (7, 1, Parent),
        (5, 1, Child),
    ]);
    assert!(matches!(found, Violation::Children { .. }), "{found}");
    // A tree, and a circle beside it: 4, 6, 7 and 5 are each the parent of the next.
    let found = change(&[
        (0, 2, Unused),
        (1, 2, Unused),
        (4, 2, Unused),
        (4, 0, Parent),
        (5, 0, Child),
        (5, 2, Unused),
        (5, 1, Parent),
        (7, 1, Child),
    ]);
    assert!(
        matches!(found, Violation::Children { node: 0, .. }),
        "{found}"
    );
    // The same tree with dimensions 1 and 2 exchanged.
    let swap = |node: usize| node & 1 | (node & 2) << 1 | (node & 4) >> 1;
    let good = places(3, Program::CORRECT).unwrap();
    let swapped: Vec<Place> = (0..8)
        .map(|node| {
            let mut place = good[swap(node)].clone();
            place.relations.swap(1, 2);
            place.current = node;
            place
        })
        .collect();
    let found = check(3, &swapped).unwrap_err();
    assert!(
        matches!(found, Violation::SecondRoot { expected: 4, .. }),
        "{found}"
    );
    let mut renamed = good.clone();
    renamed[5].current = 6;
    let found = check(3, &renamed).unwrap_err();
    assert_eq!(
        found,
        Violation::VirtualAddress {
            node: 5,
            current: 6
        }
    );
    assert!(matches!(
        check(3, &good[1..]),
        Err(Violation::Entries { .. })
    ));
    assert_eq!(tree(25), Err(Violation::Dims { dims: 25 }));
}
