//! Which channels wait for which: the channel dependency graph of Dally and Seitz, exactly.
//!
//! A *channel* is one virtual channel of one link. A worm that has a channel and asks for the next
//! one of its route makes the first depend on the second. If no channel depends on itself through
//! others there is no deadlock: some worm's next channel always comes free. Injection and ejection
//! are left out: nothing of a route comes before the one or after the other, so they are on no
//! cycle.
//!
//! # One column for all
//!
//! The graph is not built channel by channel: at 16 levels it would have 5 million. Renumbering all
//! columns `c` as `c ^ x` changes no link and no route, since a route asks only in which bits two
//! columns differ. So what a channel depends on follows from its *kind*: level, direction and
//! virtual channel. Kinds and what they depend on are the *quotient* graph; it has at most `5n`
//! kinds.
//!
//! The whole graph has a cycle exactly if the quotient has. A cycle of channels is a closed walk of
//! kinds. Conversely, walk a cycle of kinds from some column: each cross link changes one bit of
//! it, so a round changes the column by some `x`, and a second round by `x` again, which takes it
//! back: a cycle of channels, after two rounds at most. The cycle that is given is one of the
//! fewest channels of all.
//!
//! The same holds for the addresses of the hypercube, where a kind is a dimension, and for the lines of a grid
//! ([`networks::direct`](crate::routers::wormhole::networks::direct::dependencies)).
//!
//! In `X(butterfly)` a kind is a hop of a lane in a row or in a column, by its level; the columns are those
//! of a butterfly, and any lane of a class may follow any of the class before it
//! ([`networks::butterflies`](crate::routers::wormhole::networks::butterflies::dependencies)).
//!
//! All of the copies ([`crate::embedding::copies`]) together have the same graph several times
//! over: each has channels of its own, and no worm changes copies. Two of them may share a wire,
//! but a wire's bit times go to whichever channel can use them, and none is held.

pub use channel::Channel;

mod channel;
pub(super) mod quotient;

/// The dependencies between kinds of channels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependencies {
    /// Number of kinds of channels that routes use. There are as many channels of each as the
    /// network has columns, or the hypercube nodes; and so with the dependencies.
    pub channels: usize,
    /// Number of pairs of kinds of which the first depends on the second.
    pub dependencies: usize,
    /// A shortest cycle of channels, each of which depends on the next, and the last on the first;
    /// none if there is no cycle, so no deadlock.
    pub cycle: Option<Vec<Channel>>,
    /// Where worms that find no way can take escape channels: the extended graph of those alone, which decides.
    pub escape: Option<Box<Dependencies>>,
}

impl Dependencies {
    /// The cycle that lets worms deadlock; none if nothing can.
    pub fn deadlock(&self) -> Option<&[Channel]> {
        match &self.escape {
            Some(escape) => escape.deadlock(),
            None => self.cycle.as_deref(),
        }
    }
}
