//! Closed forms: what a measured value must be, as a text that is evaluated.
//!
//! ```text
//!   "D+1 (k=1); 3k^2/4+2k-10+(k-2)D (even k); (3k^2+8k-27)/4+(k-2)D"      k = 8, D = 8
//!     not here     here                         not here
//!                  text  3k^2/4+2k-10+(k-2)D (even k)
//!                  value 102
//! ```
//!
//! A text has a case or several; the first whose conditions hold is meant, and is the one that a report prints. How they are
//! written is in `closed_form/reader.rs`. Numbers are exact.

mod expression;
pub mod fraction;
mod reader;

use expression::Evaluation;
use fraction::Fraction;
use reader::Case;

#[cfg(test)]
mod tests;

/// What a letter stands for.
pub type Letter<'l> = (&'l str, u64);

/// A closed form that cannot be evaluated: a mistake of whoever wrote it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// It is not written as closed forms are, or in other letters.
    #[error("closed form `{text}`: `{rest}` cannot be read in the letters {letters}")]
    Unread {
        /// The case.
        text: String,
        /// What of it.
        rest: String,
        /// Those that there are.
        letters: String,
    },
    /// All cases are for other sizes.
    #[error("closed form `{text}` says nothing of {letters}")]
    NoCase {
        /// With all cases.
        text: String,
        /// With their numbers.
        letters: String,
    },
    /// It has no value, one that is too large, or one that is no whole number from 0 where there must be one.
    #[error("closed form `{text}` has no such value for {letters}")]
    NoValue {
        /// The case.
        text: String,
        /// With their numbers.
        letters: String,
    },
}

/// A formula and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClosedForm {
    /// As one would write it, in the letters of its family, with the sizes that it is for if they are not all.
    pub text: &'static str,
    /// Without the sizes that it is for.
    pub formula: &'static str,
    /// Its value here.
    pub value: u64,
}

impl ClosedForm {
    /// The case of a text that is meant where letters stand for these numbers, and its value.
    ///
    /// # Panics
    /// If there is none, which is a mistake in the text, with what is wrong.
    pub fn of(text: &'static str, letters: &[Letter<'_>]) -> Self {
        let Meant {
            text,
            formula,
            value,
        } = meant(text, letters);
        let value = whole_number(value, (text, letters));
        ClosedForm {
            text,
            formula,
            value,
        }
    }

    /// What has no formula, and is counted beforehand: what it is, in words.
    pub fn counted(text: &'static str, value: u64) -> Self {
        ClosedForm {
            text,
            formula: text,
            value,
        }
    }
}

/// The value of a text that is made as it runs, where letters stand for these numbers.
///
/// # Panics
/// As [`ClosedForm::of`].
pub fn whole_value(text: &str, letters: &[Letter<'_>]) -> u64 {
    whole_number(exact_value(text, letters), (text, letters))
}

/// As [`whole_value`], where the value may be a fraction.
///
/// # Panics
/// If no case is meant, or it has no value.
pub fn exact_value(text: &str, letters: &[Letter<'_>]) -> Fraction {
    meant(text, letters).value
}

fn meant<'t>(text: &'t str, letters: &[Letter<'_>]) -> Meant<'t> {
    evaluate(text, letters).unwrap_or_else(|error| panic!("{error}"))
}

fn whole_number(value: Fraction, (text, letters): (&str, &[Letter<'_>])) -> u64 {
    let whole = value.to_whole().and_then(|value| value.try_into().ok());
    whole.unwrap_or_else(|| panic!("{}", no_value(text, letters)))
}

/// The case of a text that is meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meant<'t> {
    /// As [`ClosedForm::text`].
    pub text: &'t str,
    /// As [`ClosedForm::formula`].
    pub formula: &'t str,
    /// Its value.
    pub value: Fraction,
}

/// The case of a text that is meant where letters stand for these numbers.
///
/// # Errors
/// [`Error`]; all cases are read, also those that are not meant.
pub fn evaluate<'t>(text: &'t str, letters: &[Letter<'_>]) -> Result<Meant<'t>, Error> {
    let names: Vec<&str> = letters.iter().map(|(name, _)| *name).collect();
    let mut meant = None;
    for text in text.split(';').map(str::trim) {
        let case = reader::case(text, &names).map_err(|rest| Error::Unread {
            text: text.to_owned(),
            rest: rest.to_owned(),
            letters: names.join(", "),
        })?;
        if meant.is_none() {
            let value = value(&case, letters).ok_or_else(|| no_value(text, letters))?;
            meant = value.map(|value| Meant {
                text,
                formula: case.formula,
                value,
            });
        }
    }
    meant.ok_or_else(|| Error::NoCase {
        text: text.to_owned(),
        letters: in_numbers(letters),
    })
}

/// Nothing if it has no value; `Some(None)` if the case is not meant.
fn value(case: &Case<'_>, letters: &[Letter<'_>]) -> Option<Option<Fraction>> {
    let numbers = letters.iter().map(|(_, number)| Fraction::new(*number, 1));
    let mut here = Evaluation {
        values: numbers.collect(),
        sequences: &case.sequences,
        inside: 0,
    };
    for condition in &case.conditions {
        if !here.holds(condition)? {
            return Some(None);
        }
    }
    for of in &case.definitions {
        let value = here.value(of)?;
        here.values.push(value);
    }
    here.value(&case.value).map(Some)
}

fn no_value(text: &str, letters: &[Letter<'_>]) -> Error {
    Error::NoValue {
        text: text.to_owned(),
        letters: in_numbers(letters),
    }
}

fn in_numbers(letters: &[Letter<'_>]) -> String {
    let numbers = letters
        .iter()
        .map(|(name, number)| format!("{name} = {number}"));
    numbers.collect::<Vec<_>>().join(", ")
}
