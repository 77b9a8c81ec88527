//! Bit times in which nodes do what they did in an earlier one, at other addresses of their memory: what crosses a wire bit by bit
//! out of a memory, or into it. Their logic is noted once.
//!
//! ```text
//!   bit time      3            4           ...      90               nodes hear the same, but for addresses
//!   fetch         m[8]         m[9]                 m[70]            into planes beside the tile
//!                   |            |                    |
//!                 [       the logic of bit time 3        ]           from such planes, into others
//!                   |            |                    |
//!   put           m[40]        m[41]                m[21]            from there into the memory
//! ```
//!
//! So a memory costs what is touched of it: as long as no register of it moves, each is in a slot of its own, and takes part in what
//! is noted only where it is touched. In a bit time of which it is not known what nodes hear, all of it takes part.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::machine::program::blocks::MovedBlocks;
use crate::machine::program::code::{BitTime, Moves};
use crate::machine::program::kernels::Kernel;
use crate::machine::program::logic::Schedulable;
use crate::machine::program::operation::{Operand, OperandKind, Operation};
use crate::machine::program::{Code, Held};
use crate::machine::router::{Heard, Position};

/// Bit times that have been noted, and what is heard in the next.
#[derive(Default)]
pub(super) struct Repeated {
    /// The registers of the memory, and before them so many that are numbers of its blocks.
    memory: Range<usize>,
    numbers: usize,
    /// One of them is not in its slot any more: from then on nothing is taken for alike.
    has_moved: bool,
    /// What is heard in this bit time, if that is known.
    heard: Option<Heard>,
    /// The addresses in it, each once, in the order in which they are heard.
    touched: Vec<usize>,
    /// Where the other registers are, by number; and all that they have been in.
    state: usize,
    states: FxHashMap<Vec<Held>, usize>,
    /// By where registers are when it begins, and by what is heard.
    noted: FxHashMap<(usize, Vec<u64>), Noted>,
}

/// A bit time whose logic serves others.
struct Noted {
    bit_time: usize,
    fetched: Fetched,
    /// Where the registers are after it.
    state: usize,
}

/// What the logic of a bit time has to do with the memory. Addresses are numbered as they are touched.
#[derive(Clone, Default)]
pub(super) struct Fetched {
    /// The first plane beside the tile that is fetched: that of the first address.
    pub first: usize,
    /// The addresses that are read for what is sent, and by the clock edge.
    pub read: [Vec<usize>; 2],
    /// What the clock edge puts into the memory: the address, and the plane that goes there.
    pub put: Vec<(usize, Operand)>,
}

impl Repeated {
    /// Before bit time 0, of a node whose registers are where `held` says.
    pub(super) fn of(described: &mut dyn Schedulable, held: &[Held]) -> Self {
        let mut repeated = Repeated {
            memory: described.memory(),
            numbers: described.block_numbers(),
            ..Repeated::default()
        };
        repeated.stand(held);
        repeated
    }

    /// Takes note of what is heard in the bit time that comes next.
    pub(super) fn hear(&mut self, described: &mut dyn Schedulable) {
        let mut heard = Heard::default();
        self.touched.clear();
        let is_known = described.hear(&mut heard) && !self.has_moved;
        for &address in &heard.addresses {
            let known = self.touched.iter().position(|&touched| touched == address);
            let number = known.unwrap_or_else(|| {
                self.touched.push(address);
                self.touched.len() - 1
            });
            // Bit times are alike if the same of their addresses are one.
            heard.words.push(number as u64);
        }
        let moves_blocks = heard.blocks.is_some();
        let are_there = self
            .touched
            .iter()
            .all(|&address| address < self.memory.len());
        self.heard = (is_known && are_there).then_some(heard);
        debug_assert!(
            self.heard.is_some() || !moves_blocks,
            "nodes hear that no more"
        );
    }

    /// The registers that take part where they are touched alone.
    fn apart(&self) -> Range<usize> {
        self.memory.start - self.numbers..self.memory.end
    }

    /// What is heard in it, if that is known.
    pub(super) fn heard(&self) -> Option<&Heard> {
        self.heard.as_ref()
    }

    /// The addresses that are touched in it; none where it is not known what is heard.
    pub(super) fn touched(&self) -> Option<&[usize]> {
        self.heard.as_ref().map(|_| &self.touched[..])
    }

    /// Of so many registers the numbers of those that take part in it, in the order in which they are [handed
    /// out](Schedulable::registers), without what is touched of the memory.
    pub(super) fn registers(&self, all: usize) -> Vec<u32> {
        let apart = match self.heard {
            Some(_) => self.apart(),
            None => 0..0,
        };
        let registers = (0..apart.start).chain(apart.end..all);
        registers.map(|register| register as u32).collect()
    }

