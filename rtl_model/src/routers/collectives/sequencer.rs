//! The sequencer: counts bit times, and broadcasts what the program has for each.
//!
//! ```text
//!   [ bit_time 0 .. ] --+--> read-only memory: for each channel, who sends, who receives, and the addresses
//!                       +--> is the last --> done
//! ```
//!
//! The read-only memory is the program itself; while logic is written down it becomes muxes over the bits of the count. No node
//! is mentioned in it.

use std::sync::Arc;

use crate::language::bit::{Bit, Strobe};
use crate::language::lines::{Lines, MAX_LINES};
use crate::machine::router::{Position, Sequencer};
use crate::parts::counter::Counter;
use crate::parts::word::Word;
use crate::registers;
use crate::routers::collectives::program::{Condition, Line, Side, Transfer};
use crate::routers::collectives::score::Score;
use crate::routers::collectives::strobes::{ChannelStrobes, CollectiveStrobes, WhoStrobes};

/// The sequencer.
#[derive(Clone, Debug)]
pub struct CollectiveSequencer<B: Bit> {
    score: Arc<Score>,
    bit_time: Counter<B>,
    source: Word<B>,
}
registers!(CollectiveSequencer {
    bit_time: "of the run",
    source: "the address of the node whose relative address is 0"
});

/// The transfer that is under way in a bit time, and the bit time.
type Now<'a> = (Option<&'a Transfer>, usize);

/// Where the read-only memory is read: at a bit time that is known, or by the bits of the count.
struct Reader<'a, S> {
    score: &'a Score,
    channel: usize,
    known: Option<Now<'a>>,
    count: &'a Counter<S>,
}

impl<S: Strobe> Reader<'_, S> {
    /// A line of the memory.
    fn line(&self, of: &impl Fn(Now<'_>) -> bool) -> S {
        match self.known {
            Some(now) => constant(of(now)),
            None => {
                let number = self.count.number();
                self.among(0, number.width(), of)
            }
        }
    }

    /// Among the bit times from `from` on that the lowest bits of the count tell apart.
    fn among(&self, from: usize, places: usize, of: &impl Fn(Now<'_>) -> bool) -> S {
        if from >= self.score.program().bit_times {
            return S::ZERO;
        }
        match places.checked_sub(1) {
            None => constant(of((self.score.under_way(self.channel, from), from))),
            Some(place) => {
                let [zero, one] =
                    [from, from + (1 << place)].map(|from| self.among(from, place, of));
                self.count.number().bit(place).mux(one, zero)
            }
        }
    }

    /// A bundle of so many lines that spell a number.
    fn lines(&self, lines: &mut Lines<S>, width: usize, number: impl Fn(Now<'_>) -> u64) {
        let numbers = 0..width.min(MAX_LINES);
        match self.known {
            Some(now) => {
                let number = number(now);
                let enable = constant::<S>(number != 0);
                lines.drive(enable, numbers, |place| constant(number >> place & 1 == 1));
            }
            None => lines.drive(S::ONE, numbers, |place| {
                self.line(&|now| number(now) >> place & 1 == 1)
            }),
        }
    }

    fn who(&self, who: &mut WhoStrobes<S>, side: impl Fn(&Transfer) -> &Side) {
        let n = self.score.program().cube.count();
        let under_way = |now: Now<'_>, number: &dyn Fn(&Condition) -> u64| {
            now.0.map_or(0, |transfer| number(&side(transfer).who))
        };
        let one_hot = |count: Option<usize>| count.map_or(0, |count| 1 << count);
        self.lines(&mut who.care, 32, |now| {
            under_way(now, &|who| who.care.into())
        });
        self.lines(&mut who.pattern, 32, |now| {
            under_way(now, &|who| who.pattern.into())
        });
        self.lines(&mut who.low, n + 1, |now| {
            under_way(now, &|who| one_hot(who.low))
        });
        self.lines(&mut who.high, n + 1, |now| {
            under_way(now, &|who| one_hot(who.high))
        });
        who.any_low = self.line(&|now| under_way(now, &|who| who.low.is_none().into()) == 1);
        who.any_high = self.line(&|now| under_way(now, &|who| who.high.is_none().into()) == 1);
    }

    fn channel(&self, strobes: &mut ChannelStrobes<S>) {
        let score = self.score;
        let shifts = |(transfer, now): Now<'_>| {
            transfer.is_some_and(|transfer| transfer.shifts().contains(&now))
        };
        strobes.shift = self.line(&shifts);
        self.who(&mut strobes.senders, |transfer| &transfer.sends);
        self.who(&mut strobes.receivers, |transfer| &transfer.receives);
        let words = |(transfer, now): Now<'_>| {
            let transfer = transfer.filter(|transfer| transfer.shifts().contains(&now))?;
            Some((now - transfer.first_bit()) % transfer.adds?)
        };
        strobes.add = self.line(&|now| words(now).is_some());
        strobes.first = self.line(&|now| words(now) == Some(0));
        self.lines(&mut strobes.amount, score.amount_bits(), |now| {
            now.0.map_or(0, |transfer| transfer.bits as u64)
        });
        for (number, line) in strobes.lines.iter_mut().enumerate() {
            let found = |side: &Side| side.lines.iter().find(|one| one.line == number).copied();
            let sent = |now: Now<'_>| now.0.and_then(|transfer| found(&transfer.sends));
            let received = |now: Now<'_>| now.0.and_then(|transfer| found(&transfer.receives));
            line.sends = self.line(&|now| sent(now).is_some());
            line.receives = self.line(&|now| received(now).is_some());
            let begins =
                |(transfer, now): Now<'_>| transfer.is_some_and(|transfer| transfer.begin == now);
            let ends = |(transfer, now): Now<'_>| {
                transfer.is_some_and(|transfer| transfer.end() == now + 1)
            };
            line.reserves =
                self.line(&|now| begins(now) && received(now).is_some_and(|line| line.counted));
            line.releases =
                self.line(&|now| ends(now) && sent(now).is_some_and(|line| line.counted));
            let width = score.address_bits();
            self.lines(&mut line.read, width, |now| address(now, sent(now)));
            self.lines(&mut line.write, width, |now| address(now, received(now)));
        }
    }
}

