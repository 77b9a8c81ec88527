//! Which packet lies in each packet buffer of the nodes that are traced: a waveform says so beside the buffer, and no hardware knows.
//!
//! It follows from what ports were seen to send and to receive, and from the rules by which buffers are filled. A packet is held from
//! the step after the one in which it came, and named only where it is to be sent on.
//!
//! | way | buffers | what comes | is held until |
//! |---|---|---|---|
//! | one tree | one | on any port, where the node has children | it has been sent to all of them |
//! | n trees, one port at a time | one | on the port `b` of the phase, where `c_b` is 1 | the next such phase is over |
//! | n trees on all ports | one a port | on port `k`, where `c_k` is 1 | the next step is over |
//! | one wave of n packets | one a port | the same | the end |
//! | recursive doubling | one a packet | that packet | the end |

use std::collections::BTreeMap;

use rtl_model::routers::ports::PortMachine;
use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};

use crate::ports::hosts::Hosts;
use crate::ports::monitor::Monitor;
use crate::ports::seated::places;

/// How buffers are filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Tree,
    Cycle,
    Wave,
    SingleWave,
    Doubling,
}

/// What is known of a buffer.
#[derive(Clone, Copy, Debug, Default)]
struct BufferState {
    /// The packet in it, in this step.
    held: Option<usize>,
    /// How often it is still to be sent, at the beginning of this step: of one tree.
    sends: usize,
    /// What comes, or has come, and is to be held.
    coming: Option<usize>,
}

/// A node that is traced.
#[derive(Clone, Debug)]
struct Traced {
    /// Its address xor that of the source.
    relative: usize,
    /// How many nodes it sends a packet on to: of one tree.
    children: usize,
    /// Ports that send in this step.
    sending: usize,
    places: Vec<BufferState>,
}

/// Of some nodes.
#[derive(Clone, Debug)]
pub struct Holdings {
    way: Way,
    has_halves: bool,
    dimensions: usize,
    buffers: usize,
    /// Steps that have begun.
    steps: usize,
    nodes: BTreeMap<usize, Traced>,
}

impl Holdings {
    /// Of some nodes of a machine. Nothing where a list is run: there every node keeps every packet.
    pub fn of(device: &PortMachine, nodes: impl Iterator<Item = usize>) -> Option<Self> {
        let broadcast = device.broadcast();
        let n = broadcast.cube.count();
        let (way, buffers) = match (broadcast.algorithm, broadcast.ports) {
            (Algorithm::Listed { .. }, _) => return None,
            (Algorithm::MultipleTrees, PortModel::OneWay | PortModel::TwoWay) => (Way::Cycle, 1),
            (Algorithm::Broadcast2, _) => (Way::Doubling, broadcast.packets),
            (Algorithm::Broadcast3A, _) => (Way::SingleWave, n),
            (Algorithm::MultipleTrees | Algorithm::Broadcast3B | Algorithm::Broadcast4, _) => {
                (Way::Wave, n)
            }
            _ => (Way::Tree, 1),
        };
        let tree = device.places();
        let children = |relative: usize| match (broadcast.algorithm, &tree) {
            (_, Some(tree)) => tree[relative].children.iter().flatten().count(),
            (Algorithm::HamiltonianPath, None) => {
                // The last node of the path along the Gray code.
                usize::from(relative != 1 << (n - 1))
            }
            _ => n - (usize::BITS - relative.leading_zeros()) as usize,
        };
        let traced = |node: usize| Traced {
            relative: node ^ broadcast.source,
            children: children(node ^ broadcast.source),
            sending: 0,
            places: vec![BufferState::default(); buffers],
        };
        Some(Holdings {
            way,
            has_halves: broadcast.ports == PortModel::OneWay,
            dimensions: n,
            buffers,
            steps: 0,
            nodes: nodes.map(|node| (node, traced(node))).collect(),
        })
    }

    /// The modules of a node that are buffers, by their names on the way to them.
    pub fn modules(&self) -> Vec<Vec<String>> {
        let within = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let numbered = |kind: &str| {
            let names = (0..self.buffers).map(|number| format!("{kind}_{number}"));
            names
                .map(|name| within(&["packets", "buffers", &name]))
                .collect()
        };
        match self.way {
            Way::Tree | Way::Cycle => vec![within(&["packets", "buffer"])],
            Way::Wave | Way::SingleWave => numbered("port"),
            Way::Doubling => numbered("packet"),
        }
    }

    /// The packet that lies in a buffer of a node in this step, if one does that is to be sent on.
    pub fn held(&self, node: usize, buffer: usize) -> Option<usize> {
        self.nodes.get(&node)?.places.get(buffer)?.held
    }

    /// The port of the phase that a step is in, and whether the phase is over with it.
    fn phase(&self, step: usize) -> (usize, bool) {
        let n = self.dimensions;
        match step.checked_sub(n) {
            // From the second turn on a phase has two halves.
            Some(half) if self.has_halves => ((n + half / 2) % n, half % 2 == 1),
            _ => (step % n, true),
        }
    }

    /// A step begins: what has come in the one before is held, and hosts know what is going to.
    pub fn begin_step(&mut self, monitor: &Monitor, hosts: &Hosts) {
        // In a cube of one dimension nobody has anybody to send on to.
        if self.dimensions == 1 {
            return;
        }
        if let Some(before) = self.steps.checked_sub(1) {
            let phase = self.phase(before);
            for node in self.nodes.values_mut() {
                node.end_step(self.way, phase);
            }
        }
        self.steps += 1;
        for (&number, node) in &mut self.nodes {
            node.sending = monitor.sending(number).count_ones() as usize;
            for port in places(monitor.receiving(number).into()) {
                if let Some(packet) = hosts.coming_packet(number, port)
                    && let Some(buffer) = node.buffer(self.way, port, packet)
                    && let Some(place) = node.places.get_mut(buffer)
                {
                    place.coming = Some(packet);
                }
            }
        }
    }
}

impl Traced {
    /// The buffer that a packet goes into which comes on a port, if it is to be sent on.
    fn buffer(&self, way: Way, port: usize, packet: usize) -> Option<usize> {
        let is_one = self.relative >> port & 1 == 1;
        match way {
            Way::Tree => (self.children > 0).then_some(0),
            Way::Cycle => is_one.then_some(0),
            Way::Wave | Way::SingleWave => is_one.then_some(port),
            Way::Doubling => Some(packet),
        }
    }

    /// A step is over, of a phase that may be over with it.
    fn end_step(&mut self, way: Way, (port, is_over): (usize, bool)) {
        let is_one = self.relative >> port & 1 == 1;
        for place in &mut self.places {
            place.sends = place.sends.saturating_sub(self.sending);
            let is_replaced = match way {
                Way::Tree => place.coming.is_some() || place.sends == 0,
                Way::Cycle => is_over && is_one,
                Way::Wave => true,
                Way::SingleWave | Way::Doubling => place.coming.is_some(),
            };
            if is_replaced {
                place.held = place.coming.take();
                place.sends = self.children;
            }
        }
    }
}
