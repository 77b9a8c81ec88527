//! The sequencer of a radix sort: passes, the bit times of each, and the windows of all steps.
//!
//! ```text
//!   [pass n] [bit time t of the pass]
//! ```
//!
//! With `L = k+D` message bits, `T = max(3k+D, 4k-2)` from one pass to the next, and `U = 4k+D-1`:
//!
//! ```text
//!   step         wire of dimension d          the row ends with
//!   enumerate    d .. 2d                      rank bits, counted in k-1 .. 2k-2, used 1 later
//!   pack         k+2d .. 2k-1+d+L             valid bit in 3k-2, message from 3k-1 on
//!   unpack       U+2(k-1-d) .. U+2k-2-d+D     valid bit in U+2k-2, payload from then on
//! ```
//!
//! A pass ends under the beginning of the next: its wires are busy up to bit time `d-1` of that, or
//! less. Of key `n+1`, destination bit `n+2` comes in `4k-4-n` and bit `n+1` one bit time later.

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::{Position, Sequencer};
use crate::parts::counter::{Counter, Number};
use crate::parts::packer::PackerStrobes;
use crate::registers;
use crate::routers::permutation::Size;
use crate::routers::sorting::radix::pass_length;
use crate::routers::sorting::radix::strobes::RadixStrobes;

/// Two counters and their decode.
#[derive(Clone, Debug)]
pub struct RadixSequencer<B: Bit> {
    size: Size,
    unpacks: bool,
    /// A sort alone in a cube of one dimension has one pass, and nothing to count.
    pass: Option<Counter<B>>,
    bit_time: Counter<B>,
}
registers!(RadixSequencer {
    pass: "n, the pass",
    bit_time: "t, bit times since the pass began",
});

impl<S: Strobe> RadixSequencer<S> {
    /// About to begin the first pass; the sort may be followed by an unpacking.
    pub fn new(size: Size, unpacks: bool) -> Self {
        let (k, d) = size.bits();
        let last_pass = k as u32 - u32::from(!unpacks);
        let ends = match unpacks {
            true => 6 * k + 2 * d - 2,
            false => 4 * k + d - 1,
        };
        let largest = match last_pass {
            0 => ends,
            _ => ends.max(pass_length(size) - 1),
        };
        RadixSequencer {
            size,
            unpacks,
            pass: (last_pass > 0).then(|| Counter::new(last_pass, 0).named("n")),
            bit_time: Counter::new(largest as u32, 0).named("t"),
        }
    }

    fn now(&self) -> Now<'_, S> {
        let (k, d) = self.size.bits();
        let (k, d) = (k as i64, d as i64);
        let pass = (self.pass.as_ref()).map_or(Number::constant(0), |pass| *pass.number());
        let is_last = pass.equals(k - i64::from(!self.unpacks));
        let t = self.bit_time.number();
        let unpack_begins = 4 * k + d - 1;
        let unpacks = S::gated(is_last, || t.at_least(unpack_begins));
        Now {
            k,
            d,
            length: pass_length(self.size) as i64,
            unpack_begins,
            unpacks: match self.unpacks {
                true => unpacks.named("unpacking"),
                false => S::ZERO,
            },
            is_last: is_last.named("is_last"),
            pass,
            t,
        }
    }

    /// Bit times of the last pass, and of the unpacking.
    fn ends(&self) -> i64 {
        let (k, d) = self.size.bits();
        let ends = match self.unpacks {
            true => 6 * k + 2 * d - 2,
            false => 4 * k + d - 1,
        };
        ends as i64
    }

    fn broadcast_passes(&self, now: &Now<'_, S>, strobes: &mut RadixStrobes<S>) {
        let k = self.size.dimensions;
        let running = !self.is_done();
        strobes.first = now.pass.equals(0);
        strobes.compacts = match self.unpacks {
            true => now.is_last,
            false => S::ZERO,
        };
        if k > 1 {
            // Of the passes with a key, the last has none after it.
            let keyed = (running & now.pass.at_most(now.k - 2)).named("key_follows");
            let t_plus_n = now.t.add(&now.pass, "t_plus_n");
            strobes.key_begins = keyed & t_plus_n.equals(4 * now.k - 4);
            strobes.key_ends = keyed & t_plus_n.equals(4 * now.k - 3);
            strobes.key_has_higher = now.pass.at_most(now.k - 3);
            strobes.header_prepares = running & now.t.equals(now.k - 1);
        }

        let counting = (running & now.until(2 * now.k - 1)).named("counting");
        let enumerator = &mut strobes.enumerator;
        enumerator.inject.drive(counting, 0..1, |_| S::ONE);
        let window = |d: usize, longer: i64| now.within(d as i64, 2 * d as i64 + longer);
        enumerator.drive.drive(counting, 0..k, |d| window(d, 0));
        enumerator.add.drive(counting, 0..k, |d| window(d, 1));
        enumerator.last.drive(counting, k - 1..k, |_| S::ONE);
        enumerator.rank_fill = counting & now.within(now.k - 1, 2 * now.k - 2);
        enumerator.rank_tap.drive(S::ONE, 0..1, |_| S::ONE);

        strobes.header = running & now.within(now.k, 2 * now.k - 1);
        strobes
            .header_bit
            .drive(counting, 0..k, |bit| now.t.equals(now.k + bit as i64));
        strobes.shift = running & (now.t.at_least(2 * now.k) | now.tail(now.k - 1));
    }

    fn broadcast_packer(&self, now: &Now<'_, S>, packer: &mut PackerStrobes<S>) {
        let k = self.size.dimensions;
        let running = !self.is_done();
        let busy = (running & (now.t.at_least(now.k) | now.tail(now.k - 1))).named("busy");
        packer.backward = now.unpacks;
        packer.inject.drive(busy, 0..k, |d| {
            let forward = S::gated(!now.unpacks, || constant(d == 0));
            forward | S::gated(now.unpacks, || constant(d == k - 1))
        });
        packer.arm.drive(busy, 0..k, |d| {
            let (first, last) = (d == 0, d == k - 1);
            let forward = S::gated(constant(!first), || now.t.equals(now.decides(d) - 1));
            let backward = || now.t.equals(now.unpack_decides(d) - 1);
            forward | S::gated(now.unpacks & constant(!last), backward)
        });
        packer.decide.drive(busy, 0..k, |d| {
            let backward = || now.t.equals(now.unpack_decides(d));
            now.t.equals(now.decides(d)) | S::gated(now.unpacks, backward)
        });
        packer.pass.drive(busy, 0..k, |d| {
            let (from, to) = (now.unpack_decides(d), now.unpack_ends(d));
            let forward = now.within(now.decides(d), now.passed(d)) | now.tail(d as i64);
            forward | S::gated(now.unpacks, || now.within(from, to))
        });
        packer.deliver.drive(busy, 0..k, |d| {
            let arrives = now.t.at_least(3 * now.k - 2) & !now.unpacks;
            let forward = || arrives | now.tail(now.k - 1);
            let backward = now.unpacks & now.t.at_least(now.unpack_begins + 2 * now.k - 2);
            S::gated(constant(d == k - 1), forward) | S::gated(constant(d == 0), || backward)
        });
    }
}

