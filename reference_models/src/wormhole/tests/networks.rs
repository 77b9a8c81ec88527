//! Random permutations: everything arrives, on the right way, and every wire carries what the ways say.

use std::collections::BTreeMap;

use super::*;

/// Checks a run of a CCC or of copies that delivered everything; gives back the bit times.
fn check(machine: Machine, messages: &[Message]) -> u64 {
    let run = run(machine, messages, LIMIT).unwrap();
    let bit_times = bit_times(&run);
    let mut wires: BTreeMap<Wire, u64> = run.wires.keys().map(|wire| (*wire, 0)).collect();
    for (message, arrival) in messages.iter().zip(&run.arrivals) {
        let bodies: usize = arrival.pieces.iter().map(|piece| piece.body_bits).sum();
        assert_eq!(bodies, message.bits.len());
        for (copy, piece) in arrival.pieces.iter().enumerate() {
            assert_eq!(piece.path.first(), Some(&message.source));
            assert_eq!(piece.path.last(), Some(&message.destination));
            for (wire, bits) in expected_wires(machine, message, copy, piece) {
                *wires.get_mut(&wire).unwrap() += bits;
            }
        }
        assert!(arrival.injected >= Some(message.created));
        assert!(arrival.head_arrived > arrival.injected);
        assert!(arrival.tail_arrived >= arrival.head_arrived);
    }
    assert_eq!(run.wires, wires);
    let busiest = run.wires.values().max().copied().unwrap_or(0);
    assert!(bit_times > busiest, "{bit_times} bit times, {busiest} bits");
    bit_times
}

/// Bits of a piece on each wire of its way: a header bit is read where it is used.
fn expected_wires(
    machine: Machine,
    message: &Message,
    copy: usize,
    piece: &Piece,
) -> Vec<(Wire, u64)> {
    if let Network::Hypercube {
        dimensions,
        routing: Routing::Valiant,
    } = machine.network
    {
        return expected_in_two_phases(dimensions, machine.virtual_channels, message, piece);
    }
    let mut bits = piece.header_bits + piece.body_bits;
    let mut wires = Vec::new();
    let mut after_cross = false;
    let mut last_dimension = None;
    for hop in piece.path.windows(2) {
        let [from, to] = [hop[0], hop[1]];
        let dimension = (from ^ to).trailing_zeros() as usize;
        let (wire, crosses) = match machine.network {
            Network::CubeConnectedCycles { levels } if from >> levels == to >> levels => {
                assert_eq!(to, from ^ 1 << (from >> levels));
                (Wire::Cross { node: from }, true)
            }
            Network::CubeConnectedCycles { levels } => {
                assert_eq!(to, (from + (1 << levels)) % (levels << levels));
                (Wire::Straight { node: from }, false)
            }
            Network::Copies { levels, .. } => {
                assert_eq!(from ^ to, 1 << dimension);
                let of_window = theorem3::window(levels, copy).contains(&dimension);
                let wire = Wire::Dimension {
                    node: from,
                    dimension,
                };
                (wire, !of_window)
            }
            Network::Hypercube {
                routing: Routing::Order,
                ..
            } => {
                assert_eq!(from ^ to, 1 << dimension);
                assert!(last_dimension < Some(dimension));
                let passed = last_dimension.map_or(0, |last| last + 1);
                bits -= dimension + 1 - passed;
                last_dimension = Some(dimension);
                let node = from;
                wires.push((Wire::Dimension { node, dimension }, bits as u64));
                continue;
            }
            _ => unreachable!("has ways of its own"),
        };
        bits -= match (crosses, after_cross) {
            (false, false) => 2,
            (true, true) => panic!("crosses twice at one level"),
            _ => 1,
        };
        after_cross = crosses;
        wires.push((wire, bits as u64));
    }
    let node = piece.path[piece.path.len() - 1];
    wires.push((Wire::Eject { node, copy }, piece.body_bits as u64));
    wires
}

/// The same of Valiant's two phases: the way itself is checked, too. Of two channels a wire, all dimensions are asked about
/// once a phase, so that a header has two bits a dimension; of one, they are asked about in turn, again and again.
fn expected_in_two_phases(
    dimensions: usize,
    channels: usize,
    message: &Message,
    piece: &Piece,
) -> Vec<(Wire, u64)> {
    let via = message.intermediate.unwrap_or(message.destination);
    let (mut node, mut wires, mut asked, mut path) =
        (message.source, vec![], 0, vec![message.source]);
    for (phase, end) in [via, message.destination].into_iter().enumerate() {
        for dimension in (0..dimensions).filter(|dimension| (node ^ end) >> dimension & 1 == 1) {
            asked = match channels {
                1 => asked + 1 + (dimension + dimensions - asked % dimensions) % dimensions,
                _ => phase * dimensions + dimension + 1,
            };
            let left = piece.header_bits + piece.body_bits - asked;
            let from = path[path.len() - 1];
            wires.push((
                Wire::Dimension {
                    node: from,
                    dimension,
                },
                left as u64,
            ));
            path.push(from ^ 1 << dimension);
        }
        node = end;
    }
    assert_eq!(piece.path, path);
    let header_bits = if channels == 1 {
        asked + dimensions
    } else {
        2 * dimensions
    };
    assert_eq!(piece.header_bits, header_bits);
    let eject = Wire::Eject { node, copy: 0 };
    wires.push((eject, piece.body_bits as u64));
    wires
}

