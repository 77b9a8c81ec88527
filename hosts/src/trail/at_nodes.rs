//! How many bits of messages each node has, worked out of where every bit crosses.
//!
//! ```text
//!   bits 0..4 come to node 1    3..7     one in each bit time, so their number rises
//!             and go on         9..13                  and falls
//!   at node 1                   . . . . / / / / - - \ \ \ \ . .
//! ```
//!
//! A node has a bit from the bit time after it has come until it has gone on for the last time, and for good if it keeps it.

use std::collections::BTreeMap;

use waves::picture::run::{Change, Number, Value};

use super::Watch;
use super::ways::{Piece, pieces};

/// Nodes times bit times of a run of which bits are counted.
const MOST_COUNTED: u64 = 1 << 24;

/// The bits at all nodes.
pub(super) struct AtNodes {
    /// All that are there.
    there: Amounts,
    /// Those that are where they were sent.
    arrived: Amounts,
    bit_times: u64,
}

impl AtNodes {
    /// Of a run of so many nodes and bit times that is not too long, before anything is there.
    pub fn new(nodes: usize, bit_times: u32) -> Option<Self> {
        let counted = (nodes as u64).saturating_mul(u64::from(bit_times));
        (counted <= MOST_COUNTED).then(|| AtNodes {
            there: Amounts::new(nodes),
            arrived: Amounts::new(nodes),
            bit_times: u64::from(bit_times),
        })
    }

    /// What was watched is there too.
    pub fn add(&mut self, watch: &Watch) {
        for (_, of_packet) in watch.by_packet() {
            for piece in pieces(&of_packet) {
                self.add_piece(&piece, (watch.trail.source, watch.trail.destination));
            }
        }
    }

    fn add_piece(&mut self, piece: &Piece, (source, destination): (usize, Option<usize>)) {
        let bits = piece.bits.end - piece.bits.start;
        let is_kept = |node: usize| destination.is_none_or(|destination| destination == node);
        // By node: when the first of the bits has come, if not before the run, and when it has gone on.
        let mut visits: BTreeMap<usize, (Option<u64>, Option<u64>)> = BTreeMap::new();
        visits.insert(source, (None, None));
        for hop in &piece.hops {
            let after = hop.time(piece.bits.start) + 1;
            if let Some((_, gone)) = visits.get_mut(&hop.from) {
                *gone = Some(after);
            }
            match visits.get(&hop.to).copied() {
                Some((_, None)) => {}
                Some(_) if is_kept(hop.to) => {}
                before => {
                    if let Some(visit) = before {
                        self.there.visit(hop.to, bits, visit);
                    }
                    visits.insert(hop.to, (Some(after), None));
                }
            }
        }
        for (node, (come, gone)) in visits {
            match (is_kept(node), gone) {
                (true, _) => {
                    self.there.visit(node, bits, (come, None));
                    if destination.is_some() {
                        self.arrived.visit(node, bits, (come, None));
                    }
                }
                (false, Some(_)) => self.there.visit(node, bits, (come, gone)),
                // What it has no use for is not told.
                (false, None) => {}
            }
        }
    }

    /// By node, how many there are from when on; and how many have arrived, as a number of nodes.
    pub fn finish(self) -> (Vec<Vec<Change>>, Option<Number>) {
        let arrived = self.arrived.finish(self.bit_times);
        let most = arrived.iter().flatten().map(|change| change.value).max();
        let value = |size: u32| Value {
            text: size.to_string(),
            size,
        };
        let arrived = most.filter(|most| *most > 0).map(|most| Number {
            name: "packet bits that have arrived".to_owned(),
            is_count: true,
            width: 32,
            values: (0..=most).map(value).collect(),
            nodes: arrived,
            second: Vec::new(),
            every: 1,
        });
        (self.there.finish(self.bit_times), arrived)
    }
}

/// How many bits there are at nodes.
struct Amounts {
    /// By node, how many are there when the run begins.
    first: Vec<u64>,
    /// By node: from when on so many more come in a bit time than before.
    faster: Vec<Vec<(u64, i64)>>,
}

impl Amounts {
    fn new(nodes: usize) -> Self {
        Amounts {
            first: vec![0; nodes],
            faster: vec![Vec::new(); nodes],
        }
    }

    /// So many bits are at a node from when the first of them has come until it has gone.
    fn visit(&mut self, node: usize, bits: u64, (come, gone): (Option<u64>, Option<u64>)) {
        match come {
            Some(come) => self.faster[node].extend([(come, 1), (come + bits, -1)]),
            None => self.first[node] += bits,
        }
        if let Some(gone) = gone {
            self.faster[node].extend([(gone, -1), (gone + bits, 1)]);
        }
    }

