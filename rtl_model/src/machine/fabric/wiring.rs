//! What is on the wires of a machine, or of a share of it, whatever its router.

use crate::error::Error;
use crate::language::lanes::Lanes;
use crate::language::register::Registers;
use crate::language::wires::{Conflict, Ledger};
use crate::machine::fabric::from_ranks::FromRanks;
use crate::machine::memory;
use crate::machine::meter::Storage;
use crate::machine::share::{Rank, Share};
use crate::machine::topology::Topology;

/// The wires of all lane groups, and whose share of the machine they are.
pub(super) struct Wiring<B> {
    pub machines: usize,
    pub rank: Rank,
    /// Lane groups, and the number of the first among those of the whole machine.
    pub groups: usize,
    pub first_group: usize,
    /// What each group drives: `wires[group * driven + wire]`. Room is made with the first bit that is sent.
    pub wires: Vec<B>,
    /// What the hosts drive: `from_host[group * wires_from_host + wire]`.
    pub from_host: Vec<B>,
    /// What a group receives, and its addresses: room for the group that is being clocked.
    pub received: Vec<B>,
    pub address: Vec<B>,
    /// The links that are driven in this bit time.
    pub driven_links: Vec<usize>,
    pub ledger: Ledger<B>,
    /// What comes from other ranks, link by link.
    pub from_ranks: FromRanks<B>,
}

/// A machine of fewer bytes is built sooner than the system says what it can give out.
const LEAST_ASKED: u64 = 1 << 20;

impl<B: Lanes> Wiring<B> {
    /// Of `machines` machines, or of what a rank holds of one, which take so many `bytes` in all.
    ///
    /// # Errors
    /// [`Error::DoesNotFit`].
    pub fn new<T: Topology>(
        topology: &T,
        machines: usize,
        rank: Rank,
        bytes: u64,
    ) -> Result<Self, Error> {
        let share = rank.share();
        let nodes = share.nodes(machines * topology.nodes());
        if bytes >= LEAST_ASKED {
            let of_what = format!("a simulation of {nodes} nodes");
            memory::require(of_what, bytes, memory::available())?;
        }
        let all_groups = share.groups(topology.groups::<B>(machines));
        let groups = all_groups.len();
        Ok(Wiring {
            machines,
            rank,
            groups,
            first_group: all_groups.start,
            wires: Vec::new(),
            from_host: vec![B::ZERO; groups * topology.wires_from_host()],
            received: vec![B::ZERO; topology.received()],
            address: vec![B::ZERO; topology.address_bits()],
            driven_links: Vec::with_capacity(topology.links()),
            ledger: Ledger::new(topology.driven()),
            from_ranks: FromRanks::new(topology, share),
        })
    }

    /// Bytes that a share of so many machines takes: for each lane group a struct of `size` bytes, the registers of a `node` in
    /// lanes, and its wires.
    pub fn bytes<T: Topology>(
        topology: &T,
        (node, size): (&mut dyn Registers<bool>, usize),
        machines: usize,
        share: Share,
    ) -> u64 {
        let registers = Storage::of::<bool>(node).total;
        let mut witnesses = 0;
        node.visit_witnesses(&mut |_| witnesses += 1);
        let bits = registers + witnesses + 2 * topology.driven() + topology.wires_from_host();
        let groups = share.groups(topology.groups::<B>(machines)).len();
        groups as u64 * (bits * size_of::<B>() + size) as u64
    }

    /// Two units have driven a wire in nodes of a group.
    #[cold]
    pub fn error<T: Topology>(
        &self,
        topology: &T,
        (group, conflict): (usize, Conflict<B>),
        bit_time: u64,
    ) -> Error {
        let place = (0..B::NODES).find(|&place| conflict.nodes.get(place));
        Error::WireConflict {
            node: topology.node_at::<B>(self.first_group + group, place.unwrap_or(0)),
            wire: topology.describe(conflict.wire),
            bit_time,
            first: conflict.first,
            second: conflict.second,
        }
    }

    /// Exchanges with other ranks what links carry, those that are driven in this bit time; over all others nothing is received.
    pub fn exchange(&mut self, links: usize, driven: usize) {
        self.driven_links.clear();
        let of_links = self.ledger.driven().take_while(|&wire| wire < links);
        self.driven_links.extend(of_links);
        self.from_ranks
            .receive(&self.rank, &self.driven_links, (&self.wires, driven));
        self.received.fill(B::ZERO);
    }

    /// Puts the addresses of a group's nodes into `address`, which holds those of the group before it, if there is one, and what
    /// they receive into `received`.
    #[inline]
    pub fn arrive<T: Topology>(&mut self, topology: &T, group: usize) {
        let (links, from_host) = (topology.links(), topology.wires_from_host());
        let (number, before) = numbered(self.first_group, group);
        topology.address(number, before, &mut self.address);
        for &wire in &self.driven_links {
            self.received[wire] = match self.from_ranks.over(wire) {
                None => topology.receive(&self.wires, group, wire),
                Some(received) => received[group],
            };
        }
        self.received[links..].copy_from_slice(&self.from_host[group * from_host..][..from_host]);
    }

    /// By group, the places in which there is a node; `None`: there is one in each.
    pub fn present<T: Topology>(&self, topology: &T) -> Option<Vec<B>> {
        let nodes = self.machines * topology.nodes();
        if topology.groups::<B>(self.machines) * B::NODES == nodes {
            return None;
        }
        let of_group = |group| {
            let mut present = B::ZERO;
            for place in 0..B::NODES {
                present.set(place, topology.node_at::<B>(group, place) < nodes);
            }
            present
        };
        let groups = self.first_group..self.first_group + self.groups;
        Some(groups.map(of_group).collect())
    }
}

/// A group's number among all of the machine, and that of the one before it.
#[inline]
pub(super) fn numbered(first: usize, group: usize) -> (usize, Option<usize>) {
    let number = first + group;
    (number, group.checked_sub(1).map(|_| number - 1))
}
