//! Traffic from a CSV file: header `source,destination` and, optionally, `payload` (hexadecimal,
//! its least significant bit the first to be sent; missing or empty: drawn from the seed). Nodes go
//! by number, or by the name that their network gives them. Rows end in LF, CRLF or CR. A file of deliveries,
//! `node,source,payload,bit_time`, is traffic too.

mod batches;
mod part;
mod permutation;
mod relation;
mod timed;

use std::io::Read;

use bitvec::vec::BitVec;

use crate::csv_file::{Broken, Fields, Rows, hexadecimal, is_whole, shown};
use crate::error::refusal::Refusal;
use crate::error::{Error, SEVERAL_A_NODE};
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

    fn at(&self, line: u64, column: usize, refusal: Refusal) -> Error {
        self.in_order((line, Within::Rest), column, refusal)
    }

    fn in_order(&self, (line, within): (u64, Within), column: usize, refusal: Refusal) -> Error {
        let refusal = refusal.about(self.path).at_line(line).at_column(column, "");
        Error::TrafficFile {
            order: line << 2 | within as u64,
            refusal,
        }
    }

    fn rows(
        &self,
        input: impl Read,
        destination_is_needed: bool,
        row: impl FnMut(&Columns, &Fields) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let header = |row: &Fields| self.header(row, destination_is_needed);
        self.table(input, header, row)
    }

    /// Every row, with the columns that `header` finds in the first one.
    fn table<C>(
        &self,
        input: impl Read,
        header: impl Fn(&Fields) -> Result<C, Error>,
        mut row: impl FnMut(&C, &Fields) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let malformed = |broken: Broken| {
            let Broken {
                line,
                column,
                malformed,
            } = broken;
            self.at(line, column, Refusal::why(malformed))
        };
        let mut rows = Rows::new(input);
        let Some(first) = rows.headings().map_err(malformed)? else {
            return header(&Fields::default()).map(|_| ());
        };
        let (header_line, expected, columns) = (first.line, first.len(), header(first)?);
        let mut is_empty = true;
        while let Some(current) = rows.next_row().map_err(malformed)? {
            let found = current.len();
            if found != expected {
                let hint = match found < expected {
                    true => " (a payload may be left empty, as in `0,5,`)",
                    false => "",
                };
                let why = format!(
                    "fields in this line: {found}; columns in the header: {expected}{hint}"
                );
                return Err(self.at(current.line, 1, Refusal::why(why)));
            }
            row(&columns, current)?;
            is_empty = false;
        }
        match rows.lines() - header_line {
            lines if is_empty && lines > 0 => {
                let lines = match lines {
                    1 => "line".to_owned(),
                    _ => format!("{lines} lines"),
                };
                let none =
                    Refusal::why(format!("no message stands in the {lines} below the header"));
                let alone = "a file of no messages is the header alone";
                Err(self.at(rows.lines(), 1, none.instead(alone)))
            }
            _ => Ok(()),
        }
    }

    /// The header `row` has no such column; an empty file has none at all.
    fn no_column(&self, row: &Fields, column: &'static str, destination_is_needed: bool) -> Error {
        let columns = match destination_is_needed {
            true => "`source,destination` or `source,destination,payload`",
            false => "`source`, and destination and payload may stand beside it",
        };
        let refusal = Refusal::why(format!("the header has no column `{column}`")).instead(
            format!("the first line must be {columns}, in lower case, with commas between"),
        );
        self.at(row.line.max(1), 1, refusal)
    }

    fn header(&self, row: &Fields, destination_is_needed: bool) -> Result<Columns, Error> {
        let place = |name: &str| row.fields().position(|field| field == name);
        let missing = |column| self.no_column(row, column, destination_is_needed);
        let columns = Columns {
            source: place("source").ok_or_else(|| missing("source"))?,
            destination: place("destination").or(place("node")),
            payload: place("payload"),
            batch: place("batch").filter(|_| self.has_batches),
        };
        if destination_is_needed && columns.destination.is_none() {
            return Err(missing("destination"));
        }
        // What arrived is traffic again: when it did is no matter.
        let when = place("bit_time").filter(|_| place("node").is_some());
        let known = [
            when,
            Some(columns.source),
            columns.destination,
            columns.payload,
            columns.batch,
        ];
        match (0..row.len()).find(|&index| !known.contains(&Some(index))) {
            None => Ok(columns),
            Some(index) => {
                let heading = shown(row.field(index));
                // What else is needed for a heading that others know.
                let hint = match heading.as_str() {
                    "batch" => "; batches need `--batches B`",
                    "time" | "created" | "message" => {
                        "; times are for routers to which messages come one after the other"
                    }
                    _ => "",
                };
                let refusal = Refusal::why(format!(
                    "the heading `{heading}` means nothing here: there are source, destination and payload{hint}"
                ));
                Err(self.at(row.line, row.column(index), refusal))
            }
        }
    }

    fn node(&self, row: &Fields, index: usize) -> Result<usize, Error> {
        let (text, topology) = (row.field(index), self.topology);
        if let Some(node) = topology.node_named(text) {
            return Ok(node);
        }
        let last = topology.nodes() - 1;
        let is_number = is_whole(text);
        let (text, last_name) = (shown(text), topology.node_name(last));
        let refusal = match is_number {
            true => Refusal::why(format!(
                "node {text} is out of range: the machine has nodes 0 to {last}"
            )),
            false if last_name == last.to_string() => {
                Refusal::why(format!("`{text}` is not a node number"))
                    .instead("write it in decimal, without a sign")
            }
            false => Refusal::why(format!(
                "there is no node `{text}`: the machine has nodes 0 to {last}, which by {} are {} to {last_name}",
                topology.node_name_fields(),
                topology.node_name(0)
            )),
        };
        Err(self.at(row.line, row.column(index), refusal))
    }

    /// Source and destination of a row's message.
    fn ends(&self, columns: &Columns, row: &Fields) -> Result<(usize, usize), Error> {
        let source = self.node(row, columns.source)?;
        Ok((source, self.node(row, columns.destination())?))
    }

    /// The payload that a row gives, if it does.
    fn given(
        &self,
        columns: &Columns,
        row: &Fields,
        payload_bits: usize,
    ) -> Result<Option<BitVec<u64>>, Error> {
        let column = columns.payload;
        let column = column.filter(|&column| !row.field(column).is_empty());
        let given = column.map(|column| {
            let of_all = ["messages carry", "raise --payload-bits"];
            payload(row.field(column), payload_bits, of_all)
                .map_err(|refusal| self.at(row.line, row.column(column), refusal))
        });
        given.transpose()
    }

    /// The refusal of a row whose source has a message already, in a line before.
    fn twice_from(
        &self,
        columns: &Columns,
        row: &Fields,
        (source_node, line): (usize, u64),
    ) -> Error {
        let refusal = Refusal::why(format!(
            "source {source_node} already sends the message of line {line}: a node sends at most one; {SEVERAL_A_NODE}"
        ));
        let place = (row.line, Within::TwiceFrom);
        self.in_order(place, row.column(columns.source), refusal)
    }

    /// The refusal of a row whose destination has a message already: its source and line, and the second source.
    fn twice_to(
        &self,
        columns: &Columns,
        row: &Fields,
        (destination, (first, line), second): (usize, (usize, u64), usize),
    ) -> Error {
        let refusal = Refusal::why(format!(
            "sources {first} (line {line}) and {second} both send to destination {destination}: a node receives at most one \
             message; {SEVERAL_A_NODE}"
        ));
        let place = (row.line, Within::TwiceTo);
        self.in_order(place, row.column(columns.destination()), refusal)
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
    match error {
        Error::TrafficFile { order, .. } => Some(*order),
        _ => None,
    }
}

