//! A program as it is run: operations, by bit time.

use std::ops::Range;

use crate::error::Error;
use crate::language::lanes::PLACE;
use crate::machine::program::across::Across;
use crate::machine::program::blocks::MovedBlocks;
use crate::machine::program::layout::{LARGEST, Way};
use crate::machine::program::meters::Gauge;
use crate::machine::program::operation::{FIRST, ONE, Operand, OperandKind, Operation, ZERO};
use crate::machine::program::roads::Roads;
use crate::machine::program::stream::Stream;
use crate::machine::program::{Held, Layout, Shape};
use crate::machine::router::Position;

/// What a program says of the nodes: it is the same thing for all routers.
#[derive(Debug)]
pub(crate) struct Code {
    pub(super) layout: Layout,
    pub(super) bit_times: Vec<BitTime>,
    /// Where the registers are at the end.
    pub(super) at_end: Box<[Held]>,
    pub(super) operations: Vec<Operation>,
    /// Planes that a worker keeps beside a tile.
    pub(super) scratch: usize,
    pub(super) roads: Roads,
    /// Bit time after bit time, the links that are driven, one bit each.
    pub(super) driven: Vec<u64>,
    /// All links get across by a way, one word notes which are driven, and no node decides who drives.
    pub(super) is_plain: bool,
    /// Bits of a memory are fetched or put back in some bit time.
    pub(super) has_moves: bool,
    /// Whether it measures, and with how many counters.
    pub(super) measures: bool,
    pub(super) counters: usize,
    /// The same operations as they are performed where all nodes are one small tile; else none.
    pub(super) in_one_slice: Vec<Operation>,
    /// What goes to other ranks in one message, in the order of bit times. Planes beside a tile where streams are worked out,
    /// and the most planes of any of them.
    pub(super) streams: Vec<Stream>,
    pub(super) scratch_of_streams: usize,
    pub(super) planes_of_streams: usize,
    /// Two units drive one wire; in the bit time at which the program ends.
    pub(super) conflict: Option<Error>,
}

/// Copies from and to the memory, around the operations of a bit time, and in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    pub for_sending: Range<usize>,
    pub for_edge: Range<usize>,
    pub after_edge: Range<usize>,
    /// What changes places then.
    pub blocks: Option<MovedBlocks>,
}

impl Moves {
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        let copies = [&self.for_sending, &self.for_edge, &self.after_edge];
        copies.iter().all(|copies| copies.is_empty()) && self.blocks.is_none()
    }
}

/// A bit time.
#[derive(Debug, Default)]
pub(super) struct BitTime {
    pub(super) position: Position,
    /// How many wires of a node are driven.
    pub(super) driven_wires: usize,
    /// The registers that are elsewhere after it, each with where.
    pub(super) moved: Box<[(u32, Held)]>,
    /// What of the memory is fetched for what follows, and put back.
    pub(super) moves: Moves,
    /// What puts bits onto the wires.
    pub(super) sending: Range<usize>,
    /// Where nodes decide who drives: after it, the nodes in which two units drive one wire.
    pub(super) clash: Option<Operand>,
    /// The clock edge at its end.
    pub(super) edge: Range<usize>,
    /// The bit time that says what is measured when it begins: this one, or an earlier one that is like it.
    pub(super) measured: usize,
    /// What is measured: message bits and messages.
    pub(super) bits: Gauge,
    pub(super) messages: Gauge,
}

impl Code {
    /// Bit times until the last step is over; up to a conflict, if there is one.
    pub(crate) fn length(&self) -> usize {
        self.bit_times.len() - 1
    }

    /// How the bits lie in memory.
    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Whether it measures.
    pub(crate) fn measures(&self) -> bool {
        self.measures
    }

    /// What a tile's gauges remember: two bounds, then the counters.
    pub(crate) fn gauge_words(&self) -> usize {
        if self.measures { 2 + self.counters } else { 0 }
    }

    /// Planes of a node's registers, what it remembers for measurement included.
    pub(crate) fn registers(&self) -> usize {
        self.at_end.len()
    }

    /// Where the registers are when a bit time begins, in the order in which they are visited.
    pub(crate) fn held(&self, bit_time: usize) -> Vec<Held> {
        if bit_time == self.length() {
            return self.at_end.to_vec();
        }
        let mut held: Vec<Held> = (0..self.registers() as u32).map(Held::In).collect();
        for bit_time in &self.bit_times[..bit_time] {
            for &(register, elsewhere) in &bit_time.moved {
                held[register as usize] = elsewhere;
            }
        }
        held
    }

    /// Whether all nodes are one small tile, whose planes then lie in one slice: a large tile pays for looking in several.
    pub(crate) fn is_in_one_slice(&self) -> bool {
        self.layout.tiles() == 1 && self.layout.shape != LARGEST && !self.roads.is_shared()
    }

