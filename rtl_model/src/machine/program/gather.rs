//! Planes that no single shuffle takes to where they are read: put together word by word.
//!
//! ```text
//!   received:  | word n                     |      each word of masked parts of words that were sent,
//!                 |         |         |            each shuffled as a whole
//!   sent:      | word a | word b |  ...            which words these are is worked out, or looked up in a table
//! ```

use crate::language::lanes::{Lanes, PLACE};
use crate::machine::topology::{Crossing, Topology};

/// How a plane is put together.
#[derive(Debug)]
pub(super) enum Gather {
    /// Each node is in one of these.
    Crossings(Box<[Masked]>),
    /// The network does not say.
    Table(Table),
}

/// A crossing, in words.
#[derive(Debug)]
pub(super) struct Masked {
    /// What to turn over in a word's number, or which bit of a place.
    flips: usize,
    swaps: Option<usize>,
    /// The words in whose numbers these bits are these, and which places of them.
    mask: usize,
    value: usize,
    places: u64,
}

/// Where all that is received comes from.
#[derive(Debug)]
pub(super) struct Table {
    /// By word, where its parts begin.
    first: Box<[u32]>,
    parts: Box<[Part]>,
}

/// A part of a word: so many places up, in a circle.
#[derive(Debug)]
struct Part {
    places: u64,
    word: u32,
    up: u32,
}

impl Gather {
    /// By crossings, in words of `2^in_word` nodes.
    pub(super) fn of_crossings(crossings: &[Crossing], in_word: usize) -> Self {
        let masked = |crossing: &Crossing| {
            let Crossing { flips, mask, value } = *crossing;
            let in_places = (0..in_word).filter(|bit| mask >> bit & 1 == 1);
            Masked {
                flips: (1 << flips) >> in_word,
                swaps: (flips < in_word).then_some(flips),
                mask: mask >> in_word,
                value: value >> in_word,
                places: in_places.fold(!0, |places, bit| match value >> bit & 1 {
                    1 => places & PLACE[bit],
                    _ => places & !PLACE[bit],
                }),
            }
        };
        Gather::Crossings(crossings.iter().map(masked).collect())
    }

    /// One word of what is received, given those that were sent.
    #[inline(always)]
    pub(super) fn word(&self, number: usize, sent: impl Fn(usize) -> u64) -> u64 {
        match self {
            Gather::Crossings(crossings) => crossings
                .iter()
                .filter(|crossing| number & crossing.mask == crossing.value)
                .fold(0, |word, crossing| {
                    let from = sent(number ^ crossing.flips);
                    word | crossing.places & crossing.swaps.map_or(from, |bit| from.across(bit))
                }),
            Gather::Table(table) => table.parts_of(number).iter().fold(0, |word, part| {
                word | part.places & sent(part.word as usize).rotate_left(part.up)
            }),
        }
    }
}

impl Table {
    /// Of a link. What [`Topology::receive`] does with planes that number all places says where each place receives from: so
    /// the table cannot say anything else than what the fabric does when it ticks.
    pub(super) fn of<B: Lanes>(topology: &impl Topology, groups: usize, link: usize) -> Self {
        let (driven, words) = (topology.driven(), groups * B::WORDS);
        let in_word = B::LOG2_NODES.min(6);
        let mut wires = vec![B::ZERO; groups * driven];
        // By place: the number of the place that it receives from, and whether from any.
        let mut from = vec![0; words << in_word];
        let number_bits = 6 + words.next_power_of_two().ilog2() as usize;
        for bit in 0..=number_bits {
            let plane = |word: usize| match (bit == number_bits, PLACE.get(bit)) {
                (true, _) => !0,
                (_, Some(&places)) => places,
                _ => ((word >> (bit - 6) & 1) as u64).wrapping_neg(),
            };
            for group in 0..groups {
                let wire = &mut wires[group * driven + link];
                (0..B::WORDS).for_each(|word| wire.set_word(word, plane(group * B::WORDS + word)));
            }
            for group in 0..groups {
                let received = topology.receive(&wires, group, link);
                for word in 0..B::WORDS {
                    let places = (group * B::WORDS + word) << in_word;
                    let word = received.word(word);
                    for place in 0..1 << in_word {
                        from[places + place] |= (word >> place & 1) << bit;
                    }
                }
            }
        }
        Self::of_places(&from, in_word, number_bits)
    }

    /// Where places, `2^in_word` of which are in a word, receive from: from the place of that number, if bit `number_bits` is 1.
    fn of_places(from: &[u64], in_word: usize, number_bits: usize) -> Self {
        let words = from.chunks_exact(1 << in_word);
        let (mut first, mut parts) = (Vec::with_capacity(words.len() + 1), Vec::<Part>::new());
        for places in words {
            let begin = parts.len();
            first.push(begin as u32);
            for (place, &from) in (0..).zip(places) {
                if from >> number_bits == 0 {
                    continue;
                }
                let from = from & ((1 << number_bits) - 1);
                let (word, up) = ((from >> 6) as u32, (place + 64 - (from & 63) as u32) % 64);
                let is_same = |part: &&mut Part| (part.word, part.up) == (word, up);
                match parts[begin..].iter_mut().find(is_same) {
                    Some(part) => part.places |= 1 << place,
                    None => parts.push(Part {
                        places: 1 << place,
                        word,
                        up,
                    }),
                }
            }
        }
        first.push(parts.len() as u32);
        Table {
            first: first.into(),
            parts: parts.into(),
        }
    }

    /// None beyond the last word.
    #[inline(always)]
    fn parts_of(&self, word: usize) -> &[Part] {
        match self.first.get(word..word + 2) {
            Some(&[first, end]) => &self.parts[first as usize..end as usize],
            _ => &[],
        }
    }
}
