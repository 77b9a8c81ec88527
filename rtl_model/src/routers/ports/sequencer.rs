//! The sequencer: counts bit times, phases and turns, and tells the nodes.
//!
//! ```text
//!   bit time of a step   0 .. T-1   T ........ T+B-1
//!                        START      SHIFT             then the next phase
//!   decide               *
//!   shift                           * * * * * *
//!   commit                                    *
//!   ask                         * * * * * * *         one bit time ahead, for the source's host
//! ```
//!
//! `ahead` is a second count that runs one bit time before the first: the source's host is asked for what the source sends in the
//! next bit time.

use crate::language::bit::{Bit, Strobe, any};
use crate::language::lines::Lines;
use crate::machine::router::{Position, Sequencer};
use crate::parts::counter::{Counter, Number, width_for};
use crate::parts::word::Word;
use crate::registers;
use crate::routers::ports::algorithm::{Algorithm, PortModel};
use crate::routers::ports::broadcast::{Broadcast, Turns};
use crate::routers::ports::strobes::PortStrobes;

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Moment {
    bit: usize,
    phase: usize,
    turn: usize,
    falling: bool,
    done: bool,
}

/// A count of bit times, phases and turns.
#[derive(Clone, Debug)]
pub struct Count<B: Bit> {
    start_up: usize,
    packet_bits: usize,
    turns: Turns,
    bit: Counter<B>,
    phase: Counter<B>,
    turn: Counter<B>,
    falling: Option<B>,
    done: B,
}
registers!(Count {
    bit: "of the step",
    phase,
    turn,
    falling: "the second half of a phase",
    done: "the last step is over"
});

impl<S: Strobe> Count<S> {
    fn new((start_up, packet_bits): (usize, usize), turns: Turns, at: Option<Moment>) -> Self {
        let begin = Moment {
            bit: 0,
            phase: 0,
            turn: 0,
            falling: false,
            done: false,
        };
        let moment = at.unwrap_or(begin);
        let counter = |largest, at| Counter::new(largest as u32, at as u32);
        let constant = |bit| if bit { S::ONE } else { S::ZERO };
        Count {
            start_up,
            packet_bits,
            turns,
            bit: counter(start_up + packet_bits - 1, moment.bit),
            phase: counter(turns.phases - 1, moment.phase),
            turn: counter(turns.last_turn(), moment.turn),
            falling: turns.has_halves.then(|| constant(moment.falling)),
            done: constant(moment.done),
        }
    }

    fn ends_step(&self) -> S {
        let last = self.start_up + self.packet_bits - 1;
        self.bit.number().equals(last as i64)
    }

    /// The phase of that number, counted from the first turn on.
    fn is_phase(&self, number: usize) -> S {
        let Turns { phases, .. } = self.turns;
        self.phase.number().equals((number % phases) as i64)
            & self.turn.number().equals((number / phases) as i64)
    }

    fn is_last_phase(&self) -> S {
        self.is_phase(self.turns.last)
    }

    /// Another half of the same phase comes.
    fn has_second_half(&self) -> S {
        match self.falling {
            None => S::ZERO,
            Some(falling) => !falling & self.turn.number().at_least(1) & !self.is_last_phase(),
        }
    }

    fn shifts(&self) -> S {
        !self.done & self.bit.number().at_least(self.start_up as i64)
    }

    fn clock(&mut self) {
        let ends_step = self.ends_step();
        let second_half = ends_step & self.has_second_half();
        let ends_phase = ends_step & !self.has_second_half();
        let is_last = self.is_last_phase();
        let ends_turn = ends_phase & self.phase.number().equals(self.turns.phases as i64 - 1);
        let before_last = match self.turns.last {
            0 => S::ZERO,
            last => self.is_phase(last - 1),
        };
        self.bit.count_or_set(ends_step, 0);
        S::when(ends_phase, &mut self.phase, |phase| {
            phase.count_or_set(ends_turn, 0);
        });
        S::when(ends_turn, &mut self.turn, |turn| turn.count());
        if let Some(falling) = &mut self.falling {
            // The last phase begins with its second half.
            let next = second_half | before_last;
            S::when(ends_step, falling, |falling| *falling = next);
        }
        self.done = self.done | ends_phase & is_last;
    }
}

/// The sequencer.
#[derive(Clone, Debug)]
pub struct PortSequencer<B: Bit> {
    broadcast: Broadcast,
    now: Count<B>,
    ahead: Count<B>,
    source: Word<B>,
}
registers!(PortSequencer {
    now: "where the run stands",
    ahead: "one bit time later",
    source: "the address of the source"
});

