//! Combinational logic as text: shared and named expressions become wires, the rest is written where it
//! is read.

use std::collections::{HashMap, HashSet};

use crate::circuit::expression::{Expression, Gate, Graph};
use crate::circuit::verilog::names::Names;
use crate::circuit::verilog::text::LONGEST_LINE;
use crate::language::bit::Bit;

/// Longest text that is written in the middle of another.
const LONGEST_OPERAND: usize = 72;

/// The logic of one module as it is written down.
pub(super) struct Logic<'a> {
    graph: &'a Graph,
    /// What has a name so far.
    pub names: Names,
    /// How many places read an expression.
    uses: HashMap<Expression, usize>,
    /// What several sections of the module read.
    shared: HashSet<Expression>,
    /// Wires of the section that is being written.
    wires: String,
    /// Wires that several sections read.
    shared_wires: String,
    /// Wires so far that the description has no name for.
    unnamed: usize,
}

/// How strongly a text holds together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A name, a constant, or one inverted.
    Atom,
    /// Operands and operators.
    Operation,
}

impl<'a> Logic<'a> {
    /// For a module of several sections, each of which makes some expressions; its ports and registers
    /// are already named.
    pub fn new(graph: &'a Graph, names: Names, sections: &[Vec<Expression>]) -> Self {
        let mut uses: HashMap<Expression, usize> = HashMap::new();
        let mut seen = HashSet::new();
        let mut shared = HashSet::new();
        for section in sections {
            let mut seen_here = HashSet::new();
            let mut left = section.clone();
            while let Some(expression) = left.pop() {
                if seen_here.insert(expression) {
                    left.extend(graph.gate(expression).inputs());
                }
            }
            for expression in seen_here {
                if !seen.insert(expression) {
                    shared.insert(expression);
                }
            }
        }
        let read = seen.iter().flat_map(|reader| graph.gate(*reader).inputs());
        for expression in sections.iter().flatten().copied().chain(read) {
            *uses.entry(expression).or_default() += 1;
        }
        Logic {
            graph,
            names,
            uses,
            shared,
            wires: String::new(),
            shared_wires: String::new(),
            unnamed: 0,
        }
    }

    /// The wires that what was written needs, and no other section; each after those that it reads.
    pub fn take_wires(&mut self) -> String {
        std::mem::take(&mut self.wires)
    }

    /// The wires that several sections need. They read no others, so they can stand before all.
    pub fn shared_wires(&self) -> &str {
        &self.shared_wires
    }

    /// The gate of an expression.
    pub fn gate(&self, expression: Expression) -> Gate {
        self.graph.gate(expression)
    }

    /// An assignment, broken into lines where it is long: `left` is all before the `=`.
    pub fn assignment(&mut self, left: &str, expression: Expression) -> String {
        let right = self.operand(expression, usize::MAX).0;
        self.broken(format!("  {left} = {right};\n"))
    }

