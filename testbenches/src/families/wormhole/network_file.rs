//! Networks from files: what chooses them, and how they are read.

use std::fs::{File, Metadata};
use std::io::BufReader;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use rtl_model::error::Error as ModelError;
use rtl_model::routers::wormhole::networks::irregular::file::{read_network, read_routes};
use rtl_model::routers::wormhole::networks::irregular::{SHORTEST, TableRouted, UP_DOWN};

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::wormhole::parameters::ROUTING;
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Axis, InSeries, Parameter};

/// Ways to find the routing tables of a network from a file, by their names.
pub const ROUTINGS: [&str; 2] = [SHORTEST, UP_DOWN];

pub const NETWORK_FILE: Parameter = Parameter::text(
    ("network_file", "--network-file"),
    "FILE",
    "Network from a file, in the place of --network: as BookSim's anynet lists it (lines such as `router 0 node 0 router 1 router 3`, \
     links both ways), or as CSV with the header `from,to` and a row for each link, one way. Every node has a routing table, in \
     registers",
)
.or_file("the network", |_| true)
.axis(
    Axis::new("Networks from files, as of `run`, with commas between", "").series(InSeries::InName),
);

pub const ROUTES_FILE: Parameter = Parameter::text(
    ("routes_file", "--routes-file"),
    "FILE.csv",
    "Routing tables of --network-file from a CSV file, in the place of --routing: the header `node,destination,next` or \
     `node,destination,next,class`, and a row for each node and each other destination: the node to which worms go on, and the class \
     of channels that they take to it (channel v of a link is of class v modulo the classes that there are)",
)
.or_file("the routes", |_| true)
.only(is_from_file, "only a network from a file takes routing tables from one")
.axis(
    Axis::new("Routing tables of --network-file from files, with commas between", "")
        .series(InSeries::InName),
);

/// Whether the network comes from a file.
pub fn is_from_file(chosen: &Chosen) -> bool {
    chosen.has(&NETWORK_FILE)
}

/// What a network was read by: the files, each as it was when it was read, and the routing.
type Key = (Vec<(String, Option<SystemTime>)>, &'static str);

/// Networks that have been read. A network is asked for at many places, and a file may be a pipe, which can be read once.
static READ: Mutex<Vec<(Key, TableRouted)>> = Mutex::new(Vec::new());

/// So many are kept.
const MOST_KEPT: usize = 16;

/// The network from a file, if one is asked for.
///
/// # Errors
/// A file that cannot be read, or is no network; routes that do not lead everywhere.
pub fn table_routed(chosen: &Chosen) -> Result<Option<TableRouted>, Error> {
    let Some(file) = chosen.text(&NETWORK_FILE) else {
        return Ok(None);
    };
    let routes_file = chosen.text(&ROUTES_FILE);
    let routing = match routes_file {
        Some(_) => "",
        None => chosen.name(&ROUTING)?,
    };
    let files = [Some(file), routes_file].into_iter().flatten();
    let key: Key = (files.map(as_it_is).collect(), routing);
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, routed)) = read.iter().find(|(known, _)| *known == key) {
        return Ok(Some(routed.clone()));
    }
    let routed = read_anew(file, routes_file, routing)?;
    if read.len() == MOST_KEPT {
        read.remove(0);
    }
    read.push((key, routed.clone()));
    Ok(Some(routed))
}

/// A file, and when it was written last, if it is one that stays.
fn as_it_is(file: &str) -> (String, Option<SystemTime>) {
    let metadata = std::fs::metadata(file).ok().filter(Metadata::is_file);
    let modified = metadata.and_then(|of| of.modified().ok());
    (file.to_owned(), modified)
}

fn read_anew(file: &str, routes_file: Option<&str>, routing: &str) -> Result<TableRouted, Error> {
    let network = read_network(file, opened(file, "the network")?)?;
    let of_file = |error: ModelError| Refusal::of(file).because(error);
    Ok(match routes_file {
        Some(routes_file) => {
            let routes = read_routes(routes_file, opened(routes_file, "the routes")?, &network)?;
            TableRouted::by_tables(file, network, (routes, routes_file))
        }
        None => match routing {
            UP_DOWN => TableRouted::up_down(file, network).map_err(of_file)?,
            _ => TableRouted::shortest(file, network).map_err(of_file)?,
        },
    })
}

fn opened(file: &str, what: &str) -> Result<BufReader<File>, Error> {
    let opened = File::open(file).map_err(|error| {
        Refusal::of(file).because(format!("{what} cannot be read from it: {error}"))
    })?;
    Ok(BufReader::new(opened))
}
