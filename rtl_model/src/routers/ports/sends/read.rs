//! A list of sends from a CSV file with the header `step,from,to,packet`. Rows may stand in any order, and there may be steps in
//! which nothing is sent. Rows end in LF, CRLF or CR.

use std::io::Read;

use crate::csv_file::{Broken, Fields, Rows, is_whole, shown};
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::memory::{available, require_growing};
use crate::routers::ports::algorithm::Algorithm;
use crate::routers::ports::broadcast::{Broadcast, MOST_LISTED_BITS};
use crate::routers::ports::sends::Send;
use crate::routers::ports::sends::check::{Line, check};

/// The columns.
const HEADER: [&str; 4] = ["step", "from", "to", "packet"];

/// A file being read: knows its name, for what it has to say.
struct Reading<'a> {
    path: &'a str,
    broadcast: Broadcast,
}

/// Reads the list in `input` and checks it against a broadcast: whether it keeps to its ports, and each node sends what it has, and
/// gets everything once. What the algorithm of the broadcast is does not matter. `path` is what errors call the file.
///
/// # Errors
/// A broadcast that cannot be; what is wrong, with the line; [`Error::NeverSent`], where a node never gets a packet; a list that
/// does not fit into memory.
pub fn read_sends(path: &str, input: impl Read, broadcast: &Broadcast) -> Result<Vec<Send>, Error> {
    read_within(path, input, broadcast, available)
}

fn read_within(
    path: &str,
    input: impl Read,
    broadcast: &Broadcast,
    available: impl Fn() -> u64,
) -> Result<Vec<Send>, Error> {
    let algorithm = Algorithm::Listed { steps: 1 };
    let broadcast = Broadcast {
        algorithm,
        ..*broadcast
    }
    .checked()?;
    let lines = Reading { path, broadcast }.lines(input, available)?;
    check(path, &broadcast, lines)
}

impl Reading<'_> {
    fn at(&self, line: u64, refusal: Refusal) -> Error {
        refusal.about(self.path).at_line(line).into()
    }

    fn lines(&self, input: impl Read, available: impl Fn() -> u64) -> Result<Vec<Line>, Error> {
        let malformed = |broken: Broken| self.at(broken.line, Refusal::why(broken.malformed));
        let mut rows = Rows::new(input);
        match rows.headings().map_err(malformed)? {
            None => {
                let must = "the first line must be `step,from,to,packet`, and a send stands in each line below it";
                return Err(self.at(1, Refusal::why("the file is empty").instead(must)));
            }
            Some(row) => self.header(row)?,
        }
        let mut lines: Vec<Line> = Vec::new();
        while let Some(row) = rows.next_row().map_err(malformed)? {
            let (send, line) = (self.send(row)?, row.line);
            require_growing(lines.len(), "sends", Line::BYTES, &available)?;
            lines.push(Line { send, line });
        }
        Ok(lines)
    }

    fn header(&self, row: &Fields) -> Result<(), Error> {
        match row.fields().eq(HEADER) {
            true => Ok(()),
            false => {
                let header = Refusal::why(format!("the header is `{}`", row.shown()));
                let must = "it must be `step,from,to,packet`, in lower case, with commas between";
                Err(self.at(row.line, header.instead(must)))
            }
        }
    }

    /// What a row says, if there is such a link and such a packet.
    fn send(&self, row: &Fields) -> Result<Send, Error> {
        if row.len() != HEADER.len() {
            let why = format!(
                "fields in this line: {}; there must be four, as in `0,0,1,0`: step, from, to and packet",
                row.len()
            );
            return Err(self.at(row.line, Refusal::why(why)));
        }
        let Broadcast { cube, packets, .. } = self.broadcast;
        let step = self.number(row, 0, self.most_steps() - 1)?;
        let (from, to) = (
            self.number(row, 1, cube.nodes() - 1)?,
            self.number(row, 2, cube.nodes() - 1)?,
        );
        let apart = (from ^ to).count_ones();
        if apart != 1 {
            let apart = match apart {
                0 => "none".to_owned(),
                _ => apart.to_string(),
            };
            let why = format!(
                "nodes {from} and {to} are not neighbours: links join nodes whose numbers differ in one bit, and theirs differ in \
                 {apart}"
            );
            return Err(self.at(row.line, Refusal::why(why)));
        }
        let packet = self.number(row, 3, packets - 1)?;
        Ok(Send {
            step,
            from,
            to,
            packet,
        })
    }

    /// The most steps for which a node has registers.
    fn most_steps(&self) -> usize {
        let Broadcast {
            cube,
            packets,
            packet_bits,
            ..
        } = self.broadcast;
        (MOST_LISTED_BITS - packets * packet_bits) / (2 * cube.count() * packets)
    }

    /// The number in a field, up to `last`.
    fn number(&self, row: &Fields, column: usize, last: usize) -> Result<usize, Error> {
        let text = row.field(column);
        if !is_whole(text) {
            let none = Refusal::why(format!("`{}` is not a number", shown(text)));
            let write = format!(
                "write column `{}` in decimal, counted from 0",
                HEADER[column]
            );
            return Err(self.at(row.line, none.instead(write)));
        }
        // What no `usize` holds is too large in any case.
        match text.parse() {
            Ok(number) if number <= last => Ok(number),
            _ => Err(self.at(row.line, self.too_large(column, &shown(text), last))),
        }
    }

    fn too_large(&self, column: usize, number: &str, last: usize) -> Refusal {
        let Broadcast {
            cube,
            packets,
            packet_bits,
            ..
        } = self.broadcast;
        match HEADER[column] {
            "step" => Refusal::why(format!(
                "step {number} is out of range: a node has {MOST_LISTED_BITS} bits at the most for a list (PB + 2nPS, in S steps), \
                 so with {packets} packets of {packet_bits} bits in {} dimensions there are steps 0 to {last}",
                cube.count()
            ))
            .instead("leave out steps in which nothing is sent, or use fewer packets"),
            "packet" => Refusal::why(format!(
                "packet {number} is out of range: the message has packets 0 to {last}"
            )),
            _ => Refusal::why(format!(
                "node {number} is out of range: the cube has nodes 0 to {last}"
            )),
        }
    }
}

#[cfg(test)]
mod tests;
