//! Traffic from a CSV file: header `source,destination` and, optionally, `payload` (hexadecimal, its
//! least significant bit the first to be sent; missing or empty: drawn from the seed).

use std::collections::HashMap;
use std::io::Read;

use bitvec::vec::BitVec;
use csv::{ReaderBuilder, StringRecord};

use crate::error::Error;
use crate::error::traffic_file::Problem;
use crate::topology::hypercube::Dimensions;
use crate::traffic::{Message, Traffic};

/// Columns of a file, by their place in a line.
struct Columns {
    source: usize,
    destination: Option<usize>,
    payload: Option<usize>,
    count: usize,
}

/// One line of a file.
struct Row {
    record: StringRecord,
    line: u64,
}

impl Row {
    fn field(&self, index: usize) -> &str {
        self.record.get(index).unwrap_or("").trim()
    }

    /// Where a field begins, counted in characters from 1.
    fn column(&self, index: usize) -> usize {
        let before: usize = (0..index)
            .map(|field| self.record.get(field).unwrap_or("").chars().count() + 1)
            .sum();
        let field = self.record.get(index).unwrap_or("");
        before + field.chars().take_while(|c| c.is_whitespace()).count() + 1
    }
}

/// A file being read: knows its name, for what it has to say.
struct Reading<'a> {
    path: &'a str,
    dimensions: Dimensions,
}

impl Reading<'_> {
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
        mut row: impl FnMut(&Columns, &Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(input);
        let mut columns = None;
        let mut record = StringRecord::new();
        loop {
            let line = reader.position().line();
            match reader.read_record(&mut record) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    let reason = error.to_string();
                    return Err(self.at(line, 1, Problem::Malformed { reason }));
                }
            }
            let line = record.position().map_or(line, csv::Position::line);
            let current = Row {
                record: std::mem::take(&mut record),
                line,
            };
            match &columns {
                None => columns = Some(self.header(&current, destination_is_needed)?),
                Some(columns) => {
                    if current.record.len() != columns.count {
                        let problem = Problem::FieldCount {
                            found: current.record.len(),
                            expected: columns.count,
                        };
                        return Err(self.at(line, 1, problem));
                    }
                    row(columns, &current)?;
                }
            }
            record = current.record;
        }
        match columns {
            Some(_) => Ok(()),
            None => Err(self.at(1, 1, Problem::MissingColumn { column: "source" })),
        }
    }

    fn header(&self, row: &Row, destination_is_needed: bool) -> Result<Columns, Error> {
        let place = |name: &str| (0..row.record.len()).find(|&index| row.field(index) == name);
        let missing = |column| self.at(row.line, 1, Problem::MissingColumn { column });
        let columns = Columns {
            source: place("source").ok_or_else(|| missing("source"))?,
            destination: place("destination"),
            payload: place("payload"),
            count: row.record.len(),
        };
        if destination_is_needed && columns.destination.is_none() {
            return Err(missing("destination"));
        }
        for index in 0..columns.count {
            let known = [Some(columns.source), columns.destination, columns.payload];
            if !known.contains(&Some(index)) {
                let column = row.field(index).to_owned();
                let problem = Problem::UnknownColumn { column };
                return Err(self.at(row.line, row.column(index), problem));
            }
        }
        Ok(columns)
    }

    fn node(&self, row: &Row, index: usize) -> Result<usize, Error> {
        let text = row.field(index);
        let last = self.dimensions.nodes() - 1;
        let problem = if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            Problem::NotANumber {
                text: text.to_owned(),
            }
        } else {
            match text.parse() {
                Ok(node) if node <= last => return Ok(node),
                _ => Problem::NodeOutOfRange {
                    node: text.to_owned(),
                    last,
                },
            }
        };
        Err(self.at(row.line, row.column(index), problem))
    }
}

/// Reads the traffic in `input`; `path` is what its errors call it.
///
/// # Errors
/// [`Error::TrafficFile`], with line, column and the [`Problem`].
pub fn read_traffic(
    path: &str,
    input: impl Read,
    dimensions: Dimensions,
    payload_bits: usize,
    seed: u64,
) -> Result<Traffic, Error> {
    let reading = Reading { path, dimensions };
    let mut messages = Vec::new();
    let mut given: Vec<(usize, BitVec<u64>)> = Vec::new();
    let mut line_from: HashMap<usize, u64> = HashMap::new();
    let mut sender_to: HashMap<usize, (usize, u64)> = HashMap::new();
    reading.rows(input, true, |columns, row| {
        let destination_column = columns.destination.unwrap_or(columns.source);
        let source = reading.node(row, columns.source)?;
        let destination = reading.node(row, destination_column)?;
        if let Some(line) = line_from.insert(source, row.line) {
            let problem = Problem::DuplicateSource {
                source_node: source,
                line,
            };
            return Err(reading.at(row.line, row.column(columns.source), problem));
        }
        if let Some((first, line)) = sender_to.insert(destination, (source, row.line)) {
            let problem = Problem::DuplicateDestination {
                destination,
                first,
                second: source,
                line,
            };
            return Err(reading.at(row.line, row.column(destination_column), problem));
        }
        if let Some(column) = columns
            .payload
            .filter(|&column| !row.field(column).is_empty())
        {
            let payload = payload(row.field(column), payload_bits)
                .map_err(|problem| reading.at(row.line, row.column(column), problem))?;
            given.push((source, payload));
        }
        messages.push(Message {
            source,
            destination,
        });
        Ok(())
    })?;
    let mut traffic = Traffic::new(dimensions, payload_bits, messages, seed)?;
    for (source, payload) in given {
        if let Some(index) = traffic.index_from(source) {
            traffic.payload_mut(index).copy_from_bitslice(&payload);
        }
    }
    Ok(traffic)
}

