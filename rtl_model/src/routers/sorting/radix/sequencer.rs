//! The sequencer of a radix sort: passes, the bit times of each, and the windows of all steps.
//!
//! ```text
//!   [pass n] [bit time t of the pass]
//! ```
//!
//! A row goes over all dimensions: `m = k`, `L = k+D`, and `r = d+1`; as it unpacks, `r = k-d`. A pass
//! begins `T = max(3k+D, 4k-2)` after the one before it, the unpacking with bit time `U = 4k+D-1` of the
//! last pass, from which its windows count.
//!
//! A pass ends under the beginning of the next: its wires are busy up to bit time `d-1` of that, or
//! less. Of key `n+1`, destination bit `n+2` comes in `4k-4-n` and bit `n+1` one bit time later.

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::{Position, Sequencer};
use crate::parts::counter::{Counter, Number};
use crate::parts::packer::Run;
use crate::parts::windows::{AtTimes, Moment, Now, SingleRow, Stretch, Window, moment, window};
use crate::registers;
use crate::routers::kuszmaul::enumeration::COUNTS;
use crate::routers::kuszmaul::packing::PACKS as UNPACKS;
use crate::routers::permutation::Size;
use crate::routers::sorting::radix::strobes::RadixStrobes;

/// Bit times between the beginnings of two passes: the more of these.
pub const PASS: [Moment; 2] = [moment("2m+L"), moment("4m-2")];
/// From the beginning of the last pass to that of the unpacking.
pub const LAST_PASS: Moment = moment("3m+L-1");

/// Bit times between the beginnings of two passes.
pub(super) fn pass_length(size: Size) -> usize {
    let (k, d) = size.bits();
    let [free, keyed] = PASS.map(|bit_times| bit_times.value(k, d, 0) as usize);
    free.max(keyed)
}

/// Messages on the wire of stage `r`.
pub const PACKS: Window = window("m+2r-2 .. 2m+r-2+L");
/// The packing's source gives header bits, of which the first is prepared one bit time before.
const HEADER: Window = window("m .. 2m-1");
/// Then it gives messages.
const SENDS: Moment = moment("2m");

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

    fn now(&self) -> PassTime<'_, S> {
        let (k, d) = self.size.bits();
        let pass = (self.pass.as_ref()).map_or(Number::constant(0), |pass| *pass.number());
        let is_last = pass.equals(k as i64 - i64::from(!self.unpacks));
        let t = self.bit_time.number();
        let unpack_begins = LAST_PASS.value(k, d, 0);
        let unpacks = S::gated(is_last, || t.at_least(unpack_begins));
        PassTime {
            size: self.size,
            length: pass_length(self.size) as i64,
            unpack_begins,
            unpacks: match self.unpacks {
                true => unpacks.named("unpacking"),
                false => S::ZERO,
            },
            is_first: pass.equals(0),
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

    fn broadcast_keys(&self, now: &PassTime<'_, S>, strobes: &mut RadixStrobes<S>) {
        let k = self.size.dimensions as i64;
        let running = !self.is_done();
        strobes.first = now.is_first;
        strobes.compacts = match self.unpacks {
            true => now.is_last,
            false => S::ZERO,
        };
        if k > 1 {
            // Of the passes with a key, the last has none after it.
            let keyed = (running & now.pass.at_most(k - 2)).named("key_follows");
            let t_plus_n = now.t.add(&now.pass, "t_plus_n");
            strobes.key_begins = keyed & t_plus_n.equals(4 * k - 4);
            strobes.key_ends = keyed & t_plus_n.equals(4 * k - 3);
            strobes.key_has_higher = now.pass.at_most(k - 3);
            strobes.header_prepares = now.row().within(HEADER.begins(-1));
        }
    }
}

/// A bit time of a pass.
struct PassTime<'a, S: Strobe> {
    size: Size,
    length: i64,
    unpack_begins: i64,
    unpacks: S,
    is_first: S,
    is_last: S,
    pass: Number<S>,
    t: &'a Number<S>,
}

impl<S: Strobe> PassTime<'_, S> {
    /// Of a pass: its end comes under the beginning of the next.
    fn row(&self) -> SingleRow<impl Fn(Stretch) -> S> {
        SingleRow {
            dimensions: self.size.dimensions,
            payload_bits: self.size.payload_bits,
            during: |stretch: Stretch| stretch.has(self.t) | self.carried(stretch),
        }
    }

    /// 1 while the end of a stretch of the pass before is still coming.
    fn carried(&self, stretch: Stretch) -> S {
        let left = Stretch::new(0, stretch.to - self.length);
        S::gated(!self.is_first, || left.has(self.t))
    }

    /// Of the unpacking.
    fn unpacking_row(&self) -> SingleRow<impl Fn(Stretch) -> S> {
        SingleRow {
            dimensions: self.size.dimensions,
            payload_bits: self.size.payload_bits,
            during: |stretch: Stretch| stretch.later(self.unpack_begins).has(self.t),
        }
    }
}

impl<S: Strobe> Sequencer<S> for RadixSequencer<S> {
    type Broadcast = RadixStrobes<S>;

    fn broadcast(&self, strobes: &mut RadixStrobes<S>) {
        let (now, k) = (self.now(), self.size.dimensions);
        let (row, unpacking) = (now.row(), now.unpacking_row());
        let row_back = AtTimes::backward(now.unpacks, &unpacking);
        self.broadcast_keys(&now, strobes);
        strobes.enumerator.decode(&row, [COUNTS], 1);
        strobes.header = row.within(HEADER);
        let header_bits = strobes.header;
        strobes.header_bit.drive(header_bits, 0..k, |bit| {
            row.within(HEADER.begins(bit as i32))
        });
        strobes.packer.decode(&[
            Run::delivering(&row, PACKS),
            Run::delivering(&row_back, UNPACKS),
        ]);
        let delivered = PACKS.of_last_stage();
        let (k, payload_bits) = self.size.bits();
        let ends = now.carried(delivered.stretch(k, payload_bits, 0));
        let sends = now.t.at_least(SENDS.value(k, payload_bits, 0));
        strobes.shift = !self.is_done() & (sends | ends);
        let unpacked = row_back.within(UNPACKS.of_last_stage().begins(0));
        strobes.arrival = row.within(delivered.begins(0)) | unpacked;
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
            false => 1 + u32::from(i64::from(bit_time) >= self.size.dimensions as i64),
        };
        Position {
            iteration: now.pass.value(),
            step,
            bit_time,
        }
    }
}
