//! How a table of rows shows what it has of an entry.

use crate::setters::setters;

/// The heading of a column, and how its cells are written.
#[derive(Clone, Copy, Debug)]
pub struct Heading {
    /// What stands above the cells.
    pub text: &'static str,
    /// Its cells stand to the left, as names do; else to the right.
    pub is_left: bool,
    /// Digits behind the point, and a dash where there is no number; else the value as it is.
    pub digits: Option<usize>,
    /// When there is such a column.
    pub shown: Shown,
}

/// When a column is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Whatever rows have.
    Always,
    /// Where rows differ in its cells; else it is said in words, the value in the place of `{}`.
    OrInWords(&'static str),
    /// Where rows differ in its value.
    IfRowsDiffer,
    /// Where a row has a value.
    IfAnyHas,
}

impl Heading {
    /// That text, above values as they are, to the right.
    pub const fn of(text: &'static str) -> Self {
        Heading {
            text,
            is_left: false,
            digits: None,
            shown: Shown::Always,
        }
    }

    setters! {
        /// With cells to the left.
        left() { is_left: true }
        /// With so many digits behind the point; a dash, where there is no number.
        digits(digits: usize) { digits: Some(digits) }
        /// Where rows differ in its cells; else it is said in words, the value in the place of `{}`.
        or_in_words(words: &'static str) { shown: Shown::OrInWords(words) }
        /// Where rows differ in its value.
        if_rows_differ() { shown: Shown::IfRowsDiffer }
        /// Where a row has a value.
        if_any_has() { shown: Shown::IfAnyHas }
    }
}
