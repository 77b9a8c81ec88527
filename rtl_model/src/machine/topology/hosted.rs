//! A hypercube whose nodes have hosts on wires, beside what its dimensions join.
//!
//! ```text
//!   node x                              wires 0 .. k: across dimension 0 .. k
//!     tx[0..k]  ==> node x ^ 2^d        wires k ..  : to its host, and from it, as they are labelled
//!     tx[k..]   ==> its host
//! ```

use std::sync::Arc;

use crate::language::lanes::Lanes;
use crate::machine::topology::hypercube::Dimensions;
use crate::machine::topology::{Crossing, Labelled, Tap, Topology};

/// Wires between a node and its host that are read as one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPort {
    /// Its name.
    pub name: String,
    /// How many wires.
    pub width: usize,
}

/// The network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostedHypercube {
    cube: Dimensions,
    ports: Arc<[Vec<HostPort>; 2]>,
}

impl HostedHypercube {
    /// A cube whose nodes have these wires to their hosts, and from them: ports one after the other, bit 0 first.
    pub fn new(cube: Dimensions, to_host: Vec<HostPort>, from_host: Vec<HostPort>) -> Self {
        HostedHypercube {
            cube,
            ports: Arc::new([to_host, from_host]),
        }
    }

    /// The cube.
    pub fn cube(&self) -> Dimensions {
        self.cube
    }

    fn wires(ports: &[HostPort]) -> usize {
        ports.iter().map(|port| port.width).sum()
    }

    /// Ports as a wave shows them.
    fn host_labels(&self, ports: &[HostPort], tap: fn(usize) -> Tap) -> Vec<Labelled> {
        let mut next = self.cube.count();
        let label = |port: &HostPort| {
            let first = next;
            next += port.width;
            Labelled {
                scope: "host".to_owned(),
                name: port.name.clone(),
                wires: (first..next).map(tap).collect(),
            }
        };
        ports.iter().map(label).collect()
    }
}

impl Topology for HostedHypercube {
    fn nodes(&self) -> usize {
        self.cube.nodes()
    }

    fn address_bits(&self) -> usize {
        self.cube.count()
    }

    fn links(&self) -> usize {
        self.cube.count()
    }

    fn wires_to_host(&self) -> usize {
        Self::wires(&self.ports[0])
    }

    fn wires_from_host(&self) -> usize {
        Self::wires(&self.ports[1])
    }

    fn kind(&self) -> &'static str {
        self.cube.kind()
    }

    fn describe(&self, wire: usize) -> String {
        match wire < self.links() {
            true => self.cube.describe(wire),
            false => "to its host".to_owned(),
        }
    }

    fn labelled(&self) -> Vec<Labelled> {
        let [to_host, from_host] = &*self.ports;
        let mut labelled = self.cube.labelled();
        labelled.extend(self.host_labels(to_host, Tap::Driven));
        labelled.extend(self.host_labels(from_host, Tap::Received));
        labelled
    }

    fn sender(&self, node: usize, wire: usize) -> usize {
        self.cube.sender(node, wire)
    }

    fn groups<B: Lanes>(&self, machines: usize) -> usize {
        self.cube.groups::<B>(machines)
    }

    fn seat<B: Lanes>(&self, node: usize) -> (usize, usize) {
        self.cube.seat::<B>(node)
    }

    fn node_at<B: Lanes>(&self, group: usize, place: usize) -> usize {
        self.cube.node_at::<B>(group, place)
    }

    fn crossings(&self, link: usize, log2_nodes: usize) -> Option<Vec<Crossing>> {
        self.cube.crossings(link, log2_nodes)
    }

    fn seat_bit(&self, bit: usize, log2_nodes: usize) -> Option<usize> {
        self.cube.seat_bit(bit, log2_nodes)
    }

    #[inline]
    fn receive<B: Lanes>(&self, wires: &[B], group: usize, wire: usize) -> B {
        self.cube.across(wires, self.driven(), (group, wire), wire)
    }

    #[inline]
    fn address<B: Lanes>(&self, group: usize, before: Option<usize>, address: &mut [B]) {
        self.cube.address(group, before, address);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn port(name: &str, width: usize) -> HostPort {
        let name = name.to_owned();
        HostPort { name, width }
    }

    #[test]
    fn ports_of_hosts_are_labelled_one_after_the_other() {
        let cube = Dimensions::new(2).unwrap();
        let to_host = vec![port("a", 3), port("c", 1)];
        let network = HostedHypercube::new(cube, to_host, vec![port("b", 2)]);
        let of_host: Vec<Labelled> = network.labelled().split_off(4);
        let wires: Vec<(&str, &[Tap])> = (of_host.iter())
            .map(|label| (label.name.as_str(), &label.wires[..]))
            .collect();
        assert_eq!(
            wires,
            [
                ("a", &[Tap::Driven(2), Tap::Driven(3), Tap::Driven(4)][..]),
                ("c", &[Tap::Driven(5)][..]),
                ("b", &[Tap::Received(2), Tap::Received(3)][..]),
            ]
        );
        assert_eq!((network.driven(), network.received()), (6, 4));
    }
}
