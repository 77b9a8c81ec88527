//! Bits that write down the logic that makes them.
//!
//! Run over [`Expression`], a node's combinational and clocked functions compute no values: every
//! operation adds a gate to a [`Graph`], and what a register holds after [`clock`] is the
//! expression of its next state. Like gates are one gate (hash-consing), constants are folded.
//!
//! No strobe is known here, so a clock enable ([`Bit::when`]) runs its closure on a copy of the
//! registers and puts a mux before each that changed.
//!
//! [`clock`]: crate::machine::router::Node::clock

mod folding;
mod graph;

use std::cell::RefCell;
use std::fmt::Display;
use std::ops::{BitAnd, BitOr, BitXor, Not};

use crate::language::bit::{Bit, Strobe};
use crate::language::lines::MAX_LINES;
use crate::language::register::Registers;

pub use graph::{Gate, Graph, Values};

/// A place in the [`Graph`] that is being recorded on this thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expression(u32);

/// As many gates as most recordings have at the least: room for them is made at once.
const FEW_GATES: usize = 1 << 10;

thread_local! {
    static RECORDING: RefCell<Graph> = RefCell::new(Graph::empty());
}

impl Graph {
    /// Runs `description` and returns the gates that it made beside what it returns. Expressions of
    /// one recording mean nothing in another.
    pub fn record<T>(description: impl FnOnce() -> T) -> (T, Graph) {
        let mut graph = Graph::empty();
        graph.reserve(FEW_GATES);
        graph.go_on(description)
    }

    /// Goes on with a recording: what its expressions mean, they mean still.
    pub fn go_on<T>(self, description: impl FnOnce() -> T) -> (T, Graph) {
        let outer = RECORDING.replace(self);
        let described = description();
        (described, RECORDING.replace(outer))
    }
}

impl Expression {
    /// A new variable; they are numbered from 0.
    pub fn variable() -> Self {
        RECORDING.with_borrow_mut(Graph::variable)
    }

    fn gate(self) -> Gate {
        RECORDING.with_borrow(|graph| graph.gate(self))
    }

    /// Its number in the graph.
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// What clock enables, names and parts have in common, whatever is enabled and whatever is a name: it is compiled once.
impl Expression {
    /// A mux before each register: what it takes while this is 1.
    fn enable(self, registers: &mut dyn Registers<Self>, enabled: &mut dyn Registers<Self>) {
        let mut taken = Vec::new();
        enabled.visit_mut(&mut |bit| taken.push(*bit));
        let mut taken = taken.into_iter();
        registers.visit_mut(&mut |bit| {
            if let Some(taken) = taken.next() {
                *bit = self.mux(taken, *bit);
            }
        });
    }

    /// As [`Bit::named`].
    fn name(self, name: &dyn Display) {
        if matches!(self.gate(), Gate::Constant(_) | Gate::Variable(_)) {
            return;
        }
        RECORDING.with_borrow_mut(|graph| {
            let parts = graph.parts.join("_");
            let names = graph.names.entry(self);
            names.or_insert_with(|| match parts.as_str() {
                "" => name.to_string(),
                parts => format!("{parts}_{name}"),
            });
        });
    }

    /// Names given from now on belong to this part.
    fn enter(part: &dyn Display) {
        RECORDING.with_borrow_mut(|graph| graph.parts.push(part.to_string()));
    }

    /// The innermost part ends.
    fn leave() {
        RECORDING.with_borrow_mut(|graph| graph.parts.pop());
    }
}

impl BitAnd for Expression {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        RECORDING.with_borrow_mut(|graph| graph.and(self, other))
    }
}

impl BitOr for Expression {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        RECORDING.with_borrow_mut(|graph| graph.or(self, other))
    }
}

impl BitXor for Expression {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        RECORDING.with_borrow_mut(|graph| graph.xor(self, other))
    }
}

impl Not for Expression {
    type Output = Self;
    fn not(self) -> Self {
        RECORDING.with_borrow_mut(|graph| graph.not(self))
    }
}

impl Strobe for Expression {
    type LineStorage = [Expression; MAX_LINES];
}

impl Bit for Expression {
    type Strobe = Expression;

    const WRITES_LOGIC: bool = true;

    const ZERO: Self = Expression(0);
    const ONE: Self = Expression(1);

    fn from_strobe(strobe: Self) -> Self {
        strobe
    }

    fn is_known_zero(self) -> bool {
        self == Self::ZERO
    }

    fn is_known_one(self) -> bool {
        self == Self::ONE
    }

    fn mux(self, one: Self, zero: Self) -> Self {
        RECORDING.with_borrow_mut(|graph| graph.mux(self, one, zero))
    }

