//! HISTOGRAM (Stout & Wagar, section 8).

use super::schedule::{Stages, part};
use super::{Collective, Message, Run};

/// How many sums every node is to have at the end: bins are padded to a multiple of the nodes.
pub(super) fn share(collective: &Collective, value_bits: u64) -> u64 {
    (collective.message_bits / value_bits).div_ceil(collective.nodes() as u64)
}

/// Recursive halving in all rotations at once. Every node's sums are in a part for each rotation. In
/// stage `k` of rotation 0, a node sends what is for nodes that differ from it in dimension `d - 1 - k`
/// and agree with it in all dimensions above. Rotation `i` does so with all dimensions `i` higher, around
/// the end.
pub(super) fn histogram(collective: &Collective, value_bits: u64) -> Stages {
    let mut stages = Stages::default();
    let dims = collective.dims;
    let sums = 0..share(collective, value_bits);
    for rotation in 0..dims {
        let mut before = 0;
        for stage in 0..dims {
            let across = 1 << ((dims - 1 - stage + rotation) % dims);
            for node in 0..collective.nodes() {
                let differs =
                    |owner: &usize| (node ^ owner) & before == 0 && (node ^ owner) & across != 0;
                for owner in (0..collective.nodes()).filter(differs) {
                    let message = Message::PartialSum { owner };
                    let values = part(message, &sums, sums.end, (rotation, dims));
                    let run = Run {
                        message,
                        bits: values.bits.start * value_bits..values.bits.end * value_bits,
                        padding: values.padding * value_bits,
                    };
                    stages.put(stage, node, node ^ across, run);
                }
            }
            before |= across;
        }
    }
    stages
}
