//! Networks from files as BookSim's network `anynet` reads them.
//!
//! A line begins with what it is about, `router R` or `node T`, and has what that is connected to behind it; a latency may stand
//! behind each. What is connected is so both ways.
//!
//! BookSim hangs any number of nodes on a router and lets channels have any latency. Here each router has one node, whose number
//! it goes by, as traffic does; and each link takes one bit time.

mod connections;

use std::io::Read;

use super::{NodesAndLinks, Reading, beyond_any_network};
use crate::csv_file::{Rows, is_whole, shown, whole};
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::irregular::MAX_NODES;

use connections::Connections;

/// Whether a line can only be one of such a file.
pub(super) fn is_line(text: &str) -> bool {
    let first = Words::of(text).next();
    first.is_some_and(|word| Kind::of(word.text).is_some())
}

/// Of lines of which the first is the current one.
pub(super) fn read(
    reading: &Reading<'_>,
    mut rows: Rows<impl Read>,
) -> Result<NodesAndLinks, Error> {
    let mut read = Connections::default();
    loop {
        let line = rows.lines();
        connect(&mut read, line, rows.text())
            .map_err(|(column, refusal)| reading.at((line, column), refusal))?;
        if !rows
            .next_text()
            .map_err(|broken| reading.malformed(broken))?
        {
            break;
        }
    }
    read.network()
        .map_err(|(place, refusal)| reading.at(place, refusal))
}

/// A word of a line.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    column: usize,
}

/// The words of a line, between white space.
#[derive(Clone, Copy)]
struct Words<'a> {
    rest: &'a str,
    /// Of what is left.
    column: usize,
}

impl<'a> Words<'a> {
    fn of(text: &'a str) -> Self {
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
enum Kind {
    Router,
    Node,
}

impl Kind {
    fn of(word: &str) -> Option<Self> {
        match word {
            "router" => Some(Kind::Router),
            "node" => Some(Kind::Node),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Router => "router",
            Kind::Node => "node",
        }
    }
}

/// What a line says is connected.
#[derive(Clone, Copy)]
struct End {
    kind: Kind,
    number: u64,
    /// Where its kind stands.
    column: usize,
}

/// What is wrong in a line, and in which column.
type Wrong = (usize, Refusal);

/// The next end in a line, `router R` or `node T`.
fn end(words: &mut Words<'_>) -> Result<Option<End>, Wrong> {
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
fn latency(words: &mut Words<'_>) -> Result<(), Wrong> {
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

/// Connects what a line says is connected.
fn connect(read: &mut Connections, line: u64, text: &str) -> Result<(), Wrong> {
    let mut words = Words::of(text);
    let Some(head) = end(&mut words)? else {
        return Ok(());
    };
    let mut is_alone = true;
    while let Some(other) = end(&mut words)? {
        latency(&mut words)?;
        read.connect(line, head, other)?;
        is_alone = false;
    }
    match is_alone {
        false => Ok(()),
        true => {
            let (name, number) = (head.kind.name(), head.number);
            let why = format!("nothing is connected to {name} {number} in this line");
            let instead = "say what is, as in `router 0 node 0 router 1`, or leave the line out";
            Err((head.column, Refusal::why(why).instead(instead)))
        }
    }
}
