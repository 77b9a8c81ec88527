//! A phase of a guest's communication, packet by packet: every guest edge carries its packets once (Greenberg and Bhatt 1990,
//! section 3). In a step a packet crosses one wire, and a wire carries one packet.
//!
//! Who goes first is decided beforehand, in one of two ways:
//!
//! - *Hop by hop*, as in the proofs of Theorems 1, 2 and 4: first all first hops, then all second ones, and so on. A level of
//!   hops takes as many steps as its busiest wire has packets, so the cost is the sum of these over the levels.
//! - *Greedily*: in each step a wire takes, of the packets that stand before it, one that has the farthest to go.

use crate::embedding::paths::{Embedding, wire};
use crate::machine::topology::hypercube::{Dimensions, neighbour};

#[cfg(test)]
mod tests;

/// Who goes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// All first hops, then all second ones.
    #[default]
    HopByHop,
    /// Who has the farthest to go.
    Greedy,
}

impl Order {
    /// Both.
    pub const EACH: [Order; 2] = [Order::HopByHop, Order::Greedy];

    /// What it is called on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Order::HopByHop => "hop-by-hop",
            Order::Greedy => "greedy",
        }
    }
}

/// A packet crosses a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hop {
    /// When.
    pub step: u32,
    /// The node that sends.
    pub from: u32,
    /// The dimension of the wire.
    pub dimension: u8,
    /// The packet: packet `i` of edge `e` is `e * packets + i`.
    pub packet: u32,
}

/// A phase: all hops, by packet, and of a packet in the order of its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    host: Dimensions,
    steps: usize,
    hops: Vec<Hop>,
}

/// Where a packet stands.
#[derive(Clone, Copy)]
struct Standing<'a> {
    packet: u32,
    node: usize,
    wait: usize,
    path: &'a [u8],
}

/// All packets, as they begin.
fn standing(embedding: &Embedding) -> Vec<Standing<'_>> {
    let packets = embedding.packets();
    (0..embedding.edges())
        .flat_map(|edge| {
            let node = embedding.place(embedding.edge(edge)[0]);
            packets
                .iter()
                .enumerate()
                .map(move |(number, packet)| Standing {
                    packet: (edge * packets.len() + number) as u32,
                    node,
                    wait: packet.wait,
                    path: embedding.path(edge, packet.path),
                })
        })
        .collect()
}

impl Phase {
    /// Of an embedding's packets.
    pub fn of(embedding: &Embedding, order: Order) -> Self {
        let packets = standing(embedding);
        let host = embedding.host();
        let (steps, mut hops) = match order {
            Order::HopByHop => hop_by_hop(host, packets),
            Order::Greedy => greedy(host, packets),
        };
        hops.sort_unstable_by_key(|hop| (hop.packet, hop.step));
        Phase { host, steps, hops }
    }

    /// The cost: steps until the last packet has crossed its last wire.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// All hops, by packet and step.
    pub fn hops(&self) -> &[Hop] {
        &self.hops
    }

    /// The hypercube.
    pub fn host(&self) -> Dimensions {
        self.host
    }

    /// The share of all wires in all steps that carry a packet; 0 of no steps.
    pub fn wire_use(&self) -> f64 {
        match self.steps {
            0 => 0.0,
            steps => self.hops.len() as f64 / (steps * self.host.wires()) as f64,
        }
    }
}

fn hop_by_hop(host: Dimensions, mut packets: Vec<Standing<'_>>) -> (usize, Vec<Hop>) {
    let mut hops = Vec::new();
    let mut taken = vec![0u32; host.wires()];
    let (mut steps, mut level) = (0, 0);
    while !packets.is_empty() {
        let mut longest = 0;
        for packet in &mut packets {
            let Some((&dimension, rest)) = packet.path.split_first() else {
                continue;
            };
            if packet.wait > level {
                continue;
            }
            let before = &mut taken[wire(host, packet.node, usize::from(dimension))];
            hops.push(Hop {
                step: (steps as u32) + *before,
                from: packet.node as u32,
                dimension,
                packet: packet.packet,
            });
            *before += 1;
            longest = longest.max(*before as usize);
            packet.node = neighbour(packet.node, usize::from(dimension));
            packet.path = rest;
        }
        packets.retain(|packet| !packet.path.is_empty());
        taken.fill(0);
        steps += longest;
        level += 1;
    }
    (steps, hops)
}

fn greedy(host: Dimensions, mut packets: Vec<Standing<'_>>) -> (usize, Vec<Hop>) {
    const NOBODY: u32 = u32::MAX;
    packets.retain(|packet| !packet.path.is_empty());
    let mut hops = Vec::new();
    let mut first = vec![NOBODY; host.wires()];
    let mut steps = 0;
    while !packets.is_empty() {
        let wire_of = |packet: &Standing<'_>| wire(host, packet.node, usize::from(packet.path[0]));
        for (number, packet) in packets.iter().enumerate() {
            let best = &mut first[wire_of(packet)];
            if *best == NOBODY || packets[*best as usize].path.len() < packet.path.len() {
                *best = number as u32;
            }
        }
        for (number, packet) in packets.iter_mut().enumerate() {
            let at = wire_of(packet);
            if first[at] != number as u32 {
                continue;
            }
            let dimension = packet.path[0];
            hops.push(Hop {
                step: steps as u32,
                from: packet.node as u32,
                dimension,
                packet: packet.packet,
            });
            first[at] = NOBODY;
            packet.node = neighbour(packet.node, usize::from(dimension));
            packet.path = &packet.path[1..];
        }
        first.fill(NOBODY);
        packets.retain(|packet| !packet.path.is_empty());
        steps += 1;
    }
    (steps, hops)
}
