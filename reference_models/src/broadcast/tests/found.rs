//! Schedules that were found by search, and that beat the bounds which Ho & Johnsson call strict.

use super::*;

/// Sends as (step, from, to, packet).
type List = [(usize, usize, usize, usize)];

/// Two dimensions, two packets, two-way: three steps, where the paper says `P + n = 4`.
const TWO_WAY_2: &List = &[
    (0, 0, 1, 0),
    (1, 0, 2, 1),
    (1, 1, 3, 0),
    (2, 0, 1, 1),
    (2, 2, 3, 1),
    (2, 3, 2, 0),
];

/// Two dimensions, two packets, one-way: four steps, where the paper says `2P + n - 1 = 5`.
const ONE_WAY_2: &List = &[
    (0, 0, 2, 0),
    (1, 2, 3, 0),
    (2, 0, 2, 1),
    (2, 3, 1, 0),
    (3, 0, 1, 1),
    (3, 2, 3, 1),
];

/// The same with three packets: five steps instead of seven.
const ONE_WAY_3: &List = &[
    (0, 0, 2, 0),
    (1, 0, 1, 1),
    (1, 2, 3, 0),
    (2, 0, 2, 1),
    (2, 3, 1, 0),
    (3, 0, 2, 2),
    (3, 1, 3, 1),
    (4, 0, 1, 2),
    (4, 2, 3, 2),
];

/// The same with four packets: seven steps instead of nine.
const ONE_WAY_4: &List = &[
    (0, 0, 2, 0),
    (1, 2, 3, 0),
    (2, 0, 2, 1),
    (2, 3, 1, 0),
    (3, 0, 1, 2),
    (3, 2, 3, 1),
    (4, 0, 2, 2),
    (4, 3, 1, 1),
    (5, 0, 2, 3),
    (5, 1, 3, 2),
    (6, 0, 1, 3),
    (6, 2, 3, 3),
];

/// The sends of a list.
fn sends(list: &List) -> Vec<Send> {
    let send = |&(step, from, to, packet): &(usize, usize, usize, usize)| Send {
        step,
        from,
        to,
        packet,
    };
    list.iter().map(send).collect()
}

/// Steps of a list, which passes, and of the multiple trees.
fn both(ports: Ports, packets: usize, list: &List) -> (usize, usize) {
    let outcome = check(2, 0, packets, ports, false, &sends(list)).unwrap();
    assert_eq!(outcome.sends, 3 * packets);
    let trees = Broadcast {
        algorithm: Algorithm::MultipleTrees,
        ports,
        dims: 2,
        source: 0,
        packets,
    };
    (outcome.steps, trees.run().unwrap().steps)
}

#[test]
fn two_way() {
    assert_eq!(both(Ports::TwoWay, 2, TWO_WAY_2), (3, 4));
}

#[test]
fn one_way() {
    assert_eq!(both(Ports::OneWay, 2, ONE_WAY_2), (4, 5));
    assert_eq!(both(Ports::OneWay, 3, ONE_WAY_3), (5, 7));
    assert_eq!(both(Ports::OneWay, 4, ONE_WAY_4), (7, 9));
}

#[test]
fn the_two_way_list_is_not_one_way() {
    let violation = check(2, 0, 2, Ports::OneWay, false, &sends(TWO_WAY_2)).unwrap_err();
    assert_eq!(
        violation,
        Violation::TooManyPorts {
            step: 2,
            node: 2,
            ports: Ports::OneWay,
            sends_on: vec![0],
            receives_on: vec![0],
        }
    );
}
