//! The dependencies of the cube-connected cycles.
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

use crate::machine::topology::cube_connected_cycles::{CubeConnectedCycles, Direction, Hop};
use crate::routers::wormhole::dependencies::quotient::Quotient;
use crate::routers::wormhole::dependencies::{Channel, Dependencies};

#[cfg(test)]
mod tests;

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
pub fn of(network: CubeConnectedCycles, virtual_channels: usize) -> Dependencies {
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