    fn when<R: Registers<Self> + Clone>(
        strobe: Self,
        registers: &mut R,
        clocked: impl FnOnce(&mut R),
    ) {
        if strobe == Self::ZERO {
            return;
        }
        let mut enabled = registers.clone();
        clocked(&mut enabled);
        strobe.enable(registers, &mut enabled);
    }

    /// The first name that an expression is given stays.
    fn named(self, name: impl Display) -> Self {
        self.name(&name);
        self
    }

    fn within<T>(part: impl Display, logic: impl FnOnce() -> T) -> T {
        Self::enter(&part);
        let result = logic();
        Self::leave();
        result
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A random piece of logic over four variables, built the same way over any bit.
    #[derive(Clone, Debug)]
    enum Logic {
        Constant(bool),
        Variable(usize),
        Not(Box<Logic>),
        And(Box<Logic>, Box<Logic>),
        Or(Box<Logic>, Box<Logic>),
        Xor(Box<Logic>, Box<Logic>),
        Mux(Box<Logic>, Box<Logic>, Box<Logic>),
    }

    impl Logic {
        fn build<B: Bit>(&self, variables: &[B]) -> B {
            let build = |logic: &Logic| logic.build(variables);
            match self {
                Logic::Constant(true) => B::ONE,
                Logic::Constant(false) => B::ZERO,
                Logic::Variable(number) => variables[*number],
                Logic::Not(a) => !build(a),
                Logic::And(a, b) => build(a) & build(b),
                Logic::Or(a, b) => build(a) | build(b),
                Logic::Xor(a, b) => build(a) ^ build(b),
                Logic::Mux(a, b, c) => build(a).mux(build(b), build(c)),
            }
        }
    }

    fn logic() -> impl Strategy<Value = Logic> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Logic::Constant),
            (0..4usize).prop_map(Logic::Variable),
        ];
        leaf.prop_recursive(6, 60, 3, |inner| {
            let boxed = || inner.clone().prop_map(Box::new);
            prop_oneof![
                boxed().prop_map(Logic::Not),
                (boxed(), boxed()).prop_map(|(a, b)| Logic::And(a, b)),
                (boxed(), boxed()).prop_map(|(a, b)| Logic::Or(a, b)),
                (boxed(), boxed()).prop_map(|(a, b)| Logic::Xor(a, b)),
                (boxed(), boxed(), boxed()).prop_map(|(a, b, c)| Logic::Mux(a, b, c)),
            ]
        })
    }

    proptest! {
        #[test]
        fn folding_changes_no_value(logic in logic()) {
            let (expression, graph) = Graph::record(|| {
                let variables: Vec<Expression> = (0..4).map(|_| Expression::variable()).collect();
                logic.build(&variables)
            });
            for row in 0..16u32 {
                let variables: Vec<bool> = (0..4).map(|bit| row >> bit & 1 == 1).collect();
                let value = graph.evaluate(&variables).of(expression);
                prop_assert_eq!(value, logic.build::<bool>(&variables));
            }
        }
    }

    #[test]
    fn like_gates_are_one_gate_and_constants_vanish() {
        let (_, graph) = Graph::record(|| {
            let (a, b) = (Expression::variable(), Expression::variable());
            assert_eq!(a & b, b & a);
            assert_eq!(!!a, a);
            assert_eq!(a & !a, Expression::ZERO);
            assert_eq!(a | !a, Expression::ONE);
            assert_eq!(!a ^ b, !(a ^ b));
            assert_eq!(a.mux(a & b, b), a.mux(b, b));
            assert_eq!(a.mux(Expression::ONE, Expression::ZERO), a);
            assert_eq!((!a).mux(b, a), a | b);
        });
        // Two constants, two variables, a & b, !a, a ^ b, !(a ^ b), a | b.
        assert_eq!(graph.len(), 9);
    }

    #[test]
    fn a_clock_enable_is_a_mux_before_each_register_that_changes() {
        let ((enable, next, held, data), graph) = Graph::record(|| {
            let [enable, data] = std::array::from_fn(|_| Expression::variable());
            let held = Expression::variable();
            let mut register = held;
            Expression::when(enable, &mut register, |register| {
                *register = data.named("what arrives");
            });
            let next = Expression::within("message", || register.named("taken"));
            (enable, next.named("again"), held, data)
        });
        assert_eq!(graph.gate(next), Gate::Mux(enable, data, held));
        assert_eq!(graph.name(next), Some("message_taken"));
        assert_eq!(graph.name(data), None, "ports have names of their own");
    }
}
