//! The inner loop: tiles, one after the other, through a clock edge and on to the next bit time.

use std::cell::Cell;
use std::sync::atomic::Ordering;

use crate::instructions::Operation as Task;
use crate::lanes::PLACE;
use crate::program::layout::Way;
use crate::program::operation::{FIRST, ONE, Operand, Operation, ZERO};
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
        let beside = planes_of(beside.planes.words_mut());
        for turn in turns {
            let edge = turn.edge.map_or(&[][..], |bit_time| code.edge(bit_time));
            let sending = turn
                .sending
                .map_or(&[][..], |bit_time| code.sending(bit_time));
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
                    ways: &code.ways,
                    number: first + index,
                    in_block: before + index,
                    spaces: [slots, beside, sent],
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

/// A plane of a tile, which may be read while another, or it itself, is written.
type Plane<const WORDS: usize, const VECTORS: usize> = [Cell<[u64; WORDS]>; VECTORS];

/// A tile at work.
struct Tile<'a, const WORDS: usize, const VECTORS: usize> {
    ways: &'a [Way],
    number: usize,
    in_block: usize,
    /// Slots, planes beside the tile, and wires that go out: see [`Operand`].
    spaces: [&'a [Plane<WORDS, VECTORS>]; 3],
    received: &'a [[[u64; WORDS]; VECTORS]],
}

impl<'a, const WORDS: usize, const VECTORS: usize> Tile<'a, WORDS, VECTORS> {
    #[inline(always)]
    fn perform(&self, operations: &[Operation]) {
        for operation in operations {
            let [a, b, c] = operation.operands;
            let (to, a, b) = (self.plane(operation.to), self.plane(a), self.plane(b));
            let kernel = operation.kernel;
            if c.space() != Operand::WIRE {
                let c = self.plane(c);
                kernel.run(to, a, b, |vector| c[vector].get());
                continue;
            }
            let dimension = c.number();
            let shuffled;
            let (from, flip) = match self.ways[dimension] {
                Way::Far(bit) => (self.wire(self.in_block ^ 1 << bit, dimension), 0),
                Way::InTile(bit) => (self.wire(self.in_block, dimension), 1 << bit),
                way => {
                    shuffled = shuffle_all(self.wire(self.in_block, dimension), way);
                    (&shuffled, 0)
                }
            };
            kernel.run(to, a, b, |vector| from[(vector ^ flip) % VECTORS]);
        }
    }

    /// An operand's plane. Where it is a wire that comes in, it is not read as this.
    #[inline(always)]
    fn plane(&self, operand: Operand) -> &'a Plane<WORDS, VECTORS> {
        match self.spaces.get(operand.space()) {
            Some(space) => &space[operand.number()],
            None => {
                let is_one = self.number >> operand.number() & 1 == 1;
                &self.spaces[Operand::SCRATCH][if is_one { ONE } else { ZERO }]
            }
        }
    }

    #[inline(always)]
    fn wire(&self, tile: usize, dimension: usize) -> &'a [[u64; WORDS]; VECTORS] {
        &self.received[tile * self.ways.len() + dimension]
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

#[inline(always)]
fn shuffle_all<const WORDS: usize, const VECTORS: usize>(
    from: &[[u64; WORDS]; VECTORS],
    way: Way,
) -> [[u64; WORDS]; VECTORS] {
    let mut shuffled = *from;
    for words in &mut shuffled {
        *words = shuffle(*words, way);
    }
    shuffled
}

/// What comes over the wires of a dimension that stay in a vector.
#[inline(always)]
fn shuffle<const WORDS: usize>(words: [u64; WORDS], way: Way) -> [u64; WORDS] {
    let mut shuffled = [0; WORDS];
    if let Way::InWord(bit) = way {
        let (distance, upper) = (1 << bit, PLACE[bit]);
        for word in 0..WORDS {
            shuffled[word] = (words[word] & upper) >> distance | (words[word] << distance) & upper;
        }
        return shuffled;
    }
    // With each distance written out, its shuffle is known when it is translated.
    match way {
        Way::InVector(0) => swap(words, 1, &mut shuffled),
        Way::InVector(1) => swap(words, 2, &mut shuffled),
        _ => swap(words, 4, &mut shuffled),
    }
    shuffled
}

#[inline(always)]
fn swap<const WORDS: usize>(words: [u64; WORDS], distance: usize, to: &mut [u64; WORDS]) {
    for word in 0..WORDS {
        to[word] = words[(word ^ distance) % WORDS];
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
