//! The inner loop: tiles, one after the other, through a clock edge and on to the next bit time.

use std::cell::Cell;
use std::sync::atomic::Ordering;

use crate::instructions::Operation as Task;
use crate::lanes::PLACE;
use crate::program::layout::Way;
use crate::program::operation::{FIRST, ONE, Operand, Operation, Place, ZERO};
use crate::program::planes::Aligned;
use crate::program::{Code, Readings, Shape};

/// What a thread keeps beside the tile that it is at work on.
pub(crate) struct Beside {
    planes: Aligned,
}

impl Beside {
    pub(crate) fn new(code: &Code) -> Self {
        let Shape { vector, .. } = code.layout.shape;
        let tile = code.layout.shape.words();
        let mut planes = Aligned::new(code.scratch * tile);
        let words = planes.words_mut();
        words[ONE * tile..(ONE + 1) * tile].fill(!0);
        for (dimension, way) in code.ways.iter().enumerate() {
            let plane = &mut words[(FIRST + dimension) * tile..][..tile];
            for (index, word) in plane.iter_mut().enumerate() {
                let all = |bit: usize, number: usize| (number >> bit & 1) as u64;
                *word = match *way {
                    Way::InWord(bit) => PLACE[bit],
                    Way::InVector(bit) => all(bit, index % vector).wrapping_neg(),
                    Way::InTile(bit) => all(bit, index / vector).wrapping_neg(),
                    Way::Far(_) => 0,
                };
            }
        }
        Beside { planes }
    }
}

/// Some tiles of a block, through the end of one bit time and the beginning of the next.
pub(crate) struct Pass<'a, const WORDS: usize, const VECTORS: usize> {
    pub code: &'a Code,
    /// The number of the first tile, and of those of the block that are before it.
    pub first: usize,
    pub before: usize,
    /// Their registers.
    pub planes: &'a mut [u64],
    pub beside: &'a mut Beside,
    /// The bit time that ends, and what all tiles of the block sent in it.
    pub edge: Option<(usize, &'a [u64])>,
    /// The bit time that begins, to be measured; what each tile's gauges remember, and where it is read.
    pub measuring: Option<Measuring<'a>>,
    /// The bit time that begins, and the wires of these tiles.
    pub sending: Option<(usize, &'a mut [u64])>,
}

/// How a bit time is measured.
pub(crate) struct Measuring<'a> {
    pub bit_time: usize,
    pub gauges: &'a mut [u32],
    /// Nothing is known of the bit time before.
    pub anew: bool,
    pub readings: &'a Readings,
}

impl<const WORDS: usize, const VECTORS: usize> Task for Pass<'_, WORDS, VECTORS> {
    type Output = ();

    #[inline(always)]
    fn perform(self) {
        let Pass {
            code,
            first,
            before,
            planes,
            beside,
            edge,
            mut measuring,
            sending,
        } = self;
        let registers = code.registers();
        let driven = code.ways.len();
        let (edge_operations, received) = match edge {
            Some((bit_time, received)) => (code.edge(bit_time), received.as_chunks().0),
            None => (&[][..], &[][..]),
        };
        let (sending_operations, sent) = match sending {
            Some((bit_time, sent)) => (code.sending(bit_time), sent.as_chunks_mut().0),
            None => (&[][..], &mut [][..]),
        };
        let beside = cells(beside.planes.words_mut().as_chunks_mut().0);
        let sent = cells(sent);
        let planes = planes.as_chunks_mut().0;
        let mut live = 0;
        for (index, planes) in planes.chunks_exact_mut(registers * VECTORS).enumerate() {
            let mut tile = Tile::<WORDS, VECTORS> {
                ways: &code.ways,
                number: first + index,
                in_block: before + index,
                slots: cells(planes),
                beside,
                received,
                sent: &[],
            };
            tile.perform(edge_operations);
            if let Some(measuring) = &mut measuring {
                live += tile.measure(code, index, measuring);
            }
            if !sending_operations.is_empty() {
                tile.sent = &sent[index * driven * VECTORS..][..driven * VECTORS];
                tile.perform(sending_operations);
            }
        }
        if let Some(measuring) = &measuring
            && (!measuring.anew || measuring.bit_time == 0)
        {
            measuring.readings.add_live(measuring.bit_time, live);
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

    /// Reads the gauges of a tile; gives its live bits.
    #[inline(always)]
    fn measure(&self, code: &Code, index: usize, measuring: &mut Measuring<'_>) -> u64 {
        let words = code.gauge_words();
        let gauges = &mut measuring.gauges[index * words..][..words];
        let [bits_bound, messages_bound, counters @ ..] = gauges else {
            return 0;
        };
        let (bits, messages) = code.gauges(measuring.bit_time);
        let recounted = match measuring.anew {
            true => bits.counts.len(),
            false => bits.changed,
        };
        if recounted > 0 {
            self.perform(code.operations(&bits.flags));
        }
        for count in &bits.counts[..recounted] {
            counters[count.counter] = ones(self.plane(count.plane));
        }
        let live = (bits.counts.iter())
            .map(|count| u64::from(count.weight) * u64::from(counters[count.counter]))
            .sum();
        let readings = measuring.readings;
        let step = code.step_before(measuring.bit_time);
        for (gauge, bound, most) in [
            (bits, bits_bound, readings.bits_of_step(step)),
            (messages, messages_bound, readings.messages()),
        ] {
            *bound = match measuring.anew {
                true => u32::MAX,
                false => bound.saturating_add(gauge.growth),
            };
            if *bound > most.load(Ordering::Relaxed) {
                self.perform(code.operations(&gauge.sums));
                *bound = self.largest(&gauge.planes);
                most.fetch_max(*bound, Ordering::Relaxed);
            }
        }
        live
    }

    /// The largest of the nodes' sums, of which each plane is a bit.
    #[inline(always)]
    fn largest(&self, planes: &[Operand]) -> u32 {
        let mut candidates = [[!0u64; WORDS]; VECTORS];
        let mut largest = 0;
        for (place, &plane) in planes.iter().enumerate().rev() {
            let plane = self.plane(plane);
            let mut with_bit = candidates;
            let mut any = [0; WORDS];
            for (vector, words) in with_bit.iter_mut().enumerate() {
                let plane = plane[vector].get();
                for (word, bits) in words.iter_mut().enumerate() {
                    *bits &= plane[word];
                    any[word] |= *bits;
                }
            }
            if any.iter().any(|word| *word != 0) {
                candidates = with_bit;
                largest |= 1 << place;
            }
        }
        largest
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

/// As planes that may be read while others of them are written.
#[inline(always)]
fn cells<const WORDS: usize>(vectors: &mut [[u64; WORDS]]) -> &[Cell<[u64; WORDS]>] {
    Cell::from_mut(vectors).as_slice_of_cells()
}

/// The plane of that number.
#[inline(always)]
fn plane_of<T, const VECTORS: usize>(planes: &[T], number: usize) -> &[T; VECTORS] {
    &planes.as_chunks::<VECTORS>().0[number]
}

/// The ones of a plane.
#[inline(always)]
fn ones<const WORDS: usize, const VECTORS: usize>(plane: &[Cell<[u64; WORDS]>; VECTORS]) -> u32 {
    plane
        .iter()
        .map(|vector| {
            vector
                .get()
                .iter()
                .map(|word| word.count_ones())
                .sum::<u32>()
        })
        .sum()
}
