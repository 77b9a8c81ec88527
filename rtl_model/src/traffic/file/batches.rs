//! Traffic files of messages that go in batches: a further column, `batch`, may say in which, from 0.

use std::collections::HashMap;
use std::io::Read;

use crate::csv_file::{shown, whole};
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::Topology;
use crate::traffic::file::Reading;
use crate::traffic::file::relation::{Given, relation};
use crate::traffic::{Nodes, Relation, Traffic};

/// What a file has.
#[derive(Clone, Debug)]
pub enum Batched {
    /// Batches, from 0 to the highest that it names: a partial permutation each.
    Batches(Vec<Traffic>),
    /// Messages that are in no batch yet.
    Relation(Relation),
}

/// Reads `input`, whose batches are numbered below `most`, if there is such a column; otherwise as
/// [`read_relation`](super::read_relation).
///
/// # Errors
/// [`Error::TrafficFile`], with line and column; a network of more nodes than there is traffic for.
pub fn read_batches(
    path: &str,
    input: impl Read,
    (topology, most): (&impl Topology, usize),
    payload_bits: usize,
    seed: u64,
) -> Result<Batched, Error> {
    let reading = Reading {
        path,
        topology,
        has_batches: true,
    };
    let (mut in_none, mut batches): (Vec<Given>, Vec<Vec<Given>>) = (Vec::new(), Vec::new());
    let (mut from, mut to) = (HashMap::new(), HashMap::new());
    let mut has_batches = false;
    reading.messages(input, payload_bits, |columns, row, given| {
        let Some(column) = columns.batch else {
            in_none.push(given);
            return Ok(());
        };
        has_batches = true;
        let at = |column, refusal| Err(reading.at(row.line, row.column(column), refusal));
        let text = row.field(column);
        let Some(batch) = whole(text).filter(|batch| *batch < most) else {
            let (text, last) = (shown(text), most - 1);
            let why = format!("`{text}` is no batch: they are numbered from 0 to {last}");
            return at(column, Refusal::why(why));
        };
        let (message, _) = given;
        let twice = |node, does, line| {
            Refusal::why(format!(
                "node {node} already {does} the message of line {line} in batch {batch}"
            ))
            .instead("put one of them into another batch")
        };
        if let Some(line) = from.insert((batch, message.source), row.line) {
            return at(columns.source, twice(message.source, "sends", line));
        }
        if let Some(line) = to.insert((batch, message.destination), row.line) {
            let refusal = twice(message.destination, "receives", line);
            return at(columns.destination(), refusal);
        }
        if batches.len() <= batch {
            batches.resize_with(batch + 1, Vec::new);
        }
        batches[batch].push(given);
        Ok(())
    })?;
    let nodes = Nodes::new(topology.nodes())?;
    if !has_batches {
        return Ok(Batched::Relation(relation(
            in_none,
            nodes,
            payload_bits,
            seed,
        )?));
    }
    let batches = batches.into_iter().enumerate().map(|(batch, rows)| {
        let seed = seed.wrapping_add(batch as u64);
        let messages = rows.iter().map(|(message, _)| *message).collect();
        let mut traffic = Traffic::new(nodes, payload_bits, messages, seed)?;
        for (message, given) in &rows {
            if let (Some(given), Some(index)) = (given, traffic.index_from(message.source)) {
                traffic.payload_mut(index).copy_from_bitslice(given);
            }
        }
        Ok(traffic)
    });
    Ok(Batched::Batches(batches.collect::<Result<_, Error>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::topology::hypercube::Dimensions;

    fn read(text: &str) -> Result<Batched, Error> {
        let cube = Dimensions::new(3).unwrap();
        read_batches("t.csv", text.as_bytes(), (&cube, 4), 8, 1)
    }

    #[test]
    fn messages_are_in_the_batches_that_the_file_names() {
        let file = "batch,source,destination,payload\n2,0,5,ff\n0,0,5,01\n2,7,1,\n";
        let Batched::Batches(batches) = read(file).unwrap() else {
            panic!("no batches");
        };
        let sent: Vec<Vec<(usize, usize)>> = batches
            .iter()
            .map(|traffic| {
                let all = traffic.messages();
                all.iter()
                    .map(|one| (one.source, one.destination))
                    .collect()
            })
            .collect();
        assert_eq!(sent, [vec![(0, 5)], vec![], vec![(0, 5), (7, 1)]]);
        assert!(batches[2].payload(0).all() && batches[0].payload(0)[0]);
        let Batched::Relation(relation) = read("source,destination\n0,5\n0,5\n").unwrap() else {
            panic!("batches");
        };
        assert_eq!(relation.messages().len(), 2);
    }

    #[test]
    fn what_cannot_be_names_its_line() {
        for (rows, refusal) in [
            (
                "4,0,5",
                "t.csv, line 2, column 1: `4` is no batch: they are numbered from 0 to 3",
            ),
            (
                "x,0,5",
                "t.csv, line 2, column 1: `x` is no batch: they are numbered from 0 to 3",
            ),
            (
                "1,0,5\n0,0,5\n1,0,6",
                "t.csv, line 4, column 3: node 0 already sends the message of line 2 in batch 1: put one of them into another batch",
            ),
            (
                "1,0,5\n1,3,5",
                "t.csv, line 3, column 5: node 5 already receives the message of line 2 in batch 1: put one of them into another batch",
            ),
        ] {
            let refused = read(&format!("batch,source,destination\n{rows}\n")).unwrap_err();
            assert_eq!(refused.to_string(), refusal);
        }
    }
}