fn constant<S: Strobe>(value: bool) -> S {
    if value { S::ONE } else { S::ZERO }
}

/// A bit time, and when it is.
struct Now<'a, S: Strobe> {
    k: i64,
    d: i64,
    length: i64,
    unpack_begins: i64,
    unpacks: S,
    is_last: S,
    pass: Number<S>,
    t: &'a Number<S>,
}

impl<S: Strobe> Now<'_, S> {
    fn until(&self, last: i64) -> S {
        self.t.at_most(last)
    }

    fn within(&self, first: i64, last: i64) -> S {
        self.t.at_least(first) & self.t.at_most(last)
    }

    /// When the stage of dimension `d` decides.
    fn decides(&self, d: usize) -> i64 {
        self.k + 2 * d as i64
    }

    /// When it passes the last bit.
    fn passed(&self, d: usize) -> i64 {
        3 * self.k - 1 + d as i64 + self.d
    }

    /// When it decides as the row runs backwards.
    fn unpack_decides(&self, d: usize) -> i64 {
        self.unpack_begins + 2 * (self.k - 1 - d as i64)
    }

    /// When it then passes the last bit.
    fn unpack_ends(&self, d: usize) -> i64 {
        self.unpack_begins + 2 * self.k - 2 - d as i64 + self.d
    }

    /// 1 while the stage of dimension `d` still passes bits of the pass before.
    fn tail(&self, d: i64) -> S {
        let ends = 3 * self.k - 1 + d + self.d - self.length;
        match ends < 0 {
            true => S::ZERO,
            false => !self.pass.equals(0) & self.t.at_most(ends),
        }
    }
}

impl<S: Strobe> Sequencer<S> for RadixSequencer<S> {
    type Broadcast = RadixStrobes<S>;

    fn broadcast(&self, strobes: &mut RadixStrobes<S>) {
        let now = self.now();
        let running = !self.is_done();
        self.broadcast_passes(&now, strobes);
        self.broadcast_packer(&now, &mut strobes.packer);
        let unpacked = now.unpacks & now.t.equals(now.unpack_begins + 2 * now.k - 2);
        strobes.arrival = running & (now.t.equals(3 * now.k - 2) | unpacked);
    }

    fn clock(&mut self) {
        let now = self.now();
        let done = self.is_done();
        let next = (!now.is_last & now.t.equals(now.length - 1)).named("next_pass");
        if let Some(pass) = &mut self.pass {
            S::when(!done, &mut self.bit_time, |bit_time| {
                bit_time.count_or_set(next, 0);
            });
            S::when(next, pass, Counter::count);
        } else {
            S::when(!done, &mut self.bit_time, Counter::count);
        }
    }

    fn is_done(&self) -> S {
        let now = self.now();
        now.is_last & now.t.equals(self.ends())
    }
}

impl RadixSequencer<bool> {
    /// Where the schedule stands: a pass is an iteration, and the unpacking belongs to the last;
    /// `done` is the code of that.
    pub fn position(&self, done: u32) -> Position {
        let now = self.now();
        let bit_time = now.t.value();
        let step = match self.is_done() {
            true => done,
            false if now.unpacks => 3,
            false => 1 + u32::from(i64::from(bit_time) >= now.k),
        };
        Position {
            iteration: now.pass.value(),
            step,
            bit_time,
        }
    }
}