/// Reads a set of nodes: the `source` column of a traffic file, which needs no other here. In
/// ascending order.
///
/// # Errors
/// [`Error::TrafficFile`], with line, column and the [`Problem`].
pub fn read_set(path: &str, input: impl Read, dimensions: Dimensions) -> Result<Vec<usize>, Error> {
    let reading = Reading { path, dimensions };
    let mut line_of: HashMap<usize, u64> = HashMap::new();
    reading.rows(input, false, |columns, row| {
        let source = reading.node(row, columns.source)?;
        match line_of.insert(source, row.line) {
            None => Ok(()),
            Some(line) => {
                let problem = Problem::DuplicateSource {
                    source_node: source,
                    line,
                };
                Err(reading.at(row.line, row.column(columns.source), problem))
            }
        }
    })?;
    let mut members: Vec<usize> = line_of.into_keys().collect();
    members.sort_unstable();
    Ok(members)
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
            return Err(Problem::NotHexadecimal {
                text: text.to_owned(),
            });
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
            text: text.to_owned(),
            bits: needed,
            limit: payload_bits,
        });
    }
    bits.resize(payload_bits, false);
    Ok(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Traffic, Error> {
        let cube = Dimensions::new(3).unwrap();
        read_traffic("mine.csv", text.as_bytes(), cube, 6, 1)
    }

    fn refusal(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn messages_and_payloads_are_read() {
        let traffic = read("source, destination,payload\n5,0,0x2f\n1 , 2 ,\n").unwrap();
        assert_eq!(traffic.messages()[1].destination, 0);
        let bits: Vec<bool> = traffic.payload(1).iter().by_vals().collect();
        assert_eq!(bits, [true, true, true, true, false, true]);

        let without = read("destination,source\n0,5\n2,1\n").unwrap();
        assert_eq!(without.messages(), traffic.messages());
        assert_eq!(
            without.payload(0),
            traffic.payload(0),
            "drawn from the seed"
        );
        assert_eq!(read("source,destination\n").unwrap().messages(), []);
    }

    #[test]
    fn every_mistake_is_named_with_its_place() {
        let refusals = [
            "",
            "5,0\n",
            "source\n1\n",
            "source,destination,colour\n1,2,3\n",
            "source,destination\n1,2\n3\n",
            "source,destination\nx,2\n",
            "source,destination\n1,\n",
            "source,destination\n1,-2\n",
            "source,destination\n1, 8\n",
            "source,destination\n1,99999999999999999999999\n",
            "source,destination\n1,2\n1,3\n",
            "source,destination\n1,2\n4,2\n",
            "source,destination,payload\n1,2,7f\n",
            "source,destination,payload\n1,2,zz\n",
        ]
        .map(refusal);
        assert_eq!(
            refusals,
            [
                "mine.csv, line 1, column 1: the header has no column `source`: the first line must be `source,destination` or `source,destination,payload`",
                "mine.csv, line 1, column 1: the header has no column `source`: the first line must be `source,destination` or `source,destination,payload`",
                "mine.csv, line 1, column 1: the header has no column `destination`: the first line must be `source,destination` or `source,destination,payload`",
                "mine.csv, line 1, column 20: unknown column `colour`: the columns are source, destination and payload",
                "mine.csv, line 3, column 1: fields in this line: 1; columns in the header: 2",
                "mine.csv, line 2, column 1: `x` is not a node number: write it in decimal",
                "mine.csv, line 2, column 3: `` is not a node number: write it in decimal",
                "mine.csv, line 2, column 3: `-2` is not a node number: write it in decimal",
                "mine.csv, line 2, column 4: node 8 is out of range: the cube has nodes 0 to 7",
                "mine.csv, line 2, column 3: node 99999999999999999999999 is out of range: the cube has nodes 0 to 7",
                "mine.csv, line 3, column 1: source 1 already sends the message of line 2: a node sends at most one",
                "mine.csv, line 3, column 3: sources 1 (line 2) and 4 both send to destination 2: a node receives at most one message",
                "mine.csv, line 2, column 5: payload 7f takes 7 bits and messages carry 6: raise --payload-bits",
                "mine.csv, line 2, column 5: `zz` is not a payload: write it in hexadecimal, as in 2f",
            ]
        );
    }

    #[test]
    fn a_set_is_the_source_column() {
        let cube = Dimensions::new(3).unwrap();
        let set = |text: &str| read_set("set.csv", text.as_bytes(), cube);
        assert_eq!(set("source\n7\n2\n").unwrap(), [2, 7]);
        assert_eq!(set("source,destination\n7,1\n2,1\n").unwrap(), [2, 7]);
        assert!(set("source\n7\n7\n").is_err());
    }
}
