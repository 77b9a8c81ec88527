//! The inner loop of large tiles: one after the other, through a clock edge and on to the next bit time.

use std::ops::Range;

use crate::machine::instructions::{Instructions, Operation as Task};
use crate::machine::program::across::Across;
use crate::machine::program::gauges::Performs;
use crate::machine::program::kernels::Plane;
use crate::machine::program::operation::{Operand, Operation};
use crate::machine::program::planes::{Aligned, planes_of};
use crate::machine::program::{Code, Meters};

/// How it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All turns have been taken, or all bit times have passed.
    ToTheEnd,
    /// Somebody has broken it off.
    BrokenOff,
    /// In this bit time two units of a node drive one wire. Registers of all tiles are as it begins.
    Clash(usize),
}

/// What a thread keeps beside the tile that it is at work on.
pub(crate) struct Beside {
    planes: Aligned,
    across: Vec<Across>,
    /// Of what is sent ahead: none of it is shuffled.
    nowhere: Vec<Across>,
}

impl Beside {
    /// For bit times that do not concern other ranks.
    pub(crate) fn new(code: &Code) -> Self {
        Beside::with(code, [code.scratch, 0])
    }

    /// The same, and for [streams](Turn::ahead).
    pub(crate) fn among_ranks(code: &Code) -> Self {
        let scratch = code.scratch.max(code.scratch_of_streams);
        Beside::with(code, [scratch, code.planes_of_streams])
    }

    fn with(code: &Code, [scratch, planes_of_streams]: [usize; 2]) -> Self {
        let mut planes = Aligned::new(scratch * code.layout.shape.words());
        code.write_constants(planes.words_mut());
        Beside {
            planes,
            across: code.across(),
            nowhere: vec![Across::NOWHERE; planes_of_streams],
        }
    }
}

/// Some tiles of a block, through the ends and beginnings of bit times.
pub(crate) struct Work<'a, const WORDS: usize, const VECTORS: usize> {
    pub code: &'a Code,
    pub instructions: Instructions,
    /// The number of the first tile, and of those of the block that are before it.
    pub first: usize,
    pub before: usize,
    /// Their registers.
    pub tiles: &'a mut [Aligned],
    pub beside: &'a mut Beside,
    pub wires: Wires<'a>,
    /// Planes that stay as they are, of all tiles.
    pub fixed: &'a [u64],
    /// What each tile's gauges remember, and how they are read.
    pub gauges: &'a mut [u32],
    pub meters: Option<Meters<'a>>,
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
    /// In place of all of these: the bit time in which a stream begins, to be worked out ahead.
    pub ahead: Option<usize>,
}

impl<const WORDS: usize, const VECTORS: usize> Task for Work<'_, WORDS, VECTORS> {
    type Output = Outcome;

    #[inline(always)]
    fn perform(self) -> Outcome {
        let Work {
            code,
            instructions,
            first,
            before,
            tiles,
            beside,
            mut wires,
            fixed,
            gauges,
            meters,
            turns,
            goes_on,
        } = self;
        let Beside {
            planes,
            across,
            nowhere,
        } = beside;
        let beside = planes_of(planes.words_mut());
        for turn in turns {
            let [edge, sending] = match turn.ahead {
                None => code.edge_and_sending(turn.edge, turn.sending),
                Some(bit_time) => [code.ahead(bit_time), &[]],
            };
            let around = [code.moves(turn.edge), code.moves(turn.sending)];
            let across = match turn.ahead {
                None => &across[..],
                Some(bit_time) => &nowhere[..code.planes_of_stream(bit_time)],
            };
            let wires_of_tile = across.len();
            let (received, sent) = match &mut wires {
                Wires::Both(now, next) => (&**now, &mut **next),
                Wires::Shared(now, next) => (*now, &mut **next),
            };
            let received = received.as_chunks().0.as_chunks().0;
            let sent = planes_of(sent);
            let (mut live, mut clashes) = (0, false);
            for (index, slots) in tiles.iter_mut().enumerate() {
                let slots = planes_of(slots.words_mut());
                let sent = &sent[index * wires_of_tile..][..wires_of_tile];
                let tile = Tile::<WORDS, VECTORS> {
                    code,
                    instructions,
                    across,
                    number: first + index,
                    in_block: before + index,
                    spaces: [slots, beside, sent, &[]],
                    received,
                    fixed,
                };
                if let [Some(moves), _] = around {
                    tile.copy(&moves.for_edge);
                }
                tile.perform(edge);
                if let [Some(moves), _] = around {
                    tile.copy(&moves.after_edge);
                    if let Some(blocks) = &moves.blocks {
                        blocks.change_places(slots);
                    }
                }
                if let (Some(bit_time), Some(meters)) = (turn.measured, meters) {
                    let words = code.gauge_words();
                    let gauges = &mut gauges[index * words..][..words];
                    let place = (code, tile.number * WORDS * VECTORS);
                    live += tile.read_gauges(place, gauges, (bit_time, turn.anew), meters);
                }
                if let [_, Some(moves)] = around {
                    tile.copy(&moves.for_sending);
                }
                tile.perform(sending);
                clashes |= !code.is_plain
                    && tile.clashes(code, turn.sending, tile.number * WORDS * VECTORS);
            }
            if let (Some(bit_time), Some(meters)) = (turn.measured, meters)
                && (!turn.anew || bit_time == 0)
            {
                meters.readings.add_live(bit_time, live);
            }
            if let Wires::Both(now, next) = &mut wires {
                std::mem::swap(now, next);
            }
            if turn.edge.is_some() && !goes_on() {
                return Outcome::BrokenOff;
            }
            if let (true, Some(bit_time)) = (clashes, turn.sending) {
                return Outcome::Clash(bit_time);
            }
        }
        Outcome::ToTheEnd
    }
}

