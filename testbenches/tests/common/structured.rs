//! Routings with structure, full and partial. Random traffic spreads messages evenly; these line them up.
//!
//! They are those of [`Routing`], affine maps of node numbers, and packed and spread sets. A partial routing is one of them
//! with the messages of some sources only.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rtl_model::traffic::structured::Routing;

use super::cube;

/// Messages as (source, destination), by ascending source.
pub type Pairs = Vec<(usize, usize)>;

/// A family of routings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// One of the library's.
    Of(Routing),
    /// `x -> a x + b` modulo the nodes, `a` odd.
    Multiple,
    /// The members of a set to the nodes of their ranks, shifted.
    Packed,
    /// The first nodes to the members of a set.
    Spread,
}

impl Family {
    pub const ALL: [Family; 8] = [
        Family::Of(Routing::BitPermutation),
        Family::Of(Routing::Affine),
        Family::Of(Routing::Shift),
        Family::Of(Routing::Opposites),
        Family::Of(Routing::Subcubes),
        Family::Multiple,
        Family::Packed,
        Family::Spread,
    ];

    /// One of the family in a cube of `k` dimensions. Those of whole cubes are full.
    pub fn drawn(self, k: usize, random: &mut ChaCha8Rng) -> Pairs {
        let nodes = 1usize << k;
        match self {
            Family::Of(routing) => {
                let messages = routing.messages(cube(k), 1.0, random.random()).unwrap();
                messages
                    .iter()
                    .map(|message| (message.source, message.destination))
                    .collect()
            }
            Family::Multiple => {
                let factor = random.random_range(0..nodes) | 1;
                let shift = random.random_range(0..nodes);
                let destination = |source| (factor * source + shift) % nodes;
                (0..nodes)
                    .map(|source| (source, destination(source)))
                    .collect()
            }
            Family::Packed => {
                let first = random.random_range(0..nodes);
                let members = structured_set(k, random);
                let ranked = members.iter().enumerate();
                ranked
                    .map(|(rank, &member)| (member, (first + rank) % nodes))
                    .collect()
            }
            Family::Spread => structured_set(k, random).into_iter().enumerate().collect(),
        }
    }
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
