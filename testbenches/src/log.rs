//! The log of a run as CSV, a row a message: `message,source,destination,created,injected,arrived,hops,path,bit_times`, in the order of
//! the traffic.
//!
//! ```text
//!   created    the bit time in which its host has it ready: 0 in lockstep
//!   injected   the one in which its first bit is sent; empty, if none is
//!   arrived    how many bit times have passed when all of it is there; empty, if it did not come there
//!   path       5>4>6>2: nodes in the order in which it comes to them; |0>1 begins elsewhere again, as a message in parts does
//!   bit_times  12-20 30-37 50-62: of each hop of the path the first and the last bit time in which a bit crosses; empty for worms
//! ```

use hosts::trail::Trail;
use rtl_model::machine::topology::Topology;

use crate::deliveries::write_rows;
use crate::error::Error;
use crate::output::Staged;
use crate::report::Route;

/// What the file is called among those that a run writes, and in refusals.
pub const NAME: &str = "log";
/// The same, with its article.
pub const FILE: &str = "the log of messages";

const HEADER: [&str; 9] = [
    "message",
    "source",
    "destination",
    "created",
    "injected",
    "arrived",
    "hops",
    "path",
    "bit_times",
];

/// A message in a log.
#[derive(Clone, Debug, Default)]
pub struct Logged {
    /// Its name: `source->destination`, by the names of nodes.
    pub message: String,
    /// The node that sends it.
    pub source: String,
    /// The node that it is for; none, if it is for several.
    pub destination: Option<String>,
    /// When its host has it ready.
    pub created: u64,
    /// When its first bit is sent.
    pub injected: Option<u64>,
    /// How many bit times have passed when all of it is there.
    pub arrived: Option<u64>,
    /// Nodes that are one behind the other on its way, and when bits cross, if that is known: the first and the last bit time.
    pub hops: Vec<([String; 2], Option<[u64; 2]>)>,
}

impl Logged {
    /// Of a message in lockstep whose route is known; where no wire fails, the machine `is_intact`.
    pub fn of(trail: &Trail, topology: &dyn Topology, is_intact: bool) -> Self {
        let route = Route::of(trail, topology, is_intact);
        let name = |node: usize| topology.node_name(node);
        let hops = route.hops.iter().map(|hop| {
            let times = hop.last_bit_time.map(|last| [hop.first_bit_time, last]);
            ([hop.from.clone(), hop.to.clone()], times)
        });
        Logged {
            source: name(trail.source()),
            destination: trail.destination().map(name),
            created: 0,
            injected: route.hops.first().map(|hop| hop.first_bit_time),
            arrived: route.arrived,
            hops: hops.collect(),
            message: route.message,
        }
    }

    fn path(&self) -> String {
        let mut path = self.source.clone();
        let mut last = &self.source;
        for ([from, to], _) in &self.hops {
            if from != last {
                path += &format!("|{from}");
            }
            path += &format!(">{to}");
            last = to;
        }
        path
    }

    fn cells(&self) -> [String; 9] {
        let time = |time: Option<u64>| time.map_or(String::new(), |time| time.to_string());
        let crossed = self.hops.iter().filter_map(|(_, times)| *times);
        let crossed = crossed.map(|[first, last]| format!("{first}-{last}"));
        [
            self.message.clone(),
            self.source.clone(),
            self.destination.clone().unwrap_or_default(),
            self.created.to_string(),
            time(self.injected),
            time(self.arrived),
            self.hops.len().to_string(),
            self.path(),
            crossed.collect::<Vec<_>>().join(" "),
        ]
    }
}

/// Writes the rows, and puts the file into its place.
///
/// # Errors
/// A file that cannot be written after all.
pub fn write(file: Staged, rows: impl Iterator<Item = Logged>) -> Result<(), Error> {
    write_rows(file, |writer| {
        writer.write_record(HEADER)?;
        rows.map(|row| row.cells())
            .try_for_each(|cells| writer.write_record(cells))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_nodes_in_a_row_and_begins_again_where_parts_go() {
        let hop = |from: &str, to: &str, times| ([from.to_owned(), to.to_owned()], times);
        let logged = Logged {
            message: "5->2".to_owned(),
            source: "5".to_owned(),
            destination: Some("2".to_owned()),
            injected: Some(12),
            arrived: Some(63),
            hops: vec![
                hop("5", "4", Some([12, 20])),
                hop("4", "6", Some([30, 37])),
                hop("5", "7", Some([31, 31])),
            ],
            ..Logged::default()
        };
        let cells = logged.cells();
        assert_eq!(
            cells.join(","),
            "5->2,5,2,0,12,63,3,5>4>6|5>7,12-20 30-37 31-31"
        );
        let stays = Logged {
            source: "3".to_owned(),
            arrived: Some(0),
            ..Logged::default()
        };
        assert_eq!(stays.cells().join(","), ",3,,0,,0,0,3,");
    }
}
