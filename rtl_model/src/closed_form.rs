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
//! written is in [`reader`]. Numbers are exact.

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

/// A closed form that cannot be evaluated: a mistake of who has written it.
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

/// A formula and its value. Where it is read off elsewhere, it has been evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClosedForm {
    /// As one would write it, in the letters of its family, with the sizes that it is for if they are not all.
    pub text: &'static str,
    /// Its value here.
    pub value: u64,
}

impl ClosedForm {
    /// The case of a text that is meant where letters stand for these numbers, and its value.
    ///
    /// # Panics
    /// If there is none, which is a mistake in the text, with what is wrong.
    pub fn of(text: &'static str, letters: &[Letter<'_>]) -> Self {
        let (text, value) = whole(text, letters);
        ClosedForm { text, value }
    }

    /// What has no formula, and is counted beforehand: what it is, in words.
    pub fn counted(text: &'static str, value: u64) -> Self {
        ClosedForm { text, value }
    }
}

/// As [`ClosedForm::of`], of a text that is not known before it runs.
///
/// # Panics
/// As [`ClosedForm::of`].
pub fn whole<'t>(text: &'t str, letters: &[Letter<'_>]) -> (&'t str, u64) {
    let found = evaluate(text, letters).and_then(|(text, value)| {
        let whole = value.to_whole().and_then(|value| value.try_into().ok());
        let value = whole.ok_or_else(|| no_value(text, letters))?;
        Ok((text, value))
    });
    found.unwrap_or_else(|error| panic!("{error}"))
}

/// As [`ClosedForm::of`], where the value may be a fraction.
///
/// # Panics
/// As [`ClosedForm::of`], but for that.
pub fn fraction(text: &str, letters: &[Letter<'_>]) -> Fraction {
    match evaluate(text, letters) {
        Ok((_, value)) => value,
        Err(error) => panic!("{error}"),
    }
}

/// The case of a text that is meant where letters stand for these numbers, and its value, which may be a fraction.
///
/// # Errors
/// [`Error`]; all cases are read, also those that are not meant.
pub fn evaluate<'t>(text: &'t str, letters: &[Letter<'_>]) -> Result<(&'t str, Fraction), Error> {
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
            meant = value.map(|value| (text, value));
        }
    }
    meant.ok_or_else(|| Error::NoCase {
        text: text.to_owned(),
        letters: in_numbers(letters),
    })
}

/// The value where a case is meant.
fn value(case: &Case, letters: &[Letter<'_>]) -> Option<Option<Fraction>> {
    let numbers = letters.iter().map(|(_, number)| Fraction::new(*number, 1));
    let mut here = Evaluation {
        values: numbers.collect(),
        sequences: &case.sequences,
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
