//! Bit times in numbers: what a window is at one stage of one machine.

/// The stretch of bit times `from ..= to`, or every second of them, counted from the beginning of an iteration or of a batch at its
/// stage. What begins earlier has a negative `from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The first bit time.
    pub from: i64,
    /// The last one.
    pub to: i64,
    /// Bit times from one to the next: 1, or 2.
    pub every: i64,
}

impl Stretch {
    /// `from ..= to`: nothing, if `to` is before `from`.
    pub fn new(from: i64, to: i64) -> Self {
        Stretch { from, to, every: 1 }
    }

    /// One bit time.
    pub fn at(bit_time: i64) -> Self {
        Stretch::new(bit_time, bit_time)
    }

    /// So many bit times, each the second after the one before it.
    pub fn every_second(from: i64, amount: usize) -> Self {
        Stretch {
            from,
            to: from + 2 * (amount as i64 - 1),
            every: 2,
        }
    }

    /// Bit times in it.
    pub fn length(self) -> usize {
        usize::try_from((self.to - self.from).div_euclid(self.every) + 1).unwrap_or(0)
    }

    /// The same, `later` bit times later.
    pub fn later(self, later: i64) -> Self {
        Stretch {
            from: self.from + later,
            to: self.to + later,
            ..self
        }
    }

    /// Whether it is one of its bit times.
    pub fn contains(self, bit_time: i64) -> bool {
        (self.from..=self.to).contains(&bit_time)
            && (bit_time - self.from).rem_euclid(self.every) == 0
    }

    /// How many of its bit times are over once `bit_time` is.
    pub fn over(self, bit_time: i64) -> i64 {
        let begun = (bit_time - self.from).div_euclid(self.every) + 1;
        begun.clamp(0, self.length() as i64)
    }

    /// Whether the two have a bit time in common.
    pub fn meets(self, other: Stretch) -> bool {
        let (from, to) = (self.from.max(other.from), self.to.min(other.to));
        // Whether both have a bit time is repeated after so many of them.
        let repeated = from + self.every * other.every - 1;
        (from..=to.min(repeated)).any(|t| self.contains(t) && other.contains(t))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_is_the_bit_times_that_it_contains() {
        let stretches = (-3..4).flat_map(|from| {
            let stretches = (-1..6).map(move |longer| Stretch::new(from, from + longer));
            stretches.chain((0..5).map(move |amount| Stretch::every_second(from, amount)))
        });
        let stretches: Vec<Stretch> = stretches.collect();
        for stretch in &stretches {
            let bit_times = || (-20..20).filter(|t| stretch.contains(*t));
            assert_eq!(stretch.length(), bit_times().count(), "{stretch:?}");
            if stretch.length() > 0 {
                assert_eq!(bit_times().next(), Some(stretch.from));
                assert_eq!(bit_times().next_back(), Some(stretch.to));
            }
            for t in -10..20 {
                let over = bit_times().filter(|bit_time| *bit_time <= t).count();
                assert_eq!(stretch.over(t), over as i64, "{stretch:?} {t}");
                assert_eq!(stretch.later(2).contains(t), stretch.contains(t - 2));
            }
            for other in &stretches {
                let meets = bit_times().any(|t| other.contains(t));
                assert_eq!(stretch.meets(*other), meets, "{stretch:?} {other:?}");
            }
        }
        assert_eq!(Stretch::every_second(3, 4).to, 9);
    }
}
