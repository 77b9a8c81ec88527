//! The inner loop: tiles, one after the other, through a clock edge and on to the next bit time.

use std::cell::Cell;
use std::sync::atomic::Ordering;

use crate::instructions::Operation as Task;
use crate::lanes::PLACE;
use crate::program::kernels::Plane;
use crate::program::layout::Way;
use crate::program::operation::{FIRST, ONE, Operand, Operation};
use crate::program::planes::Aligned;
use crate::program::{Code, Readings, Shape};

/// What a thread keeps beside the tile that it is at work on.
pub(crate) struct Beside {
    planes: Aligned,
    across: Vec<Across>,
}

/// How bits get across a dimension: they are shuffled as they are sent, and fetched from where the other nodes are.
#[derive(Clone, Copy, Debug)]
struct Across {
    shuffle: Shuffle,
    /// What to turn over in the number of a vector, and in that of a tile.
    vector: usize,
    tile: usize,
}

/// To which places of a vector bits go.
#[derive(Clone, Copy, Debug)]
enum Shuffle {
    None,
    /// To those whose numbers differ in this bit.
    InWord(usize),
    /// To the word so many before or after.
    Words1,
    Words2,
    Words4,
}

impl Across {
    fn of(way: Way) -> Self {
        let (shuffle, vector, tile) = match way {
            Way::InWord(bit) => (Shuffle::InWord(bit), 0, 0),
            Way::InVector(0) => (Shuffle::Words1, 0, 0),
            Way::InVector(1) => (Shuffle::Words2, 0, 0),
            Way::InVector(_) => (Shuffle::Words4, 0, 0),
            Way::InTile(bit) => (Shuffle::None, 1 << bit, 0),
            Way::Far(bit) => (Shuffle::None, 0, 1 << bit),
        };
        Across {
            shuffle,
            vector,
            tile,
        }
    }
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
        let across = code.ways.iter().map(|way| Across::of(*way)).collect();
        Beside { planes, across }
    }
}

/// Some tiles of a block, through the ends and beginnings of bit times.
pub(crate) struct Work<'a, const WORDS: usize, const VECTORS: usize> {
    pub code: &'a Code,
    /// The number of the first tile, and of those of the block that are before it.
    pub first: usize,
    pub before: usize,
    /// Their registers.
    pub tiles: &'a mut [Aligned],
    pub beside: &'a mut Beside,
    pub wires: Wires<'a>,
    /// What each tile's gauges remember, and where they are read.
    pub gauges: &'a mut [u32],
    pub readings: Option<&'a Readings>,
    pub turns: &'a mut dyn Iterator<Item = Turn>,
    /// Asked after each clock edge; where it says no, no more turns are taken.
    pub goes_on: &'a dyn Fn() -> bool,
}

/// What comes over the wires in the bit time that ends, and what goes out in the next.
pub(crate) enum Wires<'a> {
    /// All tiles of the block are here: one becomes the other.
    Both(&'a mut [u64], &'a mut [u64]),
    /// Others send as well: for one turn.
    Shared(&'a [u64], &'a mut [u64]),
}

/// From one bit time to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turn {
    /// The bit time that ends.
    pub edge: Option<usize>,
    /// The bit time that begins, to be measured; anew, where nothing is known of the one before.
    pub measured: Option<usize>,
    pub anew: bool,
    /// The bit time whose bits are sent.
    pub sending: Option<usize>,
}

impl<const WORDS: usize, const VECTORS: usize> Task for Work<'_, WORDS, VECTORS> {
    type Output = bool;

    #[inline(always)]
    fn perform(self) -> bool {
        let Work {
            code,
            first,
            before,
            tiles,
            beside,
            mut wires,
            gauges,
            readings,
            turns,
            goes_on,
        } = self;
        let wires_of_tile = code.ways.len();
        let across = &beside.across[..];
        let beside = planes_of(beside.planes.words_mut());
        for turn in turns {
            let [edge, sending] = code.edge_and_sending(turn.edge, turn.sending);
            let (received, sent) = match &mut wires {
                Wires::Both(now, next) => (&**now, &mut **next),
                Wires::Shared(now, next) => (*now, &mut **next),
            };
            let received = received.as_chunks().0.as_chunks().0;
            let sent = planes_of(sent);
            let mut live = 0;
            for (index, slots) in tiles.iter_mut().enumerate() {
                let slots = planes_of(slots.words_mut());
                let sent = &sent[index * wires_of_tile..][..wires_of_tile];
                let tile = Tile::<WORDS, VECTORS> {
                    across,
                    number: first + index,
                    in_block: before + index,
                    spaces: [slots, beside, sent, &[]],
                    received,
                };
                tile.perform(edge);
                if let (Some(bit_time), Some(readings)) = (turn.measured, readings) {
                    let words = code.gauge_words();
                    let gauges = &mut gauges[index * words..][..words];
                    live += tile.measure(code, gauges, (bit_time, turn.anew), readings);
                }
                tile.perform(sending);
            }
            if let (Some(bit_time), Some(readings)) = (turn.measured, readings)
                && (!turn.anew || bit_time == 0)
            {
                readings.add_live(bit_time, live);
            }
            if let Wires::Both(now, next) = &mut wires {
                std::mem::swap(now, next);
            }
            if turn.edge.is_some() && !goes_on() {
                return false;
            }
        }
        true
    }
}

