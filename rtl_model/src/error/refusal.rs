//! What is refused, as a value, and the one way in which it is shown.

use std::fmt::{self, Display, Formatter};

/// What is refused, where, why, and what to do instead: said next to the code that refuses it. It is shown as
/// `cuts.csv, line 3, column 1 (node): node 8 is out of range: choose 0 to 7`, without what is not said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal(Box<Said>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Said {
    what: String,
    line: Option<u64>,
    column: Option<(usize, String)>,
    why: String,
    instead: String,
    kind_together: Option<&'static str>,
}

impl Refusal {
    /// Of an option, a file, a testbench; or a sentence that says what cannot be.
    pub fn of(what: impl Display) -> Self {
        Refusal::default().about(what)
    }

    /// For a reason, of something that is named later ([`Refusal::about`]).
    pub fn why(why: impl Display) -> Self {
        Refusal::default().because(why)
    }

    /// Names what is refused.
    pub fn about(mut self, what: impl Display) -> Self {
        self.0.what = what.to_string();
        self
    }

    /// Of a file: the line, from 1.
    pub fn at_line(mut self, line: u64) -> Self {
        self.0.line = Some(line);
        self
    }

    /// In a line: the column, from 1, and its heading, if it is one of a table and has one.
    pub fn at_column(mut self, number: usize, heading: &str) -> Self {
        self.0.column = Some((number, heading.to_owned()));
        self
    }

    /// Why it cannot be.
    pub fn because(mut self, why: impl Display) -> Self {
        self.0.why = why.to_string();
        self
    }

    /// What to do instead.
    pub fn instead(mut self, instead: impl Display) -> Self {
        self.0.instead = instead.to_string();
        self
    }

    /// Each of the choices can be, and only these together cannot: a sweep over them goes without, and tells of all that are
    /// refused for a reason of this kind once.
    pub fn only_together(mut self, kind: &'static str) -> Self {
        self.0.kind_together = Some(kind);
        self
    }

    /// The kind of reason for which these choices cannot be together; none if one of them cannot be at all.
    pub fn kind_together(&self) -> Option<&'static str> {
        self.0.kind_together
    }

    /// Whether it is that of this option.
    pub fn is_of(&self, option: &str) -> bool {
        self.0.what == option
    }
}

impl Display for Refusal {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let mut subject = self.0.what.clone();
        if let Some(line) = self.0.line {
            subject += &format!(", line {line}");
        }
        if let Some((number, heading)) = &self.0.column {
            subject += &format!(", column {number}");
            if !heading.is_empty() {
                subject += &format!(" ({heading})");
            }
        }
        let parts = [&subject, &self.0.why, &self.0.instead].map(String::as_str);
        let said: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        formatter.write_str(&said.join(": "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_shown_in_one_order() {
        let whole = Refusal::why("node 8 is out of range")
            .instead("choose 0 to 7")
            .about("cuts.csv")
            .at_line(3)
            .at_column(1, "node");
        assert_eq!(
            whole.to_string(),
            "cuts.csv, line 3, column 1 (node): node 8 is out of range: choose 0 to 7"
        );
        assert_eq!(
            Refusal::of("0 shares").instead("choose 1").to_string(),
            "0 shares: choose 1"
        );
        assert_eq!(Refusal::why("there is none").to_string(), "there is none");
    }
}
