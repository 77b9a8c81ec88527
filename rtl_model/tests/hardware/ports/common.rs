//! Machines of all broadcasts on all ports.

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::ports::PortMachine;
use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};
use rtl_model::routers::ports::broadcast::Broadcast;

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
