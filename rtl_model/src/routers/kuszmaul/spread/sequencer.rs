//! The sequencer of schedule `spread`: the table of an iteration, and its decode.
//!
//! Rank bits are used in the bit time after they were counted. When an iteration is over, stage 1 is
//! through and dimension `i+1` free for the next step 1; the other stages go on under it.

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::{Position, Sequencer};
use crate::parts::counter::Counter;
use crate::parts::dimensions::RowOrder;
use crate::parts::packer::Run;
use crate::parts::windows::{
    Iteration, Moment, Now, Window, moment, of_crossed, of_row, step, window,
};
use crate::registers;
use crate::routers::kuszmaul::now::{CROSS, TimelineNow};
use crate::routers::kuszmaul::spread::node::positions_read;
use crate::routers::kuszmaul::spread::strobes::SpreadStrobes;
use crate::routers::kuszmaul::timeline::Timeline;
use crate::routers::permutation::Size;

/// Totals on the wire of stage `r`: as many bits as there can be messages below, but no more than a rank has.
pub const COUNTS: Window = window("r .. min(2r, m+r-1)");
/// Messages on it.
pub const PACKS: Window = window("m+2r-1 .. 2m+r-1+L");
/// The packing's source gives header bits.
pub const HEADER: Window = window("m+1 .. 2m");
/// Then it gives messages.
pub const SENDS: Window = window("2m+1 .. 2m+L");

/// Steps and wires.
pub static ITERATION: Iteration = Iteration {
    length: moment("2m+L+1"),
    order: RowOrder::Ascending,
    steps: &[
        step(1, "cross", "0"),
        step(2, "enumerate", "1"),
        step(3, "pack", "m+1"),
    ],
    wires: &[
        of_crossed("exchange", CROSS),
        of_row("enumeration", COUNTS),
        of_row("packing", PACKS),
    ],
};

const DONE: u32 = 4;
/// The first messages' buffers shift: what step 1 sends has left them.
const FIRST_SHIFTS: Moment = moment("2m");

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
            timeline: Timeline::new(size, &ITERATION),
            read_at: (size.dimensions > 1).then(|| Counter::new(farthest, 0).named("read_at")),
        }
    }

    fn broadcast_buffers(&self, now: &TimelineNow<S>, strobes: &mut SpreadStrobes<S>) {
        let k = self.size.dimensions;
        let running = now.running;
        let (cross, stream) = now.cross_and_stream();
        strobes.exchange.drive(cross, 0..k, |i| now.is_iteration(i));
        strobes.exchange_decide = now.decide();
        strobes.is_last = now.is_last;
        if let Some(read_at) = &self.read_at {
            let number = read_at.number();
            strobes
                .read_at
                .drive(running, 0..number.width(), |place| number.bit(place));
        }

        let delivered = PACKS.of_last_stage();
        strobes.first_shift = running & now.since(FIRST_SHIFTS);
        strobes.first_fill = now.another_follows() & now.since(delivered.from + 1);
        strobes.first_home = stream & now.is_last;
        let tail = now.carried(delivered);
        strobes
            .first_tail
            .drive(tail, 0..k.saturating_sub(2), |t| now.is(Moment::after(t)));
        strobes.first_arrival = now.within(delivered.begins(0));

        let fill = (now.another_follows() & stream).named("second_fills");
        strobes.second_shift = fill | now.within(SENDS);
        strobes
            .second_fill
            .drive(fill, 0..k - 1, |i| now.is_iteration(i));
    }
}

impl<S: Strobe> Sequencer<S> for SpreadSequencer<S> {
    type Broadcast = SpreadStrobes<S>;

    fn broadcast(&self, strobes: &mut SpreadStrobes<S>) {
        let now = self.timeline.now();
        self.broadcast_buffers(&now, strobes);
        strobes.count_of_two = now.since(Moment::after(2));
        strobes.enumerator.decode(&now, [COUNTS], 1);
        strobes.packer.decode(&[Run::delivering(&now, PACKS)]);
        strobes.header = now.within(HEADER);
        strobes.header_begins = now.is(HEADER.from);
    }

    fn clock(&mut self) {
        let now = self.timeline.now();
        let ends = self.timeline.ends(&now);
        let moves = (now.running & !now.since(FIRST_SHIFTS)).named("read_at_moves");
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
        self.timeline.position(DONE)
    }
}
