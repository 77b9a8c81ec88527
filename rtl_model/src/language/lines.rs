//! Bundles of strobes: one line for each dimension of a cube, for each iteration, or for each of what else there are many.

use std::iter;
use std::ops::Range;

use crate::language::bit::{Bit, Strobe};
use crate::language::line_storage::LineStorage;
use crate::language::strobes::{Label, LineVisitor, Strobes};

/// The most lines of a bundle: one for each bit of a word, so that idle ones are passed over at once.
pub const MAX_LINES: usize = u64::BITS as usize;

/// Up to [`MAX_LINES`] strobes that the sequencer broadcasts side by side.
///
/// It is remembered which lines may be 1, one bit a line, so that a simulated node passes over the stages that are
/// idle; while it is simulated nothing else need be stored.
#[derive(Clone, Copy, Debug)]
pub struct Lines<S: Strobe> {
    active: u64,
    lines: S::LineStorage,
}

/// A simulated line that is not 0 is 1.
impl LineStorage<bool> for () {
    const NONE: Self = ();
    const IS_KNOWN: bool = true;

    #[inline(always)]
    fn line(&self, _number: usize) -> bool {
        true
    }

    #[inline(always)]
    fn set(&mut self, _number: usize, _line: bool) {}
}

impl<S: Strobe> LineStorage<S> for [S; MAX_LINES] {
    const NONE: Self = [S::ZERO; MAX_LINES];
    const IS_KNOWN: bool = false;

    fn line(&self, number: usize) -> S {
        self[number]
    }

    fn set(&mut self, number: usize, line: S) {
        self[number] = line;
    }
}

impl<S: Strobe> Lines<S> {
    /// Drives `line(number)` onto each of the lines `numbers` and 0 onto the others. While `enable`
    /// is 0 all lines are 0.
    ///
    /// # Panics
    /// If a line is driven whose number is [`MAX_LINES`] or more: the description has more lines than a bundle holds.
    pub fn drive(&mut self, enable: S, numbers: Range<usize>, line: impl Fn(usize) -> S) {
        assert!(
            numbers.end <= MAX_LINES,
            "a bundle has {MAX_LINES} lines at the most"
        );
        self.active = 0;
        if enable.is_known_zero() {
            return;
        }
        for number in numbers {
            self.put(number, enable & line(number));
        }
    }

    /// The same with lines that are 0 by themselves while `enable` is: it only skips the work.
    ///
    /// # Panics
    /// As [`Lines::drive`].
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
        self.active.trailing_zeros() as usize % u64::BITS as usize
            ..(u64::BITS - self.active.leading_zeros()) as usize
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
        if let Some(number) = self.known().filter(|number| *number < amount) {
            return value(number);
        }
        let bits = amount
            .saturating_sub(1)
            .checked_ilog2()
            .map_or(0, |log| log as usize + 1);
        self.index_from(0, bits, amount, &value)
    }

    /// The number that the lines spell, if they are simulated: nothing that is written down comes of it.
    #[inline(always)]
    pub fn known(&self) -> Option<usize> {
        S::LineStorage::IS_KNOWN.then_some(self.active as usize)
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

impl Lines<bool> {
    /// The number that the lines spell, line 0 being its lowest bit.
    pub fn number(&self) -> u64 {
        self.active
    }
}

impl<S: Strobe> Strobes<S> for Lines<S> {
    fn idle() -> Self {
        Lines {
            active: 0,
            lines: S::LineStorage::NONE,
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
    use crate::circuit::expression::{Expression, Graph};

    #[test]
    fn lines_hold_what_is_driven_and_forget_the_last_bit_time() {
        let mut lines = Lines::<bool>::idle();
        assert!(lines.active().is_empty());

        lines.drive(true, 2..9, |number| number == 4 || number == 6);
        assert_eq!(lines.active(), 4..7);
        let on: Vec<usize> = (0..MAX_LINES).filter(|&n| lines.line(n)).collect();
        assert_eq!(on, [4, 6]);
        assert!(lines.select::<bool>(|number| number == 6));
        assert!(!lines.select::<bool>(|number| number == 5));

        lines.drive(true, 0..9, |number| number == 1 || number == 3);
        let on: Vec<usize> = (0..MAX_LINES).filter(|&n| lines.line(n)).collect();
        assert_eq!(on, [1, 3]);

        lines.drive(false, 0..9, |_| true);
        assert!((0..MAX_LINES).all(|number| !lines.line(number)));
    }

    #[test]
    fn simulated_lines_spell_one_of_the_values_whatever_they_are() {
        for number in 0..9 {
            let mut lines = Lines::<bool>::idle();
            lines.drive(true, 0..4, |line| number >> line & 1 == 1);
            assert_eq!(lines.known(), Some(number));
            for amount in 1..=9 {
                let asked = std::cell::Cell::new(None);
                let value = |place: usize| {
                    assert!(place < amount);
                    asked.set(Some(place));
                    place == number
                };
                let is_it = lines.index(amount, value);
                assert!(asked.get().is_some() && is_it == (number < amount));
            }
        }
        assert_eq!(Lines::<Expression>::idle().known(), None);
    }

    #[test]
    fn the_last_line_of_the_largest_bundle_is_a_line_like_any_other() {
        let mut lines = Lines::<bool>::idle();
        for last in [27, 28, 31, 32, 39, 40, 62, 63] {
            lines.drive(true, 0..MAX_LINES, |number| number == 1 || number == last);
            assert_eq!(lines.active(), 1..last + 1);
            let on: Vec<usize> = lines.iter().map(|(number, _)| number).collect();
            assert_eq!(on, [1, last]);
            assert!(lines.line(last) && !lines.line(last - 1));
            assert!(lines.select::<bool>(|number| number == last));
        }
        let mut visited = Vec::new();
        lines.visit_mut(Label::BROADCAST, &mut |_, number, line| {
            visited.extend(number.filter(|_| *line));
            *line = false;
        });
        assert_eq!(visited, [1, 63]);
        assert!(lines.active().is_empty());
    }

    #[test]
    fn forty_lines_that_are_written_down_select_what_simulated_ones_do() {
        const LINES: usize = 40;
        let (selected, graph) = Graph::record(|| {
            let strobes: Vec<Expression> = (0..LINES).map(|_| Expression::variable()).collect();
            let values: Vec<Expression> = (0..LINES).map(|_| Expression::variable()).collect();
            let mut lines = Lines::<Expression>::idle();
            lines.drive(Expression::ONE, 0..LINES, |number| strobes[number]);
            assert_eq!(lines.active(), 0..LINES);
            assert!((0..LINES).all(|number| lines.line(number) == strobes[number]));
            lines.select(|number| values[number])
        });
        for hot in 0..=LINES {
            for value in [false, true] {
                let strobes = (0..LINES).map(|number| number == hot);
                let values = (0..LINES).map(|number| (number == hot) == value);
                let variables: Vec<bool> = strobes.chain(values).collect();
                let expected = hot < LINES && value;
                assert_eq!(graph.evaluate(&variables).of(selected), expected, "{hot}");
            }
        }
    }
}