/// What is wrong with a line, in the order in which it is looked at.
enum Within {
    TwiceFrom,
    TwiceTo,
    Rest,
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
/// [`Error::TrafficFile`], with line and column; a network of more nodes than there is traffic for.
pub fn read_set(path: &str, input: impl Read, topology: &impl Topology) -> Result<NodeSet, Error> {
    let (reading, nodes) = Reading::of_list(path, topology)?;
    let mut sources = Lines::none(nodes.count());
    reading.rows(input, false, |columns, row| {
        let source = reading.node(row, columns.source)?;
        match sources.first(source, row.line) {
            None => Ok(()),
            Some(line) => {
                let refusal = Refusal::why(format!(
                    "node {source} already stands in line {line}: a set has each of its nodes once"
                ));
                Err(reading.at(row.line, row.column(columns.source), refusal))
            }
        }
    })?;
    let lines = sources.0.iter().enumerate();
    let members = lines.filter(|(_, line)| **line != 0);
    Ok(NodeSet::new(nodes, members.map(|(source, _)| source)))
}

/// Bits of a payload, of which there may be so many: said as in `messages carry`, `raise --payload-bits`.
fn payload(
    text: &str,
    payload_bits: usize,
    [carry, raise]: [&str; 2],
) -> Result<BitVec<u64>, Refusal> {
    let digits = hexadecimal(text).ok_or_else(|| {
        Refusal::why(format!("`{}` is not a payload", shown(text)))
            .instead("write it in hexadecimal, as in 2f")
    })?;
    let mut bits: BitVec<u64> = digits
        .rev()
        .flat_map(|value| (0..4).map(move |bit| value >> bit & 1 == 1))
        .collect();
    let needed = bits.last_one().map_or(0, |last| last + 1);
    if needed > payload_bits {
        let text = shown(text);
        return Err(Refusal::why(format!(
            "payload {text} takes {needed} bits and {carry} {payload_bits}"
        ))
        .instead(raise));
    }
    bits.resize(payload_bits, false);
    Ok(bits)
}

#[cfg(test)]
mod tests;
