//! Gates are folded as they are noted down: constants vanish, and what is read only while another expression has a known value
//! is noted as it is then.

use crate::circuit::expression::{Expression, Gate, Graph};
use crate::language::bit::Bit;

/// Operands in one order: `a & b` is `b & a`.
fn ordered(a: Expression, b: Expression) -> (Expression, Expression) {
    if a <= b { (a, b) } else { (b, a) }
}

fn constant(value: bool) -> Expression {
    if value {
        Expression::ONE
    } else {
        Expression::ZERO
    }
}

impl Graph {
    /// The expression that is 1 where both are.
    pub(super) fn and(&mut self, a: Expression, b: Expression) -> Expression {
        // Either is only read while the other is 1.
        let one = self.assuming(a, b, true);
        match ordered(one, self.assuming(b, one, true)) {
            (Expression::ZERO, _) => Expression::ZERO,
            (Expression::ONE, b) => b,
            (a, b) => self.add(Gate::And(a, b)),
        }
    }

    /// That which is 1 where one is, or both.
    pub(super) fn or(&mut self, a: Expression, b: Expression) -> Expression {
        let one = self.assuming(a, b, false);
        match ordered(one, self.assuming(b, one, false)) {
            (Expression::ZERO, b) => b,
            (Expression::ONE, _) => Expression::ONE,
            (a, b) => self.add(Gate::Or(a, b)),
        }
    }

    /// That which is 1 where they differ.
    pub(super) fn xor(&mut self, a: Expression, b: Expression) -> Expression {
        let (a, b) = ordered(a, b);
        match (self.gate(a), self.gate(b)) {
            _ if a == b => Expression::ZERO,
            (Gate::Constant(false), _) => b,
            (Gate::Constant(true), _) => self.not(b),
            (Gate::Not(inverted), _) => {
                let differ = self.xor(inverted, b);
                self.not(differ)
            }
            (_, Gate::Not(inverted)) => {
                let differ = self.xor(a, inverted);
                self.not(differ)
            }
            _ => self.add(Gate::Xor(a, b)),
        }
    }

    /// It inverted.
    pub(super) fn not(&mut self, a: Expression) -> Expression {
        match self.gate(a) {
            Gate::Constant(value) => constant(!value),
            Gate::Not(inverted) => inverted,
            _ => self.add(Gate::Not(a)),
        }
    }

    /// `one` where `select` is 1, `zero` elsewhere.
    pub(super) fn mux(
        &mut self,
        select: Expression,
        one: Expression,
        zero: Expression,
    ) -> Expression {
        if let Gate::Not(inverted) = self.gate(select) {
            return self.mux(inverted, zero, one);
        }
        let one = self.assuming(one, select, true);
        let zero = self.assuming(zero, select, false);
        match (one, zero) {
            _ if select == Expression::ONE => one,
            _ if select == Expression::ZERO => zero,
            (one, zero) if one == zero => one,
            (one, Expression::ZERO) => self.and(select, one),
            (Expression::ZERO, zero) => {
                let unselected = self.not(select);
                self.and(unselected, zero)
            }
            (Expression::ONE, zero) => self.or(select, zero),
            (one, Expression::ONE) => {
                let unselected = self.not(select);
                self.or(unselected, one)
            }
            (one, zero) if self.are_complements(one, zero) => {
                let differ = self.xor(select, one);
                self.not(differ)
            }
            (one, zero) => self.add(Gate::Mux(select, one, zero)),
        }
    }

    fn are_complements(&self, a: Expression, b: Expression) -> bool {
        self.gate(a) == Gate::Not(b) || self.gate(b) == Gate::Not(a)
    }

    /// The same value as `a` more simply, where it is only read while `known` has this value.
    fn assuming(&self, a: Expression, known: Expression, value: bool) -> Expression {
        if a == known {
            return constant(value);
        }
        if a == Expression::ZERO || a == Expression::ONE {
            return a;
        }
        if self.are_complements(a, known) {
            return constant(!value);
        }
        let both = |one, other| {
            let simpler = self.assuming(a, one, value);
            self.assuming(simpler, other, value)
        };
        let simpler = match self.gate(known) {
            Gate::Not(inverted) => self.assuming(a, inverted, !value),
            Gate::And(one, other) if value => both(one, other),
            Gate::Or(one, other) if !value => both(one, other),
            _ => a,
        };
        if simpler != a {
            return simpler;
        }
        let is_and = matches!(self.gate(a), Gate::And(..));
        match self.gate(a) {
            Gate::Mux(select, one, _) if select == known && value => one,
            Gate::Mux(select, _, zero) if select == known => zero,
            Gate::And(b, c) | Gate::Or(b, c) if b == known || c == known => {
                let other = if b == known { c } else { b };
                match value == is_and {
                    true => other,
                    false => constant(value),
                }
            }
            Gate::And(b, c) | Gate::Or(b, c)
                if self.are_complements(b, known) || self.are_complements(c, known) =>
            {
                let other = if self.are_complements(b, known) { c } else { b };
                match value != is_and {
                    true => other,
                    false => constant(!value),
                }
            }
            _ => a,
        }
    }
}
