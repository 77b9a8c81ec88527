//! Traffic files of messages that are created one after the other: any number of them from a node and to one, each with
//! the bit time in which its host has it ready.
//!
//! | column | what it is | left out |
//! |---|---|---|
//! | `source` | the node that sends it | refused |
//! | `destination`, or `node` | the node that it is for | refused |
//! | `payload` | its bits, hexadecimal, the lowest the first to be sent; may be empty | drawn from the seed |
//! | `bits` | how many they are | as many as every other message has |
//! | `time`, or `created` | the bit time in which its host has it ready | 0 |
//! | `message` | its number: messages go in the order of these numbers | they go in the order of rows |
//!
//! The second names are those of deliveries, of which the rest is allowed and not read: so what a run has delivered is the
//! traffic of another one.

use std::io::Read;

use bitvec::vec::BitVec;

use crate::csv_file::{Fields, shown, whole};
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::Topology;
use crate::traffic::file::{Reading, payload};
use crate::traffic::{MAX_PAYLOAD_BITS, Nodes, random_payloads};

/// The latest time that a message may have.
pub const LAST_TIME: u64 = 1_000_000_000_000;

/// Columns of deliveries that say how it went.
const NOT_READ: [&str; 5] = [
    "bit_time",
    "injected",
    "head_arrived",
    "tail_arrived",
    "path",
];

/// A message, when it is created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timed {
    /// The node that sends it.
    pub source: usize,
    /// The node that it is for.
    pub destination: usize,
    /// The bit time in which it is created.
    pub time: u64,
    /// Its bits, bit 0 the first to be sent.
    pub payload: BitVec<u64>,
}

/// Columns by their place in a line.
struct Columns {
    source: usize,
    destination: usize,
    payload: Option<usize>,
    bits: Option<usize>,
    time: Option<usize>,
    message: Option<usize>,
}

/// A row that was read.
struct Given {
    source: usize,
    destination: usize,
    time: u64,
    bits: usize,
    payload: Option<BitVec<u64>>,
    /// The number of the message, where rows have one.
    message: u64,
    line: u64,
    /// Where the number begins, and where the time.
    columns: [u32; 2],
}

/// Reads the messages in `input`, of a machine with this network, in the order in which they are created; `path` is what
/// errors call it. `room` is asked now and then whether so many messages, of so many bits together, are still welcome.
///
/// # Errors
/// [`Error::TrafficFile`], with line and column; a network of more nodes than there is traffic for; what `room` says.
pub fn read_timed(
    path: &str,
    input: impl Read,
    topology: &impl Topology,
    usual_bits: usize,
    seed: u64,
    room: impl Fn(u64, u64) -> Result<(), Error>,
) -> Result<Vec<Timed>, Error> {
    let (reading, nodes) = Reading::of_list(path, topology)?;
    let mut rows: Vec<Given> = Vec::new();
    let (mut is_numbered, mut all_bits) = (false, 0);
    reading.table(
        input,
        |row| reading.timed_header(row),
        |columns, row| {
            let given = reading.timed(columns, row, usual_bits)?;
            is_numbered = columns.message.is_some();
            if let Some(before) = rows.last().filter(|_| !is_numbered)
                && given.time < before.time
            {
                let refusal = Refusal::why(format!(
                    "time {} is before time {} of line {}: messages stand in the order of their times",
                    given.time, before.time, before.line
                ))
                .instead("sort the rows by time");
                return Err(reading.at(row.line, given.columns[1] as usize, refusal));
            }
            all_bits += given.bits as u64;
            rows.push(given);
            match rows.len().is_power_of_two() {
                true => room(rows.len() as u64, all_bits),
                false => Ok(()),
            }
        },
    )?;
    room(rows.len() as u64, all_bits)?;
    if is_numbered {
        reading.in_order_of_numbers(&mut rows)?;
    }
    Ok(with_payloads(rows, nodes, usual_bits, seed))
}

