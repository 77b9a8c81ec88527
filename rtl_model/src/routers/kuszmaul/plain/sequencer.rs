//! The sequencer of Algorithm 2, one step after the other.
//!
//! ```text
//!   [iteration i] [step 1..6, 7 done] [bit_time t of the step]
//!         |              |                  |
//!         +-- t+i, t+2i, t+3i --------------+--> compare with constants --> strobes
//! ```
//!
//! A window's bounds are linear in `d` and `i`, so each bound is one comparison of `t`, `t+i`,
//! `t+2i` or `t+3i` with a number that is wired in. With `r = d-i`, `m = k-1-i`, `L = m+D` (`m` in
//! step 5):
//!
//! ```text
//!   step   length    what                                 bit times
//!   1      L+1       decide; stream on dimension i        0; 1 .. L
//!   2, 4   2m-1      total on dimension d                 r-1 .. 2r-2
//!                    adders of dimension d                r-1 .. 2r-1
//!                    rank register                        m-1 .. 2m-2
//!   3, 5   2m+L-1    decide; pass of dimension d          2r-2; .. m+r-2+L
//!                    header; body into dimension i+1      0 .. m-1; m ..
//!                    valid bit; body out of dimension k-1 2m-2; 2m-1 ..
//!   6      2m+L-1    as 3 with r = k-d, into dimension k-1, out of dimension i+1
//! ```

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::{Position, Sequencer};
use crate::parts::counter::{Counter, Number};
use crate::registers;
use crate::routers::kuszmaul::plain::strobes::PlainStrobes;
use crate::routers::permutation::Size;

const FIRST_STEP: u32 = 1;
const DONE: u32 = 7;

/// Three counters and their decode. A cube of one dimension has one iteration of one step, so it
/// only counts bit times, and remembers that it is done.
#[derive(Clone, Debug)]
pub struct PlainSequencer<B: Bit> {
    /// `k`, signed: bounds of windows are differences.
    dimensions: i64,
    /// `D`.
    payload_bits: i64,
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
struct Decode<S> {
    /// Step `n` is under way: `step[n]`.
    step: [S; DONE as usize + 1],
    /// `t`, `t+i`, `t+2i`, `t+3i`.
    t: [Number<S>; 4],
    /// The last bit time of the step.
    last: S,
    /// The step packs, forward (3, 5) or backward (6).
    packing: S,
    /// A packing's header enters its first stage.
    header: S,
    /// A packing's last stage delivers the valid bit.
    arrival: S,
    /// A packing's last stage delivers the body.
    body: S,
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
            dimensions: dimensions as i64,
            payload_bits: payload_bits as i64,
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
        let (k, payload) = (self.dimensions, self.payload_bits);
        let (t, i) = (*self.bit_time.number(), self.iteration());
        let t1 = t.add(&i, "t_plus_i");
        let t2 = t.add(&i.doubled(), "t_plus_2i");
        let t3 = t1.add(&i.doubled(), "t_plus_3i");
        let step = std::array::from_fn(|step| self.is_step(step as u32));
        let [_, cross, twos, messages, empties, addresses, back, _] = step;
        let enumerating = (twos | empties).named("enumerating");
        let moving_messages = (messages | back).named("moving_messages");
        let packing = (messages | addresses | back).named("packing");
        let last = S::gated(cross, || t1.equals(k - 1 + payload))
            | S::gated(enumerating, || t2.equals(2 * k - 4))
            | S::gated(moving_messages, || t3.equals(3 * k - 5 + payload))
            | S::gated(addresses, || t3.equals(3 * k - 5));
        Decode {
            step,
            last: last.named("last"),
            packing,
            header: S::gated(packing, || t1.at_most(k - 2)).named("header"),
            arrival: S::gated(packing, || t2.equals(2 * k - 4)).named("arrival"),
            body: S::gated(packing, || t2.at_least(2 * k - 3)).named("body"),
            t: [t, t1, t2, t3],
        }
    }

    /// 1 where dimension `d` is among those that are left: `d > i`.
    fn is_left(&self, dimension: i64) -> S {
        self.iteration().at_most(dimension - 1)
    }

    /// 1 where dimension `d` is the lowest that is left: `d = i+1`.
    fn is_lowest(&self, dimension: i64) -> S {
        self.iteration().equals(dimension - 1)
    }

    fn broadcast_exchange(&self, decode: &Decode<S>, strobes: &mut PlainStrobes<S>) {
        let k = self.dimensions as usize;
        let cross = decode.step[1];
        let running = !decode.step[DONE as usize];
        let is_iteration = |i: usize| self.iteration().equals(i as i64);
        strobes.message_tap.drive(running, 0..k, is_iteration);
        strobes.exchange.drive(cross, 0..k, is_iteration);
        strobes.exchange_decide = S::gated(cross, || decode.t[0].equals(0)).named("decide");
    }

