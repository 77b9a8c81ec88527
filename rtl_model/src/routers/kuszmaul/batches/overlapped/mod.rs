//! The iterations of schedule [`overlapped`](crate::routers::kuszmaul::overlapped) side by side, each on a batch of its own.
//!
//! Its table is [that schedule's](crate::routers::kuszmaul::held::sequencer), from the batch's beginning at the stage.
//!
//! The lowest dimension but one is busy from
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
use crate::parts::windows::Claim;
use crate::routers::kuszmaul::batches::at::At;
use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::kuszmaul::batches::stage::{BatchForms, Pipelined};
use crate::routers::kuszmaul::held::sequencer::{ASCENDING, RETURNS};
use crate::routers::kuszmaul::overlapped::Overlapped;
use crate::routers::permutation::{Schedule, Size};

pub use stage::{OverlappedStage, OverlappedStageStrobes};

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
            _ => extent.stretch(RETURNS, 1).from as usize,
        }
    }

    fn claims(extent: Extent) -> Vec<Claim> {
        extent.claims(&ASCENDING)
    }

    fn steps(extent: Extent) -> Vec<(&'static str, i64)> {
        extent.steps(&ASCENDING)
    }

    fn drive<S: Strobe>(at: &At<'_, S>, strobes: &mut OverlappedStageStrobes<S>) {
        stage::drive(at, strobes);
    }

    fn consumed(_extent: Extent, t: i64) -> usize {
        usize::from(t >= 0)
    }
}
