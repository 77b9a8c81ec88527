//! What a wire carries and a flip-flop holds.
//!
//! Hardware is described once, over [`Bit`], with and, or, xor, not and mux. There is no `if` on a
//! simulated value, so one description serves one readable node (`bool`), 64 nodes and more at once
//! (the lanes of [`crate::language::lanes`]), and a carrier that writes down the logic
//! ([`crate::circuit::expression`]).
//!
//! A node's [`Bit`] differs from node to node. A *strobe* does not: it is what the sequencer
//! broadcasts, one wire heard by every node. In simulation it is a plain `bool`, so a phase that is
//! not under way costs nothing: [`Bit::when`], [`Bit::gated`] and [`Bit::choose`] skip its logic.

use std::fmt::{Debug, Display};
use std::ops::{BitAnd, BitOr, BitXor, Not};

use crate::language::line_storage::LineStorage;
use crate::language::register::Registers;

/// One bit of hardware, in whatever carrier the description is being run on.
pub trait Bit:
    Copy
    + Debug
    + PartialEq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Send
    + Sync
    + 'static
{
    /// A bit that is the same in every node: what the sequencer broadcasts.
    type Strobe: Strobe;

    /// Whether operations write down gates, so that the depth of a tree of them is seen.
    const WRITES_LOGIC: bool = false;

    /// Constant 0.
    const ZERO: Self;
    /// Constant 1.
    const ONE: Self;

    /// The strobe as every node receives it.
    fn from_strobe(strobe: Self::Strobe) -> Self;

    /// Whether this bit is known to be 0 everywhere without simulating further. It may only decide
    /// which work can be skipped, never what a register becomes.
    fn is_known_zero(self) -> bool;

    /// Whether this bit is known to be 1 everywhere.
    #[inline(always)]
    fn is_known_one(self) -> bool {
        (!self).is_known_zero()
    }

    /// `one` where `self` is 1, `zero` elsewhere.
    #[inline(always)]
    fn mux(self, one: Self, zero: Self) -> Self {
        (self & one) | (!self & zero)
    }

    /// A clock enable: the registers take what `clocked` makes of them in the bit times in which
    /// the strobe is 1, and hold otherwise. Whatever else a clock edge reads of these registers
    /// must be read before: afterwards they hold the next bit time's values.
    #[inline(always)]
    fn when<R: Registers<Self> + Clone>(
        strobe: Self::Strobe,
        registers: &mut R,
        clocked: impl FnOnce(&mut R),
    ) {
        if !strobe.is_known_zero() {
            clocked(registers);
        }
    }

    /// `value` gated by the strobe: `strobe & value`, not worked out while the strobe is 0.
    #[inline(always)]
    fn gated(strobe: Self::Strobe, value: impl FnOnce() -> Self) -> Self {
        if strobe.is_known_zero() {
            return Self::ZERO;
        }
        let value = value();
        match strobe.is_known_one() {
            true => value,
            false => Self::from_strobe(strobe) & value,
        }
    }

    /// A mux that the sequencer selects: `one` while the strobe is 1, `zero` otherwise.
    #[inline(always)]
    fn choose(
        strobe: Self::Strobe,
        one: impl FnOnce() -> Self,
        zero: impl FnOnce() -> Self,
    ) -> Self {
        if strobe.is_known_zero() {
            return zero();
        }
        let one = one();
        match strobe.is_known_one() {
            true => one,
            false => Self::from_strobe(strobe).mux(one, zero()),
        }
    }

    /// The same bit, called so where logic is written down rather than simulated.
    #[inline(always)]
    fn named(self, name: impl Display) -> Self {
        let _ = name;
        self
    }

    /// Runs `logic`; names given in it belong to the part called `part`.
    #[inline(always)]
    fn within<T>(part: impl Display, logic: impl FnOnce() -> T) -> T {
        let _ = part;
        logic()
    }
}

/// A bit that the sequencer itself runs on.
pub trait Strobe: Bit<Strobe = Self> {
    /// Where bundles of such bits are stored.
    type LineStorage: LineStorage<Self> + Send + Sync;
}

impl Strobe for bool {
    type LineStorage = ();
}

/// One node at a time: the readable carrier, and the reference that the lanes are held against.
impl Bit for bool {
    type Strobe = bool;

    const ZERO: Self = false;
    const ONE: Self = true;

    #[inline(always)]
    fn from_strobe(strobe: bool) -> Self {
        strobe
    }

    #[inline(always)]
    fn is_known_zero(self) -> bool {
        !self
    }
}

/// The OR of some bits, as a tree where it is written down: no path through it is longer than it
/// need be.
#[inline(always)]
pub fn any<B: Bit>(bits: impl IntoIterator<Item = B>) -> B {
    if B::WRITES_LOGIC {
        any_as_tree(bits)
    } else {
        bits.into_iter().fold(B::ZERO, |any, bit| any | bit)
    }
}

fn any_as_tree<B: Bit>(bits: impl IntoIterator<Item = B>) -> B {
    let mut level: Vec<B> = bits.into_iter().collect();
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|pair| pair.iter().fold(B::ZERO, |any, &bit| any | bit))
            .collect();
    }
    level.first().copied().unwrap_or(B::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mux_takes_each_side() {
        for one in [false, true] {
            for zero in [false, true] {
                assert_eq!(true.mux(one, zero), one);
                assert_eq!(false.mux(one, zero), zero);
            }
        }
    }

    #[test]
    fn any_is_the_or_of_all() {
        for amount in 0..70 {
            for or in [any::<bool>, any_as_tree] as [fn(Vec<bool>) -> bool; 2] {
                assert!(!or(vec![false; amount]));
                for one in 0..amount {
                    assert!(or((0..amount).map(|number| number == one).collect()));
                }
            }
        }
    }

    #[test]
    fn a_strobe_enables_the_clock_and_gates_the_logic() {
        let mut register = false;
        bool::when(false, &mut register, |register| *register = true);
        assert!(!register, "held while the strobe is 0");
        bool::when(true, &mut register, |register| *register = true);
        assert!(register, "taken while the strobe is 1");

        assert!(!bool::gated(false, || unreachable!(
            "idle logic costs nothing"
        )));
        assert!(bool::gated(true, || true));
        assert!(bool::choose(true, || true, || unreachable!()));
        assert!(!bool::choose(false, || unreachable!(), || false));
    }
}
