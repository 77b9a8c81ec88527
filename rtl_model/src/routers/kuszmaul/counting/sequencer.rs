//! The sequencer of the router of h-relations: all windows of a pass, from its beginning.
//!
//! With `r = d-i` the stage's number, `m` dimensions and `L = m+D` message bits left:
//!
//! ```text
//!   step                         wire of stage r             at the node
//!   cross, dimension i           0 .. L                      bits wait from 1 .. L on
//!   enumerate messages           r .. r-1+min(r+1, m)        headers made in m+1 .. 2m
//!   pack all messages            m+2r-1 .. 2m+r-1+L          valid bits in 3m-1, body 3m .. 3m-1+L
//! ```
//!
//! The next pass begins after `P = 2m+L` bit times. Dimension `i` is long free then, and stage `r` is
//! busy with the packing up to bit time `r-1` of it: its enumeration begins in bit time `r`. The end of
//! what the packing delivers comes in bit times `0 .. m-1` of it. Behind the last pass of an iteration one
//! bit time more goes by, so that dimension `i+1` is free: by the next iteration's count of stages and
//! `m`, these windows are the same.

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::{Position, Sequencer};
use crate::registers;
use crate::routers::kuszmaul::counting::message_list::ListStrobes;
use crate::routers::kuszmaul::counting::passes::Passes;
use crate::routers::kuszmaul::counting::strobes::CountingStrobes;
use crate::routers::kuszmaul::moment::{L, M, R, after};
use crate::routers::kuszmaul::now::Now;
use crate::routers::permutation::Size;

const DONE: u32 = 4;

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
    fn tails(&self, now: &Now<'_, S>) -> (S, S) {
        let is_first_pass = self.passes.is_pass(0);
        let tail = now.running & now.until(M - 1);
        (
            (tail & !is_first_pass).named("tail_within"),
            (tail & is_first_pass & !now.is_first()).named("tail_across"),
        )
    }

    fn broadcast_lists(&self, now: &Now<'_, S>, strobes: &mut CountingStrobes<S>) {
        let k = self.size.dimensions;
        let (cross, stream) = now.cross_and_stream();
        let another_follows = now.another_follows();
        strobes.exchange.drive(cross, 0..k, |i| now.is_iteration(i));
        strobes.exchange_decide = now.decide();
        strobes.is_last = now.is_last;

        let (tail_within, tail_across) = self.tails(now);
        let arrives = S::choose(now.is_last, || now.decide(), || now.is(3 * M - 1));
        let first_bits = S::choose(
            now.is_last,
            || stream,
            || now.since(3 * M) & now.until(2 * M + L - 1),
        );
        let windows = ListWindows {
            read: cross,
            arrive: (now.running & arrives).named("arrives"),
            rotate: (now.running & first_bits).named("first_bits"),
            extra: (another_follows & now.is(2 * M + L)).named("extra_bit"),
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
        let send = another_follows & now.since(2 * M + 1);
        strobes.waiting.shift = fill | send;
        strobes
            .waiting
            .fill
            .drive(fill, 0..k - 1, |i| now.is_iteration(i));
    }

    /// Those of one list: whether it is read in this iteration, and bits of its slots' backs that are
    /// filled.
    fn broadcast_list(
        &self,
        now: &Now<'_, S>,
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
            let tail = is_filled & windows.tail_within & now.is(after(position as i64));
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
                _ => is_at(position) | (across & now.is(after(position as i64 - 1))),
            });
    }

    fn broadcast_enumeration(&self, now: &Now<'_, S>, strobes: &mut CountingStrobes<S>) {
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
        let found = running & now.since(M) & now.until(2 * M - 1);
        enumerator.rank_fill = found;
        if self.messages > 1 {
            enumerator.total_fill = found;
        }
        enumerator.rank_tap.drive(S::ONE, 0..1, |_| S::ONE);

        let header = &mut strobes.header;
        header.make = (running & now.since(M + 1) & now.until(2 * M)).named("makes_header");
        header.begins = now.is(M + 1);
        let taps = 0..if self.messages > 1 {
            self.size.dimensions - 1
        } else {
            0
        };
        header
            .base_tap
            .drive(header.make, taps, |i| now.is_iteration(i));
    }

    fn broadcast_packing(&self, now: &Now<'_, S>, strobes: &mut CountingStrobes<S>) {
        let dimensions = 1..self.size.dimensions;
        let running = now.running;
        let (tail_within, tail_across) = self.tails(now);
        let tail = tail_within | tail_across;
        let decides = M + 2 * R - 1;
        let packing = (running & now.since(M + 1)).named("packing");
        let packer = &mut strobes.packer;
        // The last bit of a pass enters stage 1 as the next one begins, if it is of the same iteration.
        packer
            .inject
            .drive(packing | tail_within, dimensions.clone(), |d| {
                now.begins_row(d)
            });
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
    }
}

impl<S: Strobe> Sequencer<S> for CountingSequencer<S> {
    type Broadcast = CountingStrobes<S>;

    fn broadcast(&self, strobes: &mut CountingStrobes<S>) {
        let now = self.passes.now();
        self.broadcast_lists(&now, strobes);
        self.broadcast_enumeration(&now, strobes);
        self.broadcast_packing(&now, strobes);
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
        let begin = [(1, after(0)), (2, after(1)), (3, M + 1)];
        self.passes.position(&begin, DONE)
    }
}