    /// The number of an operand's plane in it: slots, then wires, then what is beside.
    #[inline]
    pub(super) fn number_in_slice(&self, operand: Operand) -> usize {
        let (slots, wires) = (self.at_end.len(), self.links());
        match operand.place() {
            OperandKind::Slot(slot) => slot,
            // What is received takes the place of what was sent.
            OperandKind::Wire(link) | OperandKind::Gathered(link) => slots + link,
            OperandKind::Scratch(plane) => slots + wires + plane,
            OperandKind::Fixed(plane) => slots + wires + self.scratch + plane,
            OperandKind::TileBit(_) => unreachable!("there is one tile"),
        }
    }

    /// Planes of that slice.
    pub(super) fn planes_in_slice(&self) -> usize {
        self.at_end.len() + self.links() + self.scratch + self.roads.fixed()
    }

    /// When all operations are there: looks whether all of it is plain, finds what goes to other ranks at once, and translates
    /// operations for one slice.
    pub(super) fn finish(&mut self) {
        let decide = (self.bit_times.iter()).any(|bit_time| bit_time.clash.is_some());
        self.has_moves = (self.bit_times.iter()).any(|bit_time| !bit_time.moves.is_empty());
        self.is_plain = self.roads.are_ways() && self.driven_words() == 1 && !decide;
        if self.roads.is_shared() {
            self.find_streams();
        }
        if !self.is_in_one_slice() {
            return;
        }
        let numbered = |operand| Operand::of(OperandKind::Slot(self.number_in_slice(operand)));
        let operations = self.operations.iter().map(|operation| Operation {
            kernel: operation.kernel,
            to: numbered(operation.to),
            operands: operation.operands.map(numbered),
        });
        self.in_one_slice = operations.collect();
    }

    #[inline]
    pub(super) fn operations_in_slice(&self, range: &Range<usize>) -> &[Operation] {
        &self.in_one_slice[range.clone()]
    }

    #[inline]
    pub(super) fn edge_in_slice(&self, bit_time: usize) -> &[Operation] {
        self.operations_in_slice(&self.bit_times[bit_time].edge)
    }

    #[inline]
    pub(super) fn sending_in_slice(&self, bit_time: usize) -> &[Operation] {
        self.operations_in_slice(&self.bit_times[bit_time].sending)
    }

    /// What the program knows of the network.
    pub(crate) fn roads(&self) -> &Roads {
        &self.roads
    }

    /// How many links leave a node.
    #[inline]
    pub(crate) fn links(&self) -> usize {
        self.roads.links()
    }

    /// How links get across.
    pub(super) fn across(&self) -> Vec<Across> {
        self.roads.across()
    }

    /// What nodes of all words drive onto a link, of the wires of all tiles in a bit time in which it is driven.
    pub(crate) fn copy_sent(&self, wires: &[u64], link: usize, words: &mut [u64]) {
        let of_plane = self.layout.shape.words();
        let way = self.roads.way_across(link);
        for (tile, words) in words.chunks_mut(of_plane).enumerate() {
            let plane = (tile * self.links() + link) * of_plane;
            way.copy_sent(&wires[plane..][..of_plane], words);
        }
    }

    /// Constants and place bits, into planes beside a tile; the others stay as they are.
    pub(super) fn write_constants(&self, words: &mut [u64]) {
        let Shape { vector, .. } = self.layout.shape;
        let tile = self.layout.shape.words();
        words[ZERO * tile..][..tile].fill(0);
        words[ONE * tile..][..tile].fill(!0);
        for (bit, way) in self.roads.address_ways() {
            let plane = &mut words[(FIRST + bit) * tile..][..tile];
            for (index, word) in plane.iter_mut().enumerate() {
                let all = |bit: usize, number: usize| (number >> bit & 1) as u64;
                *word = match way {
                    Way::InWord(bit) => PLACE[bit],
                    Way::InVector(bit) => all(bit, index % vector).wrapping_neg(),
                    Way::InTile(bit) => all(bit, index / vector).wrapping_neg(),
                    Way::Far(_) => 0,
                };
            }
        }
    }

    /// A clock edge and what is sent after it. Where they follow each other, and no copies come
    /// between, they are handed out as one.
    #[inline]
    pub(super) fn edge_and_sending(
        &self,
        edge: Option<usize>,
        sending: Option<usize>,
    ) -> [&[Operation]; 2] {
        let edge = edge.map_or(0..0, |bit_time| self.bit_times[bit_time].edge.clone());
        let sending = sending.map_or(0..0, |bit_time| self.bit_times[bit_time].sending.clone());
        if edge.end == sending.start && !self.has_moves {
            return [&self.operations[edge.start..sending.end], &[]];
        }
        [&self.operations[edge], &self.operations[sending]]
    }

    /// What works out the bits of the stream that begins in a bit time.
    pub(super) fn ahead(&self, bit_time: usize) -> &[Operation] {
        let stream = self.stream(bit_time, usize::MAX);
        stream.map_or(&[], |stream| self.operations(&stream.operations))
    }

    /// All operations up to what a bit time sends, from its beginning on.
    pub(super) fn sending(&self, bit_time: usize) -> impl Iterator<Item = &Operation> + Clone {
        let BitTime { moves, sending, .. } = &self.bit_times[bit_time];
        let ranges = [&moves.for_sending, sending];
        ranges.into_iter().flat_map(|range| self.operations(range))
    }

