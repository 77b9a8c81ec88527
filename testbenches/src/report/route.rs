//! The route of the message that `--trace-message` names: over which wires it went, and when.
//!
//! ```text
//!   route of 5->2
//!     5 to 4   across dimension 0, in bit times 12 to 20
//!     4 to 6   across dimension 1, in bit times 30 to 37
//!     6 to 2   across dimension 2, in every second bit time, 50 to 62
//!     arrived  after 63 bit times (0 to 62)
//! ```

use hosts::trail::{self, Trail};
use rtl_model::machine::topology::Topology;
use schemars::JsonSchema;
use serde::Serialize;

/// Hops that a text names; JSON has all.
const MOST_NAMED: usize = 40;

/// The route of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Route {
    /// `source->destination`, by names of nodes.
    pub message: String,
    /// In the order in which they begin; none of a message that stays at its node.
    pub hops: Vec<Hop>,
    /// How many bit times had passed when all of it was at its destination; 0 of one that stays at its node in lockstep. None if it
    /// did not come there in this run, if a wire that failed may have changed it, or if it has several destinations.
    pub arrived: Option<u64>,
    /// It did not come to its destination in this run.
    #[serde(skip)]
    pub is_missing: bool,
}

/// A message crosses a wire, or the relays between two nodes of butterflies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Hop {
    /// The node that sends.
    pub from: String,
    /// The one that receives.
    pub to: String,
    /// Which wire of the sender, in words, or in which copy of the network; none where the nodes say it.
    pub link: Option<String>,
    /// The bit time in which its first bit crosses; of a worm, in which its head has come to the receiver.
    pub first_bit_time: u64,
    /// The bit time in which the last bit of this crossing crosses; none of a worm, which is followed by its head.
    pub last_bit_time: Option<u64>,
    /// In how many bit times, from the first to the last of them, the wire has a bit of it; none of a worm.
    pub bit_times: Option<u64>,
}

impl Route {
    /// Of a message that is followed wire by wire; `is_intact` if no wire fails.
    pub fn of(trail: &Trail, topology: &dyn Topology, is_intact: bool) -> Self {
        let mut crossings: Vec<(trail::Hop, u64)> = Vec::new();
        for hop in trail.hops() {
            let bit_times = hop.times.end - hop.times.start;
            let mut before = crossings.iter_mut().rev();
            let last = before.find(|(one, _)| (one.from, one.link) == (hop.from, hop.link));
            // Messages that share a wire bit by bit each have every second bit time.
            match last.filter(|(last, _)| hop.times.start <= last.times.end + 1) {
                Some((last, bits)) => {
                    last.times.end = hop.times.end;
                    *bits += bit_times;
                }
                None => crossings.push((hop.clone(), bit_times)),
            }
        }
        let hops = crossings.into_iter().map(|(hop, bit_times)| Hop {
            from: topology.node_name(hop.from),
            to: topology.node_name(hop.to),
            link: Some(topology.describe(hop.link)),
            first_bit_time: hop.times.start,
            last_bit_time: Some(hop.times.end - 1),
            bit_times: Some(bit_times),
        });
        Route {
            message: trail.name().to_owned(),
            hops: hops.collect(),
            arrived: trail.arrived().filter(|_| is_intact),
            is_missing: is_intact && trail.destination().is_some() && trail.arrived().is_none(),
        }
    }

    /// What it is called, and its hops in words.
    pub(super) fn text(&self) -> (String, Vec<(String, String)>) {
        let hops = self.hops.iter().take(MOST_NAMED).map(|hop| {
            let link = hop.link.iter().map(|link| format!("{link}, "));
            let first = hop.first_bit_time;
            let when = match hop.last_bit_time.zip(hop.bit_times) {
                None => format!("head there in bit time {first}"),
                Some((last, _)) if first == last => format!("in bit time {first}"),
                Some((last, all)) if last + 1 - first == all => {
                    format!("in bit times {first} to {last}")
                }
                Some((last, some)) if last + 1 - first == 2 * some - 1 => {
                    format!("in every second bit time, {first} to {last}")
                }
                Some((last, some)) => format!("in {some} of the bit times {first} to {last}"),
            };
            let words = link.chain([when]);
            (format!("{} to {}", hop.from, hop.to), words.collect())
        });
        let mut rows: Vec<(String, String)> = hops.collect();
        let more = self.hops.len() - rows.len();
        if more > 0 {
            rows.push(("...".to_owned(), format!("{more} more, in --format json")));
        }
        match (self.arrived, self.is_missing) {
            (Some(arrived), _) if !self.hops.is_empty() => {
                let last = arrived.saturating_sub(1);
                let when = format!("after {arrived} bit times (0 to {last})");
                rows.push(("arrived".to_owned(), when));
            }
            (Some(_), _) => rows.push(("stays".to_owned(), "it is for its own node".to_owned())),
            (None, true) => rows.push(("arrived".to_owned(), "not in this run".to_owned())),
            (None, false) => {}
        }
        (format!("route of {}", self.message), rows)
    }
}

