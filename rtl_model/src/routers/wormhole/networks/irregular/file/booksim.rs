//! Networks from files as BookSim's network `anynet` reads them.
//!
//! A line begins with what it is about, `router R` or `node T`, and has what that is connected to behind it; a latency may stand
//! behind each. What is connected is so both ways.
//!
//! BookSim hangs any number of nodes on a router and lets channels have any latency. Here each router has one node, whose number
//! it goes by, as traffic does; and each link takes one bit time.

mod connections;
mod ends;

use std::io::Read;

use super::reading::{NodesAndLinks, Reading};
use crate::csv_file::Rows;
use crate::error::Error;
use crate::error::refusal::Refusal;

use connections::Connections;
use ends::{Kind, Words, Wrong, end, latency};

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
