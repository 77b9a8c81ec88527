//! The quadratic hypercube: a hypercube with redundant wires (Kuszmaul 1990, section IV).
//!
//! Iteration `i` of Algorithm 2 uses dimension `i` and those above it. If each iteration has wires of its own, iterations can work
//! at the same time, each on another set of messages; and dimension `d` then has a wire each way for each of the iterations 0 to
//! `d`: `d+1` of them, `k(k+1)/2` at a node. What an iteration needs is called a stage here. A schedule that takes several
//! dimensions at once has fewer stages, and so needs fewer wires.
//!
//! ```text
//!   wires of a node, by number          k = 4, a stage a dimension
//!   stage 0   0  1  2  3                dimension 0  1  2  3
//!   stage 1      4  5  6                             1  2  3
//!   stage 2         7  8                                2  3
//!   stage 3            9                                   3
//!                                       wires     1  2  3  4
//! ```
//!
//! In waves a wire stands with its dimension and carries the number of its stage: `dim_3`, `tx_1` and `rx_1`; what uses it is
//! `user_3_1`.

use std::sync::Arc;

use crate::language::lanes::Lanes;
use crate::machine::topology::hypercube::Dimensions;
use crate::machine::topology::{Crossing, Labelled, Tap, Topology};

/// A wire, by what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wire {
    dimension: usize,
    stage: usize,
}

/// The network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuadraticHypercube {
    cube: Dimensions,
    wires: Arc<[Wire]>,
}

impl QuadraticHypercube {
    /// A cube with a stage for each of its dimensions: dimension `d` has `d+1` wires each way.
    pub fn new(cube: Dimensions) -> Self {
        Self::with_stages(cube, 0..cube.count())
    }

    /// A cube with a stage for each of some dimensions, of which none is beyond the cube: it has a wire across this dimension and
    /// across each above it.
    pub fn with_stages(cube: Dimensions, lowest: impl IntoIterator<Item = usize>) -> Self {
        let stages = lowest.into_iter().enumerate();
        let wires = stages.flat_map(|(stage, lowest)| {
            (lowest..cube.count()).map(move |dimension| Wire { dimension, stage })
        });
        QuadraticHypercube {
            cube,
            wires: wires.collect(),
        }
    }

    /// The cube.
    pub fn cube(&self) -> Dimensions {
        self.cube
    }

    /// Wires across a dimension, each way.
    pub fn wires_across(&self, dimension: usize) -> usize {
        let across = self.wires.iter().filter(|wire| wire.dimension == dimension);
        across.count()
    }

    /// The dimension that a wire crosses.
    pub fn dimension_of(&self, wire: usize) -> usize {
        self.wires[wire].dimension
    }
}

impl Topology for QuadraticHypercube {
    fn nodes(&self) -> usize {
        self.cube.nodes()
    }

    fn address_bits(&self) -> usize {
        self.cube.count()
    }

    fn links(&self) -> usize {
        self.wires.len()
    }

    fn kind(&self) -> &'static str {
        // With a wire across each dimension it is the cube that it was made of.
        match (0..self.cube.count()).all(|dimension| self.wires_across(dimension) == 1) {
            true => self.cube.kind(),
            false => "quadratic hypercube",
        }
    }

    fn machine_name(&self) -> &'static str {
        self.cube.machine_name()
    }

    fn describe(&self, wire: usize) -> String {
        let Wire { dimension, stage } = self.wires[wire];
        format!("across dimension {dimension}, of stage {stage}")
    }

    fn link_name(&self, link: usize) -> String {
        let Wire { dimension, stage } = self.wires[link];
        format!("{dimension}_{stage}")
    }

    fn labelled(&self) -> Vec<Labelled> {
        let across = |dimension| {
            let wires = self.wires.iter().enumerate();
            wires.filter(move |(_, wire)| wire.dimension == dimension)
        };
        let label = |wire: &Wire, name: &str, tap| Labelled {
            scope: format!("dim_{}", wire.dimension),
            name: format!("{name}_{}", wire.stage),
            wires: vec![tap],
        };
        (0..self.cube.count())
            .flat_map(across)
            .flat_map(|(number, wire)| {
                [
                    label(wire, "tx", Tap::Driven(number)),
                    label(wire, "rx", Tap::Received(number)),
                ]
            })
            .collect()
    }

    fn sender(&self, node: usize, wire: usize) -> usize {
        self.cube.sender(node, self.wires[wire].dimension)
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
        self.cube.crossings(self.wires[link].dimension, log2_nodes)
    }

    fn seat_bit(&self, bit: usize, log2_nodes: usize) -> Option<usize> {
        self.cube.seat_bit(bit, log2_nodes)
    }

    #[inline]
    fn receive<B: Lanes>(&self, wires: &[B], group: usize, wire: usize) -> B {
        let dimension = self.wires[wire].dimension;
        self.cube
            .across(wires, self.wires.len(), (group, wire), dimension)
    }

    #[inline]
    fn address<B: Lanes>(&self, group: usize, before: Option<usize>, address: &mut [B]) {
        self.cube.address(group, before, address);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimension_d_has_a_wire_for_each_stage_at_or_below_it() {
        for k in 1..=28 {
            let cube = Dimensions::new(k).unwrap();
            let network = QuadraticHypercube::new(cube);
            assert_eq!(network.links(), k * (k + 1) / 2);
            assert!((0..k).all(|dimension| network.wires_across(dimension) == dimension + 1));
            let by_two = QuadraticHypercube::with_stages(cube, (0..k).step_by(2));
            assert!((0..k).all(|dimension| by_two.wires_across(dimension) == dimension / 2 + 1));
        }
    }

    #[test]
    fn wires_are_called_by_dimension_and_stage() {
        let network = QuadraticHypercube::new(Dimensions::new(2).unwrap());
        let labelled = network.labelled();
        let names: Vec<String> = (labelled.iter())
            .map(|label| format!("{}.{} {:?}", label.scope, label.name, label.wires[0]))
            .collect();
        assert_eq!(
            names,
            [
                "dim_0.tx_0 Driven(0)",
                "dim_0.rx_0 Received(0)",
                "dim_1.tx_0 Driven(1)",
                "dim_1.rx_0 Received(1)",
                "dim_1.tx_1 Driven(2)",
                "dim_1.rx_1 Received(2)",
            ]
        );
        assert_eq!(network.link_name(2), "1_1");
        assert_eq!(network.describe(2), "across dimension 1, of stage 1");
    }
}
