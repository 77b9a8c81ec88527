//! Comparisons of a bit time with the bounds of windows.

use crate::language::bit::Strobe;
use crate::parts::counter::Number;
use crate::parts::windows::moment::Moment;
use crate::parts::windows::stretch::Stretch;
use crate::parts::windows::window::Window;

/// How a number is compared with another.
#[derive(Clone, Copy, Debug)]
pub enum Comparison {
    /// No less.
    AtLeast,
    /// No more.
    AtMost,
    /// Just so much.
    Equal,
}

impl Comparison {
    /// Its outcome.
    #[inline]
    pub fn of<S: Strobe>(self, number: &Number<S>, bound: i64) -> S {
        match self {
            Comparison::AtLeast => number.at_least(bound),
            Comparison::AtMost => number.at_most(bound),
            Comparison::Equal => number.equals(bound),
        }
    }
}

impl Window {
    /// 1 in the window's bit times, given the outcomes of comparisons with its bounds. Windows of every second bit time have no
    /// such form.
    #[inline]
    pub fn compared<S: Strobe>(self, compare: impl Fn(Comparison, Moment) -> S) -> S {
        debug_assert_eq!(self.every, 1);
        if [self.from; 2] == self.ends {
            return compare(Comparison::Equal, self.from);
        }
        let begun = compare(Comparison::AtLeast, self.from);
        self.until_end(begun, |end| compare(Comparison::AtMost, end))
    }

    /// 1 up to the earlier of its ends, given what has begun, and which bit times an end is not behind.
    #[inline]
    pub fn until_end<S: Strobe>(self, begun: S, until: impl Fn(Moment) -> S) -> S {
        let [end, other] = self.ends;
        let within = begun & until(end);
        match other == end {
            true => within,
            false => within & until(other),
        }
    }
}

impl Stretch {
    /// 1 in the stretch's bit times, given the number of the bit time.
    #[inline]
    pub fn has<S: Strobe>(self, bit_time: &Number<S>) -> S {
        let Stretch { from, to, every } = self;
        if to < from {
            return S::ZERO;
        }
        let within = match from == to {
            true => bit_time.equals(from),
            false => bit_time.at_least(from) & bit_time.at_most(to),
        };
        match (every, from % 2 == 0) {
            (1, _) => within,
            (_, true) => within & !bit_time.bit(0),
            (_, false) => within & bit_time.bit(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_has_the_bit_times_that_it_contains() {
        for from in -3..7 {
            for length in 0..6 {
                let stretches = [
                    Stretch::new(from, from + length as i64 - 1),
                    Stretch::every_second(from, length),
                ];
                for stretch in stretches {
                    for t in 0..20u32 {
                        let has = stretch.has(&Number::<bool>::constant(t));
                        assert_eq!(has, stretch.contains(i64::from(t)), "{stretch:?} {t}");
                    }
                }
            }
        }
    }
}