impl<S: Strobe> PortSequencer<S> {
    /// Of a broadcast.
    pub(super) fn new(broadcast: &Broadcast, turns: Turns) -> Self {
        let bits = (broadcast.start_up, broadcast.packet_bits);
        // A step of one bit time is over at once.
        let phase = 1 % turns.phases;
        let second = match broadcast.step_bit_times() {
            1 => Moment {
                bit: 0,
                phase,
                turn: usize::from(phase == 0 && turns.last > 0),
                falling: turns.has_halves && turns.last == 1,
                done: turns.last == 0,
            },
            _ => Moment {
                bit: 1,
                phase: 0,
                turn: 0,
                falling: false,
                done: false,
            },
        };
        let mut source = Word::new(broadcast.cube.count(), S::ZERO);
        for dimension in 0..source.width() {
            if broadcast.source >> dimension & 1 == 1 {
                source[dimension] = S::ONE;
            }
        }
        PortSequencer {
            broadcast: *broadcast,
            now: Count::new(bits, turns, None),
            ahead: Count::new(bits, turns, Some(second)),
            source,
        }
    }
}

impl<S: Strobe> PortSequencer<S> {
    /// The group that the source sends of in the next bit time, and by how much the trees of the channels are rotated.
    fn asked_for(&self) -> [Number<S>; 2] {
        let Count { turn, phase, .. } = &self.ahead;
        let (turn, phase) = (*turn.number(), phase.number());
        let n = self.broadcast.cube.count();
        let last = self.broadcast.groups() - 1;
        let none = Number::constant(0);
        match (self.broadcast.algorithm, self.broadcast.ports) {
            (Algorithm::MultipleTrees, PortModel::OneWay | PortModel::TwoWay) => [turn, *phase],
            // Stage k takes packet i across port i+k.
            (Algorithm::Broadcast2, _) => {
                let width = width_for(n as u32 - 1);
                let bit = |place: usize| {
                    let stages = (0..n).filter(|stage| ((n - stage) % n) >> place & 1 == 1);
                    any(stages.map(|stage| phase.equals(stage as i64)))
                };
                [none, Number::of_bits((0..width).map(bit))]
            }
            (Algorithm::Broadcast3B | Algorithm::Broadcast4, _) => {
                let is_second_wave = turn.equals(last as i64 + 1);
                let last = Number::constant(last as u32);
                let group = last.where_else(is_second_wave, &turn);
                [group, Number::of_bits([is_second_wave])]
            }
            _ => [turn, none],
        }
    }
}

/// Drives a number onto a bundle.
fn tell<S: Strobe>(number: &Number<S>, enable: S, lines: &mut Lines<S>) {
    lines.drive(enable, 0..number.width(), |place| number.bit(place));
}

impl<S: Strobe> Sequencer<S> for PortSequencer<S> {
    type Broadcast = PortStrobes<S>;

    fn broadcast(&self, strobes: &mut PortStrobes<S>) {
        let now = &self.now;
        let runs = !now.done;
        strobes.decide = runs & now.bit.number().equals(0);
        strobes.shift = now.shifts();
        strobes.commit = runs & now.ends_step() & !now.has_second_half();
        strobes.falling = runs & now.falling.unwrap_or(S::ZERO);
        strobes.last = runs & now.is_last_phase();
        tell(now.turn.number(), runs, &mut strobes.turn);
        strobes.phase.drive(runs, 0..now.turns.phases, |phase| {
            now.phase.number().equals(phase as i64)
        });
        let source = |dimension| self.source[dimension];
        strobes.source.drive(runs, 0..self.source.width(), source);
        strobes.ask = runs & self.ahead.shifts();
        let first = self.ahead.bit.number().equals(self.ahead.start_up as i64);
        strobes.ask_first = strobes.ask & first;
        let [group, rotation] = self.asked_for();
        tell(&group, strobes.ask, &mut strobes.ask_group);
        tell(&rotation, strobes.ask, &mut strobes.ask_rotation);
    }

    fn clock(&mut self) {
        self.now.clock();
        self.ahead.clock();
    }

    fn is_done(&self) -> S {
        self.now.done
    }
}

/// The steps by name.
pub(super) const STEPS: [&str; 4] = ["done", "START", "SHIFT", ""];

impl PortSequencer<bool> {
    /// Where it stands: an iteration a routing step.
    pub(super) fn position(&self) -> Position {
        let now = &self.now;
        if now.done {
            return Position {
                iteration: 0,
                step: 0,
                bit_time: 0,
            };
        }
        let turns = &now.turns;
        let phase = now.turn.number().value() * turns.phases as u32 + now.phase.number().value();
        // Of halves, the first turn has one a phase, and so has the last phase.
        let first_turn = turns.phases as u32;
        let iteration = match now.falling {
            None => phase,
            Some(falling) => {
                let pairs = phase.saturating_sub(first_turn);
                let is_second = falling && phase < turns.last as u32;
                phase + pairs + u32::from(is_second)
            }
        };
        let (bit, start_up) = (now.bit.number().value(), now.start_up as u32);
        match bit.checked_sub(start_up) {
            None => Position {
                iteration,
                step: 1,
                bit_time: bit,
            },
            Some(bit_time) => Position {
                iteration,
                step: 2,
                bit_time,
            },
        }
    }
}
