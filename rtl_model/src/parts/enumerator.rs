//! The enumerator: a row of scan stages and the register that collects the rank
//! (Kuszmaul 1990, Theorem 2).
//!
//! ```text
//!   member--(inject)-->[stage 1]-->[stage 2]--> ... -->[stage m]--(last)--> rank register (taps)
//!                        ^  |        ^  |                ^  |  \--> total register, if read
//!                        rx tx       rx tx               rx tx
//! ```
//!
//! Where stages stand in ascending order of dimension, ranks are those of integer order; in any
//! other order bit `r-1` of the rank is the one of stage `r`'s dimension, and so it is for the
//! packing that uses it. With `m` the number of stages in use:
//!
//! ```text
//!   bit time from the start        r-1        ..        2r-2   2r-1
//!   wire of stage r                |<- total ------------->|
//!   adders of stage r              |<- sums --------------> carry out
//!   rank register                      m-1 .. 2m-2 (of stage m)
//! ```
//!
//! Ranks count from 0. Outside its own bit times a stage takes zeros, whatever stands before it or
//! comes over its wire: so two enumerations, or another user of the wire, may follow at once.

use crate::language::bit::{Bit, Strobe};
use crate::language::lines::Lines;
use crate::language::wires::Transmit;
use crate::machine::topology::hypercube::MAX_DIMENSIONS;
use crate::parts::dimensions::{ByDimension, Neighbours, RowOrder};
use crate::parts::scan_stage::{Counts, ScanStage};
use crate::parts::shift_register::ShiftRegister;
use crate::parts::windows::{Now, Window};
use crate::registers;
use crate::strobes;
use std::ops::Range;

