//! Schedules with a mistake in them, and collectives that there are not.

use super::*;

/// What two nodes of a square send to the opposite corner and to all, with a mistake.
fn judged(algorithm: Algorithm, mistake: impl Fn(&mut Vec<Send>)) -> Violation {
    let run = collective(algorithm, 2, 8, 3);
    let mut sends = run.sends();
    check(&run.task(), &sends).unwrap();
    mistake(&mut sends);
    check(&run.task(), &sends).unwrap_err()
}

/// The same of O.C. SEND 1: node 0 sends to node 1, and node 1 to node 3.
fn path(mistake: impl Fn(&mut Vec<Send>)) -> Violation {
    judged(Algorithm::OcSend1, mistake)
}

const MESSAGE: Message = Message::Personal {
    source: 0,
    destination: 3,
};

#[test]
fn wires_and_nodes_that_there_are_not() {
    let found = path(|sends| sends[0].to = 4);
    assert_eq!(
        found,
        Violation::NoSuchNode {
            begin: 0,
            node: 4,
            nodes: 4
        }
    );
    let found = path(|sends| sends[0].to = 3);
    assert_eq!(
        found.to_string(),
        "bit time 0: node 0 is to send to node 3, which is not its neighbour"
    );
    let found = path(|sends| sends[0].to = 0);
    assert!(matches!(found, Violation::NotNeighbours { .. }));
}

#[test]
fn packets_of_the_wrong_length() {
    let found = path(|sends| sends[1].units -= 1);
    assert_eq!(
        found.to_string(),
        "bit time 11: the packet from node 1 to node 3 has 7 bits, and 8 are in it"
    );
    let found = path(|sends| sends[0].start_up = 2);
    assert!(matches!(
        found,
        Violation::StartUp {
            found: 2,
            needed: 3,
            ..
        }
    ));
    let found = path(|sends| sends[0].items[0].bits.end = 9);
    assert!(matches!(found, Violation::TooShort { needed: 9, .. }));
    let found = path(|sends| {
        sends[0].items[0].bits.end = 9;
        sends[0].units = 9;
    });
    assert!(matches!(found, Violation::NoSuchBit { bit: 8, .. }));
}

#[test]
fn bits_that_a_node_has_not_got() {
    let found = path(|sends| sends[1].begin -= 1);
    let not_held = Violation::NotHeld {
        begin: 10,
        from: 1,
        to: 3,
        message: MESSAGE,
        bit: 0,
    };
    assert_eq!(found, not_held);
    assert_eq!(
        found.to_string(),
        "bit time 10: node 1 is to send bit 0 of the message from node 0 to node 3 to node 3 and has not got it"
    );
    // Bits are moved, so that the source has them no longer.
    let found = path(|sends| {
        let again = Send {
            begin: 100,
            to: 2,
            ..sends[0].clone()
        };
        sends.push(again);
    });
    assert!(matches!(found, Violation::NotHeld { from: 0, .. }));
}

#[test]
fn wires_and_ports_in_use() {
    let found = path(|sends| {
        let mut again = sends[0].clone();
        again.begin = 10;
        sends.push(again);
    });
    assert!(matches!(found, Violation::WireInUse { until: 11, .. }));
    let run = collective(Algorithm::OcSend2, 2, 8, 3);
    for (ports, node) in [(Ports::OneWay, 0), (Ports::TwoWay, 0)] {
        let found = Collective {
            ports,
            ..run.clone()
        }
        .run()
        .unwrap_err();
        assert_eq!(
            found,
            Violation::TooManyPorts {
                begin: 0,
                from: 0,
                to: 2,
                node,
                until: 7,
                ports
            }
        );
    }
}

