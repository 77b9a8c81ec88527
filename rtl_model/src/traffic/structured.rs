//! Structured routings of a hypercube, drawn from a seed: random permutations hardly ever look like
//! them, and what is wrong in a router may show in them alone.
//!
//! | routing | node `x` sends to |
//! |---|---|
//! | [`BitPermutation`](Routing::BitPermutation) | its address bits, permuted, some complemented |
//! | [`Affine`](Routing::Affine) | an invertible affine map of its address over GF(2) |
//! | [`Shift`](Routing::Shift) | `x + s` modulo `N` |
//! | [`Opposites`](Routing::Opposites) | its opposite, all bits complemented, or itself |
//! | [`Subcubes`](Routing::Subcubes) | from one subcube to another one as large |
//! | [`Contraction`](Routing::Contraction) | closer to its neighbours: a semi-contraction |
//!
//! All are partial permutations. [`Pattern`](super::pattern::Pattern) has those that need no
//! drawing.

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::error::Error;
use crate::machine::topology::hypercube::Dimensions;
use crate::traffic::{Message, Purpose, generator, sender_set};

/// A kind of routing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routing {
    /// Bit-permute-complement: each destination bit is one of the source's, or its complement.
    BitPermutation,
    /// Linear-complement: each destination bit is the XOR of some of the source's, or its
    /// complement.
    Affine,
    /// All by the same distance along the ring of node numbers.
    Shift,
    /// Each pair of opposite nodes exchanges its messages or keeps them: every dimension is crossed
    /// and kept to, from both of its sides.
    Opposites,
    /// The nodes of a subcube, and no others, to those of another, with any dimensions, offset by a
    /// mask.
    Subcubes,
    /// In order along the line of node numbers, upwards or downwards, with gaps that do not grow.
    Contraction,
}

impl Routing {
    /// All of them.
    pub const ALL: [Routing; 6] = [
        Routing::BitPermutation,
        Routing::Affine,
        Routing::Shift,
        Routing::Opposites,
        Routing::Subcubes,
        Routing::Contraction,
    ];

    /// Its name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Routing::BitPermutation => "bit permutation with complements",
            Routing::Affine => "affine map over GF(2)",
            Routing::Shift => "shift",
            Routing::Opposites => "opposites",
            Routing::Subcubes => "subcube to subcube",
            Routing::Contraction => "semi-contraction",
        }
    }

    /// The messages, in ascending order of source, from that share of the nodes that may send,
    /// drawn as [`senders`](super::senders) draws them.
    ///
    /// # Errors
    /// A load outside 0..=1.
    pub fn messages(
        self,
        dimensions: Dimensions,
        load: f64,
        seed: u64,
    ) -> Result<Vec<Message>, Error> {
        let senders = sender_set(dimensions, load, seed)?;
        let mut random = generator(seed, Purpose::Structure);
        let nodes = dimensions.nodes();
        let ends: Vec<Option<usize>> = match self {
            Routing::Contraction => {
                let senders: Vec<usize> = senders.iter().collect();
                return Ok(contraction(nodes, &senders, &mut random));
            }
            Routing::BitPermutation => bit_permutation(dimensions, &mut random),
            Routing::Affine => affine(dimensions, &mut random),
            Routing::Shift => {
                let by = random.random_range(0..nodes);
                (0..nodes).map(|x| Some((x + by) % nodes)).collect()
            }
            Routing::Opposites => opposites(dimensions, &mut random),
            Routing::Subcubes => subcubes(dimensions, &mut random),
        };
        let messages = senders.iter().filter_map(|source| {
            let destination = (*ends.get(source)?)?;
            Some(Message {
                source,
                destination,
            })
        });
        Ok(messages.collect())
    }
}

/// Of the bits of `x` that `mask` has: 1 if an odd number of them is set.
fn parity(x: usize, mask: usize) -> usize {
    (x & mask).count_ones() as usize & 1
}

/// Where each node sends, if bit `d` of that is the parity of its own bits in `rows[d]`, and all
/// are inverted that `complement` says.
fn of_rows(nodes: usize, rows: &[usize], complement: usize) -> Vec<Option<usize>> {
    let end = |x| {
        let bits = rows.iter().enumerate();
        complement ^ bits.fold(0, |end, (d, row)| end | parity(x, *row) << d)
    };
    (0..nodes).map(|x| Some(end(x))).collect()
}

fn bit_permutation(dimensions: Dimensions, random: &mut ChaCha8Rng) -> Vec<Option<usize>> {
    let mut rows: Vec<usize> = (0..dimensions.count()).map(|d| 1 << d).collect();
    rows.shuffle(random);
    let nodes = dimensions.nodes();
    of_rows(nodes, &rows, random.random_range(0..nodes))
}

/// Rows are added to each other, which an inverse could take back.
fn affine(dimensions: Dimensions, random: &mut ChaCha8Rng) -> Vec<Option<usize>> {
    let k = dimensions.count();
    let mut rows: Vec<usize> = (0..k).map(|d| 1 << d).collect();
    for row in 0..k {
        for other in (0..k).filter(|other| *other != row) {
            if random.random() {
                rows[row] ^= rows[other];
            }
        }
    }
    rows.shuffle(random);
    let nodes = dimensions.nodes();
    of_rows(nodes, &rows, random.random_range(0..nodes))
}

