//! How a table of rows shows what it has of an entry.

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

    /// With cells to the left.
    pub const fn left(self) -> Self {
        Heading {
            is_left: true,
            ..self
        }
    }

    /// With so many digits behind the point; a dash, where there is no number.
    pub const fn digits(self, digits: usize) -> Self {
        Heading {
            digits: Some(digits),
            ..self
        }
    }

    /// Where rows differ in its cells; else it is said in words, the value in the place of `{}`.
    pub const fn or_in_words(self, words: &'static str) -> Self {
        Heading {
            shown: Shown::OrInWords(words),
            ..self
        }
    }

    /// Where rows differ in its value.
    pub const fn if_rows_differ(self) -> Self {
        Heading {
            shown: Shown::IfRowsDiffer,
            ..self
        }
    }

    /// Where a row has a value.
    pub const fn if_any_has(self) -> Self {
        Heading {
            shown: Shown::IfAnyHas,
            ..self
        }
    }
}
