//! How full nodes are.

use crate::machine::share::Rank;

/// How full the nodes of a machine are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Occupancy {
    /// Message bits that are live in all nodes.
    pub live_bits: u64,
    /// The most at a node.
    pub most_bits: u32,
    /// The most messages at a node.
    pub most_messages: u32,
}

impl Occupancy {
    /// That of the nodes of all ranks, this being the one of the nodes of a rank.
    pub(super) fn of_all(self, rank: &Rank) -> Self {
        let mut live_bits = [self.live_bits];
        let mut most = [self.most_bits, self.most_messages].map(u64::from);
        rank.sum(&mut live_bits);
        rank.most(&mut most);
        Occupancy {
            live_bits: live_bits[0],
            most_bits: most[0] as u32,
            most_messages: most[1] as u32,
        }
    }
}
