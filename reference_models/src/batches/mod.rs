//! Batches of messages, one behind the other through hardware of its own for each iteration (Kuszmaul 1990,
//! Section IV), with whole messages.
//!
//! Batches have nothing to do with each other: each is a partial permutation, routed as the model of its
//! schedule says. What batches share is time. An iteration has wires of its own across its dimensions, `d+1`
//! each way across dimension `d` in all, and every batch has them in the same windows, an interval after the
//! batch before it:
//!
//! ```text
//!   bit time                   0         P         2P        3P
//!   iteration 0, a wire        [0 0] [0] [1 1] [1] [2 2] [2]        batches 0, 1, 2
//!   iteration 1, a wire              [0 0]     [1 1]     [2 2]
//! ```
//!
//! [`windows`] has those of two schedules, [`wires`] is the judge of windows and intervals, whoever they are
//! of. The closed forms are those of the schedules when nothing overlaps but batches.

mod violation;
pub mod windows;
pub mod wires;

#[cfg(test)]
mod tests;

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::Message;

use crate::{kuszmaul, radix4, spread};

pub use violation::Violation;

/// Which model routes a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// Algorithm 2 with its steps pipelined behind one another.
    Overlapped,
    /// All messages packed at once.
    Spread,
    /// Two dimensions at once: it has no [`windows`] here.
    Radix4,
}

/// Routes batches, partial permutations all, with every invariant of the schedule checked. Of each batch, for
/// each node the index of the message that it holds at the end.
///
/// # Errors
/// [`Violation::InBatch`], of the first batch that has one; [`Violation::Astray`].
pub fn route(
    schedule: Schedule,
    dimensions: Dimensions,
    payload_bits: usize,
    batches: &[Vec<Message>],
) -> Result<Vec<Vec<Option<usize>>>, Violation> {
    let batches = batches.iter().enumerate();
    let ends = batches.map(|(batch, messages)| {
        let after = match schedule {
            Schedule::Overlapped => {
                kuszmaul::route(dimensions, messages, kuszmaul::Variant::CORRECT)
                    .map(|outcome| outcome.after_iteration)
            }
            Schedule::Spread => spread::route(dimensions, messages, spread::Variant::CORRECT)
                .map(|outcome| outcome.after_iteration),
            Schedule::Radix4 => {
                let groups = radix4::composition(dimensions.count(), payload_bits);
                radix4::route(dimensions, messages, &groups, radix4::Variant::CORRECT)
                    .map(|outcome| outcome.after_group)
            }
        };
        let mut after = after.map_err(|violation| Violation::InBatch { batch, violation })?;
        let end = after.pop().unwrap_or_default();
        for (message, one) in messages.iter().enumerate() {
            if end.get(one.destination) != Some(&Some(message)) {
                return Err(Violation::Astray {
                    batch,
                    destination: one.destination,
                });
            }
        }
        Ok(end)
    });
    ends.collect()
}

/// The smallest interval, in closed form: that of iteration 0, which has the most dimensions. A cube of one
/// dimension has nothing but its exchange.
pub fn interval(schedule: Schedule, k: usize, payload_bits: usize) -> Option<usize> {
    let free = k - 1;
    match schedule {
        Schedule::Radix4 => None,
        _ if free == 0 => Some(payload_bits + 1),
        Schedule::Overlapped => Some(7 * free + 2 * payload_bits),
        Schedule::Spread => Some(3 * free + payload_bits),
    }
}

/// Bit times of batches of which each waits between iterations until its messages have come whole, in closed
/// form: the schedule's own time, and an interval for every further batch.
pub fn bit_times(
    schedule: Schedule,
    k: usize,
    payload_bits: usize,
    batches: usize,
) -> Option<usize> {
    let alone = match schedule {
        Schedule::Overlapped => 7 * k * (k - 1) / 2 + (2 * k - 1) * payload_bits + k,
        Schedule::Spread => 3 * k * (k - 1) / 2 + k * payload_bits + k,
        Schedule::Radix4 => return None,
    };
    behind(schedule, k, payload_bits, batches, alone)
}

/// The same of batches whose messages go on while their end is still coming: an iteration's valid bit comes
/// across the last wire, and two bit times later the next iteration sends one, which it works out of it and
/// of the address bit that follows it.
pub fn bit_times_passed_on(
    schedule: Schedule,
    k: usize,
    payload_bits: usize,
    batches: usize,
) -> Option<usize> {
    let alone = match schedule {
        Schedule::Overlapped => 3 * k * (k - 1) + k * payload_bits + 2 * k - 1,
        Schedule::Spread => 3 * k * (k - 1) / 2 + payload_bits + k,
        Schedule::Radix4 => return None,
    };
    behind(schedule, k, payload_bits, batches, alone)
}

/// Bit times of batches, given those of one.
fn behind(
    schedule: Schedule,
    k: usize,
    payload_bits: usize,
    batches: usize,
    alone: usize,
) -> Option<usize> {
    let further = batches.saturating_sub(1) * interval(schedule, k, payload_bits)?;
    Some(alone + further)
}
