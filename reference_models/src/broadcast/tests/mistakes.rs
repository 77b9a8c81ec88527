//! Planted mistakes, each of which the judge finds, and broadcasts that are refused.

use super::*;

/// The broadcasts to change, and their schedules. None brings a packet twice.
fn good() -> Vec<(Broadcast, Vec<Send>)> {
    let mut good = Vec::new();
    for (dims, source) in [(2, 3), (3, 0), (4, 5)] {
        for broadcast in broadcasts(dims, source) {
            if !broadcast.repeats_packets() && [1, dims + 1].contains(&broadcast.packets) {
                good.push((broadcast, broadcast.sends()));
            }
        }
    }
    good
}

/// What the judge says of a changed list.
fn judged(broadcast: &Broadcast, sends: &[Send]) -> Result<Outcome, Violation> {
    let &Broadcast {
        dims,
        source,
        packets,
        ports,
        ..
    } = broadcast;
    check(dims, source, packets, ports, false, sends)
}

/// Changes one send after the other, and expects that the judge finds every change.
fn each_is_found(change: impl Fn(&Broadcast, &mut Send)) {
    for (broadcast, sends) in good() {
        assert!(judged(&broadcast, &sends).is_ok());
        for place in 0..sends.len() {
            let mut changed = sends.clone();
            change(&broadcast, &mut changed[place]);
            let found = judged(&broadcast, &changed);
            assert!(found.is_err(), "{broadcast:?}: {:?}", changed[place]);
        }
    }
}

#[test]
fn a_send_to_another_port() {
    for turn in 1..4 {
        each_is_found(|broadcast, send| {
            let dims = broadcast.dims;
            let port = (send.from ^ send.to).ilog2() as usize;
            // With as many turns as dimensions it would be the same port.
            let other = (port + 1 + (turn - 1) % (dims - 1)) % dims;
            send.to = send.from ^ (1 << other);
        });
    }
}

#[test]
fn a_send_to_no_port() {
    each_is_found(|_, send| send.to = send.from);
    each_is_found(|_, send| send.to ^= 1 << 20);
    each_is_found(|_, send| send.from = send.to ^ 0b11);
}

#[test]
fn another_packet() {
    for more in [1, 2] {
        each_is_found(|broadcast, send| {
            if broadcast.packets <= more {
                send.packet += broadcast.packets;
            } else {
                send.packet = (send.packet + more) % broadcast.packets;
            }
        });
    }
}

#[test]
fn the_other_direction() {
    each_is_found(|_, send| std::mem::swap(&mut send.from, &mut send.to));
}

#[test]
fn a_send_dropped() {
    for (broadcast, sends) in good() {
        for place in 0..sends.len() {
            let mut changed = sends.clone();
            changed.remove(place);
            assert!(judged(&broadcast, &changed).is_err(), "{broadcast:?}");
        }
    }
}

#[test]
fn a_send_doubled() {
    for (broadcast, sends) in good() {
        for place in 0..sends.len() {
            let mut changed = sends.clone();
            changed.push(sends[place]);
            let found = judged(&broadcast, &changed).unwrap_err();
            let Send {
                step, from: node, ..
            } = sends[place];
            let port = (node ^ sends[place].to).ilog2() as usize;
            assert_eq!(found, Violation::LinkTwice { step, node, port });
            // Once more when all is over.
            let last = sends[sends.len() - 1].step;
            changed[sends.len()].step = last + 1;
            let found = judged(&broadcast, &changed).unwrap_err();
            assert!(matches!(found, Violation::Redundant { .. }), "{found}");
        }
    }
}

#[test]
fn a_send_too_early() {
    for (broadcast, sends) in good() {
        for (place, &send) in sends.iter().enumerate() {
            let brought = |it: &&Send| it.to == send.from && it.packet == send.packet;
            // The source has every packet, and may well have a step to spare.
            let Some(arrival) = sends.iter().find(brought) else {
                assert_eq!(send.from, broadcast.source);
                continue;
            };
            let mut changed = sends.clone();
            changed[place].step = arrival.step;
            assert!(judged(&broadcast, &changed).is_err(), "{broadcast:?}");
        }
    }
}

