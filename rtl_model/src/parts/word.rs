//! A register of several bits that belong together and are read side by side.

use std::ops::{Index, IndexMut};

use crate::language::bit::Bit;
use crate::language::register::{Name, Registers, Visitor};

/// Flip-flops side by side; number 0 is the least significant, or the first.
#[derive(Clone, Debug)]
pub struct Word<B: Bit> {
    bits: Box<[B]>,
}

impl<B: Bit> Word<B> {
    /// `width` flip-flops that begin with `bit`. A word of none is no register.
    pub fn new(width: usize, bit: B) -> Self {
        Word {
            bits: vec![bit; width].into(),
        }
    }

    /// Number of flip-flops.
    #[inline]
    pub fn width(&self) -> usize {
        self.bits.len()
    }

    /// All of them.
    #[inline]
    pub fn all(&self) -> &[B] {
        &self.bits
    }

    /// All of them, to be changed.
    pub fn bits(&mut self) -> &mut Box<[B]> {
        &mut self.bits
    }

    /// The bit at `place`, or 0 beyond the last one.
    #[inline]
    pub fn or_zero(&self, place: usize) -> B {
        self.bits.get(place).copied().unwrap_or(B::ZERO)
    }
}

impl<B: Bit> Index<usize> for Word<B> {
    type Output = B;

    #[inline]
    fn index(&self, place: usize) -> &B {
        &self.bits[place]
    }
}

impl<B: Bit> IndexMut<usize> for Word<B> {
    #[inline]
    fn index_mut(&mut self, place: usize) -> &mut B {
        &mut self.bits[place]
    }
}

impl<B: Bit> Registers<B> for Word<B> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        if self.width() > 0 {
            visitor.register(name, self.width(), &|place| &self.bits[place]);
        }
    }

    #[inline]
    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        for bit in &mut self.bits {
            visitor(bit);
        }
    }
}
