//! How many bits a node holds of what it is to send on: counted for measurement alone, and no hardware.

use arrayvec::ArrayVec;

use crate::language::bit::Bit;
use crate::language::lines::Lines;

/// The most bits of the count.
const MOST_BITS: usize = 32;

/// The count.
#[derive(Clone, Debug)]
pub(super) struct Held<B> {
    /// Once the bit time is over.
    now: ArrayVec<B, MOST_BITS>,
    /// While it lasted, before what was sent on had gone.
    during: ArrayVec<B, MOST_BITS>,
}

impl<B: Bit> Held<B> {
    /// Nothing, in so many bits.
    pub fn new(bits: usize) -> Self {
        let zeros = || (0..bits.min(MOST_BITS)).map(|_| B::ZERO).collect();
        Held {
            now: zeros(),
            during: zeros(),
        }
    }

    /// The bits of the count, as they were in the bit time that is over.
    pub fn during(&self) -> &[B] {
        &self.during
    }

    /// More by the amount that the lines spell, in the nodes where `enable` is 1.
    pub fn add(&mut self, enable: B, amount: &Lines<B::Strobe>) {
        if enable.is_known_zero() {
            return;
        }
        let mut carry = B::ZERO;
        for (place, bit) in self.now.iter_mut().enumerate() {
            let more = B::gated(amount.line(place), || enable);
            let (was, half) = (*bit, *bit ^ more);
            *bit = half ^ carry;
            carry = was & more | half & carry;
        }
    }

    /// It is what has been added by now.
    pub fn note(&mut self) {
        self.during.copy_from_slice(&self.now);
    }

    /// Less by that amount.
    pub fn take(&mut self, enable: B, amount: &Lines<B::Strobe>) {
        if enable.is_known_zero() {
            return;
        }
        let mut borrow = B::ZERO;
        for (place, bit) in self.now.iter_mut().enumerate() {
            let less = B::gated(amount.line(place), || enable);
            let (was, half) = (*bit, *bit ^ less);
            *bit = half ^ borrow;
            borrow = !was & less | !half & borrow;
        }
    }

    /// Hands out the bits, for whoever copies a node.
    pub fn visit(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        self.now
            .iter_mut()
            .chain(&mut self.during)
            .for_each(visitor);
    }
}
