//! Where the messages of an injection go.

use rand::RngCore;
use rand_chacha::ChaCha8Rng;

use crate::error::Error;
use crate::traffic::Nodes;
use crate::traffic::hot_spots::HotSpots;
use crate::traffic::pattern::Pattern;

/// Where messages go.
#[derive(Clone, Debug, PartialEq)]
pub enum Destinations {
    /// As a pattern says. A permutation stays the same for all messages.
    Pattern(Pattern),
    /// Some nodes get more than others; drawn for every message.
    HotSpots(HotSpots),
}

impl From<Pattern> for Destinations {
    fn from(pattern: Pattern) -> Self {
        Destinations::Pattern(pattern)
    }
}

impl From<HotSpots> for Destinations {
    fn from(spots: HotSpots) -> Self {
        Destinations::HotSpots(spots)
    }
}

/// How a message's destination is found.
#[derive(Clone, Debug)]
pub(super) enum Drawn {
    /// For each node, once.
    Once(Vec<usize>),
    /// For each message, any of so many nodes.
    Uniform(usize),
    /// For each message.
    HotSpots(HotSpots),
}

impl Drawn {
    /// What is drawn once, from the same `seed` as everything else.
    ///
    /// # Errors
    /// No bits of addresses, [`Error::NoTransposeAtOddDimensions`].
    pub fn new(destinations: Destinations, nodes: Nodes, seed: u64) -> Result<Self, Error> {
        Ok(match destinations {
            Destinations::Pattern(pattern) if pattern.is_permutation() => {
                let senders: Vec<usize> = (0..nodes.count()).collect();
                let messages = pattern.messages(nodes, &senders, seed)?;
                Drawn::Once(messages.iter().map(|message| message.destination).collect())
            }
            Destinations::Pattern(_) => Drawn::Uniform(nodes.count()),
            Destinations::HotSpots(spots) => Drawn::HotSpots(spots),
        })
    }

    /// The destination of a message. Reads a number, whatever it is needed for. Nodes that are alike differ in probability by
    /// less than 2^-60.
    pub fn destination(&self, random: &mut ChaCha8Rng, source: usize) -> usize {
        let drawn = random.next_u64();
        match self {
            Drawn::Once(destinations) => destinations[source],
            Drawn::Uniform(nodes) => ((u128::from(drawn) * *nodes as u128) >> 64) as usize,
            Drawn::HotSpots(spots) => spots.destination(drawn),
        }
    }
}
