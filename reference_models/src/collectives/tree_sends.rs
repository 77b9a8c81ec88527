//! Personalized communication down a tree (Ho & Johnsson, section 4.2).

use std::collections::{BTreeSet, VecDeque};

use super::schedule::{Schedule, Stages, part, units};
use super::trees::Spanning;
use super::{Collective, Message, Ports, Run, Send};

/// The message to a node whose address is relative to the root.
fn message(collective: &Collective, node: usize) -> Message {
    Message::Personal {
        source: collective.root,
        destination: collective.root ^ node,
    }
}

/// A whole message.
fn whole(collective: &Collective, node: usize) -> Run {
    let bits = 0..collective.message_bits;
    part(message(collective, node), &bits, bits.end, (0, 1))
}

/// Packets of at most `packet_bits` bits, which are parts of messages. The root sends the first packet of
/// every message in the order of the tree, then the second, and so on. Nodes send on what they have in the
/// order in which it came, from the stage after it came on: on each port, or on one port. If a node may not
/// send and receive in the same stage, it receives when its parent sends.
pub(super) fn packets(collective: &Collective, tree: &Spanning, packet_bits: u64) -> Stages {
    let mut stages = Stages::default();
    let many = collective.message_bits.div_ceil(packet_bits) as usize;
    let bits = 0..collective.message_bits;
    let mut waiting: Vec<VecDeque<(usize, usize)>> = vec![VecDeque::new(); collective.nodes()];
    for packet in 0..many {
        waiting[0].extend(tree.order.iter().map(|node| (*node, packet)));
    }
    let paths: Vec<Vec<usize>> = (0..collective.nodes())
        .map(|node| tree.path(node))
        .collect();
    let mut by_depth: Vec<usize> = (0..collective.nodes()).collect();
    by_depth.sort_by_key(|node| paths[*node].len());
    let length = many as u64 * packet_bits;
    for stage in 0.. {
        let mut moves = Vec::new();
        let mut receiving = BTreeSet::new();
        for &node in &by_depth {
            if collective.ports == Ports::OneWay && receiving.contains(&node) {
                continue;
            }
            let mut used = BTreeSet::new();
            let mut kept = VecDeque::new();
            for (destination, packet) in std::mem::take(&mut waiting[node]) {
                let next = paths[destination][paths[node].len()];
                let free = match collective.ports {
                    Ports::All => !used.contains(&next),
                    Ports::OneWay | Ports::TwoWay => used.is_empty(),
                };
                if free {
                    used.insert(next);
                    receiving.insert(next);
                    moves.push((node, next, destination, packet));
                } else {
                    kept.push_back((destination, packet));
                }
            }
            waiting[node] = kept;
        }
        if moves.is_empty() {
            break;
        }
        for (node, next, destination, packet) in moves {
            let message = message(collective, destination);
            let run = part(message, &bits, length, (packet, many));
            let (from, to) = (collective.root ^ node, collective.root ^ next);
            stages.put(stage, from, to, run);
            if next != destination {
                waiting[next].push_back((destination, packet));
            }
        }
    }
    stages
}

/// Level by level: in stage `i` the root sends all messages for the nodes `n - i` away, and other nodes
/// send on what they have just received, so that all arrive at the end of the last stage.
pub(super) fn levels(collective: &Collective, tree: &Spanning) -> Stages {
    put_all(collective, tree, |depth| collective.dims - depth)
}

/// In one shot: the root sends everything in stage 0, and other nodes send on what they have just
/// received.
pub(super) fn one_shot(collective: &Collective, tree: &Spanning) -> Stages {
    put_all(collective, tree, |_| 0)
}

/// Whole messages, which set out in a stage that depends on how far they have to go, and do not stop.
fn put_all(collective: &Collective, tree: &Spanning, first: impl Fn(usize) -> usize) -> Stages {
    let mut stages = Stages::default();
    for node in 1..collective.nodes() {
        let path = tree.path(node);
        let first = first(path.len() - 1);
        for (stage, pair) in path.windows(2).enumerate() {
            let (from, to) = (collective.root ^ pair[0], collective.root ^ pair[1]);
            stages.put(first + stage, from, to, whole(collective, node));
        }
    }
    stages
}

/// Whole subtrees on one port at a time: a node that has the messages of its subtree sends to its children
/// one after the other what is for their subtrees, the largest first.
pub(super) fn subtrees(collective: &Collective, tree: &Spanning) -> Schedule {
    let mut schedule = Schedule::default();
    let mut waiting = vec![(0, 0, 0)];
    while let Some((node, mut begin, mut stage)) = waiting.pop() {
        for child in tree.children(node) {
            let inside = tree.subtree(child);
            let items: Vec<Run> = inside.iter().map(|it| whole(collective, *it)).collect();
            let send = Send {
                begin,
                start_up: collective.start_up,
                units: units(&items),
                from: collective.root ^ node,
                to: collective.root ^ child,
                items,
            };
            begin = send.end();
            stage += 1;
            waiting.push((child, begin, stage));
            schedule.sends.push(send);
        }
        schedule.stages = schedule.stages.max(stage);
    }
    schedule
}
