//! Reads closed forms as one writes them: `3k(k-1)/2+kD+k`.
//!
//! ```text
//!   case        sum { ", " definition } [ " (" condition { ", " condition } ")" ]
//!   definition  x = sum     p_0 = sum     p_k = sum, in k and elements before it
//!   condition   even sum    odd sum       sum = sum < sum ..      a name with a space in it
//!   sum         product { + product    - product    + ... + p_(n-1) }
//!   product     power { power    * power    / power    mod power }, from left to right
//!   power       -power    factor [ ^ factor ]    factor ^ -factor
//!   factor      12   k   p_(k-1)   (sum)   [condition]
//!               C(n,k)   min(a, b)   max(a, b)   ceil(a)   floor(a)   log2(a)
//!               sum over i < n of sum   max over 0 < i <= n of sum   least i with condition
//! ```
//!
//! Names that a form gives, to definitions, sequences and indices, are letters that stand for nothing else. Of names that begin
//! alike the longest is meant. What begins with `sum`, `max over` or `least` goes as far as it can.

use crate::closed_form::expression::{
    Condition, Expression, Operator, Over, Range, Relation, Rounding, Sequence,
};

/// A case of a closed form.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Case<'t> {
    /// Without its conditions.
    pub formula: &'t str,
    /// All of them hold where it is meant.
    pub conditions: Vec<Condition>,
    /// What letters stand for that it defines, in order.
    pub definitions: Vec<Expression>,
    pub sequences: Vec<Sequence>,
    pub value: Expression,
}

/// Reads a case in these letters; gives what it cannot read, if there is something.
pub(super) fn case<'t>(text: &'t str, letters: &[&str]) -> Result<Case<'t>, &'t str> {
    let mut reader = Reader {
        text,
        rest: text,
        names: letters.to_vec(),
        sequences: Vec::new(),
    };
    let (formula, conditions) = reader.split_conditions(text);
    let mut parts = at_top(formula);
    let (value, definitions) = (parts.next().unwrap_or_default(), parts.collect::<Vec<_>>());
    let definitions = reader.definitions(&definitions)?;
    let value = reader.all(value, Reader::sum)?;
    Ok(Case {
        formula,
        conditions,
        definitions,
        sequences: reader.sequences,
        value,
    })
}

/// The parts between commas that are in no parentheses.
fn at_top(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |letter| {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0
    })
}

struct Reader<'t, 'n> {
    text: &'t str,
    /// What of it is still to be read.
    rest: &'t str,
    /// By their numbers among the values.
    names: Vec<&'n str>,
    sequences: Vec<Sequence>,
}

