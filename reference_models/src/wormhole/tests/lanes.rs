//! Several channels of one class: the first that is free is asked for.

use super::*;

fn with_lanes(virtual_channels: usize) -> Machine {
    Machine {
        virtual_channels,
        ..machine(hypercube(2, Routing::Order))
    }
}

/// From 1 to 3, body B2 to B5, and from 0 by 1 to 3, body B2 and B3: headers 01 and 11. The first is given the channel of
/// dimension 1 in 3, and the second wants it in 5.
///
/// With one channel B2 to B5 of the first leave in 4, 5, 7, 8, and are ejected from 6 to 9. In 10 its channel is empty and
/// the second is given it; B2 leaves in 11, asks in 12, and is ejected in 13.
#[test]
fn a_worm_waits_for_the_only_lane() {
    let messages = [message(1, 3, 0, 4), message(0, 3, 0, 2)];
    let run = run(with_lanes(1), &messages, LIMIT).unwrap();
    assert_eq!(times(&run), [(0, 6, 9), (0, 13, 14)]);
}

/// With two it is given the other one in 5, and sends B2 in 6, when the first has no credit. The first sends B4 in 7, the
/// second B3 in 8, and the first B5 in 9, which is ejected in 10. The second asks for eject in 11, and has it in 12.
#[test]
fn a_worm_takes_the_second_lane() {
    let messages = [message(1, 3, 0, 4), message(0, 3, 0, 2)];
    for virtual_channels in 2..=8 {
        let run = run(with_lanes(virtual_channels), &messages, LIMIT).unwrap();
        assert_eq!(times(&run), [(0, 6, 10), (0, 12, 13)]);
        let wire = Wire::Dimension {
            node: 1,
            dimension: 1,
        };
        assert_eq!(run.wires[&wire], 6);
    }
}

/// In 5 the worm from 0 to 3 asks for dimension 1 at node 1, and one from 1 to 0, created in 3, for dimension 0. Both are
/// given what they ask for, but by a weak switch only dimension 0, and the other in 6. With headers 11 and 10, the first is
/// ejected from 8 on, or from 9, and the other in any case from 9 on.
#[test]
fn a_weak_switch_makes_one_connection_in_a_bit_time() {
    let messages = [message(0, 3, 0, 5), message(1, 0, 3, 5)];
    for virtual_channels in 1..=8 {
        let strong = with_lanes(virtual_channels);
        let weak = Machine {
            switch: Switch::Weak,
            ..strong
        };
        let times = |machine| times(&run(machine, &messages, LIMIT).unwrap());
        assert_eq!(times(strong), [(0, 8, 12), (3, 9, 13)]);
        assert_eq!(times(weak), [(0, 9, 13), (3, 9, 13)]);
    }
}

/// Everything arrives with any number of lanes.
#[test]
fn crowds_arrive_over_lanes() {
    for virtual_channels in [1, 2, 3, 4, 8] {
        for routing in [Routing::Order, Routing::Valiant] {
            if (routing, virtual_channels) == (Routing::Valiant, 1) {
                continue;
            }
            for (buffer_bits, switch) in [(2, Switch::Strong), (1, Switch::Weak)] {
                let machine = Machine {
                    virtual_channels,
                    buffer_bits,
                    switch,
                    ..machine(hypercube(4, routing))
                };
                for seed in 0..5 {
                    let messages = through(permutation(16, 40, seed), 16, seed);
                    bit_times(&run(machine, &messages, LIMIT).unwrap());
                }
            }
        }
    }
}
