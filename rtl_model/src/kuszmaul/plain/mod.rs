//! Algorithm 2, one step after the other: any partial permutation, two message buffers a node.
//!
//! For each dimension `i` from 0, with `m = k-1-i` dimensions and `L = m+D` message bits left:
//!
//! | step | what happens | bit times |
//! |---|---|---|
//! | 1 | messages whose address bit `i` is not the node's cross dimension `i`: nodes hold 0, 1 or 2 | L+1 |
//! | 2 | nodes with two messages are enumerated | 2m-1 |
//! | 3 | each sends its second message to the node of that rank: a packing | 2m+L-1 |
//! | 4 | nodes with no message are enumerated | 2m-1 |
//! | 5 | each sends its own address to the node of that rank: a packing | 3m-1 |
//! | 6 | the messages of step 3 go to the addresses of step 5, packing run backwards | 2m+L-1 |
//!
//! The last iteration is step 1 alone. Steps 2 to 6 work in subcubes of the `m` dimensions above `i`.
//! Summed over the iterations: 7k(k-1)+(3k-2)D-4k+5 bit times.
//!
//! [`node`] is what each node is made of, [`sequencer`] when what happens, [`strobes`] what passes
//! between the two, [`occupancy`] how much of the storage is in use.

pub mod node;
pub mod occupancy;
pub mod sequencer;
pub mod strobes;

use crate::bit::{Bit, Strobe};
use crate::error::Error;
use crate::host::Field;
use crate::router::{ClosedForm, MessageRouter, Position, Router};
use crate::topology::hypercube::Dimensions;
use crate::traffic::check_payload_bits;

pub use node::PlainNode;
pub use sequencer::PlainSequencer;
pub use strobes::PlainStrobes;

/// The machine of Algorithm 2 on schedule `plain`.
#[derive(Clone, Copy, Debug)]
pub struct PlainRouter {
    dimensions: Dimensions,
    payload_bits: usize,
}

impl PlainRouter {
    /// For a cube of the given dimensions and messages of `payload_bits`.
    ///
    /// # Errors
    /// [`Error::PayloadBits`] out of range.
    pub fn new(dimensions: Dimensions, payload_bits: usize) -> Result<Self, Error> {
        Ok(PlainRouter {
            dimensions,
            payload_bits: check_payload_bits(payload_bits)?,
        })
    }

    /// The bound on storage that the design allows, in bits a node: 14k+3D+8.
    pub fn storage_bound(&self) -> ClosedForm {
        ClosedForm {
            text: "14k+3D+8",
            value: (14 * self.dimensions.count() + 3 * self.payload_bits + 8) as u64,
        }
    }
}

impl Router for PlainRouter {
    type Broadcast<S: Strobe> = PlainStrobes<S>;
    type Node<B: Bit> = PlainNode<B>;
    type Sequencer<S: Strobe> = PlainSequencer<S>;

    /// Codes 1 to 6 are the paper's steps.
    const STEPS: &'static [&'static str] = &[
        "",
        "1_cross",
        "2_enumerate_twos",
        "3_pack_messages",
        "4_enumerate_empties",
        "5_pack_addresses",
        "6_rendezvous",
        "done",
    ];

    fn dimensions(&self) -> Dimensions {
        self.dimensions
    }

    fn node<B: Bit>(&self) -> PlainNode<B> {
        PlainNode::new(self.dimensions.count(), self.payload_bits)
    }

    fn sequencer<S: Strobe>(&self) -> PlainSequencer<S> {
        PlainSequencer::new(self.dimensions.count(), self.payload_bits)
    }

    fn bit_times(&self) -> ClosedForm {
        let (k, payload) = (self.dimensions.count() as u64, self.payload_bits as u64);
        ClosedForm {
            text: "7k(k-1)+(3k-2)D-4k+5",
            value: 7 * k * (k - 1) + (3 * k - 2) * payload + 5 - 4 * k,
        }
    }

    /// Small cubes lack some parts: one dimension has no second message, two have a lone stage.
    fn storage_bits(&self) -> ClosedForm {
        let (k, payload) = (self.dimensions.count() as u64, self.payload_bits as u64);
        let (text, value) = match k {
            1 => ("D+4 (k=1)", payload + 4),
            2 => ("2D+11 (k=2)", 2 * payload + 11),
            _ => ("12k+2D-11", 12 * k + 2 * payload - 11),
        };
        ClosedForm { text, value }
    }

    fn position(&self, sequencer: &PlainSequencer<bool>) -> Position {
        sequencer.position()
    }

    fn occupancy<B: Bit>(
        &self,
        node: &PlainNode<B>,
        after: Option<Position>,
        count: &mut impl FnMut(B, u32),
    ) {
        occupancy::occupancy(
            self.dimensions.count() as u32,
            self.payload_bits as u32,
            node,
            after,
            count,
        );
    }

    /// Iteration `i` consumes address bit `i` in its first bit time.
    fn live_bits_per_message(&self, after: Option<Position>) -> u32 {
        let consumed = after.map_or(0, |after| after.iteration + 1);
        (self.dimensions.count() + self.payload_bits) as u32 - consumed
    }

    fn host_writes<B: Bit>(
        &self,
        node: &mut PlainNode<B>,
        port: &mut impl FnMut(Field, usize, &mut B),
    ) {
        let address_bits = self.dimensions.count();
        node.first_message.host_writes(address_bits, port);
    }

    fn host_reads<B: Bit>(&self, node: &PlainNode<B>, port: &mut impl FnMut(Field, usize, B)) {
        node.first_message.host_reads(self.payload_bits, port);
    }

    fn messages<B: Bit>(&self, node: &PlainNode<B>, count: &mut impl FnMut(B)) {
        count(node.first_message.valid);
        count(node.has_second());
    }
}

