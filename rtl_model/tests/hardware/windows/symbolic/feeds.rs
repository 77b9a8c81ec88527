//! Which bits come from which: what no table says. Each feed is the way of bits from one wire to the next that carries them on.

use std::collections::BTreeSet;

use rtl_model::parts::windows::{Moment, Window, moment};

use super::forms::{At, Form, J, Shown, System, here, next, number};
use super::streams::Piece;

/// Bits of a wire, from one on.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    window: Window,
    /// The number of the row's stage, in the letters of a window; nothing of a wire that messages cross.
    stage: Option<Moment>,
    /// The number of the first bit.
    bit: Moment,
    /// When the step begins that the window counts from.
    begins: Moment,
}

/// How many bit times a bit is under way from one wire to the next, the one in which it is sent included.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// So many: it goes through registers that shift in every bit time.
    Just(Moment),
    /// No fewer: it waits in a buffer.
    AtLeast(i64),
}

/// Through one register.
pub const NEXT_BIT_TIME: Takes = Takes::Just(moment("1"));
/// Through a buffer.
pub const ANY: Takes = Takes::AtLeast(1);

/// Bits of one wire are those of another, one for one.
#[derive(Clone, Copy, Debug)]
pub struct Feed {
    from: Part,
    to: Part,
    takes: Takes,
    amount: Option<Moment>,
    carries: i64,
    is_turned: bool,
    is_next: bool,
}

/// A window, the beginning of its step, the number of a stage and that of a bit.
pub type Bit = (Window, Moment, usize, i64);

impl Part {
    /// Of the wire of a row's stage.
    pub const fn of_row(window: Window, stage: &str, bit: &str) -> Self {
        Part {
            stage: Some(moment(stage)),
            ..Part::of_crossed(window, bit)
        }
    }

    /// Of the wire that messages cross.
    pub const fn of_crossed(window: Window, bit: &str) -> Self {
        Part {
            window,
            stage: None,
            bit: moment(bit),
            begins: Moment::ZERO,
        }
    }

    /// In a step that begins then.
    pub const fn since(self, begins: Moment) -> Self {
        Part { begins, ..self }
    }

    /// What is on the wire, the number of the first bit, and what the stage must be to be one.
    fn in_forms(&self, at: At) -> (Piece, Form, Vec<Form>) {
        let stage = self.stage.map(|stage| at.value(stage));
        let is_one = stage.map_or(Vec::new(), |stage| vec![stage - 1, at.m - stage]);
        let there = At {
            r: stage.unwrap_or(number(0)),
            begins: at.begins + at.value(self.begins),
            ..at
        };
        (Piece::of(self.window, there), at.value(self.bit), is_one)
    }

    /// In numbers: the stage, if there is one, the number of the first bit, and how many there are on the wire.
    fn in_numbers(&self, m: usize, payload_bits: usize, r: usize) -> Option<(usize, i64, i64)> {
        let value = |moment: Moment| moment.value(m, payload_bits, r);
        let stage = match self.stage {
            None => 0,
            Some(stage) => usize::try_from(value(stage)).ok()?,
        };
        let is_one = self.stage.is_none() || (1..=m).contains(&stage);
        let bits = self.window.stretch(m, payload_bits, stage).length() as i64;
        is_one.then_some((stage, value(self.bit), bits))
    }
}

/// Bits of a stage's wire.
pub const fn on(window: Window, stage: &str, bit: &str) -> Part {
    Part::of_row(window, stage, bit)
}

impl Feed {
    /// All bits that the consumer has from its first one on.
    pub const fn new(from: Part, to: Part, takes: Takes) -> Self {
        Feed {
            from,
            to,
            takes,
            amount: None,
            carries: 0,
            is_turned: false,
            is_next: false,
        }
    }

    /// So many bits of them.
    pub const fn first(self, amount: &str) -> Self {
        Feed {
            amount: Some(moment(amount)),
            ..self
        }
    }

    /// The consumer's last bits are carries of a sum, and come from no bit of the producer.
    pub const fn carrying(self, carries: i64) -> Self {
        Feed { carries, ..self }
    }

    /// The producer's bits are counted down.
    pub const fn turned(self) -> Self {
        Feed {
            is_turned: true,
            ..self
        }
    }

    /// The consumer is of the next iteration.
    pub const fn next(self) -> Self {
        Feed {
            is_next: true,
            ..self
        }
    }