fn opposites(dimensions: Dimensions, random: &mut ChaCha8Rng) -> Vec<Option<usize>> {
    let last = dimensions.nodes() - 1;
    let mut ends: Vec<Option<usize>> = (0..=last).map(Some).collect();
    for x in 0..dimensions.nodes() / 2 {
        if random.random() {
            ends.swap(x, last - x);
        }
    }
    ends
}

/// Subcubes of half the dimensions, rounded down, or more, and never of all.
fn subcubes(dimensions: Dimensions, random: &mut ChaCha8Rng) -> Vec<Option<usize>> {
    let (k, nodes) = (dimensions.count(), dimensions.nodes());
    let free = random.random_range(k / 2..k);
    let mut drawn = || {
        let mut order: Vec<usize> = (0..k).collect();
        order.shuffle(random);
        let fixed = random.random_range(0..nodes);
        let within = move |y: usize| {
            let bits = order[..free].iter().enumerate();
            bits.fold(fixed, |x, (bit, d)| x & !(1 << d) | (y >> bit & 1) << d)
        };
        (0..1 << free).map(within).collect::<Vec<usize>>()
    };
    let (from, to) = (drawn(), drawn());
    let mut ends = vec![None; nodes];
    for (source, destination) in from.into_iter().zip(to) {
        ends[source] = Some(destination);
    }
    ends
}

/// Each gap between senders becomes one that is drawn from 1 to as much, and what is left over
/// comes before the first one.
fn contraction(nodes: usize, senders: &[usize], random: &mut ChaCha8Rng) -> Vec<Message> {
    let gaps = senders.windows(2).map(|pair| pair[1] - pair[0]);
    let gaps: Vec<usize> = gaps.map(|gap| random.random_range(1..=gap)).collect();
    let length: usize = gaps.iter().sum();
    let mut end = random.random_range(0..nodes - length);
    let downwards: bool = random.random();
    let mut gaps = gaps.into_iter();
    let messages = senders.iter().map(|&source| {
        let destination = if downwards { nodes - 1 - end } else { end };
        end += gaps.next().unwrap_or(0);
        Message {
            source,
            destination,
        }
    });
    messages.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::Traffic;

    fn messages(routing: Routing, k: usize, load: f64, seed: u64) -> Vec<Message> {
        let dimensions = Dimensions::new(k).unwrap();
        routing.messages(dimensions, load, seed).unwrap()
    }

    #[test]
    fn all_are_partial_permutations_and_full_where_they_should_be() {
        for routing in Routing::ALL {
            for k in 1..=8 {
                for (load, seed) in [(0.0, 1), (0.5, 2), (1.0, 3), (1.0, 4)] {
                    let messages = messages(routing, k, load, seed);
                    let amount = messages.len();
                    let dimensions = Dimensions::new(k).unwrap();
                    let traffic = Traffic::new(dimensions, 1, messages, seed).unwrap();
                    let all = (load * (1 << k) as f64) as usize;
                    match routing {
                        Routing::Subcubes => assert!(amount < 1 << k),
                        _ => assert_eq!(amount, all, "{routing:?} k={k}"),
                    }
                    if routing == Routing::Contraction {
                        traffic.check_semi_contraction().unwrap();
                    }
                }
            }
        }
    }

    /// The XOR of where `x` and `y` send depends on `x ^ y` alone, and is one bit where that is.
    #[test]
    fn affine_maps_are_affine_and_bit_permutations_take_single_bits_to_single_bits() {
        for seed in 0..20 {
            let ends = |routing| -> Vec<usize> {
                let messages = messages(routing, 5, 1.0, seed);
                messages.iter().map(|message| message.destination).collect()
            };
            let (affine, permuted) = (ends(Routing::Affine), ends(Routing::BitPermutation));
            for (x, y) in (0..32).flat_map(|x| (0..32).map(move |y| (x, y))) {
                assert_eq!(affine[x] ^ affine[y], affine[x ^ y] ^ affine[0]);
                let differing = (permuted[x] ^ permuted[y]).count_ones();
                assert_eq!(differing, (x ^ y).count_ones());
            }
        }
    }

    #[test]
    fn the_others_are_what_they_are_called() {
        for seed in 0..20 {
            for message in messages(Routing::Opposites, 4, 1.0, seed) {
                let crossed = message.source ^ message.destination;
                assert!(crossed == 0 || crossed == 15);
            }
            let shifted = messages(Routing::Shift, 4, 1.0, seed);
            let by = |message: &Message| (message.destination + 16 - message.source) % 16;
            assert!(shifted.iter().all(|message| by(message) == by(&shifted[0])));
            let within = messages(Routing::Subcubes, 4, 1.0, seed);
            let ends: [fn(&Message) -> usize; 2] =
                [|message| message.source, |message| message.destination];
            for end in ends {
                let varying = within
                    .iter()
                    .fold(0, |bits, one| bits | end(one) ^ end(&within[0]));
                assert_eq!(within.len(), 1 << varying.count_ones());
            }
        }
    }

    #[test]
    fn the_seed_draws_the_routing() {
        for routing in Routing::ALL {
            let draw = |seed| messages(routing, 6, 0.5, seed);
            assert_eq!(draw(3), draw(3));
            assert_ne!(draw(3), draw(4));
        }
    }
}
