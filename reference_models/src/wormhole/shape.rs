//! The rules of cube-connected cycles and of their copies: which channels a switch has, where they lead, who shares a wire.

use super::network::{Channel, Port, Wire};
use super::theorem3::Copy;
use super::{Machine, Network};

/// A network's rules.
pub struct Shape {
    /// Which network.
    pub machine: Machine,
    /// `n`.
    pub levels: usize,
    /// The virtual channel goes up at the dateline.
    pub raises: bool,
    /// Where the copies lie; empty without copies.
    pub maps: Vec<Copy>,
}

impl Shape {
    fn straight_channels(&self) -> usize {
        self.machine.virtual_channels
    }

    fn cross_channels(&self) -> usize {
        self.machine.virtual_channels.min(2)
    }

    /// The highest virtual channel of the link that ends in `port`.
    pub fn highest(&self, port: Port) -> usize {
        match port {
            Port::StraightIn(_) => self.straight_channels() - 1,
            Port::CrossIn(_) => self.cross_channels() - 1,
            _ => 0,
        }
    }

    /// The input channels of a switch.
    pub fn input_ports(&self) -> Vec<Port> {
        let mut ports = vec![Port::Injection];
        ports.extend((0..self.straight_channels()).map(Port::StraightIn));
        ports.extend((0..self.cross_channels()).map(Port::CrossIn));
        ports
    }

    /// The output channels of a switch.
    pub fn output_ports(&self) -> Vec<Port> {
        let mut ports = Vec::new();
        ports.extend((0..self.straight_channels()).map(Port::StraightOut));
        ports.extend((0..self.cross_channels()).map(Port::CrossOut));
        ports.push(Port::Eject);
        ports
    }

    /// What a worm in `port` can do, in the order in which it decides.
    pub fn candidates(&self, node: usize, copy: usize, port: Port) -> Vec<Port> {
        let (level, _) = self.vertex(node, copy);
        let from_level = |channel| {
            vec![
                Port::CrossOut(channel),
                Port::Eject,
                Port::StraightOut(channel),
            ]
        };
        match port {
            Port::Injection => from_level(0),
            Port::StraightIn(channel) if level == 0 && self.raises => {
                from_level((channel + 1).min(self.straight_channels() - 1))
            }
            Port::StraightIn(channel) => from_level(channel),
            Port::CrossIn(channel) => vec![Port::Eject, Port::StraightOut(channel)],
            _ => Vec::new(),
        }
    }

    /// Level and column of a switch.
    pub fn vertex(&self, node: usize, copy: usize) -> (usize, usize) {
        match self.maps.get(copy) {
            Some(map) => map.vertex[node],
            None => (node >> self.levels, node % (1 << self.levels)),
        }
    }

    /// The node of a vertex.
    fn node(&self, copy: usize, (level, column): (usize, usize)) -> usize {
        match self.maps.get(copy) {
            Some(map) => map.address[level][column],
            None => level * (1 << self.levels) + column,
        }
    }

    /// For an output channel: its wire, its slot on the wire, its number in the slot, and the input
    /// channel at the other end.
    pub fn link(&self, channel: Channel) -> (Wire, usize, usize, Option<Channel>) {
        let Channel { node, copy, port } = channel;
        let (level, column) = self.vertex(node, copy);
        let straight = ((level + 1) % self.levels, column);
        let cross = (level, column ^ 1 << level);
        let far = |node, port| Some(Channel { node, copy, port });
        match port {
            Port::StraightOut(number) => {
                let to = self.node(copy, straight);
                let own = Wire::Straight { node };
                let (wire, slot) = match self.hypercube_wire(node, to) {
                    // Two copies go straight by dimension 1: the one that ends its cycle is the second.
                    Some((wire, 1)) => (wire, usize::from(level == self.levels - 1)),
                    Some((wire, _)) => (wire, 0),
                    None => (own, 0),
                };
                (wire, slot, number, far(to, Port::StraightIn(number)))
            }
            Port::CrossOut(number) => {
                let to = self.node(copy, cross);
                let own = Wire::Cross { node };
                let (wire, slot) = match self.hypercube_wire(node, to) {
                    Some((wire, _)) => (wire, 1),
                    None => (own, 0),
                };
                (wire, slot, number, far(to, Port::CrossIn(number)))
            }
            _ => (Wire::Eject { node, copy }, 0, 0, None),
        }
    }

    /// With copies: the wire between two neighbours, and its dimension.
    fn hypercube_wire(&self, node: usize, to: usize) -> Option<(Wire, usize)> {
        matches!(self.machine.network, Network::Copies { .. }).then(|| {
            let dimension = (node ^ to).trailing_zeros() as usize;
            (Wire::Dimension { node, dimension }, dimension)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::wormhole::{Pieces, Switch};

    /// Theorem 3's congestion: no slot of a wire has two owners, dimension 1 carries two straight links
    /// and no cross link, and the two are at the levels n/2 - 1 and n - 1.
    #[test]
    fn every_slot_of_a_wire_has_at_most_one_owner() {
        for levels in [2, 4, 8] {
            let copies = levels;
            let shape = Shape {
                machine: Machine {
                    network: Network::Copies { levels, copies },
                    virtual_channels: 1,
                    buffer_bits: 2,
                    wire_bits: 1,
                    switch: Switch::Strong,
                    pieces: Pieces::Even,
                },
                levels,
                raises: true,
                maps: (0..copies).map(|k| Copy::new(levels, k)).collect(),
            };
            let mut owners: HashMap<(Wire, usize), usize> = HashMap::new();
            for node in 0..levels << levels {
                for copy in 0..copies {
                    for port in [Port::StraightOut(0), Port::CrossOut(0)] {
                        let (wire, slot, ..) = shape.link(Channel { node, copy, port });
                        assert_eq!(owners.insert((wire, slot), copy), None, "{wire}");
                        if matches!(wire, Wire::Dimension { dimension: 1, .. }) {
                            let (level, _) = shape.vertex(node, copy);
                            assert_eq!(port, Port::StraightOut(0));
                            assert_eq!(level, [levels / 2 - 1, levels - 1][slot]);
                        }
                    }
                }
            }
            let both = |node| [0, 1].map(|slot| (Wire::Dimension { node, dimension: 1 }, slot));
            for node in 0..levels << levels {
                assert!(both(node).iter().all(|owner| owners.contains_key(owner)));
            }
        }
    }
}