    /// What changes places at its clock edge, after all operations.
    pub(super) fn blocks(&self, bit_time: usize) -> Option<&MovedBlocks> {
        self.bit_times[bit_time].moves.blocks.as_ref()
    }

    /// All of its clock edge.
    pub(super) fn edge(&self, bit_time: usize) -> impl Iterator<Item = &Operation> + Clone {
        let BitTime { moves, edge, .. } = &self.bit_times[bit_time];
        let ranges = [&moves.for_edge, edge, &moves.after_edge];
        ranges.into_iter().flat_map(|range| self.operations(range))
    }

    /// What is fetched and put back around what a bit time sends, and around its clock edge.
    pub(super) fn moves(&self, bit_time: Option<usize>) -> Option<&Moves> {
        let bit_time = bit_time.filter(|_| self.has_moves)?;
        Some(&self.bit_times[bit_time].moves)
    }

    #[inline]
    pub(super) fn operations(&self, range: &Range<usize>) -> &[Operation] {
        &self.operations[range.clone()]
    }

    /// How message bits and messages are measured at the beginning of a bit time.
    #[inline]
    pub(super) fn gauges(&self, bit_time: usize) -> (&Gauge, &Gauge) {
        let measured = self.bit_times[bit_time].measured;
        let BitTime { bits, messages, .. } = &self.bit_times[measured];
        (bits, messages)
    }

    /// The step of the bit time before.
    #[inline]
    pub(super) fn step_before(&self, bit_time: usize) -> Option<u32> {
        let before = bit_time.checked_sub(1)?;
        Some(self.bit_times[before].position.step)
    }

    /// Words in which the links that are driven in a bit time are noted, 1 at the least.
    pub(super) fn driven_words(&self) -> usize {
        self.links().div_ceil(64).max(1)
    }

    /// The links that are driven, one bit each.
    #[inline]
    pub(super) fn driven(&self, bit_time: usize) -> &[u64] {
        let words = self.driven_words();
        &self.driven[bit_time * words..][..words]
    }

    /// Whether a link is driven.
    #[inline]
    pub(crate) fn drives(&self, bit_time: usize, link: usize) -> bool {
        self.driven(bit_time)[link / 64] >> (link % 64) & 1 == 1
    }

    /// Where it says in which nodes two units drive one wire, if nodes decide that for themselves in this bit time.
    #[inline]
    pub(super) fn clash(&self, bit_time: usize) -> Option<Operand> {
        self.bit_times[bit_time].clash
    }

    /// Words of 64 bits that a rank sends to others in bit times.
    pub(crate) fn words_to_ranks(&self, bit_times: Range<usize>) -> u64 {
        let driven = self.roads.to_ranks().iter().map(|&link| {
            let bit_times = bit_times.clone();
            bit_times
                .filter(|&bit_time| self.drives(bit_time, link))
                .count()
        });
        (driven.sum::<usize>() * self.layout.words) as u64
    }

    /// Whether nodes decide in a bit time who drives.
    pub(crate) fn may_clash(&self, bit_time: usize) -> bool {
        self.clash(bit_time).is_some()
    }

    /// How many wires of a node are driven.
    #[inline]
    pub(crate) fn driven_wires(&self, bit_time: usize) -> usize {
        self.bit_times[bit_time].driven_wires
    }

    /// Planes of registers that the operations of these bit times store, and wires: what there is to store at the least.
    pub(crate) fn stores(&self, bit_times: Range<usize>) -> u64 {
        let stored = |bit_time| {
            let places = self.blocks(bit_time).map_or(0..0, MovedBlocks::places);
            let operations = self.sending(bit_time).chain(self.edge(bit_time));
            // What changes places is stored there once more.
            let is_kept = |operation: &&Operation| match operation.to.place() {
                OperandKind::Scratch(_) => false,
                OperandKind::Slot(slot) => !places.contains(&slot),
                _ => true,
            };
            (operations.filter(is_kept).count() + places.len()) as u64
        };
        bit_times.map(stored).sum()
    }

    /// From `start` on: bit times in which all of some links are idle; then those in which they are not, shorter pauses than
    /// `shortest` included. Either ends with `end` at the latest. Bit times in which nodes decide who drives are never idle:
    /// where it turns out that two units do, all nodes have to be in that bit time.
    pub(crate) fn idle_then_busy(
        &self,
        links: &[usize],
        Range { start, end }: Range<usize>,
        shortest: usize,
    ) -> (usize, usize) {
        let is_busy = |bit_time: usize| {
            self.clash(bit_time).is_some() || links.iter().any(|&link| self.drives(bit_time, link))
        };
        let next = |from: usize, busy: bool| {
            (from..end)
                .find(|&bit_time| is_busy(bit_time) == busy)
                .unwrap_or(end)
        };
        let mut idle_until = next(start, true);
        if idle_until - start < shortest && idle_until < end {
            idle_until = start;
        }
        let mut busy_until = idle_until;
        loop {
            busy_until = next(next(busy_until, true), false);
            let pause = next(busy_until, true) - busy_until;
            if busy_until == end || pause >= shortest || busy_until + pause == end {
                return (idle_until, busy_until);
            }
        }
    }
}