/// A tile at work.
struct Tile<'a, const WORDS: usize, const VECTORS: usize> {
    code: &'a Code,
    instructions: Instructions,
    across: &'a [Across],
    number: usize,
    in_block: usize,
    /// Slots, planes beside the tile, wires that go out, and none for what is only copied: see [`Operand`].
    spaces: [&'a [Plane<WORDS, VECTORS>]; 4],
    received: &'a [[[u64; WORDS]; VECTORS]],
    fixed: &'a [u64],
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
                Operand::APART => match c.kind_and_number() {
                    (Operand::TILE_BIT, bit) => {
                        let bit = (self.number >> bit & 1) as u64;
                        for vector in to {
                            vector.set([bit.wrapping_neg(); WORDS]);
                        }
                    }
                    (Operand::GATHERED, link) => self.gather(link, to),
                    (_, plane) => self.copy_fixed(plane, to),
                },
                _ => {
                    let c = self.plane(c);
                    kernel.run(to, a, b, |vector| c[vector].get());
                    if operation.to.space() == Operand::WIRE {
                        self.across[operation.to.number()].shuffle(to);
                    }
                }
            }
        }
    }

    /// Planes of the memory that are fetched, or put back.
    #[inline(never)]
    fn copy(&self, moves: &Range<usize>) {
        for operation in self.code.operations(moves) {
            let (from, to) = (self.plane(operation.operands[0]), self.plane(operation.to));
            for (to, from) in to.iter().zip(from) {
                to.set(from.get());
            }
        }
    }

    /// What comes over a link whose plane has to be put together.
    #[cold]
    #[inline(never)]
    fn gather(&self, link: usize, to: &Plane<WORDS, VECTORS>) {
        let Some(gather) = self.code.roads().gather(link) else {
            return;
        };
        let words = VECTORS * WORDS;
        let first = (self.number - self.in_block) * words;
        let sent = |word: usize| {
            let word = word - first;
            let plane = &self.received[word / words * self.across.len() + link];
            plane[word / WORDS % VECTORS][word % WORDS]
        };
        for (vector, to) in to.iter().enumerate() {
            let number = self.number * words + vector * WORDS;
            to.set(std::array::from_fn(|word| gather.word(number + word, sent)));
        }
    }

    /// A plane that stays as it is.
    #[cold]
    #[inline(never)]
    fn copy_fixed(&self, plane: usize, to: &Plane<WORDS, VECTORS>) {
        let number = self.number * self.code.roads().fixed() + plane;
        let words = &self.fixed[number * VECTORS * WORDS..][..VECTORS * WORDS];
        for (to, words) in to.iter().zip(words.as_chunks().0) {
            to.set(*words);
        }
    }

    /// An operand's plane.
    #[inline(always)]
    fn plane(&self, operand: Operand) -> &'a Plane<WORDS, VECTORS> {
        &self.spaces[operand.space()][operand.number()]
    }

    /// What comes in over a link, and which bit of a vector's number to turn over.
    #[inline(always)]
    fn incoming(&self, link: usize) -> (&'a [[u64; WORDS]; VECTORS], usize) {
        let Across { tile, vector, .. } = self.across[link];
        let tile = self.in_block ^ tile;
        (&self.received[tile * self.across.len() + link], vector)
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
        self.perform(self.code.operations(operations));
    }

    #[inline(always)]
    fn plane_of(&self, operand: Operand) -> &Plane<WORDS, VECTORS> {
        self.plane(operand)
    }
}
