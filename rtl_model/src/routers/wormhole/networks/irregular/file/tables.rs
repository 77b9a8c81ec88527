//! Routing tables from CSV files.

use std::io::Read;

use super::reading::Reading;
use crate::csv_file::{Fields, Rows, is_whole, shown, whole};
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::irregular::Irregular;
use crate::routers::wormhole::networks::irregular::routes::{
    Column, Entry, Flaw, FlawAt, MAX_CLASSES, Routes, Table, class_out_of_range, node_out_of_range,
};

const MUST: &str = "the first line must be `node,destination,next` or `node,destination,next,class`, in lower case, with commas between";

/// Columns by their place in a line.
struct Columns {
    node: usize,
    destination: usize,
    next: usize,
    class: Option<usize>,
}

pub(super) fn read(
    reading: &Reading<'_>,
    input: impl Read,
    network: &Irregular,
) -> Result<Routes, Error> {
    let mut rows = Rows::new(input);
    let nodes = network.nodes();
    let malformed = |broken| reading.malformed(broken);
    let Some(header) = rows.headings().map_err(malformed)? else {
        let empty = Refusal::why("the file is empty").instead(MUST);
        return Err(reading.at((1, 1), empty));
    };
    let needed = ["node", "destination", "next"];
    let ([node, destination, next], [class]) = reading.header(header, needed, ["class"], MUST)?;
    let (columns, width) = (
        Columns {
            node,
            destination,
            next,
            class,
        },
        header.len(),
    );
    let mut table = Table::new(network);
    // By node and destination, 0 for none. Lines beyond 2^32 all count as one.
    let mut lines = vec![0u32; nodes * nodes];
    while let Some(row) = rows.next_row().map_err(malformed)? {
        reading.width(row, width)?;
        let entry = columns.entry(reading, row, nodes)?;
        let line = &mut lines[entry.node * nodes + entry.destination];
        if *line != 0 {
            let twice = Refusal::why(format!(
                "the route from node {} to node {} already stands in line {line}",
                entry.node, entry.destination
            ));
            let twice = twice.instead("leave one of the two out");
            return Err(reading.in_field(row, columns.node, twice));
        }
        *line = u32::try_from(row.line).unwrap_or(u32::MAX);
        if let Err(Flaw { place, refusal }) = table.add(entry) {
            let column = match place {
                FlawAt::Last(column) => columns.of(column),
                _ => columns.node,
            };
            return Err(reading.in_field(row, column, refusal));
        }
    }
    table
        .finish()
        .map_err(|Flaw { place, refusal }| match place {
            FlawAt::Entry { node, destination } => {
                let line = lines[node * nodes + destination];
                reading.at((u64::from(line), 1), refusal)
            }
            FlawAt::Network => refusal.about(reading.path).into(),
            // A row is missing: at the end there is room for it.
            FlawAt::Missing | FlawAt::Last(_) => reading.at((rows.lines(), 1), refusal),
        })
}

impl Columns {
    fn of(&self, column: Column) -> usize {
        match column {
            Column::Node => self.node,
            Column::Destination => self.destination,
            Column::Next => self.next,
            Column::Class => self.class.unwrap_or(self.next),
        }
    }

    /// What a row says, whose nodes are there.
    fn entry(&self, reading: &Reading<'_>, row: &Fields, nodes: usize) -> Result<Entry, Error> {
        let node = |column| reading.node(row, column, nodes, |node| node_out_of_range(node, nodes));
        let class = match self.class {
            Some(column) => class(row.field(column))
                .map_err(|refusal| reading.in_field(row, column, refusal))?,
            None => 0,
        };
        Ok(Entry {
            node: node(self.node)?,
            destination: node(self.destination)?,
            next: node(self.next)?,
            class,
        })
    }
}

/// The class in a field, which may be left empty.
fn class(text: &str) -> Result<usize, Refusal> {
    if text.is_empty() {
        return Ok(0);
    }
    let class = whole(text).filter(|class| *class < MAX_CLASSES);
    class.ok_or_else(|| match is_whole(text) {
        true => class_out_of_range(shown(text)),
        false => Refusal::why(format!("`{}` is not a class", shown(text)))
            .instead("write its number in decimal, without a sign"),
    })
}
