//! The ways of the parts of a message: which bits go from node to node by which others.
//!
//! ```text
//!   bits that cross      0->1: 0..4     1->3: 0..2     1->5: 2..4      cut wherever such a run of bits begins or ends
//!   ways                 bits 0 to 1: 0 1 3      bits 2 to 3: 0 1 5
//! ```

use std::ops::Range;

use waves::picture::run::{Crossing, Way};

use super::crossing_bits::Bits;

/// Of more parts than these on one way, the first and the last are named.
const MOST_NAMED: usize = 4;

/// What goes a way: of each packet by name, or of the message by the empty one, the bits; none of a packet that goes whole.
type Parts<'a> = Vec<(&'a str, Vec<Range<u64>>)>;

/// Bits of a packet that cross the same links.
pub(super) struct Piece<'a> {
    /// Their numbers in the packet.
    pub bits: Range<u64>,
    /// Where they cross, in order of time.
    pub hops: Vec<&'a Bits>,
}

/// The ways of all bits that crossed, by the names of their packets, if there are several, in the order of the bits.
pub(super) fn ways(by_packet: Vec<(&str, Vec<&Bits>)>) -> Vec<Way> {
    // Of each way the parts that go it, in the order of the first of them, and where they cross.
    let mut ways: Vec<(Vec<u32>, Parts, Vec<Crossing>)> = Vec::new();
    for (name, of_packet) in by_packet {
        let same_way = same_way(&of_packet);
        let is_whole = same_way.len() == 1 && !name.is_empty();
        for (bits, nodes, crossings) in same_way {
            let way = match ways.iter().position(|(other, ..)| *other == nodes) {
                Some(place) => place,
                None => {
                    ways.push((nodes, Vec::new(), Vec::new()));
                    ways.len() - 1
                }
            };
            ways[way].2.extend(crossings);
            let parts = &mut ways[way].1;
            if parts.last().is_none_or(|(last, _)| *last != name) {
                parts.push((name, Vec::new()));
            }
            if let Some((_, all)) = parts.last_mut().filter(|_| !is_whole) {
                all.push(bits);
            }
        }
    }
    if ways.len() < 2 {
        return Vec::new();
    }
    let ways = ways.into_iter();
    ways.map(|(nodes, parts, crossings)| Way {
        part: listed(parts.iter().map(named).collect()),
        nodes,
        crossings,
    })
    .collect()
}

/// What a part is called.
fn named((packet, bits): &(&str, Vec<Range<u64>>)) -> String {
    let range = |bits: &Range<u64>| match bits.end - bits.start {
        1 => bits.start.to_string(),
        _ => format!("{} to {}", bits.start, bits.end - 1),
    };
    let bits = listed(bits.iter().map(range).collect());
    match (*packet, bits.as_str()) {
        ("", bits) => format!("bits {bits}"),
        (packet, "") => packet.to_owned(),
        (packet, bits) => format!("{packet} bits {bits}"),
    }
}

/// All of few, the first and the last of many.
fn listed(all: Vec<String>) -> String {
    match &all[..] {
        [first, .., last] if all.len() > MOST_NAMED => format!("{first} .. {last}"),
        _ => all.join(", "),
    }
}

/// Of a packet, which bits go together from their first node to their last, the nodes, and where they cross.
fn same_way(of_packet: &[&Bits]) -> Vec<(Range<u64>, Vec<u32>, Vec<Crossing>)> {
    let mut same: Vec<(Range<u64>, Vec<u32>, Vec<Crossing>)> = Vec::new();
    for piece in pieces(of_packet) {
        let crossing = |bits: &&Bits| Crossing {
            sender: bits.from as u32,
            receiver: bits.to as u32,
            from: bits.time(piece.bits.start) as u32,
            to: bits.time(piece.bits.end) as u32,
        };
        let crossings = piece.hops.iter().map(crossing);
        let mut nodes: Vec<u32> = Vec::new();
        for hop in &piece.hops {
            if nodes.last() != Some(&(hop.from as u32)) {
                nodes.push(hop.from as u32);
            }
            nodes.push(hop.to as u32);
        }
        match same.last_mut() {
            Some((bits, last, all)) if bits.end == piece.bits.start && *last == nodes => {
                bits.end = piece.bits.end;
                for crossing in crossings {
                    let ends = |one: &Crossing| (one.sender, one.receiver, one.to);
                    let begins = (crossing.sender, crossing.receiver, crossing.from);
                    match all.iter_mut().find(|one| ends(one) == begins) {
                        Some(goes_on) => goes_on.to = crossing.to,
                        None => all.push(crossing),
                    }
                }
            }
            _ => {
                let crossings = crossings.collect();
                same.push((piece.bits, nodes, crossings));
            }
        }
    }
    same
}

