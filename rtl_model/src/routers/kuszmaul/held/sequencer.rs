//! The sequencer of schedules `overlapped` and `folded`: the table of an iteration, and its decode.
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
use crate::parts::packer::Run;
use crate::parts::windows::{
    Iteration, Moment, Now, Step, Window, Wire, moment, of_crossed, of_row, step, window,
};
use crate::registers;
use crate::routers::kuszmaul::held::strobes::HeldStrobes;
use crate::routers::kuszmaul::now::{CROSS, TimelineNow};
use crate::routers::kuszmaul::timeline::Timeline;
use crate::routers::permutation::Size;

/// Step 4: numbers of empty nodes on the wire of stage `r`.
pub const EMPTIES: Window = window("r .. 2r-1");
/// Step 2: numbers of nodes with two messages.
pub const TWOS: Window = window("m+r .. m+2r-1");
/// Step 5: headers, by which circuits are set.
pub const SETS: Window = window("m+2r .. 2m+r");
/// Step 3: second messages.
pub const PACKS: Window = window("2m+2r .. 3m+r+L");
/// Step 6: they go back through the circuits.
pub const RETURNS: Window = window("5m+L+1-r .. 5m+2L+1-r");

/// Nodes are counted as empty up to here, then as nodes with two.
const EMPTIES_COUNTED: Moment = moment("m");
/// Rank bits move on to where they are used, behind those that were counted last.
pub const RANKS_DRAIN: Window = window("3m");
/// The packing's source gives header bits: the rank of step 5, and right behind it that of step 3.
pub const HEADER: Window = window("m+2 .. 3m+1");
/// Those of step 5.
const HEADER_OF_EMPTIES: Window = window("m+2 .. 2m+1");
/// Step 3 sends the second message, then what it brought moves on until step 6 sends its valid bit.
pub const SECOND_MOVES: Window = window("3m+2 .. 4m+L");
/// Step 6 sends the second message.
pub const SECOND_RETURNS: Window = window("4m+L+2 .. 4m+2L+1");

const STEPS: &[Step] = &[
    step(1, "cross", "0"),
    step(4, "empties", "1"),
    step(2, "twos", "m+1"),
    step(5, "circuits", "m+2"),
    step(3, "pack", "2m+2"),
    step(6, "return", "4m+L+1"),
];
const WIRES: &[Wire] = &[
    of_crossed("exchange", CROSS),
    of_row("enumeration", EMPTIES),
    of_row("enumeration", TWOS),
    of_row("packing", SETS),
    of_row("packing", PACKS),
    of_row("circuits", RETURNS),
];

/// Steps and wires where rows ascend.
pub static ASCENDING: Iteration = Iteration {
    length: moment("5m+2L+1"),
    order: RowOrder::Ascending,
    steps: STEPS,
    wires: WIRES,
};
/// Those where they are folded.
pub static FOLDED: Iteration = Iteration {
    length: moment("4m+2L+2"),
    order: RowOrder::Folded,
    steps: STEPS,
    wires: WIRES,
};

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
        let table = match order {
            RowOrder::Ascending => &ASCENDING,
            RowOrder::Folded => &FOLDED,
        };
        HeldSequencer {
            size,
            order,
            timeline: Timeline::new(size, table),
        }
    }

    fn broadcast_buffers(&self, now: &TimelineNow<S>, strobes: &mut HeldStrobes<S>) {
        let k = self.size.dimensions;
        let (cross, stream) = now.cross_and_stream();
        strobes.exchange.drive(cross, 0..k, |i| now.is_iteration(i));
        strobes.exchange_decide = now.decide();
        let iterations = |lines: &mut Lines<S>, enable: S, range| {
            lines.drive(enable, range, |i| now.is_iteration(i));
        };
        let first = &mut strobes.first;
        let returned = RETURNS.of_first_stage();
        let back = now.another_follows() & now.since(returned.from + 1);
        let back = (back & now.until(returned.end())).named("back");
        first.shift = cross | back;
        first.refill = back;
        let fill = match self.order {
            RowOrder::Ascending => stream | back,
            RowOrder::Folded => {
                first.rest_shift = cross;
                first.tail = now.carried(returned);
                stream
            }
        };
        iterations(&mut first.fill, fill, 0..k);
        first.arrival = now.within(returned.begins(0));

        let fill = (now.another_follows() & stream).named("second_fills");
        let moves = now.within_any(&[SECOND_MOVES, SECOND_RETURNS]);
        strobes.second_shift = fill | moves;
        iterations(&mut strobes.second_fill, fill, 0..k - 1);
        let packed = PACKS.of_last_stage();
        let refill = now.within(packed.behind_first());
        iterations(&mut strobes.second_refill, refill, 0..k - 1);
        strobes.second_arrival = now.within(packed.begins(0));
    }
}

impl<S: Strobe> Sequencer<S> for HeldSequencer<S> {
    type Broadcast = HeldStrobes<S>;

    fn broadcast(&self, strobes: &mut HeldStrobes<S>) {
        let now = self.timeline.now();
        self.broadcast_buffers(&now, strobes);
        strobes.enumerate_empties = now.until(EMPTIES_COUNTED);
        strobes.enumerator.decode(&now, [EMPTIES, TWOS], 2);
        strobes.enumerator.rank_drain = now.within(RANKS_DRAIN);
        strobes.pack_empties = now.until(HEADER_OF_EMPTIES.end());
        strobes.header = now.until(HEADER.end());
        strobes
            .packer
            .decode(&[Run::ending(&now, SETS), Run::delivering(&now, PACKS)]);
        strobes.returns = now.within(SECOND_RETURNS.begins(-1));
        strobes.circuits.decode(&now, SETS, RETURNS);
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
        self.timeline.position(DONE)
    }
}