/// The address of the bit of a line that crosses; 0 where none does.
fn address((transfer, now): Now<'_>, line: Option<Line>) -> u64 {
    let transfer = transfer.filter(|transfer| transfer.shifts().contains(&now));
    let crosses = transfer.zip(line);
    crosses.map_or(0, |(transfer, line)| {
        (line.address + now - transfer.first_bit()) as u64
    })
}

fn constant<S: Strobe>(bit: bool) -> S {
    if bit { S::ONE } else { S::ZERO }
}

impl<S: Strobe> CollectiveSequencer<S> {
    /// At the first bit time.
    pub(super) fn new(score: Arc<Score>) -> Self {
        let program = score.program();
        // Who has no source has no use for its address.
        let width = if program.source == 0 {
            0
        } else {
            program.cube.count()
        };
        let mut source = Word::new(width, S::ZERO);
        for place in (0..width).filter(|place| program.source >> place & 1 == 1) {
            source[place] = S::ONE;
        }
        CollectiveSequencer {
            bit_time: Counter::new(program.bit_times as u32, 0).named("bit_time"),
            source,
            score,
        }
    }

    /// The bit time, where its bits are known.
    fn known(&self) -> Option<usize> {
        let number = self.bit_time.number();
        (0..number.width()).try_fold(0, |value, place| {
            let bit = number.bit(place);
            match (bit.is_known_zero(), bit.is_known_one()) {
                (true, _) => Some(value),
                (_, true) => Some(value | 1 << place),
                _ => None,
            }
        })
    }
}

impl<S: Strobe> Sequencer<S> for CollectiveSequencer<S> {
    type Broadcast = CollectiveStrobes<S>;

    fn broadcast(&self, strobes: &mut CollectiveStrobes<S>) {
        let (score, known) = (&*self.score, self.known());
        if strobes.channels.len() != score.channels().len() {
            let channels = score.channels().iter();
            strobes.channels = channels
                .map(|_| ChannelStrobes::new(score.lines()))
                .collect();
        }
        for (channel, strobes) in strobes.channels.iter_mut().enumerate() {
            let reader = Reader {
                score,
                channel,
                known: known.map(|now| (score.under_way(channel, now), now)),
                count: &self.bit_time,
            };
            reader.channel(strobes);
        }
        let reorder = score.program().reorder.as_ref();
        strobes.reorder = reorder.map_or(S::ZERO, |reorder| {
            self.bit_time.number().equals(reorder.bit_time as i64)
        });
        strobes
            .source
            .drive(S::ONE, 0..self.source.width(), |place| self.source[place]);
    }

    fn clock(&mut self) {
        let runs = !self.is_done();
        S::when(runs, &mut self.bit_time, Counter::count);
    }

    fn is_done(&self) -> S {
        self.bit_time
            .number()
            .equals(self.score.program().bit_times as i64)
    }
}

/// The steps by name.
pub(super) const STEPS: [&str; 3] = ["done", "START", "SHIFT"];

impl CollectiveSequencer<bool> {
    /// The bit time, while the run lasts.
    pub fn now(&self) -> Option<usize> {
        let now = self.bit_time.number().value() as usize;
        (now < self.score.program().bit_times).then_some(now)
    }

    /// The routing step that began last, and the bit time of it.
    pub fn step(&self) -> Option<(usize, usize)> {
        let now = self.now()?;
        let steps = &self.score.program().steps;
        let step = steps
            .partition_point(|begin| *begin <= now)
            .checked_sub(1)?;
        Some((step, now - steps[step]))
    }

    /// Where it stands: an iteration a routing step.
    pub(super) fn position(&self, start_up: usize) -> Position {
        let at = |iteration: usize, step, bit_time: usize| Position {
            iteration: iteration as u32,
            step,
            bit_time: bit_time as u32,
        };
        match self.step() {
            None => at(0, 0, 0),
            Some((step, bit)) => match bit.checked_sub(start_up) {
                None => at(step, 1, bit),
                Some(bit) => at(step, 2, bit),
            },
        }
    }
}
