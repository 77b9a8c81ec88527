//! A traffic file of at most one message from each node and to each, as one process reads it: all of it is kept.

use std::io::Read;

use bitvec::vec::BitVec;

use crate::error::Error;
use crate::machine::topology::Topology;
use crate::traffic::file::{Lines, Reading};
use crate::traffic::{Nodes, Payloads, Traffic};

/// Reads the traffic in `input`, of a machine with this network; `path` is what its errors call it.
///
/// # Errors
/// [`Error::TrafficFile`], with line and column; a network of more nodes than
/// there is traffic for.
pub fn read_traffic(
    path: &str,
    input: impl Read,
    topology: &impl Topology,
    payload_bits: usize,
    seed: u64,
) -> Result<Traffic, Error> {
    let (reading, nodes) = Reading::of_list(path, topology)?;
    let mut sources = Lines::none(nodes.count());
    // By destination and by source, the other end and 1; 0 where there is none.
    let mut sender_to = vec![0u32; nodes.count()];
    let mut destination_of = vec![0u32; nodes.count()];
    let mut given: Option<Given> = None;
    reading.rows(input, true, |columns, row| {
        let (source, destination) = reading.ends(columns, row)?;
        if let Some(line) = sources.first(source, row.line) {
            return Err(reading.twice_from(columns, row, (source, line)));
        }
        if let Some(first) = sender_to[destination].checked_sub(1) {
            let first = (first as usize, sources.of(first as usize));
            return Err(reading.twice_to(columns, row, (destination, first, source)));
        }
        sender_to[destination] = source as u32 + 1;
        destination_of[source] = destination as u32 + 1;
        if let Some(payload) = reading.given(columns, row, payload_bits)? {
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
