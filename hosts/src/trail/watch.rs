//! Looks on while something moves, and makes its trail of what was seen.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::crossing_bits::Bits;
use super::ways::ways;
use super::{Hop, Names, Trail, with_pauses};

/// Looks on while it moves.
#[derive(Clone, Debug)]
pub struct Watch {
    pub(super) trail: Trail,
    /// By sender and link, the last hop.
    last: FxHashMap<(usize, usize), usize>,
    /// Its bits, as they cross links.
    pub(super) runs: Vec<Bits>,
    /// By sender and link, the last of these.
    last_runs: FxHashMap<(usize, usize), usize>,
    /// The packets that texts name without a bit, by number.
    pub(super) packets: FxHashMap<String, usize>,
}

impl Watch {
    /// Of what is called so, begins at a node and is for another, or for all to which it comes.
    pub fn new(names: Names, name: String, (source, destination): (usize, Option<usize>)) -> Self {
        Watch {
            trail: Trail {
                name,
                source,
                destination,
                stays: Vec::new(),
                hops: Vec::new(),
                crossings: Vec::new(),
                ways: Vec::new(),
                names,
            },
            last: FxHashMap::default(),
            runs: Vec::new(),
            last_runs: FxHashMap::default(),
            packets: FxHashMap::default(),
        }
    }

    /// It crosses a link, given as sender, receiver and number, in bit times that are later than all in which it has been seen
    /// there. The text names what crosses: a packet, or a message and, behind a colon, the number of the first bit; it stays the
    /// same while those behind that bit cross. Without a text the link is only being set up.
    pub fn see(&mut self, times: Range<u64>, over: (usize, usize, usize), text: Option<&str>) {
        cross(&mut self.trail.hops, &mut self.last, times.clone(), over);
        let Some(text) = text else {
            return;
        };
        let (from, to, link) = over;
        let number = text.rsplit_once(':').and_then(|(_, bit)| bit.parse().ok());
        let first = match number {
            Some(bit) => (0, bit),
            None => (self.packet(text), 0),
        };
        if let Some(&last) = self.last_runs.get(&(from, link)) {
            let run = &mut self.runs[last];
            if run.times.end == times.start && run.first == first {
                run.times.end = times.end;
                return;
            }
        }
        self.last_runs.insert((from, link), self.runs.len());
        self.runs.push(Bits {
            from,
            to,
            link,
            times,
            first,
        });
    }

    /// The number of a packet by its name.
    fn packet(&mut self, name: &str) -> usize {
        match self.packets.get(name) {
            Some(packet) => *packet,
            None => {
                let packet = self.packets.len() + 1;
                self.packets.insert(name.to_owned(), packet);
                packet
            }
        }
    }

    /// All bits that crossed by the names of their packets, packet 2 before packet 10.
    pub(super) fn by_packet(&self) -> Vec<(&str, Vec<&Bits>)> {
        let names: FxHashMap<usize, &str> = (self.packets.iter())
            .map(|(name, number)| (*number, name.as_str()))
            .collect();
        let mut by_packet: BTreeMap<(usize, &str), Vec<&Bits>> = BTreeMap::new();
        for bits in &self.runs {
            let name = names.get(&bits.first.0).copied().unwrap_or_default();
            let packet = by_packet.entry((name.len(), name)).or_default();
            packet.push(bits);
        }
        let packets = by_packet.into_iter();
        packets.map(|((_, name), bits)| (name, bits)).collect()
    }

