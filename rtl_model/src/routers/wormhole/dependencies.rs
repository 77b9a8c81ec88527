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
//! The same holds for the addresses of the hypercube, where a kind is a dimension, and for the lines of a grid ([`direct`]).
//!
//! # Which dependencies there are
//!
//! They are those that routes make, and no others; routes that cross at most once make all. A route
//! visits no node twice, so its beginning, up to the end of the second of two channels, is the
//! route to there. Leaving a cross hop out of it leaves the levels as they are, as long as it is
//! within one round of the cycle; a longer one needs a cross hop that was still to be made when the
//! destination's level came by first, and one of them will do. So `n^2 (n + 1)` routes from one
//! column are enough.
//!
//! # The result
//!
//! A worm in the cube-connected cycles takes the virtual channel whose number is the datelines that
//! it has crossed, or the last if there are fewer.
//!
//! | virtual channels | cube-connected cycles                   |
//! |------------------|-----------------------------------------|
//! | 1                | cyclic                                  |
//! | 2                | acyclic for 2 and 3 levels, else cyclic |
//! | 3                | acyclic                                 |
//!
//! With three, (virtual channel, level, cross before straight) grows with every hop. With two, a
//! worm that crosses the dateline a second time stays on virtual channel 1, which closes the cycle
//! if a straight hop follows; that takes four levels. How many are enough in hypercubes, tori and meshes,
//! [`networks::direct`](crate::routers::wormhole::networks::direct) says.
//!
//! In `X(butterfly)` a kind is a hop of a lane in a row or in a column, by its level; the columns are those
//! of a butterfly, and any lane of a class may follow any of the class before it ([`butterflies`]).
//!
//! All of the copies ([`crate::embedding::copies`]) together have the same graph several times
//! over: each has channels of its own, and no worm changes copies. Two of them may share a wire,
//! but a wire's bit times go to whichever channel can use them, and none is held.

use crate::machine::topology::cube_connected_cycles::{CubeConnectedCycles, Direction, Hop};

pub use channel::Channel;
pub use direct::direct;
pub use irregular::irregular;
pub use lanes::butterflies;
use quotient::Quotient;

mod channel;
mod direct;
mod irregular;
mod lanes;
mod quotient;
#[cfg(test)]
mod tests;

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

/// The virtual channel of a hop, if straight links have `virtual_channels` of them, and cross links
/// as many but at most 2.
///
/// # Panics
/// If `virtual_channels` is 0.
pub fn virtual_channel(hop: Hop, virtual_channels: usize) -> usize {
    assert!(virtual_channels > 0, "a link without a channel");
    let channels = match hop.direction {
        Direction::Straight => virtual_channels,
        Direction::Cross => virtual_channels.min(2),
    };
    hop.datelines.min(channels - 1)
}

/// The dependencies in the cube-connected cycles whose straight links have `virtual_channels`
/// channels, and whose cross links have as many but at most 2.
///
/// # Panics
/// If `virtual_channels` is 0.
pub fn cube_connected_cycles(
    network: CubeConnectedCycles,
    virtual_channels: usize,
) -> Dependencies {
    let routes = single_crossings(network)
        .map(|(source, destination)| cube_kinds(network, virtual_channels, source, destination));
    let quotient = Quotient::of(routes);
    let step = |kind: CubeKind| match kind.direction {
        Direction::Straight => 0,
        Direction::Cross => 1 << kind.level,
    };
    quotient.dependencies(step, |kind, column| Channel::CubeConnectedCycles {
        network,
        from: network.node(kind.level, column),
        direction: kind.direction,
        virtual_channel: kind.virtual_channel,
    })
}

/// What the channels of one column have in common with those of any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct CubeKind {
    level: usize,
    direction: Direction,
    virtual_channel: usize,
}

/// Sources in column 0 and destinations in a column that differs in no bit or in one.
fn single_crossings(network: CubeConnectedCycles) -> impl Iterator<Item = (usize, usize)> {
    let levels = network.levels();
    let columns = (0..levels).map(|bit| 1 << bit).chain([0]);
    columns.flat_map(move |column| {
        (0..levels).flat_map(move |source| {
            (0..levels).map(move |destination| {
                (network.node(source, 0), network.node(destination, column))
            })
        })
    })
}

fn cube_kinds(
    network: CubeConnectedCycles,
    virtual_channels: usize,
    source: usize,
    destination: usize,
) -> impl Iterator<Item = CubeKind> {
    network.route(source, destination).map(move |hop| CubeKind {
        level: network.level(hop.from),
        direction: hop.direction,
        virtual_channel: virtual_channel(hop, virtual_channels),
    })
}
