//! What registers take at the clock edge, as `if` and assignments: clock enables are found again in the
//! muxes that they became, and registers with the same enable share it.

use std::fmt::Write;

use crate::circuit::expression::{Expression, Gate};
use crate::circuit::verilog::logic::Logic;
use crate::language::bit::Bit;

/// A statement of a clocked block.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Statement {
    /// The register takes these bits.
    Take(String, Vec<Expression>),
    /// One or the other, by the value of a strobe.
    If(Expression, Vec<Statement>, Vec<Statement>),
}

/// The clocked block of one part, as it grows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Block {
    statements: Vec<Statement>,
}

impl Block {
    /// Adds what register `target`, which holds `held`, takes: `next`.
    pub fn add(
        &mut self,
        logic: &Logic<'_>,
        target: &str,
        held: &[Expression],
        next: &[Expression],
    ) {
        let update = update(logic, target, held, next);
        append(&mut self.statements, update);
    }

    /// Its text, or nothing.
    pub fn text(&self, logic: &mut Logic<'_>, indent: usize) -> String {
        let mut text = String::new();
        write_all(&self.statements, logic, indent, &mut text);
        text
    }
}

/// The statements that give a register its next state; none where it holds.
fn update(
    logic: &Logic<'_>,
    target: &str,
    held: &[Expression],
    next: &[Expression],
) -> Vec<Statement> {
    if held == next {
        return Vec::new();
    }
    for select in candidates(logic, held, next) {
        let split: Option<Vec<(Expression, Expression)>> = held
            .iter()
            .zip(next)
            .map(|(held, next)| split(logic, select, *held, *next))
            .collect();
        let Some(split) = split else { continue };
        let (one, zero): (Vec<Expression>, Vec<Expression>) = split.into_iter().unzip();
        let (one, zero) = (
            update(logic, target, held, &one),
            update(logic, target, held, &zero),
        );
        let is_plain = |branch: &[Statement]| matches!(branch, [Statement::Take(..)]);
        if held.len() > 1 || !is_plain(&one) || !is_plain(&zero) {
            return vec![Statement::If(select, one, zero)];
        }
    }
    vec![Statement::Take(target.to_owned(), next.to_vec())]
}

/// Adds statements to a block; two on the same condition become one.
fn append(block: &mut Vec<Statement>, statements: Vec<Statement>) {
    for statement in statements {
        match (block.last_mut(), statement) {
            (Some(Statement::If(last, ones, zeros)), Statement::If(select, one, zero))
                if *last == select =>
            {
                append(ones, one);
                append(zeros, zero);
            }
            (_, statement) => block.push(statement),
        }
    }
}

/// Expressions that may select between two updates: those that the first bit that changes begins with.
fn candidates(logic: &Logic<'_>, held: &[Expression], next: &[Expression]) -> Vec<Expression> {
    let changing = held.iter().zip(next).find(|(held, next)| held != next);
    let Some((held, next)) = changing else {
        return Vec::new();
    };
    let positive = |input: Expression| match logic.gate(input) {
        Gate::Not(inverted) => inverted,
        _ => input,
    };
    let inputs = match logic.gate(*next) {
        Gate::Mux(select, ..) => vec![select],
        Gate::And(a, b) | Gate::Or(a, b) => vec![positive(a), positive(b)],
        _ => Vec::new(),
    };
    inputs.into_iter().filter(|input| input != held).collect()
}

/// What a bit takes where `select` is 1 and where it is 0; none where the two cannot be told apart.
fn split(
    logic: &Logic<'_>,
    select: Expression,
    held: Expression,
    next: Expression,
) -> Option<(Expression, Expression)> {
    if next == held {
        return Some((held, held));
    }
    let is_not_select = |input: Expression| logic.gate(input) == Gate::Not(select);
    if logic.is_wire(next) {
        return None;
    }
    let (zero, one) = (Expression::ZERO, Expression::ONE);
    match logic.gate(next) {
        Gate::Mux(by, when_one, when_zero) if by == select => Some((when_one, when_zero)),
        Gate::And(a, b) if a == select => Some((b, zero)),
        Gate::And(a, b) if b == select => Some((a, zero)),
        Gate::And(a, b) if is_not_select(a) => Some((zero, b)),
        Gate::And(a, b) if is_not_select(b) => Some((zero, a)),
        Gate::Or(a, b) if a == select => Some((one, b)),
        Gate::Or(a, b) if b == select => Some((one, a)),
        Gate::Or(a, b) if is_not_select(a) => Some((b, one)),
        Gate::Or(a, b) if is_not_select(b) => Some((a, one)),
        _ => None,
    }
}

fn write_all(block: &[Statement], logic: &mut Logic<'_>, indent: usize, text: &mut String) {
    for statement in block {
        text.push_str(&" ".repeat(indent));
        write_one(statement, logic, indent, text);
    }
}