strobes! {
    /// What the enumerator hears from the sequencer; lines are numbered by dimension.
    #[derive(Clone, Debug)]
    pub struct EnumeratorStrobes<S> {
        /// The row begins at this stage: its input is the member bit.
        pub inject: Lines<S>,
        /// The stage's wire carries a total.
        pub drive: Lines<S>,
        /// The stage's adders run.
        pub add: Lines<S>,
        /// The row ends at this stage: its sums are the result.
        pub last: Lines<S>,
        /// The row runs from its far end.
        pub backward: S,
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

impl<S: Strobe> EnumeratorStrobes<S> {
    /// The lines of a row whose wires carry totals in these windows: a carry is added one bit time later, and what the last stage
    /// adds up are the rank's bits. They enter the last of so many flip-flops. `rank_drain` and `total_fill` stay as they are.
    pub fn decode<const N: usize>(
        &mut self,
        now: &impl Now<S>,
        counts: [Window; N],
        rank_bits: usize,
    ) {
        (self.inject).drive(S::ONE, now.row(), |dimension| now.begins_row(dimension));
        (self.last).drive(S::ONE, now.row(), |dimension| now.ends_row(dimension));
        now.drive(&mut self.drive, &counts);
        now.drive(&mut self.add, &counts.map(|window| window.longer(1)));
        self.backward = now.is_backward();
        self.rank_fill = now.within_any(&counts.map(Window::of_last_stage));
        (self.rank_tap).drive(S::ONE, rank_bits - 1..rank_bits, |_| S::ONE);
    }

    /// Whether the adders of `dimension` may run.
    #[inline]
    fn is_busy(&self, dimension: usize) -> bool {
        !self.add.line(dimension).is_known_zero()
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

/// Who reads what an enumeration finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Results {
    /// Flip-flops that the rank passes through until it is read.
    pub rank_bits: usize,
    /// Flip-flops that the total passes through until it is read; none where nobody reads it.
    pub total_bits: usize,
}

impl<B: Bit> Enumerator<B> {
    /// Stages for `dimensions` in the given order.
    pub fn new(dimensions: Range<usize>, order: RowOrder, results: Results) -> Self {
        let Results {
            rank_bits,
            total_bits,
        } = results;
        Enumerator {
            stages: ByDimension::new(dimensions.clone(), order, |dimension| {
                let neighbours = Neighbours::of(dimension, order, dimensions.clone());
                ScanStage::new(neighbours, total_bits > 0)
            }),
            rank: ShiftRegister::new(rank_bits),
            total: ShiftRegister::new(total_bits),
        }
    }

    /// The rank, next bit at position 0.
    pub fn rank(&self) -> &ShiftRegister<B> {
        &self.rank
    }

    /// The total, next bit at position 0; of no bits where nobody reads it.
    pub fn total(&self) -> &ShiftRegister<B> {
        &self.total
    }

    /// What stage `dimension` takes in: the member bit where the row begins, the sums of the stage
    /// before it elsewhere; zeros outside its bit times.
    #[inline(always)]
    fn input(
        &self,
        strobes: &EnumeratorStrobes<B::Strobe>,
        dimension: usize,
        member: B,
    ) -> Counts<B> {
        let begins = strobes.inject.line(dimension);
        let drive = strobes.drive.line(dimension);
        let fed = self.fed(strobes.backward, dimension);
        let takes = (drive & !begins).named(format_args!("scan_{dimension}_takes_fed"));
        let offset = B::gated(takes, || fed.offset);
        Counts {
            total: self.total_in(strobes, dimension, member),
            offset: offset.named(format_args!("scan_{dimension}_offset_in")),
        }
    }

    /// The total of it.
    #[inline(always)]
    fn total_in(&self, strobes: &EnumeratorStrobes<B::Strobe>, dimension: usize, member: B) -> B {
        let begins = strobes.inject.line(dimension);
        let drive = strobes.drive.line(dimension);
        let fed = self.fed(strobes.backward, dimension);
        let member = B::gated(drive & begins, || member);
        let takes = (drive & !begins).named(format_args!("scan_{dimension}_takes_fed"));
        let fed = B::gated(takes, || fed.total);
        (member.named(format_args!("scan_{dimension}_member_in"))
            | fed.named(format_args!("scan_{dimension}_fed_in")))
        .named(format_args!("scan_{dimension}_total_in"))
    }

    /// The sums of the stage before that of `dimension`, whichever side that is on; nothing, where
    /// there is none.
    #[inline(always)]
    fn fed(&self, backward: B::Strobe, dimension: usize) -> Counts<B> {
        let output = |stage: Option<&ScanStage<B>>| match stage {
            Some(stage) => stage.output(),
            None => Counts {
                total: B::ZERO,
                offset: B::ZERO,
            },
        };
        if backward.is_known_zero() {
            return output(self.stages.before(dimension));
        }
        let (before, behind) = (
            output(self.stages.before(dimension)),
            output(self.stages.behind(dimension)),
        );
        let from_row = |behind: B, before: B, what: &str| {
            let fed = B::choose(backward, || behind, || before);
            fed.named(format_args!("scan_{dimension}_{what}_from_row"))
        };
        Counts {
            total: from_row(behind.total, before.total, "total"),
            offset: from_row(behind.offset, before.offset, "offset"),
        }
    }

    /// The neighbour's total, as far as it is one.
    #[inline]
    fn received(strobes: &EnumeratorStrobes<B::Strobe>, dimension: usize, received: &[B]) -> B {
        let total = B::gated(strobes.drive.line(dimension), || received[dimension]);
        total.named(format_args!("scan_{dimension}_received"))
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
                self.total_in(strobes, dimension, member)
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
        let sums = |last: usize| {
            let input = self.input(strobes, last, member);
            let received = Self::received(strobes, last, received);
            B::within(format_args!("scan_{last}"), || {
                self.stages[last].sums(input, address[last], received)
            })
        };
        let rank_bit = B::gated(strobes.rank_fill, || {
            let offset = strobes.last.select(|last| sums(last).offset);
            offset.named("offset_of_last")
        });
        let total_bit = B::gated(strobes.total_fill, || {
            let total = strobes.last.select(|last| sums(last).total);
            total.named("total_of_last")
        });
        let (rank_bit, total_bit) = (rank_bit.named("rank_bit"), total_bit.named("total_bit"));
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
        // Against the flow, each stage reads what the one before it held before this clock edge;
        // where the direction is not known, all read first.
        let backward = strobes.backward.is_known_one();
        let order = self.stages.against_flow(strobes.add.active(), backward);
        if backward || strobes.backward.is_known_zero() {
            for dimension in order {
                if strobes.is_busy(dimension) {
                    let input = self.input(strobes, dimension, member);
                    self.add(strobes, dimension, input, address, received);
                }
            }
        } else {
            let nothing = Counts {
                total: B::ZERO,
                offset: B::ZERO,
            };
            let mut inputs = [nothing; MAX_DIMENSIONS];
            for dimension in strobes.add.active() {
                inputs[dimension] = self.input(strobes, dimension, member);
            }
            for dimension in order {
                self.add(strobes, dimension, inputs[dimension], address, received);
            }
        }
    }

    /// One bit time of a stage that takes in `input`.
    #[inline(always)]
    fn add(
        &mut self,
        strobes: &EnumeratorStrobes<B::Strobe>,
        dimension: usize,
        input: Counts<B>,
        address: &[B],
        received: &[B],
    ) {
        let add = strobes.add.line(dimension);
        let received = Self::received(strobes, dimension, received);
        B::within(format_args!("scan_{dimension}"), || {
            B::when(add, &mut self.stages[dimension], |stage| {
                stage.clock(input, address[dimension], received);
            });
        });
    }
}
