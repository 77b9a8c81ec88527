//! Traffic files of several messages a node: the same columns, and any number of rows for a source, a destination, or
//! both.

use std::io::Read;

use bitvec::vec::BitVec;

use crate::csv_file::Fields;
use crate::error::Error;
use crate::machine::memory::{available, require_growing};
use crate::machine::topology::Topology;
use crate::traffic::file::{Columns, Reading};
use crate::traffic::{Message, Nodes, Relation};

/// Reads the relation in `input`, of a machine with this network; `path` is what its errors call it. Messages of one
/// source keep the order of their rows.
///
/// # Errors
/// [`Error::TrafficFile`], with line and column; a network of more
/// nodes than there is traffic for.
pub fn read_relation(
    path: &str,
    input: impl Read,
    topology: &impl Topology,
    payload_bits: usize,
    seed: u64,
) -> Result<Relation, Error> {
    let reading = Reading {
        path,
        topology,
        has_batches: false,
    };
    let mut rows = Vec::new();
    reading.messages(input, payload_bits, |_, _, message| {
        rows.push(message);
        Ok(())
    })?;
    relation(rows, Nodes::new(topology.nodes())?, payload_bits, seed)
}

/// A message and its payload, if the file gives one.
pub(super) type Given = (Message, Option<BitVec<u64>>);

impl<T: Topology> Reading<'_, T> {
    /// Hands out the message of every row, with the row.
    pub(super) fn messages(
        &self,
        input: impl Read,
        payload_bits: usize,
        mut take: impl FnMut(&Columns, &Fields, Given) -> Result<(), Error>,
    ) -> Result<(), Error> {
        Nodes::new(self.topology.nodes())?;
        // What is taken is in one vector, and sorted into another.
        let payload_bytes = 8 * payload_bits.div_ceil(64) as u64;
        let bytes_of_row = 2 * (size_of::<Given>() as u64 + payload_bytes);
        let mut taken = 0;
        self.rows(input, true, |columns, row| {
            let (source, destination) = self.ends(columns, row)?;
            let message = Message {
                source,
                destination,
            };
            let given = self.given(columns, row, payload_bits)?;
            require_growing(taken, "messages", bytes_of_row, available)?;
            taken += 1;
            take(columns, row, (message, given))
        })
    }
}

/// The relation of these messages.
pub(super) fn relation(
    mut rows: Vec<Given>,
    nodes: Nodes,
    payload_bits: usize,
    seed: u64,
) -> Result<Relation, Error> {
    // As the relation sorts them, so that a payload stays with its message.
    rows.sort_by_key(|(message, _)| message.source);
    let messages = rows.iter().map(|(message, _)| *message).collect();
    let mut relation = Relation::new(nodes, payload_bits, messages, seed)?;
    for (index, (_, given)) in rows.iter().enumerate() {
        if let Some(given) = given {
            relation.payload_mut(index).copy_from_bitslice(given);
        }
    }
    Ok(relation)
}

impl Relation {
    /// A traffic file of it, all payloads included: [`read_relation`] makes the same relation of that, with as many
    /// payload bits and any seed.
    pub fn file(&self) -> String {
        let mut file = "source,destination,payload\n".to_owned();
        for (index, message) in self.messages().iter().enumerate() {
            file += &format!("{},{},", message.source, message.destination);
            for from in (0..self.payload_bits()).step_by(64).rev() {
                let digits = (self.payload_bits() - from).min(64).div_ceil(4);
                let chunk = self.payloads().chunk(index, from);
                file += &format!("{chunk:0digits$x}");
            }
            file.push('\n');
        }
        file
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::traffic::pattern::Pattern;

    fn read(text: &str) -> Result<Relation, Error> {
        let cube = Dimensions::new(3).unwrap();
        read_relation("mine.csv", text.as_bytes(), &cube, 6, 1)
    }

    fn pairs(relation: &Relation) -> Vec<(usize, usize)> {
        let messages = relation.messages().iter();
        messages.map(|one| (one.source, one.destination)).collect()
    }

    #[test]
    fn any_number_of_rows_may_name_a_node_and_payloads_stay_with_their_rows() {
        let text = "source,destination,payload\n5,2,2f\n0,2,\n5,2,1\n5,1,2\n0,7,3\n";
        let relation = read(text).unwrap();
        assert_eq!(pairs(&relation), [(0, 2), (0, 7), (5, 2), (5, 2), (5, 1)]);
        for (index, payload) in [(1, 3), (2, 0x2f), (3, 1), (4, 2)] {
            assert_eq!(relation.payloads().chunk(index, 0), payload);
        }
        let drawn = read(&text.replace("2f", "")).unwrap();
        assert_eq!(relation.payload(0), drawn.payload(0), "drawn from the seed");
        assert_ne!(relation.payload(2), drawn.payload(2));
        assert!(relation.payloads_are_distinct());
        assert!(
            !read(&text.replace("2f", "3"))
                .unwrap()
                .payloads_are_distinct()
        );
        assert!(read("destination,source\n").unwrap().messages().is_empty());
    }

    #[test]
    fn mistakes_are_named_with_their_places() {
        for (text, error) in [
            (
                "source,destination\n1,2\n1,8\n",
                "mine.csv, line 3, column 3: node 8 is out of range: the machine has nodes 0 to 7",
            ),
            (
                "destination,source,payload\n1,2,1\n\n1,2,7f\n",
                "mine.csv, line 4, column 5: payload 7f takes 7 bits and messages carry 6: raise --payload-bits",
            ),
            (
                "source\n1\n",
                "mine.csv, line 1, column 1: the header has no column `destination`: the first line must be \
                 `source,destination` or `source,destination,payload`, in lower case, with commas between",
            ),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn a_relation_is_read_as_it_was_written() {
        let cube = Dimensions::new(5).unwrap();
        for payload_bits in [1, 4, 6, 63, 64, 65, 130] {
            for relation in [
                Relation::drawn(cube, payload_bits, 3, 0.7, 4).unwrap(),
                Relation::repeated(cube, payload_bits, Pattern::Uniform, 2, 0.5, 4).unwrap(),
                Relation::new(cube, payload_bits, Vec::new(), 4).unwrap(),
            ] {
                let file = relation.file();
                let again = read_relation("it.csv", file.as_bytes(), &cube, payload_bits, 9);
                let again = again.unwrap();
                assert_eq!(again.messages(), relation.messages());
                assert_eq!(again.payloads(), relation.payloads());
                assert_eq!(again.file(), file);
            }
        }
        let message = Message {
            source: 3,
            destination: 31,
        };
        let mut relation = Relation::new(cube, 70, vec![message], 1).unwrap();
        relation.payload_mut(0).fill(false);
        relation.payload_mut(0).set(69, true);
        let expected = "source,destination,payload\n3,31,200000000000000000\n";
        assert_eq!(relation.file(), expected);
    }
}
