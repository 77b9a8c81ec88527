//! Bundles of strobes: one line for each dimension of the cube, or for each iteration.

use std::fmt::Debug;
use std::iter;
use std::ops::Range;

use crate::bit::{Bit, Strobe};
use crate::strobes::{Label, LineVisitor, Strobes};
use crate::topology::hypercube::MAX_DIMENSIONS;

/// Up to [`MAX_DIMENSIONS`] strobes that the sequencer broadcasts side by side.
///
/// It is remembered which lines may be 1, one bit a line, so that a simulated node passes over the stages that are
/// idle; while it is simulated nothing else need be stored.
#[derive(Clone, Copy, Debug)]
pub struct Lines<S: Strobe> {
    active: u32,
    lines: S::Row,
}

/// Where the lines of a bundle are stored that are not known to be 0.
pub trait Row<S>: Copy + Debug {
    /// Of no lines.
    const NONE: Self;
    /// Line `number`, which is not known to be 0.
    fn line(&self, number: usize) -> S;
    /// Stores it.
    fn set(&mut self, number: usize, line: S);
}

/// A simulated line that is not 0 is 1.
impl Row<bool> for () {
    const NONE: Self = ();

    #[inline(always)]
    fn line(&self, _number: usize) -> bool {
        true
    }

    #[inline(always)]
    fn set(&mut self, _number: usize, _line: bool) {}
}

impl<S: Strobe> Row<S> for [S; MAX_DIMENSIONS] {
    const NONE: Self = [S::ZERO; MAX_DIMENSIONS];

    fn line(&self, number: usize) -> S {
        self[number]
    }

    fn set(&mut self, number: usize, line: S) {
        self[number] = line;
    }
}

const _: () = assert!(MAX_DIMENSIONS <= u32::BITS as usize);

impl<S: Strobe> Lines<S> {
    /// Drives `line(number)` onto each of the lines `numbers` and 0 onto the others. While `enable`
    /// is 0 all lines are 0.
    pub fn drive(&mut self, enable: S, numbers: Range<usize>, line: impl Fn(usize) -> S) {
        self.active = 0;
        if enable.is_known_zero() {
            return;
        }
        for number in numbers {
            self.put(number, enable & line(number));
        }
    }

    /// The same with lines that are 0 by themselves while `enable` is: it only skips the work.
    pub fn drive_within(&mut self, enable: S, numbers: Range<usize>, line: impl Fn(usize) -> S) {
        match enable.is_known_zero() {
            true => self.drive(enable, numbers, line),
            false => self.drive(S::ONE, numbers, line),
        }
    }

    #[inline(always)]
    fn put(&mut self, number: usize, line: S) {
        if line.is_known_zero() {
            self.active &= !(1 << number);
        } else {
            self.active |= 1 << number;
            self.lines.set(number, line);
        }
    }

    /// Line `number`.
    #[inline(always)]
    pub fn line(&self, number: usize) -> S {
        if self.active >> number & 1 == 1 {
            self.lines.line(number)
        } else {
            S::ZERO
        }
    }

    /// Lines outside this range are 0.
    #[inline(always)]
    pub fn active(&self) -> Range<usize> {
        self.active.trailing_zeros() as usize % u32::BITS as usize
            ..(u32::BITS - self.active.leading_zeros()) as usize
    }

    /// The lines that may be 1, each with its number.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = (usize, S)> + '_ {
        let mut left = self.active;
        iter::from_fn(move || {
            let number = left.trailing_zeros() as usize;
            (left != 0).then(|| {
                left &= left - 1;
                (number, self.lines.line(number))
            })
        })
    }

    /// The one of `values` that a one-hot bundle selects, 0 where no line is 1.
    #[inline(always)]
    pub fn select<B: Bit<Strobe = S>>(&self, value: impl Fn(usize) -> B) -> B {
        match self.active.count_ones() {
            0 => B::ZERO,
            // While it is simulated, a one-hot bundle has one active line.
            1 => {
                let number = self.active.trailing_zeros() as usize;
                B::gated(self.lines.line(number), || value(number))
            }
            _ => self.select_from(self.active(), &value),
        }
    }

    /// The one of some lines' values: ORs of two halves, so that the tree is no deeper than need be.
    fn select_from<B: Bit<Strobe = S>>(
        &self,
        numbers: Range<usize>,
        value: &impl Fn(usize) -> B,
    ) -> B {
        let Range { start, end } = numbers;
        if end - start == 1 {
            return B::gated(self.line(start), || value(start));
        }
        let middle = usize::midpoint(start, end);
        self.select_from(start..middle, value) | self.select_from(middle..end, value)
    }
}

impl<S: Strobe> Lines<S> {
    /// The one of `amount` values at the number that the lines spell, line 0 being its lowest bit. A
    /// number from `amount` on gives any of them.
    #[inline(always)]
    pub fn index<B: Bit<Strobe = S>>(&self, amount: usize, value: impl Fn(usize) -> B) -> B {
        let bits = amount
            .saturating_sub(1)
            .checked_ilog2()
            .map_or(0, |log| log as usize + 1);
        self.index_from(0, bits, amount, &value)
    }

    /// Of the values from `from` on, the one that the lowest `bits` lines spell.
    fn index_from<B: Bit<Strobe = S>>(
        &self,
        from: usize,
        bits: usize,
        amount: usize,
        value: &impl Fn(usize) -> B,
    ) -> B {
        match bits.checked_sub(1) {
            None => value(from),
            Some(place) => {
                let lower = || self.index_from(from, place, amount, value);
                let middle = from + (1 << place);
                match middle < amount {
                    true => B::choose(
                        self.line(place),
                        || self.index_from(middle, place, amount, value),
                        lower,
                    )
                    .named(format_args!("at_{from}_{bits}")),
                    false => lower(),
                }
            }
        }
    }
}

impl<S: Strobe> Strobes<S> for Lines<S> {
    fn idle() -> Self {
        Lines {
            active: 0,
            lines: S::Row::NONE,
        }
    }

    fn visit_mut(&mut self, label: Label<'_>, visitor: &mut LineVisitor<'_, S>) {
        for number in self.active() {
            let mut line = self.line(number);
            visitor(label, Some(number), &mut line);
            self.put(number, line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_hold_what_is_driven_and_forget_the_last_bit_time() {
        let mut lines = Lines::<bool>::idle();
        assert!(lines.active().is_empty());

        lines.drive(true, 2..9, |number| number == 4 || number == 6);
        assert_eq!(lines.active(), 4..7);
        let on: Vec<usize> = (0..MAX_DIMENSIONS).filter(|&n| lines.line(n)).collect();
        assert_eq!(on, [4, 6]);
        assert!(lines.select::<bool>(|number| number == 6));
        assert!(!lines.select::<bool>(|number| number == 5));

        lines.drive(true, 0..9, |number| number == 1 || number == 3);
        let on: Vec<usize> = (0..MAX_DIMENSIONS).filter(|&n| lines.line(n)).collect();
        assert_eq!(on, [1, 3]);

        lines.drive(false, 0..9, |_| true);
        assert!((0..MAX_DIMENSIONS).all(|number| !lines.line(number)));
    }
}
