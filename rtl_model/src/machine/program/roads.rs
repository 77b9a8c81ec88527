//! How the wires and addresses of a network lie in planes.

use crate::language::lanes::Lanes;
use crate::machine::program::Layout;
use crate::machine::program::across::Across;
use crate::machine::program::gather::{Gather, Table};
use crate::machine::program::layout::Way;
use crate::machine::program::operation::{FIRST, ONE, OperandKind, ZERO};
use crate::machine::share::Share;
use crate::machine::topology::{Crossing, Topology};

/// What a program knows of a network.
#[derive(Debug)]
pub(crate) struct Roads {
    /// By link.
    links: Vec<Road>,
    /// By bit of the address.
    addresses: Vec<AddressBit>,
    /// Wires from the host.
    from_host: usize,
    /// Tiles of a machine, a power of two; none where a machine cannot be halved.
    tiles_of_machine: Option<usize>,
    /// The links that join the halves of a machine's tiles, the halves of these, and so on.
    join_halves: Vec<Vec<usize>>,
    /// Which share of the machine it is, and the links that join it to others.
    share: Share,
    to_ranks: Vec<usize>,
}

#[derive(Debug)]
enum Road {
    /// One shuffle for all.
    Way(Way),
    Gathered(Gather),
    /// To the same seat of the rank whose number differs in this bit: what comes takes the place of what was sent.
    ToRank(usize),
}

/// Where a bit of the address is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressBit {
    /// It says which of the two ends of a way a node is at.
    Way(Way),
    /// In a plane that stays as it is, by its number in each tile.
    Fixed(usize),
    /// It is the same in all nodes of a share.
    Known(bool),
}

impl Roads {
    /// Of a network.
    pub(super) fn of<B: Lanes>(
        topology: &impl Topology,
        (groups, share): (usize, Share),
        layout: &Layout,
    ) -> Self {
        let table = |link| Table::of::<B>(topology, groups, link);
        Self::with_tables(topology, share, (layout, B::LOG2_NODES), &table)
    }

    /// The same in lane groups of `2^log2_nodes` nodes. `table` is that of a link that has no crossings.
    fn with_tables(
        topology: &dyn Topology,
        share: Share,
        (layout, log2_nodes): (&Layout, usize),
        table: &dyn Fn(usize) -> Table,
    ) -> Self {
        let links = topology.links();
        let crossings: Vec<Option<Vec<Crossing>>> = (0..links)
            .map(|link| topology.crossings(link, log2_nodes))
            .collect();
        let road = |(link, crossings): (usize, &Option<Vec<Crossing>>)| {
            if let Some(bit) = share.crosses(topology, link) {
                return Road::ToRank(bit);
            }
            match crossings.as_deref() {
                Some([all]) if all.mask == 0 => Road::Way(layout.way(all.flips)),
                Some(crossings) => {
                    Road::Gathered(Gather::of_crossings(crossings, layout.in_word()))
                }
                None => Road::Gathered(Gather::Table(table(link))),
            }
        };
        let mut fixed = 0usize..;
        let address_bit = |bit| {
            if let Some(place) = share.address_bit(topology, bit) {
                return AddressBit::Known(share.rank() >> place & 1 == 1);
            }
            match topology.seat_bit(bit, log2_nodes) {
                Some(bit) => AddressBit::Way(layout.way(bit)),
                None => AddressBit::Fixed(fixed.next().unwrap_or(0)),
            }
        };
        let nodes = share.nodes(topology.nodes());
        let halves = crossings.iter().all(Option::is_some) && nodes.is_power_of_two();
        let tiles_of_machine = halves.then(|| (nodes / layout.nodes_of_tile()).max(1));
        let joins = |halving| {
            let flips = nodes.ilog2() as usize - 1 - halving;
            let crosses = |link: &usize| {
                let mut crossings = crossings[*link].iter().flatten();
                crossings.any(|crossing| crossing.flips == flips)
            };
            (0..links).filter(crosses).collect()
        };
        Roads {
            addresses: (0..topology.address_bits()).map(address_bit).collect(),
            from_host: topology.wires_from_host(),
            join_halves: (0..tiles_of_machine.unwrap_or(1).ilog2() as usize)
                .map(joins)
                .collect(),
            tiles_of_machine,
            links: crossings.iter().enumerate().map(road).collect(),
            to_ranks: (0..links)
                .filter(|&link| share.crosses(topology, link).is_some())
                .collect(),
            share,
        }
    }