/// A tile at work.
struct Tile<'a, const WORDS: usize, const VECTORS: usize> {
    across: &'a [Across],
    number: usize,
    in_block: usize,
    /// Slots, planes beside the tile, and wires that go out: see [`Operand`].
    spaces: [&'a [Plane<WORDS, VECTORS>]; 4],
    received: &'a [[[u64; WORDS]; VECTORS]],
}

impl<'a, const WORDS: usize, const VECTORS: usize> Tile<'a, WORDS, VECTORS> {
    #[inline(always)]
    fn perform(&self, operations: &[Operation]) {
        for operation in operations {
            let [a, b, c] = operation.operands;
            let (a, b) = (|| self.plane(a), || self.plane(b));
            let (kernel, to) = (operation.kernel, self.plane(operation.to));
            match c.space() {
                Operand::WIRE => {
                    let (from, flip) = self.incoming(c.number());
                    kernel.run(to, a, b, |vector| from[(vector ^ flip) % VECTORS]);
                }
                Operand::TILE_BIT => {
                    let bit = (self.number >> c.number() & 1) as u64;
                    for vector in to {
                        vector.set([bit.wrapping_neg(); WORDS]);
                    }
                }
                _ => {
                    let c = self.plane(c);
                    kernel.run(to, a, b, |vector| c[vector].get());
                    if operation.to.space() == Operand::WIRE {
                        shuffle(to, self.across[operation.to.number()].shuffle);
                    }
                }
            }
        }
    }

    /// An operand's plane.
    #[inline(always)]
    fn plane(&self, operand: Operand) -> &'a Plane<WORDS, VECTORS> {
        &self.spaces[operand.space()][operand.number()]
    }

    /// What comes in across a dimension, and which bit of a vector's number to turn over.
    #[inline(always)]
    fn incoming(&self, dimension: usize) -> (&'a [[u64; WORDS]; VECTORS], usize) {
        let Across { tile, vector, .. } = self.across[dimension];
        let tile = self.in_block ^ tile;
        (&self.received[tile * self.across.len() + dimension], vector)
    }

    /// Reads the gauges of a tile; gives its live bits.
    #[inline(always)]
    fn measure(
        &self,
        code: &Code,
        gauges: &mut [u32],
        (bit_time, anew): (usize, bool),
        readings: &Readings,
    ) -> u64 {
        let [bits_bound, messages_bound, counters @ ..] = gauges else {
            return 0;
        };
        let (bits, messages) = code.gauges(bit_time);
        let recounted = match anew {
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
        let step = code.step_before(bit_time);
        for (gauge, bound, most) in [
            (bits, bits_bound, readings.bits_of_step(step)),
            (messages, messages_bound, readings.messages()),
        ] {
            *bound = match anew {
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
            let mut with_bit = candidates;
            let mut any = [0; WORDS];
            let plane = self.plane(plane);
            for vector in 0..VECTORS {
                let plane = plane[vector].get();
                for word in 0..WORDS {
                    with_bit[vector][word] &= plane[word];
                    any[word] |= with_bit[vector][word];
                }
            }
            if any.iter().any(|word| *word != 0) {
                candidates = with_bit;
                largest |= 1 << place;
            }
        }
        largest
    }
}

/// To where they are read.
#[inline(always)]
fn shuffle<const WORDS: usize, const VECTORS: usize>(
    plane: &Plane<WORDS, VECTORS>,
    shuffle: Shuffle,
) {
    // With each distance written out, its shuffle is known when it is translated.
    match shuffle {
        Shuffle::None => {}
        Shuffle::InWord(bit) => {
            let (distance, upper) = (1 << bit, PLACE[bit]);
            let exchanged = |word| (word & upper) >> distance | (word << distance) & upper;
            for vector in plane {
                vector.set(vector.get().map(exchanged));
            }
        }
        Shuffle::Words1 => swap::<WORDS, VECTORS, 1>(plane),
        Shuffle::Words2 => swap::<WORDS, VECTORS, 2>(plane),
        Shuffle::Words4 => swap::<WORDS, VECTORS, 4>(plane),
    }
}

#[inline(always)]
fn swap<const WORDS: usize, const VECTORS: usize, const DISTANCE: usize>(
    plane: &Plane<WORDS, VECTORS>,
) {
    for vector in plane {
        let words = vector.get();
        vector.set(std::array::from_fn(|word| words[(word ^ DISTANCE) % WORDS]));
    }
}

/// As planes that may be read while others of them are written.
#[inline(always)]
fn planes_of<const WORDS: usize, const VECTORS: usize>(
    words: &mut [u64],
) -> &[Plane<WORDS, VECTORS>] {
    let vectors = words.as_chunks_mut::<WORDS>().0;
    Cell::from_mut(vectors).as_slice_of_cells().as_chunks().0
}

/// The ones of a plane.
#[inline(always)]
fn ones<const WORDS: usize, const VECTORS: usize>(plane: &Plane<WORDS, VECTORS>) -> u32 {
    let mut ones = 0;
    for vector in plane {
        for word in vector.get() {
            ones += word.count_ones();
        }
    }
    ones
}
