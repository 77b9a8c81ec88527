//! Traffic from a CSV file: header `source,destination` and, optionally, `payload` (hexadecimal,
//! its least significant bit the first to be sent; missing or empty: drawn from the seed). Nodes go
//! by number, or by the name that their network gives them. Rows end in LF, CRLF or CR.

mod batches;
mod part;
mod permutation;
mod relation;
mod timed;

use std::io::Read;

use bitvec::vec::BitVec;

use crate::csv_file::{Broken, Row, Rows, hexadecimal, is_whole, shown};
use crate::error::Error;
use crate::error::traffic_file::Problem;
use crate::machine::topology::Topology;
use crate::traffic::{NodeSet, Nodes};

pub use batches::{Batched, read_batches};
pub use part::{read_part, reading_part_bytes};
pub use permutation::{read_traffic, reading_bytes};
pub use relation::read_relation;
pub use timed::{LAST_TIME, Timed, read_timed};

/// Columns of a file, by their place in a line.
struct Columns {
    source: usize,
    destination: Option<usize>,
    payload: Option<usize>,
    /// Only where messages go in batches.
    batch: Option<usize>,
}

/// A file being read: knows its name, for what it has to say.
struct Reading<'a, T> {
    path: &'a str,
    topology: &'a T,
    /// Whether a column may say which batch a message is in.
    has_batches: bool,
}

impl<'a, T: Topology> Reading<'a, T> {
    /// Of a list of messages, or of nodes, for which there has to be room.
    fn of_list(path: &'a str, topology: &'a T) -> Result<(Self, Nodes), Error> {
        let nodes = Nodes::new(topology.nodes())?;
        nodes.check_listed()?;
        let reading = Reading {
            path,
            topology,
            has_batches: false,
        };
        Ok((reading, nodes))
    }

    fn at(&self, line: u64, column: usize, problem: Problem) -> Error {
        Error::TrafficFile {
            path: self.path.to_owned(),
            line,
            column,
            problem: Box::new(problem),
        }
    }

