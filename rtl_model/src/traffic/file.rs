//! Traffic from a CSV file: header `source,destination` and, optionally, `payload` (hexadecimal, its
//! least significant bit the first to be sent; missing or empty: drawn from the seed). Nodes go by number, or by the
//! name that their network gives them. Rows end in LF, CRLF or CR.

use std::io::{BufReader, Read};

use bitvec::vec::BitVec;

use crate::error::Error;
use crate::error::traffic_file::Problem;
use crate::topology::Topology;
use crate::traffic::row::{Row, next_line};
use crate::traffic::{NodeSet, Nodes, Payloads, Traffic};

/// Columns of a file, by their place in a line.
struct Columns {
    source: usize,
    destination: Option<usize>,
    payload: Option<usize>,
    count: usize,
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
        mut row: impl FnMut(&Columns, &Row) -> Result<(), Error>,
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
                None => columns = Some((line, self.header(&current, destination_is_needed)?)),
                Some((_, columns)) => {
                    if current.fields.len() != columns.count {
                        let problem = Problem::FieldCount {
                            found: current.fields.len(),
                            expected: columns.count,
                        };
                        return Err(self.at(line, 1, problem));
                    }
                    row(columns, &current)?;
                    is_empty = false;
                }
            }
        }
        match columns {
            Some((header, _)) if is_empty && last_line > header => {
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
            count: row.fields.len(),
        };
        if destination_is_needed && columns.destination.is_none() {
            return Err(missing("destination"));
        }
        let known = [Some(columns.source), columns.destination, columns.payload];
        match (0..columns.count).find(|&index| !known.contains(&Some(index))) {
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
/// [`Error::TrafficFile`], with line, column and the [`Problem`]; a network of more nodes than there is traffic for.
pub fn read_traffic(
    path: &str,
    input: impl Read,
    topology: &impl Topology,
    payload_bits: usize,
    seed: u64,
) -> Result<Traffic, Error> {
    let nodes = Nodes::new(topology.nodes())?;
    let reading = Reading { path, topology };
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

/// Reads a set of nodes: the `source` column of a traffic file. Other columns are not needed here, nor
/// looked at.
///
/// # Errors
/// [`Error::TrafficFile`], with line, column and the [`Problem`]; a network of more nodes than there is traffic for.
pub fn read_set(path: &str, input: impl Read, topology: &impl Topology) -> Result<NodeSet, Error> {
    let nodes = Nodes::new(topology.nodes())?;
    let reading = Reading { path, topology };
    let mut sources = Lines::none(nodes);
    reading.rows(input, false, |columns, row| {
        let source = reading.node(row, columns.source)?;
        match sources.first(source, row.line) {
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
mod tests {
    use super::*;
    use crate::router::Machine;
    use crate::topology::cube_connected_cycles::CubeConnectedCycles;
    use crate::topology::hypercube::Dimensions;
    use crate::wormhole::machine::WormholeMachine;
    use crate::wormhole::network::{Network, Parameters};

    fn read(text: &str) -> Result<Traffic, Error> {
        let cube = Dimensions::new(3).unwrap();
        read_traffic("mine.csv", text.as_bytes(), &cube, 6, 1)
    }

    fn refusal(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn messages_and_payloads_are_read() {
        let traffic = read("source, destination,payload\n5,0,0x2f\n1 , 2 ,\n").unwrap();
        assert_eq!(traffic.messages().get(1).unwrap().destination, 0);
        let bits: Vec<bool> = traffic.payload(1).iter().by_vals().collect();
        assert_eq!(bits, [true, true, true, true, false, true]);

        let without = read("destination,source\n0,5\n2,1\n").unwrap();
        assert_eq!(without.messages(), traffic.messages());
        assert_eq!(
            without.payload(0),
            traffic.payload(0),
            "drawn from the seed"
        );
        assert!(read("source,destination\n").unwrap().messages().is_empty());
    }

    #[test]
    fn every_mistake_is_named_with_its_place() {
        let refusals = [
            "",
            "5,0\n",
            "source\n1\n",
            "source,destination,colour\n1,2,3\n",
            "source,destination\n1,2\n3\n",
            "source,destination\n1,2,3\n",
            "source,destination\n1,2,\n",
            "source,destination,payload\n1,2,7,9\n",
            "source,destination\n1,\"2\n3,\"4\"\n",
            "source,destination\n\n",
            "\nsource,destination\r\r \r",
            "source,destination\nx,2\n",
            "source,destination\n1,\n",
            "source,destination\n1,-2\n",
            "source,destination\n1, 8\n",
            "source,destination\n1,99999999999999999999999\n",
            "source,destination\n1,2\n1,3\n",
            "source,destination\n1,2\n4,2\n",
            "source,destination\n0,2\n4,2\n",
            "source,destination\n0,2\n0,3\n",
            "source,destination,payload\n1,2,7f\n",
            "source,destination,payload\n1,2,zz\n",
        ]
        .map(refusal);
        assert_eq!(
            refusals,
            [
                "mine.csv, line 1, column 1: the header has no column `source`: the first line must be `source,destination` or `source,destination,payload`, in lower case, with commas between",
                "mine.csv, line 1, column 1: the header has no column `source`: the first line must be `source,destination` or `source,destination,payload`, in lower case, with commas between",
                "mine.csv, line 1, column 1: the header has no column `destination`: the first line must be `source,destination` or `source,destination,payload`, in lower case, with commas between",
                "mine.csv, line 1, column 20: the heading `colour` means nothing here: there are source, destination and payload",
                "mine.csv, line 3, column 1: fields in this line: 1; columns in the header: 2 (a payload may be left empty, as in `0,5,`)",
                "mine.csv, line 2, column 1: fields in this line: 3; columns in the header: 2",
                "mine.csv, line 2, column 1: fields in this line: 3; columns in the header: 2",
                "mine.csv, line 2, column 1: fields in this line: 4; columns in the header: 3",
                "mine.csv, line 2, column 1: a quote is opened here and not closed: a field ends with its line",
                "mine.csv, line 2, column 1: no message stands in the line below the header: a file of no messages is the header alone",
                "mine.csv, line 4, column 1: no message stands in the 2 lines below the header: a file of no messages is the header alone",
                "mine.csv, line 2, column 1: `x` is not a node number: write it in decimal",
                "mine.csv, line 2, column 3: `` is not a node number: write it in decimal",
                "mine.csv, line 2, column 3: `-2` is not a node number: write it in decimal",
                "mine.csv, line 2, column 4: node 8 is out of range: the machine has nodes 0 to 7",
                "mine.csv, line 2, column 3: node 99999999999999999999999 is out of range: the machine has nodes 0 to 7",
                "mine.csv, line 3, column 1: source 1 already sends the message of line 2: a node sends at most one",
                "mine.csv, line 3, column 3: sources 1 (line 2) and 4 both send to destination 2: a node receives at most one message",
                "mine.csv, line 3, column 3: sources 0 (line 2) and 4 both send to destination 2: a node receives at most one message",
                "mine.csv, line 3, column 1: source 0 already sends the message of line 2: a node sends at most one",
                "mine.csv, line 2, column 5: payload 7f takes 7 bits and messages carry 6: raise --payload-bits",
                "mine.csv, line 2, column 5: `zz` is not a payload: write it in hexadecimal, as in 2f",
            ]
        );
    }

    #[test]
    fn lines_and_columns_are_those_of_an_editor() {
        for (text, place) in [
            ("source,destination\r\n0,5\r\n3,x\r\n", "line 3, column 3"),
            (
                "\n\nsource,destination\n\n \n0,5\n\n3,x",
                "line 8, column 3",
            ),
            ("\u{feff}source,destination\n3,x\n", "line 2, column 3"),
            ("source,destination\n\"1\",\"x\"\n", "line 2, column 5"),
            ("source,destination\n  1 ,  x\n", "line 2, column 8"),
            ("source,destination\n0,1\n\n0,2\n", "line 4, column 1"),
        ] {
            let refusal = refusal(text);
            assert!(refusal.contains(place), "{text:?}: {refusal}");
        }
        assert!(refusal("source,destination\n0,1\n\n0,2\n").contains("of line 2"));
    }

    #[test]
    fn what_is_no_text_or_has_no_end_is_refused() {
        let cube = Dimensions::new(3).unwrap();
        let read = |input: &mut dyn Read| {
            let error = read_traffic("mine.csv", input, &cube, 6, 1).unwrap_err();
            error.to_string()
        };
        assert_eq!(
            read(&mut &b"source,destination\n\xff,1\n"[..]),
            "mine.csv, line 2, column 1: the line is not UTF-8 text"
        );
        assert_eq!(
            read(&mut std::io::repeat(0)),
            "mine.csv, line 1, column 1: the line is longer than 131072 bytes: this is no traffic file"
        );
        let long = format!("source,destination,payload\n0,1,{}\n", "f".repeat(5000));
        assert!(read(&mut long.as_bytes()).len() < 200);
    }

    /// A lone carriage return once hid all that came behind it.
    #[test]
    fn a_row_ends_in_lf_crlf_or_cr() {
        let expected = read("source,destination,payload\n0,5,1\n1,2,2\n3,4,3\n").unwrap();
        for text in [
            "source,destination,payload\r0,5,1\r1,2,2\r3,4,3\r",
            "source,destination,payload\r0,5,1\r1,2,2\r3,4,3",
            "source,destination,payload\n0,5,1\r1,2,2\n3,4,3\n",
            "source,destination,payload\r\n0,5,1\r\n1,2,2\r\n3,4,3\r\n",
            "\rsource,destination,payload\n\r0,5,1\r\r\n1,2,2\n\n3,4,3\r\n\r",
        ] {
            let traffic = read(text).unwrap();
            assert_eq!(traffic.messages(), expected.messages(), "{text:?}");
            assert_eq!(traffic.payloads(), expected.payloads(), "{text:?}");
        }
        for (text, place) in [
            ("source,destination\r0,5\r3,x\r", "line 3, column 3"),
            ("source,destination\r\r\n0,5\n\r3,x\r", "line 5, column 3"),
        ] {
            let refusal = refusal(text);
            assert!(refusal.contains(place), "{text:?}: {refusal}");
        }
    }

    /// Endings are seen however the reader's buffer cuts the file.
    #[test]
    fn an_ending_may_lie_across_two_buffers() {
        struct Bytewise<'a>(&'a [u8]);
        impl Read for Bytewise<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let one = buffer.len().min(1);
                self.0.read(&mut buffer[..one])
            }
        }
        let text = b"source,destination\r\n0,5\r1,2\n\r\n3,4\r";
        let cube = Dimensions::new(3).unwrap();
        let traffic = read_traffic("mine.csv", Bytewise(text), &cube, 6, 1).unwrap();
        assert_eq!(traffic.messages().len(), 3);
    }

    #[test]
    fn files_are_read_for_any_number_of_nodes_by_number_or_name() {
        let nodes = Nodes::new(24).unwrap();
        let cycles = Network::CubeConnectedCycles(CubeConnectedCycles::new(3).unwrap());
        let parameters = Parameters {
            virtual_channels: 1,
            buffer_bits: 1,
            weak_switch: false,
        };
        let topology = WormholeMachine::new(cycles, parameters).unwrap().topology();
        let read = |text: &str| read_traffic("mine.csv", text.as_bytes(), &topology, 6, 1);
        let traffic = read("source,destination\n23,0\n0,23\n").unwrap();
        assert_eq!(traffic.nodes(), nodes);
        assert_eq!(traffic.messages().get(0).unwrap().destination, 23);
        let by_name = read("source,destination\n2_7,0\n0_0,2_7\n").unwrap();
        assert_eq!(by_name.messages(), traffic.messages());
        for name in ["3_0", "0_8", "_", "x", "-1", "+1"] {
            assert_eq!(
                read(&format!("source,destination\n{name},0\n"))
                    .unwrap_err()
                    .to_string(),
                format!(
                    "mine.csv, line 2, column 1: there is no node `{name}`: the machine has nodes 0 to 23, which by \
                     level and column are 0_0 to 2_7"
                )
            );
        }
        assert_eq!(
            read("source,destination\n23,24\n").unwrap_err().to_string(),
            "mine.csv, line 2, column 4: node 24 is out of range: the machine has nodes 0 to 23"
        );
        let set = |text: &str| read_set("set.csv", text.as_bytes(), &topology);
        assert!(set("source\n23\n0_1\n").unwrap().iter().eq([1, 23]));
        assert!(set("source\n24\n").is_err());
    }

    #[test]
    fn a_set_is_the_source_column() {
        let cube = Dimensions::new(3).unwrap();
        let set = |text: &str| read_set("set.csv", text.as_bytes(), &cube);
        assert!(set("source\n7\n2\n").unwrap().iter().eq([2, 7]));
        assert!(
            set("source,destination\n7,1\n2,1\n")
                .unwrap()
                .iter()
                .eq([2, 7])
        );
        assert!(set("source\n7\n7\n").is_err());
    }
}
