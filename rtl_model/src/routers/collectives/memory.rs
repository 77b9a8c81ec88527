//! The memory of a node: a bit an address, which the sequencer broadcasts.
//!
//! ```text
//!   read address  --> muxes, the highest address bit last --> bit
//!   write address --> decoder --> enable of one bit
//!   memory --> blocks --> in another order, all at one clock edge (permuted sends)
//! ```

use crate::language::bit::{Bit, any};
use crate::language::lines::Lines;
use crate::machine::router::Blocks;
use crate::parts::word::Word;
use crate::registers;

/// A bit that is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write<'a, B: Bit> {
    /// Where.
    pub address: &'a Lines<B::Strobe>,
    /// When.
    pub on: B::Strobe,
    /// In which nodes.
    pub enable: B,
    /// What.
    pub bit: B,
}

impl<B: Bit> Write<'_, B> {
    /// When it is on where a line of the address is 0, and where it is 1.
    fn halves(&self, on: B::Strobe, place: usize) -> [B::Strobe; 2] {
        let line = self.address.line(place);
        [!line, line].map(|line| on & line)
    }
}

/// The memory.
#[derive(Clone, Debug)]
pub struct Memory<B: Bit> {
    bits: Word<B>,
}
registers!(Memory { bits });

impl<B: Bit> Memory<B> {
    /// Of so many bits, all 0.
    pub(super) fn new(bits: usize) -> Self {
        Memory {
            bits: Word::new(bits, B::ZERO),
        }
    }

    /// Bits.
    pub fn width(&self) -> usize {
        self.bits.width()
    }

    /// The bit at an address that the host knows.
    pub fn bit(&self, address: usize) -> B {
        self.bits[address]
    }

    /// All of it, by address.
    pub(super) fn bits(&mut self) -> &mut Box<[B]> {
        self.bits.bits()
    }

    pub(super) fn bit_mut(&mut self, address: usize) -> &mut B {
        &mut self.bits[address]
    }

    /// The bit at an address.
    #[inline]
    pub fn read(&self, address: &Lines<B::Strobe>) -> B {
        address.index(self.bits.width(), |at| self.bits[at])
    }

    /// The clock edge of one write.
    #[inline]
    pub(super) fn write(&mut self, write: &Write<'_, B>) {
        if write.enable.is_known_zero() {
            return;
        }
        match write.address.known().filter(|at| *at < self.bits.width()) {
            Some(at) => self.write_at(write, write.on, at),
            None => self.write_one(write, write.on, (0, self.places())),
        }
    }

    /// Of the addresses from `from` on, those that the lowest `places` lines tell apart, where `on` is 1: that alone is handed on
    /// from line to line, since a write of many lanes is long to copy.
    fn write_one(&mut self, write: &Write<'_, B>, on: B::Strobe, (from, places): (usize, usize)) {
        if on.is_known_zero() {
            return;
        }
        let Some(place) = places.checked_sub(1) else {
            self.write_at(write, on, from);
            return;
        };
        for (one, on) in write.halves(on, place).into_iter().enumerate() {
            let from = from + (one << place);
            if from < self.bits.width() {
                self.write_one(write, on, (from, place));
            }
        }
    }

    /// The one address.
    fn write_at(&mut self, write: &Write<'_, B>, on: B::Strobe, at: usize) {
        B::when(on, &mut self.bits[at], |register| {
            *register = write.enable.mux(write.bit, *register);
        });
    }

    /// The clock edge of all writes of a bit time, no two of them to one address, as it is written down: one mux a bit, whoever
    /// writes it.
    pub(super) fn write_all(&mut self, writes: Vec<Write<'_, B>>) {
        self.write_from(writes, (0, self.places()));
    }

    /// Bits of an address.
    fn places(&self) -> usize {
        (usize::BITS - self.bits.width().saturating_sub(1).leading_zeros()) as usize
    }

    fn write_from(&mut self, writes: Vec<Write<'_, B>>, (from, places): (usize, usize)) {
        match places.checked_sub(1) {
            None => {
                let enables = writes
                    .iter()
                    .map(|write| B::from_strobe(write.on) & write.enable);
                let enables: Vec<B> = enables.collect();
                let bits = enables.iter().zip(&writes);
                let bit = any(bits.map(|(&enable, write)| enable & write.bit));
                let register = &mut self.bits[from];
                *register = any(enables).mux(bit, *register);
            }
            Some(place) => {
                for one in 0..2 {
                    let from = from + (one << place);
                    let halves = writes.iter().map(|write| Write {
                        on: write.halves(write.on, place)[one],
                        ..*write
                    });
                    let half: Vec<Write<'_, B>> =
                        halves.filter(|half| !half.on.is_known_zero()).collect();
                    if from < self.bits.width() && !half.is_empty() {
                        self.write_from(half, (from, place));
                    }
                }
            }
        }
    }

