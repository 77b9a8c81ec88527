//! When a stage of two dimensions does what: the windows of a group of schedule `radix4`, without the pauses in which the next group
//! has its wires, as every stage has wires of its own.
//!
//! ```text
//!   stage r of the rows          bit times from the batch's beginning at the stage
//!   adders enumerate             r+2 .. m+r+1             on the wire: as many bits as the count there has
//!   adders control the packing   m+2r+1 .. , 3 bits of counts, or to the last place, 2m+r+1
//!   pack bit j                   m+2r+4+2j and the next
//!
//!   waiting for bit 2+j: it comes into the input in 2+2j, goes on with the exchange in m+4+2j, and leaves in m+5+2j
//! ```

use crate::language::bit::Strobe;
use crate::routers::kuszmaul::batches::radix4::crossing::Crossing;
use crate::routers::kuszmaul::batches::radix4::groups::groups;
use crate::routers::kuszmaul::batches::radix4::strobes::PairStageStrobes;
use crate::routers::kuszmaul::batches::sequencer::At;
use crate::routers::kuszmaul::batches::stage::Extent;
use crate::routers::kuszmaul::batches::window::{Claim, Window};

/// The windows of a stage of two dimensions.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairWindows {
    extent: Extent,
    /// `m`: the dimensions that it leaves.
    pub free: usize,
    /// `L`: the message bits that it leaves.
    length: usize,
}

impl PairWindows {
    pub fn new(extent: Extent) -> Self {
        let groups = groups(extent.size);
        PairWindows {
            extent,
            free: groups.free_dimensions(extent.stage),
            length: groups.message_bits(extent.stage),
        }
    }

    fn m(self) -> i64 {
        self.free as i64
    }

    /// The dimensions over which it counts and packs.
    pub fn row(self) -> std::ops::Range<usize> {
        self.extent.lowest + 2..self.extent.size.dimensions
    }

    /// The number of the row's stage that has this dimension, from 1.
    fn stage(self, dimension: usize) -> i64 {
        (dimension - self.row().start) as i64 + 1
    }

    /// The exchange: bits of messages from `m+4` on, when the packing is about to begin.
    pub fn crossing(self) -> Crossing {
        Crossing::by_turns(self.m() + 4, self.length)
    }

    /// A bit of all messages enters the first list: the second half of each pair of bit times.
    pub fn enters(self) -> Window {
        Window::every_second(self.m() + 5, self.length)
    }

    /// Places in which messages wait between input and exchange; behind the outbox there are none, as the outbox waits.
    pub fn waiting(self) -> usize {
        match self.extent.stage {
            0 => 0,
            _ => self.free / 2 + 1,
        }
    }

    /// As [`Pipelined::takes`](crate::routers::kuszmaul::batches::stage::Pipelined::takes): the address bits, then the others.
    pub fn takes(self) -> [Window; 2] {
        let waits = 2 * self.waiting() as i64;
        [Window::new(0, 1), self.enters().later(-waits)]
    }

    /// Counts are added up on the wire of row stage `r`.
    fn enumerate(self, r: i64) -> Window {
        Window::new(r + 2, r + 1 + self.m().min(r + 2))
    }

    /// Its adders enumerate.
    fn enumerates(self, r: i64) -> Window {
        Window::new(r + 2, self.m() + r + 1)
    }

    /// Counts are exchanged.
    fn counts(self, r: i64) -> Window {
        let begins = self.m() + 2 * r + 1;
        Window::new(begins, begins + 2)
    }

    /// Its adders control the packing: as long as counts come out, or places are passed on.
    fn controls(self, r: i64) -> Window {
        let begins = self.counts(r).from;
        Window::new(begins, (begins + 3).max(2 * self.m() + r + 1))
    }

    /// Bits of the first lane of messages, or of the second, are on the wire.
    fn lane(self, r: i64, lane: i64) -> Window {
        Window::every_second(self.m() + 2 * r + 4 + lane, self.length)
    }

    /// Bits leave the list of row stage `r`; those of stage 0 enter the first.
    pub fn passes(self, r: usize) -> Window {
        self.lane(r as i64, 1)
    }

    /// As [`Pipelined::delivers_at`](crate::routers::kuszmaul::batches::stage::Pipelined::delivers_at).
    pub fn delivers_at(self) -> usize {
        3 * self.free + 2
    }

    /// As [`Pipelined::delivers`](crate::routers::kuszmaul::batches::stage::Pipelined::delivers).
    pub fn delivers(self) -> Window {
        self.passes(self.free)
    }

    /// Claims of the rows.
    pub fn claim_rows(self, claims: &mut Vec<Claim>) {
        for dimension in self.row() {
            let r = self.stage(dimension);
            let windows = [
                ("enumeration", self.enumerate(r)),
                ("counts", self.counts(r)),
                ("packing_lane_0", self.lane(r, 0)),
                ("packing_lane_1", self.lane(r, 1)),
            ];
            claims.extend(windows.map(|(unit, window)| Claim {
                dimension,
                unit,
                window,
            }));
        }
    }

    /// As [`Pipelined::steps`](crate::routers::kuszmaul::batches::stage::Pipelined::steps).
    pub fn steps(self) -> Vec<(&'static str, i64)> {
        let m = self.m();
        vec![
            ("cross", 0),
            ("enumerate", 3),
            ("counts", m + 3),
            ("pack", m + 4),
        ]
    }

    /// The strobes of this bit time, but for those of the exchange.
    pub fn drive<S: Strobe>(self, at: &At<'_, S>, strobes: &mut PairStageStrobes<S>) {
        let (row, first) = (self.row(), self.row().start);
        let of = |dimension| self.stage(dimension);
        if self.waiting() > 0 {
            let [_, taken] = self.takes();
            strobes.wait_shift = at.within_any([taken, self.enters()]).named("wait_shift");
        }
        strobes.arrives = at.is(self.delivers_at() as i64).named("arrives");
        let counting = &mut strobes.counting;
        at.line(&mut counting.inject, first, S::ONE);
        // A count enters the row twice: to be added up, and to be exchanged.
        counting.count_bit.drive(S::ONE, 0..3, |bit| {
            let enters = |window: Window| Window::at(window.from + bit as i64);
            at.within_any([self.enumerate(1), self.counts(1)].map(enters))
        });
        let lines = [
            (
                &mut counting.enumerate,
                Self::enumerate as fn(Self, i64) -> Window,
            ),
            (&mut counting.exchange, Self::counts),
            (&mut counting.packing, Self::controls),
        ];
        for (lines, window) in lines {
            lines.drive(S::ONE, row.clone(), |d| at.within(window(self, of(d))));
        }
        let packing = &counting.packing;
        counting.add.drive(S::ONE, row.clone(), |d| {
            at.within(self.enumerates(of(d))) | packing.line(d)
        });
        let begins = &mut counting.begin_enumerating;
        begins.drive(S::ONE, row.clone(), |d| at.is(self.enumerate(of(d)).from));
        let bits = [
            &mut counting.begin_packing,
            &mut counting.second_bit,
            &mut counting.third_bit,
        ];
        for (lines, bit) in bits.into_iter().zip(0..) {
            lines.drive(S::ONE, row.clone(), |d| {
                at.is(self.counts(of(d)).from + bit)
            });
        }
        let packing = &mut strobes.packing;
        let lanes = [&mut packing.first, &mut packing.second];
        for (lines, lane) in lanes.into_iter().zip(0..) {
            lines.drive(S::ONE, row.clone(), |d| at.within(self.lane(of(d), lane)));
        }
        at.line(&mut packing.load, first, at.within(self.enters()));
    }
}
