//! What a closed form says, and its value.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use crate::closed_form::fraction::Fraction;

/// Numbers that letters stand for: those that are given, those that the form defines, then indices, the innermost last.
pub(super) type Values = Vec<Fraction>;

/// The most values of an index. Forms run over dimensions, and over slots, of which there are fewer than nodes.
const MOST_INDICES: i128 = 1 << 20;

/// The most elements of sequences that are computed from each other, one inside the other: there is one for each dimension.
const MOST_INSIDE: usize = 64;

/// A part of a closed form.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    Number(i128),
    /// By its number among [`Values`].
    Letter(usize),
    /// All of them added up.
    Sum(Vec<Expression>),
    Negative(Box<Expression>),
    Of(Operator, Box<[Expression; 2]>),
    Rounded(Rounding, Box<Expression>),
    /// The logarithm to base 2.
    Log2(Box<Expression>),
    /// 1 if it holds, 0 if not.
    Holds(Box<Condition>),
    Over(Box<Over>),
    /// An element of the sequence of that number.
    Element(usize, Box<Expression>),
    /// The sum of the elements from one to another.
    Elements(usize, Box<[Expression; 2]>),
}

/// What is done with two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Times,
    By,
    Modulo,
    Power,
    Min,
    Max,
    /// In how many ways so many of so many are chosen.
    Choose,
}

/// To whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    Floor,
    Ceil,
}

/// What is so or not.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Condition {
    Even(Expression),
    Odd(Expression),
    /// 1, not 0; no other number says whether it is so.
    Is(Expression),
    /// Each number with the one after it.
    Chain(Expression, Vec<(Relation, Expression)>),
}

/// Between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    Less,
    AtMost,
    More,
    AtLeast,
}

/// What is made of an expression over all values of an index.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Over {
    Sum(Range, Expression),
    /// 0 of no values.
    Max(Range, Expression),
    /// The least index, from 0, with which it holds.
    Least(Condition),
}

/// From the first to the last value of an index, or to those next to it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Range {
    pub from: Expression,
    pub with_from: bool,
    pub to: Expression,
    pub with_to: bool,
}

/// Numbers of which each is computed from its index, which is the last of [`Values`], and elements before it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sequence {
    pub name: String,
    /// Element 0, if it is another than the rest.
    pub first: Option<Expression>,
    /// Element of any index.
    pub element: Option<Expression>,
    /// How many values there are where it is defined.
    pub scope: usize,
}

/// Works expressions out.
pub(super) struct Evaluation<'s> {
    pub values: Values,
    pub sequences: &'s [Sequence],
    /// Elements that are being computed.
    pub inside: usize,
}

