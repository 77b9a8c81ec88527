//! Mistakes with flits of several bits, each of which a check finds, and wires that links do not have.

use super::super::adaptive::with_channels;
use super::super::link_mistakes::{crowd, mistakes_are_found};
use super::super::lists::{network, up_and_down};
use super::super::*;
use super::with_wires;

/// The mistakes that need two wires.
const OF_FLITS: [Variant; 6] = [
    Variant::JoinsGroups,
    Variant::ReadsBehindFirst,
    Variant::ReadsPadding,
    Variant::TurnsFlits,
    Variant::PadsWithOnes,
    Variant::DropsPartOfFlit,
];

/// Answers and addresses, the last by tables.
fn machines(wires: usize) -> [Machine; 4] {
    let mut random = ChaCha8Rng::seed_from_u64(0);
    let list = network(up_and_down(25, 10, 2, &mut random));
    [
        with_channels(torus(5, 2, Routing::Order), 2),
        with_channels(torus(5, 2, Routing::Valiant), 4),
        with_channels(torus(5, 2, Routing::Adaptive), 3),
        with_channels(list, 2),
    ]
    .map(|machine| with_wires(machine, wires))
}

fn found(machine: Machine, messages: &[Message], variant: Variant) -> Violation {
    match run_variant(machine, messages, LIMIT, variant) {
        Ok(run) => panic!("nothing found: {:?}", run.outcome),
        Err(violation) => violation,
    }
}

/// In random permutations of the CCC of three levels.
fn found_in_ccc(wires: usize, variant: Variant) -> Violation {
    let machine = with_wires(machine(ccc(3)), wires);
    found(machine, &permutation(24, 21, 0), variant)
}

#[test]
fn the_same_runs_without_a_mistake_are_fine() {
    for wires in [2, 3, 8] {
        for machine in machines(wires) {
            bit_times(&run(machine, &crowd(), LIMIT).unwrap());
        }
        let machine = with_wires(machine(ccc(3)), wires);
        bit_times(&run(machine, &permutation(24, 21, 0), LIMIT).unwrap());
    }
}

/// With one wire they change nothing.
#[test]
fn on_one_wire_they_are_no_mistakes() {
    for machine in machines(1).into_iter().chain([machine(ccc(3))]) {
        let messages = permutation(24, 21, 0);
        let right = run(machine, &messages, LIMIT).unwrap();
        for variant in OF_FLITS {
            let run = run_variant(machine, &messages, LIMIT, variant);
            assert_eq!(run.as_ref(), Ok(&right));
        }
    }
}

/// A cross hop has the header 1 and 1: the first channel reads both.
#[test]
fn answers_to_two_channels_in_one_flit() {
    let machine = with_wires(machine(ccc(2)), 2);
    let expected = Violation::NotPadded {
        channel: Channel {
            node: 0,
            copy: 0,
            port: Port::Injection,
        },
        bit_time: 1,
        message: 0,
    };
    let variant = Variant::JoinsGroups;
    assert_eq!(found(machine, &[message(0, 1, 0, 4)], variant), expected);
    for wires in [2, 3, 8, 64] {
        for machine in &machines(wires)[..2] {
            let violation = found(*machine, &crowd(), variant);
            assert!(
                matches!(
                    violation,
                    Violation::NotPadded { .. } | Violation::BodyConsumed { .. }
                ),
                "{violation}"
            );
        }
    }
}

/// Of the cross hop's first flit 10 the 0 declines to cross, and the worm takes the next candidate: eject, from 3 on.
#[test]
fn zeros_behind_the_first_one() {
    let machine = with_wires(machine(ccc(2)), 2);
    let variant = Variant::ReadsBehindFirst;
    let violation = found(machine, &[message(0, 1, 0, 4)], variant);
    assert!(
        matches!(violation, Violation::WrongNode { bit_time: 3, .. }),
        "{violation}"
    );
    for wires in [2, 3, 8, 64] {
        for machine in &machines(wires)[..2] {
            found(*machine, &crowd(), variant);
        }
    }
}

