//! Numbers on wires, and a counter: what sequencers are made of.
//!
//! ```text
//!   [counter]--+--> value --> (+ constant multiples) --> (>= constant) --> window strobe
//!       ^      |
//!       +-(+1)-+   (cleared by a strobe)
//! ```
//!
//! Constants are known when the hardware is built, so comparing with one is a chain of ANDs and
//! ORs, one gate a bit.

use crate::language::bit::Bit;
use crate::language::register::{Name, Registers, Visitor};

/// Width beyond which no counter of a schedule grows.
const MAX_WIDTH: usize = 32;

/// An unsigned number, bit 0 least significant.
#[derive(Clone, Copy, Debug)]
pub struct Number<B> {
    bits: [B; MAX_WIDTH],
    width: usize,
    /// What it is called where logic is written down; nothing, if it has no name.
    name: &'static str,
}

impl<B: Bit> Number<B> {
    /// The constant `value`.
    #[inline]
    pub fn constant(value: u32) -> Self {
        let mut bits = [B::ZERO; MAX_WIDTH];
        for (place, bit) in bits.iter_mut().enumerate() {
            if value >> place & 1 == 1 {
                *bit = B::ONE;
            }
        }
        Number {
            bits,
            width: width_for(value),
            name: "",
        }
    }

    /// The outcome of a comparison, called so.
    #[inline]
    fn outcome(&self, bit: B, comparison: &str, value: u32) -> B {
        match self.name {
            "" => bit,
            name => bit.named(format_args!("{name}_{comparison}_{value}")),
        }
    }

    /// The bit at `place`, 0 beyond its width.
    #[inline]
    pub fn bit(&self, place: usize) -> B {
        self.bits.get(place).copied().unwrap_or(B::ZERO)
    }

    /// Bits that it has.
    #[inline]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Twice the number: the same wires, one place up.
    #[inline]
    pub fn doubled(&self) -> Self {
        let width = (self.width + 1).min(MAX_WIDTH);
        let mut bits = [B::ZERO; MAX_WIDTH];
        bits[1..width].copy_from_slice(&self.bits[..width - 1]);
        Number {
            bits,
            width,
            name: "",
        }
    }

    /// Half the number, rounded down: the same wires, one place down.
    #[inline]
    pub fn halved(&self) -> Self {
        let mut bits = [B::ZERO; MAX_WIDTH];
        bits[..MAX_WIDTH - 1].copy_from_slice(&self.bits[1..]);
        Number {
            bits,
            width: (self.width - 1).max(1),
            name: "",
        }
    }

    /// The number, `multiple` times.
    pub fn times(&self, multiple: usize) -> Self {
        match multiple {
            0 => Number::constant(0),
            1 => Number { name: "", ..*self },
            _ if multiple.is_multiple_of(2) => self.times(multiple / 2).doubled(),
            _ => self.times(multiple - 1).add(self, ""),
        }
    }

    /// The sum, one bit wider than the wider of the two; called `name` where logic is written down.
    #[inline]
    pub fn add(&self, other: &Self, name: &'static str) -> Self {
        let width = (self.width.max(other.width) + 1).min(MAX_WIDTH);
        let mut sum = Number {
            bits: [B::ZERO; MAX_WIDTH],
            width,
            name,
        };
        let mut carry = B::ZERO;
        for place in 0..width {
            let (a, b) = (self.bits[place], other.bits[place]);
            let half = sum.called(a ^ b, "_half", place);
            sum.bits[place] = sum.called(half ^ carry, "", place);
            // The carry goes on where the bits differ; else there is one if both are 1.
            let carry_out = match carry.is_known_zero() {
                true => a & b,
                false => half.mux(carry, a),
            };
            carry = sum.called(carry_out, "_carry", place);
        }
        sum
    }

    /// The difference, as wide as the wider of the two, and 1 where it is negative; it is then 2^width more.
    pub fn minus(&self, other: &Self) -> (Self, B) {
        let width = self.width.max(other.width);
        let mut difference = Number {
            bits: [B::ZERO; MAX_WIDTH],
            width,
            name: "",
        };
        let mut borrow = B::ZERO;
        for place in 0..width {
            let (a, b) = (self.bit(place), other.bit(place));
            let differ = a ^ b;
            difference.bits[place] = differ ^ borrow;
            // Where the bits are the same, what was borrowed is borrowed again.
            borrow = differ.mux(b, borrow);
        }
        (difference, borrow)
    }

