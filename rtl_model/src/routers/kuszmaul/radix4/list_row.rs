//! A row of list switches: packs all messages of a subcube without headers (schedule `radix4`).
//!
//! ```text
//!   messages here --(load)-->[stage 1]==>[stage 2]==> .. ==>[stage m]--> the node's new message
//!                             set by the count stages of the same dimensions
//! ```
//!
//! Bit `j` of up to four messages is at stage `r` in two bit times, `2r+2j` and the next, counted
//! from the first in which messages leave the buffers; the first lane of messages goes over the
//! wire in one, the second in the other. Where nodes hold two messages at most (`only`), it is one
//! bit time, `2r-1+j`. When the next group's enumeration needs the wires, the row pauses, stage
//! after stage.

use crate::language::bit::Bit;
use crate::language::lines::Lines;
use crate::language::wires::Transmit;
use crate::parts::dimensions::{ByDimension, RowOrder};
use crate::registers;
use crate::routers::kuszmaul::radix4::count_row::CountRow;
use crate::routers::kuszmaul::radix4::list_switch::ListSwitch;
use crate::strobes;
use std::ops::Range;

strobes! {
    /// What a list row hears from the sequencer; lines are numbered by dimension.
    #[derive(Clone, Debug)]
    pub struct ListRowStrobes<S> {
        /// The stage sends and receives the first lane.
        pub first: Lines<S>,
        /// The stage sends and receives the second.
        pub second: Lines<S>,
        /// The stage sends and receives the only lane.
        pub only: Lines<S>,
        /// Messages that wait before the stage are next.
        pub advance: Lines<S>,
        /// One-hot: messages that are here enter the list of this stage.
        pub load: Lines<S>,
    }
}

/// List switches for some dimensions.
#[derive(Clone, Debug)]
pub struct ListRow<B: Bit> {
    stages: ByDimension<ListSwitch<B>>,
}
registers!(ListRow { stages });

impl<B: Bit> ListRow<B> {
    /// Switches for `dimensions`, ascending: `switch` makes each.
    pub fn new(dimensions: Range<usize>, switch: impl FnMut(usize) -> ListSwitch<B>) -> Self {
        ListRow {
            stages: ByDimension::new(dimensions, RowOrder::Ascending, switch),
        }
    }

    /// The switch of `dimension`.
    #[inline(always)]
    pub fn stage(&self, dimension: usize) -> &ListSwitch<B> {
        &self.stages[dimension]
    }

    /// Drives messages that cross onto the wires.
    #[inline]
    pub fn transmit(
        &self,
        strobes: &ListRowStrobes<B::Strobe>,
        counting: &CountRow<B>,
        wires: &mut Transmit<'_, B>,
    ) {
        for dimension in self.stages.range() {
            let (first, only) = (strobes.first.line(dimension), strobes.only.line(dimension));
            let driver = match only.is_known_zero() {
                true => "packing_lane_0",
                false => "packing",
            };
            let sends = (first | only).named(format_args!("switch_{dimension}_sends_first"));
            wires.drive(dimension, driver, sends, || {
                B::within(format_args!("switch_{dimension}"), || {
                    self.stages[dimension].first_sent(counting.setting(dimension))
                })
            });
        }
        for (dimension, strobe) in strobes.second.iter() {
            wires.drive(dimension, "packing_lane_1", strobe, || {
                B::within(format_args!("switch_{dimension}"), || {
                    self.stages[dimension].second_sent(counting.setting(dimension))
                })
            });
        }
    }

    /// What leaves the stage of `dimension`, while it merges.
    #[inline(always)]
    fn merged(
        &self,
        strobes: &ListRowStrobes<B::Strobe>,
        counting: &CountRow<B>,
        dimension: usize,
        address: &[B],
        received: &[B],
    ) -> [B; 4] {
        let (only, over_wire) = (strobes.only.line(dimension), received[dimension]);
        B::within(format_args!("switch_{dimension}"), || {
            let setting = counting.setting(dimension);
            self.stages[dimension].merged(only, setting, address[dimension], over_wire)
        })
    }

    /// While the stage of `dimension` merges.
    #[inline(always)]
    fn merges(strobes: &ListRowStrobes<B::Strobe>, dimension: usize) -> B::Strobe {
        let merges = strobes.second.line(dimension) | strobes.only.line(dimension);
        merges.named(format_args!("merge_{dimension}"))
    }

    /// The bit that leaves the last stage.
    #[inline(always)]
    pub fn delivered(
        &self,
        strobes: &ListRowStrobes<B::Strobe>,
        counting: &CountRow<B>,
        address: &[B],
        received: &[B],
    ) -> B {
        let last = self.stages.range().end - 1;
        B::gated(Self::merges(strobes, last), || {
            self.merged(strobes, counting, last, address, received)[0]
        })
    }

    /// One bit time of all switches.
    #[inline]
    pub fn clock(
        &mut self,
        strobes: &ListRowStrobes<B::Strobe>,
        counting: &CountRow<B>,
        address: &[B],
        received: &[B],
    ) {
        let busy = |dimension: &usize| {
            let lines = [
                &strobes.first,
                &strobes.second,
                &strobes.only,
                &strobes.advance,
            ];
            let mut idle = lines
                .iter()
                .map(|lines| lines.line(*dimension).is_known_zero());
            !idle.all(|idle| idle)
        };
        let last = self.stages.range().end - 1;
        // From the last stage down: a list is read before the stage before it writes it.
        for dimension in self.stages.range().rev().filter(busy) {
            let merges = Self::merges(strobes, dimension);
            if dimension < last && !merges.is_known_zero() {
                let list = self.merged(strobes, counting, dimension, address, received);
                let (only, second) = (strobes.only.line(dimension), strobes.second.line(dimension));
                let next = &mut self.stages[dimension + 1];
                B::when(second, next, |stage| stage.load(list));
                B::when(only, next, |stage| stage.load_waiting(list));
            }
            let advances = strobes.advance.line(dimension);
            B::when(advances, &mut self.stages[dimension], |stage| {
                stage.advance();
            });
            let receives = strobes.first.line(dimension);
            B::when(receives, &mut self.stages[dimension], |stage| {
                stage.receive(received[dimension]);
            });
        }
    }

    /// Messages enter the row.
    #[inline]
    pub fn load(&mut self, strobes: &ListRowStrobes<B::Strobe>, list: [B; 4]) {
        for (dimension, strobe) in strobes.load.iter() {
            B::when(strobe, &mut self.stages[dimension], |stage| {
                stage.load(list);
            });
        }
    }

    /// The list of `dimension` is given from outside, as is what it received in the first bit time.
    #[inline(always)]
    pub fn stage_mut(&mut self, dimension: usize) -> &mut ListSwitch<B> {
        &mut self.stages[dimension]
    }
}
