//! How many nodes go side by side.

use hosts::wormhole::lanes::WormLanes;
use rtl_model::language::lanes::Words;
use rtl_model::routers::wormhole::joined::Joined;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::space::Space;

/// Something to do with lanes of some width.
pub(crate) trait WithLanes {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<B: WormLanes>(self) -> Self::Output;
}

/// Runs it in lanes as wide as `2^log2_nodes` nodes, which may lie side by side, allow: a cache line of them for each register at
/// the most. Narrower lanes than there are nodes cost as many times the time as they are narrower: nodes go group by group.
pub(crate) fn in_lanes<W: WithLanes>(log2_nodes: usize, what: W) -> W::Output {
    match log2_nodes {
        0..=6 => what.run::<u64>(),
        7 | 8 => what.run::<Words<4>>(),
        _ => what.run::<Words<8>>(),
    }
}

/// log2 of the nodes of which lanes may be made: of cube-connected cycles, those of one level.
pub(super) fn side_by_side(machine: &WormholeMachine) -> usize {
    match machine.network().joined() {
        Joined::CubeConnectedCycles(cycles) => cycles.levels(),
        Joined::Space(Space::Hypercube(dimensions)) => dimensions.count(),
        Joined::Space(Space::Grid(grid)) => grid.nodes().ilog2() as usize,
        Joined::Irregular(network) => network.nodes().ilog2() as usize,
    }
}
