//! The iterations of schedule [`spread`](crate::routers::kuszmaul::spread) side by side, each on a batch of its own.
//!
//! Its table is [that schedule's](crate::routers::kuszmaul::spread::sequencer), from the batch's beginning at the stage.
//!
//! The lowest dimension but one is busy from bit time 1 to `2m+L = 3m+D`, with a pause of `m-1` between enumeration and packing that is
//! too short for the next batch. So batches follow one another at an interval of `3(k-1)+D` bit times, that of stage 0, where `m` is
//! largest. A message goes on to the next stage as it comes: it reaches it after `3m+1` bit times, and its end is not waited for.

mod spreading;
mod stage;

use crate::language::bit::{Bit, Strobe};
use crate::parts::windows::Claim;
use crate::routers::kuszmaul::batches::at::At;
use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::kuszmaul::batches::stage::{BatchForms, Pipelined};
use crate::routers::kuszmaul::spread::Spread;
use crate::routers::kuszmaul::spread::sequencer::{ITERATION, PACKS};
use crate::routers::permutation::{Schedule, Size};

pub use stage::{SpreadStage, SpreadStageStrobes};

impl Pipelined for Spread {
    type Strobes<S: Strobe> = SpreadStageStrobes<S>;
    type Stage<B: Bit> = SpreadStage<B>;

    const UNITS: &'static [&'static str] = <Spread as Schedule>::UNITS;
    const FORMS: BatchForms = BatchForms {
        interval: "D+1 (k=1); 3(k-1)+D",
        latency: "3k(k-1)/2+k+D",
        wires: "k(k+1)/2",
        storage_bits: "2 (k=1); 7k(k-1)-k+3+d(2k-1-d), d=min(D,k-1)",
        serial_adders: "(k-1)(k-2)",
    };

    fn lowest(size: Size) -> Vec<usize> {
        (0..size.dimensions).collect()
    }

    fn stage<B: Bit>(extent: Extent) -> SpreadStage<B> {
        SpreadStage::new(extent)
    }

    fn delivers_at(extent: Extent) -> usize {
        let valid = extent.stretch(PACKS, extent.free_dimensions());
        usize::try_from(valid.from).unwrap_or(0)
    }

    fn claims(extent: Extent) -> Vec<Claim> {
        extent.claims(&ITERATION)
    }

    fn steps(extent: Extent) -> Vec<(&'static str, i64)> {
        extent.steps(&ITERATION)
    }

    fn drive<S: Strobe>(at: &At<'_, S>, strobes: &mut SpreadStageStrobes<S>) {
        stage::drive(at, strobes);
    }

    fn consumed(_extent: Extent, t: i64) -> usize {
        usize::from(t >= 0)
    }
}
