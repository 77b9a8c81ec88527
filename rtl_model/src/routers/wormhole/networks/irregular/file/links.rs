//! Networks from CSV files of links.

use std::io::Read;

use rustc_hash::FxHashMap;

use super::reading::{NodesAndLinks, Reading, beyond_any_network};
use crate::csv_file::{Fields, Rows};
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::irregular::{MAX_COLOURS, MAX_NODES};

const MUST: &str = "the first line must be `from,to`, in lower case, with a comma between, or as BookSim's \
                    `router 0 node 0 router 1`";

/// Links that have been read.
struct Links {
    /// With the line in which each stands.
    lines: FxHashMap<(usize, usize), u64>,
    /// How many leave each node, and how many come to it.
    degrees: [Vec<usize>; 2],
}

/// Of rows of which the header is the current line.
pub(super) fn read(
    reading: &Reading<'_>,
    mut rows: Rows<impl Read>,
) -> Result<NodesAndLinks, Error> {
    let header = rows
        .headings_of_text()
        .map_err(|broken| reading.malformed(broken))?;
    let (columns, []) = reading.header(header, ["from", "to"], [], MUST)?;
    let mut links = Links {
        lines: FxHashMap::default(),
        degrees: [vec![0; MAX_NODES], vec![0; MAX_NODES]],
    };
    while let Some(row) = rows
        .next_row()
        .map_err(|broken| reading.malformed(broken))?
    {
        links.add(reading, row, columns)?;
    }
    let links: Vec<(usize, usize)> = links.lines.into_keys().collect();
    let Some(last) = links.iter().map(|(from, to)| *from.max(to)).max() else {
        let none = Refusal::why("no link stands below the header");
        return Err(reading.at((rows.lines(), 1), none));
    };
    Ok((last + 1, links))
}

impl Links {
    fn add(
        &mut self,
        reading: &Reading<'_>,
        row: &Fields,
        columns: [usize; 2],
    ) -> Result<(), Error> {
        reading.width(row, columns.len())?;
        let end = |column| reading.node(row, column, MAX_NODES, beyond_any_network);
        let (from, to) = (end(columns[0])?, end(columns[1])?);
        if from == to {
            let itself = Refusal::why(format!("the link leads from node {from} to itself"));
            return Err(reading.in_field(row, columns[1], itself.instead("leave it out")));
        }
        if let Some(line) = self.lines.insert((from, to), row.line) {
            let twice = Refusal::why(format!("link {from} -> {to} already stands in line {line}"));
            let instead = "leave one of the two out: a row is a link one way";
            return Err(reading.in_field(row, columns[0], twice.instead(instead)));
        }
        let ways = [(from, "leave"), (to, "come to")];
        for (side, (node, way)) in ways.into_iter().enumerate() {
            let degree = &mut self.degrees[side][node];
            *degree += 1;
            if *degree > MAX_COLOURS {
                let why = format!("more than {MAX_COLOURS} links {way} node {node}");
                let refusal = Refusal::why(why).instead(format!("{MAX_COLOURS} is the most"));
                return Err(reading.in_field(row, columns[side], refusal));
            }
        }
        Ok(())
    }
}
