//! The closed forms of the packets that a node holds in order to forward them.

use super::*;

/// For more than one dimension.
fn peak(broadcast: &Broadcast) -> usize {
    let (n, p) = (broadcast.dims, broadcast.packets);
    match (broadcast.algorithm, broadcast.ports) {
        (Algorithm::HamiltonianPath | Algorithm::TwoRootedTree, Ports::OneWay) => 1,
        (Algorithm::HamiltonianPath, _) => p.min(2),
        (Algorithm::TwoRootedTree, Ports::TwoWay) if n == 2 => 1,
        (Algorithm::TwoRootedTree, _) => p.min(2),
        (Algorithm::BinomialTree, Ports::All) => p.min(2),
        (Algorithm::BinomialTree, _) => 1,
        (Algorithm::MultipleTrees, Ports::All) => p.min(2 * n),
        (Algorithm::MultipleTrees, _) => p.min(2),
        (Algorithm::Broadcast1, _) => 1,
        (Algorithm::Broadcast2, _) => p.min(n - 1),
        (Algorithm::Broadcast3A, _) => p,
        (Algorithm::Broadcast3B | Algorithm::Broadcast4, _) => waves(n, p),
    }
}

/// BROADCAST 3B and 4.
fn waves(n: usize, p: usize) -> usize {
    let groups = p.div_ceil(n);
    let last = p - (groups - 1) * n;
    match groups {
        1 if n == 2 => 1,
        1 if p <= n - 3 => 2 * p,
        1 if p == n - 2 => 2 * p - 1,
        1 => 2 * (n - 2),
        2 => n - 1 + last.min(n - 1),
        _ => 2 * n,
    }
}

#[test]
fn of_every_broadcast() {
    let mut wrong = Vec::new();
    for dims in 1..=6 {
        for broadcast in broadcasts(dims, 1) {
            let found = broadcast.run().unwrap().peak_forwarding_packets;
            let expected = if dims == 1 { 0 } else { peak(&broadcast) };
            if found != expected {
                wrong.push((broadcast, expected, found));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn without_waves_a_packet_counts_once() {
    for broadcast in broadcasts(4, 0) {
        let Broadcast {
            dims,
            source,
            packets,
            ports,
            ..
        } = broadcast;
        let outcome = check(dims, source, packets, ports, true, &broadcast.sends()).unwrap();
        if !broadcast.repeats_packets() {
            assert_eq!(outcome, broadcast.run().unwrap());
        }
    }
}
