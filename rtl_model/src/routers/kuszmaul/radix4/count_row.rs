//! A row of count stages: numbers the messages of a subcube, and controls their packing (schedule
//! `radix4`).
//!
//! ```text
//!   count of messages here --(inject)-->[stage 1]==>[stage 2]==> .. ==>[stage m]--> message?
//!   place of the first of them -------------^                              |
//!        ^                                  (packing)                      | (enumerating)
//!        +-----------------------------------------------------------------+
//! ```
//!
//! The same adders run twice in each group. First they enumerate: what leaves the last stage, bit
//! by bit, is how many messages are before this node's, and that bit goes straight into the first
//! stage again, which by then begins to control the packing. Bits of stage `r`, from the beginning
//! of either:
//!
//! ```text
//!   enumeration  wire r-1 .. , as many as the count there has    adders r-1 .. r-2+m
//!   packing      wire 2r-2 .. 2r (counts of 3 bits)              adders 2r-2 .. to the last place
//! ```

use crate::language::bit::{Bit, Strobe};
use crate::language::lines::Lines;
use crate::language::wires::Transmit;
use crate::machine::topology::hypercube::MAX_DIMENSIONS;
use crate::parts::dimensions::{ByDimension, RowOrder};
use crate::registers;
use crate::routers::kuszmaul::radix4::count_stage::{
    CountAndPlace, CountStage, CountStrobes, Setting,
};
use crate::strobes;
use std::ops::Range;

strobes! {
    /// What a count row hears from the sequencer; lines are numbered by dimension, but for
    /// `count_bit`.
    #[derive(Clone, Debug)]
    pub struct CountRowStrobes<S> {
        /// The row begins at this stage.
        pub inject: Lines<S>,
        /// One-hot: the bit of the count here that enters the row.
        pub count_bit: Lines<S>,
        /// The stage's wire carries a count that is added up.
        pub enumerate: Lines<S>,
        /// The stage's wire carries a count that is exchanged.
        pub exchange: Lines<S>,
        /// The stage's adders run.
        pub add: Lines<S>,
        /// The stage's adders control a packing.
        pub packing: Lines<S>,
        /// The stage adds the first bit of an enumeration.
        pub begin_enumerating: Lines<S>,
        /// The stage adds the first bit of a packing's control.
        pub begin_packing: Lines<S>,
        /// It adds the second.
        pub second_bit: Lines<S>,
        /// It adds the third.
        pub third_bit: Lines<S>,
    }
}

impl<S: Strobe> CountRowStrobes<S> {
    #[inline(always)]
    fn of(&self, dimension: usize) -> CountStrobes<S> {
        CountStrobes {
            begins_enumerating: self.begin_enumerating.line(dimension),
            begins_packing: self.begin_packing.line(dimension),
            packing: self.packing.line(dimension),
            second_bit: self.second_bit.line(dimension),
            third_bit: self.third_bit.line(dimension),
        }
    }
}

/// Count stages for some dimensions.
#[derive(Clone, Debug)]
pub struct CountRow<B: Bit> {
    stages: ByDimension<CountStage<B>>,
}
registers!(CountRow { stages });

impl<B: Bit> CountRow<B> {
    /// Stages for `dimensions`, ascending; for lists of up to four messages, or of two.
    pub fn new(dimensions: Range<usize>, holds_four: bool) -> Self {
        let last = dimensions.end - 1;
        CountRow {
            stages: ByDimension::new(dimensions, RowOrder::Ascending, |dimension| {
                let is_last = dimension == last;
                CountStage::new(is_last, holds_four && !is_last)
            }),
        }
    }

    /// What the switch of `dimension` does.
    #[inline(always)]
    pub fn setting(&self, dimension: usize) -> Setting<B> {
        self.stages[dimension].setting()
    }

    /// How many messages a node holds before the stage of `dimension`, low bit first: for
    /// measurement.
    pub fn messages(&self, dimension: usize) -> [B; 3] {
        self.stages[dimension].messages()
    }

    fn last(&self) -> usize {
        self.stages.range().end - 1
    }

    #[inline(always)]
    fn count_in(&self, strobes: &CountRowStrobes<B::Strobe>, dimension: usize, count: [B; 3]) -> B {
        let before = || {
            let before = self.stages.before(dimension);
            before.map_or(B::ZERO, |stage| stage.output().count)
        };
        let here = || {
            strobes
                .count_bit
                .select(|bit| count[bit])
                .named("count_bit")
        };
        B::gated(Self::carries(strobes, dimension), || {
            B::choose(strobes.inject.line(dimension), here, before)
                .named(format_args!("count_{dimension}_here_or_before"))
        })
        .named(format_args!("count_{dimension}_in"))
    }

