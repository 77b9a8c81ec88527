//! What can go on at the same time, because it uses different wires.

use super::*;

/// Runs the schedules of several roots in one cube at once.
fn together(algorithm: &Algorithm, dims: usize, roots: [usize; 2]) -> Result<Judgement, Violation> {
    let mut sends = Vec::new();
    let mut messages = Vec::new();
    let mut task = None;
    for root in roots {
        let run = Collective {
            root,
            ..collective(algorithm.clone(), dims, 720, 7)
        };
        sends.extend(run.sends());
        messages.extend(run.task().messages);
        task = Some(run.task());
    }
    let task = Task {
        messages,
        ..task.unwrap()
    };
    check(&task, &sends)
}

#[test]
fn opposite_corners_exchange_messages() {
    for dims in 1..=5 {
        let corners = [0, (1 << dims) - 1];
        for algorithm in [
            Algorithm::OcSend1,
            Algorithm::OcSend2,
            Algorithm::OcSend3,
            Algorithm::OcSend4 { groups: 3 },
            Algorithm::Scatter(Scatter::Distribute1),
        ] {
            assert!(together(&algorithm, dims, corners).is_ok(), "{algorithm:?}");
        }
    }
}

#[test]
fn arbitrary_nodes_exchange_messages() {
    for dims in 2..=5 {
        for distance in 1..=dims {
            let algorithm = Algorithm::ArbitrarySend3 {
                distance,
                groups: 2,
                outer_groups: 3,
            };
            let ends = [0, (1 << distance) - 1];
            assert!(together(&algorithm, dims, ends).is_ok());
        }
    }
}

#[test]
fn neighbours_do_not_distribute_at_once() {
    let distribute = Algorithm::Scatter(Scatter::Distribute1);
    let found = together(&distribute, 3, [0, 1]);
    assert!(
        matches!(found, Err(Violation::WireInUse { .. })),
        "{found:?}"
    );
}

#[test]
fn most_algorithms_need_all_ports() {
    for algorithm in [
        Algorithm::OcSend2,
        Algorithm::OcSend3,
        Algorithm::CompleteBroadcast,
        Algorithm::Inversion,
        Algorithm::CompleteExchange,
        Algorithm::Histogram { value_bits: 1 },
        Algorithm::Scatter(Scatter::Distribute1),
        Algorithm::Scatter(Scatter::Levels(Tree::Binomial)),
    ] {
        for ports in [Ports::OneWay, Ports::TwoWay] {
            let run = Collective {
                ports,
                ..collective(algorithm.clone(), 3, 24, 1)
            };
            let found = run.run();
            assert!(
                matches!(found, Err(Violation::TooManyPorts { .. })),
                "{algorithm:?}: {found:?}"
            );
        }
    }
    let path = collective(Algorithm::OcSend1, 4, 24, 1);
    let one_way = Collective {
        ports: Ports::OneWay,
        ..path
    };
    assert!(one_way.run().is_ok());
}

#[test]
fn port_models_tell_sending_from_receiving() {
    // Each of two nodes sends one bit to a neighbour.
    let judged = |ports, ends: [(usize, usize); 2]| {
        let messages = ends.map(|(source, destination)| Message::Personal {
            source,
            destination,
        });
        let sends = messages.map(|message| {
            let (from, to) = ends[messages.iter().position(|it| *it == message).unwrap()];
            Send {
                begin: 0,
                start_up: 2,
                units: 1,
                from,
                to,
                items: vec![Run {
                    message,
                    bits: 0..1,
                    padding: 0,
                }],
            }
        });
        let task = Task {
            dims: 2,
            ports,
            start_up: 2,
            messages: messages.map(|message| (message, 1)).to_vec(),
        };
        match check(&task, &sends) {
            Ok(judgement) => {
                assert_eq!(
                    (judgement.bit_times, judgement.packets, judgement.bits),
                    (3, 2, 2)
                );
                None
            }
            Err(Violation::TooManyPorts { node, .. }) => Some(node),
            Err(other) => panic!("{other}"),
        }
    };
    let (to_one, from_one, in_turn, apart) = (
        [(1, 0), (2, 0)],
        [(0, 1), (0, 2)],
        [(0, 1), (1, 3)],
        [(0, 1), (3, 2)],
    );
    let all = |ports| [to_one, from_one, in_turn, apart].map(|ends| judged(ports, ends));
    assert_eq!(all(Ports::All), [None; 4]);
    assert_eq!(all(Ports::TwoWay), [Some(0), Some(0), None, None]);
    assert_eq!(all(Ports::OneWay), [Some(0), Some(0), Some(1), None]);
}
