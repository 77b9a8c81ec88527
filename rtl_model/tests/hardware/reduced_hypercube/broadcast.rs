//! Broadcasts: the message is at every node, from every source, after exactly as many steps as there should be.

use rtl_model::machine::device::Device;
use rtl_model::machine::host::Field;
use rtl_model::routers::reduced_hypercube::broadcast::{Broadcast, Inner, Switching};
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;

use crate::reduced_hypercube::common::{full, load, nodes, read, reduced, run, small};

const INNER: [Inner; 2] = [Inner::DoubleRooted, Inner::ECube];
const SWITCHING: [Switching; 2] = [Switching::StoreAndForward, Switching::CutThrough];

/// Loads the message at the source alone, runs, and finds it everywhere.
fn broadcast(network: BlockNetwork, how: (Inner, Switching), source: usize, message_bits: usize) {
    let device = Broadcast::new(network, how, source, message_bits).unwrap();
    let message = 0x5a5a_9669_c33c_f00d & (u64::MAX >> (64 - message_bits));
    let mut machine = device.build(1).unwrap();
    let mut words = vec![vec![0]; nodes(network)];
    words[source] = vec![message | 1];
    load(&mut *machine, &words, message_bits);
    run(&mut *machine);
    let valid = read(&*machine, Field::VALID, (1, 1));
    let found = read(&*machine, Field::PAYLOAD, (1, message_bits));
    for node in 0..nodes(network) {
        assert_eq!(valid[node][0], 1, "{network:?} {how:?} {source} at {node}");
        assert_eq!(
            found[node][0],
            message | 1,
            "{network:?} {how:?} {source} at {node}"
        );
    }
}

#[test]
fn the_message_is_everywhere_whoever_sends_it() {
    for network in small() {
        for how in INNER
            .into_iter()
            .flat_map(|inner| SWITCHING.map(|way| (inner, way)))
        {
            for source in 0..nodes(network) {
                broadcast(network, how, source, 5);
            }
            for message_bits in [1, 2, 33] {
                broadcast(network, how, 1, message_bits);
            }
        }
    }
}

#[test]
fn larger_networks_are_reached_too() {
    for how in INNER
        .into_iter()
        .flat_map(|inner| SWITCHING.map(|way| (inner, way)))
    {
        for (network, source) in [
            (reduced(3, 3), 1234),
            (reduced(6, 2), 77),
            (full(9), 300),
            (reduced(10, 1), 3001),
        ] {
            broadcast(network, how, source, 9);
        }
    }
}

#[test]
#[ignore = "long: a million nodes, as the smallest network of sixteen sub-blocks has"]
fn the_smallest_network_of_sixteen_subblocks_is_reached_too() {
    let how = (Inner::DoubleRooted, Switching::CutThrough);
    broadcast(reduced(4, 4), how, 234_567, 1);
}

/// One step less, and somebody has not got it: the closed form counts the way of the last node.
#[test]
fn steps_in_numbers() {
    for (k, n, steps) in [
        (1, 1, 5),
        (3, 1, 7),
        (2, 2, 12),
        (3, 2, 13),
        (6, 2, 16),
        (3, 3, 32),
    ] {
        let how = (Inner::DoubleRooted, Switching::StoreAndForward);
        let device = Broadcast::new(reduced(k, n), how, 0, 3).unwrap();
        assert_eq!(device.steps().value, steps);
        for (inner, steps) in [
            (Inner::DoubleRooted, steps),
            (Inner::ECube, if n == 3 { 28 } else { steps }),
        ] {
            for switching in SWITCHING {
                let device = Broadcast::new(reduced(k, n), (inner, switching), 0, 3).unwrap();
                assert_eq!(device.steps().value, steps);
                let mut machine = device.build(1).unwrap();
                let mut words = vec![vec![0]; nodes(reduced(k, n))];
                words[0] = vec![7];
                load(&mut *machine, &words, 3);
                let end = machine.device().bit_times().value;
                let has_all = |machine: &dyn rtl_model::machine::simulation::Lockstep| {
                    read(machine, Field::VALID, (1, 1))
                        .iter()
                        .all(|valid| valid[0] == 1)
                };
                while machine.bit_time() + 1 < end {
                    machine.tick().unwrap();
                }
                assert!(!has_all(&*machine), "not a bit time too late");
                machine.tick().unwrap();
                assert!(has_all(&*machine) && machine.is_done());
            }
        }
    }
}

/// A node sees the source in what the sequencer broadcasts, and nowhere else: whichever it is, the node is the same circuit.
#[test]
fn a_node_is_the_same_circuit_whoever_sends() {
    for network in [reduced(1, 1), reduced(2, 2), full(3)] {
        for inner in INNER {
            let node = |source: usize| {
                let how = (inner, Switching::StoreAndForward);
                let broadcast = Broadcast::new(network, how, source, 3).unwrap();
                broadcast.design("A broadcast.").node
            };
            for source in 1..nodes(network) {
                assert_eq!(node(source), node(0), "{network:?} {inner:?} {source}");
            }
        }
    }
}
