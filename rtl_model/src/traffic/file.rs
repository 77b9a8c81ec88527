//! Traffic from a CSV file: header `source,destination` and, optionally, `payload` (hexadecimal,
//! its least significant bit the first to be sent; missing or empty: drawn from the seed). Nodes go
//! by number, or by the name that their network gives them. Rows end in LF, CRLF or CR.

mod batches;
mod relation;
mod timed;

use std::io::{BufReader, Read};

use bitvec::vec::BitVec;

use crate::error::Error;
use crate::error::traffic_file::Problem;
use crate::machine::topology::Topology;
use crate::traffic::row::{Row, next_line};
use crate::traffic::{NodeSet, Nodes, Payloads, Traffic};

pub use batches::{Batched, read_batches};
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

/// As much of a text as an error should repeat.
fn shown(text: &str) -> String {
    const MOST: usize = 40;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST).chain("...".chars()).collect()
}

/// A file being read: knows its name, for what it has to say.
struct Reading<'a, T> {
    path: &'a str,
    topology: &'a T,
    /// Whether a column may say which batch a message is in.
    has_batches: bool,
}

impl<T: Topology> Reading<'_, T> {
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
        let mut lines = BufReader::new(input);
        let mut columns = None;
        let (mut last_line, mut is_empty) = (0, true);
        for line in 1.. {
            let malformed = |reason| self.at(line, 1, Problem::Malformed { reason });
            let Some(text) = next_line(&mut lines, line == 1).map_err(malformed)? else {
                break;
            };
            last_line = line;
            let current = Row::parse(line, &text).map_err(malformed)?;
            let Some(current) = current else { continue };
            match &columns {
                None => columns = Some((line, current.fields.len(), header(&current)?)),
                Some((_, expected, columns)) => {
                    let (found, expected) = (current.fields.len(), *expected);
                    if found != expected {
                        return Err(self.at(line, 1, Problem::FieldCount { found, expected }));
                    }
                    row(columns, &current)?;
                    is_empty = false;
                }
            }
        }
        match columns {
            Some((header, ..)) if is_empty && last_line > header => {
                let lines = last_line - header;
                Err(self.at(last_line, 1, Problem::NothingBelow { lines }))
            }
            Some(_) => Ok(()),
            None => Err(self.at(1, 1, Problem::MissingColumn { column: "source" })),
        }
    }

    fn header(&self, row: &Row, destination_is_needed: bool) -> Result<Columns, Error> {
        let place = |name: &str| row.fields.iter().position(|field| field == name);
        let missing = |column| self.at(row.line, 1, Problem::MissingColumn { column });
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
        match (0..row.fields.len()).find(|&index| !known.contains(&Some(index))) {
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
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
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
}

/// Reads the traffic in `input`, of a machine with this network; `path` is what its errors call it.
///
/// # Errors
/// [`Error::TrafficFile`], with line, column and the [`Problem`]; a network of more nodes than
/// there is traffic for.
pub fn read_traffic(
    path: &str,
    input: impl Read,
    topology: &impl Topology,
    payload_bits: usize,
    seed: u64,
) -> Result<Traffic, Error> {
    let nodes = Nodes::new(topology.nodes())?;
    nodes.check_listed()?;
    let reading = Reading {
        path,
        topology,
        has_batches: false,
    };
    let mut sources = Lines::none(nodes);
    // By destination and by source, the other end and 1; 0 where there is none.
    let mut sender_to = vec![0u32; nodes.count()];
    let mut destination_of = vec![0u32; nodes.count()];
    let mut given: Option<Given> = None;
    reading.rows(input, true, |columns, row| {
        let destination_column = columns.destination.unwrap_or(columns.source);
        let source = reading.node(row, columns.source)?;
        let destination = reading.node(row, destination_column)?;
        if let Some(line) = sources.first(source, row.line) {
            let problem = Problem::DuplicateSource {
                source_node: source,
                line,
            };
            return Err(reading.at(row.line, row.column(columns.source), problem));
        }
        if let Some(first) = sender_to[destination].checked_sub(1) {
            let problem = Problem::DuplicateDestination {
                destination,
                first: first as usize,
                second: source,
                line: sources.of(first as usize),
            };
            return Err(reading.at(row.line, row.column(destination_column), problem));
        }
        sender_to[destination] = source as u32 + 1;
        destination_of[source] = destination as u32 + 1;
        if let Some(column) = columns
            .payload
            .filter(|&column| !row.field(column).is_empty())
        {
            let payload = payload(row.field(column), payload_bits)
                .map_err(|problem| reading.at(row.line, row.column(column), problem))?;
            let given = given.get_or_insert_with(|| Given::none(nodes, payload_bits));
            given.sources.set(source, true);
            given.payloads.at_mut(source).copy_from_bitslice(&payload);
        }
        Ok(())
    })?;
    drop((sources, sender_to));
    let mut traffic = Traffic::from_each(nodes, payload_bits, destination_of, seed);
    if let Some(given) = given {
        for source in given.sources.iter_ones() {
            if let Some(index) = traffic.index_from(source) {
                let payload = given.payloads.at(source);
                traffic.payload_mut(index).copy_from_bitslice(payload);
            }
        }
    }
    Ok(traffic)
}

/// Bytes that [`read_traffic`] takes while it reads, at the most.
pub fn reading_bytes(nodes: impl Into<Nodes>, payload_bits: usize) -> u64 {
    let nodes = nodes.into();
    let while_reading = 3 * size_of::<u32>() * nodes.count();
    let given =
        nodes.count().div_ceil(64) as u64 * 8 + Payloads::bytes(payload_bits, nodes.count());
    given + (while_reading as u64).max(Traffic::bytes(nodes, payload_bits))
}

/// Payloads that a file gives, by source.
struct Given {
    sources: BitVec<u64>,
    payloads: Payloads,
}

impl Given {
    fn none(nodes: Nodes, payload_bits: usize) -> Self {
        Given {
            sources: BitVec::repeat(false, nodes.count()),
            payloads: Payloads::zeros(payload_bits, nodes.count()),
        }
    }
}

/// The line in which each source stands, 0 for none. Lines beyond 2^32 all count as one.
struct Lines(Vec<u32>);

impl Lines {
    fn none(nodes: Nodes) -> Self {
        Lines(vec![0; nodes.count()])
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
    let nodes = Nodes::new(topology.nodes())?;
    nodes.check_listed()?;
    let reading = Reading {
        path,
        topology,
        has_batches: false,
    };
    let mut sources = Lines::none(nodes);
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
    let digits = text
        .strip_prefix("0x")
        .or_else(|| text.strip_prefix("0X"))
        .unwrap_or(text);
    let values: Option<Vec<u32>> = digits.chars().map(|digit| digit.to_digit(16)).collect();
    let values = match values {
        Some(values) if !values.is_empty() => values,
        _ => {
            return Err(Problem::NotHexadecimal { text: shown(text) });
        }
    };
    let mut bits: BitVec<u64> = values
        .iter()
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
