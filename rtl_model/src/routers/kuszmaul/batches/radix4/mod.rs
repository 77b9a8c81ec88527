//! The groups of schedule [`radix4`](crate::routers::kuszmaul::radix4) side by side, each on a batch of its own: stages of two
//! dimensions, and one for the greedy end. Dimension `d` has `d/2 + 1` wires each way, and those of the greedy end have as many as the
//! first of them. Within a group everything happens when it does in that schedule.
//!
//! With `m` dimensions left and `L = m+D` message bits left, dimensions `a` and `b` of the stage, and `r` the number of a row's stage:
//!
//! ```text
//!   step                         wire of dimension     bit times from the batch's beginning at the stage
//!   who crosses                  a: 0, 1     b: 1, 2
//!   enumerate                    r above b             r+2 .. r+1+min(r+2, m)
//!   exchange counts              r above b             m+2r+1 .. m+2r+3
//!   exchange messages            a                     m+4, m+6 .. m+2+2L
//!                                b                     m+4 .. m+3+2L
//!   pack messages, two lanes     r above b             m+2r+4 .. m+2r+3+2L
//!   delivered                                          valid bit in 3m+2, body from 3m+5 on, every second bit time
//!   the next stage                                     3m+7
//! ```
//!
//! A bit is delivered in every second bit time. The next stage begins when it can have the second address bit one bit time after the
//! first. The others come while it enumerates, and wait: `m/2+1` of them have room, with its own `m`. The greedy end takes bits as they
//! come.
//!
//! The highest dimension is busy from bit time `m+2` to `3m+3+2L = 5m+2D+3`, with a pause of `m-1` between enumeration and counts that is
//! too short for the next batch. So batches follow one another at an interval of `4m+2D+2` bit times, that of stage 0, where `m = k-2` is
//! largest. It comes out even, but the sequencer does not rely on it. Where the greedy end is the only stage, the wire that is busy
//! longest tells: that of its second dimension, of the first in a cube of one or two.
//!
//! There is no group of one dimension, with which schedule `radix4` gains some bit times of an odd cube: behind a group of two bits come
//! in every second bit time, and it would wait for them. Instead an odd cube has a greedy end of three dimensions. Nor do packings pause
//! for the next group's enumeration, which is on other wires.

mod crossing;
mod end_stage;
mod end_windows;
mod groups;
mod pair_stage;
mod pair_windows;
mod stage;
mod strobes;

use crate::language::bit::{Bit, Strobe};
use crate::parts::windows::{Claim, Stretch};
use crate::routers::kuszmaul::batches::at::At;
use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::kuszmaul::batches::radix4::crossing::Crossing;
use crate::routers::kuszmaul::batches::radix4::end_windows::EndWindows;
use crate::routers::kuszmaul::batches::radix4::groups::groups;
use crate::routers::kuszmaul::batches::radix4::pair_windows::PairWindows;
use crate::routers::kuszmaul::batches::stage::{BatchForms, Pipelined};
use crate::routers::kuszmaul::radix4::Radix4;
use crate::routers::permutation::{Schedule, Size};

pub use stage::Radix4Stage;
pub use strobes::Radix4StageStrobes;

/// What a stage does when.
enum Windows {
    /// One of two dimensions.
    Pair(PairWindows),
    /// The greedy end.
    End(EndWindows),
}

impl Windows {
    fn new(extent: Extent) -> Self {
        let groups = groups(extent.size);
        match extent.stage < groups.fours {
            true => Windows::Pair(PairWindows::new(extent)),
            false => Windows::End(EndWindows::new(extent, groups.greedy)),
        }
    }

    fn crossing(&self) -> Crossing {
        match self {
            Windows::Pair(pair) => pair.crossing(),
            Windows::End(end) => end.crossing(),
        }
    }
}

impl Pipelined for Radix4 {
    type Strobes<S: Strobe> = Radix4StageStrobes<S>;
    type Stage<B: Bit> = Radix4Stage<B>;

    const UNITS: &'static [&'static str] = <Radix4 as Schedule>::UNITS;
    const FORMS: BatchForms = BatchForms {
        interval: "D+1 (k=1); D+2 (k=2); 2D+2k-2 (3<=k<=4); 4(k-2)+2D+2",
        latency: "D+1 (k=1); D+3 (k=2); 3k^2/4+2k-10+2D (even k); (3k^2+8k-27)/4+2D (odd k)",
        wires: "k (k<=4); k(k+2)/4-2 (even k); (k^2+2k-3)/4 (odd k)",
        storage_bits: "2 (k=1); 9 (k=2); 19 (k=3); 39 (k=4); (27k^2-10k-96)/8 (even k); (27k^2-12k-63)/8 (odd k)",
        serial_adders: "0 (k<=4); (k-4)(k+2)/2 (even k); (k-3)(k+1)/2 (odd k)",
    };

    fn lowest(size: Size) -> Vec<usize> {
        let groups = groups(size);
        (0..groups.count())
            .map(|group| groups.first_dimension(group))
            .collect()
    }

    fn stage<B: Bit>(extent: Extent) -> Radix4Stage<B> {
        Radix4Stage::new(extent)
    }

    fn delivers_at(extent: Extent) -> usize {
        match Windows::new(extent) {
            Windows::Pair(pair) => pair.delivers_at(),
            Windows::End(end) => end.delivers_at(),
        }
    }

    fn delivers(extent: Extent) -> Stretch {
        match Windows::new(extent) {
            Windows::Pair(pair) => pair.delivers(),
            Windows::End(end) => end.delivers(),
        }
    }

    fn hands_on_at(extent: Extent) -> usize {
        // The next stage takes its first bit in the bit time in which the second is delivered.
        Self::delivers(extent).from as usize + 2
    }

    fn takes(extent: Extent) -> [Stretch; 2] {
        match Windows::new(extent) {
            Windows::Pair(pair) => pair.takes(),
            Windows::End(end) => end.takes(),
        }
    }

    fn claims(extent: Extent) -> Vec<Claim> {
        let windows = Windows::new(extent);
        let mut claims = windows.crossing().claims(extent.lowest);
        match windows {
            Windows::Pair(pair) => pair.claim_rows(&mut claims),
            Windows::End(end) => end.claim_switches(&mut claims),
        }
        claims
    }

    fn steps(extent: Extent) -> Vec<(&'static str, i64)> {
        match Windows::new(extent) {
            Windows::Pair(pair) => pair.steps(),
            Windows::End(end) => end.steps(),
        }
    }

    fn drive<S: Strobe>(at: &At<'_, S>, strobes: &mut Radix4StageStrobes<S>) {
        let windows = Windows::new(at.extent);
        windows.crossing().drive(at, &mut strobes.exchange);
        match windows {
            Windows::Pair(pair) => pair.drive(at, &mut strobes.pair),
            Windows::End(end) => end.drive(at, &mut strobes.end),
        }
    }

    fn consumed(extent: Extent, t: i64) -> usize {
        let decisions = match Windows::new(extent) {
            Windows::Pair(_) => &[0, 1],
            Windows::End(end) => end.decisions(),
        };
        decisions.iter().filter(|at| **at <= t).count()
    }
}

#[cfg(test)]
mod tests;