    /// The clock edge: blocks change places, each goes to that of the number that it gets.
    pub(super) fn reorder(&mut self, on: B::Strobe, blocks: &Blocks, numbers: &[Word<B>]) {
        if on.is_known_zero() {
            return;
        }
        let bits = &self.bits()[blocks.from..][..blocks.count * blocks.bits];
        let after = match B::WRITES_LOGIC {
            true => by_place(numbers, bits, blocks.bits),
            false => by_block(numbers, bits, blocks.bits),
        };
        for (index, bit) in after.into_iter().enumerate() {
            let register = &mut self.bits[blocks.to + index];
            B::when(on, register, |register| *register = bit);
        }
    }
}

/// Blocks at the places of their numbers, as it is written down: a bit of each place is that of the block whose number it is.
fn by_place<B: Bit>(numbers: &[Word<B>], bits: &[B], block_bits: usize) -> Vec<B> {
    let gets = |word: &Word<B>, number: usize| {
        let bits = (0..word.width()).map(|place| match number >> place & 1 {
            1 => !word[place],
            _ => word[place],
        });
        !any(bits)
    };
    let mut after = Vec::with_capacity(bits.len());
    for number in 0..numbers.len() {
        let is: Vec<B> = numbers.iter().map(|word| gets(word, number)).collect();
        for index in 0..block_bits {
            let blocks = is.iter().zip(bits.chunks(block_bits.max(1)));
            after.push(any(blocks.map(|(&is, block)| is & block[index])));
        }
    }
    after
}

/// The same block by block, which goes only to places whose number it has in any node.
fn by_block<B: Bit>(numbers: &[Word<B>], bits: &[B], block_bits: usize) -> Vec<B> {
    let mut after = vec![B::ZERO; bits.len()];
    for (number, block) in numbers.iter().zip(bits.chunks(block_bits.max(1))) {
        put(number, (B::ONE, 0, number.width()), block, &mut after);
    }
    after
}

/// Puts a block at the places from `from` on that the lowest `places` bits of its number tell apart, in the nodes in which `is` is
/// 1.
fn put<B: Bit>(
    number: &Word<B>,
    (is, from, places): (B, usize, usize),
    block: &[B],
    after: &mut [B],
) {
    if is.is_known_zero() {
        return;
    }
    match places.checked_sub(1) {
        Some(place) => {
            put(number, (is & !number[place], from, place), block, after);
            let upper = (is & number[place], from + (1 << place), place);
            put(number, upper, block, after);
        }
        None => {
            let there = after.iter_mut().skip(from * block.len());
            for (there, &bit) in there.zip(block) {
                *there = *there | is & bit;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In four nodes at once, blocks of two bits in other orders, and in the last two blocks at one place.
    #[test]
    fn blocks_go_to_the_same_places_either_way() {
        let orders = [[0, 1, 2, 3], [2, 0, 3, 1], [3, 2, 1, 0], [1, 1, 3, 0]];
        let mut numbers: Vec<Word<u64>> = (0..4).map(|_| Word::new(2, 0)).collect();
        for (node, order) in orders.iter().enumerate() {
            for (number, place) in numbers.iter_mut().zip(order) {
                for bit in 0..2 {
                    number[bit] |= (place >> bit & 1) << node;
                }
            }
        }
        let bits = [
            0b1111, 0b1010, 0b0110, 0b0011, 0b0101, 0b1100, 0b1001, 0b0000,
        ];
        let after = by_block(&numbers, &bits, 2);
        assert_eq!(after, by_place(&numbers, &bits, 2));
        let of_node = |node: usize, bits: &[u64]| -> Vec<u64> {
            bits.iter().map(|bits| bits >> node & 1).collect()
        };
        assert_eq!(of_node(0, &after), of_node(0, &bits));
        let before = of_node(1, &bits);
        let due = [&before[2..4], &before[6..8], &before[0..2], &before[4..6]].concat();
        assert_eq!(of_node(1, &after)[..], due[..]);
    }
}
