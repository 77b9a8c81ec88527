//! Flits of several bits: worms alone by hand and by their closed forms, crowds, and planted mistakes.
//!
//! With `W` wires a channel reads `r` bits of a header in `ceil(r / W)` flits. Then the worm asks, and then it sends. So its
//! first body flit leaves `ceil(r / W) + 2` bit times a node after it was created, and one more where a table is looked up. With
//! one place a flit takes two, and a table is looked up meanwhile.

use super::adaptive::with_channels;
use super::grids::{Size, answers_in_order, leg};
use super::lists::{network, ring, way};
use super::*;

mod alone;
mod crowds;
mod mistakes;

/// Wires of a link.
pub const WIRES: [usize; 5] = [1, 2, 3, 8, 64];

pub fn with_wires(machine: Machine, wire_bits: usize) -> Machine {
    Machine {
        wire_bits,
        ..machine
    }
}

/// What a worm meets on its way.
pub struct Way {
    /// How many bits of its header are read in each channel on the way, of an address all of them.
    pub reads: Vec<usize>,
    /// They are an address, that is sent on.
    pub address: bool,
    /// Bit times of a table.
    lookup: usize,
}

impl Way {
    /// By answers.
    pub fn answers(reads: Vec<usize>) -> Way {
        Way {
            reads,
            address: false,
            lookup: 0,
        }
    }

    /// Over so many hops by an address of so many bits.
    pub fn address(hops: usize, bits: usize, lookup: usize) -> Way {
        Way {
            reads: vec![bits; hops + 1],
            address: true,
            lookup,
        }
    }

    /// When the first and the last body flit of a worm alone leave the last switch, created in 0.
    pub fn times(&self, machine: Machine, bits: usize) -> [usize; 2] {
        let (pace, lookup) = match machine.buffer_bits {
            1 => (2, 0),
            _ => (1, self.lookup),
        };
        let flits = |bits: usize| bits.div_ceil(machine.wire_bits);
        let node = |bits: &usize| pace * flits(*bits) + lookup + 2;
        let head: usize = self.reads.iter().map(node).sum();
        [head, head + pace * (flits(bits) - 1)]
    }

    /// Flits on all wires: over each hop what has not been read, or the whole address, and the body, which is also ejected.
    fn crossings(&self, machine: Machine, bits: usize) -> usize {
        let flits = |bits: usize| bits.div_ceil(machine.wire_bits);
        let reads: Vec<usize> = self.reads.iter().map(|bits| flits(*bits)).collect();
        let hops = reads.len() - 1;
        let header: usize = match self.address {
            true => hops * reads[0],
            false => (0..hops)
                .map(|hop| reads[hop + 1..].iter().sum::<usize>())
                .sum(),
        };
        header + (hops + 1) * flits(bits)
    }
}

/// All wires together carried what these worms on their ways need.
pub fn check_crossings(machine: Machine, worms: &[(Way, usize)], run: &Run) {
    let crossings = |(way, bits): &(Way, usize)| way.crossings(machine, *bits);
    let expected: usize = worms.iter().map(crossings).sum();
    assert_eq!(run.wires.values().sum::<u64>(), expected as u64);
}

/// At each level straight on: not cross, and eject or not; across: cross, and on the other side eject or not.
pub fn ccc_way(levels: usize, message: &Message) -> Way {
    let columns = 1 << levels;
    let [mut at, to] =
        [message.source, message.destination].map(|node| (node / columns, node % columns));
    let mut reads = Vec::new();
    loop {
        let cross = (at.1 ^ to.1) >> at.0 & 1 == 1;
        at.1 ^= usize::from(cross) << at.0;
        match cross {
            true => reads.extend([1, 1]),
            false => reads.push(2),
        }
        if at == to {
            return Way::answers(reads);
        }
        at.0 = (at.0 + 1) % levels;
    }
}

