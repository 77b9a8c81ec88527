//! The transposition of a matrix that is stored by submatrices (Stout & Wagar, section 7.2).

use super::schedule::{Stages, part};
use super::{Collective, Message};

/// The dimensions in which the halves of an address differ, counted within a half.
pub(super) fn differing(node: usize, half: usize) -> Vec<usize> {
    let difference = (node ^ (node >> half)) & ((1 << half) - 1);
    super::schedule::ones(difference)
}

/// The address with its halves exchanged.
pub(super) fn transposed(node: usize, half: usize) -> usize {
    node >> half | (node & ((1 << half) - 1)) << half
}

/// L.C. INVERSION in every logically connected subcube at once, with `sends` packets on every wire.
///
/// A logical link flips a bit of both halves, via two nodes between. The wires of a logical link
/// carry the same number of packets, and the nodes between are one send behind. INVERSION on logical
/// links takes a stage for each, and so they share the sends.
pub(super) fn by_submatrices(collective: &Collective, sends: u64) -> Stages {
    let mut stages = Stages::default();
    let half = collective.dims / 2;
    let bits = 0..collective.message_bits;
    let parts = 2 * sends as usize;
    for source in 0..collective.nodes() {
        let message = Message::Personal {
            source,
            destination: transposed(source, half),
        };
        let links = differing(source, half);
        let packets = sends as usize / links.len().max(1);
        for first in 0..links.len() {
            let mut node = source;
            for stage in 0..links.len() {
                let low = 1 << links[(first + stage) % links.len()];
                let high = low << half;
                for (path, across) in [high, low].into_iter().enumerate() {
                    for packet in 0..packets {
                        let index = (first * 2 + path) * packets + packet;
                        let run = part(message, &bits, bits.end, (index, parts));
                        let (step, between) = (stage * packets + packet, node ^ across);
                        stages.put(step, node, between, run.clone());
                        stages.put(step + 1, between, node ^ low ^ high, run);
                    }
                }
                node ^= low | high;
            }
        }
    }
    stages
}

/// Checks that a transpose of submatrices can be done with so many packets on every wire: they divide
/// among any number of logical links, with at least two for each of several.
pub(super) fn exists(dims: usize, sends: u64) -> Result<(), super::Violation> {
    if !dims.is_multiple_of(2) {
        return Err(super::Violation::OddDims { dims });
    }
    let most = dims as u64 / 2;
    for links in 1..=most {
        let least = if links == 1 { 1 } else { 2 };
        if !sends.is_multiple_of(links) || sends / links < least {
            let common = (1..=most).fold(1, lcm);
            let multiple = if common < least * most {
                2 * common
            } else {
                common
            };
            return Err(super::Violation::LogicalLinks {
                sends,
                links,
                least,
                multiple,
            });
        }
    }
    Ok(())
}

/// The least common multiple.
pub(super) fn lcm(one: u64, other: u64) -> u64 {
    let (mut large, mut small) = (one, other);
    while small > 0 {
        (large, small) = (small, large % small);
    }
    one / large * other
}