    fn rows(
        &self,
        input: impl Read,
        destination_is_needed: bool,
        row: impl FnMut(&Columns, &Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let header = |row: &Row| self.header(row, destination_is_needed);
        self.table(input, header, row)
    }

    /// Every row, with the columns that `header` finds in the first one.
    fn table<C>(
        &self,
        input: impl Read,
        header: impl Fn(&Row) -> Result<C, Error>,
        mut row: impl FnMut(&C, &Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let malformed = |broken: Broken| {
            let Broken {
                line,
                column,
                malformed,
            } = broken;
            self.at(line, column, Problem::Malformed(malformed))
        };
        let mut rows = Rows::new(input);
        let Some(first) = rows.headings().map_err(malformed)? else {
            return header(&Row::default()).map(|_| ());
        };
        let (header_line, expected, columns) = (first.line, first.len(), header(first)?);
        let mut is_empty = true;
        while let Some(current) = rows.next_row().map_err(malformed)? {
            let found = current.len();
            if found != expected {
                let problem = Problem::FieldCount { found, expected };
                return Err(self.at(current.line, 1, problem));
            }
            row(&columns, current)?;
            is_empty = false;
        }
        match rows.lines() - header_line {
            lines if is_empty && lines > 0 => {
                Err(self.at(rows.lines(), 1, Problem::NothingBelow { lines }))
            }
            _ => Ok(()),
        }
    }

    /// The header `row` has no such column; an empty file has none at all.
    fn no_column(&self, row: &Row, column: &'static str, destination_is_needed: bool) -> Error {
        let problem = Problem::MissingColumn {
            column,
            destination_is_needed,
        };
        self.at(row.line.max(1), 1, problem)
    }

    fn header(&self, row: &Row, destination_is_needed: bool) -> Result<Columns, Error> {
        let place = |name: &str| row.fields().position(|field| field == name);
        let missing = |column| self.no_column(row, column, destination_is_needed);
        let columns = Columns {
            source: place("source").ok_or_else(|| missing("source"))?,
            destination: place("destination"),
            payload: place("payload"),
            batch: place("batch").filter(|_| self.has_batches),
        };
        if destination_is_needed && columns.destination.is_none() {
            return Err(missing("destination"));
        }
        let known = [
            Some(columns.source),
            columns.destination,
            columns.payload,
            columns.batch,
        ];
        match (0..row.len()).find(|&index| !known.contains(&Some(index))) {
            None => Ok(columns),
            Some(index) => {
                let heading = shown(row.field(index));
                let problem = Problem::UnknownColumn { heading };
                Err(self.at(row.line, row.column(index), problem))
            }
        }
    }

    fn node(&self, row: &Row, index: usize) -> Result<usize, Error> {
        let (text, topology) = (row.field(index), self.topology);
        if let Some(node) = topology.node_named(text) {
            return Ok(node);
        }
        let last = topology.nodes() - 1;
        let is_number = is_whole(text);
        let (text, last_name) = (shown(text), topology.node_name(last));
        let problem = match is_number {
            true => Problem::NodeOutOfRange { node: text, last },
            false if last_name == last.to_string() => Problem::NotANumber { text },
            false => Problem::NoSuchNode {
                text,
                last,
                first_name: topology.node_name(0),
                last_name,
            },
        };
        Err(self.at(row.line, row.column(index), problem))
    }

    /// Source and destination of a row's message.
    fn ends(&self, columns: &Columns, row: &Row) -> Result<(usize, usize), Error> {
        let source = self.node(row, columns.source)?;
        Ok((source, self.node(row, columns.destination())?))
    }

    /// The payload that a row gives, if it does.
    fn given(
        &self,
        columns: &Columns,
        row: &Row,
        payload_bits: usize,
    ) -> Result<Option<BitVec<u64>>, Error> {
        let column = columns.payload;
        let column = column.filter(|&column| !row.field(column).is_empty());
        let given = column.map(|column| {
            payload(row.field(column), payload_bits)
                .map_err(|problem| self.at(row.line, row.column(column), problem))
        });
        given.transpose()
    }

    /// The refusal of a row whose source has a message already, in a line before.
    fn twice_from(&self, columns: &Columns, row: &Row, (source_node, line): (usize, u64)) -> Error {
        let problem = Problem::DuplicateSource { source_node, line };
        self.at(row.line, row.column(columns.source), problem)
    }

    /// The refusal of a row whose destination has a message already: its source and line, and the second source.
    fn twice_to(
        &self,
        columns: &Columns,
        row: &Row,
        (destination, (first, line), second): (usize, (usize, u64), usize),
    ) -> Error {
        let problem = Problem::DuplicateDestination {
            destination,
            first,
            second,
            line,
        };
        self.at(row.line, row.column(columns.destination()), problem)
    }
}

impl Columns {
    /// The column of destinations, where there has to be one.
    fn destination(&self) -> usize {
        self.destination.unwrap_or(self.source)
    }
}

/// Of errors that ranks have met in one file, which comes first: the one with the least number is what is wrong with the file as
/// a whole. None of those that are about something else.
pub fn precedence(error: &Error) -> Option<u64> {
    let Error::TrafficFile { line, problem, .. } = error else {
        return None;
    };
    // Of one line, in the order in which it is looked at.
    let within = match **problem {
        Problem::DuplicateSource { .. } => 0,
        Problem::DuplicateDestination { .. } => 1,
        _ => 2,
    };
    Some(line << 2 | within)
}

/// The line in which each source stands, 0 for none. Lines beyond 2^32 all count as one.
struct Lines(Vec<u32>);

impl Lines {
    fn none(nodes: usize) -> Self {
        Lines(vec![0; nodes])
    }

    /// The line of a source.
    fn of(&self, source: usize) -> u64 {
        u64::from(self.0[source])
    }

    /// Puts a source down for a line, or gives the one that it stands in already.
    fn first(&mut self, source: usize, line: u64) -> Option<u64> {
        match self.0[source] {
            0 => {
                self.0[source] = u32::try_from(line).unwrap_or(u32::MAX);
                None
            }
            first => Some(u64::from(first)),
        }
    }
}

/// Reads a set of nodes: the `source` column of a traffic file. Other columns are not needed here,
/// nor looked at.
///
/// # Errors
/// [`Error::TrafficFile`], with line, column and the [`Problem`]; a network of more nodes than
/// there is traffic for.
pub fn read_set(path: &str, input: impl Read, topology: &impl Topology) -> Result<NodeSet, Error> {
    let (reading, nodes) = Reading::of_list(path, topology)?;
    let mut sources = Lines::none(nodes.count());
    reading.rows(input, false, |columns, row| {
        let source = reading.node(row, columns.source)?;
        match sources.first(source, row.line) {
            None => Ok(()),
            Some(line) => {
                let problem = Problem::DuplicateMember { node: source, line };
                Err(reading.at(row.line, row.column(columns.source), problem))
            }
        }
    })?;
    let lines = sources.0.iter().enumerate();
    let members = lines.filter(|(_, line)| **line != 0);
    Ok(NodeSet::new(nodes, members.map(|(source, _)| source)))
}

fn payload(text: &str, payload_bits: usize) -> Result<BitVec<u64>, Problem> {
    let digits = hexadecimal(text).ok_or_else(|| Problem::NotHexadecimal { text: shown(text) })?;
    let mut bits: BitVec<u64> = digits
        .rev()
        .flat_map(|value| (0..4).map(move |bit| value >> bit & 1 == 1))
        .collect();
    let needed = bits.last_one().map_or(0, |last| last + 1);
    if needed > payload_bits {
        return Err(Problem::PayloadTooWide {
            text: shown(text),
            bits: needed,
            limit: payload_bits,
        });
    }
    bits.resize(payload_bits, false);
    Ok(bits)
}

#[cfg(test)]
mod tests;