    #[inline(always)]
    fn input(
        &self,
        strobes: &CountRowStrobes<B::Strobe>,
        dimension: usize,
        count: [B; 3],
    ) -> CountAndPlace<B> {
        let before = || {
            let before = self.stages.before(dimension);
            before.map_or(B::ZERO, |stage| stage.output().place)
        };
        // The last stage's offset is the place, in the bit time after it was counted.
        let here = || {
            let place = self.stages[self.last()].output().place;
            B::gated(strobes.packing.line(dimension), || place)
        };
        let place = B::choose(strobes.inject.line(dimension), here, before);
        CountAndPlace {
            count: self.count_in(strobes, dimension, count),
            place: place.named(format_args!("place_{dimension}_in")),
        }
    }

    #[inline(always)]
    fn received(strobes: &CountRowStrobes<B::Strobe>, dimension: usize, received: &[B]) -> B {
        B::gated(Self::carries(strobes, dimension), || received[dimension])
            .named(format_args!("count_{dimension}_received"))
    }

    /// The wire carries a count.
    #[inline(always)]
    fn carries(strobes: &CountRowStrobes<B::Strobe>, dimension: usize) -> B::Strobe {
        let carries = strobes.enumerate.line(dimension) | strobes.exchange.line(dimension);
        carries.named(format_args!("count_{dimension}_carries"))
    }

    /// Drives the counts onto the wires. `count` is how many messages are here.
    #[inline]
    pub fn transmit(
        &self,
        strobes: &CountRowStrobes<B::Strobe>,
        count: [B; 3],
        wires: &mut Transmit<'_, B>,
    ) {
        for dimension in strobes.add.active() {
            let driver = match strobes.enumerate.line(dimension).is_known_zero() {
                true => "counts",
                false => "enumeration",
            };
            wires.drive(dimension, driver, Self::carries(strobes, dimension), || {
                self.count_in(strobes, dimension, count)
            });
        }
    }

    /// In the bit time of the second bit at the last stage: 1 where there will be a message.
    #[inline(always)]
    pub fn arrives(
        &self,
        strobes: &CountRowStrobes<B::Strobe>,
        count: [B; 3],
        address: &[B],
        received: &[B],
    ) -> B {
        let last = self.last();
        let input = self.input(strobes, last, count);
        let received = Self::received(strobes, last, received);
        B::within(format_args!("count_{last}"), || {
            self.stages[last].total(&strobes.of(last), input, address[last], received)
        })
    }

    /// One bit time of all stages.
    #[inline]
    pub fn clock(
        &mut self,
        strobes: &CountRowStrobes<B::Strobe>,
        count: [B; 3],
        address: &[B],
        received: &[B],
    ) {
        let active = strobes.add.active();
        if active.is_empty() {
            return;
        }
        // All stages read before any moves on: the place goes from the last to the first.
        let nothing = CountAndPlace {
            count: B::ZERO,
            place: B::ZERO,
        };
        let mut input = [nothing; MAX_DIMENSIONS];
        for dimension in active.clone() {
            if !strobes.add.line(dimension).is_known_zero() {
                input[dimension] = self.input(strobes, dimension, count);
            }
        }
        for dimension in active {
            let add = strobes.add.line(dimension);
            if add.is_known_zero() {
                continue;
            }
            let received = Self::received(strobes, dimension, received);
            B::within(format_args!("count_{dimension}"), || {
                B::when(add, &mut self.stages[dimension], |stage| {
                    stage.clock(
                        &strobes.of(dimension),
                        input[dimension],
                        address[dimension],
                        received,
                    );
                });
            });
            if strobes.packing.line(dimension).is_known_one() {
                self.witness(strobes, dimension);
            }
        }
    }

    /// For measurement: the switch behind will have so many messages. Of a first stage it is the
    /// count here.
    #[inline(always)]
    fn witness(&mut self, strobes: &CountRowStrobes<B::Strobe>, dimension: usize) {
        if strobes.begin_packing.line(dimension).is_known_one() || dimension == self.last() {
            return;
        }
        let count = self.stages[dimension].output().count;
        let begins = strobes.second_bit.line(dimension).is_known_one();
        self.stages[dimension + 1].witnesses(begins, count);
    }
}