    /// Which share of a machine it is.
    pub(crate) fn share(&self) -> Share {
        self.share
    }

    /// Whether there are other ranks.
    pub(crate) fn is_shared(&self) -> bool {
        self.share.ranks() > 1
    }

    /// The links that lead to other ranks.
    pub(crate) fn to_ranks(&self) -> &[usize] {
        &self.to_ranks
    }

    /// The bit in which the number of the rank differs that a link leads to, if it leads to one.
    pub(crate) fn rank_bit(&self, link: usize) -> Option<usize> {
        match self.links[link] {
            Road::ToRank(bit) => Some(bit),
            _ => None,
        }
    }

    /// How many links there are.
    pub(crate) fn links(&self) -> usize {
        self.links.len()
    }

    /// Tiles of a machine, which the links of [`Roads::join_halves`] join; none where all tiles go together.
    pub(crate) fn tiles_of_machine(&self) -> Option<usize> {
        self.tiles_of_machine
    }

    /// The links that join the halves of a `2^halving`-th of a machine.
    pub(crate) fn join_halves(&self, halving: usize) -> &[usize] {
        &self.join_halves[halving]
    }

    /// Where the address bits are.
    pub(super) fn address_places(&self) -> Vec<OperandKind> {
        (self.addresses.iter().enumerate())
            .map(|(bit, address)| match *address {
                AddressBit::Way(Way::Far(bit)) => OperandKind::TileBit(bit),
                AddressBit::Known(false) => OperandKind::Scratch(ZERO),
                AddressBit::Known(true) => OperandKind::Scratch(ONE),
                AddressBit::Way(_) => OperandKind::Scratch(FIRST + bit),
                AddressBit::Fixed(plane) => OperandKind::Fixed(plane),
            })
            .collect()
    }

    /// Where is what comes: from links, and from the host.
    pub(super) fn wire_places(&self) -> Vec<OperandKind> {
        let links = self
            .links
            .iter()
            .enumerate()
            .map(|(link, road)| match road {
                Road::Way(_) | Road::ToRank(_) => OperandKind::Wire(link),
                Road::Gathered(_) => OperandKind::Gathered(link),
            });
        let first = self.fixed_addresses().count();
        let from_host = (0..self.from_host).map(|wire| OperandKind::Fixed(first + wire));
        links.chain(from_host).collect()
    }

    /// The address bits, each with the way whose ends it tells apart.
    pub(super) fn address_ways(&self) -> impl Iterator<Item = (usize, Way)> {
        let addresses = self.addresses.iter().enumerate();
        addresses.filter_map(|(bit, address)| match address {
            AddressBit::Way(way) => Some((bit, *way)),
            AddressBit::Fixed(_) | AddressBit::Known(_) => None,
        })
    }

    /// The address bits that are in planes of their own, in the order of these.
    pub(crate) fn fixed_addresses(&self) -> impl Iterator<Item = usize> {
        let addresses = self.addresses.iter().enumerate();
        addresses
            .filter_map(|(bit, address)| matches!(address, AddressBit::Fixed(_)).then_some(bit))
    }

    /// The planes of a tile that stay as they are: address bits, then wires from the host.
    pub(crate) fn fixed(&self) -> usize {
        self.fixed_addresses().count() + self.from_host
    }

    /// How links get across where one shuffle does it; others are sent as they are.
    pub(super) fn across(&self) -> Vec<Across> {
        (0..self.links())
            .map(|link| self.way_across(link))
            .collect()
    }

    /// How one gets across.
    #[inline]
    pub(super) fn way_across(&self, link: usize) -> Across {
        match &self.links[link] {
            Road::Way(way) => Across::of(*way),
            Road::Gathered(_) | Road::ToRank(_) => Across::NOWHERE,
        }
    }

    /// How a link's plane is put together; none where one shuffle does it.
    #[inline]
    pub(super) fn gather(&self, link: usize) -> Option<&Gather> {
        match &self.links[link] {
            Road::Way(_) | Road::ToRank(_) => None,
            Road::Gathered(gather) => Some(gather),
        }
    }

    /// Whether one shuffle does it for all links.
    pub(super) fn are_ways(&self) -> bool {
        let is_way = |road: &Road| !matches!(road, Road::Gathered(_));
        self.links.iter().all(is_way)
    }
}
