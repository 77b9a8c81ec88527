//! Machines, what their registers are loaded with, and hosts that answer whatever they like.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rtl_model::language::lanes::Lanes;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::router::Machine;
use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::ports::PortMachine;
use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};
use rtl_model::routers::ports::broadcast::Broadcast;
use rtl_model::routers::ports::node::SUPPLY;

pub type Kind = (Algorithm, PortModel);

/// All broadcasts on all ports that they are defined for.
pub fn each() -> impl Iterator<Item = Kind> {
    Algorithm::EACH.into_iter().flat_map(|algorithm| {
        let models = algorithm.port_models().iter();
        models.map(move |model| (algorithm, *model))
    })
}

/// Those of some numbers of packets that an algorithm takes, each once.
pub fn taken(algorithm: Algorithm, n: usize, some: &[usize]) -> Vec<usize> {
    let most = algorithm.most_packets(n).unwrap_or(usize::MAX);
    let mut packets: Vec<usize> = some.iter().map(|&packets| packets.clamp(1, most)).collect();
    packets.sort_unstable();
    packets.dedup();
    packets
}

/// A machine for packets of `packet_bits` bits after a start-up of `start_up` bit times.
pub fn machine(
    (algorithm, ports): Kind,
    n: usize,
    source: usize,
    packets: usize,
    (packet_bits, start_up): (usize, usize),
) -> PortMachine {
    let broadcast = Broadcast {
        cube: Dimensions::new(n).unwrap(),
        algorithm,
        ports,
        source,
        packets,
        packet_bits,
        start_up,
    };
    PortMachine::new(broadcast).unwrap()
}

pub fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// What the host writes before bit time 0: first bits at the source, which are drawn, and configurations.
pub fn load<B: Lanes>(fabric: &mut Fabric<PortMachine, B>, seed: u64) {
    let mut random = generator(seed);
    let device = fabric.router().clone();
    let (places, source) = (device.places(), device.broadcast().source);
    let nodes = device.topology().nodes();
    for node in 0..fabric.machines() * nodes {
        let (group, place) = fabric.node_mut(node);
        device.host_writes(group, &mut |field, bit, register: &mut B| {
            let value = match field == SUPPLY {
                true => random.random::<bool>() && node % nodes == source,
                false => {
                    let of_tree = &places.as_ref().unwrap()[(node % nodes) ^ source];
                    device.configuration(of_tree, field).unwrap() >> bit & 1 == 1
                }
            };
            register.set(place, value);
        });
    }
}

/// What the host of a node drives onto a wire in a bit time: any bits, but always the same.
pub fn supply(bit_time: u64, node: usize, channel: usize) -> bool {
    let mut hash = bit_time << 32 ^ (node as u64) << 8 ^ channel as u64;
    for _ in 0..2 {
        hash = (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    hash >> 60 & 1 == 1
}

/// Has all hosts drive what they drive in this bit time.
pub fn let_hosts_drive<B: Lanes>(fabric: &mut Fabric<PortMachine, B>) {
    let (wires, bit_time) = (fabric.topology().wires_from_host(), fabric.bit_time());
    for node in 0..fabric.machines() * fabric.topology().nodes() {
        let (group, place) = fabric.topology().seat::<B>(node);
        for channel in 0..wires {
            let bit = supply(bit_time, node, channel);
            fabric.from_host(group, channel).set(place, bit);
        }
    }
}
