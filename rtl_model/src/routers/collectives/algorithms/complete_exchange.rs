//! COMPLETE EXCHANGE (Stout & Wagar 1987, section 6): every node has a message for each of the others; and the transposition of a
//! matrix that is stored by rows (section 7.1), which is the same.
//!
//! ```text
//!   d = 3      stage 0     stage 1      stage 2
//!   weight 3   1st hop     2nd hop      3rd hop       3 parts of ceil(m/3)
//!   weight 2               1st hop      2nd hop       2 parts of ceil(m/2)
//!   weight 1                            1st hop       1 part of m
//! ```
//!
//! The message for relative destination `w` is cut into as many parts as `w` has ones. The part that starts at the one `i` crosses
//! dimension `i` first and then each next one of `w` circularly above. All arrive in the last stage, so messages of weight `d - k`
//! start in stage `k`. By symmetry each port moves one part of every `w` that has a one there, and all ports move the same: with
//! `u` for `w` rotated right by the port, the odd numbers `u`.
//!
//! What a node sends for relative destination `w` is what its neighbour sends for the same `w` at the same time, so that what comes
//! is put where what goes lay: memories hold one message for every other node, and nothing besides (rounded up alike: a message has
//! as much room as the largest multiple `i ceil(m/i)`). Before the last stage a node holds all that goes further than one hop, which
//! is the most: in each stage parts that have come before leave one by one, each with another in its place, before new ones start.

use crate::error::Error;
use crate::routers::collectives::algorithms::algorithm::{Algorithm, Ask, OperationPlan};
use crate::routers::collectives::algorithms::operation::Operation;
use crate::routers::collectives::algorithms::room::room;
use crate::routers::collectives::program::{
    Line, Segment, Transfer, TransferProgram, View, every_node,
};
use crate::routers::ports::algorithm::PortModel;

/// COMPLETE EXCHANGE.
pub(super) struct CompleteExchange;

/// The transposition of a matrix stored by rows.
pub(super) struct ByRows;

/// An exchange of blocks of which each node has one for each node.
#[derive(Clone, Copy)]
pub(super) struct Blocks {
    /// Dimensions.
    pub dims: usize,
    /// Bits of a block.
    pub bits: usize,
    /// Bit times of START.
    pub start_up: usize,
    /// The first block that memories hold, at address 0: 1, or 0 if what a node has for itself is to have a place too.
    pub first: usize,
    /// Whether the blocks are held for others at the beginning, and at the end.
    pub held: [bool; 2],
}

/// The number of subsets of so many.
fn choose(of: usize, many: usize) -> usize {
    (0..many).fold(1, |product, index| product * (of - index) / (index + 1))
}

/// Whether a number is a multiple of all from 1 up to another.
pub(super) fn divides_by_all(number: usize, up_to: usize) -> bool {
    (1..=up_to).all(|divisor| number.is_multiple_of(divisor))
}

impl Blocks {
    /// Bits of a part of a block for a node at that distance.
    fn part(&self, weight: usize) -> usize {
        self.bits.div_ceil(weight)
    }

    /// Room for a block, whatever number of parts it is cut into.
    pub fn stride(&self) -> usize {
        let rooms = (1..=self.dims).map(|weight| weight * self.part(weight));
        rooms.max().unwrap_or(0)
    }

    /// Where the block for a relative destination lies.
    pub fn address(&self, destination: usize) -> usize {
        (destination - self.first) * self.stride()
    }

    /// Bits of memory.
    pub fn memory_bits(&self) -> usize {
        self.address(1 << self.dims)
    }

    /// Bit times: messages of weight `i` move in `i` stages, and each port moves C(d-1, i-1) parts of them in each.
    pub fn bit_times(&self) -> usize {
        let hops = (1..=self.dims)
            .map(|weight| weight * choose(self.dims - 1, weight - 1) * self.part(weight));
        self.dims * self.start_up + hops.sum::<usize>()
    }

    /// The part that each port moves in a stage: of the destination `u`, as the port sees it.
    fn lines(&self, (stage, u): (usize, usize)) -> impl Iterator<Item = Line> + use<> {
        let (blocks, dims) = (*self, self.dims);
        let weight = u.count_ones() as usize;
        let hop = stage + weight - dims;
        (0..dims).map(move |port| {
            let destination = (u << port | u >> (dims - port)) & ((1 << dims) - 1);
            let ones_below = (destination & ((1 << port) - 1)).count_ones() as usize;
            // It started as many ones below this port as it has made hops.
            let number = (ones_below + weight - hop) % weight;
            Line {
                line: port,
                address: blocks.address(destination) + number * blocks.part(weight),
                counted: false,
            }
        })
    }