    /// A statement, broken before its outermost operators where it is long.
    fn broken(&self, statement: String) -> String {
        if statement.len() <= LONGEST_LINE {
            return statement;
        }
        let mut depth = 0;
        let mut broken = String::new();
        let mut rest = statement.as_str();
        while let Some(next) = rest.chars().next() {
            match next {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            let operator = [" & ", " | ", " ^ ", " ? ", " : "]
                .into_iter()
                .find(|operator| depth == 0 && rest.starts_with(operator));
            match operator {
                Some(operator) => {
                    broken += "\n     ";
                    broken += operator;
                    rest = &rest[operator.len()..];
                }
                None => {
                    broken.push(next);
                    rest = &rest[next.len_utf8()..];
                }
            }
        }
        broken
    }

    /// An expression as a condition.
    pub fn condition(&mut self, expression: Expression) -> String {
        self.operand(expression, LONGEST_OPERAND).0
    }

    /// An expression inside another, in parentheses if it needs them.
    fn inner(&mut self, expression: Expression) -> String {
        match self.operand(expression, LONGEST_OPERAND) {
            (text, Shape::Atom) => text,
            (text, Shape::Operation) => format!("({text})"),
        }
    }

    /// The text of an expression; a wire where it is read twice, has a name or is too long.
    fn operand(&mut self, expression: Expression, longest: usize) -> (String, Shape) {
        if let Some(name) = self.names.text(expression) {
            return (name, Shape::Atom);
        }
        if self.is_wire(expression) {
            return (self.wire(expression), Shape::Atom);
        }
        let (text, shape) = self.written_out(expression);
        if text.len() > longest {
            return (self.wire_of(expression, &text), Shape::Atom);
        }
        (text, shape)
    }

    /// Whether an expression is left in one piece: the description calls it by a name, or it is read in
    /// several places.
    pub fn is_wire(&self, expression: Expression) -> bool {
        let read_twice = self.uses.get(&expression).is_some_and(|uses| *uses > 1);
        match self.graph.gate(expression) {
            // An inverter is written where it is read.
            Gate::Not(_) => self.graph.name(expression).is_some(),
            _ => read_twice || self.graph.name(expression).is_some(),
        }
    }

    fn wire(&mut self, expression: Expression) -> String {
        let (text, _) = self.written_out(expression);
        self.wire_of(expression, &text)
    }

    fn wire_of(&mut self, expression: Expression, text: &str) -> String {
        let name = match self.graph.name(expression) {
            Some(name) => name.to_owned(),
            None => {
                self.unnamed += 1;
                format!("n{}", self.unnamed)
            }
        };
        let name = self.names.scalar(&name, expression);
        let wire = self.broken(format!("  wire {name} = {text};\n"));
        match self.shared.contains(&expression) {
            true => self.shared_wires += &wire,
            false => self.wires += &wire,
        }
        name
    }

    /// An expression by its operands.
    fn written_out(&mut self, expression: Expression) -> (String, Shape) {
        match self.graph.gate(expression) {
            Gate::Constant(_) | Gate::Variable(_) => {
                (self.names.text(expression).unwrap_or_default(), Shape::Atom)
            }
            Gate::Not(inverted) => (format!("~{}", self.inner(inverted)), Shape::Atom),
            Gate::And(..) => self.chain(expression, "&"),
            Gate::Or(..) => self.chain(expression, "|"),
            Gate::Xor(..) => self.chain(expression, "^"),
            Gate::Mux(select, one, zero) => {
                // `if` in `if`: one condition.
                if let Gate::Mux(also, inner, otherwise) = self.graph.gate(one)
                    && otherwise == zero
                    && !self.is_wire(one)
                {
                    let conditions = [select, also].map(|input| self.inner(input)).join(" & ");
                    let [inner, zero] = [inner, zero].map(|input| self.inner(input));
                    let text = format!("({conditions}) ? {inner} : {zero}");
                    return (text, Shape::Operation);
                }
                let [select, one, zero] = [select, one, zero].map(|input| self.inner(input));
                (format!("{select} ? {one} : {zero}"), Shape::Operation)
            }
        }
    }

    /// Operands of one associative operator, side by side.
    fn chain(&mut self, expression: Expression, operator: &str) -> (String, Shape) {
        let mut operands = Vec::new();
        self.gather(
            expression,
            std::mem::discriminant(&self.graph.gate(expression)),
            &mut operands,
        );
        let operands: Vec<String> = operands
            .into_iter()
            .map(|operand| self.inner(operand))
            .collect();
        let text = operands.join(&format!(" {operator} "));
        (text, Shape::Operation)
    }

    fn gather(
        &self,
        expression: Expression,
        operator: std::mem::Discriminant<Gate>,
        operands: &mut Vec<Expression>,
    ) {
        for input in self.graph.gate(expression).inputs() {
            let same = std::mem::discriminant(&self.graph.gate(input)) == operator;
            if same && !self.is_wire(input) && self.names.reference(input).is_none() {
                self.gather(input, operator, operands);
            } else {
                operands.push(input);
            }
        }
    }

    /// Bits side by side, bit 0 first in `bits` and last in the text; slices and constants in one piece.
    /// The line that it begins on is indented so far.
    pub fn concatenation(&mut self, bits: &[Expression], indent: usize) -> String {
        let mut items: Vec<String> = Vec::new();
        let mut place = bits.len();
        while place > 0 {
            let high = bits[place - 1];
            let mut low = place - 1;
            if let Gate::Constant(_) = self.graph.gate(high) {
                while low > 0 && matches!(self.graph.gate(bits[low - 1]), Gate::Constant(_)) {
                    low -= 1;
                }
                let digits: String = bits[low..place]
                    .iter()
                    .rev()
                    .map(|bit| if *bit == Expression::ONE { '1' } else { '0' })
                    .collect();
                items.push(constant(&digits));
            } else if let Some((base, Some(top))) = self
                .names
                .reference(high)
                .map(|reference| (reference.base.clone(), reference.index))
            {
                while low > 0
                    && self.names.reference(bits[low - 1]).is_some_and(|next| {
                        next.base == base
                            && next.index.is_some_and(|index| index + place == top + low)
                    })
                {
                    low -= 1;
                }
                items.push(self.names.slice(&base, top + low + 1 - place, top));
            } else {
                items.push(self.operand(high, LONGEST_LINE - 12).0);
            }
            place = low;
        }
        match items.as_slice() {
            [item] => item.clone(),
            items => {
                let one_line = items.join(", ");
                if one_line.len() <= LONGEST_LINE - 40 {
                    return format!("{{{one_line}}}");
                }
                let margin = " ".repeat(indent);
                let items = items.join(&format!(",\n{margin}  "));
                format!("{{\n{margin}  {items}\n{margin}}}")
            }
        }
    }
}

/// A constant of so many binary digits.
fn constant(digits: &str) -> String {
    match digits {
        zeros if !zeros.contains('1') => format!("{}'b0", zeros.len()),
        digits => format!("{}'b{digits}", digits.len()),
    }
}
