//! When what happens at a stage: a bit time as each batch there counts it.

use std::ops::Range;

use crate::language::bit::Strobe;
use crate::language::lines::Lines;
use crate::parts::counter::Counter;
use crate::parts::windows::{Now, Stretch, Window};
use crate::routers::kuszmaul::batches::extent::Extent;

/// A bit time, counted from the beginning of each batch at some stage.
pub struct At<'a, S: Strobe> {
    /// The stage.
    pub extent: Extent,
    pub(super) phase: &'a Counter<S>,
    pub(super) period: &'a Counter<S>,
    pub(super) running: S,
    pub(super) begins: i64,
    pub(super) interval: i64,
    pub(super) batches: i64,
}

impl<S: Strobe> At<'_, S> {
    /// 1 in that bit time of a batch.
    pub fn is(&self, bit_time: i64) -> S {
        self.during(Stretch::at(bit_time))
    }

    /// 1 in a stretch of a batch's bit times.
    pub fn during(&self, window: Stretch) -> S {
        if window.to < window.from {
            return S::ZERO;
        }
        let Stretch { from, to, every } = window.later(self.begins);
        let (first, last) = (from.div_euclid(self.interval), to.div_euclid(self.interval));
        let mut within = S::ZERO;
        for later in first..=last {
            // The first and the last phase of the window in that period.
            let (from, to) = (from - later * self.interval, to - later * self.interval);
            let last = to.min(self.interval - 1);
            let phases = || match every {
                1 => self.phases(from.max(0), last),
                _ => {
                    let begin = from.max(from.rem_euclid(every));
                    match last - (last - begin).rem_euclid(every) {
                        end if begin > end => S::ZERO,
                        end => self.every_second_phase(begin, end),
                    }
                }
            };
            within = within | S::gated(self.is_of_a_batch(later), phases);
        }
        within & self.running
    }

    /// 1 in a bit time of any of these stretches.
    pub fn during_any(&self, windows: impl IntoIterator<Item = Stretch>) -> S {
        windows
            .into_iter()
            .fold(S::ZERO, |any, window| any | self.during(window))
    }

    /// Drives one line, if `is_there`, and no other.
    pub fn line(&self, lines: &mut Lines<S>, number: usize, strobe: S) {
        lines.drive(strobe, number..number + 1, |_| S::ONE);
    }

    /// 1 where a batch began so many periods ago.
    fn is_of_a_batch(&self, periods: i64) -> S {
        let number = self.period.number();
        let begun = match periods {
            0 => S::ONE,
            _ => number.at_least(periods),
        };
        begun & number.at_most(periods + self.batches - 1)
    }

    /// 1 in every second one of these phases, the first and the last of them included: all are odd, or all are even.
    fn every_second_phase(&self, begin: i64, end: i64) -> S {
        let phases = self.phases(begin, end);
        if begin == end {
            return phases;
        }
        let odd = self.phase.number().bit(0);
        match begin % 2 {
            0 => phases & !odd,
            _ => phases & odd,
        }
    }

    /// 1 in these phases.
    fn phases(&self, begin: i64, end: i64) -> S {
        let number = self.phase.number();
        if begin == end {
            return number.equals(begin);
        }
        let begun = if begin == 0 {
            S::ONE
        } else {
            number.at_least(begin)
        };
        let not_ended = match end == self.interval - 1 {
            true => S::ONE,
            false => number.at_most(end),
        };
        begun & not_ended
    }
}

/// Batches do not wait for one another: a window that ends behind the next batch's beginning is on wires that this one leaves free.
impl<S: Strobe> Now<S> for At<'_, S> {
    fn row(&self) -> Range<usize> {
        self.extent.subcube()
    }

    fn stands(&self) -> bool {
        true
    }

    fn within(&self, window: Window) -> S {
        debug_assert!(window.is_of_row());
        self.during(self.extent.stretch(window, 0))
    }

    fn within_at(&self, dimension: usize, window: Window) -> S {
        self.during(self.extent.stretch(window, dimension - self.extent.lowest))
    }
}
