//! A serial adder: adds two numbers that arrive one bit a bit time, least significant bit first
//! (Kuszmaul 1990, proof of Theorem 2: what lets an enumeration be pipelined).
//!
//! ```text
//!   a ---->+------------+
//!          | full adder |----> sum
//!   b ---->|            |
//!      +-->|            |--+ majority
//!      |   +------------+  |
//!      +-----[ carry ]<----+
//! ```
//!
//! A number must be followed by one 0 on both inputs before the next begins: that flushes the
//! carry. Alternatively, whoever begins another number supplies the carry that
//! comes in.

use crate::language::bit::Bit;
use crate::registers;

/// One full adder and its carry flip-flop.
#[derive(Clone, Debug)]
pub struct SerialAdder<B: Bit> {
    carry: B,
}
registers!(SerialAdder { carry });

impl<B: Bit> SerialAdder<B> {
    /// An adder without a carry.
    pub fn new() -> Self {
        SerialAdder { carry: B::ZERO }
    }

    #[inline]
    fn half_sum(a: B, b: B) -> B {
        (a ^ b).named("half_sum")
    }

    /// The carry of the bit time before.
    #[inline]
    pub fn carry(&self) -> B {
        self.carry
    }

    /// The sum bit of this bit time.
    #[inline]
    pub fn sum(&self, a: B, b: B) -> B {
        Self::sum_with(self.carry, a, b)
    }

    /// The sum bit where `carry` comes in.
    #[inline]
    pub fn sum_with(carry: B, a: B, b: B) -> B {
        (Self::half_sum(a, b) ^ carry).named("sum")
    }

    /// Keeps the carry for the next bit time.
    #[inline]
    pub fn clock(&mut self, a: B, b: B) {
        self.clock_with(self.carry, a, b);
    }

    /// Keeps the carry for the next bit time, where `carry` comes in.
    #[inline]
    pub fn clock_with(&mut self, carry: B, a: B, b: B) {
        self.carry = ((a & b) | (carry & Self::half_sum(a, b))).named("carry_out");
    }
}

impl<B: Bit> Default for SerialAdder<B> {
    fn default() -> Self {
        Self::new()
    }
}
