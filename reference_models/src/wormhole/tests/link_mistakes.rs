//! Mistakes planted in hypercubes and grids, and those that networks that are listed share with them, each of which a check
//! finds, and such machines that are refused.

use super::adaptive::with_channels;
use super::lists::{network, up_and_down};
use super::*;

/// A torus of radix 5 with datelines, in order of dimensions.
fn in_order() -> Machine {
    Machine {
        virtual_channels: 4,
        ..machine(torus(5, 2, Routing::Order))
    }
}

/// The same in two phases.
fn in_two_phases() -> Machine {
    Machine {
        virtual_channels: 8,
        ..machine(torus(5, 2, Routing::Valiant))
    }
}

/// By addresses, with two escape channels.
fn by_address() -> Machine {
    Machine {
        virtual_channels: 3,
        ..machine(torus(5, 2, Routing::Adaptive))
    }
}

/// By tables, one channel of each of two classes.
fn by_table() -> Machine {
    let mut random = ChaCha8Rng::seed_from_u64(0);
    with_channels(network(up_and_down(25, 10, 2, &mut random)), 2)
}

/// Long and short worms: a short one can wait in a channel with its tail.
pub fn crowd() -> Vec<Message> {
    let mut messages = permutation(25, 40, 0);
    for seed in 1..8 {
        messages.extend(permutation(25, 1, seed));
    }
    messages.extend(permutation(25, 40, 8));
    through(messages, 25, 0)
}

fn found(machine: Machine, variant: Variant) -> Violation {
    match run_variant(machine, &crowd(), LIMIT, variant) {
        Ok(run) => panic!("nothing found: {:?}", run.outcome),
        Err(violation) => violation,
    }
}

#[test]
fn the_same_runs_without_a_mistake_are_fine() {
    for machine in [in_order(), in_two_phases(), by_address(), by_table()] {
        bit_times(&run(machine, &crowd(), LIMIT).unwrap());
    }
}

#[test]
fn a_class_that_is_never_raised() {
    let variant = Variant::NeverRaisesVirtualChannel;
    for (machine, classes) in [(in_order(), 0..2), (in_two_phases(), 0..4)] {
        let violation = found(machine, variant);
        assert!(
            matches!(violation, Violation::WrongClass { class, .. } if class % 2 == 1 && classes.contains(&class)),
            "{violation}"
        );
    }
}

#[test]
fn a_class_that_is_kept_in_the_next_dimension() {
    for machine in [in_order(), in_two_phases()] {
        let violation = found(machine, Variant::KeepsDatelines);
        assert!(
            matches!(violation, Violation::WrongClass { class, .. } if class % 2 == 0),
            "{violation}"
        );
    }
}

#[test]
fn a_second_phase_in_the_classes_of_the_first() {
    for machine in [
        in_two_phases(),
        Machine {
            virtual_channels: 2,
            ..in_two_phases()
        },
    ] {
        let violation = found(machine, Variant::NeverLeavesFirstPhase);
        assert!(
            matches!(violation, Violation::WrongClass { class, .. } if class > 0),
            "{violation}"
        );
    }
}

#[test]
fn the_last_free_lane() {
    for machine in [in_order(), in_two_phases(), by_address()] {
        let violation = found(machine, Variant::AsksForLastFree);
        assert!(
            matches!(violation, Violation::NotFirstFree { .. }),
            "{violation}"
        );
    }
}

#[test]
fn a_hop_that_leads_away() {
    let violation = found(by_address(), Variant::LeadsAway);
    assert!(
        matches!(violation, Violation::NotNearer { .. }),
        "{violation}"
    );
}

#[test]
fn an_escape_in_another_order() {
    let violation = found(by_address(), Variant::EscapesInAnyOrder);
    assert!(
        matches!(violation, Violation::WrongEscape { .. }),
        "{violation}"
    );
}

#[test]
fn an_escape_in_the_class_behind_the_wrap() {
    let violation = found(by_address(), Variant::NeverRaisesVirtualChannel);
    assert!(
        matches!(violation, Violation::WrongEscape { .. }),
        "{violation}"
    );
}

#[test]
fn an_address_that_is_not_sent_on() {
    for (machine, address_bits) in [(by_address(), 6), (by_table(), 5)] {
        let violation = found(machine, Variant::KeepsAddress);
        assert!(
            matches!(violation, Violation::OutOfOrder { expected: 0, found, .. } if found == address_bits),
            "{violation}"
        );
    }
}