    fn broadcast_enumeration(&self, decode: &Decode<S>, strobes: &mut PlainStrobes<S>) {
        let k = self.dimensions;
        let left = 1..k as usize;
        let enumerating = (decode.step[2] | decode.step[4]).named("enumerating");
        let [_, t1, t2, _] = &decode.t;
        let enumerator = &mut strobes.enumerator;
        enumerator
            .inject
            .drive(enumerating, left.clone(), |d| self.is_lowest(d as i64));
        let from_until =
            |d: i64, last: i64| self.is_left(d) & t1.at_least(d - 1) & t2.at_most(last);
        enumerator.drive.drive(enumerating, left.clone(), |d| {
            from_until(d as i64, 2 * d as i64 - 2)
        });
        enumerator.add.drive(enumerating, left, |d| {
            from_until(d as i64, 2 * d as i64 - 1)
        });
        let top = self.dimensions as usize - 1;
        enumerator
            .last
            .drive(enumerating, top.max(1)..top + 1, |_| S::ONE);
        enumerator.rank_fill = S::gated(enumerating, || t1.at_least(k - 2));
        enumerator.rank_drain = (decode.step[3] | decode.step[5]) & decode.header;
        // The rank has m bits: its first bit enters at position m-1.
        enumerator
            .rank_tap
            .drive(enumerating, 0..k as usize - 1, |position| {
                self.iteration().equals(k - 2 - position as i64)
            });
    }

    fn broadcast_packing(&self, decode: &Decode<S>, strobes: &mut PlainStrobes<S>) {
        let (k, payload) = (self.dimensions, self.payload_bits);
        let left = 1..k as usize;
        let [t, _, t2, t3] = &decode.t;
        let [_, _, _, messages, empties, addresses, back, _] = decode.step;
        let packing = decode.packing;
        let is_top = |d: i64| if d == k - 1 { S::ONE } else { S::ZERO };
        // The stage that a step's row begins with, and the one that it ends with.
        let begins = |d: i64| back.mux(is_top(d), self.is_lowest(d));
        let ends = |d: i64| back.mux(self.is_lowest(d), is_top(d));
        // `bit_time` of stage r = d-i forward and r = k-d backward: 2r-2 and its neighbours.
        let in_order = |d: i64, beside: i64| {
            S::choose(
                back,
                || t.equals(2 * (k - d) - 2 + beside),
                || t2.equals(2 * d - 2 + beside),
            )
        };
        let packer = &mut strobes.packer;

        packer
            .inject
            .drive(packing, left.clone(), |d| begins(d as i64));
        packer.arm.drive(packing, left.clone(), |d| {
            self.is_left(d as i64) & in_order(d as i64, -1)
        });
        packer.decide.drive(packing, left.clone(), |d| {
            self.is_left(d as i64) & in_order(d as i64, 0)
        });
        packer.pass.drive(packing, left.clone(), |d| {
            let d = d as i64;
            // Until m+r-2 and the body after that: m+D bits of a message, m bits of an address.
            let until = S::gated(messages, || t3.at_most(2 * k - 4 + d + payload))
                | S::gated(addresses, || t3.at_most(2 * k - 4 + d))
                | S::gated(back, || t2.at_most(3 * k - 4 - d + payload));
            let from = S::choose(
                back,
                || t.at_least(2 * (k - d) - 2),
                || t2.at_least(2 * d - 2),
            );
            self.is_left(d) & from & until
        });
        packer
            .deliver
            .drive(decode.arrival | decode.body, left.clone(), |d| {
                ends(d as i64)
            });
        packer.backward = back;

        strobes.empties = empties | addresses;
        strobes.send_second = (messages | back) & !decode.header;
        strobes
            .send_address
            .drive(addresses & !decode.header, left, |d| {
                t2.equals(k - 2 + d as i64)
            });
        strobes.rendezvous_pop = back & decode.header;
        strobes.rendezvous_push = addresses & decode.body;
    }

    fn broadcast_buffers(&self, decode: &Decode<S>, strobes: &mut PlainStrobes<S>) {
        let [_, cross, _, messages, _, _, back, _] = decode.step;
        let stream = (cross & !strobes.exchange_decide).named("stream");
        let another_follows = self.is_left(self.dimensions - 1);
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
        let Decode { step, last, .. } = self.decode();
        let [_, cross, _, _, _, _, back, done] = step;
        let over = (last & cross & !self.is_left(self.dimensions - 1)).named("over");
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
