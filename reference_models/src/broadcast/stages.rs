//! The schedules of Stout & Wagar, stage by stage. Addresses are relative to the source until a packet
//! is sent.

use super::trees::rotated_left;
use super::{Broadcast, Send, WaveSend};

/// Recursive doubling: in stage `k` nodes 0 to `2^k - 1` send to their neighbours across dimension `k`.
pub(super) fn broadcast_1(broadcast: &Broadcast) -> Vec<WaveSend> {
    let mut sends = Vec::new();
    for stage in 0..broadcast.dims {
        for node in 0..1 << stage {
            sends.extend(sent(broadcast, (stage, 0), node, stage, 0));
        }
    }
    sends
}

/// Packet `i` as in BROADCAST 1, with addresses rotated to the left by `i`.
pub(super) fn broadcast_2(broadcast: &Broadcast) -> Vec<WaveSend> {
    let dims = broadcast.dims;
    let mut sends = Vec::new();
    for packet in 0..dims {
        for stage in 0..dims {
            for node in 0..1 << stage {
                let rotated =
                    (0..packet).fold(node, |node, _| rotated_left(node, broadcast.nodes()));
                let dimension = (packet + stage) % dims;
                sends.extend(sent(broadcast, (stage, 0), rotated, dimension, packet));
            }
        }
    }
    sends
}

/// One wave, of all stages.
pub(super) fn broadcast_3a(broadcast: &Broadcast) -> Vec<WaveSend> {
    wave(broadcast, 0, broadcast.dims + 1, |index| index)
}

/// A wave for each group of `dims` packets, each one step behind the other. The last group runs without
/// its last stage. Its second wave, of the packets in another order, runs one step behind without the
/// last two stages. For one group this is BROADCAST 3B.
pub(super) fn broadcast_4(broadcast: &Broadcast) -> Vec<WaveSend> {
    let dims = broadcast.dims;
    let groups = broadcast.packets.div_ceil(dims);
    let last = (groups - 1) * dims;
    let mut sends = Vec::new();
    for group in 0..groups - 1 {
        sends.extend(wave(broadcast, group, dims + 1, |index| {
            group * dims + index
        }));
    }
    sends.extend(wave(broadcast, groups - 1, dims, |index| last + index));
    sends.extend(wave(broadcast, groups, dims - 1, |index| {
        last + (index + 1) % dims
    }));
    sends
}

/// BROADCAST 3A for the first `stages` stages, beginning in step `wave`, with the packets that `packet`
/// names. In stage `k` the nodes at distance `k` send: `P_w` across every dimension `w` where their
/// address is 1, and `P` of the next 1 across every dimension where it is 0.
fn wave(
    broadcast: &Broadcast,
    wave: usize,
    stages: usize,
    packet: impl Fn(usize) -> usize,
) -> Vec<WaveSend> {
    let mut sends = Vec::new();
    for node in 0..broadcast.nodes() {
        let ones: Vec<usize> = (0..broadcast.dims)
            .filter(|place| node / (1 << place) % 2 == 1)
            .collect();
        let stage = ones.len();
        if stage >= stages {
            continue;
        }
        for dimension in 0..broadcast.dims {
            let index = next_one(&ones, dimension);
            let when = (wave + stage, wave);
            sends.extend(sent(broadcast, when, node, dimension, packet(index)));
        }
    }
    sends
}

/// The place itself if it is one of the places of 1, and otherwise the first of these after it, around
/// the end. The source, which has no 1, takes the place itself.
fn next_one(ones: &[usize], place: usize) -> usize {
    let after = ones.iter().find(|one| **one >= place);
    *after.or(ones.first()).unwrap_or(&place)
}

/// What a node sends in a step of a wave: nothing if there is no such packet, and nothing to the source,
/// which has all. The paper's nodes next to the source send it the packet that it has just sent them.
fn sent(
    broadcast: &Broadcast,
    (step, wave): (usize, usize),
    node: usize,
    dimension: usize,
    packet: usize,
) -> Option<WaveSend> {
    let neighbour = node ^ (1 << dimension);
    let send = Send {
        step,
        from: node ^ broadcast.source,
        to: neighbour ^ broadcast.source,
        packet,
    };
    (packet < broadcast.packets && neighbour != 0).then_some(WaveSend { send, wave })
}
