//! How much of a stage's storage holds message bits of a batch, and whose, after each bit time.
//!
//! A message bit counts from the bit time on in which it comes in until the one in which it is delivered, wherever it stands: in one of
//! the two lines, or in the register behind a switch on its way.
//!
//! ```text
//!   bit time        1            3m+2           4m+1           4m+L+2           5m+L+1
//!   first           comes in .............................................. goes out
//!   second          comes in     goes out       comes in       goes out
//!   on its way                   step 3 .......|               step 6 .........|
//! ```

use crate::language::bit::Bit;
use crate::routers::kuszmaul::batches::overlapped::settling::Settling;
use crate::routers::kuszmaul::batches::overlapped::{announce, go_back, pack_messages, sizes};
use crate::routers::kuszmaul::batches::stage::Extent;

/// See [`Stage::occupancy`](crate::routers::kuszmaul::batches::stage::Stage::occupancy).
pub(super) fn message_bits<B: Bit>(
    extent: Extent,
    settling: &Settling<B>,
    t: i64,
    count: &mut dyn FnMut(B, u32),
) {
    let (m, length) = sizes(extent);
    // Bits of a stream that have passed, if the first one passes in `from`.
    let passed = |from: i64| (t + 1 - from).clamp(0, length);
    // Counts what stands between two places that it passes in these bit times.
    let mut between = |flag: B, enters: i64, leaves: i64| {
        let bits = passed(enters) - passed(leaves);
        if bits > 0 {
            count(flag, bits as u32);
        }
    };
    between(settling.has_first, 1, announce(extent) + 1);

    // The valid bit of a second message gives way to that of step 3 while the message still leaves: the first switch remembers it.
    let dimensions = extent.subcube();
    let (first, last) = (dimensions.start, dimensions.end - 1);
    let brought = match t < 2 * m + 2 {
        true => settling.second.valid(),
        false => settling.packing.stage(first).engaged(),
    };
    between(brought, 1, 3 * m + 2);
    between(settling.second.valid(), 4 * m + 1, 4 * m + length + 2);

    for (dimension, r) in (first..last).zip(1..) {
        // Behind the valid bit, which the stage sends on in place of its own header bit, come those of the stages above.
        let headers = m - r;
        let sent = pack_messages(extent, r).from + headers + 1;
        let ahead = settling.packing.stage(dimension + 1).valid();
        between(ahead, sent, sent + 1);
        let sent_back = go_back(extent, r + 1).from + 1;
        let behind = settling.circuits.stage(dimension).engaged();
        between(behind, sent_back, sent_back + 1);
    }
}

/// See [`Stage::messages`](crate::routers::kuszmaul::batches::stage::Stage::messages): those of the lines.
pub(super) fn messages<B: Bit>(
    extent: Extent,
    settling: &Settling<B>,
    t: i64,
    count: &mut dyn FnMut(B),
) {
    let (m, length) = sizes(extent);
    if (0..announce(extent) + length).contains(&t) {
        count(settling.has_first);
    }
    if (0..4 * m + 2 * length + 1).contains(&t) {
        count(settling.second.valid());
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What nodes count once the bit time `t` is over, of a batch of which step 1 left so many messages `here` at each: every bit that has
    /// come and has not been delivered, and every message that is in one of the lines.
    pub fn check_counts(extent: Extent, cube: &[Settling<bool>], here: &[usize], t: i64) {
        let (m, length) = sizes(extent);
        let messages = here.iter().sum::<usize>() as i64;
        let twos = here.iter().filter(|messages| **messages == 2).count();
        let passed = |from: i64| (t + 1 - from).clamp(0, length);
        let first = passed(1) - passed(announce(extent) + 1);
        let brought = passed(1) - passed(3 * m + 2);
        let held = passed(4 * m + 1) - passed(4 * m + length + 2);
        let (mut bits, mut counted) = (0, 0);
        for (node, settling) in cube.iter().enumerate() {
            let before = bits;
            let mut count_bits = |flag, some| bits += i64::from(some) * i64::from(flag);
            message_bits(extent, settling, t, &mut count_bits);
            let mut count = |flag| counted += i64::from(flag);
            super::messages(extent, settling, t, &mut count);
            // The nodes with the lowest numbers hold what step 3 brings. The rest is behind switches, one bit a switch each way.
            let in_lines = first * i64::from(here[node] > 0)
                + brought * i64::from(here[node] > 1)
                + held * i64::from(node < twos);
            let on_the_way = bits - before - in_lines;
            assert!(
                (0..2 * m - 1).contains(&on_the_way),
                "{extent:?} {t}: {node}"
            );
        }
        // Whichever a message is, it is delivered in the same bit times.
        assert_eq!(bits, messages * first, "{extent:?} {t}");
        let at_home = here.iter().filter(|messages| **messages > 0).count() as i64;
        let expected = match t {
            0.. if t <= 4 * m + 2 * length => messages,
            0.. if t < announce(extent) + length => at_home,
            _ => 0,
        };
        assert_eq!(counted, expected, "{extent:?} {t}");
    }
}
