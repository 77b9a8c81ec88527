//! Planted mistakes, each of which a check finds, and machines and messages that are refused.

use super::*;

/// What is found in a random permutation of the copies of four levels.
fn found(variant: Variant) -> Violation {
    let network = Network::Copies {
        levels: 4,
        copies: 4,
    };
    run_variant(machine(network), &permutation(64, 64, 0), LIMIT, variant).unwrap_err()
}

#[test]
fn the_same_run_without_a_mistake_is_fine() {
    let network = Network::Copies {
        levels: 4,
        copies: 4,
    };
    bit_times(&run(machine(network), &permutation(64, 64, 0), LIMIT).unwrap());
}

#[test]
fn a_channel_granted_before_it_is_empty() {
    let violation = found(Variant::GrantsWithoutAllCredits);
    assert!(
        matches!(violation, Violation::TwoWorms { .. }),
        "{violation}"
    );
}

#[test]
fn a_credit_given_twice() {
    let violation = found(Variant::ReturnsCreditsTwice);
    assert!(
        matches!(violation, Violation::Credits { bit_time: 1, .. }),
        "{violation}"
    );
}

#[test]
fn a_bit_sent_without_a_credit() {
    let violation = found(Variant::SendsWithoutCredit);
    assert!(
        matches!(violation, Violation::Overflow { .. }),
        "{violation}"
    );
}

#[test]
fn two_bits_on_a_wire() {
    let violation = found(Variant::CarriesEveryReadyChannel);
    assert!(
        matches!(violation, Violation::TwoBits { .. }),
        "{violation}"
    );
}

#[test]
fn bits_that_overtake() {
    let violation = found(Variant::LastBitFirst);
    assert!(
        matches!(violation, Violation::OutOfOrder { .. }),
        "{violation}"
    );
}

#[test]
fn a_virtual_channel_that_is_never_raised() {
    let violation = found(Variant::NeverRaisesVirtualChannel);
    assert!(
        matches!(violation, Violation::VirtualChannel { datelines: 1, .. }),
        "{violation}"
    );
}

#[test]
fn a_worm_that_ends_too_early() {
    let violation = found(Variant::EjectsEarly);
    assert!(
        matches!(violation, Violation::WrongNode { .. }),
        "{violation}"
    );
}

#[test]
fn a_bit_that_is_changed() {
    let violation = found(Variant::ChangesFirstBit);
    assert!(
        matches!(
            violation,
            Violation::Changed {
                message: 0,
                piece: 0
            }
        ),
        "{violation}"
    );
}

#[test]
fn a_standstill_without_a_cycle() {
    let violation = found(Variant::NeverGrants);
    assert!(
        matches!(violation, Violation::Standstill { .. }),
        "{violation}"
    );
}

fn refused(machine: Machine, message: Message) -> Violation {
    run(machine, &[message], LIMIT).unwrap_err()
}

#[test]
fn machines_and_messages_that_there_are_not() {
    let good = message(0, 1, 0, 4);
    for network in [
        ccc(1),
        ccc(17),
        Network::Copies {
            levels: 6,
            copies: 1,
        },
    ] {
        let violation = refused(machine(network), good.clone());
        assert!(matches!(violation, Violation::Levels { .. }), "{violation}");
    }
    let levels = 2;
    for copies in [0, 3] {
        let network = Network::Copies { levels, copies };
        let expected = Violation::Copies { copies, levels };
        assert_eq!(refused(machine(network), good.clone()), expected);
    }
    let machine = machine(Network::Copies { levels, copies: 2 });
    for virtual_channels in [0, 4] {
        let other = Machine {
            virtual_channels,
            ..machine
        };
        let expected = Violation::VirtualChannels { virtual_channels };
        assert_eq!(refused(other, good.clone()), expected);
    }
    let other = Machine {
        buffer_bits: 0,
        ..machine
    };
    assert_eq!(refused(other, good), Violation::NoBuffer);
    let expected = Violation::NoSuchNode {
        message: 0,
        node: 8,
        nodes: 8,
    };
    assert_eq!(refused(machine, message(0, 8, 0, 4)), expected);
    assert_eq!(refused(machine, message(8, 0, 0, 4)), expected);
    let expected = Violation::NoBits { message: 0 };
    assert_eq!(refused(machine, message(0, 1, 0, 0)), expected);
}
