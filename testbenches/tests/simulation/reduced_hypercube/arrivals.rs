//! Broadcasts beside the model: each node has the message after exactly as many steps as the model says.

use reference_models::reduced_hypercube::broadcast::{arrival_steps, broadcast_full};
use rtl_model::machine::host::Field;
use rtl_model::machine::topology::{Tap, Topology};
use rtl_model::routers::reduced_hypercube::broadcast::{Broadcast, Inner, Switching};
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;

use crate::reduced_hypercube::host::{load, read};
use crate::reduced_hypercube::job::{INNER, Job, Operation, SWITCHING, full, inner, reduced};

fn modelled(network: BlockNetwork, source: usize, tree: Inner) -> Vec<u32> {
    match network {
        BlockNetwork::Reduced(network) => {
            let (k, n) = (network.block_dimensions(), network.subblock_bits());
            arrival_steps(k, n, source, inner(tree)).unwrap()
        }
        BlockNetwork::Full(cube) => broadcast_full(cube.count(), source).unwrap().steps,
    }
}

/// In which bit time a node first has the message of so many bits, and with its start bit where it belongs: at the source from
/// the beginning, elsewhere when so many steps are over.
fn arrives(device: &Broadcast, hops: u32) -> u64 {
    let (set_up, bits) = (device.times().set_up() as u64, device.message_bits() as u64);
    match (hops, device.switching()) {
        (0, _) => 0,
        (_, Switching::StoreAndForward) => set_up + u64::from(hops) * (bits + 1),
        (_, Switching::CutThrough) => set_up + u64::from(hops) + bits,
    }
}

fn beside_model(network: BlockNetwork, how: (Inner, Switching), source: usize, bits: usize) {
    let device = Broadcast::new(network, how, source, bits).unwrap();
    let due = modelled(network, source, how.0);
    let message = 0x5a5a_9669_c33c_f00d & (u128::MAX >> (128 - bits));
    let mut machine = device.device().build(1).unwrap();
    let nodes = machine.nodes();
    let mut words = vec![Vec::new(); nodes];
    words[source] = vec![message];
    load(&mut *machine, &words, bits);
    let what = format!("{device:?}");
    let is_valid = |reads: &[(Field, bool)]| {
        reads
            .iter()
            .any(|(field, bit)| *field == Field::VALID && *bit)
    };
    let mut first = vec![None; nodes];
    let (set_up, step_bits) = (device.times().set_up() as u64, bits as u64 + 1);
    loop {
        let bit_time = machine.bit_time();
        for node in 0..nodes {
            let has_it = is_valid(&machine.host_reads(node));
            if has_it && first[node].is_none() {
                first[node] = Some(bit_time);
                let found = read(&*machine, node, bits);
                assert_eq!(
                    found,
                    Some(vec![message]),
                    "{what}: node {node}, {bit_time}"
                );
            }
            let position = (bit_time > 0).then(|| machine.position());
            let is_there = bit_time >= arrives(&device, due[node]);
            let live_bits = if is_there { bits } else { 0 };
            let occupied = machine.occupied_bits(node, position) as usize;
            assert_eq!(
                occupied, live_bits,
                "{what}: node {node}, bit time {bit_time}"
            );
            // Between two steps no message is on its way round.
            let steps = bit_time
                .checked_sub(set_up)
                .filter(|time| time.is_multiple_of(step_bits));
            if let (Some(time), Switching::StoreAndForward) = (steps, how.1) {
                let is_due = u64::from(due[node]) <= time / step_bits;
                assert_eq!(has_it, is_due, "{what}: node {node}, bit time {bit_time}");
            }
        }
        if machine.is_done() {
            break;
        }
        machine.tick().unwrap();
    }
    for (node, (&first, &hops)) in first.iter().zip(&due).enumerate() {
        assert_eq!(first, Some(arrives(&device, hops)), "{what}: node {node}");
        assert_eq!(
            read(&*machine, node, bits),
            Some(vec![message]),
            "{what}: {node}"
        );
    }
    assert_eq!(
        due.iter().max().map(|last| u64::from(*last)),
        Some(device.steps().value)
    );
}

fn ways() -> impl Iterator<Item = (Inner, Switching)> {
    INNER
        .into_iter()
        .flat_map(|inner| SWITCHING.map(|way| (inner, way)))
}

#[test]
fn every_source_is_heard_when_the_model_says() {
    for network in [
        reduced(1, 1),
        reduced(2, 1),
        reduced(3, 1),
        reduced(2, 2),
        full(1),
        full(4),
    ] {
        for how in ways() {
            let nodes = Topology::nodes(&network);
            for source in 0..nodes {
                beside_model(network, how, source, 1 + source % 4);
            }
        }
    }
}

#[test]
fn some_sources_of_larger_networks_are_heard_when_the_model_says() {
    for (network, sources) in [
        (reduced(3, 2), [0, 5, 77, 127]),
        (reduced(5, 2), [0, 37, 300, 511]),
        (reduced(3, 3), [0, 1023, 1234, 2047]),
        (full(8), [0, 1, 100, 255]),
    ] {
        for how in ways() {
            for (bits, source) in sources.into_iter().enumerate() {
                beside_model(network, how, source, bits + 1);
            }
        }
    }
}

#[test]
fn wide_messages_arrive() {
    for how in ways() {
        for bits in [63, 64, 65, 70] {
            beside_model(reduced(2, 1), how, 6, bits);
        }
    }
}

/// A message of ones is seen on a wire: so it can be counted how often it crosses one. It comes to each node once, and nobody sends
/// it again.
#[test]
fn the_message_crosses_no_wire_twice() {
    for network in [reduced(1, 1), reduced(2, 1), reduced(2, 2), full(4)] {
        for (inner, switching) in ways() {
            let job = Job {
                network,
                operation: Operation::Broadcast(inner, switching, 5),
                bits: 3,
            };
            let nodes = job.nodes();
            let mut machine = job.device().build(1).unwrap();
            load(&mut *machine, &job.loaded(&vec![vec![7]; nodes]), job.bits);
            let links = machine.topology().links();
            let mut ones = vec![0; nodes * links];
            while !machine.is_done() {
                machine.transmit().unwrap();
                for (number, ones) in ones.iter_mut().enumerate() {
                    let (node, wire) = (number / links, number % links);
                    *ones += usize::from(machine.tapped(node, Tap::Driven(wire)));
                }
                machine.clock();
            }
            let of_message = job.bits + 1;
            assert!(
                ones.iter().all(|ones| [0, of_message].contains(ones)),
                "{job:?}"
            );
            let sends = ones.iter().filter(|ones| **ones > 0).count();
            assert_eq!(sends, nodes - 1, "{job:?}");
        }
    }
}

/// Messages of any bits: none is taken for a start bit.
#[test]
fn all_short_messages_arrive() {
    for (inner, switching) in ways() {
        for network in [reduced(1, 1), full(3)] {
            for message in 0..16 {
                let job = Job {
                    network,
                    operation: Operation::Broadcast(inner, switching, 3),
                    bits: 4,
                };
                job.beside_model(&vec![vec![message]; 8]);
            }
        }
    }
}