    /// With other windows.
    pub fn each(self, window: impl Fn(Window) -> Window) -> Self {
        let [from, to] = [self.from, self.to].map(|part| Part {
            window: window(part.window),
            ..part
        });
        Feed { from, to, ..self }
    }

    /// No bit of the consumer is sent before its bit of the producer has come, and it does come.
    fn check(&self, length: Moment, sizes: &System) -> Shown {
        let here = here();
        let then = match self.is_next {
            false => here,
            true => next(here.value(length), here.r),
        };
        let (from, first, is_stage) = self.from.in_forms(here);
        let (to, into, is_other) = self.to.in_forms(then);
        let mut sizes = sizes.and(&is_stage).and(&is_other).and(&[J]);
        if let Some(amount) = self.amount {
            sizes = sizes.and(&[here.value(amount) - 1 - J]);
        }
        let turns = if self.is_turned { -1 } else { 1 };
        let (first, into) = (first + J * turns, into + J);
        let sent = sizes.and(&to.has(into));
        let both = sent.and(&from.has(first));
        both.may_be(&format_args!("{self:?}"))?;
        let taken = to.time(into) - from.time(first);
        let least = match self.takes {
            Takes::AtLeast(bit_times) => number(bit_times),
            Takes::Just(bit_times) => {
                let early = both.and(&[taken - here.value(bit_times) - 1]);
                early.refuted(&format_args!("{self:?}: waits too long"))?;
                here.value(bit_times)
            }
        };
        let late = both.and(&[least - 1 - taken]);
        late.refuted(&format_args!("{self:?}: late"))?;
        let [is_there, ..] = from.has(first);
        let [_, end, other_end] = from.has(first - self.carries);
        for received in [is_there, end, other_end] {
            let missing = sent.and(&[number(-1) - received]);
            missing.refuted(&format_args!("{self:?}: sent, but never received"))?;
        }
        Ok(())
    }

    /// In numbers: the bits that it takes, and those that it sends.
    fn bits(&self, m: usize, payload_bits: usize) -> (Vec<Bit>, Vec<Bit>) {
        let (mut taken, mut sent) = (Vec::new(), Vec::new());
        let turns = if self.is_turned { -1 } else { 1 };
        for r in 1..=m {
            let then = m - usize::from(self.is_next);
            let from = self.from.in_numbers(m, payload_bits, r);
            let to = self.to.in_numbers(then, payload_bits, r);
            let (Some((stage, first, bits)), Some((into_stage, into, room))) = (from, to) else {
                continue;
            };
            let amount = self.amount.map(|amount| amount.value(m, payload_bits, r));
            for j in 0..amount.unwrap_or(i64::MAX).min(room - into) {
                let (from, to) = (first + turns * j, into + j);
                sent.push((self.to.window, self.to.begins, into_stage, to));
                if (0..bits).contains(&from) {
                    taken.push((self.from.window, self.from.begins, stage, from));
                }
            }
        }
        (taken, sent)
    }
}

/// No bit of any feed is late, for all of these sizes.
pub fn are_in_time(feeds: &[Feed], length: Moment, sizes: &System) -> Shown {
    feeds.iter().try_for_each(|feed| feed.check(length, sizes))
}

/// In numbers, where `m` dimensions are left: each of these bits comes from a bit before it, and is for one behind it.
pub fn are_whole(feeds: &[Feed], bits: &[Bit], (m, payload_bits): (usize, usize)) -> Shown {
    let (mut taken, mut sent) = (BTreeSet::new(), BTreeSet::new());
    for feed in feeds {
        let (of_feed, into_it) = feed.bits(m, payload_bits);
        taken.extend(of_feed.iter().map(|bit| format!("{bit:?}")));
        // What comes from the iteration before, which left one dimension more.
        let into_it = match feed.is_next {
            true => feed.bits(m + 1, payload_bits).1,
            false => into_it,
        };
        sent.extend(into_it.iter().map(|bit| format!("{bit:?}")));
    }
    for bit in bits.iter().map(|bit| format!("{bit:?}")) {
        if !sent.contains(&bit) {
            return Err(format!("m={m} D={payload_bits} {bit} comes from nowhere"));
        }
        if !taken.contains(&bit) {
            return Err(format!("m={m} D={payload_bits} {bit} is for nothing"));
        }
    }
    Ok(())
}