impl<T: Topology> Reading<'_, T> {
    fn timed_header(&self, row: &Fields) -> Result<Columns, Error> {
        let place = |name: &str| row.fields().position(|field| field == name);
        let mut known = Vec::new();
        let mut one_of = |names: [&'static str; 2]| {
            let [first, second] = names.map(place);
            known.extend(first.or(second));
            match (first, second) {
                (Some(_), Some(second)) if names[0] != names[1] => {
                    let [first, heading] = names;
                    let refusal = Refusal::why(format!(
                        "the heading `{heading}` says the same as `{first}`"
                    ))
                    .instead("leave one of them out");
                    Err(self.at(row.line, row.column(second), refusal))
                }
                _ => Ok(first.or(second)),
            }
        };
        let missing = |column| self.no_column(row, column, true);
        let columns = Columns {
            source: one_of(["source"; 2])?.ok_or_else(|| missing("source"))?,
            destination: one_of(["destination", "node"])?.ok_or_else(|| missing("destination"))?,
            payload: one_of(["payload"; 2])?,
            bits: one_of(["bits"; 2])?,
            time: one_of(["time", "created"])?,
            message: one_of(["message"; 2])?,
        };
        known.extend(NOT_READ.into_iter().filter_map(place));
        match (0..row.len()).find(|index| !known.contains(index)) {
            None => Ok(columns),
            Some(index) => {
                let refusal = Refusal::why(format!(
                    "the heading `{}` means nothing here: there are source, destination, payload, bits, time and message, and what \
                     a file of deliveries has",
                    shown(row.field(index))
                ));
                Err(self.at(row.line, row.column(index), refusal))
            }
        }
    }

    fn timed(&self, columns: &Columns, row: &Fields, usual_bits: usize) -> Result<Given, Error> {
        let at = |column, refusal| self.at(row.line, row.column(column), refusal);
        let mut given = Given {
            source: self.node(row, columns.source)?,
            destination: self.node(row, columns.destination)?,
            time: 0,
            bits: usual_bits,
            payload: None,
            message: 0,
            line: row.line,
            columns: [columns.message, columns.time]
                .map(|column| column.map_or(1, |column| row.column(column) as u32)),
        };
        if let Some(column) = columns.bits {
            let text = row.field(column);
            let limit = MAX_PAYLOAD_BITS;
            let bits = whole(text).filter(|bits| (1..=limit as u64).contains(bits));
            given.bits = match bits {
                Some(bits) => bits as usize,
                None => {
                    let none = format!("`{}` bits are none that a message can have", shown(text));
                    let refusal = Refusal::why(none).instead(format!("choose 1 to {limit}"));
                    return Err(at(column, refusal));
                }
            };
        }
        let payload_column = columns
            .payload
            .filter(|&column| !row.field(column).is_empty());
        if let Some(column) = payload_column {
            let of_one = [
                "the message carries",
                "raise --message-bits, or its number of `bits`",
            ];
            let payload = payload(row.field(column), given.bits, of_one);
            given.payload = Some(payload.map_err(|refusal| at(column, refusal))?);
        }
        if let Some(column) = columns.time {
            let (text, last) = (row.field(column), LAST_TIME);
            given.time = whole(text).filter(|time| *time <= last).ok_or_else(|| {
                let text = shown(text);
                let why = format!(
                    "`{text}` is not a time: it is the bit time in which the host has the message, a whole number, 0 to {last}"
                );
                at(column, Refusal::why(why))
            })?;
        }
        if let Some(column) = columns.message {
            let text = row.field(column);
            given.message = whole(text).ok_or_else(|| {
                let refusal =
                    Refusal::why(format!("`{}` is not the number of a message", shown(text)))
                        .instead("write it in decimal, or leave out the column `message`");
                at(column, refusal)
            })?;
        }
        Ok(given)
    }

    /// Sorts rows by the numbers of their messages.
    fn in_order_of_numbers(&self, rows: &mut [Given]) -> Result<(), Error> {
        rows.sort_by_key(|given| given.message);
        for pair in rows.windows(2) {
            let [before, given] = pair else { continue };
            let (line, [number, time]) = (given.line, given.columns);
            if before.message == given.message {
                let refusal = Refusal::why(format!(
                    "message {} already stands in line {}: each has a number of its own",
                    given.message, before.line
                ));
                return Err(self.at(line, number as usize, refusal));
            }
            if given.time < before.time {
                let refusal = Refusal::why(format!(
                    "message {} has time {}, and message {} of line {} has time {}: messages are numbered in the order of their \
                     times",
                    given.message, given.time, before.message, before.line, before.time
                ))
                .instead(
                    "number them anew, or leave out the column `message` and sort the rows by time",
                );
                return Err(self.at(line, time as usize, refusal));
            }
        }
        Ok(())
    }
}

/// The messages, with payloads drawn for those that have none: as for other traffic, where each node sends one of the usual
/// length at the most.
fn with_payloads(rows: Vec<Given>, nodes: Nodes, usual_bits: usize, seed: u64) -> Vec<Timed> {
    let drawn = match rows.iter().all(|given| given.payload.is_some()) {
        true => None,
        false => {
            let count = rows.len();
            let longest = rows.iter().map(|given| given.bits).max().unwrap_or(0);
            let mut by_source: Vec<usize> = (0..count).collect();
            by_source.sort_by_key(|&row| rows[row].source);
            let sources = by_source.iter().map(|&row| rows[row].source);
            let is_one_each = sources
                .clone()
                .zip(sources.clone().skip(1))
                .all(|(one, next)| one != next)
                && longest == usual_bits;
            let payloads = match is_one_each {
                true => random_payloads(longest, nodes.number_bits(), count, sources, seed),
                false => {
                    let k = count.next_power_of_two().ilog2() as usize;
                    random_payloads(longest, k, count, 0..count, seed)
                }
            };
            let mut place = vec![0; count];
            for (rank, &row) in by_source.iter().enumerate() {
                place[row] = rank;
            }
            Some((payloads, place))
        }
    };
    let rows = rows.into_iter().enumerate();
    rows.map(|(row, given)| Timed {
        source: given.source,
        destination: given.destination,
        time: given.time,
        payload: match (given.payload, &drawn) {
            (None, Some((payloads, place))) => {
                let mut payload = BitVec::from_bitslice(payloads.at(place[row]));
                payload.truncate(given.bits);
                payload
            }
            (given, _) => given.unwrap_or_default(),
        },
    })
    .collect()
}

#[cfg(test)]
mod tests;
