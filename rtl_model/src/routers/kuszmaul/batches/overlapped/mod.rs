//! The iterations of schedule [`overlapped`](crate::routers::kuszmaul::overlapped) side by side, each on a batch of its own.
//!
//! With `m` dimensions left, `L = m+D` message bits left, and `r` the number of a row's stage:
//!
//! ```text
//!   step                         wire of dimension   bit times from the batch's beginning at the stage
//!   1  cross                     the lowest          0 .. L
//!   4  enumerate empty nodes     r above it          r .. 2r-1
//!   2  enumerate nodes with two  r above it          m+r .. m+2r-1
//!   5  pack headers              r above it          m+2r .. 2m+r
//!   3  pack second messages      r above it          2m+2r .. 3m+r+L
//!   6  the way back              r above it          5m+L+1-r .. 5m+2L+1-r
//!   delivered                                        valid bit in 5m+L, body from 5m+L+1 on
//! ```
//!
//! These are the windows of [`HeldSequencer`](crate::routers::kuszmaul::held::HeldSequencer). The lowest dimension but one is busy from
//! bit time 1 to `5m+2L = 7m+2D`; in between it is free for `2m-2` bit times before the way back and for `m-1` before the second
//! enumeration, and step 3 and what goes before it fits into neither. So batches follow one another at an interval of `7(k-1)+2D` bit
//! times, that of stage 0, where `m` is largest. A message goes on to the next stage as it comes: it reaches it after `5m+L+2` bit times,
//! and its last `L` bits are not waited for.
//!
//! A message that is at home waits in its stage until step 6, and so does one that step 3 brings. Either takes as many places as it has
//! bits, over all stages `k(k-1)/2+(k-1)D`: the storage of a node grows with `k^2+kD`. (In schedule `spread` messages wait for `2m` bit
//! times only, and `k^2` is enough.)

mod occupancy;
mod second_line;
mod settling;
mod stage;
mod strobes;
#[cfg(test)]
mod tests;

use crate::language::bit::{Bit, Strobe};
use crate::routers::kuszmaul::batches::crossing;
use crate::routers::kuszmaul::batches::sequencer::At;
use crate::routers::kuszmaul::batches::stage::{BatchForms, Extent, Pipelined};
use crate::routers::kuszmaul::batches::window::{Claim, Window};
use crate::routers::kuszmaul::overlapped::Overlapped;
use crate::routers::permutation::{Schedule, Size};

pub use stage::{OverlappedStage, OverlappedStageStrobes};

/// `m` and `L` as they stand in windows.
fn sizes(extent: Extent) -> (i64, i64) {
    let (m, length) = (extent.free_dimensions(), extent.message_bits());
    (m as i64, length as i64)
}

/// Step 4: bit times in which the wire of the `r`-th dimension above the lowest carries numbers of empty nodes.
fn enumerate_empties(r: i64) -> Window {
    Window::new(r, 2 * r - 1)
}

/// Step 2: those in which it carries numbers of nodes with two messages.
fn enumerate_twos(extent: Extent, r: i64) -> Window {
    let (m, _) = sizes(extent);
    enumerate_empties(r).later(m)
}

/// Step 5: those in which it carries headers, which set circuits.
fn set_circuits(extent: Extent, r: i64) -> Window {
    let (m, _) = sizes(extent);
    Window::new(m + 2 * r, 2 * m + r)
}

/// Step 3: those in which it carries second messages to nodes that hold them for empty ones.
fn pack_messages(extent: Extent, r: i64) -> Window {
    let (m, length) = sizes(extent);
    Window::new(2 * m + 2 * r, 3 * m + r + length)
}

/// Step 6: those in which it carries them back through the circuits.
fn go_back(extent: Extent, r: i64) -> Window {
    let (m, length) = sizes(extent);
    Window::new(5 * m + length + 1 - r, 5 * m + 2 * length + 1 - r)
}

/// The bit time in which it is delivered whether there is a message.
fn announce(extent: Extent) -> i64 {
    let (m, length) = sizes(extent);
    5 * m + length
}

impl Pipelined for Overlapped {
    type Strobes<S: Strobe> = OverlappedStageStrobes<S>;
    type Stage<B: Bit> = OverlappedStage<B>;

    const UNITS: &'static [&'static str] = <Overlapped as Schedule>::UNITS;
    /// The latency is the sum of `6m+D+2` over `m = k-1 .. 1`, and the last stage's `D+1`. The storage is the sum of `12m+2D+1` over
    /// `m = k-1 .. 1`, of which two go into the lines that messages wait in for every message bit; a row of one stage has one
    /// register less. The last stage has 2, and so has every input.
    const FORMS: BatchForms = BatchForms {
        interval: "D+1 (k=1); 7(k-1)+2D",
        latency: "3k(k-1)+kD+2k-1",
        wires: "k(k+1)/2",
        storage_bits: "2 (k=1); (k-1)(6k+2D+3)+1",
        serial_adders: "(k-1)(k-2)",
    };

    fn lowest(size: Size) -> Vec<usize> {
        (0..size.dimensions).collect()
    }

    fn stage<B: Bit>(extent: Extent) -> OverlappedStage<B> {
        OverlappedStage::new(extent)
    }

    fn delivers_at(extent: Extent) -> usize {
        match extent.free_dimensions() {
            0 => 0,
            m => 5 * m + extent.message_bits(),
        }
    }

    fn claims(extent: Extent) -> Vec<Claim> {
        let mut claims = vec![crossing::claim(extent)];
        for (dimension, r) in extent.subcube().zip(1..) {
            let windows = [
                ("enumeration", enumerate_empties(r)),
                ("enumeration", enumerate_twos(extent, r)),
                ("packing", set_circuits(extent, r)),
                ("packing", pack_messages(extent, r)),
                ("circuits", go_back(extent, r)),
            ];
            claims.extend(windows.map(|(unit, window)| Claim {
                dimension,
                unit,
                window,
            }));
        }
        claims
    }

    fn steps(extent: Extent) -> Vec<(&'static str, i64)> {
        match sizes(extent) {
            (0, _) => vec![("cross", 0)],
            (m, length) => vec![
                ("cross", 0),
                ("empties", 1),
                ("twos", m + 1),
                ("circuits", m + 2),
                ("pack", 2 * m + 2),
                ("return", 4 * m + length + 1),
            ],
        }
    }

    fn drive<S: Strobe>(extent: Extent, at: &At<'_, S>, strobes: &mut OverlappedStageStrobes<S>) {
        stage::drive(extent, at, strobes);
    }

    fn consumed(_extent: Extent, t: i64) -> usize {
        usize::from(t >= 0)
    }
}
