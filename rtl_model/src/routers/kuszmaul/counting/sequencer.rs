//! The sequencer of the router of h-relations: all windows of a pass, from its beginning.
//!
//! Its table is that of schedule [`spread`](crate::routers::kuszmaul::spread::sequencer), whose iteration is a pass here.
//!
//! The next pass begins after `P = 2m+L` bit times. Dimension `i` is long free then, and stage `r` is
//! busy with the packing up to bit time `r-1` of it: its enumeration begins in bit time `r`. The end of
//! what the packing delivers comes in bit times `0 .. m-1` of it. Behind the last pass of an iteration one
//! bit time more goes by, so that dimension `i+1` is free: by the next iteration's count of stages and
//! `m`, these windows are the same.

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::{Position, Sequencer};
use crate::parts::packer::Run;
use crate::parts::windows::{Moment, Now, Window, window};
use crate::registers;
use crate::routers::kuszmaul::counting::header::HeaderStrobes;
use crate::routers::kuszmaul::counting::message_list::ListStrobes;
use crate::routers::kuszmaul::counting::passes::Passes;
use crate::routers::kuszmaul::counting::strobes::CountingStrobes;
use crate::routers::kuszmaul::now::TimelineNow;
use crate::routers::kuszmaul::spread::sequencer::{COUNTS, HEADER, PACKS, SENDS};
use crate::routers::permutation::Size;

const DONE: u32 = 4;
/// The first `D` bits of what is delivered.
const FIRST_BITS: Window = window("3m .. 2m+L-1");
/// The bit behind them that comes in this pass still.
const EXTRA_BIT: Window = window("2m+L");

/// The counters and their decode.
#[derive(Clone, Debug)]
pub struct CountingSequencer<B: Bit> {
    size: Size,
    /// `H`.
    messages: usize,
    passes: Passes<B>,
}
registers!(CountingSequencer { passes });

/// What the lists are told, whichever is which.
struct ListWindows<S> {
    /// A message is sent.
    read: S,
    /// The valid bits of what is delivered.
    arrive: S,
    /// The first `D` bits of it.
    rotate: S,
    /// The bit behind them, where this pass delivers it.
    extra: S,
    /// The end of what the pass before delivers, in the same iteration.
    tail_within: S,
    /// The same, of the iteration before.
    tail_across: S,
    /// The iteration ends.
    clear: S,
}

impl<S: Strobe> CountingSequencer<S> {
    /// About to begin iteration 0.
    pub fn new(size: Size, messages: usize) -> Self {
        CountingSequencer {
            size,
            messages,
            passes: Passes::new(size, messages),
        }
    }

    /// 1 while the end of what the pass before delivers is still coming: in this iteration, and of the one
    /// before.
    fn tails(&self, now: &TimelineNow<S>) -> (S, S) {
        let is_first_pass = self.passes.is_pass(0);
        let tail = now.carried(PACKS.of_last_stage());
        (
            (tail & !is_first_pass).named("tail_within"),
            (tail & is_first_pass & !now.is_first()).named("tail_across"),
        )
    }

    fn broadcast_lists(&self, now: &TimelineNow<S>, strobes: &mut CountingStrobes<S>) {
        let k = self.size.dimensions;
        let (cross, stream) = now.cross_and_stream();
        let another_follows = now.another_follows();
        strobes.exchange.drive(cross, 0..k, |i| now.is_iteration(i));
        strobes.exchange_decide = now.decide();
        strobes.is_last = now.is_last;

        let (tail_within, tail_across) = self.tails(now);
        let arrives = S::choose(
            now.is_last,
            || now.decide(),
            || now.within(PACKS.of_last_stage().begins(0)),
        );
        let first_bits = S::choose(now.is_last, || stream, || now.within(FIRST_BITS));
        let windows = ListWindows {
            read: cross,
            arrive: (now.running & arrives).named("arrives"),
            rotate: (now.running & first_bits).named("first_bits"),
            extra: now.within(EXTRA_BIT).named("extra_bit"),
            tail_within,
            tail_across,
            clear: self.passes.ends(now).1,
        };
        let is_odd = now.is_odd();
        // The even list has been filled by odd iterations, so it never has to take as many bits.
        self.broadcast_list(
            now,
            (&windows, !is_odd, k.saturating_sub(2)),
            &mut strobes.even_list,
        );
        self.broadcast_list(now, (&windows, is_odd, k - 1), &mut strobes.odd_list);

        let fill = (another_follows & stream).named("waiting_fills");
        strobes.waiting.shift = fill | now.within(SENDS);
        strobes
            .waiting
            .fill
            .drive(fill, 0..k - 1, |i| now.is_iteration(i));
    }

    /// Those of one list: whether it is read in this iteration, and bits of its slots' backs that are
    /// filled.
    fn broadcast_list(
        &self,
        now: &TimelineNow<S>,
        (windows, is_read, back): (&ListWindows<S>, S, usize),
        strobes: &mut ListStrobes<S>,
    ) {
        let is_filled = !is_read;
        strobes
            .read
            .drive(windows.read & is_read, 0..self.messages, |slot| {
                self.passes.is_pass(slot)
            });
        strobes.arrive = windows.arrive & is_filled;
        strobes.rotate = windows.rotate & is_filled;
        strobes.clear = windows.clear & is_read;
        let is_at = |position: usize| {
            let tail = is_filled & windows.tail_within & now.is(Moment::after(position));
            match position {
                0 => tail | (is_filled & windows.extra),
                _ => tail,
            }
        };
        let active = windows.extra | windows.tail_within | windows.tail_across;
        let across = windows.tail_across & is_read;
        // Slot 0 is being sent then, and shifts.
        strobes
            .back_of_first
            .drive_within(active, 0..back, |position| match position {
                0 => is_at(0) | across,
                _ => is_at(position),
            });
        let others = 0..if self.messages > 1 { back } else { 0 };
        strobes
            .back_of_others
            .drive_within(active, others, |position| match position {
                0 => is_at(0),
                _ => is_at(position) | (across & now.is(Moment::after(position - 1))),
            });
    }

    fn broadcast_header(&self, now: &TimelineNow<S>, header: &mut HeaderStrobes<S>) {
        header.make = now.within(HEADER).named("makes_header");
        header.begins = now.is(HEADER.from);
        let taps = 0..if self.messages > 1 {
            self.size.dimensions - 1
        } else {
            0
        };
        header
            .base_tap
            .drive(header.make, taps, |i| now.is_iteration(i));
    }
}

impl<S: Strobe> Sequencer<S> for CountingSequencer<S> {
    type Broadcast = CountingStrobes<S>;

    fn broadcast(&self, strobes: &mut CountingStrobes<S>) {
        let now = self.passes.now();
        self.broadcast_lists(&now, strobes);
        strobes.count_of_two = now.since(Moment::after(2));
        strobes.enumerator.decode(&now, [COUNTS], 1);
        if self.messages > 1 {
            strobes.enumerator.total_fill = strobes.enumerator.rank_fill;
        }
        strobes.packer.decode(&[Run::delivering(&now, PACKS)]);
        self.broadcast_header(&now, &mut strobes.header);
    }

    fn clock(&mut self) {
        self.passes.clock();
    }

    fn is_done(&self) -> S {
        self.passes.is_done()
    }
}

impl CountingSequencer<bool> {
    /// Where the schedule stands: the step that began last.
    pub fn position(&self) -> Position {
        self.passes.position(DONE)
    }
}
