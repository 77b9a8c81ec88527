//! A unit that combines two words as they stream past: the operator in hardware.
//!
//! ```text
//!   operator     bits come                   flip-flops
//!   add          least significant first     the carry of a serial adder
//!   and, or      in any order                none
//!   min, max     most significant first      a comparator's: decided, mine
//!   carry        propagate, then generate    the right operand's propagate bit, for one bit time
//! ```

use crate::language::bit::{Bit, Strobe};
use crate::language::register::{Name, Registers, Visitor};
use crate::parts::serial_adder::SerialAdder;
use crate::routers::reduced_hypercube::comparator::WordComparator;
use crate::routers::reduced_hypercube::operator::Operator;
use crate::routers::reduced_hypercube::steps::sequencer::Now;
use crate::strobes;

strobes! {
    /// Where in a word this bit time is.
    #[derive(Clone, Debug)]
    pub struct WordStrobes<S> {
        /// Words stream.
        pub shift: S,
        /// Their first bits do.
        pub begins: S,
        /// A second, fourth, sixth bit of them does.
        pub odd: S,
    }
}

impl<S: Strobe> WordStrobes<S> {
    /// Of the bit time.
    pub fn drive<O>(&mut self, now: &Now<'_, S, O>) {
        self.shift = now.running();
        self.begins = now.begins_word();
        self.odd = now.is_odd_bit();
    }
}

/// The unit of one operator.
#[derive(Clone, Debug)]
pub enum Combiner<B: Bit> {
    /// A serial adder.
    Add(SerialAdder<B>),
    /// A comparator, and whether it wants the larger word.
    Compare(WordComparator<B>, bool),
    /// An AND gate.
    And,
    /// An OR gate.
    Or,
    /// The right operand's propagate bit.
    Carry(B),
}

impl<B: Bit> Registers<B> for Combiner<B> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        match self {
            Combiner::Add(adder) => adder.visit(name, visitor),
            Combiner::Compare(comparator, _) => comparator.visit(name, visitor),
            Combiner::Carry(propagates) => {
                visitor.enter(name, "CarryUnit");
                propagates.visit(Name::Field("propagates"), visitor);
                visitor.leave();
            }
            Combiner::And | Combiner::Or => {}
        }
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        match self {
            Combiner::Add(adder) => adder.visit_mut(visitor),
            Combiner::Compare(comparator, _) => comparator.visit_mut(visitor),
            Combiner::Carry(propagates) => visitor(propagates),
            Combiner::And | Combiner::Or => {}
        }
    }
}

impl<B: Bit> Combiner<B> {
    /// The unit of an operator, its flip-flops 0.
    pub fn new(operator: Operator) -> Self {
        match operator {
            Operator::Add => Combiner::Add(SerialAdder::new()),
            Operator::Min => Combiner::Compare(WordComparator::new(), false),
            Operator::Max => Combiner::Compare(WordComparator::new(), true),
            Operator::And => Combiner::And,
            Operator::Or => Combiner::Or,
            Operator::Carry => Combiner::Carry(B::ZERO),
        }
    }

    /// The bit of the combination that leaves in this bit time.
    #[inline]
    pub fn output(&self, at: &WordStrobes<B::Strobe>, left: B, right: B) -> B {
        match self {
            Combiner::Add(adder) => {
                let carry = adder.carry() & !B::from_strobe(at.begins);
                SerialAdder::sum_with(carry, left, right)
            }
            Combiner::Compare(comparator, larger) => {
                let wants_higher = if *larger { B::ONE } else { B::ZERO };
                let choice = comparator.choice(at.begins, left, right, wants_higher);
                choice.wanted(left, right)
            }
            Combiner::And => left & right,
            Combiner::Or => left | right,
            Combiner::Carry(propagates) => {
                B::choose(at.odd, || right | (*propagates & left), || left & right)
            }
        }
    }

    /// Keeps what the next bit time needs.
    #[inline]
    pub fn clock(&mut self, at: &WordStrobes<B::Strobe>, left: B, right: B) {
        match self {
            Combiner::Add(adder) => {
                let carry = adder.carry() & !B::from_strobe(at.begins);
                adder.clock_with(carry, left, right);
            }
            Combiner::Compare(comparator, larger) => {
                let wants_higher = if *larger { B::ONE } else { B::ZERO };
                comparator.clock(comparator.choice(at.begins, left, right, wants_higher));
            }
            Combiner::And | Combiner::Or => {}
            Combiner::Carry(propagates) => *propagates = right,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The combination of two words by a unit, bit by bit.
    fn combined(
        unit: &mut Combiner<bool>,
        operator: Operator,
        words: [u64; 2],
        width: usize,
    ) -> u64 {
        let mut combined = 0;
        for place in 0..width {
            let bit = operator.bit_order().place(place, width);
            let at = WordStrobes {
                shift: true,
                begins: place == 0,
                odd: place % 2 == 1,
            };
            let [left, right] = words.map(|word| word >> bit & 1 == 1);
            combined |= u64::from(unit.output(&at, left, right)) << bit;
            unit.clock(&at, left, right);
        }
        combined
    }

    fn expected(operator: Operator, [left, right]: [u64; 2], width: usize) -> u64 {
        match operator {
            Operator::Add => (left + right) % (1 << width),
            Operator::Min => left.min(right),
            Operator::Max => left.max(right),
            Operator::And => left & right,
            Operator::Or => left | right,
            Operator::Carry => (0..width / 2).fold(0, |word, pair| {
                let of = |word: u64, bit: usize| word >> (2 * pair + bit) & 1;
                let propagate = of(left, 1) & of(right, 1);
                let generate = of(right, 0) | (of(right, 1) & of(left, 0));
                word | (propagate << 1 | generate) << (2 * pair)
            }),
        }
    }

    #[test]
    fn all_words_of_four_bits_are_combined_whatever_went_before() {
        for operator in Operator::ALL {
            let mut unit = Combiner::new(operator);
            for (left, right) in (0..16).flat_map(|left| (0..16).map(move |right| (left, right))) {
                let found = combined(&mut unit, operator, [left, right], 4);
                let due = expected(operator, [left, right], 4);
                assert_eq!(found, due, "{operator:?} {left} {right}");
            }
        }
    }

    #[test]
    fn words_of_one_bit_have_no_second_one() {
        for operator in Operator::ALL.into_iter().filter(|one| one.takes_width(1)) {
            let mut unit = Combiner::new(operator);
            for words in [[0, 0], [0, 1], [1, 0], [1, 1], [0, 1]] {
                let found = combined(&mut unit, operator, words, 1);
                assert_eq!(found, expected(operator, words, 1), "{operator:?}");
            }
        }
        assert!(!Operator::Carry.takes_width(3) && Operator::Carry.takes_width(6));
    }

    #[test]
    fn an_identity_changes_no_word() {
        for operator in Operator::ALL {
            let identity = (0..4).fold(0, |word, bit| {
                word | u64::from(operator.identity_bit(bit)) << bit
            });
            for word in 0..16 {
                for words in [[identity, word], [word, identity]] {
                    assert_eq!(expected(operator, words, 4), word, "{operator:?}");
                }
            }
        }
    }

    #[test]
    fn flip_flops_are_counted_as_they_are() {
        for operator in Operator::ALL {
            let mut flip_flops = 0;
            Combiner::<bool>::new(operator).visit_mut(&mut |_| flip_flops += 1);
            assert_eq!(flip_flops, operator.flip_flops());
        }
    }
}