    /// One more, as wide as it is.
    pub fn one_more(&self) -> Self {
        let mut next = *self;
        let mut carry = B::ONE;
        for bit in &mut next.bits[..next.width] {
            let sum = *bit ^ carry;
            carry = carry & *bit;
            *bit = sum;
        }
        next
    }

    /// The number that these bits spell, bit 0 first; beyond 32 of them they are left out.
    pub fn of_bits(bits: impl IntoIterator<Item = B>) -> Self {
        let mut number = Number::constant(0);
        number.width = 0;
        for bit in bits.into_iter().take(MAX_WIDTH) {
            number.bits[number.width] = bit;
            number.width += 1;
        }
        number.width = number.width.max(1);
        number
    }

    /// How many of some bits are 1.
    pub fn ones(bits: &[B]) -> Self {
        match bits {
            [] => Number::constant(0),
            [bit] => Number::of_bits([*bit]),
            _ => {
                let (low, high) = bits.split_at(bits.len() / 2);
                let mut sum = Self::ones(low).add(&Self::ones(high), "");
                sum.width = width_for(bits.len() as u32);
                sum
            }
        }
    }

    /// This one where `bit` is 1, the other where it is 0.
    pub fn where_else(&self, bit: B, other: &Self) -> Self {
        let width = self.width.max(other.width);
        let mut chosen = Number::constant(0);
        chosen.width = width;
        for place in 0..width {
            chosen.bits[place] = bit.mux(self.bit(place), other.bit(place));
        }
        chosen
    }

    /// A bit at `place`, called so.
    #[inline]
    fn called(&self, bit: B, what: &str, place: usize) -> B {
        match self.name {
            "" => bit,
            name => bit.named(format_args!("{name}{what}_{place}")),
        }
    }

    /// 1 where the number is at least `bound`: always, where that is negative.
    #[inline]
    pub fn at_least(&self, bound: i64) -> B {
        let Ok(bound) = u32::try_from(bound) else {
            return B::ONE;
        };
        if self.width < width_for(bound) {
            return B::ZERO;
        }
        let at_least = (0..self.width).fold(B::ONE, |at_least, place| {
            if bound >> place & 1 == 1 {
                at_least & self.bits[place]
            } else {
                at_least | self.bits[place]
            }
        });
        self.outcome(at_least, "at_least", bound)
    }

    /// 1 where the number is at most `bound`: never, where that is negative.
    #[inline]
    pub fn at_most(&self, bound: i64) -> B {
        !self.at_least(bound + 1)
    }

    /// 1 where the number is `value`: never, where that is negative.
    #[inline]
    pub fn equals(&self, value: i64) -> B {
        let Ok(value) = u32::try_from(value) else {
            return B::ZERO;
        };
        if self.width < width_for(value) {
            return B::ZERO;
        }
        let equal = (0..self.width).fold(B::ONE, |equal, place| {
            if value >> place & 1 == 1 {
                equal & self.bits[place]
            } else {
                equal & !self.bits[place]
            }
        });
        self.outcome(equal, "is", value)
    }
}

impl Number<bool> {
    /// The number as an integer, for reading a simulated one.
    pub fn value(&self) -> u32 {
        (0..self.width).fold(0, |value, place| {
            value | u32::from(self.bits[place]) << place
        })
    }
}

/// Bits that hold every number up to `largest`.
#[inline]
pub fn width_for(largest: u32) -> usize {
    (u32::BITS - largest.leading_zeros()).max(1) as usize
}

/// A register that counts.
#[derive(Clone, Debug)]
pub struct Counter<B> {
    number: Number<B>,
}

impl<B: Bit> Counter<B> {
    /// A counter for `0..=largest` that stands at `start`.
    pub fn new(largest: u32, start: u32) -> Self {
        let mut number = Number::constant(start);
        number.width = width_for(largest);
        Counter { number }
    }

    /// The same counter; comparisons with it are called so where logic is written down.
    pub fn named(mut self, name: &'static str) -> Self {
        self.number.name = name;
        self
    }

