//! Mistakes planted in networks that are listed, each of which a check finds, and lists that are refused.

use super::adaptive::with_channels;
use super::link_mistakes::crowd;
use super::lists::{complete, fork, network, ring, up_and_down};
use super::*;

/// Two classes of two channels each.
fn by_table() -> Machine {
    let mut random = ChaCha8Rng::seed_from_u64(0);
    with_channels(network(up_and_down(25, 10, 2, &mut random)), 4)
}

fn found(machine: Machine, messages: &[Message], variant: Variant) -> Violation {
    match run_variant(machine, messages, LIMIT, variant) {
        Ok(run) => panic!("nothing found: {:?}", run.outcome),
        Err(violation) => violation,
    }
}

#[test]
fn the_same_runs_without_a_mistake_are_fine() {
    bit_times(&run(by_table(), &crowd(), LIMIT).unwrap());
}

/// From 0 to 1 of four: the address is read in 1 and 2, and B2 with it in 3.
#[test]
fn a_bit_read_during_the_lookup() {
    let machine = with_channels(network(complete(4)), 1);
    let messages = [message(0, 1, 0, 4)];
    let expected = Violation::BodyConsumed {
        channel: Channel {
            node: 0,
            copy: 0,
            port: Port::Injection,
        },
        bit_time: 3,
        place: 2,
    };
    let variant = Variant::ReadsDuringLookup;
    assert_eq!(found(machine, &messages, variant), expected);
}

/// The entry for 2 leads a worm for 1 to 2, where it comes in 5; that for 0 a worm for 3 to the host.
#[test]
fn another_entry_of_the_table() {
    let machine = with_channels(network(complete(4)), 1);
    let variant = Variant::LooksUpAnotherEntry;
    let violation = found(machine, &[message(0, 1, 0, 4)], variant);
    assert!(
        matches!(
            violation,
            Violation::OffItsWay {
                channel: Channel { node: 2, .. },
                bit_time: 5,
                message: 0
            }
        ),
        "{violation}"
    );
    let violation = found(machine, &[message(0, 3, 0, 4)], variant);
    assert!(
        matches!(violation, Violation::WrongNode { bit_time: 5, .. }),
        "{violation}"
    );
}

#[test]
fn a_channel_of_another_class() {
    for machine in [by_table(), with_channels(network(ring(25, 2)), 2)] {
        let violation = found(machine, &crowd(), Variant::TakesAnotherClass);
        assert!(
            matches!(violation, Violation::WrongClass { .. }),
            "{violation}"
        );
    }
}

#[test]
fn the_last_free_channel_of_the_class() {
    let violation = found(by_table(), &crowd(), Variant::AsksForLastFree);
    assert!(
        matches!(violation, Violation::NotFirstFree { .. }),
        "{violation}"
    );
}

/// The second worm goes as the first.
#[test]
fn a_route_that_is_kept() {
    let machine = with_channels(network(complete(4)), 1);
    let messages = [message(0, 1, 0, 4), message(0, 2, 0, 4)];
    let violation = found(machine, &messages, Variant::KeepsRoute);
    assert!(
        matches!(
            violation,
            Violation::OffItsWay {
                channel: Channel { node: 1, .. },
                message: 1,
                ..
            }
        ),
        "{violation}"
    );
}

fn refused(listed: Listed, virtual_channels: usize) -> Option<Violation> {
    run(with_channels(network(listed), virtual_channels), &[], LIMIT).err()
}

/// The network of four nodes of [`fork`], changed.
fn changed(change: impl Fn(&mut Listed)) -> Option<Violation> {
    let mut listed = fork(2);
    change(&mut listed);
    refused(listed, 2)
}

