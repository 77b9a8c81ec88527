//! The fabric: all nodes of a hypercube, and the wires between them. One tick is one bit time.
//!
//! ```text
//!              broadcast
//!   sequencer ---+----------+----------+---- ...
//!                v          v          v
//!             [group 0]  [group 1]  [group 2] ...      LANES nodes each, registers side by side
//!              tx |rx     tx |rx     tx |rx
//!                 +--- dimension d >= log2 LANES: group g to group g ^ 2^(d - log2 LANES)
//!                      dimension d <  log2 LANES: within the group
//! ```
//!
//! A bit time has two phases, so that the order in which nodes are simulated cannot matter: all
//! nodes put their bits onto the wires ([`Fabric::transmit`]), then all take their clock edge
//! ([`Fabric::clock`]). Between the two, what the wires carry can be read.
//!
//! Several like cubes can be run side by side: cube `c`'s node `x` is node `c * 2^k + x` of the
//! fabric, and only its own cube's wires reach it.

use crate::error::Error;
use crate::lanes::Lanes;
use crate::memory;
use crate::meter::Storage;
use crate::router::{Node, Position, Router, Sequencer};
use crate::strobes::Strobes;
use crate::topology::hypercube::MAX_DIMENSIONS;
use crate::wires::{Ledger, Transmit};

/// A machine, ready to be loaded and run.
pub struct Fabric<R: Router, B: Lanes> {
    router: R,
    cubes: usize,
    sequencer: R::Sequencer<bool>,
    broadcast: R::Broadcast<bool>,
    nodes: Vec<R::Node<B>>,
    /// What each group drives: `wires[group * k + dimension]`.
    wires: Vec<B>,
    ledger: Ledger,
    bit_time: u64,
    driven: u64,
}

impl<R: Router, B: Lanes> Fabric<R, B> {
    /// Builds `cubes` cubes, with all registers 0.
    ///
    /// # Errors
    /// [`Error::DoesNotFit`] if they would not fit into the memory that is available.
    pub fn new(router: R, cubes: usize) -> Result<Self, Error> {
        let dimensions = router.dimensions();
        memory::require(
            format!("a simulation of {} nodes", cubes * dimensions.nodes()),
            Self::bytes(&router, cubes),
            memory::available(),
        )?;
        let groups = Self::groups(&router, cubes);
        let mut fabric = Fabric {
            cubes,
            sequencer: router.sequencer(),
            broadcast: R::Broadcast::idle(),
            nodes: (0..groups).map(|_| router.node()).collect(),
            wires: vec![B::ZERO; groups * dimensions.count()],
            ledger: Ledger::new(),
            bit_time: 0,
            driven: 0,
            router,
        };
        fabric.sequencer.broadcast(&mut fabric.broadcast);
        Ok(fabric)
    }

    fn groups(router: &R, cubes: usize) -> usize {
        (cubes * router.dimensions().nodes()).div_ceil(B::NODES)
    }

    /// Bytes that `cubes` cubes take in memory: every register and wire of every lane group.
    pub fn bytes(router: &R, cubes: usize) -> u64 {
        let registers = Storage::of::<bool>(&router.node::<bool>()).total;
        let bits = registers + router.dimensions().count();
        Self::groups(router, cubes) as u64
            * (bits * size_of::<B>() + size_of::<R::Node<B>>()) as u64
    }

    /// The router's parameters.
    pub fn router(&self) -> &R {
        &self.router
    }

    /// Number of cubes side by side.
    pub fn cubes(&self) -> usize {
        self.cubes
    }

    /// Bit times that have passed.
    pub fn bit_time(&self) -> u64 {
        self.bit_time
    }

    /// Dimensions driven, summed over the bit times that have passed. Strobes are broadcast: where
    /// one node drives its wire of a dimension, all do.
    pub fn driven_wire_bit_times(&self) -> u64 {
        self.driven
    }

    /// Where the schedule stands in this bit time.
    pub fn position(&self) -> Position {
        self.router.position(&self.sequencer)
    }

    /// The sequencer.
    pub fn sequencer(&self) -> &R::Sequencer<bool> {
        &self.sequencer
    }

    /// The lane groups.
    pub fn node_groups(&self) -> &[R::Node<B>] {
        &self.nodes
    }

    /// The group that simulates a node, and the node's place in it.
    pub fn node(&self, node: usize) -> (&R::Node<B>, usize) {
        (&self.nodes[node / B::NODES], node % B::NODES)
    }