impl MessageRouter for PlainRouter {
    fn payload_bits(&self) -> usize {
        self.payload_bits
    }
}

#[cfg(test)]
mod tests {
    use bitvec::vec::BitVec;

    use super::*;
    use crate::fabric::Fabric;
    use crate::lanes::{Lanes, Words};
    use crate::meter::{Storage, Tally};

    fn payload_of(node: usize, bits: usize) -> BitVec<u64> {
        (0..bits)
            .map(|bit| (node * 0x9e37 + 7) >> (bit % 13) & 1 == 1)
            .collect()
    }

    /// Routes `destinations[source]` and returns what arrives where, having checked in every bit
    /// time that no message bit is lost or doubled.
    fn route<B: Lanes>(
        k: usize,
        payload_bits: usize,
        destinations: &[Option<usize>],
    ) -> Vec<Option<BitVec<u64>>> {
        let router = PlainRouter::new(Dimensions::new(k).unwrap(), payload_bits).unwrap();
        let mut fabric = Fabric::<_, B>::new(router, 1).unwrap();
        let mut messages = 0;
        for (source, destination) in destinations.iter().enumerate() {
            if let Some(destination) = *destination {
                let (node, place) = fabric.node_mut(source);
                router.load(node, place, destination, &payload_of(source, payload_bits));
                messages += 1;
            }
        }
        let mut tally = Tally::<B>::new(4 * (k + payload_bits));
        while !fabric.is_done() {
            let position = fabric.position();
            fabric.tick().unwrap();
            let live: u64 = fabric
                .node_groups()
                .iter()
                .map(|node| {
                    tally.clear();
                    router.occupancy(node, Some(position), &mut |flag, bits| {
                        tally.add(flag, bits)
                    });
                    tally.sum()
                })
                .sum();
            let left = router.live_bits_per_message(Some(position));
            assert_eq!(live, messages * u64::from(left), "{position:?}");
        }
        assert_eq!(fabric.bit_time(), router.bit_times().value);
        (0..1 << k)
            .map(|node| {
                let (group, place) = fabric.node(node);
                let mut payload = BitVec::repeat(false, payload_bits);
                router.unload(group, place, &mut payload).then_some(payload)
            })
            .collect()
    }

    fn check<B: Lanes>(k: usize, payload_bits: usize, destinations: &[Option<usize>]) {
        let mut expected = vec![None; 1 << k];
        for (source, destination) in destinations.iter().enumerate() {
            if let Some(destination) = *destination {
                expected[destination] = Some(payload_of(source, payload_bits));
            }
        }
        assert_eq!(route::<B>(k, payload_bits, destinations), expected);
    }

    #[test]
    fn every_partial_injection_of_two_and_four_nodes_arrives() {
        fn extend(chosen: &mut Vec<Option<usize>>, nodes: usize, all: &mut usize) {
            if chosen.len() == nodes {
                *all += 1;
                check::<bool>(nodes.ilog2() as usize, 3, chosen);
                check::<u64>(nodes.ilog2() as usize, 3, chosen);
                return;
            }
            for destination in std::iter::once(None).chain((0..nodes).map(Some)) {
                if destination.is_none() || !chosen.contains(&destination) {
                    chosen.push(destination);
                    extend(chosen, nodes, all);
                    chosen.pop();
                }
            }
        }
        for (nodes, injections) in [(2, 7), (4, 209)] {
            let mut all = 0;
            extend(&mut Vec::new(), nodes, &mut all);
            assert_eq!(all, injections);
        }
    }

    #[test]
    fn larger_cubes_route_full_and_partial_loads_in_lanes_of_any_width() {
        for k in [3usize, 5, 6, 7, 9] {
            let nodes = 1 << k;
            for payload_bits in [1, k, 2 * k + 1] {
                for load in [1, 2, 3] {
                    let destinations: Vec<_> = (0..nodes)
                        .map(|node| (node % load == 0).then_some((node * 5 + 3) % nodes))
                        .collect();
                    check::<u64>(k, payload_bits, &destinations);
                    check::<Words<2>>(k, payload_bits, &destinations);
                }
            }
        }
    }

    #[test]
    fn storage_is_its_closed_form_and_within_the_bound() {
        for k in 1..=24usize {
            for payload_bits in [1, 8, 24, 100] {
                let router = PlainRouter::new(Dimensions::new(k).unwrap(), payload_bits).unwrap();
                let storage = Storage::of::<bool>(&router.node::<bool>());
                assert_eq!(storage.total as u64, router.storage_bits().value);
                assert!(storage.total as u64 <= router.storage_bound().value);
                assert_eq!(storage.serial_adders, 2 * k.saturating_sub(2));
            }
        }
    }
}
