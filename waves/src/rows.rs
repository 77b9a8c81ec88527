//! What a view of a dump is made of, whichever viewer shows it: a list of rows, some of them in groups that can be folded. The
//! choice of rows ([`crate::gtkwave`]) is written once; each viewer's file is a list of its own.

use crate::probe::Signal;

/// How a row shows its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Binary,
    Hexadecimal,
    Decimal,
    Text,
    /// By names that a file gives.
    Named,
    Analog,
}

/// What the colours of rows are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    Red,
    Orange,
    Yellow,
    Green,
    Violet,
}

/// A list of rows as it grows.
pub(crate) trait Rows {
    /// A row of text.
    fn label(&mut self, text: &str);

    /// Makes the analog row above it higher.
    fn more_height(&mut self);

    /// Whether the dump holds a signal; rows of those that it lacks are left out.
    fn has(&self, signal: &Signal) -> bool;

    /// A row with a signal, called `name` in the view.
    fn row(&mut self, signal: &Signal, name: &str, shown: Shown, colour: Option<Colour>);

    /// A row whose values are shown by the names in a file.
    fn named_row(&mut self, signal: &Signal, file: &str, colour: Colour);

    /// What follows is in a group.
    fn begin_group(&mut self, name: &str, open: bool);

    /// The group of that name, begun last, is over.
    fn end_group(&mut self, name: &str, open: bool);

    /// Rows of what the dump holds beside what was recorded of the machine, which is called so.
    fn added_rows(&mut self, machine: &str);
}

impl dyn Rows + '_ {
    /// Rows that can be folded.
    pub fn group(&mut self, name: &str, open: bool, rows: impl FnOnce(&mut dyn Rows)) {
        self.begin_group(name, open);
        rows(self);
        self.end_group(name, open);
    }
}
