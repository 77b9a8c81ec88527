//! What nodes hold at the end of a run.

use std::convert::Infallible;

use bitvec::slice::BitSlice;
use bitvec::vec::BitVec;

use crate::fabric::Fabric;
use crate::lanes::Lanes;
use crate::router::MessageRouter;
use crate::topology::Topology;

/// What the nodes of one machine hold at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrivals {
    payload_bits: usize,
    holds: BitVec<u64>,
    payloads: BitVec<u64>,
}

impl Arrivals {
    /// Of nodes that hold no message.
    pub fn none(nodes: usize, payload_bits: usize) -> Self {
        Arrivals {
            payload_bits,
            holds: BitVec::repeat(false, nodes),
            payloads: BitVec::repeat(false, nodes * payload_bits),
        }
    }

    /// Reads the nodes of machine number `machine` of those that are side by side in a fabric.
    pub fn read<R: MessageRouter, B: Lanes>(fabric: &Fabric<R, B>, machine: usize) -> Self {
        debug_assert!(machine < fabric.machines());
        let router = fabric.router();
        let (nodes, payload_bits) = (router.dimensions().nodes(), router.payload_bits());
        let mut arrivals = Arrivals::none(nodes, payload_bits);
        let mut read = |group: &R::Node<B>, place, node: usize| {
            let payload = &mut arrivals.payloads[node * payload_bits..][..payload_bits];
            let holds = router.unload(group, place, payload);
            arrivals.holds.set(node, holds);
        };
        if fabric.machines() > 1 {
            for node in 0..nodes {
                let (group, place) = fabric.node(machine * nodes + node);
                read(group, place, node);
            }
            return arrivals;
        }
        let all = fabric.read_groups(|group, lanes| {
            for place in 0..B::NODES {
                let node = fabric.topology().node_at::<B>(group, place);
                if node < nodes {
                    read(lanes, place, node);
                }
            }
            Ok::<(), Infallible>(())
        });
        all.unwrap_or_else(|never| match never {});
        arrivals
    }

    /// The payload that `node` holds, if it holds a message.
    pub fn at(&self, node: usize) -> Option<&BitSlice<u64>> {
        self.holds[node].then(|| &self.payloads[node * self.payload_bits..][..self.payload_bits])
    }

    /// Lets `node` hold a message of that payload, as many bits as the others have.
    pub fn set(&mut self, node: usize, payload: &BitSlice<u64>) {
        self.holds.set(node, true);
        self.payloads[node * self.payload_bits..][..self.payload_bits].copy_from_bitslice(payload);
    }

    /// The nodes that hold a message, in ascending order.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        self.holds.iter_ones()
    }
}
