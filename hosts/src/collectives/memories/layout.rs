//! Where bits of messages lie in memories, and how they get there and back, of many nodes at once.

use std::ops::Range;

use rtl_model::machine::host::{Memories, MemoriesMut, NODES_AT_ONCE, Seats, Square, transpose};
use rtl_model::routers::collectives::CollectiveMachine;
use rtl_model::routers::collectives::program::Segment;

use crate::collectives::ends::Ends;
use crate::collectives::places::Places;
use crate::words::Words;

/// Limbs that are moved together: of a node and its neighbours they lie side by side, a page of memory apart from those of the next
/// node. No more than a word has bits: a bit says of each whether it is there.
const LIMBS_AT_ONCE: usize = 64;

/// Words of nodes of which they are: so many of a plane are a cache line, and what they have turned round stays in the second-level cache.
const WORDS_AT_ONCE: usize = 8;

/// Nodes whose messages are moved side by side, so that a processor waits for the memory of all of them at once: so many limbs of a
/// square are a cache line.
const NODES_SIDE_BY_SIDE: usize = 8;

/// Messages, and the machine in whose memories they lie.
#[derive(Clone, Copy)]
pub struct Carried<'a> {
    /// The machine.
    pub machine: &'a CollectiveMachine,
    /// Whose messages they are.
    pub ends: &'a Ends,
    /// Bits of a message as it lies in memory.
    pub word_bits: usize,
    /// By node: whether its own message never leaves it.
    pub stays: &'a [bool],
}

/// Bits of a message that lie behind one another in a memory, none of them in another limb than the first.
pub(super) struct Piece {
    /// The first in its limb.
    bit: usize,
    bits: usize,
    address: usize,
}

impl Piece {
    /// Its bits, in their limb.
    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.bits) << self.bit
    }
}

/// What lies of a limb of a message at every node in the same places.
pub(super) struct Limb {
    /// The other end of the message, as `node xor other end`.
    partner: usize,
    /// Which one of the message.
    number: usize,
    /// The bits that lie there; all 64, if they are all that the message has in this limb.
    mask: u64,
    pieces: Range<usize>,
}

/// Where messages lie in memories.
pub(super) struct Layout<'a> {
    pub carried: Carried<'a>,
    places: Places<'a>,
    limbs: Vec<Limb>,
    /// Of all limbs.
    pieces: Vec<Piece>,
}

impl<'a> Layout<'a> {
    /// Of bits of messages that lie like this.
    pub fn new(carried: Carried<'a>, segments: &'a [Segment]) -> Self {
        let program = &carried.machine.plan().program;
        let common = segments.iter().filter(|segment| segment.at.is_none());
        let mut all: Vec<(usize, usize, Piece)> = common.flat_map(pieces).collect();
        all.sort_by_key(|(partner, number, piece)| (*partner, *number, piece.address));
        let mut limbs: Vec<Limb> = Vec::new();
        for (place, (partner, number, piece)) in all.iter().enumerate() {
            let mask = piece.mask();
            match limbs.last_mut() {
                Some(last) if (last.partner, last.number) == (*partner, *number) => {
                    last.mask |= mask;
                    last.pieces.end = place + 1;
                }
                _ => limbs.push(Limb {
                    partner: *partner,
                    number: *number,
                    mask,
                    pieces: place..place + 1,
                }),
            }
        }
        for limb in &mut limbs {
            let bits = (carried.word_bits - 64 * limb.number).min(64);
            if limb.mask == u64::MAX >> (64 - bits) {
                limb.mask = u64::MAX;
            }
        }
        Layout {
            carried,
            places: Places::new(segments, program.source),
            limbs,
            pieces: all.into_iter().map(|(.., piece)| piece).collect(),
        }
    }