    /// The stages, each with one START and the parts that go further first: those that start then come without others leaving.
    pub fn stages(&self, begin: usize) -> Vec<Vec<Transfer>> {
        let mut begin = begin;
        let stage = |stage: usize| {
            let weights = (self.dims - stage..=self.dims).rev();
            let destinations = weights.flat_map(|weight| {
                let odd = (1..1 << self.dims).step_by(2);
                odd.filter(move |u: &usize| u.count_ones() as usize == weight)
            });
            let transfers = destinations.enumerate().map(|(number, u)| {
                let weight = u.count_ones() as usize;
                let hop = stage + weight - self.dims;
                let side = |counted| {
                    every_node(
                        self.lines((stage, u))
                            .map(move |line| Line { counted, ..line }),
                    )
                };
                let transfer = Transfer {
                    begin,
                    start_up: if number == 0 { self.start_up } else { 0 },
                    bits: self.part(weight),
                    sends: side(hop > 0 || self.held[0]),
                    receives: side(hop + 1 < weight || self.held[1]),
                    adds: None,
                };
                begin = transfer.end();
                transfer
            });
            transfers.collect()
        };
        (0..self.dims).map(stage).collect()
    }
}

fn plan(of: &dyn Algorithm, ask: &Ask) -> Result<OperationPlan, Error> {
    let (d, m) = (ask.dims(), ask.message_bits);
    room(of, ask, ("message bits", m), |bits| (bits + d as u128) << d)?;
    let blocks = Blocks {
        dims: d,
        bits: m,
        start_up: ask.start_up,
        first: 1,
        held: [false, false],
    };
    let segments: Vec<Segment> = (1..1 << d)
        .map(|partner| Segment {
            at: None,
            partner,
            bit: 0,
            bits: m,
            address: blocks.address(partner),
        })
        .collect();
    let stages = blocks.stages(0);
    let divides = divides_by_all(m, d);
    let form = |text| ask.form(text, &[]);
    Ok(OperationPlan {
        routing_steps: form("d"),
        bit_times: form(match divides {
            true => "dT + 2^(d-1) m",
            false => "dT + sum over 0 < i <= d of C(d-1,i-1) i ceil(m/i)",
        }),
        forwarding_buffer: form(match divides {
            true => "(2^d - 1 - d) m",
            false => "sum over 1 < i <= d of C(d,i) i ceil(m/i)",
        }),
        divides,
        groups: None,
        packet_bits: None,
        program: TransferProgram {
            cube: ask.cube,
            source: 0,
            ports: ask.ports,
            view: View::Relative,
            low_part: (1 << d) - 1,
            unused: 0,
            memory_bits: blocks.memory_bits(),
            bit_times: blocks.bit_times(),
            steps: stages.iter().map(|stage| stage[0].begin).collect(),
            transfers: stages.into_iter().flatten().collect(),
            loads: segments.clone(),
            arrivals: segments,
            reorder: None,
        },
    })
}

impl Algorithm for CompleteExchange {
    fn operation(&self) -> Operation {
        Operation::AllToAll
    }

    fn name(&self) -> &'static str {
        "complete-exchange"
    }

    fn paper_name(&self) -> &'static str {
        "COMPLETE EXCHANGE"
    }

    fn models(&self) -> &'static str {
        "every node to each of the others, the furthest first, in as many parts as hops"
    }

    fn source(&self) -> &'static str {
        "Stout & Wagar 1987, section 6"
    }

    fn port_models(&self) -> &'static [PortModel] {
        &[PortModel::All]
    }

    fn plan(&self, ask: &Ask) -> Result<OperationPlan, Error> {
        plan(self, ask)
    }
}

impl Algorithm for ByRows {
    fn operation(&self) -> Operation {
        Operation::Transpose
    }

    fn name(&self) -> &'static str {
        "by-rows"
    }

    fn paper_name(&self) -> &'static str {
        "MATRIX TRANSPOSITION (stored by rows)"
    }

    fn models(&self) -> &'static str {
        "a complete exchange of blocks; the block on the diagonal stays in its node and is left out"
    }

    fn source(&self) -> &'static str {
        "Stout & Wagar 1987, section 7.1"
    }

    fn port_models(&self) -> &'static [PortModel] {
        &[PortModel::All]
    }

    fn plan(&self, ask: &Ask) -> Result<OperationPlan, Error> {
        plan(self, ask)
    }
}

#[cfg(test)]
mod tests;