impl Evaluation<'_> {
    /// The value; nothing, if there is none or it does not fit.
    pub fn value(&mut self, of: &Expression) -> Option<Fraction> {
        match of {
            Expression::Number(number) => Some(Fraction::whole(*number)),
            Expression::Letter(number) => self.values.get(*number).copied(),
            Expression::Sum(parts) => parts
                .iter()
                .try_fold(Fraction::ZERO, |sum, part| sum.plus(self.value(part)?)),
            Expression::Negative(of) => self.value(of)?.negative(),
            Expression::Of(operator, of) => {
                let [one, other] = &**of;
                operator.apply(self.value(one)?, self.value(other)?)
            }
            // Only powers of 2 have logarithms that are fractions; those of other numbers can be rounded.
            Expression::Rounded(rounding, of) => match &**of {
                Expression::Log2(of) => {
                    let log2 = i128::from(self.value(of)?.to_whole()?.checked_ilog2()?);
                    let is_power = self.value(of)?.to_whole()? == 1 << log2;
                    let up = *rounding == Rounding::Ceil && !is_power;
                    Some(Fraction::whole(log2 + i128::from(up)))
                }
                _ => Some(rounding.apply(self.value(of)?)),
            },
            Expression::Log2(of) => {
                let number = self.value(of)?.to_whole()?;
                let log2 = number.checked_ilog2()?;
                (number == 1 << log2).then_some(Fraction::whole(log2.into()))
            }
            Expression::Holds(condition) => {
                let holds = self.holds(condition)?;
                Some(Fraction::whole(holds.into()))
            }
            Expression::Over(over) => self.over(over),
            Expression::Element(sequence, index) => {
                let index = self.value(index)?.to_whole()?;
                self.element(*sequence, index)
            }
            Expression::Elements(sequence, ends) => {
                let [first, last] = &**ends;
                let first = self.value(first)?.to_whole()?;
                let last = self.value(last)?.to_whole()?;
                counted(first..=last)?.try_fold(Fraction::ZERO, |sum, index| {
                    sum.plus(self.element(*sequence, index)?)
                })
            }
        }
    }

    /// Whether it is so; nothing, if a number has no value.
    pub fn holds(&mut self, condition: &Condition) -> Option<bool> {
        let modulo_2 = |number: Fraction| Some(number.to_whole()?.rem_euclid(2));
        Some(match condition {
            Condition::Even(of) => modulo_2(self.value(of)?)? == 0,
            Condition::Odd(of) => modulo_2(self.value(of)?)? == 1,
            Condition::Is(of) => match self.value(of)?.to_whole()? {
                number @ 0..=1 => number == 1,
                _ => return None,
            },
            Condition::Chain(first, rest) => {
                let mut one = self.value(first)?;
                let mut holds = true;
                for (relation, other) in rest {
                    let other = self.value(other)?;
                    holds &= relation.holds(one.compare(other)?);
                    one = other;
                }
                holds
            }
        })
    }

    fn over(&mut self, over: &Over) -> Option<Fraction> {
        match over {
            Over::Sum(range, of) => self
                .indices(range)?
                .try_fold(Fraction::ZERO, |sum, index| sum.plus(self.at(index, of)?)),
            Over::Max(range, of) => {
                let most = self.indices(range)?.try_fold(None, |most, index| {
                    let value = self.at(index, of)?;
                    Some(Some(match most {
                        Some(most) => Operator::Max.apply(most, value)?,
                        None => value,
                    }))
                });
                Some(most?.unwrap_or(Fraction::ZERO))
            }
            Over::Least(condition) => {
                for index in 0..MOST_INDICES {
                    if self.within(index, |here| here.holds(condition))? {
                        return Some(Fraction::whole(index));
                    }
                }
                None
            }
        }
    }

    fn indices(&mut self, range: &Range) -> Option<RangeInclusive<i128>> {
        let mut end = |of| self.value(of)?.to_whole();
        let (from, to) = (end(&range.from)?, end(&range.to)?);
        let from = from.checked_add(i128::from(!range.with_from))?;
        counted(from..=to.checked_sub(i128::from(!range.with_to))?)
    }

    fn within<T>(&mut self, index: i128, what: impl FnOnce(&mut Self) -> T) -> T {
        self.values.push(Fraction::whole(index));
        let found = what(self);
        self.values.pop();
        found
    }

    fn at(&mut self, index: i128, of: &Expression) -> Option<Fraction> {
        self.within(index, |here| here.value(of))
    }

    fn element(&mut self, sequence: usize, index: i128) -> Option<Fraction> {
        let all = self.sequences;
        let Sequence {
            first,
            element,
            scope,
            ..
        } = all.get(sequence)?;
        if index < 0 || self.inside == MOST_INSIDE {
            return None;
        }
        self.inside += 1;
        // Indices of where it stands mean nothing where it is defined.
        let inner = self.values.split_off(*scope);
        let found = match (first, element) {
            (Some(first), _) if index == 0 => self.value(first),
            (_, Some(element)) => self.at(index, element),
            _ => None,
        };
        self.values.extend(inner);
        self.inside -= 1;
        found
    }
}

/// Indices, if they are not too many.
fn counted(indices: RangeInclusive<i128>) -> Option<RangeInclusive<i128>> {
    let count = indices.end().checked_sub(*indices.start())?;
    (count < MOST_INDICES).then_some(indices)
}

impl Operator {
    fn apply(self, one: Fraction, other: Fraction) -> Option<Fraction> {
        match self {
            Operator::Times => one.times(other),
            Operator::By => one.by(other),
            Operator::Modulo => {
                let whole = one.by(other)?.floor();
                one.plus(other.times(whole)?.negative()?)
            }
            Operator::Power => one.power(other),
            Operator::Min => Some(if one.compare(other)?.is_le() {
                one
            } else {
                other
            }),
            Operator::Max => Some(if one.compare(other)?.is_ge() {
                one
            } else {
                other
            }),
            Operator::Choose => choose(one.to_whole()?, other.to_whole()?),
        }
    }
}

/// 0 if fewer than none are chosen, or more than there are.
fn choose(of: i128, chosen: i128) -> Option<Fraction> {
    if !(0..=of).contains(&chosen) {
        return Some(Fraction::ZERO);
    }
    let ways = (0..chosen).try_fold(1i128, |ways, taken| {
        Some(ways.checked_mul(of - taken)? / (taken + 1))
    })?;
    Some(Fraction::whole(ways))
}

impl Rounding {
    fn apply(self, number: Fraction) -> Fraction {
        match self {
            Rounding::Floor => number.floor(),
            Rounding::Ceil => number.ceil(),
        }
    }
}

impl Relation {
    /// Whether the one stands so to the other.
    fn holds(self, one_to_other: Ordering) -> bool {
        match self {
            Relation::Equal => one_to_other.is_eq(),
            Relation::Less => one_to_other.is_lt(),
            Relation::AtMost => one_to_other.is_le(),
            Relation::More => one_to_other.is_gt(),
            Relation::AtLeast => one_to_other.is_ge(),
        }
    }
}