    /// By node, how many there are from when on, up to a bit time.
    fn finish(self, bit_times: u64) -> Vec<Vec<Change>> {
        let nodes = self.first.into_iter().zip(self.faster);
        let of_node = |(first, mut faster): (u64, Vec<(u64, i64)>)| {
            faster.sort_unstable();
            let mut faster = faster.into_iter().peekable();
            let (mut amount, mut more) = (first as i64, 0);
            let mut changes: Vec<Change> = Vec::new();
            for bit_time in 0..bit_times {
                while let Some((_, by)) = faster.next_if(|(from, _)| *from <= bit_time) {
                    more += by;
                }
                amount += more;
                let value = amount as u32;
                if changes.last().is_none_or(|last| last.value != value) {
                    changes.push(Change {
                        from: bit_time as u32,
                        value,
                    });
                }
                if faster.peek().is_none() && more == 0 {
                    break;
                }
            }
            changes
        };
        nodes.map(of_node).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trail::tests::watching;

    /// What is at the first four nodes, and has arrived there, in each of eight bit times, of what crosses.
    fn counted(
        destination: Option<usize>,
        seen: impl IntoIterator<Item = (u64, usize, usize, &'static str)>,
    ) -> [[Vec<u32>; 4]; 2] {
        let mut bits = AtNodes::new(4, 8).unwrap();
        bits.add(&watching(destination, seen));
        let (there, arrived) = bits.finish();
        let arrived = arrived.map_or(vec![Vec::new(); 4], |number| number.nodes);
        [there, arrived].map(|changes| {
            [0, 1, 2, 3].map(|node| {
                let value = |bit_time: u32| {
                    let begun = changes[node].iter().rfind(|change| change.from <= bit_time);
                    begun.map_or(0, |change| change.value)
                };
                (0..8).map(value).collect()
            })
        })
    }

    /// Bits 0 and 1 by way of node 1, bit 2 by way of node 2.
    const SEEN: [(u64, usize, usize, &str); 6] = [
        (1, 0, 0, "m:0"),
        (2, 0, 0, "m:0"),
        (2, 0, 1, "m:2"),
        (3, 1, 1, "m:0"),
        (4, 1, 1, "m:0"),
        (5, 2, 0, "m:2"),
    ];

    #[test]
    fn bits_are_where_they_have_come_and_not_gone() {
        let [there, arrived] = counted(Some(3), SEEN);
        assert_eq!(there[0], [3, 3, 2, 0, 0, 0, 0, 0]);
        assert_eq!(there[1], [0, 0, 1, 2, 1, 0, 0, 0]);
        assert_eq!(there[2], [0, 0, 0, 1, 1, 1, 0, 0]);
        assert_eq!(there[3], [0, 0, 0, 0, 1, 2, 3, 3]);
        assert_eq!(arrived[3], there[3]);
        assert!(arrived[..3].iter().flatten().all(|bits| *bits == 0));
    }

    #[test]
    fn what_is_for_all_stays_everywhere() {
        let [there, arrived] = counted(None, SEEN);
        assert_eq!(arrived.concat(), [0; 32], "it is for nobody in particular");
        let [source, by_one, by_two, end] = there;
        assert_eq!(source, [3; 8]);
        assert_eq!(by_one, [0, 0, 1, 2, 2, 2, 2, 2]);
        assert_eq!(by_two, [0, 0, 0, 1, 1, 1, 1, 1]);
        assert_eq!(end, [0, 0, 0, 0, 1, 2, 3, 3]);
    }

    /// Back at node 0, and on from there by another way; to node 1, where nobody has a use for it.
    #[test]
    fn a_bit_may_come_back_and_may_be_of_no_use() {
        let seen = [
            (0, 0, 0, "p"),
            (2, 1, 0, "p"),
            (4, 0, 1, "p"),
            (5, 2, 0, "p"),
            (5, 0, 0, "p"),
        ];
        let [[source, by_one, by_two, end], _] = counted(Some(3), seen);
        assert_eq!(source, [1, 0, 0, 1, 1, 1, 0, 0]);
        assert_eq!(by_one, [0, 1, 1, 0, 0, 0, 0, 0]);
        assert_eq!(by_two, [0, 0, 0, 0, 0, 1, 0, 0]);
        assert_eq!(end, [0, 0, 0, 0, 0, 0, 1, 1]);
    }

    #[test]
    fn a_run_that_is_too_long_is_not_counted() {
        assert!(AtNodes::new(1 << 12, 1 << 12).is_some());
        assert!(AtNodes::new(1 << 12, (1 << 12) + 1).is_none());
    }
}