#[cfg(test)]
mod tests {
    use rtl_model::machine::topology::hypercube::Dimensions;

    use super::*;

    /// A message from node 5 to node 2 of a cube of three dimensions that crosses these links in these bit times.
    fn routed(hops: &[(usize, usize, std::ops::Range<u64>)], is_intact: bool) -> Route {
        let cube = Dimensions::new(3).unwrap();
        let hops = hops.iter().map(|(from, link, times)| trail::Hop {
            from: *from,
            to: from ^ 1 << link,
            link: *link,
            times: times.clone(),
        });
        let moves = (Vec::new(), hops.collect());
        let trail = Trail::of(&cube, "5->2".to_owned(), (5, 2), moves);
        Route::of(&trail, &cube, is_intact)
    }

    #[test]
    fn a_route_is_told_wire_by_wire() {
        let mut hops = vec![(5, 0, 3..12), (4, 1, 20..21)];
        // Every second bit time, while another wire is crossed; and once more, after a pause.
        hops.extend((0..3).flat_map(|bit| [(6, 2, 22 + 2 * bit..23 + 2 * bit)]));
        hops.extend([(6, 2, 29..31), (6, 2, 32..34)]);
        let (title, rows) = routed(&hops, true).text();
        assert_eq!(title, "route of 5->2");
        let rows = rows.iter().map(|(name, text)| format!("{name} | {text}"));
        assert_eq!(
            rows.collect::<Vec<_>>(),
            [
                "5 to 4 | across dimension 0, in bit times 3 to 11",
                "4 to 6 | across dimension 1, in bit time 20",
                "6 to 2 | across dimension 2, in every second bit time, 22 to 26",
                "6 to 2 | across dimension 2, in 4 of the bit times 29 to 33",
                "arrived | after 34 bit times (0 to 33)",
            ]
        );
    }

    #[test]
    fn what_does_not_come_there_or_may_be_changed_has_not_arrived() {
        assert_eq!(routed(&[(5, 0, 3..12)], true).arrived, None);
        let all = [(5, 0, 0..4), (4, 1, 4..8), (6, 2, 8..12)];
        assert_eq!(routed(&all, true).arrived, Some(12));
        assert_eq!(routed(&all, false).arrived, None);
        let last_row = |route: &Route| route.text().1.pop();
        let row = |name: &str, words: &str| Some((name.to_owned(), words.to_owned()));
        let never_sent = routed(&[], true);
        assert_eq!(last_row(&never_sent), row("arrived", "not in this run"));
        assert!(!routed(&all, false).is_missing);
        let cube = Dimensions::new(3).unwrap();
        let stays = Trail::of(&cube, "5->5".to_owned(), (5, 5), (Vec::new(), Vec::new()));
        let stays = Route::of(&stays, &cube, true);
        assert_eq!(stays.arrived, Some(0));
        assert_eq!(last_row(&stays), row("stays", "it is for its own node"));
    }

    #[test]
    fn a_long_route_says_how_much_is_left_out() {
        let hops: Vec<_> = (0..50)
            .map(|hop| (hop % 8, 0, 10 * hop as u64..10 * hop as u64 + 3))
            .collect();
        let route = routed(&hops, true);
        assert_eq!(route.hops.len(), 50);
        let (_, rows) = route.text();
        assert_eq!(
            rows[MOST_NAMED],
            ("...".to_owned(), "10 more, in --format json".to_owned())
        );
    }
}