#[test]
fn links_that_there_are_not() {
    assert_eq!(changed(|_| ()), None);
    let mistake = |refusal| Some(Violation::Listed(refusal));
    let with = |link| changed(move |listed| listed.links.push(link));
    let nodes = 4;
    for (from, to) in [(0, 4), (4, 0)] {
        let expected = Refusal::NoSuchEnd { from, to, nodes };
        assert_eq!(with((from, to, 0)), mistake(expected));
    }
    let slots = fork(2).slots;
    let expected = Refusal::NoSuchSlot {
        from: 0,
        to: 1,
        slot: slots,
        slots,
    };
    assert_eq!(with((0, 1, slots)), mistake(expected));
    assert_eq!(with((1, 1, 2)), mistake(Refusal::Loop { node: 1 }));
    let expected = Refusal::TwoLinks { from: 0, to: 2 };
    assert_eq!(with((0, 2, 2)), mistake(expected));
    // Link 0 to 2 leaves in slot 0, and comes in it.
    let expected = Refusal::TwoLeave { node: 0, slot: 0 };
    assert_eq!(with((0, 1, 0)), mistake(expected));
    // Link 2 to 3 comes in slot 0, in which none leaves 1.
    let expected = Refusal::TwoCome { node: 3, slot: 0 };
    assert_eq!(with((1, 3, 0)), mistake(expected));
}

#[test]
fn routes_that_there_are_not() {
    let mistake = |refusal| Some(Violation::Listed(refusal));
    let with = |node: usize, destination: usize, entry| {
        changed(move |listed| listed.routes[node][destination] = entry)
    };
    let [node, destination] = [0, 3];
    let expected = Refusal::NoRoute { node, destination };
    assert_eq!(with(0, 3, None), mistake(expected));
    assert_eq!(with(0, 0, Some((0, 0))), mistake(Refusal::LeadsOn { node }));
    for slot in [1, 3, 1000] {
        let expected = Refusal::NoLink {
            node,
            destination,
            slot,
        };
        assert_eq!(with(0, 3, Some((slot, 0))), mistake(expected));
    }
    let expected = Refusal::NoClass {
        node,
        destination,
        class: 2,
        classes: 2,
    };
    assert_eq!(with(0, 3, Some((0, 2))), mistake(expected));
    // For 3 node 2 leads back to 0, and 0 to 2.
    let back = fork(2).routes[2][0];
    let expected = Refusal::NeverArrives { node, destination };
    assert_eq!(with(2, 3, back), mistake(expected));
    let expected = mistake(Refusal::Tables { nodes: 4 });
    let shortened = changed(|listed| listed.routes.truncate(3));
    assert_eq!(shortened, expected);
    let shortened = changed(|listed| listed.routes[1].truncate(3));
    assert_eq!(shortened, expected);
}

#[test]
fn sizes_that_there_are_not() {
    let mistake = |refusal| Some(Violation::Listed(refusal));
    for nodes in [0, 1, 1025] {
        let listed = Listed {
            nodes,
            ..ring(3, 1)
        };
        assert_eq!(refused(listed, 1), mistake(Refusal::Nodes { nodes }));
    }
    for (classes, virtual_channels) in [(0, 1), (2, 1), (5, 4)] {
        let listed = Listed {
            classes,
            ..ring(3, 1)
        };
        let expected = Refusal::Classes {
            classes,
            virtual_channels,
        };
        assert_eq!(refused(listed, virtual_channels), mistake(expected));
    }
    for (slots, virtual_channels, is_permitted) in [
        (8, 8, true),
        (64, 1, true),
        (1, 0, false),
        (1, 9, false),
        (9, 8, false),
        (65, 1, false),
        (usize::MAX, 2, false),
    ] {
        let listed = Listed {
            slots,
            ..ring(3, 1)
        };
        let expected = Violation::LinkChannels {
            virtual_channels,
            links: slots,
        };
        let found = refused(listed, virtual_channels);
        assert_eq!(found, (!is_permitted).then_some(expected));
    }
    let machine = Machine {
        buffer_bits: 0,
        ..with_channels(network(ring(3, 1)), 1)
    };
    assert_eq!(run(machine, &[], LIMIT), Err(Violation::NoBuffer));
}
