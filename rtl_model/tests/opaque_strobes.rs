//! A carrier that does not know its strobes, as one that writes down the logic will not: nothing is
//! skipped, every unit runs in every bit time, and a clock enable is a mux in front of every register.
//! It must give the same registers as `bool`, which skips all that is idle: skipping decides nothing.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::ops::{BitAnd, BitOr, BitXor, Not};

use bitvec::vec::BitVec;
use rtl_model::bit::Bit;
use rtl_model::fabric::Fabric;
use rtl_model::kuszmaul::enumeration::EnumerationRouter;
use rtl_model::kuszmaul::packing::PackingRouter;
use rtl_model::kuszmaul::plain::PlainRouter;
use rtl_model::register::{Name, Registers, Visitor};
use rtl_model::router::{MessageRouter, Node, Router, Sequencer};
use rtl_model::strobes::Strobes;
use rtl_model::topology::hypercube::{Dimensions, address_bit, neighbour};
use rtl_model::wires::{Ledger, Transmit};

/// A bit of one node that says nothing about itself.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Opaque(bool);

impl BitAnd for Opaque {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Opaque(self.0 & other.0)
    }
}

impl BitOr for Opaque {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Opaque(self.0 | other.0)
    }
}

impl BitXor for Opaque {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        Opaque(self.0 ^ other.0)
    }
}

impl Not for Opaque {
    type Output = Self;
    fn not(self) -> Self {
        Opaque(!self.0)
    }
}

impl Bit for Opaque {
    type Strobe = Opaque;

    const ZERO: Self = Opaque(false);
    const ONE: Self = Opaque(true);

    fn from_strobe(strobe: Opaque) -> Self {
        strobe
    }

    fn is_known_zero(self) -> bool {
        false
    }

    fn is_known_one(self) -> bool {
        false
    }

    fn when<R: Registers<Self> + Clone>(
        strobe: Opaque,
        registers: &mut R,
        clocked: impl FnOnce(&mut R),
    ) {
        let mut enabled = registers.clone();
        clocked(&mut enabled);
        let mut next = Vec::new();
        enabled.visit_mut(&mut |bit| next.push(*bit));
        let mut next = next.into_iter();
        registers.visit_mut(&mut |bit| *bit = strobe.mux(next.next().unwrap(), *bit));
        assert_eq!(next.next(), None);
    }
}

/// Every register bit of a module, in order.
fn registers<B: Bit>(module: &impl Registers<B>) -> Vec<B> {
    struct Reading<B>(Vec<B>);
    impl<B: Bit> Visitor<B> for Reading<B> {
        fn register(&mut self, _name: Name, width: usize, bit: &dyn Fn(usize) -> B) {
            self.0.extend((0..width).map(bit));
        }
    }
    let mut reading = Reading(Vec::new());
    module.visit(Name::Field("module"), &mut reading);
    reading.0
}

/// Runs a loaded machine beside its twin of opaque bits, sequencer included.
fn run_beside_opaque<R: Router>(mut fabric: Fabric<R, bool>) {
    let router_nodes = fabric.router().dimensions().nodes();
    let dimensions = fabric.router().dimensions().count();
    let mut sequencer = fabric.router().sequencer::<Opaque>();
    let mut strobes = R::Broadcast::<Opaque>::idle();
    let mut nodes: Vec<R::Node<Opaque>> = Vec::new();
    for number in 0..router_nodes {
        let mut node = fabric.router().node::<Opaque>();
        let mut loaded = registers::<bool>(fabric.node(number).0).into_iter();
        node.visit_mut(&mut |bit| *bit = Opaque(loaded.next().unwrap()));
        nodes.push(node);
    }

    while !fabric.is_done() {
        sequencer.broadcast(&mut strobes);
        let addresses: Vec<Vec<Opaque>> = (0..router_nodes)
            .map(|node| {
                (0..dimensions)
                    .map(|d| Opaque(address_bit(node, d)))
                    .collect()
            })
            .collect();
        let mut wires = vec![vec![Opaque::ZERO; dimensions]; router_nodes];
        // All units are merged onto a wire here, each gated by its strobe.
        let mut ledger = Ledger::new();
        for ((node, address), wires) in nodes.iter().zip(&addresses).zip(&mut wires) {
            node.transmit(&strobes, address, &mut Transmit::new(wires, &mut ledger));
        }
        assert_eq!(ledger.conflict(), None);
        for (number, (node, address)) in nodes.iter_mut().zip(&addresses).enumerate() {
            let received: Vec<Opaque> = (0..dimensions)
                .map(|d| wires[neighbour(number, d)][d])
                .collect();
            node.clock(&strobes, address, &received);
        }
        fabric.transmit().unwrap();
        for (number, wires) in wires.iter().enumerate() {
            for (dimension, wire) in wires.iter().enumerate() {
                assert_eq!(wire.0, fabric.wire(number, dimension));
            }
        }
        sequencer.clock();
        fabric.clock();
        for (number, node) in nodes.iter().enumerate() {
            let opaque: Vec<bool> = registers(node)
                .into_iter()
                .map(|bit: Opaque| bit.0)
                .collect();
            assert_eq!(
                opaque,
                registers::<bool>(fabric.node(number).0),
                "node {number} after bit time {}",
                fabric.bit_time()
            );
        }
        let opaque: Vec<bool> = registers(&sequencer)
            .into_iter()
            .map(|bit: Opaque| bit.0)
            .collect();
        assert_eq!(opaque, registers::<bool>(fabric.sequencer()));
    }
    assert_eq!(sequencer.is_done(), Opaque::ONE);
}

/// Two messages in three nodes; those of even sources change places by threes.
fn destination(nodes: usize, source: usize) -> Option<usize> {
    (source % 3 != 1).then_some((source * 3 + 1) % nodes)
}

fn loaded<R: MessageRouter + Copy>(
    router: R,
    destination: impl Fn(usize) -> Option<usize>,
) -> Fabric<R, bool> {
    let mut fabric = Fabric::new(router, 1).unwrap();
    for source in 0..router.dimensions().nodes() {
        if let Some(destination) = destination(source) {
            let payload: BitVec<u64> = (0..router.payload_bits())
                .map(|bit| (source + 5) >> (bit % 4) & 1 == 1)
                .collect();
            let (node, place) = fabric.node_mut(source);
            router.load(node, place, destination, &payload);
        }
    }
    fabric
}

#[test]
fn algorithm_2_does_not_depend_on_what_is_skipped() {
    for k in 1..=5 {
        for payload_bits in [1, 4] {
            let router = PlainRouter::new(Dimensions::new(k).unwrap(), payload_bits).unwrap();
            run_beside_opaque(loaded(router, |source| destination(1 << k, source)));
        }
    }
}

#[test]
fn packing_does_not_depend_on_what_is_skipped() {
    for k in 1..=5 {
        let router = PackingRouter::new(Dimensions::new(k).unwrap(), 3).unwrap();
        // Every other node of the upper half, packed to the bottom.
        let half = 1 << (k - 1);
        run_beside_opaque(loaded(router, |source| {
            (source >= half && source % 2 == 0).then(|| (source - half) / 2)
        }));
    }
}

#[test]
fn enumeration_does_not_depend_on_what_is_skipped() {
    for k in 1..=5 {
        let router = EnumerationRouter::new(Dimensions::new(k).unwrap());
        let mut fabric = Fabric::<_, bool>::new(router, 1).unwrap();
        for member in (0..1 << k).filter(|node| node % 5 < 3) {
            let (node, place) = fabric.node_mut(member);
            node.set_member(place, true);
        }
        run_beside_opaque(fabric);
    }
}
