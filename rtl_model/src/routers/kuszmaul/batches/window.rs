//! When a stage does something with a batch, counted in bit times from the batch's beginning at that stage.

/// The stretch of bit times `from ..= to`, or every second of them. What begins before the stage's own first bit time has a negative
/// `from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first bit time.
    pub from: i64,
    /// The last one.
    pub to: i64,
    /// Bit times from one to the next: 1, or 2.
    pub every: i64,
}

impl Window {
    /// `from ..= to`: nothing, if `to` is before `from`.
    pub fn new(from: i64, to: i64) -> Self {
        Window { from, to, every: 1 }
    }

    /// One bit time.
    pub fn at(bit_time: i64) -> Self {
        Window::new(bit_time, bit_time)
    }

    /// So many bit times, each the second after the one before it.
    pub fn every_second(from: i64, amount: usize) -> Self {
        Window {
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
        Window {
            from: self.from + later,
            to: self.to + later,
            ..self
        }
    }

    /// Up to `longer` bit times longer.
    pub fn and(self, longer: i64) -> Self {
        Window {
            to: self.to + longer,
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
    pub fn meets(self, other: Window) -> bool {
        let (from, to) = (self.from.max(other.from), self.to.min(other.to));
        // Whether both have a bit time is repeated after so many of them.
        let repeated = from + self.every * other.every - 1;
        (from..=to.min(repeated)).any(|t| self.contains(t) && other.contains(t))
    }
}

/// A unit of a stage has a wire in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The dimension that the wire crosses.
    pub dimension: usize,
    /// The unit, as it is called in [`Transmit::drive`](crate::language::wires::Transmit::drive).
    pub unit: &'static str,
    /// When.
    pub window: Window,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_the_bit_times_that_it_contains() {
        let windows = (-3..4).flat_map(|from| {
            let stretches = (-1..6).map(move |longer| Window::new(from, from + longer));
            stretches.chain((0..5).map(move |amount| Window::every_second(from, amount)))
        });
        let windows: Vec<Window> = windows.collect();
        for window in &windows {
            let bit_times = || (-20..20).filter(|t| window.contains(*t));
            assert_eq!(window.length(), bit_times().count(), "{window:?}");
            if window.length() > 0 {
                assert_eq!(bit_times().next(), Some(window.from));
                assert_eq!(bit_times().next_back(), Some(window.to));
            }
            for t in -10..20 {
                let over = bit_times().filter(|bit_time| *bit_time <= t).count();
                assert_eq!(window.over(t), over as i64, "{window:?} {t}");
                assert_eq!(window.later(2).contains(t), window.contains(t - 2));
            }
            for other in &windows {
                let meets = bit_times().any(|t| other.contains(t));
                assert_eq!(window.meets(*other), meets, "{window:?} {other:?}");
            }
        }
        assert_eq!(Window::every_second(3, 4).to, 9);
    }
}
