//! The sequencer of Algorithm 2, one step after the other.
//!
//! ```text
//!   [iteration i] [step 1..6, 7 done] [bit_time t of the step]
//!         |              |                  |
//!         +-- t+i, t+2i, t+3i --------------+--> compare with constants --> strobes
//! ```
//!
//! Windows count from the beginning of their step. A bound is linear in `d` and `i`, so it is one
//! comparison of `t`, `t+i`, `t+2i` or `t+3i` with a number that is wired in. In step 6 rows run the
//! other way round.

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::{Position, Sequencer};
use crate::parts::counter::{Counter, Number};
use crate::parts::dimensions::RowOrder;
use crate::parts::packer::Run;
use crate::parts::windows::{AtTimes, Moment, Now, Window, moment, window};
use crate::registers;
use crate::routers::kuszmaul::enumeration::COUNTS;
use crate::routers::kuszmaul::now::{CROSS, TimelineNow};
use crate::routers::kuszmaul::plain::strobes::PlainStrobes;
use crate::routers::permutation::Size;

const FIRST_STEP: u32 = 1;
const DONE: u32 = 7;

/// No step takes so long, so none goes on under the next.
pub const LONGEST: Moment = moment("3m+L");
/// Steps 3 and 6: messages on the wire of stage `r`, a header of `m` bits and a body of `L`.
pub const PACKS: Window = window("2r-2 .. m+r-2+L");
/// Step 5: addresses, of `m` bits.
pub const ADDRESSES: Window = window("2r-2 .. 2m+r-2");
/// Headers enter their first stage.
const HEADER: Window = window("0 .. m-1");
/// The bit of a node's address across dimension `d` enters it behind them.
const ADDRESS_BIT: Window = window("m+r-1");

/// Three counters and their decode. A cube of one dimension has one iteration of one step, so it
/// only counts bit times, and remembers that it is done.
#[derive(Clone, Debug)]
pub struct PlainSequencer<B: Bit> {
    size: Size,
    iteration: Option<Counter<B>>,
    step: Option<Counter<B>>,
    bit_time: Counter<B>,
    done: Option<B>,
}
registers!(PlainSequencer {
    iteration: "i, the dimension that step 1 exchanges on",
    step: "steps 1 to 6 of Algorithm 2; 7: done",
    bit_time: "t, bit times since the step began",
    done: "step 1 of the only iteration is over",
});

/// The counters, decoded: what all strobes of a bit time are made from.
struct Decode<S: Strobe> {
    /// Step `n` is under way: `step[n]`.
    step: [S; DONE as usize + 1],
    /// The step enumerates (2, 4).
    enumerating: S,
    /// The last bit time of the step.
    last: S,
    /// A packing's header enters its first stage.
    header: S,
    /// A packing's last stage delivers the valid bit.
    arrival: S,
    /// A packing's last stage delivers the body.
    body: S,
    time: TimelineNow<S>,
}

impl<S: Strobe> PlainSequencer<S> {
    /// About to begin step 1 of iteration 0.
    pub fn new(size: Size) -> Self {
        let Size {
            dimensions,
            payload_bits,
        } = size;
        // The last bit time of the longest step, in iteration 0: step 1, or steps 3 and 6.
        let m = dimensions - 1;
        let longest = (m + payload_bits).max((3 * m + payload_bits).saturating_sub(2)) as u32;
        PlainSequencer {
            size,
            iteration: (m > 0).then(|| Counter::new(m as u32, 0).named("i")),
            step: (m > 0).then(|| Counter::new(DONE, FIRST_STEP).named("step")),
            bit_time: Counter::new(longest, 0).named("t"),
            done: (m == 0).then_some(S::ZERO),
        }
    }

    fn iteration(&self) -> Number<S> {
        (self.iteration.as_ref()).map_or(Number::constant(0), |counter| *counter.number())
    }

    /// 1 while a step is under way, and [`DONE`] when all are over.
    fn is_step(&self, step: u32) -> S {
        match (&self.step, self.done) {
            (Some(counter), _) => counter.number().equals(i64::from(step)),
            (None, Some(done)) if step == FIRST_STEP => !done,
            (None, Some(done)) if step == DONE => done,
            _ => S::ZERO,
        }
    }

