//! The ends in a line of a file of BookSim's: routers and nodes, which the line says are connected.

use crate::csv_file::{is_whole, shown, whole};
use crate::error::refusal::Refusal;
use crate::machine::topology::irregular::MAX_NODES;
use crate::routers::wormhole::networks::irregular::file::reading::beyond_any_network;

/// A word of a line.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    column: usize,
}

/// The words of a line, between white space.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    rest: &'a str,
    /// Of what is left.
    column: usize,
}

impl<'a> Words<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Words {
            rest: text,
            column: 1,
        }
    }

    fn skip(&mut self, bytes: usize) -> &'a str {
        let (before, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.column += before.chars().count();
        before
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        self.skip(self.rest.len() - self.rest.trim_start().len());
        let column = self.column;
        let end = self.rest.find(char::is_whitespace);
        let text = self.skip(end.unwrap_or(self.rest.len()));
        (!text.is_empty()).then_some(Word { text, column })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Router,
    Node,
}

impl Kind {
    pub(super) fn of(word: &str) -> Option<Self> {
        match word {
            "router" => Some(Kind::Router),
            "node" => Some(Kind::Node),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Router => "router",
            Kind::Node => "node",
        }
    }
}

/// What a line says is connected.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) kind: Kind,
    pub(super) number: u64,
    /// Where its kind stands.
    pub(super) column: usize,
}

/// What is wrong in a line, and in which column.
pub(super) type Wrong = (usize, Refusal);

/// The next end in a line, `router R` or `node T`.
pub(super) fn end(words: &mut Words<'_>) -> Result<Option<End>, Wrong> {
    let Some(Word { text, column }) = words.next() else {
        return Ok(None);
    };
    let Some(kind) = Kind::of(text) else {
        let why = format!(
            "`{}` stands where there must be `router` or `node`",
            shown(text)
        );
        let instead = "write a line as in `router 0 node 0 router 1`";
        return Err((column, Refusal::why(why).instead(instead)));
    };
    let name = kind.name();
    let Some(word) = words.next() else {
        let why = format!("the line ends where the number of a {name} must stand");
        return Err((column, Refusal::why(why)));
    };
    let shown = shown(word.text);
    if !is_whole(word.text) {
        let none = Refusal::why(format!("`{shown}` is not the number of a {name}"));
        return Err((
            word.column,
            none.instead("write it in decimal, without a sign"),
        ));
    }
    let most = match kind {
        Kind::Router => u64::MAX,
        Kind::Node => MAX_NODES as u64 - 1,
    };
    match whole(word.text).filter(|number| *number <= most) {
        Some(number) => Ok(Some(End {
            kind,
            number,
            column,
        })),
        None if kind == Kind::Node => Err((word.column, beyond_any_network(&shown))),
        None => {
            let why = format!("router {shown} is out of range");
            let refusal = Refusal::why(why).instead(format!("choose 0 to {most}"));
            Err((word.column, refusal))
        }
    }
}

/// Passes over the latency behind a connection, where there is one.
pub(super) fn latency(words: &mut Words<'_>) -> Result<(), Wrong> {
    let mut ahead = *words;
    let Some(word) = ahead.next().filter(|word| is_whole(word.text)) else {
        return Ok(());
    };
    *words = ahead;
    match whole(word.text) {
        Some(1u64) => Ok(()),
        _ => {
            let why = format!(
                "the latency is {}, and all links here take one bit time",
                shown(word.text)
            );
            let refusal = Refusal::why(why).instead("leave the latency out");
            Err((word.column, refusal))
        }
    }
}
