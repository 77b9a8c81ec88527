//! Named traffic patterns.

use rand::seq::SliceRandom;

use crate::error::Error;
use crate::topology::hypercube::Dimensions;
use crate::traffic::{Message, Purpose, generator};

/// A named permutation of the nodes of a cube of `k` dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// A permutation drawn from the seed.
    Randperm,
    /// Every address bit reversed in order.
    Bitrev,
    /// Every address bit inverted.
    Bitcomp,
    /// The two halves of the address swapped; for even `k`.
    Transpose,
    /// The address rotated left by one.
    Shuffle,
    /// Half the ring of all nodes less one.
    Tornado,
    /// The next node on the ring of all nodes.
    Neighbor,
    /// The node itself.
    Identity,
    /// The sender of rank `r` to node `r`: the packing that Algorithm 2 uses.
    Packed,
}

impl Pattern {
    /// All of them, each with its name and what it means.
    pub const ALL: [(&'static str, Pattern, &'static str); 9] = [
        (
            "randperm",
            Pattern::Randperm,
            "a random permutation from --seed",
        ),
        ("bitrev", Pattern::Bitrev, "address bits in reverse order"),
        ("bitcomp", Pattern::Bitcomp, "address bits inverted"),
        (
            "transpose",
            Pattern::Transpose,
            "address halves swapped (even k)",
        ),
        (
            "shuffle",
            Pattern::Shuffle,
            "address rotated left by one bit",
        ),
        ("tornado", Pattern::Tornado, "x + 2^(k-1) - 1 modulo 2^k"),
        ("neighbor", Pattern::Neighbor, "x + 1 modulo 2^k"),
        ("identity", Pattern::Identity, "every node to itself"),
        ("packed", Pattern::Packed, "the sender of rank r to node r"),
    ];

    /// The pattern of that name.
    ///
    /// # Errors
    /// [`Error::UniformIsNoPermutation`] for `uniform`, [`Error::UnknownTraffic`] for a name that is
    /// not in [`Pattern::ALL`].
    pub fn from_name(name: &str) -> Result<Self, Error> {
        if name == "uniform" {
            return Err(Error::UniformIsNoPermutation);
        }
        Self::ALL
            .iter()
            .find(|(known, ..)| *known == name)
            .map(|(_, pattern, _)| *pattern)
            .ok_or_else(|| Error::UnknownTraffic {
                name: name.to_owned(),
            })
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(_, pattern, _)| *pattern == self)
            .map_or("", |(name, ..)| name)
    }

    /// The messages of the given senders (in ascending order).
    ///
    /// # Errors
    /// [`Error::NoTransposeAtOddDimensions`].
    pub fn messages(
        self,
        dimensions: Dimensions,
        senders: &[usize],
        seed: u64,
    ) -> Result<Vec<Message>, Error> {
        let (k, nodes) = (dimensions.count(), dimensions.nodes());
        let mask = nodes - 1;
        let mut permutation: Vec<usize> = Vec::new();
        match self {
            Pattern::Transpose if k % 2 == 1 => {
                return Err(Error::NoTransposeAtOddDimensions { dimensions: k });
            }
            Pattern::Randperm => {
                permutation = (0..nodes).collect();
                permutation.shuffle(&mut generator(seed, Purpose::Pattern));
            }
            _ => {}
        }
        let destination = |rank: usize, x: usize| match self {
            Pattern::Randperm => permutation[x],
            Pattern::Bitrev => x.reverse_bits() >> (usize::BITS as usize - k),
            Pattern::Bitcomp => !x & mask,
            Pattern::Transpose => (x >> (k / 2) | x << (k / 2)) & mask,
            Pattern::Shuffle => (x << 1 | x >> (k - 1)) & mask,
            Pattern::Tornado => (x + nodes / 2 - 1) & mask,
            Pattern::Neighbor => (x + 1) & mask,
            Pattern::Identity => x,
            Pattern::Packed => rank,
        };
        Ok(senders
            .iter()
            .enumerate()
            .map(|(rank, &source)| Message {
                source,
                destination: destination(rank, source),
            })
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::Traffic;

    fn destinations(name: &str, k: usize) -> Vec<usize> {
        let cube = Dimensions::new(k).unwrap();
        let senders: Vec<usize> = (0..cube.nodes()).collect();
        Pattern::from_name(name)
            .unwrap()
            .messages(cube, &senders, 1)
            .unwrap()
            .iter()
            .map(|message| message.destination)
            .collect()
    }

    #[test]
    fn patterns_are_what_they_are_called() {
        assert_eq!(destinations("bitrev", 3), [0, 4, 2, 6, 1, 5, 3, 7]);
        assert_eq!(destinations("bitcomp", 3), [7, 6, 5, 4, 3, 2, 1, 0]);
        assert_eq!(destinations("shuffle", 3), [0, 2, 4, 6, 1, 3, 5, 7]);
        assert_eq!(destinations("tornado", 3), [3, 4, 5, 6, 7, 0, 1, 2]);
        assert_eq!(destinations("neighbor", 2), [1, 2, 3, 0]);
        assert_eq!(
            destinations("transpose", 4),
            [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]
        );
    }

    #[test]
    fn every_pattern_is_a_permutation_at_every_dimension() {
        for (name, pattern, _) in Pattern::ALL {
            assert_eq!(pattern.name(), name);
            for k in 1..=10 {
                let cube = Dimensions::new(k).unwrap();
                let senders: Vec<usize> = (0..cube.nodes()).collect();
                match pattern.messages(cube, &senders, 5) {
                    Ok(messages) => drop(Traffic::new(cube, 1, messages, 5).unwrap()),
                    Err(error) => {
                        assert_eq!(error, Error::NoTransposeAtOddDimensions { dimensions: k });
                        assert!(k % 2 == 1 && name == "transpose");
                    }
                }
            }
        }
    }

    #[test]
    fn the_seed_draws_the_permutation() {
        let cube = Dimensions::new(6).unwrap();
        let senders: Vec<usize> = (0..64).collect();
        let draw = |seed| Pattern::Randperm.messages(cube, &senders, seed).unwrap();
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
    }
}
