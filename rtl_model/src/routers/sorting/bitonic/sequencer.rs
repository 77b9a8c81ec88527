//! The sequencer of a bitonic sort: phases, the bits of a record, and the windows of both steps.
//!
//! ```text
//!   [phase n = p-1] [bit j of the record that comparator 0 sees]
//!         |                 |
//!         +--- (j >= W-d) --+--> comparator d is a phase ahead, with bit j+d-W
//! ```
//!
//! With `t = nW+j`, `W = 1+k+D`, the wire of dimension `d` sorts in bit times `(p-1)W-d .. pW-d-1` of phases
//! `p` from `d+1` to `k`.
//!
//! The unpacking ends with the round after the last phase, but for one bit time: (k+1)W-1 in all.

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::{Position, Sequencer};
use crate::parts::counter::{Counter, Number};
use crate::parts::windows::{AtTimes, Now, SingleRow, Stretch, Window, window};
use crate::registers;
use crate::routers::permutation::Size;
use crate::routers::sorting::bitonic::comparators::{ComparatorStrobes, record_bits};
use crate::routers::sorting::bitonic::strobes::BitonicStrobes;

/// From the end of the last phase: a valid bit, then a message on the wire of stage `r = k-d`, which consumes a header bit. Rows
/// have `m = k` stages.
pub const UNPACKS: Window = window("2r-m-1 .. r-1+D");

/// Two counters and their decode.
#[derive(Clone, Debug)]
pub struct BitonicSequencer<B: Bit> {
    size: Size,
    unpacks: bool,
    phase: Counter<B>,
    record_bit: Counter<B>,
}
registers!(BitonicSequencer {
    phase: "n, rounds of the record that are over: phase p is n+1",
    record_bit: "j, the bit of the record that comparator 0 sees",
});

impl<S: Strobe> BitonicSequencer<S> {
    /// About to begin phase 1; the sort may be followed by an unpacking.
    pub fn new(size: Size, unpacks: bool) -> Self {
        BitonicSequencer {
            size,
            unpacks,
            phase: Counter::new(size.dimensions as u32, 0).named("n"),
            record_bit: Counter::new(record_bits(size) as u32 - 1, 0).named("j"),
        }
    }

    fn now(&self) -> RecordTime<'_, S> {
        RecordTime {
            k: self.size.dimensions as i64,
            width: record_bits(self.size) as i64,
            n: self.phase.number(),
            j: self.record_bit.number(),
        }
    }

    fn broadcast_sort(&self, strobes: &mut ComparatorStrobes<S>) {
        let now = self.now();
        let k = self.size.dimensions;
        let running = !self.is_done();
        let sorting = (running & now.n.at_most(now.k - 1)).named("sorting");
        (strobes.phase).drive(sorting, 0..k - 1, |n| now.n.equals(n as i64));
        strobes.ahead.drive(sorting, 1..k, |d| now.is_ahead(d));
        strobes.begin.drive(sorting, 0..k, |d| now.begins(d));
        strobes.compare.drive(sorting, 0..k, |d| {
            let d = d as i64;
            let ahead = now.is_ahead(d as usize);
            let has_begun = now.n.at_least(d) | (now.n.at_least(d - 1) & ahead);
            has_begun & !(now.n.at_least(now.k - 1) & ahead)
        });
        strobes.load = now.n.equals(0) & now.j.equals(0);
    }

    fn broadcast_unpack(&self, strobes: &mut BitonicStrobes<S>) {
        let now = self.now();
        let row = SingleRow {
            dimensions: self.size.dimensions,
            payload_bits: self.size.payload_bits,
            during: |stretch| now.after_phases(stretch),
        };
        let (row, comparators) = (AtTimes::backward(S::ONE, &row), &mut strobes.comparators);
        row.drive(&mut comparators.decide, &[UNPACKS.begins(0)]);
        row.drive(&mut comparators.unpack, &[UNPACKS]);
        let delivered = UNPACKS.of_last_stage();
        strobes.arrival = row.within(delivered.begins(0)).named("arrives");
    }
}

/// A bit time, and when it is.
struct RecordTime<'a, S: Strobe> {
    k: i64,
    width: i64,
    n: &'a Number<S>,
    j: &'a Number<S>,
}

impl<S: Strobe> RecordTime<'_, S> {
    /// 1 while comparator `d` sees the record of the next phase.
    fn is_ahead(&self, d: usize) -> S {
        match d {
            0 => S::ZERO,
            _ => self.j.at_least(self.width - d as i64),
        }
    }

    /// 1 while comparator `d` sees a valid bit.
    fn begins(&self, d: usize) -> S {
        self.j.equals((self.width - d as i64) % self.width)
    }

    /// 1 from `after` bit times after the last phase on; before its end, where that is negative.
    fn since(&self, after: i64) -> S {
        match after < 0 {
            true => {
                self.n.at_least(self.k)
                    | (self.n.at_least(self.k - 1) & self.j.at_least(self.width + after))
            }
            false => self.n.at_least(self.k) & self.j.at_least(after),
        }
    }

    /// 1 up to `after` bit times after the last phase.
    fn until(&self, after: i64) -> S {
        !self.n.at_least(self.k) | self.j.at_most(after)
    }

    /// 1 in a stretch of bit times after the last phase, or before its end, where they are negative.
    fn after_phases(&self, stretch: Stretch) -> S {
        let Stretch { from, to, .. } = stretch;
        match (from == to, from < 0) {
            (true, true) => self.n.equals(self.k - 1) & self.j.equals(self.width + from),
            (true, false) => self.n.equals(self.k) & self.j.equals(from),
            (false, _) => self.since(from) & self.until(to),
        }
    }
}

impl<S: Strobe> Sequencer<S> for BitonicSequencer<S> {
    type Broadcast = BitonicStrobes<S>;

    fn broadcast(&self, strobes: &mut BitonicStrobes<S>) {
        let now = self.now();
        let running = !self.is_done();
        self.broadcast_sort(&mut strobes.comparators);
        if self.unpacks {
            self.broadcast_unpack(strobes);
        }
        strobes.shift = running;
        strobes.settle = running & now.n.at_most(now.k - 1) & now.j.equals(now.width - 1);
    }

    fn clock(&mut self) {
        let now = self.now();
        let running = !self.is_done();
        let round_ends = (running & now.j.equals(now.width - 1)).named("round_ends");
        S::when(running, &mut self.record_bit, |record_bit| {
            record_bit.count_or_set(round_ends, 0);
        });
        S::when(round_ends, &mut self.phase, Counter::count);
    }

    fn is_done(&self) -> S {
        let now = self.now();
        let sorted = now.n.equals(now.k);
        match self.unpacks {
            true => sorted & now.j.equals(now.width - 1),
            false => sorted,
        }
    }
}

impl BitonicSequencer<bool> {
    /// Where the schedule stands: a phase is an iteration, and the unpacking belongs to the last;
    /// `done` is the code of that.
    pub fn position(&self, done: u32) -> Position {
        let (k, width) = (self.size.dimensions as u32, record_bits(self.size) as u32);
        let (n, j) = (
            self.phase.number().value(),
            self.record_bit.number().value(),
        );
        let iteration = n.min(k - 1);
        let step = match self.is_done() {
            true => done,
            false if self.unpacks && n * width + j > k * (width - 1) => 2,
            false => 1,
        };
        Position {
            iteration,
            step,
            bit_time: (n - iteration) * width + j,
        }
    }
}
