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
mod reading;
mod tables;

use std::io::Read;

use crate::csv_file::Rows;
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::irregular::Irregular;
use crate::routers::wormhole::networks::irregular::file::reading::Reading;
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

#[cfg(test)]
mod tests;
