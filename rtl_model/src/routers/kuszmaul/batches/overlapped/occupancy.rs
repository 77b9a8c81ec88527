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
use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::kuszmaul::batches::overlapped::settling::Settling;
use crate::routers::kuszmaul::held::sequencer::{PACKS, RETURNS};

/// `m` and `L` of a stage, and the bit time in which it is delivered whether there is a message.
fn sizes(extent: Extent) -> [i64; 3] {
    let announced = extent.stretch(RETURNS, 1).from;
    [
        extent.free_dimensions() as i64,
        extent.message_bits() as i64,
        announced,
    ]
}

/// See [`Stage::occupancy`](crate::routers::kuszmaul::batches::stage::Stage::occupancy).
pub(super) fn message_bits<B: Bit>(
    extent: Extent,
    settling: &Settling<B>,
    t: i64,
    count: &mut dyn FnMut(B, u32),
) {
    let [m, length, announced] = sizes(extent);
    // Bits of a stream that have passed, if the first one passes in `from`.
    let passed = |from: i64| (t + 1 - from).clamp(0, length);
    // Counts what stands between two places that it passes in these bit times.
    let mut between = |flag: B, enters: i64, leaves: i64| {
        let bits = passed(enters) - passed(leaves);
        if bits > 0 {
            count(flag, bits as u32);
        }
    };
    between(settling.has_first, 1, announced + 1);

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
        let headers = m - r as i64;
        let sent = extent.stretch(PACKS, r).from + headers + 1;
        let ahead = settling.packing.stage(dimension + 1).valid();
        between(ahead, sent, sent + 1);
        let sent_back = extent.stretch(RETURNS, r + 1).from + 1;
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
    let [m, length, announced] = sizes(extent);
    if (0..announced + length).contains(&t) {
        count(settling.has_first);
    }
    if (0..4 * m + 2 * length + 1).contains(&t) {
        count(settling.second.valid());
    }
}
