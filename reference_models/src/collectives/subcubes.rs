//! What is made of O.C. SEND 2 in subcubes (Stout & Wagar, sections 5 and 6).

use std::ops::Range;

use super::schedule::{Stages, ones, part};
use super::{Collective, Message, Run};

/// Sends `bits` of a message from one node to another with O.C. SEND 2 in the smallest subcube that has
/// both, so that the last of its stages is the `last`th. The bits, padded to `length`, are cut into a part
/// for each dimension of the subcube. A part begins with its dimension and goes on with the next of them
/// above, around the end.
pub(super) fn corner_send(
    stages: &mut Stages,
    last: usize,
    (from, to): (usize, usize),
    (message, bits, length): (Message, &Range<u64>, u64),
) {
    let dimensions = ones(from ^ to);
    let parts = dimensions.len();
    for index in 0..parts {
        let run = part(message, bits, length, (index, parts));
        let mut node = from;
        for stage in 0..parts {
            let next = node ^ (1 << dimensions[(index + stage) % parts]);
            stages.put(last + 1 + stage - parts, node, next, run.clone());
            node = next;
        }
    }
}

/// O.C. SEND 2 from the root: a part of the message for each dimension, rotated.
pub(super) fn oc_send_2(collective: &Collective) -> Stages {
    let mut stages = Stages::default();
    let corner = collective.root ^ (collective.nodes() - 1);
    whole(&mut stages, collective, collective.root, corner);
    stages
}

/// O.C. SEND 1: the whole message, one dimension after the other.
pub(super) fn oc_send_1(collective: &Collective) -> Stages {
    let mut stages = Stages::default();
    let source = collective.root;
    let bits = 0..collective.message_bits;
    let message = Message::Personal {
        source,
        destination: source ^ (collective.nodes() - 1),
    };
    for stage in 0..collective.dims {
        let from = source ^ ((1 << stage) - 1);
        let run = part(message, &bits, bits.end, (0, 1));
        stages.put(stage, from, from ^ (1 << stage), run);
    }
    stages
}

/// DISTRIBUTE 1: O.C. SEND 2 from the root to every node, the furthest first, so that all messages are
/// there at the end of the last stage.
pub(super) fn distribute_1(collective: &Collective) -> Stages {
    let mut stages = Stages::default();
    for destination in 0..collective.nodes() {
        whole(&mut stages, collective, collective.root, destination);
    }
    stages
}

/// COMPLETE EXCHANGE: DISTRIBUTE 1 from every node at once.
pub(super) fn complete_exchange(collective: &Collective) -> Stages {
    let mut stages = Stages::default();
    for source in 0..collective.nodes() {
        for destination in 0..collective.nodes() {
            whole(&mut stages, collective, source, destination);
        }
    }
    stages
}

/// INVERSION: O.C. SEND 2 from every node at once.
pub(super) fn inversion(collective: &Collective) -> Stages {
    let mut stages = Stages::default();
    for source in 0..collective.nodes() {
        let corner = source ^ (collective.nodes() - 1);
        whole(&mut stages, collective, source, corner);
    }
    stages
}

/// A whole message by O.C. SEND 2.
fn whole(stages: &mut Stages, collective: &Collective, source: usize, destination: usize) {
    let message = Message::Personal {
        source,
        destination,
    };
    let bits = 0..collective.message_bits;
    let what = (message, &bits, bits.end);
    corner_send(stages, collective.dims - 1, (source, destination), what);
}

/// COMPLETE BROADCAST: BROADCAST 2 from every node at once. Packet `i` goes over dimension `i + k` in
/// stage `k`, from every node that has it.
pub(super) fn complete_broadcast(collective: &Collective) -> Stages {
    let mut stages = Stages::default();
    let dims = collective.dims;
    let bits = 0..collective.message_bits;
    for source in 0..collective.nodes() {
        for packet in 0..dims {
            let run = part(
                Message::Broadcast { source },
                &bits,
                bits.end,
                (packet, dims),
            );
            let mut holders = vec![source];
            for stage in 0..dims {
                let across = 1 << ((packet + stage) % dims);
                let reached: Vec<usize> = holders.iter().map(|node| node ^ across).collect();
                for (&from, &to) in holders.iter().zip(&reached) {
                    stages.put(stage, from, to, run.clone());
                }
                holders.extend(reached);
            }
        }
    }
    stages
}

/// PERMUTED SEND: every message is cut into a block for each node, and goes there by a complete exchange
/// of blocks. Another complete exchange brings the blocks to where the permutation wants them. What the
/// permutation leaves in its place does not move, and both exchanges take the same time nevertheless.
pub(super) fn permuted_send(collective: &Collective, permutation: &[usize]) -> Stages {
    let mut stages = Stages::default();
    let (dims, nodes) = (collective.dims, collective.nodes());
    for stage in 0..dims {
        let units = exchange_units(dims, collective.message_bits.div_ceil(nodes as u64), stage);
        stages.at_least(stage, units);
        stages.at_least(dims + stage, units);
    }
    for (source, &destination) in permutation.iter().enumerate() {
        let message = Message::Personal {
            source,
            destination,
        };
        for between in (0..nodes).filter(|_| source != destination) {
            let all = 0..collective.message_bits;
            let block: Run = part(message, &all, all.end, (between, nodes));
            let what = (message, &block.bits, block.units());
            corner_send(&mut stages, dims - 1, (source, between), what);
            corner_send(&mut stages, 2 * dims - 1, (between, destination), what);
        }
    }
    stages
}

/// How many bits every wire carries in a stage of a complete exchange of messages of `length` bits: of
/// messages at distance `d - j`, which are in `d - j` parts, as many parts as there are ways to choose
/// `j` dimensions of all but one, for `j` up to the stage.
pub(super) fn exchange_units(dims: usize, length: u64, stage: usize) -> u64 {
    let mut ways = 1;
    let mut units = 0;
    for chosen in 0..=stage {
        units += ways * length.div_ceil((dims - chosen) as u64);
        ways = ways * (dims - 1 - chosen) as u64 / (chosen + 1) as u64;
    }
    units
}
