//! What patterns are called.

use crate::error::refusal::Refusal;
use crate::error::{Error, ONE_FOR_EACH, SEVERAL_A_NODE};
use crate::traffic::hot_spots::HotSpots;
use crate::traffic::pattern::Pattern;
use crate::traffic::relation::Relation;

/// A pattern with its name and what it means.
pub type Entry = (&'static str, Pattern, &'static str);

impl Pattern {
    /// All that are permutations, each with its name and what it means.
    pub const PERMUTATIONS: [Entry; 9] = [
        (
            "randperm",
            Pattern::Randperm,
            "a random permutation from --seed",
        ),
        ("bitrev", Pattern::Bitrev, "address bits in reverse order"),
        (
            "bitcomp",
            Pattern::Bitcomp,
            "address bits inverted; on a torus or mesh x to r - 1 - x",
        ),
        (
            "transpose",
            Pattern::Transpose,
            "address halves swapped (even k); on a torus or mesh its digits",
        ),
        (
            "shuffle",
            Pattern::Shuffle,
            "address rotated left by one bit",
        ),
        (
            "tornado",
            Pattern::Tornado,
            "x + N/2 - 1 modulo N, of N nodes (N/2 rounded up), or of the r in each dimension of a torus or mesh",
        ),
        (
            "neighbor",
            Pattern::Neighbor,
            "x + 1 modulo N, of N nodes, or of the r in each dimension of a torus or mesh",
        ),
        ("identity", Pattern::Identity, "every node to itself"),
        ("packed", Pattern::Packed, "the sender of rank r to node r"),
    ];

    /// `uniform`, with its name and what it means.
    pub const UNIFORM: Entry = (
        "uniform",
        Pattern::Uniform,
        "every destination drawn independently from --seed",
    );

    /// The permutation of that name: what a router of permutations takes.
    ///
    /// # Errors
    /// `uniform`, [`Relation::NAME`](crate::traffic::Relation::NAME) and [`HotSpots::NAME`], with what they are;
    /// [`Error::UnknownTraffic`] for any other name that is not in [`Pattern::PERMUTATIONS`].
    pub fn from_name(name: &str) -> Result<Self, Error> {
        if name == Relation::NAME {
            return Err(Refusal::of(
                "`h-relation` has several messages a node, and this router carries at most one from each",
            )
            .because(SEVERAL_A_NODE)
            .into());
        }
        if name == HotSpots::NAME {
            return Err(Refusal::of(
                "`hotspot` has several messages for one node, and this router carries at most one to each",
            )
            .instead(ONE_FOR_EACH)
            .into());
        }
        match Self::from_any_name(name)? {
            pattern if pattern.is_permutation() => Ok(pattern),
            _ => Err(Refusal::of(
                "`uniform` draws destinations independently, so several messages may be for one node, and this router carries at \
                 most one to each",
            )
            .instead("use randperm")
            .into()),
        }
    }

    /// The pattern of that name, `uniform` included: what a router takes that carries any number of
    /// messages to one node.
    ///
    /// # Errors
    /// [`Error::UnknownTraffic`] for a name that no pattern has.
    pub fn from_any_name(name: &str) -> Result<Self, Error> {
        Self::entries()
            .find(|(known, ..)| *known == name)
            .map(|(_, pattern, _)| pattern)
            .ok_or_else(|| Error::UnknownTraffic {
                name: name.to_owned(),
            })
    }

    /// All patterns, each with its name and what it means: the permutations, then `uniform`.
    pub fn entries() -> impl Iterator<Item = Entry> {
        Self::PERMUTATIONS.into_iter().chain([Self::UNIFORM])
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::entries()
            .find(|(_, pattern, _)| *pattern == self)
            .map_or("", |(name, ..)| name)
    }
}
