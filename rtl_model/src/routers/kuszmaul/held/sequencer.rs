//! The sequencer of schedules `overlapped` and `folded`: all windows of an iteration, from its
//! beginning.
//!
//! With `r` the stage's number in the row, `m` dimensions and `L = m+D` message bits left:
//!
//! ```text
//!   step                        wire of stage r             the stages' row ends with
//!   1  exchange, dimension i    0 .. L
//!   4  enumerate empty nodes    r .. 2r-1                   rank bits, counted in m .. 2m-1
//!   2  enumerate nodes with two m+r .. m+2r-1               rank bits, counted in 2m .. 3m-1
//!   5  pack headers             m+2r .. 2m+r                (their settings are held)
//!   3  pack second messages     2m+2r .. 3m+r+L             valid bit in 4m, body from 4m+1 on
//!   6  the way back             5m+L+1-r .. 5m+2L+1-r       valid bit in 5m+L, body from 5m+L+1 on
//! ```
//!
//! Rank bits are used two bit times after they were counted. An ascending row is through after
//! `5m+2L+1` bit times. In a folded one stage `m` has dimension `i+1`, with which the next
//! iteration begins: it can as soon as that dimension is free, after `4m+2L+2`, while stages below
//! are still passing back. By the next iteration's count, stage `m-r` is then busy up to bit time
//! `m-r-1`.

use crate::language::bit::{Bit, Strobe};
use crate::language::lines::Lines;
use crate::machine::router::{Position, Sequencer};
use crate::parts::dimensions::RowOrder;
use crate::registers;
use crate::routers::kuszmaul::held::strobes::HeldStrobes;
use crate::routers::kuszmaul::moment::{L, M, R, after};
use crate::routers::kuszmaul::now::Now;
use crate::routers::kuszmaul::timeline::Timeline;
use crate::routers::permutation::Size;

/// A timeline and its decode.
#[derive(Clone, Debug)]
pub struct HeldSequencer<B: Bit> {
    size: Size,
    order: RowOrder,
    timeline: Timeline<B>,
}
registers!(HeldSequencer { timeline });

/// The code of a machine that is done: as in schedule `plain`.
const DONE: u32 = 7;

impl<S: Strobe> HeldSequencer<S> {
    /// About to begin iteration 0.
    pub fn new(size: Size, order: RowOrder) -> Self {
        let length = match order {
            RowOrder::Ascending => 5 * M + 2 * L + 1,
            RowOrder::Folded => 4 * M + 2 * L + 2,
        };
        HeldSequencer {
            size,
            order,
            timeline: Timeline::new(size, order, length),
        }
    }

    /// The end of the last iteration's step 6 is still coming.
    fn tail(&self, now: &Now<'_, S>) -> S {
        match self.order {
            RowOrder::Ascending => S::ZERO,
            RowOrder::Folded => now.tail(),
        }
    }

    fn broadcast_first(&self, now: &Now<'_, S>, strobes: &mut HeldStrobes<S>) {
        let k = self.size.dimensions;
        let (cross, stream) = now.cross_and_stream();
        let another_follows = now.another_follows();
        strobes.exchange.drive(cross, 0..k, |i| now.is_iteration(i));
        strobes.exchange_decide = now.decide();
        let iterations = |lines: &mut Lines<S>, enable: S, range| {
            lines.drive(enable, range, |i| now.is_iteration(i));
        };
        let first = &mut strobes.first;
        let back = another_follows & now.since(5 * M + L + 1) & now.until(5 * M + 2 * L);
        let back = back.named("back");
        first.shift = cross | back;
        first.refill = back;
        let fill = match self.order {
            RowOrder::Ascending => stream | back,
            RowOrder::Folded => {
                first.rest_shift = cross;
                first.tail = self.tail(now);
                stream
            }
        };
        iterations(&mut first.fill, fill, 0..k);
        first.arrival = another_follows & now.is(5 * M + L);

        let send = another_follows & now.since(3 * M + 2) & now.until(4 * M + 2 * L + 1);
        let fill = (another_follows & stream).named("second_fills");
        strobes.returns = another_follows & now.is(4 * M + L + 1);
        strobes.second_shift = fill | (send & !strobes.returns);
        iterations(&mut strobes.second_fill, fill, 0..k - 1);
        let refill = another_follows & now.since(4 * M + 1) & now.until(4 * M + L);
        iterations(&mut strobes.second_refill, refill, 0..k - 1);
        strobes.second_arrival = another_follows & now.is(4 * M);
    }