/// One bit a dimension, 1 where it is crossed: a channel reads up to the next 1, and the last one what is left.
pub fn cube_way(dimensions: usize, ends: &[usize]) -> Way {
    let legs = ends.windows(2).map(|ends| ends[0] ^ ends[1]);
    let crossed: Vec<bool> = legs
        .flat_map(|leg| (0..dimensions).map(move |dimension| leg >> dimension & 1 == 1))
        .collect();
    let mut reads: Vec<usize> = crossed
        .split_inclusive(|bit| *bit)
        .map(<[_]>::len)
        .collect();
    if crossed.last() == Some(&true) {
        reads.push(0);
    }
    Way::answers(reads)
}

pub fn grid_way(size: Size, message: &Message) -> Way {
    Way::answers(answers_in_order(
        size,
        &leg(size, message.source, message.destination),
    ))
}

/// The least number of bits with which every node has a number of its own.
pub fn table_way(listed: &Listed, message: &Message) -> Way {
    let bits = (1..).find(|&bits| 1 << bits >= listed.nodes).unwrap();
    let hops = way(listed, message.source, message.destination).len();
    Way::address(hops, bits, 1)
}

/// One straight hop in the CCC of two levels on two wires: header 00 01, and a body of five bits in three flits, B2 to B4. At node
/// 0 B0 is read in 1, straight asked for in 2; B1 leaves in 3. At node 4 it is read in 4; B2 asks for eject in 5, and is ejected
/// in 6.
#[test]
fn a_straight_hop_on_two_wires() {
    let run = run(
        with_wires(machine(ccc(2)), 2),
        &[message(0, 4, 0, 5)],
        LIMIT,
    )
    .unwrap();
    assert_eq!(times(&run), [(0, 6, 8)]);
    assert_eq!(run.wires[&Wire::Straight { node: 0 }], 4);
    assert_eq!(run.wires[&Wire::Eject { node: 4, copy: 0 }], 3);
    let piece = &run.arrivals[0].pieces[0];
    assert_eq!((piece.header_bits, piece.body_bits), (4, 5));
}

/// A cross hop: header 1 and 1, which do not share a flit, so that it takes as long with any number of wires.
#[test]
fn a_cross_hop_on_any_number_of_wires() {
    for wires in WIRES {
        let machine = with_wires(machine(ccc(2)), wires);
        let run = run(machine, &[message(0, 1, 0, 4 * wires)], LIMIT).unwrap();
        assert_eq!(times(&run), [(0, 6, 9)]);
        assert_eq!(run.wires[&Wire::Cross { node: 0 }], 5);
    }
}

/// From 0 to 16 in a cube of five dimensions on two wires: header 00001, in three flits. B0, B1 and B2 are read in 1, 2 and 3,
/// dimension 4 asked for in 4; B3 leaves in 5, and asks in 6, for nothing is left to answer; it is ejected in 7.
#[test]
fn the_last_dimension_on_two_wires() {
    let machine = with_wires(machine(hypercube(5, Routing::Order)), 2);
    let run = run(machine, &[message(0, 16, 0, 7)], LIMIT).unwrap();
    assert_eq!(times(&run), [(0, 7, 10)]);
}

/// From 0 to 1 in a ring of three on two wires: the address 10 is a flit. It is read in 1 and looked up in 2, and B1 asks in 3.
/// The address leaves in 4 and B1 in 5. At node 1 the address is read in 5 and looked up in 6; B1 asks in 7 and is ejected in 8.
#[test]
fn a_hop_by_a_table_on_two_wires() {
    let machine = with_wires(with_channels(network(ring(3, 1)), 1), 2);
    let run = run(machine, &[message(0, 1, 0, 6)], LIMIT).unwrap();
    assert_eq!(times(&run), [(0, 8, 10)]);
    let link = Wire::Grid { node: 0, link: 0 };
    assert_eq!(run.wires[&link], 4);
}
