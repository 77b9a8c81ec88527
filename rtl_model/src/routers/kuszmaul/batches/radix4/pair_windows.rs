//! When a stage of two dimensions does what: the windows of a group of [schedule `radix4`](crate::routers::kuszmaul::radix4::windows),
//! without the pauses in which the next group has its wires, as every stage has wires of its own.
//!
//! A message waits for bit 2+j: that comes into the input in 2+2j, goes on with the exchange in m+4+2j, and leaves in m+5+2j.

use crate::language::bit::Strobe;
use crate::language::lines::Lines;
use crate::parts::windows::{Claim, Stretch, Window};
use crate::routers::kuszmaul::batches::at::At;
use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::kuszmaul::batches::radix4::crossing::Crossing;
use crate::routers::kuszmaul::batches::radix4::groups::groups;
use crate::routers::kuszmaul::batches::radix4::strobes::PairStageStrobes;
use crate::routers::kuszmaul::radix4::windows::{
    CONTROLS, COUNTS, DELIVERS, ENUMERATES, EXCHANGES, LANES, TURNS,
};

/// The windows of a stage of two dimensions.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairWindows {
    extent: Extent,
    /// `m`: the dimensions that it leaves.
    pub free: usize,
}

impl PairWindows {
    pub fn new(extent: Extent) -> Self {
        let groups = groups(extent.size);
        PairWindows {
            extent,
            free: groups.free_dimensions(extent.stage),
        }
    }

    /// The dimensions over which it counts and packs.
    pub fn row(self) -> std::ops::Range<usize> {
        self.extent.lowest + 2..self.extent.size.dimensions
    }

    /// The number of the row's stage that has this dimension, from 1.
    fn stage(self, dimension: usize) -> usize {
        dimension - self.row().start + 1
    }

    /// The exchange: bits of messages from `m+4` on, when the packing is about to begin.
    pub fn crossing(self) -> Crossing {
        Crossing::by_turns(TURNS.map(|half| self.stretch(half, 0)))
    }

    /// A bit of all messages enters the first list: the second half of each pair of bit times.
    pub fn enters(self) -> Stretch {
        self.stretch(TURNS[1], 0)
    }

    /// Places in which messages wait between input and exchange; behind the outbox there are none, as the outbox waits.
    pub fn waiting(self) -> usize {
        match self.extent.stage {
            0 => 0,
            _ => self.free / 2 + 1,
        }
    }

    /// As [`Pipelined::takes`](crate::routers::kuszmaul::batches::stage::Pipelined::takes): the address bits, then the others.
    pub fn takes(self) -> [Stretch; 2] {
        let waits = 2 * self.waiting() as i64;
        [Stretch::new(0, 1), self.enters().later(-waits)]
    }

    /// The bit times of a window at row stage `r`.
    fn stretch(self, window: Window, r: usize) -> Stretch {
        window.stretch(self.free, self.extent.size.payload_bits, r)
    }

    /// Bits leave the list of row stage `r`; those of stage 0 enter the first.
    pub fn passes(self, r: usize) -> Stretch {
        self.stretch(LANES[1], r)
    }

    /// As [`Pipelined::delivers_at`](crate::routers::kuszmaul::batches::stage::Pipelined::delivers_at).
    pub fn delivers_at(self) -> usize {
        DELIVERS.value(self.free, self.extent.size.payload_bits, 0) as usize
    }

    /// As [`Pipelined::delivers`](crate::routers::kuszmaul::batches::stage::Pipelined::delivers).
    pub fn delivers(self) -> Stretch {
        self.passes(self.free)
    }

    /// Claims of the rows.
    pub fn claim_rows(self, claims: &mut Vec<Claim>) {
        for dimension in self.row() {
            let r = self.stage(dimension);
            let windows = [
                ("enumeration", self.stretch(COUNTS, r)),
                ("counts", self.stretch(EXCHANGES, r)),
                ("packing_lane_0", self.stretch(LANES[0], r)),
                ("packing_lane_1", self.stretch(LANES[1], r)),
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
        let m = self.free as i64;
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
        let drive = |lines: &mut Lines<S>, windows: &[Window]| {
            let of_any = windows.iter().map(|window| window.of_any_stage());
            let enable = at.during_any(of_any.map(|window| self.stretch(window, 0)));
            lines.drive_within(enable, row.clone(), |dimension| {
                let r = self.stage(dimension);
                at.during_any(windows.iter().map(|window| self.stretch(*window, r)))
            });
        };
        if self.waiting() > 0 {
            let [_, taken] = self.takes();
            strobes.wait_shift = at.during_any([taken, self.enters()]).named("wait_shift");
        }
        strobes.arrives = at.is(self.delivers_at() as i64).named("arrives");
        let counting = &mut strobes.counting;
        at.line(&mut counting.inject, first, S::ONE);
        // A count enters the row twice: to be added up, and to be exchanged.
        counting.count_bit.drive(S::ONE, 0..3, |bit| {
            let enters = |window: Window| self.stretch(window.begins(bit as i32), 1);
            at.during_any([COUNTS, EXCHANGES].map(enters))
        });
        drive(&mut counting.enumerate, &[COUNTS]);
        drive(&mut counting.exchange, &[EXCHANGES]);
        drive(&mut counting.packing, &CONTROLS);
        let [counts, places] = CONTROLS;
        drive(&mut counting.add, &[ENUMERATES, counts, places]);
        drive(&mut counting.begin_enumerating, &[COUNTS.begins(0)]);
        drive(&mut counting.begin_packing, &[EXCHANGES.begins(0)]);
        drive(&mut counting.second_bit, &[EXCHANGES.begins(1)]);
        drive(&mut counting.third_bit, &[EXCHANGES.begins(2)]);
        let packing = &mut strobes.packing;
        drive(&mut packing.first, &LANES[..1]);
        drive(&mut packing.second, &LANES[1..]);
        at.line(&mut packing.load, first, at.during(self.enters()));
    }
}