    /// The places that have nodes.
    pub fn nodes(&self, seats: &Seats) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (seats, nodes) = (*seats, self.carried.ends.nodes);
        let all = seats.into_iter().enumerate();
        all.filter(move |(_, node)| *node < nodes)
    }

    /// The planes of a piece, from the first of its limb on.
    fn planes<'p>(&self, piece: &'p Piece) -> impl Iterator<Item = (usize, usize)> + use<'p> {
        (piece.address..piece.address + piece.bits).zip(piece.bit..)
    }

    /// For each word of nodes that are moved together, a square for each of the limbs that are.
    fn squares(&self, seats: &[Seats]) -> Vec<Vec<Square>> {
        let limbs = self.limbs.len().min(LIMBS_AT_ONCE);
        let words = seats.len().min(WORDS_AT_ONCE);
        vec![vec![[0; NODES_AT_ONCE]; limbs]; words]
    }

    /// Fills memories with the messages that nodes send.
    pub fn load(&self, messages: &Words, seats: &[Seats], memories: &mut dyn MemoriesMut) {
        memories.clear();
        let mut squares = self.squares(seats);
        for limbs in self.limbs.chunks(LIMBS_AT_ONCE) {
            for (part, seats) in seats.chunks(WORDS_AT_ONCE).enumerate() {
                let squares = &mut squares[..seats.len()];
                // By limb, the bits that are 1 at any node; by word, the limbs that have such.
                let (mut ones, mut are_there) = ([0; LIMBS_AT_ONCE], [0; WORDS_AT_ONCE]);
                for ((squares, seats), are_there) in
                    squares.iter_mut().zip(seats).zip(&mut are_there)
                {
                    *are_there = self.collect(messages, (limbs, seats), (squares, &mut ones));
                }
                for (number, limb) in limbs.iter().enumerate() {
                    for piece in &self.pieces[limb.pieces.clone()] {
                        // A plane that stays 0 takes no memory.
                        for bit in places(ones[number] & piece.mask()) {
                            let plane = memories.plane_mut(piece.address + bit - piece.bit);
                            let plane = plane.iter_mut().skip(part * WORDS_AT_ONCE);
                            for (plane, (squares, are_there)) in
                                plane.zip(squares.iter().zip(are_there))
                            {
                                if are_there >> number & 1 == 1 {
                                    *plane |= squares[number][bit];
                                }
                            }
                        }
                    }
                }
            }
        }
        self.load_own(messages, seats, memories);
    }

    /// Turns limbs of the messages that the nodes of a word send into planes, a square each: gives of which limbs any bit is 1, the
    /// squares of the others being what they were. Adds which bits are 1 at any of the nodes.
    fn collect(
        &self,
        messages: &Words,
        (limbs, seats): (&[Limb], &Seats),
        (squares, ones): (&mut [Square], &mut [u64]),
    ) -> u64 {
        let sending = self.carried.ends.sending();
        let nodes = self.carried.ends.nodes;
        let mut are_there = 0;
        for first in (0..NODES_AT_ONCE).step_by(NODES_SIDE_BY_SIDE) {
            let mut begin = 0;
            for limbs in limbs.chunk_by(|one, next| one.partner == next.partner) {
                for place in first..first + NODES_SIDE_BY_SIDE {
                    let node = seats[place];
                    if node >= nodes {
                        continue;
                    }
                    let message = sending.number(node, node ^ limbs[0].partner);
                    if messages.takes_none(message) {
                        continue;
                    }
                    for (number, limb) in (begin..).zip(limbs) {
                        let bits = messages.limb(message, limb.number);
                        if bits == 0 {
                            continue;
                        }
                        if are_there >> number & 1 == 0 {
                            are_there |= 1 << number;
                            squares[number] = [0; NODES_AT_ONCE];
                        }
                        squares[number][place] = bits;
                        ones[number] |= bits;
                    }
                }
                begin += limbs.len();
            }
        }
        places(are_there).for_each(|number| transpose(&mut squares[number]));
        are_there
    }

    /// The same of what lies at single nodes.
    fn load_own(&self, messages: &Words, seats: &[Seats], memories: &mut dyn MemoriesMut) {
        let ends = self.carried.ends;
        for (word, seats) in seats.iter().enumerate() {
            for (place, node) in self.nodes(seats) {
                for segment in self.places.own(node) {
                    for (_, number, piece) in pieces(segment) {
                        let message = ends.sent(node, node ^ segment.partner);
                        let limb = messages.limb(message, number);
                        for (address, bit) in self.planes(&piece) {
                            memories.plane_mut(address)[word] |= (limb >> bit & 1) << place;
                        }
                    }
                }
            }
        }
    }

    /// Puts what lies in memories into the messages that arrive.
    pub fn unload(&self, messages: &mut Words, seats: &[Seats], memories: &dyn Memories) {
        let mut squares = self.squares(seats);
        for limbs in self.limbs.chunks(LIMBS_AT_ONCE) {
            for (part, seats) in seats.chunks(WORDS_AT_ONCE).enumerate() {
                let squares = &mut squares[..seats.len()];
                for squares in &mut *squares {
                    squares.fill([0; NODES_AT_ONCE]);
                }
                for (number, limb) in limbs.iter().enumerate() {
                    for piece in &self.pieces[limb.pieces.clone()] {
                        for (address, bit) in self.planes(piece) {
                            let plane = &memories.plane(address)[part * WORDS_AT_ONCE..];
                            for (squares, bits) in squares.iter_mut().zip(plane) {
                                squares[number][bit] = *bits;
                            }
                        }
                    }
                }
                for (squares, seats) in squares.iter_mut().zip(seats) {
                    self.hand_out(messages, (limbs, seats), squares);
                }
            }
        }
        self.unload_own(messages, seats, memories);
    }

    /// Puts limbs, a square of planes each, into the messages that arrive at the nodes of a word.
    fn hand_out(
        &self,
        messages: &mut Words,
        (limbs, seats): (&[Limb], &Seats),
        squares: &mut [Square],
    ) {
        let arriving = self.carried.ends.arriving();
        squares.iter_mut().for_each(turn_round);
        for first in (0..NODES_AT_ONCE).step_by(NODES_SIDE_BY_SIDE) {
            for (limb, square) in limbs.iter().zip(&*squares) {
                for place in first..first + NODES_SIDE_BY_SIDE {
                    let node = seats[place];
                    if node < self.carried.ends.nodes {
                        let message = arriving.number(node ^ limb.partner, node);
                        put(messages, (message, limb.number), (limb.mask, square[place]));
                    }
                }
            }
        }
    }

    /// The same of what lies at single nodes.
    fn unload_own(&self, messages: &mut Words, seats: &[Seats], memories: &dyn Memories) {
        let ends = self.carried.ends;
        for (word, seats) in seats.iter().enumerate() {
            for (place, node) in self.nodes(seats) {
                for segment in self.places.own(node) {
                    for (_, number, piece) in pieces(segment) {
                        let bits = self.planes(&piece).fold(0, |bits, (address, bit)| {
                            bits | (memories.plane(address)[word] >> place & 1) << bit
                        });
                        let mask = piece.mask();
                        let message = ends.arrived(node ^ segment.partner, node);
                        put(messages, (message, number), (mask, bits));
                    }
                }
            }
        }
    }
}

