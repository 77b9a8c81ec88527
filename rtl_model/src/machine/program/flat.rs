//! Machines of one small tile: all planes lie in one slice, so that an operand is found with its number alone.
//!
//! ```text
//!   registers (slots) | wires | constants, place bits, what is worked out | what stays as it is
//! ```
//!
//! A small tile has few words for each operation, and most of its time would go into looking for operands. There is one set of wires:
//! all nodes have received before any sends again.

use std::ops::Range;

use crate::machine::instructions::{Instructions, Operation as Task};
use crate::machine::program::across::Across;
use crate::machine::program::gauges::Performs;
use crate::machine::program::kernels::Plane;
use crate::machine::program::operation::{Operand, Operation};
use crate::machine::program::planes::{Aligned, planes_of};
use crate::machine::program::work::Outcome;
use crate::machine::program::{Code, Meters};

/// The only tile of a machine, through some bit times.
pub(crate) struct Flat<'a, const WORDS: usize, const VECTORS: usize> {
    pub code: &'a Code,
    pub instructions: Instructions,
    pub tile: &'a mut Aligned,
    /// Planes that stay as they are.
    pub fixed: &'a [u64],
    pub gauges: &'a mut [u32],
    pub meters: Option<Meters<'a>>,
    pub bit_times: Range<usize>,
    /// Asked after each bit time; where it says no, that was the last.
    pub goes_on: &'a dyn Fn() -> bool,
}

impl<const WORDS: usize, const VECTORS: usize> Task for Flat<'_, WORDS, VECTORS> {
    type Output = Outcome;

    #[inline(always)]
    fn perform(self) -> Outcome {
        let (code, of_tile) = (self.code, WORDS * VECTORS);
        let registers = self.tile.words_mut();
        let mut slice = Aligned::new(code.planes_in_slice() * of_tile);
        let words = slice.words_mut();
        words[..registers.len()].copy_from_slice(registers);
        let beside = registers.len() + code.across().len() * of_tile;
        code.write_constants(&mut words[beside..]);
        let fixed = words.len() - self.fixed.len();
        words[fixed..].copy_from_slice(self.fixed);
        let outcome = {
            let tile = Tile::<WORDS, VECTORS> {
                code,
                instructions: self.instructions,
                planes: planes_of(words),
            };
            tile.advance(self.bit_times, (self.gauges, self.meters), self.goes_on)
        };
        registers.copy_from_slice(&slice.words_mut()[..registers.len()]);
        outcome
    }
}

struct Tile<'a, const WORDS: usize, const VECTORS: usize> {
    code: &'a Code,
    instructions: Instructions,
    planes: &'a [Plane<WORDS, VECTORS>],
}

impl<const WORDS: usize, const VECTORS: usize> Tile<'_, WORDS, VECTORS> {
    #[inline(always)]
    fn advance(
        &self,
        Range { start, end }: Range<usize>,
        (gauges, meters): (&mut [u32], Option<Meters<'_>>),
        goes_on: &dyn Fn() -> bool,
    ) -> Outcome {
        let across = self.code.across();
        let wires = &self.planes[self.code.registers()..][..across.len()];
        // Else what most machines do not have is asked for in each bit time.
        let is_plain = self.code.is_plain;
        for bit_time in start..=end {
            if bit_time > start {
                let around = self.code.moves(Some(bit_time - 1));
                if let Some(moves) = around {
                    self.copy(&moves.for_edge);
                }
                self.perform(self.code.edge_in_slice(bit_time - 1));
                if let Some(moves) = around {
                    self.copy(&moves.after_edge);
                    if let Some(blocks) = &moves.blocks {
                        blocks.change_places(self.planes);
                    }
                }
            }
            if let Some(meters) = meters {
                let anew = bit_time == start;
                let live = self.read_gauges((self.code, 0), gauges, (bit_time, anew), meters);
                if !anew || bit_time == 0 {
                    meters.readings.add_live(bit_time, live);
                }
            }
            if bit_time > start && !goes_on() {
                return Outcome::BrokenOff;
            }
            if bit_time < end {
                if let Some(moves) = self.code.moves(Some(bit_time)) {
                    self.copy(&moves.for_sending);
                }
                self.perform(self.code.sending_in_slice(bit_time));
                if is_plain {
                    self.send(&across, wires, self.code.driven[bit_time]);
                } else if !self.has_sent(&across, wires, bit_time) {
                    return Outcome::Clash(bit_time);
                }
            }
        }
        Outcome::ToTheEnd
    }

    #[inline(always)]
    fn perform(&self, operations: &[Operation]) {
        for operation in operations {
            let [a, b, c] = operation.operands;
            let [a, b, c] = [a.number(), b.number(), c.number()];
            let c = || &self.planes[c];
            operation.kernel.run(
                &self.planes[operation.to.number()],
                || &self.planes[a],
                || &self.planes[b],
                |vector| c()[vector].get(),
            );
        }
    }

    /// Planes of the memory that are fetched, or put back.
    #[inline(never)]
    fn copy(&self, moves: &Range<usize>) {
        for operation in self.code.operations_in_slice(moves) {
            let from = &self.planes[operation.operands[0].number()];
            for (to, from) in self.planes[operation.to.number()].iter().zip(from) {
                to.set(from.get());
            }
        }
    }

    /// What is driven of up to 64 links, to where it is received.
    #[inline(always)]
    fn send(&self, across: &[Across], wires: &[Plane<WORDS, VECTORS>], driven: u64) {
        let mut left = driven;
        while left != 0 {
            let link = left.trailing_zeros() as usize;
            across[link].shuffle(&wires[link]);
            across[link].exchange_vectors(&wires[link]);
            left &= left - 1;
        }
    }

    /// The same for any number of links, of which some have planes that are to be put together. Nothing is sent where two units
    /// of a node drive one wire.
    #[cold]
    #[inline(never)]
    fn has_sent(
        &self,
        across: &[Across],
        wires: &[Plane<WORDS, VECTORS>],
        bit_time: usize,
    ) -> bool {
        if self.clashes(self.code, Some(bit_time), 0) {
            return false;
        }
        for (number, &driven) in self.code.driven(bit_time).iter().enumerate() {
            self.send(&across[64 * number..], &wires[64 * number..], driven);
        }
        for (link, plane) in wires.iter().enumerate() {
            let Some(gather) = self.code.roads().gather(link) else {
                continue;
            };
            if self.code.drives(bit_time, link) {
                let sent: [[u64; WORDS]; VECTORS] =
                    std::array::from_fn(|vector| plane[vector].get());
                for (vector, to) in plane.iter().enumerate() {
                    to.set(std::array::from_fn(|word| {
                        gather.word(vector * WORDS + word, |word| {
                            sent[word / WORDS % VECTORS][word % WORDS]
                        })
                    }));
                }
            }
        }
        true
    }
}

impl<const WORDS: usize, const VECTORS: usize> Performs<WORDS, VECTORS>
    for Tile<'_, WORDS, VECTORS>
{
    #[inline(always)]
    fn instructions(&self) -> Instructions {
        self.instructions
    }

    #[inline(always)]
    fn perform_all(&self, operations: &Range<usize>) {
        self.perform(self.code.operations_in_slice(operations));
    }

    #[inline(always)]
    fn plane_of(&self, operand: Operand) -> &Plane<WORDS, VECTORS> {
        &self.planes[self.code.number_in_slice(operand)]
    }
}
