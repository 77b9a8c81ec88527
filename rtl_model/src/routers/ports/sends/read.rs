//! A list of sends from a CSV file with the header `step,from,to,packet`. Rows may stand in any order, and there may be steps in
//! which nothing is sent. Rows end in LF, CRLF or CR.

use std::io::Read;

use crate::csv_file::{Broken, Row, Rows, is_whole, shown};
use crate::error::Error;
use crate::error::sends_file::Problem;
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
/// A broadcast that cannot be; [`Error::SendsFile`], with the line and the [`Problem`]; [`Error::NeverSent`], where a node never gets
/// a packet; a list that does not fit into memory.
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
    fn at(&self, line: u64, problem: Problem) -> Error {
        Error::SendsFile {
            path: self.path.to_owned(),
            line,
            problem: Box::new(problem),
        }
    }

    fn lines(&self, input: impl Read, available: impl Fn() -> u64) -> Result<Vec<Line>, Error> {
        let malformed = |broken: Broken| self.at(broken.line, Problem::Malformed(broken.malformed));
        let mut rows = Rows::new(input);
        match rows.headings().map_err(malformed)? {
            None => return Err(self.at(1, Problem::Empty)),
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

    fn header(&self, row: &Row) -> Result<(), Error> {
        match row.fields().eq(HEADER) {
            true => Ok(()),
            false => {
                let found = row.shown();
                Err(self.at(row.line, Problem::Header { found }))
            }
        }
    }

    /// What a row says, if there is such a link and such a packet.
    fn send(&self, row: &Row) -> Result<Send, Error> {
        if row.len() != HEADER.len() {
            let found = row.len();
            return Err(self.at(row.line, Problem::FieldCount { found }));
        }
        let Broadcast { cube, packets, .. } = self.broadcast;
        let step = self.number(row, 0, self.most_steps() - 1)?;
        let (from, to) = (
            self.number(row, 1, cube.nodes() - 1)?,
            self.number(row, 2, cube.nodes() - 1)?,
        );
        let apart = (from ^ to).count_ones();
        if apart != 1 {
            let problem = Problem::NotNeighbours { from, to, apart };
            return Err(self.at(row.line, problem));
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
    fn number(&self, row: &Row, column: usize, last: usize) -> Result<usize, Error> {
        let text = row.field(column);
        if !is_whole(text) {
            let (column, text) = (HEADER[column], shown(text));
            return Err(self.at(row.line, Problem::NotANumber { column, text }));
        }
        // What no `usize` holds is too large in any case.
        match text.parse() {
            Ok(number) if number <= last => Ok(number),
            _ => Err(self.at(row.line, self.too_large(column, shown(text), last))),
        }
    }

    fn too_large(&self, column: usize, number: String, last: usize) -> Problem {
        let Broadcast {
            cube,
            packets,
            packet_bits,
            ..
        } = self.broadcast;
        match HEADER[column] {
            "step" => Problem::TooManySteps {
                step: number,
                last,
                packets,
                packet_bits,
                dimensions: cube.count(),
                bits: MOST_LISTED_BITS,
            },
            "packet" => Problem::PacketOutOfRange {
                packet: number,
                last,
            },
            _ => Problem::NodeOutOfRange { node: number, last },
        }
    }
}

#[cfg(test)]
mod tests;
