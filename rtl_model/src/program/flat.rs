//! Machines of one small tile: all planes lie in one slice, so that an operand is found with its number alone.
//!
//! ```text
//!   registers (slots) | wires | constants, place bits, what is worked out
//! ```
//!
//! A small tile has few words for each operation, and most of its time would go into looking for operands. There is one set of wires:
//! all nodes have received before any sends again.

use std::ops::Range;

use crate::instructions::Operation as Task;
use crate::program::across::Across;
use crate::program::gauges::Performs;
use crate::program::kernels::Plane;
use crate::program::operation::{Operand, Operation};
use crate::program::planes::{Aligned, planes_of};
use crate::program::{Code, Readings};

/// The only tile of a machine, through some bit times.
pub(crate) struct Flat<'a, const WORDS: usize, const VECTORS: usize> {
    pub code: &'a Code,
    pub tile: &'a mut Aligned,
    pub gauges: &'a mut [u32],
    pub readings: Option<&'a Readings>,
    pub bit_times: Range<usize>,
    /// Asked after each bit time; where it says no, that was the last.
    pub goes_on: &'a dyn Fn() -> bool,
}

impl<const WORDS: usize, const VECTORS: usize> Task for Flat<'_, WORDS, VECTORS> {
    type Output = bool;

    /// Whether it went on to the end.
    #[inline(always)]
    fn perform(self) -> bool {
        let (code, of_tile) = (self.code, WORDS * VECTORS);
        let registers = self.tile.words_mut();
        let mut slice = Aligned::new(code.planes_in_slice() * of_tile);
        let words = slice.words_mut();
        words[..registers.len()].copy_from_slice(registers);
        let beside = registers.len() + code.across().len() * of_tile;
        code.write_constants(&mut words[beside..]);
        let goes_on = {
            let tile = Tile::<WORDS, VECTORS> {
                code,
                planes: planes_of(words),
            };
            tile.advance(self.bit_times, (self.gauges, self.readings), self.goes_on)
        };
        registers.copy_from_slice(&slice.words_mut()[..registers.len()]);
        goes_on
    }
}

struct Tile<'a, const WORDS: usize, const VECTORS: usize> {
    code: &'a Code,
    planes: &'a [Plane<WORDS, VECTORS>],
}

impl<const WORDS: usize, const VECTORS: usize> Tile<'_, WORDS, VECTORS> {
    #[inline(always)]
    fn advance(
        &self,
        Range { start, end }: Range<usize>,
        (gauges, readings): (&mut [u32], Option<&Readings>),
        goes_on: &dyn Fn() -> bool,
    ) -> bool {
        let across = self.code.across();
        let wires = &self.planes[self.code.registers()..][..across.len()];
        for bit_time in start..=end {
            if bit_time > start {
                self.perform(self.code.edge_in_slice(bit_time - 1));
            }
            if let Some(readings) = readings {
                let anew = bit_time == start;
                let live = self.measure(self.code, gauges, (bit_time, anew), readings);
                if !anew || bit_time == 0 {
                    readings.add_live(bit_time, live);
                }
            }
            if bit_time > start && !goes_on() {
                return false;
            }
            if bit_time < end {
                self.perform(self.code.sending_in_slice(bit_time));
                self.send(&across, wires, self.code.driven(bit_time));
            }
        }
        true
    }

    #[inline(always)]
    fn perform(&self, operations: &[Operation]) {
        for operation in operations {
            let [a, b, c] = operation.operands.map(Operand::number);
            let c = || &self.planes[c];
            operation.kernel.run(
                &self.planes[operation.to.number()],
                || &self.planes[a],
                || &self.planes[b],
                |vector| c()[vector].get(),
            );
        }
    }

    /// What is driven, to where it is received.
    #[inline(always)]
    fn send(&self, across: &[Across], wires: &[Plane<WORDS, VECTORS>], driven: u32) {
        let mut left = driven;
        while left != 0 {
            let dimension = left.trailing_zeros() as usize;
            across[dimension].shuffle(&wires[dimension]);
            across[dimension].exchange_vectors(&wires[dimension]);
            left &= left - 1;
        }
    }
}

impl<const WORDS: usize, const VECTORS: usize> Performs<WORDS, VECTORS>
    for Tile<'_, WORDS, VECTORS>
{
    #[inline(always)]
    fn perform_all(&self, operations: &Range<usize>) {
        self.perform(self.code.operations_in_slice(operations));
    }

    #[inline(always)]
    fn plane_of(&self, operand: Operand) -> &Plane<WORDS, VECTORS> {
        &self.planes[self.code.number_in_slice(operand)]
    }
}