/// The pieces of a packet: it is cut wherever bits that cross one behind the other begin or end.
pub(super) fn pieces<'a>(of_packet: &[&'a Bits]) -> Vec<Piece<'a>> {
    let ends = of_packet
        .iter()
        .flat_map(|bits| [bits.numbers().start, bits.numbers().end]);
    let mut cuts: Vec<u64> = ends.collect();
    cuts.sort_unstable();
    cuts.dedup();
    let piece = |cut: &[u64]| {
        let hops = of_packet.iter().copied();
        let mut hops: Vec<&Bits> = hops
            .filter(|bits| bits.numbers().contains(&cut[0]))
            .collect();
        hops.sort_by_key(|bits| bits.time(cut[0]));
        let bits = cut[0]..cut[1];
        (!hops.is_empty()).then_some(Piece { bits, hops })
    };
    cuts.windows(2).filter_map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trail::watch::Watch;

    /// So many bits from this one on cross from a node to another, beginning in that bit time.
    fn bits(
        (from, to): (usize, usize),
        begin: u64,
        (packet, first): (usize, u64),
        amount: u64,
    ) -> Bits {
        Bits {
            from,
            to,
            link: 0,
            times: begin..begin + amount,
            first: (packet, first),
        }
    }

    /// Parts, and the nodes that they come to.
    fn told(runs: &[Bits], packets: &[&str]) -> Vec<String> {
        let mut watch = Watch::new([].into(), String::new(), (0, Some(0)));
        let numbered = packets.iter().zip(1..);
        let packets = numbered.map(|(name, number)| ((*name).to_owned(), number));
        watch.packets = packets.collect();
        watch.runs = runs.to_vec();
        ways(watch.by_packet())
            .into_iter()
            .map(|way| format!("{}: {:?}", way.part, way.nodes))
            .collect()
    }

    #[test]
    fn bits_that_part_on_their_way_are_told_apart() {
        let mut runs = [
            bits((0, 1), 0, (0, 0), 4),
            bits((1, 3), 5, (0, 0), 2),
            bits((1, 5), 6, (0, 2), 2),
            bits((5, 7), 9, (0, 3), 1),
        ];
        // They may be seen in any order.
        runs.reverse();
        assert_eq!(
            told(&runs, &[]),
            [
                "bits 0 to 1: [0, 1, 3]",
                "bits 2: [0, 1, 5]",
                "bits 3: [0, 1, 5, 7]"
            ]
        );
    }

    #[test]
    fn packets_that_go_the_same_way_are_told_together() {
        let packets = ["a", "b", "c", "d", "e", "f"];
        let mut runs: Vec<Bits> = (1..=6)
            .map(|packet| bits((0, 1), 8 * packet as u64, (packet, 0), 8))
            .collect();
        assert_eq!(told(&runs, &packets), [""; 0], "there is one way");
        runs[1].to = 2;
        assert_eq!(told(&runs[..3], &packets), ["a, c: [0, 1]", "b: [0, 2]"]);
        assert_eq!(told(&runs, &packets), ["a .. f: [0, 1]", "b: [0, 2]"]);
        runs.push(bits((1, 3), 60, (5, 4), 4));
        assert_eq!(
            told(&runs[3..], &packets),
            ["d, e bits 0 to 3, f: [0, 1]", "e bits 4 to 7: [0, 1, 3]"]
        );
    }

    /// A message in pieces, every second of which goes another way.
    #[test]
    fn bits_that_go_the_same_way_are_told_together() {
        let piece = |place: u64| bits((0, 1 + place as usize % 2), place, (0, 3 * place), 3);
        let runs: Vec<Bits> = (0..4).map(piece).collect();
        assert_eq!(
            told(&runs, &[]),
            [
                "bits 0 to 2, 6 to 8: [0, 1]",
                "bits 3 to 5, 9 to 11: [0, 2]"
            ]
        );
    }
}