#[test]
fn an_address_sent_backwards() {
    for machine in [by_address(), by_table()] {
        let violation = found(machine, Variant::RepeatsAddressBackwards);
        assert!(
            matches!(violation, Violation::WrongAddress { .. }),
            "{violation}"
        );
    }
}

/// The bits of an address are 6, after which worms ask; or 5, which are looked up before.
#[test]
fn a_credit_for_a_bit_of_the_address() {
    for machine in [by_address(), by_table()] {
        let violation = found(machine, Variant::ReturnsCreditsForAddress);
        assert!(
            matches!(violation, Violation::Credits { bit_time: 8, .. }),
            "{violation}"
        );
    }
}

/// Those of the other networks are found here, too; without lanes, so that worms wait.
#[test]
fn mistakes_of_all_networks() {
    let halved = |machine: Machine| Machine {
        virtual_channels: machine.virtual_channels / 2,
        ..machine
    };
    let halves = [in_order(), in_two_phases()].map(halved);
    for machine in halves.into_iter().chain([by_address(), by_table()]) {
        mistakes_are_found(machine);
    }
}

/// Those that do not ask what the network is.
pub fn mistakes_are_found(machine: Machine) {
    let found = |variant| found(machine, variant);
    assert!(matches!(
        found(Variant::GrantsWithoutAllCredits),
        Violation::TwoWorms { .. }
    ));
    assert!(matches!(
        found(Variant::ReturnsCreditsTwice),
        Violation::Credits { .. }
    ));
    assert!(matches!(
        found(Variant::SendsWithoutCredit),
        Violation::Overflow { .. }
    ));
    assert!(matches!(
        found(Variant::CarriesEveryReadyChannel),
        Violation::TwoBits { .. }
    ));
    assert!(matches!(
        found(Variant::LastBitFirst),
        Violation::OutOfOrder { .. }
    ));
    assert!(matches!(
        found(Variant::ChangesFirstBit),
        Violation::Changed { .. }
    ));
    assert!(matches!(
        found(Variant::NeverGrants),
        Violation::Standstill { .. }
    ));
}

fn refused(network: Network, virtual_channels: usize) -> Option<Violation> {
    let machine = Machine {
        virtual_channels,
        ..machine(network)
    };
    run(machine, &[], LIMIT).err()
}

#[test]
fn machines_that_there_are_not() {
    let routing = Routing::Order;
    for dimensions in [0, 17] {
        let violation = refused(hypercube(dimensions, routing), 1);
        assert_eq!(violation, Some(Violation::Dimensions { dimensions }));
    }
    for (radix, dimensions) in [
        (2, 2),
        (17, 2),
        (4, 0),
        (4, 11),
        (16, 6),
        (3, 13),
        (16, 1 << 40),
    ] {
        for network in [
            torus(radix, dimensions, routing),
            mesh(radix, dimensions, routing),
        ] {
            let violation = refused(network, 1);
            assert_eq!(violation, Some(Violation::Grid { radix, dimensions }));
        }
    }
    for (network, links, virtual_channels) in [
        (hypercube(3, routing), 3, 0),
        (hypercube(3, routing), 3, 9),
        (hypercube(9, routing), 9, 8),
        (mesh(3, 5, routing), 10, 7),
    ] {
        let expected = Violation::LinkChannels {
            virtual_channels,
            links,
        };
        assert_eq!(refused(network, virtual_channels), Some(expected));
    }
    for (network, virtual_channels) in [
        (hypercube(1, routing), 8),
        (hypercube(9, routing), 7),
        (hypercube(8, routing), 8),
        (mesh(3, 5, routing), 6),
        (torus(16, 2, routing), 8),
    ] {
        assert_eq!(refused(network, virtual_channels), None);
    }
    let machine = Machine {
        buffer_bits: 0,
        ..machine(torus(3, 2, routing))
    };
    assert_eq!(run(machine, &[], LIMIT), Err(Violation::NoBuffer));
}

#[test]
fn a_node_between_that_there_is_not() {
    let message = Message {
        intermediate: Some(25),
        ..message(0, 1, 0, 4)
    };
    let expected = Violation::NoSuchNode {
        message: 0,
        node: 25,
        nodes: 25,
    };
    let violation = run(in_two_phases(), std::slice::from_ref(&message), LIMIT).unwrap_err();
    assert_eq!(violation, expected);
    // In order of dimensions it is of no account.
    bit_times(&run(in_order(), &[message], LIMIT).unwrap());
}