/// Writes a statement whose first line is already indented.
fn write_one(statement: &Statement, logic: &mut Logic<'_>, indent: usize, text: &mut String) {
    let margin = " ".repeat(indent);
    match statement {
        Statement::Take(target, bits) => {
            let taken = logic.concatenation(bits, indent);
            let _ = writeln!(text, "{target} <= {taken};");
        }
        Statement::If(select, one, zero) => {
            let condition = logic.condition(*select);
            let (condition, one, zero) = match one.is_empty() {
                true => (negated(&condition), zero, one),
                false => (condition, one, zero),
            };
            let _ = writeln!(text, "if ({condition}) begin");
            write_all(one, logic, indent + 2, text);
            match zero.as_slice() {
                [] => {}
                [nested @ Statement::If(..)] => {
                    let _ = write!(text, "{margin}end else ");
                    return write_one(nested, logic, indent, text);
                }
                zero => {
                    let _ = writeln!(text, "{margin}end else begin");
                    write_all(zero, logic, indent + 2, text);
                }
            }
            let _ = writeln!(text, "{margin}end");
        }
    }
}

fn negated(condition: &str) -> String {
    match condition.contains(' ') {
        true => format!("~({condition})"),
        false => format!("~{condition}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::expression::Graph;
    use crate::circuit::verilog::names::Names;

    /// What is written for registers `r` (three bits) and `s` (one) that a clock edge changes so; strobes
    /// are `a` and `b`, `d` is data.
    fn written(clock: impl FnOnce([Expression; 3], &mut Vec<Expression>)) -> String {
        let mut names = Names::default();
        let ((held, next), graph) = Graph::record(|| {
            let ports = ["a", "b", "d"].map(|name| {
                let port = Expression::variable();
                names.scalar(name, port);
                port
            });
            let held: Vec<Expression> = (0..4).map(|_| Expression::variable()).collect();
            names.word("r", &held[..3]);
            names.word("s", &held[3..]);
            let mut next = held.clone();
            clock(ports, &mut next);
            (held, next)
        });
        let mut logic = Logic::new(&graph, names, std::slice::from_ref(&next));
        let mut block = Block::default();
        for (name, bits) in [("r", 0..3), ("s", 3..4)] {
            block.add(&logic, name, &held[bits.clone()], &next[bits]);
        }
        let text = block.text(&mut logic, 0);
        logic.take_wires() + &text
    }

    /// Registers as they are handed to a clock enable.
    fn when(strobe: Expression, next: &mut [Expression], clocked: impl Fn(&mut [Expression])) {
        let mut enabled = next.to_vec();
        clocked(&mut enabled);
        for (held, taken) in next.iter_mut().zip(enabled) {
            *held = strobe.mux(taken, *held);
        }
    }

    fn shift(next: &mut [Expression], bit: Expression) {
        next.copy_within(1..3, 0);
        next[2] = bit;
    }

    #[test]
    fn a_register_that_holds_is_not_mentioned() {
        assert_eq!(written(|_, _| {}), "");
    }

    #[test]
    fn a_clock_enable_is_found_again_and_shared() {
        let text = written(|[a, _, d], next| {
            when(a, next, |next| {
                shift(next, d);
                next[3] = d;
            });
        });
        assert_eq!(text, "if (a) begin\n  r <= {d, r[2:1]};\n  s <= d;\nend\n");
    }

    #[test]
    fn the_last_of_several_enables_comes_first() {
        let text = written(|[a, b, d], next| {
            when(a, next, |next| shift(next, d));
            when(b, next, |next| next[..3].fill(Expression::ZERO));
        });
        assert_eq!(
            text,
            "if (b) begin\n  r <= 3'b0;\nend else if (a) begin\n  r <= {d, r[2:1]};\nend\n"
        );
    }

    #[test]
    fn a_register_that_is_set_or_cleared_keeps_its_enable() {
        let text = written(|[a, b, _], next| {
            when(a, &mut next[3..], |next| next[0] = Expression::ONE);
            when(!b, &mut next[..3], |next| next.fill(Expression::ZERO));
        });
        assert_eq!(
            text,
            "if (~b) begin\n  r <= 3'b0;\nend\nif (a) begin\n  s <= 1'b1;\nend\n"
        );
    }

    #[test]
    fn what_is_read_twice_is_a_wire_and_not_taken_apart() {
        let text = written(|[a, b, d], next| {
            let both = (a & d) | b;
            next[3] = both;
            next[0] = !both;
        });
        assert_eq!(
            text,
            "  wire n1 = b | (a & d);\nr <= {r[2:1], ~n1};\ns <= n1;\n"
        );
    }
}
