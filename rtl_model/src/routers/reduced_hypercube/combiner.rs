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
