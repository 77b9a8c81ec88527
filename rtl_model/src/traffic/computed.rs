//! Traffic that is computed node by node, so that nobody has to hold it: that of large hypercubes.
//!
//! ```text
//!   source --> round 1 --> round 2 --> ... --> destination        a round: times an odd number, plus a number,
//!          <--  back   <--  back   <-- ...                                 its upper half onto its lower half
//! ```
//!
//! A drawn permutation is a chain of rounds that can each be undone, with numbers from the seed: who sends to whom and who is
//! sent to by whom are answered in either direction, on any thread and any rank. A second such permutation numbers the nodes;
//! those with the lowest numbers send, so that their amount is exact.

use rand::RngCore;
use rand_chacha::ChaCha8Rng;

use crate::error::Error;
use crate::machine::topology::hypercube::Dimensions;
use crate::traffic::pattern::{Drawn, Pattern};
use crate::traffic::senders::check_load;
use crate::traffic::{ByNode, Nodes, Purpose, generator, numbered_generator};

/// log2 of the most nodes whose traffic is drawn as a list.
pub const LOG2_MOST_LISTED: usize = 20;

/// Rounds of a permutation.
const ROUNDS: usize = 5;

/// Traffic of a hypercube: from a share of the nodes a message each, no two to one node.
#[derive(Clone, Debug)]
pub struct Computed {
    dimensions: Dimensions,
    payload_bits: usize,
    pattern: Pattern,
    /// Of patterns that are not drawn.
    fixed: Drawn,
    messages: usize,
    numbers: Permutation,
    destinations: Permutation,
    payloads: u64,
    /// Payloads begin with the sender's number, times an odd number, plus a number.
    label: Option<(u64, u64)>,
}

impl Computed {
    /// Whether traffic of so many nodes is computed.
    pub fn serves(nodes: Nodes) -> bool {
        nodes.dimensions().is_some() && nodes.count() > 1 << LOG2_MOST_LISTED
    }

    /// Whether a pattern can be computed in both directions.
    pub fn knows(pattern: Pattern) -> bool {
        !matches!(pattern, Pattern::Uniform | Pattern::Packed)
    }

    /// Of a pattern, from `load` of the nodes; payloads are distinct wherever they have as many bits as addresses.
    ///
    /// # Errors
    /// A load outside 0..=1; what [`Pattern::messages`] refuses.
    pub fn new(
        dimensions: Dimensions,
        payload_bits: usize,
        pattern: Pattern,
        load: f64,
        seed: u64,
    ) -> Result<Self, Error> {
        check_load(load)?;
        let k = dimensions.count();
        let mut payloads = generator(seed, Purpose::Payloads);
        let label = (payloads.next_u64() | 1, payloads.next_u64());
        Ok(Computed {
            dimensions,
            payload_bits,
            pattern,
            fixed: pattern.fixed(dimensions.into())?,
            messages: (load * dimensions.nodes() as f64).round() as usize,
            numbers: Permutation::drawn(k, &mut numbered_generator(seed, Purpose::Senders, 1)),
            destinations: Permutation::drawn(k, &mut numbered_generator(seed, Purpose::Pattern, 1)),
            payloads: payloads.next_u64(),
            label: (payload_bits >= k).then_some(label),
        })
    }
}

impl ByNode for Computed {
    #[inline]
    fn dimensions(&self) -> Dimensions {
        self.dimensions
    }

    fn payload_bits(&self) -> usize {
        self.payload_bits
    }

    fn messages(&self) -> usize {
        self.messages
    }

    fn payloads_are_distinct(&self) -> bool {
        self.label.is_some() || self.messages <= 1
    }

    #[inline]
    fn sends(&self, node: usize) -> bool {
        self.messages == self.dimensions.nodes() || self.numbers.at(node) < self.messages
    }

    /// Of a pattern that it [knows](Computed::knows).
    #[inline]
    fn destination(&self, source: usize) -> usize {
        match self.pattern {
            Pattern::Randperm => self.destinations.at(source),
            _ => self.fixed.destination(source, source),
        }
    }

    #[inline]
    fn source(&self, destination: usize) -> Option<usize> {
        let source = match self.pattern {
            Pattern::Randperm => self.destinations.back(destination),
            _ => self.fixed.source(destination),
        };
        self.sends(source).then_some(source)
    }

    #[inline]
    fn payload_chunk(&self, source: usize, from: usize) -> u64 {
        let mut chunk = mixed(self.payloads ^ mixed((source as u64) << 16 | (from / 64) as u64));
        let k = self.dimensions.count();
        if let (Some((factor, offset)), 0) = (self.label, from) {
            let label = (source as u64).wrapping_mul(factor).wrapping_add(offset);
            chunk = label & mask(k) | chunk & !mask(k);
        }
        chunk & mask(self.payload_bits - from)
    }
}

/// The lowest so many bits.
#[inline]
fn mask(bits: usize) -> u64 {
    u64::MAX >> (64 - bits.min(64))
}

