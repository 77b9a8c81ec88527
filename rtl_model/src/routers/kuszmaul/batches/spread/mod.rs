//! The iterations of schedule [`spread`](crate::routers::kuszmaul::spread) side by side, each on a batch of its own.
//!
//! With `m` dimensions left, `L = m+D` message bits left, and `r` the number of a row's stage:
//!
//! ```text
//!   step                         wire of dimension          bit times from the batch's beginning at the stage
//!   cross                        the lowest                 0 .. L
//!   enumerate messages           r above it                 r .. r-1+min(r+1, m)
//!   pack all messages            r above it                 m+2r-1 .. 2m+r-1+L
//!   delivered                                               valid bit in 3m-1, body from 3m on
//! ```
//!
//! The lowest dimension but one is busy from bit time 1 to `2m+L = 3m+D`, with a pause of `m-1` between enumeration and packing that is
//! too short for the next batch. So batches follow one another at an interval of `3(k-1)+D` bit times, that of stage 0, where `m` is
//! largest. A message goes on to the next stage as it comes: it reaches it after `3m+1` bit times, and its end is not waited for.

mod spreading;
mod stage;

use crate::language::bit::{Bit, Strobe};
use crate::routers::kuszmaul::batches::crossing;
use crate::routers::kuszmaul::batches::sequencer::At;
use crate::routers::kuszmaul::batches::stage::{BatchForms, Extent, Pipelined};
use crate::routers::kuszmaul::batches::window::{Claim, Window};
use crate::routers::kuszmaul::spread::Spread;
use crate::routers::permutation::{Schedule, Size};

pub use stage::{SpreadStage, SpreadStageStrobes};

/// Bit times in which the wire of the `r`-th dimension above the lowest carries counts: as many bits as there can be messages below, but
/// no more than a rank has.
fn enumerate(extent: Extent, r: usize) -> Window {
    let bits = (r + 1).min(extent.free_dimensions());
    Window::new(r as i64, (r + bits) as i64 - 1)
}

/// Those in which it carries the messages that are packed.
fn pack(extent: Extent, r: usize) -> Window {
    let (m, r, length) = (extent.free_dimensions(), r, extent.message_bits());
    Window::new((m + 2 * r - 1) as i64, (2 * m + r - 1 + length) as i64)
}

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
        (3 * extent.free_dimensions()).saturating_sub(1)
    }

    fn claims(extent: Extent) -> Vec<Claim> {
        let claim = |dimension, unit, window| Claim {
            dimension,
            unit,
            window,
        };
        let mut claims = vec![crossing::claim(extent)];
        for (dimension, r) in extent.subcube().zip(1..) {
            claims.push(claim(dimension, "enumeration", enumerate(extent, r)));
            claims.push(claim(dimension, "packing", pack(extent, r)));
        }
        claims
    }

    fn steps(extent: Extent) -> Vec<(&'static str, i64)> {
        match extent.free_dimensions() as i64 {
            0 => vec![("cross", 0)],
            m => vec![("cross", 0), ("enumerate", 1), ("pack", m + 1)],
        }
    }

    fn drive<S: Strobe>(extent: Extent, at: &At<'_, S>, strobes: &mut SpreadStageStrobes<S>) {
        stage::drive(extent, at, strobes);
    }

    fn consumed(_extent: Extent, t: i64) -> usize {
        usize::from(t >= 0)
    }
}
