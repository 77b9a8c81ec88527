//! A shift register with taps, also usable as a stack.
//!
//! ```text
//!            insert at a tap
//!                  |
//!   0 -->[n-1]-->[ p ]--> ... -->[1]-->[0]--> head
//! ```
//!
//! Position 0 is the next bit out. [`ShiftRegister::shift`] moves every bit one position down and a
//! 0 into the top; [`ShiftRegister::insert`], in the same bit time, writes the position that a
//! broadcast tap names instead. [`ShiftRegister::push`] moves every bit one position up.
//!
//! All nodes shift together, so the simulated register does not move its lanes: it moves a head
//! over a ring. The registers are always listed by position, so the head is bookkeeping of the
//! simulator and no storage of the node.

use crate::language::bit::Bit;
use crate::language::lines::Lines;
use crate::language::register::{Name, Registers, Visitor};

/// A row of flip-flops that shifts as one.
#[derive(Clone, Debug)]
pub struct ShiftRegister<B: Bit> {
    ring: Box<[B]>,
    head: usize,
}

impl<B: Bit> ShiftRegister<B> {
    /// `width` flip-flops, all 0.
    pub fn new(width: usize) -> Self {
        ShiftRegister {
            ring: vec![B::ZERO; width].into(),
            head: 0,
        }
    }

    /// Number of flip-flops.
    pub fn width(&self) -> usize {
        self.ring.len()
    }

    #[inline]
    fn index(&self, position: usize) -> usize {
        let index = self.head + position;
        if index >= self.ring.len() {
            index - self.ring.len()
        } else {
            index
        }
    }

    /// The bit at `position`, 0 being the next one out.
    #[inline]
    pub fn bit(&self, position: usize) -> B {
        self.ring[self.index(position)]
    }

    /// The flip-flop at `position`, for the host.
    #[inline]
    pub fn bit_mut(&mut self, position: usize) -> &mut B {
        &mut self.ring[self.index(position)]
    }

    /// The next bit out. A register of no flip-flops gives 0.
    #[inline]
    pub fn head(&self) -> B {
        self.ring.get(self.head).copied().unwrap_or(B::ZERO)
    }

    /// Moves every bit one position down, a 0 into the top.
    #[inline]
    pub fn shift(&mut self) {
        if let Some(out) = self.ring.get_mut(self.head) {
            *out = B::ZERO;
            self.head = self.index(1);
        }
    }

    /// Moves every bit one position down, `bit` into the top.
    #[inline]
    pub fn shift_in(&mut self, bit: B) {
        self.shift();
        self.insert(self.width().saturating_sub(1), bit);
    }

    /// Moves every bit one position up, `bit` into position 0; the top one is lost.
    #[inline]
    pub fn push(&mut self, bit: B) {
        if !self.ring.is_empty() {
            self.head = self.index(self.ring.len() - 1);
            self.ring[self.head] = bit;
        }
    }

    /// Writes `bit` at `position`; nowhere, if there are no flip-flops.
    #[inline]
    pub fn insert(&mut self, position: usize, bit: B) {
        debug_assert!(position < self.width() || self.width() == 0);
        let index = self.index(position);
        if let Some(flip_flop) = self.ring.get_mut(index) {
            *flip_flop = bit;
        }
    }

    /// Writes `bit` at the position of each tap that is on; `position` gives the tap's.
    #[inline]
    pub fn insert_at_tap(
        &mut self,
        taps: &Lines<B::Strobe>,
        position: impl Fn(usize) -> usize,
        bit: B,
    ) {
        for (tap, strobe) in taps.iter() {
            B::when(strobe, self, |register| register.insert(position(tap), bit));
        }
    }
}

impl<B: Bit> Registers<B> for ShiftRegister<B> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        if !self.ring.is_empty() {
            visitor.register(name, self.width(), &|position| {
                &self.ring[self.index(position)]
            });
        }
    }

    #[inline]
    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        for position in 0..self.width() {
            let index = self.index(position);
            visitor(&mut self.ring[index]);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;

    fn contents(register: &ShiftRegister<bool>) -> Vec<bool> {
        (0..register.width()).map(|p| register.bit(p)).collect()
    }

    #[test]
    fn the_ring_is_a_shift_register_that_moves_its_bits() {
        // The same walk on a register whose bits really move.
        let mut ring = ShiftRegister::<bool>::new(5);
        let mut moved: VecDeque<bool> = [false; 5].into();
        let mut walk = 0x9e37_79b9_u32;
        for _ in 0..2000 {
            walk = walk.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (bit, position) = (walk >> 31 == 1, (walk >> 20) as usize % 5);
            match walk >> 27 & 7 {
                0 | 1 => {
                    ring.push(bit);
                    moved.pop_back();
                    moved.push_front(bit);
                }
                2 | 3 => {
                    ring.insert(position, bit);
                    moved[position] = bit;
                }
                4 => {
                    ring.shift_in(bit);
                    moved.pop_front();
                    moved.push_back(bit);
                }
                _ => {
                    ring.shift();
                    moved.pop_front();
                    moved.push_back(false);
                }
            }
            assert_eq!(contents(&ring), moved.make_contiguous());
            assert_eq!(ring.head(), moved[0]);
        }
    }

    #[test]
    fn registers_are_listed_by_position_wherever_the_head_is() {
        let mut register = ShiftRegister::<bool>::new(3);
        register.insert(2, true);
        register.shift();
        let mut listed = Vec::new();
        register.visit_mut(&mut |bit| listed.push(*bit));
        assert_eq!(listed, contents(&register));
        assert_eq!(listed, [false, true, false]);
    }

    #[test]
    fn a_register_of_no_flip_flops_is_wire_to_nowhere() {
        let mut register = ShiftRegister::<bool>::new(0);
        register.shift_in(true);
        register.push(true);
        register.insert(0, true);
        assert!(!register.head());
    }
}
