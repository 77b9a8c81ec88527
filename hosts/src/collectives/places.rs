//! Where bits of messages lie in the memories of nodes, by address: what a node has alone, and what all have alike.

use rtl_model::machine::host::NODES_AT_ONCE;
use rtl_model::routers::collectives::program::Segment;

/// Where bits of messages lie in the memories of nodes.
pub struct Places<'a> {
    source: usize,
    /// At every node alike, by address.
    common: Vec<&'a Segment>,
    /// By 64 addresses, the first of these that does not end before them.
    first_common: Vec<usize>,
    /// At single nodes, by relative node and address.
    single: Vec<&'a Segment>,
    /// By relative node, where its own begin among them; up to the last that has any.
    begins: Vec<usize>,
}

/// Bits of a message in a stretch of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The other end of the message.
    pub other: usize,
    /// Its first bit here.
    pub bit: usize,
    /// How many.
    pub bits: usize,
    /// How far behind the beginning of the stretch.
    pub behind: usize,
}

impl<'a> Places<'a> {
    /// Of some segments; `source` is the node whose relative address is 0.
    pub fn new(segments: &'a [Segment], source: usize) -> Self {
        let mut common: Vec<&Segment> = Vec::new();
        let mut single: Vec<(usize, &Segment)> = Vec::new();
        for segment in segments {
            match segment.at {
                Some(node) => single.push((node, segment)),
                None => common.push(segment),
            }
        }
        common.sort_by_key(|segment| segment.address);
        single.sort_by_key(|(node, segment)| (*node, segment.address));
        let nodes = single.last().map_or(0, |(node, _)| node + 1);
        let begins = (0..=nodes).map(|node| single.partition_point(|(at, _)| *at < node));
        let end = common.last().map_or(0, |one| one.address + one.bits);
        let first = |from: usize| common.partition_point(|one| one.address + one.bits <= from);
        Places {
            source,
            first_common: (0..end).step_by(NODES_AT_ONCE).map(first).collect(),
            common,
            begins: begins.collect(),
            single: single.into_iter().map(|(_, segment)| segment).collect(),
        }
    }

    /// What lies at one node alone, by address.
    pub(super) fn own(&self, node: usize) -> &[&'a Segment] {
        match self.begins.get(node ^ self.source..) {
            Some([begin, end, ..]) => &self.single[*begin..*end],
            _ => &[],
        }
    }

    /// What lies in the addresses of a node from `from` on, so many of them.
    pub fn stretches(
        &self,
        node: usize,
        (from, amount): (usize, usize),
    ) -> impl Iterator<Item = Stretch> {
        let own = self.own(node);
        let last = from + amount;
        let within = move |one: &&Segment| one.address < last;
        let is_before = move |one: &&Segment| one.address + one.bits <= from;
        let own = own[own.partition_point(is_before)..].iter().copied();
        let common = match self.first_common.get(from / NODES_AT_ONCE) {
            Some(first) => &self.common[*first..],
            None => &[],
        };
        let common = common.iter().copied().skip_while(is_before);
        let all = own.take_while(within).chain(common.take_while(within));
        all.map(move |one| {
            let begin = one.address.max(from);
            let end = (one.address + one.bits).min(last);
            Stretch {
                other: node ^ one.partner,
                bit: one.bit + (begin - one.address),
                bits: end.saturating_sub(begin),
                behind: begin - from,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(at: Option<usize>, address: usize, bits: usize) -> Segment {
        Segment {
            at,
            partner: 1,
            bit: 10 * address,
            bits,
            address,
        }
    }

    #[test]
    fn a_stretch_of_memory_has_what_lies_there_of_all_segments() {
        let segments = [
            segment(None, 60, 8),
            segment(Some(1), 0, 3),
            segment(None, 5, 2),
            segment(Some(0), 70, 1),
        ];
        // Node 3 is at relative address 1, and node 2 at 0.
        let places = Places::new(&segments, 2);
        let found = |node, from| -> Vec<[usize; 4]> {
            let all = places.stretches(node, (from, 64));
            all.map(|one| [one.other, one.bit, one.bits, one.behind])
                .collect()
        };
        assert_eq!(found(3, 0), [[2, 0, 3, 0], [2, 50, 2, 5], [2, 600, 4, 60]]);
        assert_eq!(found(3, 64), [[2, 604, 4, 0]]);
        assert_eq!(found(2, 64), [[3, 700, 1, 6], [3, 604, 4, 0]]);
        assert_eq!(found(2, 128), Vec::<[usize; 4]>::new());
    }
}
