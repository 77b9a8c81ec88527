//! The sequencer of schedule `spread`: all windows of an iteration, from its beginning.
//!
//! With `r = d-i` the stage's number, `m` dimensions and `L = m+D` message bits left:
//!
//! ```text
//!   step                         wire of stage r             the stages' row ends with
//!   cross, dimension i           0 .. L
//!   enumerate messages           r .. r-1+min(r+1, m)        rank bits, counted in m .. 2m-1
//!   pack all messages            m+2r-1 .. 2m+r-1+L          valid bit in 3m-1, body from 3m on
//! ```
//!
//! Rank bits are used in the bit time after they were counted. An iteration is `2m+L+1` bit times:
//! stage 1 is then through, and dimension `i+1` free for the next step 1. By the next iteration's
//! count, the others are busy up to bit time `r-1`.

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::{Position, Sequencer};
use crate::parts::counter::Counter;
use crate::parts::dimensions::RowOrder;
use crate::registers;
use crate::routers::kuszmaul::moment::{L, M, R, after};
use crate::routers::kuszmaul::now::Now;
use crate::routers::kuszmaul::spread::positions_read;
use crate::routers::kuszmaul::spread::strobes::SpreadStrobes;
use crate::routers::kuszmaul::timeline::Timeline;
use crate::routers::permutation::Size;

const DONE: u32 = 4;

/// A timeline, a position to read at, and their decode.
#[derive(Clone, Debug)]
pub struct SpreadSequencer<B: Bit> {
    size: Size,
    timeline: Timeline<B>,
    /// A cube of one dimension reads at position 0.
    read_at: Option<Counter<B>>,
}
registers!(SpreadSequencer {
    timeline,
    read_at: "the position of the bit that step 1 sends: t, up to 2m; past the last position it is not looked at",
});

impl<S: Strobe> SpreadSequencer<S> {
    /// About to begin iteration 0.
    pub fn new(size: Size) -> Self {
        // What is counted beyond that is not looked at.
        let farthest = positions_read(size) as u32 - 1;
        SpreadSequencer {
            size,
            timeline: Timeline::new(size, RowOrder::Ascending, 2 * M + L + 1),
            read_at: (size.dimensions > 1).then(|| Counter::new(farthest, 0).named("read_at")),
        }
    }

    fn broadcast_buffers(&self, now: &Now<'_, S>, strobes: &mut SpreadStrobes<S>) {
        let k = self.size.dimensions;
        let running = now.running;
        let (cross, stream) = now.cross_and_stream();
        let another_follows = now.another_follows();
        strobes.exchange.drive(cross, 0..k, |i| now.is_iteration(i));
        strobes.exchange_decide = now.decide();
        strobes.is_last = now.is_last;
        if let Some(read_at) = &self.read_at {
            let number = read_at.number();
            strobes
                .read_at
                .drive(running, 0..number.width(), |place| number.bit(place));
        }

        strobes.first_shift = running & now.since(2 * M);
        strobes.first_fill = another_follows & now.since(3 * M);
        strobes.first_home = stream & now.is_last;
        let tail = now.tail();
        strobes
            .first_tail
            .drive(tail, 0..k.saturating_sub(2), |t| now.is(after(t as i64)));
        strobes.first_arrival = another_follows & now.is(3 * M - 1);

        let fill = (another_follows & stream).named("second_fills");
        let send = another_follows & now.since(2 * M + 1);
        strobes.second_shift = fill | send;
        strobes
            .second_fill
            .drive(fill, 0..k - 1, |i| now.is_iteration(i));
    }

    fn broadcast_enumeration(&self, now: &Now<'_, S>, strobes: &mut SpreadStrobes<S>) {
        let dimensions = 1..self.size.dimensions;
        let running = now.running;
        strobes.count_of_two = now.since(after(2));
        let counting = (running & now.until(2 * M)).named("counting");
        let enumerator = &mut strobes.enumerator;
        enumerator
            .inject
            .drive(counting, dimensions.clone(), |d| now.begins_row(d));
        enumerator
            .last
            .drive(counting, dimensions.clone(), |d| now.ends_row(d));
        // As many bits as there can be messages below, but no more than a rank has.
        let window = |d: usize, longer: i64| {
            S::gated(now.is_left(d), || {
                let until = now.until_at(d, 2 * R + longer) & now.until_at(d, M + R - 1 + longer);
                now.since_at(d, R) & until
            })
        };
        enumerator
            .drive
            .drive(counting, dimensions.clone(), |d| window(d, 0));
        enumerator.add.drive(counting, dimensions, |d| window(d, 1));
        enumerator.rank_fill = running & now.since(M) & now.until(2 * M - 1);
        enumerator.rank_tap.drive(S::ONE, 0..1, |_| S::ONE);
    }

    fn broadcast_packing(&self, now: &Now<'_, S>, strobes: &mut SpreadStrobes<S>) {
        let dimensions = 1..self.size.dimensions;
        let running = now.running;
        let tail = now.tail();
        let decides = M + 2 * R - 1;
        let packing = (running & now.since(M + 1)).named("packing");
        let packer = &mut strobes.packer;
        packer
            .inject
            .drive(packing, dimensions.clone(), |d| now.begins_row(d));
        packer.arm.drive(packing, dimensions.clone(), |d| {
            S::gated(now.is_left(d), || now.is_at(d, decides - 1))
        });
        packer.decide.drive(packing, dimensions.clone(), |d| {
            S::gated(now.is_left(d), || now.is_at(d, decides))
        });
        packer.pass.drive(packing | tail, dimensions.clone(), |d| {
            S::gated(now.is_left(d), || {
                let in_time = || now.since_at(d, decides);
                let ending = || now.until_at(d, R - 1);
                S::gated(packing, in_time) | S::gated(tail, ending)
            })
        });
        let arrives = running & !now.is_last & now.since(3 * M - 1);
        packer
            .deliver
            .drive(arrives | tail, dimensions, |d| now.ends_row(d));
        strobes.header = running & now.since(M + 1) & now.until(2 * M);
        strobes.header_begins = now.is(M + 1);
    }
}

impl<S: Strobe> Sequencer<S> for SpreadSequencer<S> {
    type Broadcast = SpreadStrobes<S>;

    fn broadcast(&self, strobes: &mut SpreadStrobes<S>) {
        let now = self.timeline.now();
        self.broadcast_buffers(&now, strobes);
        self.broadcast_enumeration(&now, strobes);
        self.broadcast_packing(&now, strobes);
    }

    fn clock(&mut self) {
        let now = self.timeline.now();
        let ends = self.timeline.ends(&now);
        let moves = (now.running & now.until(2 * M - 1)).named("read_at_moves");
        if let Some(read_at) = &mut self.read_at {
            S::when(moves | ends, read_at, |read_at| {
                read_at.count_or_set(ends, 0);
            });
        }
        self.timeline.clock();
    }

    fn is_done(&self) -> S {
        self.timeline.is_done()
    }
}

impl SpreadSequencer<bool> {
    /// Where the schedule stands: the step that began last.
    pub fn position(&self) -> Position {
        let begin = [(1, after(0)), (2, after(1)), (3, M + 1)];
        self.timeline.position(&begin, DONE)
    }
}
