//! Algorithm 1 with a frame in a word: a switch stage is a shift and a mask.
//!
//! ```text
//!   stage       bit time   0   1   2   3   4   5   6   7      header bits h1 h2, body b1 b2 b3
//!   1           wire       V  h2  b1  b2  b3                  h1 decides; the valid bit takes its place
//!   2                             V  b1  b2  b3               has V in bit time 1 and h2 in bit time 2
//! ```

use crate::violation::Violation;
use crate::whole_frame::frame::Frame;
use crate::whole_frame::tally::{Step, Tally, Watch, Windows};

/// Frames of `length` bits pass the dimensions of `row`, and each consumes a header bit of theirs.
///
/// # Errors
/// [`Violation::FrameLength`] before the first stage, [`Violation::TwoStored`] after one.
pub(super) fn pack(
    frames: &mut [Frame],
    mut length: usize,
    row: impl Iterator<Item = usize>,
    (step, tally, watch): (Step, &mut Tally, &mut impl Watch),
) -> Result<(), Violation> {
    check_lengths(frames, length, step)?;
    let mut windows = Windows::new(tally, step);
    let mut begin = 0;
    for (stage, dimension) in row.enumerate() {
        // The valid bit, and what is left of the frame.
        let bits = 1 + (length - 1);
        watch.wires(step, dimension, bits, &|node| {
            sent(frames, node, dimension).on_wire()
        });
        let crossed = pass(frames, dimension).map_err(|node| Violation::TwoStored {
            iteration: step.iteration,
            packing: step.name(),
            stage: stage + 1,
            node,
        })?;
        windows.carry(dimension, begin, bits, crossed);
        length -= 1;
        // The next stage decides once it has the valid bit and the header bit behind it.
        begin += 2;
    }
    windows.close();
    Ok(())
}

/// Every frame is as long as its slot.
pub(super) fn check_lengths(frames: &[Frame], length: usize, step: Step) -> Result<(), Violation> {
    let is_another = |frame: &Frame| frame.is_some() && frame.length() != length;
    match frames.iter().position(is_another) {
        None => Ok(()),
        Some(node) => Err(Violation::FrameLength {
            iteration: step.iteration,
            step: step.name(),
            node,
            bits: frames[node].length(),
            expected: length,
        }),
    }
}

/// What a node sends over its wire of `dimension`.
pub(super) fn sent(frames: &[Frame], node: usize, dimension: usize) -> Frame {
    let (_, sent) = frames[node].parted((node >> dimension & 1) as u64);
    sent
}

/// One stage: the frames that cross, or a node at which two would be stored.
fn pass(frames: &mut [Frame], dimension: usize) -> Result<u64, usize> {
    let distance = 1 << dimension;
    let mut crossed = 0;
    for (number, block) in frames.chunks_exact_mut(2 * distance).enumerate() {
        let (low, high) = block.split_at_mut(distance);
        for (place, (low, high)) in low.iter_mut().zip(high).enumerate() {
            let (low_keeps, low_sends) = low.parted(0);
            let (high_keeps, high_sends) = high.parted(1);
            let node = 2 * distance * number + place;
            *low = low_keeps.or(high_sends).ok_or(node)?;
            *high = high_keeps.or(low_sends).ok_or(node + distance)?;
            crossed += u64::from(low_sends.is_some()) + u64::from(high_sends.is_some());
        }
    }
    Ok(crossed)
}