    fn decode(&self) -> Decode<S> {
        let schedule = (self.size, RowOrder::Ascending, LONGEST);
        let running = !self.is_step(DONE);
        let time = TimelineNow::new(schedule, *self.bit_time.number(), self.iteration(), running);
        let step = std::array::from_fn(|step| self.is_step(step as u32));
        let [_, cross, twos, messages, empties, addresses, back, _] = step;
        let enumerating = (twos | empties).named("enumerating");
        let moving_messages = (messages | back).named("moving_messages");
        let packing = (messages | addresses | back).named("packing");
        let ends =
            |step: S, window: Window| S::gated(step, || time.is(window.of_last_stage().end()));
        let last = ends(cross, CROSS)
            | ends(enumerating, COUNTS)
            | ends(moving_messages, PACKS)
            | ends(addresses, ADDRESSES);
        let delivered = PACKS.of_last_stage().from;
        Decode {
            step,
            enumerating,
            last: last.named("last"),
            header: S::gated(packing, || time.until(HEADER.end())).named("header"),
            arrival: S::gated(packing, || time.is(delivered)).named("arrival"),
            body: S::gated(packing, || time.since(delivered + 1)).named("body"),
            time,
        }
    }

    fn broadcast_exchange(&self, decode: &Decode<S>, strobes: &mut PlainStrobes<S>) {
        let k = self.size.dimensions;
        let cross = decode.step[1];
        let running = !decode.step[DONE as usize];
        let is_iteration = |i: usize| self.iteration().equals(i as i64);
        strobes.message_tap.drive(running, 0..k, is_iteration);
        strobes.exchange.drive(cross, 0..k, is_iteration);
        strobes.exchange_decide = S::gated(cross, || decode.time.is(CROSS.from)).named("decide");
    }

    fn broadcast_enumeration(&self, decode: &Decode<S>, strobes: &mut PlainStrobes<S>) {
        let [_, _, _, messages, _, addresses, _, _] = decode.step;
        let (k, enumerator) = (self.size.dimensions, &mut strobes.enumerator);
        let row = AtTimes::forward(decode.enumerating, &decode.time);
        enumerator.decode(&row, [COUNTS], 1);
        enumerator.rank_drain = (messages | addresses) & decode.header;
        // The rank has m bits: its first bit enters at position m-1.
        enumerator
            .rank_tap
            .drive(decode.enumerating, 0..k - 1, |position| {
                self.iteration().equals((k - 2 - position) as i64)
            });
    }

    fn broadcast_packing(&self, decode: &Decode<S>, strobes: &mut PlainStrobes<S>) {
        let [_, _, _, messages, empties, addresses, back, _] = decode.step;
        let time = &decode.time;
        let of_messages = AtTimes::forward(messages, time);
        let of_addresses = AtTimes::forward(addresses, time);
        let of_back = AtTimes::backward(back, time);
        strobes.packer.decode(&[
            Run::delivering(&of_messages, PACKS),
            Run::delivering(&of_addresses, ADDRESSES),
            Run::delivering(&of_back, PACKS),
        ]);
        strobes.empties = empties | addresses;
        strobes.send_second = (messages | back) & !decode.header;
        of_addresses.drive(&mut strobes.send_address, &[ADDRESS_BIT]);
        strobes.rendezvous_pop = back & decode.header;
        strobes.rendezvous_push = addresses & decode.body;
    }

    fn broadcast_buffers(&self, decode: &Decode<S>, strobes: &mut PlainStrobes<S>) {
        let [_, cross, _, messages, _, _, back, _] = decode.step;
        let stream = (cross & !strobes.exchange_decide).named("stream");
        let another_follows = !decode.time.is_last;
        strobes.first_shift = cross | (back & decode.body);
        strobes.first_fill = stream | (back & decode.body);
        strobes.first_arrival = back & decode.arrival;
        strobes.second_shift = (stream & another_follows) | strobes.send_second;
        strobes.second_fill = (stream & another_follows) | (messages & decode.body);
        strobes.second_arrival = messages & decode.arrival;
    }
}

impl<S: Strobe> Sequencer<S> for PlainSequencer<S> {
    type Broadcast = PlainStrobes<S>;

    fn broadcast(&self, strobes: &mut PlainStrobes<S>) {
        let decode = self.decode();
        self.broadcast_exchange(&decode, strobes);
        self.broadcast_enumeration(&decode, strobes);
        self.broadcast_packing(&decode, strobes);
        self.broadcast_buffers(&decode, strobes);
    }

