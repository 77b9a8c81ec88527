//! Gates as they are noted down.

use rustc_hash::FxHashMap;

use crate::circuit::expression::Expression;
use crate::language::bit::Bit;

/// What makes an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// 0 or 1.
    Constant(bool),
    /// A register's output or a port, by number.
    Variable(u32),
    /// Inverted.
    Not(Expression),
    /// 1 where both are.
    And(Expression, Expression),
    /// 1 where one is, or both.
    Or(Expression, Expression),
    /// 1 where they differ.
    Xor(Expression, Expression),
    /// The second where the first is 1, the third elsewhere.
    Mux(Expression, Expression, Expression),
}

/// Gates, each after those that it reads.
#[derive(Clone, Debug)]
pub struct Graph {
    gates: Vec<Gate>,
    places: FxHashMap<Gate, Expression>,
    pub(super) names: FxHashMap<Expression, String>,
    /// The parts that names given now belong to, outermost first.
    pub(super) parts: Vec<String>,
    variables: u32,
}

impl Graph {
    /// Of the constants alone.
    pub fn empty() -> Self {
        let constants = [Gate::Constant(false), Gate::Constant(true)];
        Graph {
            gates: constants.to_vec(),
            places: constants
                .into_iter()
                .zip([Expression::ZERO, Expression::ONE])
                .collect(),
            names: FxHashMap::default(),
            parts: Vec::new(),
            variables: 0,
        }
    }

    /// Makes room for so many gates.
    pub(super) fn reserve(&mut self, gates: usize) {
        self.gates.reserve(gates);
        self.places.reserve(gates);
    }

    /// What makes `expression`.
    pub fn gate(&self, expression: Expression) -> Gate {
        self.gates[expression.0 as usize]
    }

    /// What makes each expression, by number.
    pub(crate) fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// What the description calls `expression` ([`Bit::named`]), if it does.
    pub fn name(&self, expression: Expression) -> Option<&str> {
        self.names.get(&expression).map(String::as_str)
    }

    /// The same of the expression of a number.
    pub(crate) fn name_at(&self, number: usize) -> Option<&str> {
        self.name(Expression(number as u32))
    }

    /// Number of gates, constants and variables included.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Whether there are only the constants.
    pub fn is_empty(&self) -> bool {
        self.gates.len() == 2
    }

    /// The values of all expressions where the variables have these values, by number.
    pub fn evaluate(&self, variables: &[bool]) -> Values {
        let mut values: Vec<bool> = Vec::with_capacity(self.gates.len());
        for gate in &self.gates {
            let value = |of: Expression| values[of.0 as usize];
            values.push(match *gate {
                Gate::Constant(constant) => constant,
                Gate::Variable(number) => variables[number as usize],
                Gate::Not(a) => !value(a),
                Gate::And(a, b) => value(a) & value(b),
                Gate::Or(a, b) => value(a) | value(b),
                Gate::Xor(a, b) => value(a) ^ value(b),
                Gate::Mux(select, one, zero) => value(if value(select) { one } else { zero }),
            });
        }
        Values(values)
    }

    /// A new variable.
    pub(super) fn variable(&mut self) -> Expression {
        self.variables += 1;
        // No other is like it.
        push(&mut self.gates, Gate::Variable(self.variables - 1))
    }

    /// The expression of a gate: a new one, unless there is a like gate.
    pub(super) fn add(&mut self, gate: Gate) -> Expression {
        let gates = &mut self.gates;
        *(self.places.entry(gate)).or_insert_with(|| push(gates, gate))
    }
}

fn push(gates: &mut Vec<Gate>, gate: Gate) -> Expression {
    gates.push(gate);
    Expression(gates.len() as u32 - 1)
}

/// The values of all expressions of a graph.
#[derive(Clone, Debug)]
pub struct Values(Vec<bool>);

impl Values {
    /// The value of one.
    pub fn of(&self, expression: Expression) -> bool {
        self.0[expression.0 as usize]
    }
}

impl Gate {
    /// What it reads.
    pub fn inputs(self) -> impl Iterator<Item = Expression> {
        let inputs = match self {
            Gate::Constant(_) | Gate::Variable(_) => [None; 3],
            Gate::Not(a) => [Some(a), None, None],
            Gate::And(a, b) | Gate::Or(a, b) | Gate::Xor(a, b) => [Some(a), Some(b), None],
            Gate::Mux(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        inputs.into_iter().flatten()
    }
}
