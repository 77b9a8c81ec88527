//! Files of irregular networks and of their routing tables.
//!
//! A network is a CSV file with the header `from,to`, where each row is a link one way, between nodes `0..` without gaps. Or it
//! is a file as BookSim's network `anynet` reads it:
//!
//! ```text
//!   router 0 node 0 router 1 router 2      a router, its node, and the routers to which links lead, and back
//!   router 1 node 1 router 2
//!   node 2 router 2
//! ```
//!
//! Tables are a CSV file with the header `node,destination,next` or `node,destination,next,class`, where each row says to which
//! neighbour a worm goes on, and by channels of which class (0, where none is said).

mod booksim;
mod links;
mod tables;

use std::io::Read;

use crate::csv_file::{Broken, Fields, Rows, is_whole, shown, whole};
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::irregular::{Irregular, MAX_NODES};
use crate::routers::wormhole::networks::irregular::routes::Routes;

/// Reads the network in `input`, in whichever of the two formats; `path` is what errors call it.
///
/// # Errors
/// What is wrong, with line and column; what is wrong with the network as a whole.
pub fn read_network(path: &str, input: impl Read) -> Result<Irregular, Error> {
    let reading = Reading { path };
    let mut rows = Rows::new(input);
    if !rows
        .next_text()
        .map_err(|broken| reading.malformed(broken))?
    {
        let must = "the first line must be `from,to`, or as BookSim's `router 0 node 0 router 1`";
        return Err(reading.at((1, 1), Refusal::why("the file is empty").instead(must)));
    }
    let (nodes, links) = match booksim::is_line(rows.text()) {
        true => booksim::read(&reading, rows)?,
        false => links::read(&reading, rows)?,
    };
    let network = Irregular::new(nodes, &links);
    network.map_err(|error| Refusal::of(path).because(error).into())
}

/// Reads the routing tables in `input`, of a network; `path` is what errors call them.
///
/// # Errors
/// What is wrong, with line and column: what [`Routes::from_table`] refuses too.
pub fn read_routes(path: &str, input: impl Read, network: &Irregular) -> Result<Routes, Error> {
    tables::read(&Reading { path }, input, network)
}

/// How many nodes a network has, and its links.
type NodesAndLinks = (usize, Vec<(usize, usize)>);

/// A file being read: knows its name, for what it has to say.
struct Reading<'a> {
    path: &'a str,
}

impl Reading<'_> {
    fn at(&self, (line, column): (u64, usize), refusal: Refusal) -> Error {
        let refusal = refusal.about(self.path).at_line(line);
        refusal.at_column(column, "").into()
    }

    fn in_field(&self, row: &Fields, index: usize, refusal: Refusal) -> Error {
        self.at((row.line, row.column(index)), refusal)
    }

    fn malformed(&self, broken: Broken) -> Error {
        let refusal = Refusal::why(broken.malformed);
        self.at((broken.line, broken.column), refusal)
    }

    /// The places of columns in a header that has those of `needed`, and those of `others` or not, and nothing else.
    fn header<const N: usize, const M: usize>(
        &self,
        row: &Fields,
        needed: [&str; N],
        others: [&str; M],
        must: &str,
    ) -> Result<([usize; N], [Option<usize>; M]), Error> {
        let place = |name: &str| row.fields().position(|field| field == name);
        let mut places = [0; N];
        for (to, name) in places.iter_mut().zip(needed) {
            *to = place(name).ok_or_else(|| {
                let missing = Refusal::why(format!("the header has no column `{name}`"));
                self.at((row.line, 1), missing.instead(must))
            })?;
        }
        let is_known = |heading: &str| needed.contains(&heading) || others.contains(&heading);
        let unknown = row.fields().position(|heading| !is_known(heading));
        if let Some(index) = unknown {
            let heading = shown(row.field(index));
            let why = format!("the heading `{heading}` means nothing here");
            return Err(self.in_field(row, index, Refusal::why(why).instead(must)));
        }
        Ok((places, others.map(place)))
    }

    /// Refuses a row of more or fewer fields than the header has.
    fn width(&self, row: &Fields, columns: usize) -> Result<(), Error> {
        let fields = row.len();
        match fields == columns {
            true => Ok(()),
            false => {
                let why =
                    format!("fields in this line: {fields}; columns in the header: {columns}");
                Err(self.at((row.line, 1), Refusal::why(why)))
            }
        }
    }

    /// The number of a node in a field, below `nodes`.
    fn node(
        &self,
        row: &Fields,
        index: usize,
        nodes: usize,
        out_of_range: impl Fn(&str) -> Refusal,
    ) -> Result<usize, Error> {
        let text = row.field(index);
        let node = whole(text).filter(|node| *node < nodes);
        node.ok_or_else(|| {
            let refusal = match is_whole(text) {
                true => out_of_range(&shown(text)),
                false => Refusal::why(format!("`{}` is not a node number", shown(text)))
                    .instead("write it in decimal, without a sign"),
            };
            self.in_field(row, index, refusal)
        })
    }
}

/// The refusal of a node that no network has, as it is written.
fn beyond_any_network(node: &str) -> Refusal {
    let last = MAX_NODES - 1;
    Refusal::why(format!("node {node} is out of range")).instead(format!(
        "choose 0 to {last}, since a network has {MAX_NODES} nodes at the most"
    ))
}

#[cfg(test)]
mod tests;