    /// What was seen. A node has a bit from when it has come until it has gone on for the last time, and for good if it keeps what
    /// comes.
    pub fn finish(self) -> Trail {
        // What is for all goes to all: it is the route that tells how.
        let ways = match self.trail.destination {
            Some(_) => ways(self.by_packet()),
            None => Vec::new(),
        };
        let mut trail = Trail { ways, ..self.trail };
        (trail.hops).sort_by_key(|hop| (hop.times.start, hop.from, hop.link));
        // While a link is set up nothing crosses it.
        let bits = self.runs.iter().map(|bits| Hop {
            from: bits.from,
            to: bits.to,
            link: bits.link,
            times: bits.times.clone(),
        });
        let mut bits: Vec<Hop> = bits.collect();
        if !bits.is_empty() {
            bits.sort_by_key(|hop| (hop.times.start, hop.from, hop.link));
            trail.hops = bits;
        }
        let mut come: FxHashMap<usize, Vec<Bits>> = FxHashMap::default();
        let mut go = come.clone();
        for bits in self.runs {
            go.entry(bits.from).or_default().push(bits.clone());
            come.entry(bits.to).or_default().push(bits);
        }
        for node in trail.nodes() {
            let is_source = node == trail.source;
            let is_kept = trail
                .destination
                .is_none_or(|destination| destination == node);
            let come = come.remove(&node).unwrap_or_default();
            let go = go.remove(&node).unwrap_or_default();
            let times = match (is_kept, is_source) {
                (true, _) => {
                    let first = come.iter().map(|bits| bits.times.start + 1).min();
                    let first = first.filter(|_| !is_source).unwrap_or(0);
                    Vec::from_iter(std::iter::once(first..u64::MAX))
                }
                (_, true) => {
                    let last = go.iter().map(|bits| bits.times.end).max();
                    Vec::from_iter(last.map(|end| 0..end))
                }
                _ => held(come, &go),
            };
            trail
                .stays
                .extend(times.into_iter().map(|times| (node, times)));
        }
        trail.stays.sort_by_key(|(_, times)| times.start);
        // A longer pause may be one in which a link is set up.
        trail.crossings = with_pauses(&trail.hops, 1);
        trail
    }
}

/// When a node has bits that come to it and that it sends on, not those that it has no use for.
fn held(mut come: Vec<Bits>, go: &[Bits]) -> Vec<Range<u64>> {
    come.sort_by_key(|bits| bits.first);
    let longest = come
        .iter()
        .map(|bits| bits.times.end - bits.times.start)
        .max();
    let longest = longest.unwrap_or(0);
    let mut times: Vec<Range<u64>> = Vec::new();
    for going in go {
        let (packet, numbers) = (going.first.0, going.numbers());
        // Those before begin too early to reach them.
        let first = (packet, numbers.start.saturating_sub(longest));
        let reaching = come.partition_point(|bits| bits.first < first);
        let reaching = come[reaching..].iter();
        for coming in reaching.take_while(|bits| bits.first < (packet, numbers.end)) {
            let of_both = coming.numbers();
            let of_both = of_both.start.max(numbers.start)..of_both.end.min(numbers.end);
            if of_both.is_empty() {
                continue;
            }
            // Each bit is there from when it has come until it has gone, and so are those between the first and the last.
            let has = coming.time(of_both.start) + 1..going.time(of_both.end - 1) + 1;
            if coming.time(of_both.start) < going.time(of_both.start) {
                times.push(has);
            }
        }
    }
    times.sort_unstable_by_key(|times| times.start);
    let mut apart: Vec<Range<u64>> = Vec::new();
    for times in times {
        match apart.last_mut() {
            Some(last) if times.start <= last.end => last.end = last.end.max(times.end),
            _ => apart.push(times),
        }
    }
    apart
}

/// A link is crossed: the last hop over it goes on, or another begins.
fn cross(
    hops: &mut Vec<Hop>,
    last: &mut FxHashMap<(usize, usize), usize>,
    times: Range<u64>,
    (from, to, link): (usize, usize, usize),
) {
    let before = last.get(&(from, link)).map(|&last| &mut hops[last]);
    match before.filter(|hop| hop.times.end >= times.start) {
        Some(hop) => hop.times.end = times.end,
        None => {
            last.insert((from, link), hops.len());
            hops.push(Hop {
                from,
                to,
                link,
                times,
            });
        }
    }
}
