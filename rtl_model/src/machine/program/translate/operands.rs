//! What a kernel may read.

use crate::circuit::expression::{Expression, Gate};
use crate::language::bit::Bit;

/// What a kernel may read while it is looked for, in the order of their numbers, each once: of up to four operands one is replaced
/// by its inputs, of which there are three at the most. Behind them is [`Expression::ZERO`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operands {
    list: [Expression; 6],
    amount: usize,
}

impl Operands {
    /// What a gate reads.
    pub(super) fn of(gate: Gate) -> Self {
        let none = Operands {
            list: [Expression::ZERO; 6],
            amount: 0,
        };
        none.and(gate)
    }

    pub(super) fn as_slice(&self) -> &[Expression] {
        &self.list[..self.amount]
    }

    /// And what a gate reads.
    pub(super) fn and(mut self, gate: Gate) -> Self {
        for input in gate.inputs() {
            let place = self.as_slice().partition_point(|&operand| operand < input);
            if self.as_slice().get(place) != Some(&input) {
                self.list.copy_within(place..self.amount, place + 1);
                self.list[place] = input;
                self.amount += 1;
            }
        }
        self
    }

    /// Without the one at a place.
    pub(super) fn without(mut self, place: usize) -> Self {
        self.list.copy_within(place + 1..self.amount, place);
        self.amount -= 1;
        self.list[self.amount] = Expression::ZERO;
        self
    }
}
