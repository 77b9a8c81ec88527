//! The inner loop: some lane groups, one after the other, through a clock edge and on to the next bit time.

use crate::lanes::Lanes;
use crate::router::{Machine, Node};
use crate::topology::Topology;
use crate::wires::{Conflict, Ledger, Transmit};

/// Room for what a group receives and for its addresses, while it is at work.
#[derive(Clone, Debug)]
pub(super) struct Scratch<B> {
    received: Vec<B>,
    address: Vec<B>,
}

impl<B: Lanes> Scratch<B> {
    pub(super) fn new(topology: &impl Topology) -> Self {
        Scratch {
            received: vec![B::ZERO; topology.received()],
            address: vec![B::ZERO; topology.address_bits()],
        }
    }
}

/// The clock edge at the end of a bit time.
#[derive(Clone, Copy)]
pub(super) struct Edge<'a, S, B> {
    /// What the sequencer broadcast in it.
    pub broadcast: &'a S,
    /// What the groups put onto their wires; the first group of the pass is at `wires[0]` or, where it is in the middle
    /// of a block, `groups_before` behind it.
    pub wires: &'a [B],
    /// Groups of the block that are before those of the pass.
    pub groups_before: usize,
    /// The links that are driven.
    pub driven: &'a [usize],
    /// What the hosts of the pass's groups drive.
    pub from_host: &'a [B],
}

/// The bits that go onto the wires in the next bit time.
pub(super) struct Sending<'a, S, B> {
    /// What the sequencer broadcasts in it.
    pub broadcast: &'a S,
    /// The wires of the pass's groups.
    pub wires: &'a mut [B],
    /// Where drivers are noted, unless they are known.
    pub ledger: Option<&'a mut Ledger<B>>,
}

/// A pass over the groups `first..`.
pub(super) struct Pass<'a, R: Machine, B: Lanes> {
    pub topology: &'a R::Topology,
    pub first: usize,
    pub nodes: &'a mut [R::Node<B>],
    pub scratch: &'a mut Scratch<B>,
    pub edge: Option<Edge<'a, R::Broadcast<bool>, B>>,
    pub sending: Option<Sending<'a, R::Broadcast<bool>, B>>,
}

impl<R: Machine, B: Lanes> Pass<'_, R, B> {
    /// Gives the first conflict, and the group in which it is.
    pub(super) fn perform(self) -> Option<(usize, Conflict<B>)> {
        let Pass {
            topology,
            first,
            nodes,
            scratch: Scratch { received, address },
            edge,
            mut sending,
        } = self;
        let (links, driven) = (topology.links(), topology.driven());
        let from_host = topology.wires_from_host();
        if edge.is_some() {
            received.fill(B::ZERO);
        }
        let mut before = None;
        for (index, node) in nodes.iter_mut().enumerate() {
            topology.address(first + index, before, address);
            before = Some(first + index);
            if let Some(edge) = &edge {
                for &wire in edge.driven {
                    received[wire] = topology.receive(edge.wires, edge.groups_before + index, wire);
                }
                received[links..]
                    .copy_from_slice(&edge.from_host[index * from_host..][..from_host]);
                node.clock(edge.broadcast, address, received);
            }
            if let Some(sending) = &mut sending {
                let wires = &mut sending.wires[index * driven..][..driven];
                match &mut sending.ledger {
                    None => {
                        let mut transmit = Transmit::without_ledger(wires);
                        node.transmit(sending.broadcast, address, &mut transmit);
                    }
                    Some(ledger) => {
                        let mut transmit = Transmit::new(wires, ledger);
                        node.transmit(sending.broadcast, address, &mut transmit);
                        if let Some(conflict) = ledger.conflict() {
                            return Some((first + index, conflict));
                        }
                    }
                }
            }
        }
        None
    }
}
