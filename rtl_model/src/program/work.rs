//! The inner loop: tiles, one after the other, through a clock edge and on to the next bit time.

use std::cell::Cell;

use crate::instructions::Operation as Task;
use crate::lanes::PLACE;
use crate::program::Program;
use crate::program::layout::Way;
use crate::program::operation::{FIRST, ONE, Operand, Operation, Place, ZERO};
use crate::router::Machine;

/// What a thread keeps beside the tile that it is at work on.
pub(crate) struct Beside<const WORDS: usize> {
    planes: Vec<[u64; WORDS]>,
}

impl<const WORDS: usize> Beside<WORDS> {
    pub(crate) fn new<R: Machine>(program: &Program<R>) -> Self {
        let layout = &program.layout;
        let tile = layout.shape.tile;
        let mut planes = vec![[0; WORDS]; program.scratch.max(FIRST) * tile];
        planes[ONE * tile..(ONE + 1) * tile].fill([!0; WORDS]);
        let dimensions = (program.scratch - FIRST).min(layout.dimensions());
        for dimension in 0..dimensions {
            let plane = &mut planes[(FIRST + dimension) * tile..][..tile];
            for (vector, words) in plane.iter_mut().enumerate() {
                for (word, bits) in words.iter_mut().enumerate() {
                    let number = |bit: usize, of: usize| (of >> bit & 1) as u64;
                    *bits = match layout.way(dimension) {
                        Way::InWord(bit) => PLACE[bit],
                        Way::InVector(bit) => number(bit, word).wrapping_neg(),
                        Way::InTile(bit) => number(bit, vector).wrapping_neg(),
                        Way::Far(_) => 0,
                    };
                }
            }
        }
        Beside { planes }
    }
}

/// Some tiles of a block, through the end of one bit time and the beginning of the next.
pub(crate) struct Pass<'a, R: Machine, const WORDS: usize, const VECTORS: usize> {
    pub program: &'a Program<R>,
    /// The number of the first tile, and of those of the block that are before it.
    pub first: usize,
    pub before: usize,
    /// Their registers.
    pub planes: &'a mut [[u64; WORDS]],
    pub beside: &'a mut Beside<WORDS>,
    /// The bit time that ends, and what all tiles of the block sent in it.
    pub edge: Option<(usize, &'a [[u64; WORDS]])>,
    /// The bit time that begins, and the wires of these tiles.
    pub sending: Option<(usize, &'a mut [[u64; WORDS]])>,
}

impl<R: Machine, const WORDS: usize, const VECTORS: usize> Task for Pass<'_, R, WORDS, VECTORS> {
    type Output = ();

    #[inline(always)]
    fn perform(self) {
        let Pass {
            program,
            first,
            before,
            planes,
            beside,
            edge,
            sending,
        } = self;
        let layout = &program.layout;
        let registers = program.registers();
        let driven = layout.dimensions();
        let (edge_operations, received) = match edge {
            Some((bit_time, received)) => (program.edge(bit_time), received),
            None => (&[][..], &[][..]),
        };
        let (sending_operations, sent) = match sending {
            Some((bit_time, sent)) => (program.sending(bit_time), sent),
            None => (&[][..], &mut [][..]),
        };
        let beside = Cell::from_mut(&mut beside.planes[..]).as_slice_of_cells();
        let sent = Cell::from_mut(sent).as_slice_of_cells();
        for (index, planes) in planes.chunks_exact_mut(registers * VECTORS).enumerate() {
            let mut tile = Tile::<WORDS, VECTORS> {
                ways: &program.ways,
                number: first + index,
                in_block: before + index,
                slots: Cell::from_mut(planes).as_slice_of_cells(),
                beside,
                received,
                sent: &[],
            };
            tile.perform(edge_operations);
            if !sending_operations.is_empty() {
                tile.sent = &sent[index * driven * VECTORS..][..driven * VECTORS];
                tile.perform(sending_operations);
            }
        }
    }
}

/// A tile at work.
struct Tile<'a, const WORDS: usize, const VECTORS: usize> {
    ways: &'a [Way],
    number: usize,
    in_block: usize,
    slots: &'a [Cell<[u64; WORDS]>],
    beside: &'a [Cell<[u64; WORDS]>],
    received: &'a [[u64; WORDS]],
    sent: &'a [Cell<[u64; WORDS]>],
}

impl<'a, const WORDS: usize, const VECTORS: usize> Tile<'a, WORDS, VECTORS> {
    #[inline(always)]
    fn perform(&self, operations: &[Operation]) {
        for operation in operations {
            let [a, b, c] = operation.operands;
            let (to, kernel) = (self.plane(operation.to), operation.kernel);
            let Place::Wire(dimension) = c.place() else {
                let c = self.plane(c);
                kernel.run(to, self.plane(a), self.plane(b), |vector| c[vector].get());
                continue;
            };
            // Where an operand is not read, it may be the wire again.
            let [a, b] = [a, b].map(|operand| match operand.place() {
                Place::Wire(_) => to,
                _ => self.plane(operand),
            });
            match self.ways[dimension] {
                Way::Far(bit) => {
                    let from = self.wire(self.in_block ^ 1 << bit, dimension);
                    kernel.run(to, a, b, |vector| from[vector]);
                }
                Way::InTile(bit) => {
                    let from = self.wire(self.in_block, dimension);
                    kernel.run(to, a, b, |vector| from[(vector ^ 1 << bit) % VECTORS]);
                }
                Way::InVector(bit) => {
                    let from = self.wire(self.in_block, dimension);
                    kernel.run(to, a, b, |vector| {
                        let words = from[vector];
                        match bit {
                            0 => std::array::from_fn(|word| words[(word ^ 1) % WORDS]),
                            _ => std::array::from_fn(|word| words[(word ^ 2) % WORDS]),
                        }
                    });
                }
                Way::InWord(bit) => {
                    let from = self.wire(self.in_block, dimension);
                    let (distance, upper) = (1 << bit, PLACE[bit]);
                    kernel.run(to, a, b, |vector| {
                        from[vector]
                            .map(|word| (word & upper) >> distance | (word << distance) & upper)
                    });
                }
            }
        }
    }

    #[inline(always)]
    fn plane(&self, operand: Operand) -> &'a [Cell<[u64; WORDS]>; VECTORS] {
        let (planes, number) = match operand.place() {
            Place::Slot(slot) => (self.slots, slot),
            Place::Scratch(plane) => (self.beside, plane),
            Place::TileBit(bit) => (
                self.beside,
                if self.number >> bit & 1 == 1 {
                    ONE
                } else {
                    ZERO
                },
            ),
            Place::Wire(dimension) => (self.sent, dimension),
        };
        plane_of(planes, number)
    }

    #[inline(always)]
    fn wire(&self, tile: usize, dimension: usize) -> &'a [[u64; WORDS]; VECTORS] {
        plane_of(self.received, tile * self.ways.len() + dimension)
    }
}

/// The plane of that number.
#[inline(always)]
fn plane_of<T, const VECTORS: usize>(planes: &[T], number: usize) -> &[T; VECTORS] {
    &planes.as_chunks::<VECTORS>().0[number]
}
