//! Hot spots: a share of all messages is for a few nodes, the rest is uniform (Pfister and Norton 1985).
//!
//! ```text
//!   a message --- share ------> one of the hot spots, each as likely as the others
//!            `--- 1 - share --> any node, the hot spots and the sender included
//! ```
//!
//! A hot spot's host takes one bit in a bit time. So where N nodes offer L bits each and share s of that is for one of them,
//! no network carries more than L = 1 / (N s + 1 - s).

use rand::RngCore;

use crate::error::refusal::Refusal;
use crate::error::{Error, node_out_of_range};
use crate::traffic::{Message, Nodes, Purpose, generator};

/// Some nodes that get more than others.
#[derive(Clone, Debug, PartialEq)]
pub struct HotSpots {
    nodes: Nodes,
    spots: Vec<usize>,
    share: f64,
}

impl HotSpots {
    /// What such traffic is called.
    pub const NAME: &'static str = "hotspot";

    /// A `share` of all messages is for `spots`, of so many nodes.
    ///
    /// # Errors
    /// No node, a node twice, a node that there is not; [`Error::HotShare`] outside 0..=1.
    pub fn new(nodes: impl Into<Nodes>, spots: Vec<usize>, share: f64) -> Result<Self, Error> {
        let nodes = nodes.into();
        let count = nodes.count();
        if let Some(&node) = spots.iter().find(|spot| **spot >= count) {
            return Err(node_out_of_range(node, count));
        }
        let twice = (spots.iter().enumerate()).find(|(place, spot)| spots[..*place].contains(spot));
        if let Some((_, &node)) = twice {
            return Err(Refusal::of(format!("node {node} is named twice"))
                .because("a node is a hot spot or it is not, and all get the same")
                .instead("name it once")
                .into());
        }
        if spots.is_empty() {
            return Err(Refusal::of("no node is named")
                .instead("name at least one that is a hot spot, or take uniform traffic")
                .into());
        }
        if !(0.0..=1.0).contains(&share) {
            return Err(Error::HotShare {
                share: share.to_string(),
            });
        }
        Ok(HotSpots {
            nodes,
            spots,
            share,
        })
    }

    /// The destination that a random number of 64 bits gives. Nodes that are alike differ in probability by less than 2^-60.
    pub fn destination(&self, drawn: u64) -> usize {
        let drawn = u128::from(drawn);
        // Of all 2^64 numbers, those below `hot` give hot spots. A conversion to integers rounds down.
        let all = 1_u128 << 64;
        let hot = (self.share * all as f64) as u128;
        match drawn < hot {
            true => self.spots[(drawn * self.spots.len() as u128 / hot) as usize],
            false => ((drawn - hot) * self.nodes.count() as u128 / (all - hot)) as usize,
        }
    }

    /// A message of each sender. What one draws does not depend on who else sends.
    pub fn messages(&self, senders: &[usize], seed: u64) -> Vec<Message> {
        let mut random = generator(seed, Purpose::Pattern);
        let all: Vec<usize> = (0..self.nodes.count())
            .map(|_| self.destination(random.next_u64()))
            .collect();
        let message = |&source: &usize| Message {
            source,
            destination: all[source],
        };
        senders.iter().map(message).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spots(nodes: usize, spots: &[usize], share: f64) -> Result<HotSpots, Error> {
        HotSpots::new(Nodes::new(nodes).unwrap(), spots.to_vec(), share)
    }

    /// Every 2^48th number, in the middle of its part: how many of them are for each node.
    fn counts(hot: &HotSpots) -> Vec<usize> {
        let mut counts = vec![0; hot.nodes.count()];
        for part in 0..1_u64 << 16 {
            counts[hot.destination(part << 48 | 1 << 47)] += 1;
        }
        counts
    }

    #[test]
    fn hot_spots_get_their_share_and_what_all_get() {
        let counts = counts(&spots(8, &[6, 1], 0.25).unwrap());
        // 2^14 numbers are hot, 2^13 for each spot; the others are 6144 for each node.
        for (node, &count) in counts.iter().enumerate() {
            let expected = 6144 + if [1, 6].contains(&node) { 8192 } else { 0 };
            assert!(count.abs_diff(expected) <= 1, "{node}: {count}");
        }
    }

    #[test]
    fn no_share_is_uniform_and_all_of_it_is_for_the_spots_alone() {
        assert_eq!(counts(&spots(4, &[2], 0.0).unwrap()), [1 << 14; 4]);
        assert_eq!(counts(&spots(4, &[2], 1.0).unwrap()), [0, 0, 1 << 16, 0]);
        let all = spots(3, &[0, 2], 1.0).unwrap();
        assert_eq!([0, u64::MAX].map(|drawn| all.destination(drawn)), [0, 2]);
        let some = spots(3, &[1], 0.3).unwrap();
        assert_eq!([0, u64::MAX].map(|drawn| some.destination(drawn)), [1, 2]);
    }

    #[test]
    fn a_sender_draws_the_same_whoever_else_sends() {
        let hot = spots(160, &[7], 0.5).unwrap();
        let all: Vec<usize> = (0..160).collect();
        let drawn = hot.messages(&all, 3);
        assert_eq!(hot.messages(&[9, 100], 3), [drawn[9], drawn[100]]);
        assert_ne!(hot.messages(&all, 4), drawn);
        let to_it = drawn.iter().filter(|one| one.destination == 7).count();
        assert!((60..=100).contains(&to_it), "{to_it}");
    }

    #[test]
    fn what_cannot_be_a_hot_spot_is_refused() {
        for (refused, why) in [
            (
                spots(8, &[8], 0.1),
                "node 8 is out of range: the machine has nodes 0 to 7",
            ),
            (
                spots(8, &[3, 4, 3], 0.1),
                "node 3 is named twice: a node is a hot spot or it is not, and all get the same: name it once",
            ),
            (
                spots(8, &[], 0.1),
                "no node is named: name at least one that is a hot spot, or take uniform traffic",
            ),
            (
                spots(8, &[3], -0.1),
                "a share of -0.1 of all messages for the hot spots is out of range: choose 0 to 1",
            ),
            (
                spots(8, &[3], f64::NAN),
                "a share of NaN of all messages for the hot spots is out of range: choose 0 to 1",
            ),
        ] {
            assert_eq!(refused.unwrap_err().to_string(), why);
        }
    }
}
