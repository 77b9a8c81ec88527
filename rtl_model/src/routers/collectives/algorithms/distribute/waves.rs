//! What DISTRIBUTE 2 sends when: the waves' contents, the ways of their pieces, and when links are free.
//!
//! ```text
//!   source       | T | wave 1                         | T | wave 2            | T | wave 3   |
//!   distance 1                                        | T | C5 | T | C4 | ...  | T | C2 | ...
//!   distance 2                                                 | T | C5 | T | C4 | ...
//! ```

use std::collections::HashMap;

use super::stages::Shape;
use crate::routers::collectives::algorithms::counting::{binomial, rotated_down, subsets};

/// Bits of each part of the messages of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Portion {
    pub level: usize,
    pub first: usize,
    pub bits: usize,
}

/// Bits of a part that go the same way, when they cross its hops.
pub(super) struct Piece {
    /// The nodes on the way as its first port sees them, from the source on.
    pub stations: Vec<usize>,
    /// The first of the bits of the part.
    pub first: usize,
    pub bits: usize,
    /// By hop: when, and whether a START comes before.
    pub hops: Vec<(usize, bool)>,
}

/// When what is sent.
pub(super) struct Waves {
    /// When waves begin.
    pub begins: Vec<usize>,
    /// When the source is through.
    pub source_end: usize,
    /// When the last has arrived.
    pub end: usize,
    pub pieces: Vec<Piece>,
}

/// The least number of waves such that each can be `d - 1` times as long as the next.
pub(super) fn waves(d: usize) -> usize {
    let due = (1usize << d) - 1;
    let (mut waves, mut sum, mut longest) = (0, 0, 1);
    while d * sum < due {
        sum += longest;
        longest *= d - 1;
        waves += 1;
    }
    waves
}

