//! A traffic file as one of several ranks reads it: all of it passes by, and what has to do with the rank's nodes is kept.

use std::io::Read;

use bitvec::vec::BitVec;

use crate::error::Error;
use crate::machine::share::Share;
use crate::machine::topology::hypercube::Dimensions;
use crate::traffic::alike::Alike;
use crate::traffic::drawing::Drawing;
use crate::traffic::file::{Lines, Reading};
use crate::traffic::part::{Ends, Part};
use crate::traffic::{NodeSet, Payloads};

/// Reads the traffic in `input`, of a hypercube that ranks share, as [`read_traffic`](super::read_traffic) does, and keeps
/// messages that begin or end at nodes of the share; payloads are those that it gives or draws. What was said of all of them has
/// then to be [joined](Part::join).
///
/// # Errors
/// As [`read_traffic`](super::read_traffic); of two messages from a node, or to one, the rank with that node tells. Of what
/// all ranks meet, what comes [first](super::precedence) is what is wrong with the file.
pub fn read_part(
    path: &str,
    input: impl Read,
    (cube, share): (Dimensions, Share),
    payload_bits: usize,
    seed: u64,
) -> Result<Part, Error> {
    let (reading, nodes) = Reading::of_list(path, &cube)?;
    let here = share.nodes(nodes.count());
    let mut begins = Ends::none(here, payload_bits);
    let mut ends = Ends::none(here, payload_bits);
    let (mut lines_from, mut lines_to) = (Lines::none(here), Lines::none(here));
    let mut senders = BitVec::<u64>::repeat(false, nodes.count());
    let mut given: Option<BitVec<u64>> = None;
    let mut alike = Alike::new(payload_bits, share, here);
    let mut one = Payloads::zeros(payload_bits, 1);
    reading.rows(input, true, |columns, row| {
        let (source, destination) = reading.ends(columns, row)?;
        let begin = share.place(cube, source);
        let end = share.place(cube, destination);
        if let Some(place) = begin
            && let Some(line) = lines_from.first(place, row.line)
        {
            return Err(reading.twice_from(columns, row, (source, line)));
        }
        if let Some(place) = end
            && let Some(line) = lines_to.first(place, row.line)
        {
            let first = (ends.other(place).unwrap_or_default(), line);
            return Err(reading.twice_to(columns, row, (destination, first, source)));
        }
        if let Some(place) = begin {
            begins.others[place] = destination as u32 + 1;
        }
        if let Some(place) = end {
            ends.others[place] = source as u32 + 1;
        }
        // Whoever has the node refuses a second message of it; the others keep no more of it.
        let is_second = senders.replace(source, true);
        if let Some(payload) = reading.given(columns, row, payload_bits)? {
            let given = given.get_or_insert_with(|| BitVec::repeat(false, nodes.count()));
            given.set(source, true);
            one.at_mut(0).copy_from_bitslice(&payload);
            if !is_second {
                alike.show(&one, 0);
            }
            for (of, place) in [(&mut begins, begin), (&mut ends, end)] {
                if let Some(place) = place {
                    of.payloads.at_mut(place).copy_from_bitslice(&payload);
                }
            }
        }
        Ok(())
    })?;
    drop((lines_from, lines_to));
    let senders = NodeSet::of_words(senders.into_vec());
    let is_given = |source: usize| given.as_ref().is_some_and(|given| given[source]);
    let mut drawing = Drawing::new(payload_bits, nodes.number_bits(), seed);
    for place in 0..here {
        let own = share.node_at(cube, place);
        let begin = begins.other(place).map(|_| own);
        let end = ends.other(place);
        for (of, source) in [(&mut begins, begin), (&mut ends, end)] {
            if let Some(source) = source.filter(|&source| !is_given(source)) {
                drawing.go_to(senders.rank(source));
                drawing.draw(source, &mut of.payloads, place);
            }
        }
    }
    // Drawn ones are different if they have the bits for it.
    let is_plain = given.is_none() && payload_bits >= nodes.number_bits();
    let payloads_are_distinct = is_plain || {
        drawing.go_to(0);
        for source in senders.iter() {
            // Whether it is given or not, its place in the row of random bits is its own.
            drawing.draw(source, &mut one, 0);
            if !is_given(source) {
                alike.show(&one, 0);
            }
        }
        !alike.are_there()
    };
    Ok(Part {
        cube,
        share,
        messages: senders.len(),
        idle: senders.first_other(nodes.count()),
        payloads_are_distinct,
        begins,
        ends,
    })
}

/// Bytes that [`read_part`] takes while it reads, at the most.
pub fn reading_part_bytes(cube: Dimensions, share: Share, payload_bits: usize) -> u64 {
    let here = share.nodes(cube.nodes());
    let lines = (2 * size_of::<u32>() * here) as u64;
    // Of all nodes, who sends, and whose payload is given.
    let of_all = NodeSet::bytes(cube.nodes()) + 8 * cube.nodes().div_ceil(64) as u64;
    Part::bytes(cube, share, payload_bits) + lines + of_all + Alike::bytes(payload_bits, here)
}

#[cfg(test)]
mod tests;