impl<'t: 'n, 'n> Reader<'t, 'n> {
    /// All of a text.
    fn all<T>(
        &mut self,
        text: &'t str,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Result<T, &'t str> {
        (self.text, self.rest) = (text, text);
        let read = read(self);
        self.rest = self.rest.trim_start();
        match read {
            Some(read) if self.rest.is_empty() => Ok(read),
            _ => Err(if self.rest.is_empty() {
                text
            } else {
                self.rest
            }),
        }
    }

    /// The text before the conditions in its last parentheses, and these; all of it, if there are no conditions in them.
    fn split_conditions(&mut self, text: &'t str) -> (&'t str, Vec<Condition>) {
        let mut open = 0;
        let start = text.char_indices().rev().find(|(_, letter)| {
            open += i32::from(*letter == ')') - i32::from(*letter == '(');
            open <= 0
        });
        let found = start.and_then(|(start, _)| {
            let inside = text[start..].strip_prefix('(')?.strip_suffix(')')?;
            let before = text[..start].strip_suffix(' ')?;
            let all: Result<_, _> = at_top(inside)
                .map(|one| self.all(one, Reader::condition))
                .collect();
            Some((before, all.ok()?))
        });
        found.unwrap_or((text, Vec::new()))
    }

    /// Of letters first, then of sequences.
    fn definitions(&mut self, written: &[&'t str]) -> Result<Vec<Expression>, &'t str> {
        let mut elements = Vec::new();
        let mut definitions = Vec::new();
        for text in written {
            let (name, of) = text.split_once('=').ok_or(*text)?;
            match name.trim().split_once('_') {
                Some((name, index)) => elements.push((*text, name, index, of)),
                None if self.is_new(name.trim()) => {
                    definitions.push(self.all(of, Reader::sum)?);
                    self.names.push(name.trim());
                }
                None => return Err(text),
            }
        }
        let scope = self.names.len();
        for (text, name, ..) in &elements {
            if self.sequences.iter().any(|known| known.name == *name) {
                continue;
            }
            if !self.is_new(name) {
                return Err(text);
            }
            self.sequences.push(Sequence {
                name: (*name).to_owned(),
                first: None,
                element: None,
                scope,
            });
        }
        for (text, name, index, of) in elements {
            let read = match index {
                "0" => self.all(of, Reader::sum)?,
                _ if self.is_new(index) => {
                    self.all(of, |reader| reader.within(index, Reader::sum))?
                }
                _ => return Err(text),
            };
            let sequence = self.sequences.iter_mut().find(|one| one.name == name);
            let defined = sequence.map(|sequence| match index {
                "0" => &mut sequence.first,
                _ => &mut sequence.element,
            });
            match defined {
                Some(defined @ None) => *defined = Some(read),
                _ => return Err(text),
            }
        }
        Ok(definitions)
    }

    fn takes(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Whether it has read that; if not, it has read nothing.
    fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.rest;
        let read = read(self);
        if read.is_none() {
            self.rest = before;
        }
        read
    }

    /// With an index.
    fn within<T>(
        &mut self,
        index: &'n str,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        self.names.push(index);
        let read = read(self);
        self.names.pop();
        read
    }

    fn condition(&mut self) -> Option<Condition> {
        let whole = self.rest.trim();
        if let Some(number) = self.names.iter().position(|name| *name == whole)
            && whole.contains(' ')
        {
            self.rest = "";
            return Some(Condition::Is(Expression::Letter(number)));
        }
        if self.takes("even ") {
            return self.sum().map(Condition::Even);
        }
        if self.takes("odd ") {
            return self.sum().map(Condition::Odd);
        }
        let first = self.sum()?;
        let mut rest = Vec::new();
        while let Some(relation) = self.relation() {
            rest.push((relation, self.sum()?));
        }
        (!rest.is_empty()).then_some(Condition::Chain(first, rest))
    }

    fn relation(&mut self) -> Option<Relation> {
        let all = [
            ("<=", Relation::AtMost),
            (">=", Relation::AtLeast),
            ("=", Relation::Equal),
            ("<", Relation::Less),
            (">", Relation::More),
        ];
        let found = all.into_iter().find(|(sign, _)| self.takes(sign));
        found.map(|(_, relation)| relation)
    }

    fn sum(&mut self) -> Option<Expression> {
        let mut parts = vec![self.product()?];
        loop {
            if self.takes("+ ... +") {
                let (Some(Expression::Element(one, from)), Some(Expression::Element(other, to))) =
                    (parts.pop(), self.product())
                else {
                    return None;
                };
                let ends = Box::new([*from, *to]);
                parts.push((one == other).then_some(Expression::Elements(one, ends))?);
            } else if self.takes("+") {
                parts.push(self.product()?);
            } else if self.takes("-") {
                parts.push(Expression::Negative(Box::new(self.product()?)));
            } else if parts.len() == 1 {
                return parts.pop();
            } else {
                return Some(Expression::Sum(parts));
            }
        }
    }

    fn product(&mut self) -> Option<Expression> {
        let mut product = self.power()?;
        loop {
            let (operator, factor) = if self.takes("/") {
                (Operator::By, self.power()?)
            } else if self.takes("*") {
                (Operator::Times, self.power()?)
            } else if self.takes("mod ") {
                (Operator::Modulo, self.power()?)
            } else if let Some(factor) = self.attempt(Reader::another_power) {
                (Operator::Times, factor)
            } else {
                return Some(product);
            };
            product = Expression::Of(operator, Box::new([product, factor]));
        }
    }

    /// One that is not taken off, and no number behind a number.
    fn another_power(&mut self) -> Option<Expression> {
        let read = &self.text[..self.text.len() - self.rest.len()];
        let is_behind_digit = read.trim_end().ends_with(|c: char| c.is_ascii_digit());
        let rest = self.rest.trim_start();
        let begins_with_digit = rest.starts_with(|c: char| c.is_ascii_digit());
        match rest.starts_with('-') || is_behind_digit && begins_with_digit {
            true => None,
            false => self.power(),
        }
    }

    fn power(&mut self) -> Option<Expression> {
        if self.takes("-") {
            return Some(Expression::Negative(Box::new(self.power()?)));
        }
        let base = self.factor()?;
        if !self.takes("^") {
            return Some(base);
        }
        let exponent = match self.takes("-") {
            true => Expression::Negative(Box::new(self.factor()?)),
            false => self.factor()?,
        };
        Some(Expression::Of(Operator::Power, Box::new([base, exponent])))
    }

    fn factor(&mut self) -> Option<Expression> {
        if self.takes("(") {
            let inside = self.sum()?;
            return self.takes(")").then_some(inside);
        }
        if self.takes("[") {
            let condition = self.condition()?;
            let holds = Expression::Holds(Box::new(condition));
            return self.takes("]").then_some(holds);
        }
        (self.attempt(Reader::over))
            .or_else(|| self.attempt(Reader::named))
            .or_else(|| self.attempt(Reader::function))
            .or_else(|| self.attempt(Reader::number))
    }

    fn over(&mut self) -> Option<Expression> {
        let over = if self.takes("least ") {
            let index = self.index()?;
            let condition = self
                .takes("with ")
                .then(|| self.within(index, Reader::condition))??;
            Over::Least(condition)
        } else {
            let is_sum = self.takes("sum over ");
            if !is_sum && !self.takes("max over ") {
                return None;
            }
            let (index, range) = self.range()?;
            let of = self
                .takes("of ")
                .then(|| self.within(index, Reader::sum))??;
            match is_sum {
                true => Over::Sum(range, of),
                false => Over::Max(range, of),
            }
        };
        Some(Expression::Over(Box::new(over)))
    }

    fn index(&mut self) -> Option<&'t str> {
        let (index, rest) = self.rest.trim_start().split_at_checked(1)?;
        self.rest = rest;
        self.is_new(index).then_some(index)
    }

    /// Whether it is a letter that stands for nothing yet.
    fn is_new(&self, letter: &str) -> bool {
        let is_letter = letter.len() == 1 && letter.starts_with(|c: char| c.is_ascii_alphabetic());
        is_letter
            && !self.names.contains(&letter)
            && self
                .sequences
                .iter()
                .all(|sequence| sequence.name != letter)
    }

    /// `i < n`, from 0, or `m < i <= n`.
    fn range(&mut self) -> Option<(&'t str, Range)> {
        let both = self.attempt(|reader| {
            let (from, relation) = (reader.sum()?, reader.relation()?);
            let index = reader.index()?;
            Some((from, relation, index))
        });
        let (from, first, index) = match both {
            Some(both) => both,
            None => (Expression::Number(0), Relation::AtMost, self.index()?),
        };
        let last = self.relation()?;
        let range = Range {
            from,
            with_from: first == Relation::AtMost,
            to: self.sum()?,
            with_to: last == Relation::AtMost,
        };
        let ascends = |relation| matches!(relation, Relation::Less | Relation::AtMost);
        (ascends(first) && ascends(last)).then_some((index, range))
    }

    /// A letter or an element.
    fn named(&mut self) -> Option<Expression> {
        let rest = self.rest.trim_start();
        let names = self.names.iter().copied().enumerate();
        let longest = names
            .filter(|(_, name)| rest.starts_with(name))
            .max_by_key(|(_, name)| name.len());
        let sequence = self.sequences.iter().position(|sequence| {
            let after = rest.strip_prefix(sequence.name.as_str());
            after.is_some_and(|after| after.starts_with('_'))
        });
        match (longest, sequence) {
            (Some((number, name)), None) if !is_function(rest, name) => {
                self.rest = &rest[name.len()..];
                Some(Expression::Letter(number))
            }
            (_, Some(number)) => {
                self.rest = &rest[self.sequences[number].name.len() + 1..];
                let index = self.factor()?;
                Some(Expression::Element(number, Box::new(index)))
            }
            _ => None,
        }
    }

    fn function(&mut self) -> Option<Expression> {
        if self.takes("log2(") {
            let of = Expression::Log2(Box::new(self.sum()?));
            return self.takes(")").then_some(of);
        }
        for (name, rounding) in [("floor(", Rounding::Floor), ("ceil(", Rounding::Ceil)] {
            if self.takes(name) {
                let of = Expression::Rounded(rounding, Box::new(self.sum()?));
                return self.takes(")").then_some(of);
            }
        }
        for (name, operator) in [
            ("min(", Operator::Min),
            ("max(", Operator::Max),
            ("C(", Operator::Choose),
        ] {
            if self.takes(name) {
                let one = self.sum()?;
                let other = self.takes(",").then(|| self.sum())??;
                let of = Expression::Of(operator, Box::new([one, other]));
                return self.takes(")").then_some(of);
            }
        }
        None
    }

    fn number(&mut self) -> Option<Expression> {
        let rest = self.rest.trim_start();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = rest.split_at(digits);
        self.rest = rest;
        number.parse().ok().map(Expression::Number)
    }
}

/// Whether a function begins there, and not that letter.
fn is_function(rest: &str, letter: &str) -> bool {
    let functions = ["floor(", "ceil(", "min(", "max(", "log2(", "mod "];
    letter.len() == 1 && functions.iter().any(|name| rest.starts_with(name))
}