/// Every bit of a word depends on every bit (the end of SplitMix64, Steele, Lea and Flood 2014).
#[inline]
pub(super) fn mixed(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// A permutation of the numbers of `k` bits.
#[derive(Clone, Debug)]
struct Permutation {
    mask: u64,
    /// Bits of the half that is moved down.
    half: u32,
    rounds: [Round; ROUNDS],
}

#[derive(Clone, Copy, Debug)]
struct Round {
    factor: u64,
    /// What undoes the factor.
    inverse: u64,
    offset: u64,
}

impl Permutation {
    fn drawn(k: usize, random: &mut ChaCha8Rng) -> Self {
        Permutation {
            mask: mask(k),
            half: k.div_ceil(2) as u32,
            rounds: std::array::from_fn(|_| {
                let factor = random.next_u64() | 1;
                Round {
                    factor,
                    inverse: inverse(factor),
                    offset: random.next_u64(),
                }
            }),
        }
    }

    #[inline]
    fn at(&self, number: usize) -> usize {
        let mut word = number as u64;
        for round in &self.rounds {
            word = word.wrapping_mul(round.factor).wrapping_add(round.offset) & self.mask;
            word ^= word >> self.half;
        }
        word as usize
    }

    #[inline]
    fn back(&self, number: usize) -> usize {
        let mut word = number as u64;
        for round in self.rounds.iter().rev() {
            // The upper half is as it was.
            word ^= word >> self.half;
            word = word.wrapping_sub(round.offset).wrapping_mul(round.inverse) & self.mask;
        }
        word as usize
    }
}

/// What an odd number has to be multiplied by to be 1, modulo 2^64: each step doubles the bits that are right.
fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn computed(
        k: usize,
        payload_bits: usize,
        pattern: Pattern,
        load: f64,
    ) -> Result<Computed, Error> {
        Computed::new(Dimensions::new(k)?, payload_bits, pattern, load, 7)
    }

    #[test]
    fn every_pattern_is_a_permutation_that_can_be_undone() {
        for (_, pattern, _) in Pattern::PERMUTATIONS {
            if !Computed::knows(pattern) {
                continue;
            }
            for k in 1..=12 {
                for load in [0.0, 0.3, 1.0] {
                    let Ok(traffic) = computed(k, 3, pattern, load) else {
                        assert!(pattern == Pattern::Transpose && k % 2 == 1);
                        continue;
                    };
                    let nodes = 1 << k;
                    let senders: Vec<usize> =
                        (0..nodes).filter(|&node| traffic.sends(node)).collect();
                    assert_eq!(senders.len(), traffic.messages());
                    assert_eq!(senders.len(), (load * nodes as f64).round() as usize);
                    let mut sources = vec![None; nodes];
                    for source in senders {
                        let destination = traffic.destination(source);
                        assert_eq!(sources[destination].replace(source), None);
                    }
                    for (node, source) in sources.iter().enumerate() {
                        assert_eq!(traffic.source(node), *source);
                    }
                }
            }
        }
    }

    /// A bit of the address that is turned over turns over each bit of the destination in about half of all nodes; and few
    /// nodes send to themselves, as where they are drawn.
    #[test]
    fn a_drawn_permutation_has_no_structure_that_shows() {
        let (k, nodes) = (16, 1 << 16);
        let traffic = computed(k, 1, Pattern::Randperm, 1.0).unwrap();
        for bit in 0..k {
            let mut turned = vec![0; k];
            for node in 0..nodes {
                let difference = traffic.destination(node) ^ traffic.destination(node ^ 1 << bit);
                for (place, turned) in turned.iter_mut().enumerate() {
                    *turned += difference >> place & 1;
                }
            }
            for (place, turned) in turned.iter().enumerate() {
                let share = *turned as f64 / nodes as f64;
                assert!(
                    (0.4..=0.6).contains(&share),
                    "bit {bit} turns bit {place} in {share}"
                );
            }
        }
        let stay = (0..nodes).filter(|&node| traffic.destination(node) == node);
        assert!(stay.count() < 12);
        let half = computed(k, 1, Pattern::Randperm, 0.5).unwrap();
        let in_a_row = (1..nodes)
            .filter(|&node| half.sends(node) == half.sends(node - 1))
            .count();
        assert!((0.48..=0.52).contains(&(in_a_row as f64 / nodes as f64)));
    }

    #[test]
    fn payloads_are_distinct_wherever_they_can_be_and_have_no_bit_too_many() {
        for (k, payload_bits) in [(4, 4), (10, 10), (10, 63), (10, 64), (10, 65), (9, 200)] {
            let traffic = computed(k, payload_bits, Pattern::Randperm, 1.0).unwrap();
            assert!(traffic.payloads_are_distinct());
            let payload = |source| -> Vec<u64> {
                let chunks = (0..payload_bits).step_by(64);
                chunks
                    .map(|from| traffic.payload_chunk(source, from))
                    .collect()
            };
            let seen: HashSet<Vec<u64>> = (0..1 << k).map(payload).collect();
            assert_eq!(seen.len(), 1 << k);
            let last = (payload_bits - 1) / 64;
            let ones = |bit: usize| {
                seen.iter()
                    .filter(|chunks| chunks[last] >> bit & 1 == 1)
                    .count()
            };
            for bit in 0..64 {
                let expected = bit < payload_bits - 64 * last;
                assert_eq!(ones(bit) > 0, expected, "{payload_bits} bits, bit {bit}");
            }
        }
        assert!(
            !computed(4, 3, Pattern::Randperm, 1.0)
                .unwrap()
                .payloads_are_distinct()
        );
    }
}