/// A straight hop in the CCC on three wires, header 000 and 010. The third 0 of the first flit declines the last candidate, so that
/// the next flit is read in 2, too, and in 3 the worm asks for a fifth candidate of three.
#[test]
fn zeros_for_the_last_candidate() {
    let machine = with_wires(machine(ccc(2)), 3);
    let variant = Variant::ReadsPadding;
    let expected = Violation::NoSuchChannel {
        channel: Channel {
            node: 0,
            copy: 0,
            port: Port::Injection,
        },
        bit_time: 3,
    };
    assert_eq!(found(machine, &[message(0, 4, 0, 4)], variant), expected);
    for wires in [3, 8, 64] {
        for machine in &machines(wires)[..2] {
            let violation = found(*machine, &crowd(), variant);
            assert!(
                matches!(
                    violation,
                    Violation::BodyConsumed { .. } | Violation::NoSuchChannel { .. }
                ),
                "{violation}"
            );
        }
    }
}

/// Answers, addresses or the body come on other wires.
#[test]
fn flits_turned_round() {
    let variant = Variant::TurnsFlits;
    for wires in [2, 3, 8, 64] {
        let [order, _, adaptive, listed] = machines(wires);
        for machine in [adaptive, listed] {
            let violation = found(machine, &crowd(), variant);
            assert!(
                matches!(violation, Violation::WrongAddress { .. }),
                "{violation}"
            );
        }
        found(order, &crowd(), variant);
        // It is ejected only.
        let violation = found(order, &[message(0, 0, 0, 21)], variant);
        assert!(
            matches!(violation, Violation::Changed { .. }),
            "{violation}"
        );
    }
}

/// A body of 21 bits leaves wires over in its last flit.
#[test]
fn bodies_that_end_wrongly() {
    for variant in [Variant::PadsWithOnes, Variant::DropsPartOfFlit] {
        for wires in [2, 4, 8] {
            let of_links = machines(wires).map(|machine| {
                let messages = permutation(25, 21, 0);
                found(machine, &messages, variant)
            });
            let of_ccc = found_in_ccc(wires, variant);
            for violation in of_links.into_iter().chain([of_ccc]) {
                assert!(
                    matches!(violation, Violation::Changed { .. }),
                    "{violation}"
                );
            }
        }
        // Nothing is left over.
        let machine = with_wires(machine(ccc(3)), 7);
        bit_times(&run_variant(machine, &permutation(24, 21, 0), LIMIT, variant).unwrap());
    }
    // A flit that is not full is the whole body.
    let violation = found_in_ccc(64, Variant::PadsWithOnes);
    assert!(
        matches!(violation, Violation::Changed { .. }),
        "{violation}"
    );
}

/// Of two flits, or of three.
#[test]
fn flits_of_an_address_in_another_order() {
    for wires in [2, 3, 4] {
        let [.., adaptive, listed] = machines(wires);
        for machine in [adaptive, listed] {
            let found = |variant| found(machine, &crowd(), variant);
            let violation = found(Variant::RepeatsAddressBackwards);
            assert!(
                matches!(violation, Violation::WrongAddress { .. }),
                "{violation}"
            );
            let violation = found(Variant::KeepsAddress);
            assert!(
                matches!(violation, Violation::OutOfOrder { expected: 0, found, .. } if found > 1),
                "{violation}"
            );
        }
    }
}

/// Those that one wire has are found on several, too.
#[test]
fn mistakes_of_all_numbers_of_wires() {
    for wires in [2, 8] {
        for machine in machines(wires) {
            mistakes_are_found(machine);
        }
        let violation = found_in_ccc(wires, Variant::KeepsHeaderBits);
        assert!(
            matches!(violation, Violation::OutOfOrder { .. }),
            "{violation}"
        );
    }
}

#[test]
fn wires_that_links_do_not_have() {
    for wire_bits in [0, 65, usize::MAX] {
        for machine in machines(wire_bits) {
            let expected = Violation::WireBits { wire_bits };
            assert_eq!(run(machine, &[], LIMIT), Err(expected));
        }
    }
    for wire_bits in 1..=64 {
        for machine in machines(wire_bits) {
            assert!(run(machine, &[], LIMIT).is_ok());
        }
    }
}