fn machines(network: Network) -> Vec<Machine> {
    let mut machines = Vec::new();
    for buffer_bits in [1, 2, 5] {
        for switch in [Switch::Strong, Switch::Weak] {
            machines.push(Machine {
                buffer_bits,
                switch,
                ..machine(network)
            });
        }
    }
    machines
}

#[test]
fn permutations_of_the_ccc() {
    for levels in [2, 3, 4] {
        for machine in machines(ccc(levels)) {
            for seed in 0..10 {
                check(machine, &permutation(levels << levels, 33, seed));
            }
        }
    }
}

#[test]
fn permutations_of_the_copies() {
    for (levels, copies) in [(2, 1), (2, 2), (4, 1), (4, 3), (4, 4)] {
        for machine in machines(Network::Copies { levels, copies }) {
            for seed in 0..5 {
                check(machine, &permutation(levels << levels, 65, seed));
            }
        }
    }
}

#[test]
fn permutations_of_e_cube() {
    for dimensions in [3, 6] {
        for machine in machines(hypercube(dimensions, Routing::Order)) {
            for seed in 0..10 {
                check(machine, &permutation(1 << dimensions, 33, seed));
            }
        }
    }
}

#[test]
fn permutations_in_two_phases() {
    for dimensions in [3, 6] {
        for machine in machines(hypercube(dimensions, Routing::Valiant)) {
            for seed in 0..10 {
                let nodes = 1 << dimensions;
                check(machine, &through(permutation(nodes, 33, seed), nodes, seed));
            }
        }
    }
}

/// Every way in two phases through eight nodes, alone, with two channels a wire and with one: it takes as many hops as the two
/// phases have, and longer by its header than its body.
#[test]
fn every_way_in_two_phases_alone() {
    for virtual_channels in [1, 2] {
        let machine = Machine {
            virtual_channels,
            ..machine(hypercube(3, Routing::Valiant))
        };
        for way in 0..512 {
            let [source, via, destination] = [way & 7, way >> 3 & 7, way >> 6];
            let message = Message {
                intermediate: Some(via),
                ..message(source, destination, 0, 9)
            };
            let bit_times = check(machine, &[message]);
            let hops = ((source ^ via).count_ones() + (via ^ destination).count_ones()) as u64;
            assert!(bit_times >= 9 + 2 * hops, "{way}: {bit_times}");
        }
    }
}

/// Several messages from each node, at random times to random nodes.
#[test]
fn streams_of_messages() {
    let networks = [
        ccc(4),
        Network::Copies {
            levels: 4,
            copies: 4,
        },
        hypercube(6, Routing::Order),
    ];
    for network in networks {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let messages: Vec<Message> = (0..300)
            .map(|_| {
                let [source, destination] = [0, 1].map(|_| random.random_range(0..64));
                let bits = random.random_range(4..40);
                message(source, destination, random.random_range(0..1000), bits)
            })
            .collect();
        for machine in machines(network) {
            check(machine, &messages);
        }
    }
}

/// Every pair of the 24 nodes of the CCC of three levels, alone: the length of the way, and the time
/// that it takes.
#[test]
fn every_pair_alone() {
    for source in 0..24 {
        for destination in 0..24 {
            let run = run(
                machine(ccc(3)),
                &[message(source, destination, 0, 9)],
                LIMIT,
            )
            .unwrap();
            let piece = &run.arrivals[0].pieces[0];
            let crosses = ((source ^ destination) % 8).count_ones() as usize;
            let hops = piece.path.len() - 1;
            assert!(hops - crosses <= 2 * 3 - 2);
            assert_eq!(piece.header_bits, 2 * (hops - crosses) + 2);
            // Without anyone in the way a bit waits only for what the header needs.
            let head = piece.head_arrived.unwrap();
            assert_eq!(piece.tail_arrived, Some(head + 8));
        }
    }
}

/// No worms, no time.
#[test]
fn nothing_to_send() {
    let run = run(machine(ccc(2)), &[], LIMIT).unwrap();
    assert_eq!(run.outcome, Outcome::Done { bit_times: 0 });
}

#[test]
fn the_limit_is_kept() {
    let messages = [message(0, 4, 0, 2)];
    let end = |limit| run(machine(ccc(2)), &messages, limit).unwrap().outcome;
    assert_eq!(end(9), Outcome::OutOfTime);
    assert_eq!(end(10), Outcome::Done { bit_times: 10 });
}
