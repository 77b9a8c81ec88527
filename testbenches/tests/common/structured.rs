//! Routings with structure, full and partial. Random traffic spreads messages evenly; these line them up.
//!
//! All are maps of addresses: permutations of address bits with complements, affine maps over GF(2) (all of those,
//! and more), affine maps of node numbers, and packed and spread sets. A partial routing is one of them
//! with the messages of some sources only.

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Messages as (source, destination), by ascending source.
pub type Pairs = Vec<(usize, usize)>;

/// `x -> A x + b` over GF(2).
#[derive(Clone, Debug)]
pub struct Affine {
    /// By address bit of the source: what a 1 there adds to the destination.
    columns: Vec<usize>,
    offset: usize,
}

impl Affine {
    /// Address bit `places[j]` of the destination is bit `j` of the source; those in `complements` are inverted.
    pub fn of_bits(places: &[usize], complements: usize) -> Self {
        Affine {
            columns: places.iter().map(|place| 1 << place).collect(),
            offset: complements,
        }
    }

    /// One drawn from all invertible maps of `k` address bits.
    pub fn drawn(k: usize, random: &mut ChaCha8Rng) -> Self {
        loop {
            let columns: Vec<usize> = (0..k).map(|_| random.random_range(0..1 << k)).collect();
            if is_invertible(&columns) {
                let offset = random.random_range(0..1 << k);
                return Affine { columns, offset };
            }
        }
    }

    /// Where `source` sends.
    pub fn of(&self, source: usize) -> usize {
        let ones = (0..self.columns.len()).filter(|bit| source >> bit & 1 == 1);
        ones.fold(self.offset, |sum, bit| sum ^ self.columns[bit])
    }
}

fn is_invertible(columns: &[usize]) -> bool {
    let mut basis: Vec<usize> = Vec::new();
    columns.iter().all(|&column| {
        let rest = basis.iter().fold(column, |rest, one| rest.min(rest ^ one));
        basis.push(rest);
        rest != 0
    })
}

/// Address bits permuted at random, some of them inverted.
pub fn bits_permuted(k: usize, random: &mut ChaCha8Rng) -> Affine {
    let mut places: Vec<usize> = (0..k).collect();
    places.shuffle(random);
    Affine::of_bits(&places, random.random_range(0..1 << k))
}

/// A family of routings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Address bits permuted, some inverted.
    Bits,
    /// Any invertible map over GF(2).
    Linear,
    /// `x -> a x + b` modulo the nodes, `a` odd.
    Shift,
    /// The members of a set to the nodes of their ranks, shifted.
    Packed,
    /// The first nodes to the members of a set.
    Spread,
    /// A subcube to another, by a map over GF(2).
    Subcube,
}

impl Family {
    pub const ALL: [Family; 6] = [
        Family::Bits,
        Family::Linear,
        Family::Shift,
        Family::Packed,
        Family::Spread,
        Family::Subcube,
    ];

    /// One of the family in a cube of `k` dimensions. Those of whole cubes are full.
    pub fn drawn(self, k: usize, random: &mut ChaCha8Rng) -> Pairs {
        let nodes = 1usize << k;
        match self {
            Family::Bits => whole(k, |source, map| map.of(source), bits_permuted(k, random)),
            Family::Linear => whole(k, |source, map| map.of(source), Affine::drawn(k, random)),
            Family::Shift => {
                // A shift alone as often as one with a factor.
                let factor = match random.random() {
                    true => 1,
                    false => random.random_range(0..nodes) | 1,
                };
                let shift = random.random_range(0..nodes);
                whole(k, |source, _| (factor * source + shift) % nodes, ())
            }
            Family::Packed => {
                let first = random.random_range(0..nodes);
                let members = structured_set(k, random);
                let ranked = members.iter().enumerate();
                ranked
                    .map(|(rank, &member)| (member, (first + rank) % nodes))
                    .collect()
            }
            Family::Spread => {
                let members = structured_set(k, random);
                members.into_iter().enumerate().collect()
            }
            Family::Subcube => {
                // The nodes whose lowest `fixed` bits are 0, seen through one map, to where another one takes them.
                let fixed = random.random_range(0..=k);
                let (from, to) = (bits_permuted(k, random), bits_permuted(k, random));
                let inside = Affine::drawn(k - fixed, random);
                let mut pairs: Pairs = (0..nodes >> fixed)
                    .map(|place| {
                        let there = inside.of(place) << fixed;
                        (from.of(place << fixed), to.of(there))
                    })
                    .collect();
                pairs.sort_unstable();
                pairs
            }
        }
    }
}

fn whole<M>(k: usize, to: impl Fn(usize, &M) -> usize, map: M) -> Pairs {
    (0..1 << k)
        .map(|source| (source, to(source, &map)))
        .collect()
}

/// Some nodes: those in a subcube, an interval, a residue class, or drawn one by one.
pub fn structured_set(k: usize, random: &mut ChaCha8Rng) -> Vec<usize> {
    let nodes = 1usize << k;
    let (mask, value) = (random.random_range(0..nodes), random.random_range(0..nodes));
    let (first, length) = (value, random.random_range(0..=nodes));
    let (modulus, chance) = (random.random_range(2..=7), random.random_range(0.0..=1.0));
    let kind = random.random_range(0..4);
    (0..nodes)
        .filter(|&node| match kind {
            0 => node & mask == value & mask,
            1 => (node + nodes - first) % nodes < length,
            2 => node % modulus == value % modulus,
            _ => random.random_bool(chance),
        })
        .collect()
}

/// The messages of some sources only.
pub fn part_of(k: usize, pairs: &[(usize, usize)], random: &mut ChaCha8Rng) -> Pairs {
    let sources = structured_set(k, random);
    let sends = |source: &usize| sources.binary_search(source).is_ok();
    let sent = pairs.iter().filter(|(source, _)| sends(source));
    sent.copied().collect()
}