    /// As [`Fabric::node`], for loading messages or flipping a register.
    pub fn node_mut(&mut self, node: usize) -> (&mut R::Node<B>, usize) {
        (&mut self.nodes[node / B::NODES], node % B::NODES)
    }

    /// Whether the sequencer has passed its last step.
    pub fn is_done(&self) -> bool {
        self.sequencer.is_done()
    }

    /// The unit that drives the wires of `dimension` in this bit time, if any. To be read as
    /// [`Fabric::wire`].
    pub fn driver(&self, dimension: usize) -> Option<&'static str> {
        self.ledger.driver(dimension)
    }

    /// What `node` drives onto its wire of `dimension` in this bit time: 0 where nobody drives.
    /// To be read between [`Fabric::transmit`] and [`Fabric::clock`].
    pub fn wire(&self, node: usize, dimension: usize) -> bool {
        let wire = node / B::NODES * self.router.dimensions().count() + dimension;
        self.ledger.is_driven(dimension) && self.wires[wire].get(node % B::NODES)
    }

    /// Forces the wire that `node` drives across `dimension` in this bit time: an injected fault. It
    /// has no effect while nobody drives the wire.
    pub fn force_wire(&mut self, node: usize, dimension: usize, value: bool) {
        let wire = node / B::NODES * self.router.dimensions().count() + dimension;
        self.wires[wire].set(node % B::NODES, value);
    }

    /// First half of a bit time: every node puts its bits onto its wires.
    ///
    /// # Errors
    /// [`Error::WireConflict`] if two units of a node drive one wire.
    pub fn transmit(&mut self) -> Result<(), Error> {
        let dimensions = self.router.dimensions().count();
        let mut address = OwnAddress::<B>::new(dimensions);
        for (group, (node, wires)) in self
            .nodes
            .iter()
            .zip(self.wires.chunks_exact_mut(dimensions))
            .enumerate()
        {
            let mut transmit = Transmit::new(wires, &mut self.ledger);
            node.transmit(&self.broadcast, address.of_group(group), &mut transmit);
            if let Some(conflict) = self.ledger.conflict() {
                return Err(Error::WireConflict {
                    node: group * B::NODES,
                    dimension: conflict.dimension,
                    bit_time: self.bit_time,
                    first: conflict.first,
                    second: conflict.second,
                });
            }
        }
        self.driven += self.ledger.driven().count() as u64;
        Ok(())
    }

    /// Second half of a bit time: every node receives and takes its clock edge.
    pub fn clock(&mut self) {
        let dimensions = self.router.dimensions().count();
        let mut address = OwnAddress::<B>::new(dimensions);
        let mut received = [B::ZERO; MAX_DIMENSIONS];
        for (group, node) in self.nodes.iter_mut().enumerate() {
            for dimension in self.ledger.driven() {
                received[dimension] = if dimension < B::LOG2_NODES {
                    self.wires[group * dimensions + dimension].across(dimension)
                } else {
                    let neighbour = group ^ 1 << (dimension - B::LOG2_NODES);
                    self.wires[neighbour * dimensions + dimension]
                };
            }
            node.clock(
                &self.broadcast,
                address.of_group(group),
                &received[..dimensions],
            );
        }
        self.sequencer.clock();
        self.sequencer.broadcast(&mut self.broadcast);
        self.bit_time += 1;
    }

    /// One bit time.
    ///
    /// # Errors
    /// [`Error::WireConflict`] if two units of a node drive one wire.
    pub fn tick(&mut self) -> Result<(), Error> {
        self.transmit()?;
        self.clock();
        Ok(())
    }
}

/// The nodes' own addresses, as each group of lanes has them wired in.
struct OwnAddress<B> {
    bits: [B; MAX_DIMENSIONS],
    dimensions: usize,
}

impl<B: Lanes> OwnAddress<B> {
    fn new(dimensions: usize) -> Self {
        OwnAddress {
            bits: std::array::from_fn(|dimension| {
                if dimension < B::LOG2_NODES {
                    B::place_bit(dimension)
                } else {
                    B::ZERO
                }
            }),
            dimensions,
        }
    }

    /// Groups are asked for in ascending order, so only the bits that differ from the group before
    /// are written: two on the average.
    #[inline]
    fn of_group(&mut self, group: usize) -> &[B] {
        let changed = group ^ group.wrapping_sub(1);
        let bits = &mut self.bits[..self.dimensions];
        for (place, bit) in bits.iter_mut().skip(B::LOG2_NODES).enumerate() {
            if changed >> place & 1 == 0 {
                break;
            }
            *bit = B::from_strobe(group >> place & 1 == 1);
        }
        bits
    }
}