#[test]
fn a_send_by_the_source_a_step_earlier() {
    // With one step from a packet to the next, the link is in use.
    for (broadcast, sends) in good() {
        let one_tree = matches!(
            broadcast.algorithm,
            Algorithm::HamiltonianPath | Algorithm::BinomialTree | Algorithm::TwoRootedTree
        );
        if broadcast.ports != Ports::All || !one_tree {
            continue;
        }
        for (place, send) in sends.iter().enumerate() {
            if send.from == broadcast.source && send.step > 0 {
                let mut changed = sends.clone();
                changed[place].step -= 1;
                assert!(judged(&broadcast, &changed).is_err(), "{broadcast:?}");
            }
        }
    }
}

#[test]
fn a_send_in_the_step_in_which_the_packet_comes() {
    let sends = [(0, 0, 1, 0), (0, 1, 3, 0), (1, 0, 2, 0)].map(|(step, from, to, packet)| Send {
        step,
        from,
        to,
        packet,
    });
    let found = check(2, 0, 1, Ports::All, false, &sends).unwrap_err();
    let expected = Violation::NotHeld {
        step: 0,
        node: 1,
        port: 1,
        packet: 0,
    };
    assert_eq!(found, expected);
}

#[test]
fn fewer_ports_than_the_schedule_needs() {
    let all = Broadcast {
        algorithm: Algorithm::BinomialTree,
        ports: Ports::All,
        dims: 3,
        source: 0,
        packets: 1,
    };
    for ports in [Ports::OneWay, Ports::TwoWay] {
        let found = judged(&Broadcast { ports, ..all }, &all.sends()).unwrap_err();
        let expected = Violation::TooManyPorts {
            step: 0,
            node: 0,
            ports,
            sends_on: vec![0, 1, 2],
            receives_on: vec![],
        };
        assert_eq!(found, expected);
    }
}

#[test]
fn packets_that_come_again_must_be_allowed() {
    let broadcast = Broadcast {
        algorithm: Algorithm::Broadcast3B,
        ports: Ports::All,
        dims: 3,
        source: 0,
        packets: 3,
    };
    let sends = broadcast.sends();
    assert!(check(3, 0, 3, Ports::All, true, &sends).is_ok());
    let found = judged(&broadcast, &sends).unwrap_err();
    assert!(matches!(found, Violation::Redundant { .. }), "{found}");
}

#[test]
fn a_wave_that_sends_what_another_brought() {
    let broadcast = Broadcast {
        algorithm: Algorithm::Broadcast4,
        ports: Ports::All,
        dims: 4,
        source: 0,
        packets: 4,
    };
    let mut sends = broadcast.wave_sends();
    assert_eq!(forwarding::waves_hold(0, &sends), Ok(()));
    // A neighbour of the source sends a packet of the second wave as one of the first.
    let forwards = |it: &WaveSend| it.wave == 1 && it.send.from != 0;
    let place = sends.iter().position(forwards).unwrap();
    sends[place].wave = 0;
    let found = forwarding::waves_hold(0, &sends).unwrap_err();
    assert!(
        matches!(found, Violation::NotInWave { wave: 0, .. }),
        "{found}"
    );
}

#[test]
fn broadcasts_that_there_are_not() {
    let good = Broadcast {
        algorithm: Algorithm::Broadcast2,
        ports: Ports::All,
        dims: 3,
        source: 0,
        packets: 3,
    };
    let found = |broadcast: Broadcast| {
        assert!(broadcast.sends().is_empty());
        broadcast.run().unwrap_err()
    };
    for dims in [0, 17] {
        let expected = Violation::Dims { dims, most: 16 };
        assert_eq!(found(Broadcast { dims, ..good }), expected);
    }
    let source = 8;
    let expected = Violation::NoSuchSource { node: 8, nodes: 8 };
    assert_eq!(found(Broadcast { source, ..good }), expected);
    for (algorithm, packets, most) in [
        (Algorithm::Broadcast1, 2, 1),
        (Algorithm::Broadcast2, 4, 3),
        (Algorithm::Broadcast3A, 4, 3),
        (Algorithm::Broadcast3B, 4, 3),
        (Algorithm::Broadcast2, 0, 3),
    ] {
        let broadcast = Broadcast {
            algorithm,
            packets,
            ..good
        };
        assert_eq!(found(broadcast), Violation::Packets { packets, most });
    }
}