/// How many times as long as the next a wave is: `d (1 + r + ... + r^(k-1)) = 2^d - 1`.
fn ratio(d: usize, waves: usize) -> f64 {
    let due = ((1usize << d) - 1) as f64 / d as f64;
    let sum = |ratio: f64| (0..waves).fold(0.0, |sum, _| sum * ratio + 1.0);
    let (mut low, mut high) = (1.0, d as f64);
    for _ in 0..64 {
        let middle = (low + high) / 2.0;
        match sum(middle) < due {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

/// What is in each wave, the farthest first; waves are filled with the nearest first, from the last wave backwards.
pub(super) fn contents(shape: Shape) -> Vec<Vec<Portion>> {
    let (d, m) = (shape.d, shape.m);
    let waves = waves(d);
    let ratio = ratio(d, waves);
    let mut contents = vec![vec![Portion {
        level: 1,
        first: 0,
        bits: m,
    }]];
    let (mut level, mut first, mut size) = (2, 0, m as f64);
    for wave in (1..waves).rev() {
        size *= ratio;
        let (mut portions, mut room) = (Vec::new(), size as usize);
        while level <= d {
            let (part, slots) = (m.div_ceil(level), binomial(d - 1, level - 1));
            // No wave is empty, however short messages are.
            let least = usize::from(portions.is_empty());
            let fits = match wave {
                1 => part,
                _ => (room / slots).max(least),
            };
            let bits = fits.min(part - first);
            if bits > 0 {
                portions.push(Portion { level, first, bits });
            }
            room = room.saturating_sub(bits * slots);
            first += bits;
            if first < part {
                break;
            }
            (level, first) = (level + 1, 0);
        }
        portions.reverse();
        contents.push(portions);
    }
    contents.reverse();
    contents
}

/// The ways from the first of some ones: across any other of them, and then circularly upwards. By as many ways, all links from
/// there are as busy.
fn ways(ones: usize) -> Vec<Vec<usize>> {
    let others: Vec<usize> = (1..usize::BITS as usize)
        .filter(|place| ones >> place & 1 == 1)
        .collect();
    let turns = 0..others.len().max(1);
    turns
        .map(|turn| {
            let (before, after) = others.split_at(turn);
            let mut stations = vec![0, 1];
            for place in after.iter().chain(before) {
                stations.push(stations[stations.len() - 1] | 1 << place);
            }
            stations
        })
        .collect()
}

/// The pieces of a portion, in the order in which the source sends them.
fn pieces(d: usize, portion: Portion) -> impl Iterator<Item = Piece> {
    let sets = subsets(d - 1, portion.level - 1);
    sets.flat_map(move |set| {
        let ways = ways(1 | set << 1);
        let count = ways.len();
        let bound = move |number: usize| portion.bits * number / count;
        let pieces = ways.into_iter().enumerate();
        pieces.map(move |(number, stations)| Piece {
            stations,
            first: portion.first + bound(number),
            bits: bound(number + 1) - bound(number),
            hops: Vec::new(),
        })
    })
    .filter(|piece| piece.bits > 0)
}

impl Waves {
    pub fn of(shape: Shape) -> Self {
        let (d, start_up) = (shape.d, shape.start_up);
        let mut waves = Waves {
            begins: Vec::new(),
            source_end: 0,
            end: 0,
            pieces: Vec::new(),
        };
        // By distance, when links from there are free.
        let mut free = vec![0; d];
        for portions in contents(shape) {
            let begin = waves.source_end;
            waves.begins.push(begin);
            let mut sent = 0;
            let mut wavelets: Vec<Vec<Piece>> = Vec::new();
            for portion in portions {
                let mut wavelet: Vec<Piece> = pieces(d, portion).collect();
                for piece in &mut wavelet {
                    let wait = if sent > 0 { start_up } else { 0 };
                    piece.hops.push((begin + wait + sent, sent == 0));
                    sent += piece.bits;
                }
                wavelets.push(wavelet);
            }
            waves.source_end = begin + start_up + sent;
            for mut wavelet in wavelets {
                let mut begin = waves.source_end;
                let level = wavelet.first().map_or(1, |piece| piece.stations.len() - 1);
                for (distance, free) in free.iter_mut().enumerate().take(level).skip(1) {
                    begin = begin.max(*free);
                    begin += start_up + cross(d, distance, &mut wavelet, (begin, start_up));
                    *free = begin;
                }
                waves.end = waves.end.max(begin);
                waves.pieces.extend(wavelet);
            }
        }
        waves
    }

    /// The most that a neighbour of the source holds of what it sends on.
    pub fn held(&self, start_up: usize) -> usize {
        let mut events: Vec<(usize, bool, usize)> = Vec::new();
        for piece in self.pieces.iter().filter(|piece| piece.hops.len() > 1) {
            let (begin, has_start) = piece.hops[1];
            let start_up = if has_start { start_up } else { 0 };
            events.push((piece.hops[0].0, true, piece.bits));
            events.push((begin + start_up + piece.bits, false, piece.bits));
        }
        events.sort_unstable();
        let (mut held, mut most) = (0, 0);
        for (_, comes, bits) in events {
            match comes {
                true => held += bits,
                false => held -= bits,
            }
            most = most.max(held);
        }
        most
    }
}

/// Lets a wavelet cross the links from a distance on, from `begin` on: how long the busiest of them is busy after START.
fn cross(
    d: usize,
    distance: usize,
    wavelet: &mut [Piece],
    (begin, start_up): (usize, usize),
) -> usize {
    // By link, as the port sees its node.
    let mut busy: HashMap<usize, usize> = HashMap::new();
    for piece in wavelet {
        let (here, there) = (piece.stations[distance], piece.stations[distance + 1]);
        let port = (here ^ there).trailing_zeros() as usize;
        let sent = busy.entry(rotated_down(here, port, d)).or_default();
        let wait = if *sent > 0 { start_up } else { 0 };
        piece.hops.push((begin + wait + *sent, *sent == 0));
        *sent += piece.bits;
    }
    busy.values().copied().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_is_in_one_wave_and_no_wave_is_empty() {
        for d in 3..=16 {
            for m in 1..=60 {
                let shape = Shape { d, m, start_up: 0 };
                let contents = contents(shape);
                assert_eq!(contents.len(), waves(d));
                assert!(contents.iter().all(|wave| !wave.is_empty()));
                for level in 1..=d {
                    let portions = contents.iter().flatten().filter(|one| one.level == level);
                    let bits: usize = portions.map(|one| one.bits).sum();
                    assert_eq!(bits, m.div_ceil(level), "{d} {m} {level}");
                }
            }
        }
    }

    /// Stout & Wagar 1987: two waves in three dimensions, of `4/3 m` and `m`.
    #[test]
    fn waves_are_as_long_as_in_the_papers_example() {
        let shape = Shape {
            d: 3,
            m: 6,
            start_up: 1,
        };
        let contents = contents(shape);
        let bits = |wave: &Vec<Portion>| -> usize {
            let bits = wave.iter();
            bits.map(|one| one.bits * binomial(2, one.level - 1)).sum()
        };
        assert_eq!(contents.iter().map(bits).collect::<Vec<_>>(), [8, 6]);
        assert_eq!(Waves::of(shape).source_end, 16);
    }
}
