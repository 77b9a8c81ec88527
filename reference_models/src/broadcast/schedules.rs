//! The schedules of Ho & Johnsson: packets that follow each other down trees.

use super::trees::Tree;
use super::{Algorithm, Broadcast, Ports, Send, WaveSend};

/// Packets down one tree: level by level where a node may use all its ports, and one child after the
/// other where not. Each packet follows the one before it after as many steps as the busiest node needs.
pub(super) fn one_tree(broadcast: &Broadcast, trees: &[Tree]) -> Vec<WaveSend> {
    let interval = interval(broadcast);
    let mut sends = Vec::new();
    for tree in trees {
        let timed = match broadcast.ports {
            Ports::All => tree.by_level(),
            Ports::OneWay | Ports::TwoWay => tree.one_by_one(),
        };
        for packet in 0..broadcast.packets {
            for &(edge, step) in &timed {
                sends.push(sent(packet * interval + step, edge, packet));
            }
        }
    }
    sends
}

/// Steps from one packet to the next.
fn interval(broadcast: &Broadcast) -> usize {
    let dims = broadcast.dims;
    match (broadcast.algorithm, broadcast.ports) {
        _ if dims == 1 => 1,
        (_, Ports::All) => 1,
        (Algorithm::HamiltonianPath, Ports::OneWay) => 2,
        (Algorithm::HamiltonianPath, Ports::TwoWay) => 1,
        (Algorithm::TwoRootedTree, Ports::OneWay) if dims > 2 => 3,
        (Algorithm::TwoRootedTree, _) => 2,
        _ => dims,
    }
}

/// Packets down the multiple trees: packet `p` is of group `p / dims` and goes down tree `p % dims`.
pub(super) fn multiple_trees(broadcast: &Broadcast, trees: &[Tree]) -> Vec<WaveSend> {
    match broadcast.ports {
        Ports::OneWay => in_halves(broadcast.source, &labelled(broadcast, trees)),
        Ports::TwoWay => labelled(broadcast, trees),
        Ports::All => {
            let mut sends = Vec::new();
            for packet in 0..broadcast.packets {
                let group = packet / broadcast.dims;
                for (edge, level) in trees[packet % broadcast.dims].by_level() {
                    sends.push(sent(group + level, edge, packet));
                }
            }
            sends
        }
    }
}

/// The two-way schedule: an edge is used in the step of its label, and then once for each further group.
fn labelled(broadcast: &Broadcast, trees: &[Tree]) -> Vec<WaveSend> {
    let dims = broadcast.dims;
    let mut sends = Vec::new();
    for packet in 0..broadcast.packets {
        let (group, tree) = (packet / dims, packet % dims);
        for &edge in &trees[tree].edges {
            let label = label(edge.1 ^ broadcast.source, tree, dims);
            sends.push(sent(group * dims + label, edge, packet));
        }
    }
    sends
}

/// The paper's `f(i, j)`: the label of the edge into a node other than the source, in tree `j`. The
/// node's address is relative to the source.
pub(super) fn label(relative: usize, tree: usize, dims: usize) -> usize {
    let set = |place: usize| relative / (1 << place) % 2 == 1;
    if !set(tree) {
        return tree + dims;
    }
    // The first bit to the right of bit `tree`, around the end, that is set: bit `tree` itself at last.
    let mut first = tree;
    for _ in 0..dims {
        first = if first == 0 { dims - 1 } else { first - 1 };
        if set(first) {
            break;
        }
    }
    if first >= tree { first } else { first + dims }
}

/// The one-way schedule. All that is sent in a two-way step crosses one dimension. The step becomes two:
/// first what goes to the node whose relative address has the bit set, then what comes from it. Steps in
/// which nothing would be sent are left out.
fn in_halves(source: usize, two_way: &[WaveSend]) -> Vec<WaveSend> {
    let half = |it: &WaveSend| {
        let rises = (it.send.to ^ source) > (it.send.from ^ source);
        2 * it.send.step + usize::from(!rises)
    };
    let mut used: Vec<usize> = two_way.iter().map(half).collect();
    used.sort_unstable();
    used.dedup();
    let mut halved = two_way.to_vec();
    for it in &mut halved {
        let own = half(it);
        it.send.step = used.partition_point(|earlier| *earlier < own);
    }
    halved
}

/// A packet on an edge.
fn sent(step: usize, (from, to): (usize, usize), packet: usize) -> WaveSend {
    let send = Send {
        step,
        from,
        to,
        packet,
    };
    WaveSend { send, wave: 0 }
}