#[test]
fn bits_that_do_not_arrive() {
    let found = path(|sends| {
        sends.pop();
    });
    assert_eq!(
        found,
        Violation::Missing {
            node: 3,
            message: MESSAGE,
            bit: 0
        }
    );
    let found = path(|sends| sends[1].items[0].bits.start = 3);
    assert!(matches!(found, Violation::Missing { bit: 0, .. }));
    let found = judged(Algorithm::CompleteBroadcast, |sends| {
        sends.pop();
    });
    assert!(matches!(found, Violation::Missing { .. }));
    let found = judged(Algorithm::CompleteBroadcast, |sends| {
        let again = Send {
            begin: 100,
            ..sends[0].clone()
        };
        sends.push(again);
    });
    assert!(matches!(found, Violation::Redundant { begin: 100, .. }));
}

#[test]
fn sums_that_lack_values() {
    let found = judged(Algorithm::Histogram { value_bits: 1 }, |sends| {
        sends.pop();
    });
    assert!(matches!(found, Violation::MissingValue { .. }));
    // A sum that is sent on before the last value has arrived leaves that value behind.
    let found = judged(Algorithm::Histogram { value_bits: 1 }, |sends| {
        for send in sends.iter_mut().filter(|send| send.begin > 0) {
            send.begin -= 1;
        }
    });
    assert!(matches!(
        found,
        Violation::MissingValue { .. } | Violation::WireInUse { .. }
    ));
}

#[test]
fn huge_times_do_not_panic() {
    let found = path(|sends| {
        sends[0].begin = u64::MAX;
        sends[1].units = u64::MAX;
        sends[1].items[0].padding = u64::MAX;
    });
    assert!(matches!(found, Violation::NotHeld { .. }));
}

#[test]
fn collectives_that_there_are_not() {
    let refused = |algorithm: Algorithm, dims, bits| {
        let run = collective(algorithm, dims, bits, 0);
        assert!(run.sends().is_empty());
        run.run().unwrap_err().to_string()
    };
    assert_eq!(
        refused(Algorithm::OcSend1, 0, 1),
        "0 dimensions: choose 1 to 8"
    );
    assert_eq!(
        refused(Algorithm::OcSend1, 64, 1),
        "64 dimensions: choose 1 to 8"
    );
    assert_eq!(
        refused(Algorithm::OcSend2, 2, 0),
        "the length of messages is 0: choose 1 to 4294967296"
    );
    assert_eq!(
        refused(Algorithm::OcSend4 { groups: 0 }, 2, 1),
        "the number of groups is 0: choose 1 to 1024"
    );
    assert_eq!(
        refused(Algorithm::XocSend1 { distance: 3 }, 3, 1),
        "the distance is 3: choose 1 to 2"
    );
    let permutation = vec![0, 1, 1, 3];
    assert_eq!(
        refused(Algorithm::PermutedSend { permutation }, 2, 1),
        "the permutation does not name each of the 4 nodes once"
    );
    let transpose = |sends| Algorithm::TransposeBySubmatrices { sends };
    assert_eq!(
        refused(transpose(2), 3, 1),
        "a transpose of submatrices needs an even number of dimensions, and the cube has 3"
    );
    assert_eq!(
        refused(transpose(2), 4, 1),
        "2 sends do not divide among 2 logical links with at least 2 packets each; choose a multiple of 4"
    );
    let packets = Scatter::Packets {
        tree: Tree::Binomial,
        packet_bits: 9,
    };
    assert_eq!(
        refused(Algorithm::Scatter(packets), 2, 8),
        "the length of packets is 9: choose 1 to 8"
    );
    assert_eq!(
        refused(Algorithm::Histogram { value_bits: 3 }, 2, 8),
        "8 bits are no whole number of values of 3 bits"
    );
    let root = Collective {
        root: 4,
        ..collective(Algorithm::OcSend1, 2, 8, 0)
    };
    assert_eq!(
        root.run().unwrap_err().to_string(),
        "the root is node 4, and there are 4 nodes; choose a lower one"
    );
    // What is to be done is told for what there is not, too.
    assert_eq!(
        collective(Algorithm::CompleteExchange, 70, 8, 0)
            .task()
            .dims,
        70
    );
}