    fn broadcast_enumeration(&self, now: &Now<'_, S>, strobes: &mut HeldStrobes<S>) {
        let dimensions = 1..self.size.dimensions;
        let running = now.running;
        let counting = (running & now.until(3 * M)).named("counting");
        let enumerator = &mut strobes.enumerator;
        enumerator
            .inject
            .drive(counting, dimensions.clone(), |d| now.begins_row(d));
        enumerator
            .last
            .drive(counting, dimensions.clone(), |d| now.ends_row(d));
        let windows = |d: usize, longer: i64| {
            S::gated(now.is_left(d), || {
                let empties = now.since_at(d, R) & now.until_at(d, 2 * R - 1 + longer);
                let twos = now.since_at(d, M + R) & now.until_at(d, M + 2 * R - 1 + longer);
                empties | twos
            })
        };
        enumerator
            .drive
            .drive(counting, dimensions.clone(), |d| windows(d, 0));
        enumerator
            .add
            .drive(counting, dimensions, |d| windows(d, 1));
        enumerator.rank_fill = running & now.since(M) & now.until(3 * M - 1);
        enumerator.rank_drain = running & now.since(M) & now.until(3 * M + 1);
        enumerator.rank_tap.drive(S::ONE, 1..2, |_| S::ONE);
        enumerator.backward = self.is_backward(now);
        strobes.enumerate_empties = now.until(M);
    }

    fn is_backward(&self, now: &Now<'_, S>) -> S {
        match self.order {
            RowOrder::Ascending => S::ZERO,
            RowOrder::Folded => now.is_odd(),
        }
    }

    fn broadcast_packing(&self, now: &Now<'_, S>, strobes: &mut HeldStrobes<S>) {
        let dimensions = 1..self.size.dimensions;
        let running = now.running;
        let packing = running & now.since(M + 2) & now.until(4 * M + L);
        let packing = packing.named("packing");
        let packer = &mut strobes.packer;
        packer
            .inject
            .drive(packing, dimensions.clone(), |d| now.begins_row(d));
        // Steps 5 and 3, by the bit time in which the stage decides.
        let either = |d: usize, beside: i64| {
            S::gated(now.is_left(d), || {
                now.is_at(d, M + 2 * R + beside) | now.is_at(d, 2 * M + 2 * R + beside)
            })
        };
        packer
            .arm
            .drive(packing, dimensions.clone(), |d| either(d, -1));
        packer
            .decide
            .drive(packing, dimensions.clone(), |d| either(d, 0));
        packer.pass.drive(packing, dimensions.clone(), |d| {
            S::gated(now.is_left(d), || {
                let headers = now.since_at(d, M + 2 * R) & now.until_at(d, 2 * M + R);
                let messages = now.since_at(d, 2 * M + 2 * R) & now.until_at(d, 3 * M + R + L);
                headers | messages
            })
        });
        let arrives = now.since(4 * M) & now.until(4 * M + L);
        packer.deliver.drive(running & arrives, dimensions, |d| {
            now.is_left(d) & now.ends_row(d)
        });
        packer.backward = self.is_backward(now);
        strobes.pack_empties = now.until(2 * M + 1);
        strobes.header = now.until(3 * M + 1);
    }

    fn broadcast_circuits(&self, now: &Now<'_, S>, strobes: &mut HeldStrobes<S>) {
        let dimensions = 1..self.size.dimensions;
        let running = now.running;
        let tail = self.tail(now);
        let setting = running & now.since(M + 2) & now.until(3 * M);
        let back = running & now.since(4 * M + L + 1);
        let (setting, back) = (setting.named("setting"), back.named("going_back"));
        let circuits = &mut strobes.circuits;
        circuits.hold.drive(setting, dimensions.clone(), |d| {
            S::gated(now.is_left(d), || now.is_at(d, M + 2 * R))
        });
        circuits
            .inject
            .drive(back, dimensions.clone(), |d| now.ends_row(d));
        let begins = 5 * M + L + 1 - R;
        circuits.admit.drive(back, dimensions.clone(), |d| {
            S::gated(now.is_left(d), || now.is_at(d, begins))
        });
        circuits.pass.drive(back | tail, dimensions.clone(), |d| {
            S::gated(now.is_left(d), || {
                let in_time = || now.since_at(d, begins) & now.until_at(d, begins + L);
                let ending = || now.until_at(d, R - 1);
                S::gated(back, in_time) | S::gated(tail, ending)
            })
        });
        let arrives = running & now.since(5 * M + L) & now.until(5 * M + 2 * L);
        circuits.deliver.drive(arrives | tail, dimensions, |d| {
            now.is_left(d) & S::choose(tail, || now.ends_row(d), || now.begins_row(d))
        });
        // Step 6 runs against the row of its own iteration; the next one's row runs the other way
        // round.
        circuits.from_near_end = self.is_backward(now) ^ tail;
    }
}

impl<S: Strobe> Sequencer<S> for HeldSequencer<S> {
    type Broadcast = HeldStrobes<S>;

    fn broadcast(&self, strobes: &mut HeldStrobes<S>) {
        let now = self.timeline.now();
        self.broadcast_first(&now, strobes);
        self.broadcast_enumeration(&now, strobes);
        self.broadcast_packing(&now, strobes);
        self.broadcast_circuits(&now, strobes);
    }

    fn clock(&mut self) {
        self.timeline.clock();
    }

    fn is_done(&self) -> S {
        self.timeline.is_done()
    }
}

impl HeldSequencer<bool> {
    /// Where the schedule stands: the step that began last.
    pub fn position(&self) -> Position {
        let begin = [
            (1, after(0)),
            (4, after(1)),
            (2, M + 1),
            (5, M + 2),
            (3, 2 * M + 2),
            (6, 4 * M + L + 1),
        ];
        self.timeline.position(&begin, DONE)
    }
}