    fn clock(&mut self) {
        let Decode {
            step, last, time, ..
        } = self.decode();
        let [_, cross, _, _, _, _, back, done] = step;
        let over = (last & cross & time.is_last).named("over");
        self.bit_time.count_or_set(last | done, 0);
        if let Some(step) = &mut self.step {
            S::when(last, step, |step| step.count_or_set(back, FIRST_STEP));
            S::when(over, step, |step| step.set(DONE));
        }
        if let Some(iteration) = &mut self.iteration {
            let next_iteration = (last & back).named("next_iteration");
            S::when(next_iteration, iteration, Counter::count);
        }
        if let Some(done) = &mut self.done {
            S::when(over, done, |done| *done = S::ONE);
        }
    }

    fn is_done(&self) -> S {
        self.is_step(DONE)
    }
}

impl PlainSequencer<bool> {
    /// Where the schedule stands.
    pub fn position(&self) -> Position {
        let step = match &self.step {
            Some(counter) => counter.number().value(),
            None if self.is_done() => DONE,
            None => FIRST_STEP,
        };
        Position {
            iteration: self.iteration().value(),
            step,
            bit_time: self.bit_time.number().value(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::strobes::Strobes;
    use crate::machine::meter::Storage;
    use crate::parts::counter::width_for;

    fn size(dimensions: usize, payload_bits: usize) -> Size {
        Size {
            dimensions,
            payload_bits,
        }
    }

    /// Bit times of each (iteration, step), counted off a running sequencer.
    fn lengths(k: usize, payload: usize) -> Vec<(u32, u32, u32)> {
        let mut sequencer = PlainSequencer::<bool>::new(size(k, payload));
        let mut lengths: Vec<(u32, u32, u32)> = Vec::new();
        while !sequencer.is_done() {
            let position = sequencer.position();
            match lengths.last_mut() {
                Some((i, step, length)) if (*i, *step) == (position.iteration, position.step) => {
                    assert_eq!(position.bit_time, *length);
                    *length += 1;
                }
                _ => lengths.push((position.iteration, position.step, 1)),
            }
            sequencer.clock();
        }
        lengths
    }

    #[test]
    fn every_step_takes_as_long_as_the_schedule_says() {
        for k in 1..=12u32 {
            for payload in [1, 2, 7, 40] {
                let mut expected = Vec::new();
                for i in 0..k {
                    let m = k - 1 - i;
                    let l = m + payload;
                    expected.push((i, 1, l + 1));
                    if m > 0 {
                        expected.extend([
                            (i, 2, 2 * m - 1),
                            (i, 3, 2 * m + l - 1),
                            (i, 4, 2 * m - 1),
                            (i, 5, 3 * m - 1),
                            (i, 6, 2 * m + l - 1),
                        ]);
                    }
                }
                assert_eq!(lengths(k as usize, payload as usize), expected);
            }
        }
    }

    #[test]
    fn no_counter_is_wider_than_it_needs_to_be() {
        for k in 1..=12u32 {
            for payload in [1, 2, 7, 40] {
                let sequencer = PlainSequencer::<bool>::new(size(k as usize, payload as usize));
                let widest = lengths(k as usize, payload as usize)
                    .iter()
                    .map(|(_, _, length)| width_for(length - 1))
                    .max();
                let storage = Storage::of::<bool>(&sequencer);
                let steps_and_iterations = match k {
                    1 => 1,
                    _ => 3 + width_for(k - 1),
                };
                assert_eq!(widest, Some(storage.total - steps_and_iterations));
            }
        }
    }

    #[test]
    fn a_sequencer_that_is_done_stays_so_and_is_silent() {
        let mut sequencer = PlainSequencer::<bool>::new(size(3, 2));
        while !sequencer.is_done() {
            sequencer.clock();
        }
        let mut strobes = PlainStrobes::idle();
        for _ in 0..5 {
            sequencer.broadcast(&mut strobes);
            assert!(sequencer.is_done());
            assert!(strobes.exchange.active().is_empty());
            assert!(strobes.packer.pass.active().is_empty());
            assert!(strobes.enumerator.drive.active().is_empty());
            assert!(!strobes.first_shift && !strobes.second_shift);
            sequencer.clock();
        }
    }
}