/// The places at which a word has a 1.
fn places(word: u64) -> impl Iterator<Item = usize> {
    let left = std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
    let left = left.take_while(|word| *word != 0);
    left.map(|word| word.trailing_zeros() as usize)
}

/// Turns a square round, unless that changes nothing.
fn turn_round(square: &mut Square) {
    if square.iter().any(|bits| *bits != 0) {
        transpose(square);
    }
}

/// Puts bits of a limb into a message, where the mask is 1.
fn put(messages: &mut Words, (message, number): (usize, usize), (mask, bits): (u64, u64)) {
    let limb = messages.limb_mut(message, number);
    // Of new memory that is read before it is written the system makes two pages.
    *limb = match mask {
        u64::MAX => bits,
        _ => *limb & !mask | bits & mask,
    };
}

/// A segment limb by limb: with its partner, and the number of the limb.
fn pieces(segment: &Segment) -> impl Iterator<Item = (usize, usize, Piece)> + use<> {
    let (partner, address) = (segment.partner, segment.address);
    let (first, end) = (segment.bit, segment.bit + segment.bits);
    let limbs = first / 64..end.div_ceil(64);
    limbs.map(move |number| {
        let begin = first.max(64 * number);
        let piece = Piece {
            bit: begin % 64,
            bits: end.min(64 * (number + 1)) - begin,
            address: address + begin - first,
        };
        (partner, number, piece)
    })
}

#[cfg(test)]
mod tests;
