//! The enumerator: a row of scan stages and the register that collects the rank
//! (Kuszmaul 1990, Theorem 2).
//!
//! ```text
//!   member--(inject)-->[stage i+1]-->[stage i+2]--> ... -->[stage k-1]--> rank register (taps)
//!                        ^   |         ^   |                 ^   |   \--> total register, if read
//!                        rx  tx        rx  tx                rx  tx
//! ```
//!
//! Stages stand in ascending order of dimension: ranks are then those of integer order. With `r` the
//! stage's number from 1 and `m` the number of stages in use:
//!
//! ```text
//!   bit time from the start        0 .. r-1        .. 2r-2          2r
//!   wire of stage r                     |<- total ->|
//!   adders of stage r                   |<- sums, carry out, a 0 ->|
//!   rank register                            m-1 .. 2m-2
//! ```
//!
//! Ranks count from 0.

use crate::bit::Bit;
use crate::lines::Lines;
use crate::parts::dimensions::ByDimension;
use crate::parts::scan_stage::{Counts, Place, ScanStage};
use crate::parts::shift_register::ShiftRegister;
use crate::registers;
use crate::strobes;
use crate::wires::Transmit;
use std::ops::Range;

strobes! {
    /// What the enumerator hears from the sequencer; lines are numbered by dimension.
    #[derive(Clone, Debug)]
    pub struct EnumeratorStrobes<S> {
        /// The first stage takes the member bit, in the first bit time.
        pub inject: Lines<S>,
        /// The stage's wire carries a total.
        pub drive: Lines<S>,
        /// The stage's adders run.
        pub add: Lines<S>,
        /// Rank bits arrive.
        pub rank_fill: S,
        /// Rank bits leave.
        pub rank_drain: S,
        /// One-hot: the position at which arriving rank bits enter.
        pub rank_tap: Lines<S>,
        /// Total bits arrive.
        pub total_fill: S,
    }
}

/// Scan stages for some dimensions, and their result.
#[derive(Clone, Debug)]
pub struct Enumerator<B: Bit> {
    stages: ByDimension<ScanStage<B>>,
    rank: ShiftRegister<B>,
    total: ShiftRegister<B>,
}
registers!(Enumerator {
    stages,
    rank,
    total
});

impl<B: Bit> Enumerator<B> {
    /// Stages for `dimensions`, a rank of as many bits, and a register for the total (one bit more)
    /// if somebody reads it.
    pub fn new(dimensions: Range<usize>, total_is_read: bool) -> Self {
        let stages = dimensions.len();
        Enumerator {
            stages: ByDimension::new(dimensions.clone(), |dimension| {
                ScanStage::new(Place {
                    first: dimension == dimensions.start,
                    last: dimension + 1 == dimensions.end,
                    total_is_read,
                })
            }),
            rank: ShiftRegister::new(stages),
            total: ShiftRegister::new(if total_is_read { stages + 1 } else { 0 }),
        }
    }

    /// The rank, next bit at position 0.
    pub fn rank(&self) -> &ShiftRegister<B> {
        &self.rank
    }

    /// The total, bit 0 at position 0; of no bits where nobody reads it.
    pub fn total(&self) -> &ShiftRegister<B> {
        &self.total
    }

    /// What stage `dimension` receives from below. An idle stage gives 0, so the injected member bit
    /// is merged by an OR.
    #[inline]
    fn input(
        &self,
        strobes: &EnumeratorStrobes<B::Strobe>,
        dimension: usize,
        member: B,
    ) -> Counts<B> {
        let below = match self.stages.below(dimension) {
            Some(stage) => stage.output(),
            None => Counts {
                total: B::ZERO,
                offset: B::ZERO,
            },
        };
        let total = below.total | B::gated(strobes.inject.line(dimension), || member);
        Counts {
            total: total.named(format_args!("scan_{dimension}_total_in")),
            offset: below.offset,
        }
    }

    /// Drives the totals onto the wires.
    #[inline]
    pub fn transmit(
        &self,
        strobes: &EnumeratorStrobes<B::Strobe>,
        member: B,
        wires: &mut Transmit<'_, B>,
    ) {
        for (dimension, strobe) in strobes.drive.iter() {
            wires.drive(dimension, "enumeration", strobe, || {
                self.input(strobes, dimension, member).total
            });
        }
    }

    /// One bit time of all stages and of the rank register.
    #[inline]
    pub fn clock(
        &mut self,
        strobes: &EnumeratorStrobes<B::Strobe>,
        member: B,
        address: &[B],
        received: &[B],
    ) {
        if let Some(last) = self.stages.range().next_back() {
            let sums = || {
                let input = self.input(strobes, last, member);
                B::within(format_args!("scan_{last}"), || {
                    self.stages[last].sums(input, address[last], received[last])
                })
            };
            let rank_bit = B::gated(strobes.rank_fill, || sums().offset).named("rank_bit");
            let total_bit = B::gated(strobes.total_fill, || sums().total).named("total_bit");
            B::when(
                (strobes.rank_fill | strobes.rank_drain).named("rank_shift"),
                &mut self.rank,
                |rank| {
                    rank.shift();
                    B::when(strobes.rank_fill, rank, |rank| {
                        rank.insert_at_tap(&strobes.rank_tap, |position| position, rank_bit);
                    });
                },
            );
            B::when(strobes.total_fill, &mut self.total, |total| {
                total.shift_in(total_bit);
            });
        }
        // From the last stage down: each reads what the one below it held before this clock edge.
        for (dimension, strobe) in strobes.add.iter().rev() {
            let input = self.input(strobes, dimension, member);
            B::within(format_args!("scan_{dimension}"), || {
                B::when(strobe, &mut self.stages[dimension], |stage| {
                    stage.clock(input, address[dimension], received[dimension]);
                });
            });
        }
    }
}