    /// Takes note of where the registers are that always take part.
    fn stand(&mut self, held: &[Held]) {
        let Range { start, end } = self.apart();
        let others = [&held[..start], &held[end..]].concat();
        let next = self.states.len();
        self.state = *self.states.entry(others).or_insert(next);
    }

    /// The bit time whose logic is that of the next one.
    fn earlier(&self) -> Option<&Noted> {
        let heard = self.heard.as_ref()?;
        self.noted.get(&(self.state, heard.words.clone()))
    }
}

impl Code {
    /// Appends a bit time with the logic of an earlier one, if there is one, and gives it.
    pub(super) fn repeat(
        &mut self,
        repeated: &mut Repeated,
        position: Position,
    ) -> Option<&BitTime> {
        let noted = repeated.earlier()?;
        let (number, state) = (noted.bit_time, noted.state);
        let earlier = &self.bit_times[number];
        let (sending, edge) = (earlier.sending.clone(), earlier.edge.clone());
        let moves = self.fetch(&noted.fetched, repeated);
        let words = self.driven_words();
        let first = number * words;
        self.driven.extend_from_within(first..first + words);
        let earlier = &self.bit_times[number];
        let bit_time = BitTime {
            position,
            driven_wires: earlier.driven_wires,
            moved: earlier.moved.clone(),
            moves,
            sending,
            clash: earlier.clash,
            edge,
            measured: number,
            ..BitTime::default()
        };
        repeated.state = state;
        self.bit_times.push(bit_time);
        self.bit_times.last()
    }

    /// Of so many planes beside the tile, from `first` on, those that operations read, by number.
    pub(super) fn read_of(
        &self,
        range: &Range<usize>,
        (first, planes): (usize, usize),
    ) -> Vec<usize> {
        if planes == 0 {
            return Vec::new();
        }
        let mut is_read = vec![false; planes];
        for operand in self.operations(range).iter().flat_map(|one| one.operands) {
            if let OperandKind::Scratch(plane) = operand.place()
                && let Some(is_read) = is_read.get_mut(plane.wrapping_sub(first))
            {
                *is_read = true;
            }
        }
        (0..planes).filter(|&number| is_read[number]).collect()
    }

    /// Appends what fetches bits of the memory for what a bit time sends and for its clock edge, and what puts them back.
    pub(super) fn fetch(&mut self, fetched: &Fetched, repeated: &Repeated) -> Moves {
        let slot = |number: usize| {
            let slot = repeated.memory.start + repeated.touched[number];
            Operand::of(OperandKind::Slot(slot))
        };
        let copy = |from, to| Operation {
            kernel: Kernel::Copy,
            to,
            operands: [from; 3],
        };
        let [for_sending, for_edge] = fetched.read.each_ref().map(|read| {
            let beside = |number| Operand::of(OperandKind::Scratch(fetched.first + number));
            let read = read.iter();
            self.append_all(read.map(|&number| copy(slot(number), beside(number))))
        });
        let blocks = repeated.heard().and_then(|heard| heard.blocks);
        let put = fetched.put.iter();
        let put = put.map(|&(number, plane)| copy(plane, slot(number)));
        Moves {
            for_sending,
            for_edge,
            after_edge: self.append_all(put),
            blocks: blocks.map(|blocks| MovedBlocks {
                numbers: repeated.apart().start,
                width: repeated.numbers / blocks.count,
                from: repeated.memory.start + blocks.from,
                to: repeated.memory.start + blocks.to,
                bits: blocks.bits,
                count: blocks.count,
            }),
        }
    }

    /// Takes note of the last bit time, whose logic has so much to do with the memory; and of where registers are after it,
    /// as `held` says.
    pub(super) fn note(&self, repeated: &mut Repeated, held: &[Held], fetched: Fetched) {
        let last = self.bit_times.last();
        // Of nodes without a memory it is never known what they hear, and where their registers are is not kept.
        let Some(last) = last.filter(|_| !repeated.memory.is_empty()) else {
            return;
        };
        let before = repeated.state;
        if !last.moved.is_empty() {
            let mut registers = last.moved.iter().map(|(register, _)| *register as usize);
            repeated.has_moved |= registers.any(|register| repeated.apart().contains(&register));
            repeated.stand(held);
        }
        if let Some(heard) = repeated.heard.take() {
            let noted = Noted {
                bit_time: self.bit_times.len() - 1,
                fetched,
                state: repeated.state,
            };
            repeated.noted.insert((before, heard.words), noted);
        }
    }
}