    /// Where it stands.
    #[inline]
    pub fn number(&self) -> &Number<B> {
        &self.number
    }

    /// Where it would stand one count on, modulo 2^width.
    #[inline]
    pub fn next(&self) -> Number<B> {
        self.number.one_more()
    }

    /// Counts on where `up` is 1, back where `down` is, and stays where both are or neither is.
    pub fn count_up_or_down(&mut self, up: B, down: B) {
        let number = self.number;
        let mut toggles = number.called(up ^ down, "_moves", 0);
        for (place, bit) in self.number.bits[..self.number.width].iter_mut().enumerate() {
            let held = *bit;
            *bit = held ^ toggles;
            toggles = number.called(toggles & (held ^ down), "_carry", place);
        }
    }

    /// Counts on.
    pub fn count(&mut self) {
        self.number = self.next();
    }

    /// Stands at `value`.
    pub fn set(&mut self, value: u32) {
        self.count_or_set(B::ONE, value);
    }

    /// Counts on, or stands at `value` if `set` is 1.
    pub fn count_or_set(&mut self, set: B, value: u32) {
        let (next, value) = (self.next(), Number::<B>::constant(value));
        for place in 0..self.number.width {
            self.number.bits[place] = set.mux(value.bits[place], next.bits[place]);
        }
    }
}

impl<B: Bit> Registers<B> for Counter<B> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        visitor.register(name, self.number.width, &|place| &self.number.bits[place]);
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        for bit in &mut self.number.bits[..self.number.width] {
            visitor(bit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_with_constants_are_those_of_integers() {
        for value in 0..40u32 {
            let mut counter = Counter::<bool>::new(40, 0);
            for _ in 0..value {
                counter.count();
            }
            let number = counter.number();
            assert_eq!(number.value(), value);
            for bound in -3..80i64 {
                let value = i64::from(value);
                assert_eq!(number.equals(bound), value == bound);
                assert_eq!(number.at_most(bound), value <= bound);
                assert_eq!(number.at_least(bound), value >= bound);
            }
        }
    }

    #[test]
    fn sums_do_not_overflow() {
        for a in 0..20u32 {
            for b in 0..20 {
                let (a_wires, b_wires) = (Number::<bool>::constant(a), Number::constant(b));
                assert_eq!(a_wires.add(&b_wires, "sum").value(), a + b);
                assert_eq!(a_wires.doubled().value(), 2 * a);
                assert_eq!(a_wires.halved().value(), a / 2);
                assert_eq!(a_wires.times(b as usize).value(), a * b);
                let (difference, negative) = a_wires.minus(&b_wires);
                assert_eq!(negative, a < b);
                if !negative {
                    assert_eq!(difference.value(), a - b);
                }
                for bit in [false, true] {
                    let chosen = a_wires.where_else(bit, &b_wires).value();
                    assert_eq!(chosen, if bit { a } else { b });
                }
            }
        }
    }

    #[test]
    fn bits_are_spelled_and_ones_are_counted() {
        for bits in 0..13 {
            for value in 0..1u32 << bits {
                let spelled: Vec<bool> = (0..bits).map(|place| value >> place & 1 == 1).collect();
                assert_eq!(Number::of_bits(spelled.iter().copied()).value(), value);
                assert_eq!(Number::ones(&spelled).value(), value.count_ones());
            }
        }
    }

    #[test]
    fn a_level_goes_up_and_down() {
        let (mut level, mut expected) = (Counter::<bool>::new(12, 5), 5);
        for (up, down) in [(1, 0), (1, 1), (0, 1), (0, 0)] {
            for _ in 0..4 {
                level.count_up_or_down(up == 1, down == 1);
                expected = expected + up - down;
                assert_eq!(level.number().value(), expected);
            }
        }
    }

    #[test]
    fn a_counter_is_as_wide_as_its_largest_value_and_can_be_set() {
        let mut counter = Counter::<bool>::new(6, 1);
        assert_eq!(counter.number().width, 3);
        counter.count_or_set(false, 0);
        assert_eq!(counter.number().value(), 2);
        counter.count_or_set(true, 5);
        assert_eq!(counter.number().value(), 5);
    }
}
