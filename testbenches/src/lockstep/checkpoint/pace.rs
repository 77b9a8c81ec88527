//! When a run pauses, so that checkpoints come as often as was asked for.

use std::time::{Duration, Instant};

/// The first of so many parts of a run is looked at to know how long bit times take.
const FIRST_PART: u64 = 64;

/// How fast a run goes.
pub struct Pace {
    /// Seconds from one checkpoint to the next.
    every: f64,
    /// From when on time counts towards the next one.
    since: Instant,
    /// The bit times that are being gone through begin here, and began then.
    stretch: (u64, Instant),
    /// Seconds that a bit time took, and how many were gone through at once.
    pub last: Option<(f64, u64)>,
    /// Seconds that bit times took in a run before.
    pub before: f64,
    /// Those of this one.
    spent: Duration,
}

impl Pace {
    /// Of a run that goes on from one that took some seconds.
    pub fn new(every: f64, before: f64) -> Self {
        let now = Instant::now();
        Pace {
            every,
            since: now,
            stretch: (0, now),
            last: None,
            before,
            spent: Duration::ZERO,
        }
    }

    /// The time to the next checkpoint begins now.
    pub fn begin_again(&mut self) {
        self.since = Instant::now();
    }

    /// Seconds that bit times took, those of runs before included.
    pub fn seconds(&self) -> f64 {
        self.before + self.spent.as_secs_f64()
    }

    /// How many bit times to go through next: one at least, of so many in all.
    pub fn stretch(&self, all: u64) -> u64 {
        let left = (self.every - self.since.elapsed().as_secs_f64()).max(0.0);
        let stretch = match self.last {
            None => all / FIRST_PART,
            // Later bit times may take longer than those that were looked at.
            Some((seconds, last)) => ((left / seconds.max(1e-9)) as u64).min(2 * last),
        };
        stretch.max(1)
    }

    /// They begin.
    pub fn set_out(&mut self, bit_time: u64) {
        self.stretch = (bit_time, Instant::now());
    }

    /// They are over: whether it is time for a checkpoint.
    pub fn come_to(&mut self, bit_time: u64) -> bool {
        let (from, begun) = self.stretch;
        let (took, bit_times) = (begun.elapsed(), (bit_time - from).max(1));
        self.spent += took;
        self.last = Some((took.as_secs_f64() / bit_times as f64, bit_times));
        // A little earlier rather than much later.
        self.since.elapsed().as_secs_f64() >= 0.9 * self.every
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_grow_to_what_is_left_and_no_faster_than_by_two() {
        let mut pace = Pace::new(1000.0, 3.0);
        assert_eq!(pace.stretch(6400), 100);
        assert_eq!(pace.stretch(3), 1);
        pace.set_out(0);
        assert!(!pace.come_to(100));
        assert_eq!(pace.stretch(6400), 200);
        // Bit times of a second each: what is left is less than twice as many.
        pace.last = Some((1.0, 800));
        let left = pace.stretch(6400);
        assert!((990..1000).contains(&left), "{left}");
        assert!(pace.seconds() >= 3.0);
    }

    #[test]
    fn a_checkpoint_is_due_after_its_time() {
        let mut pace = Pace::new(1e-9, 0.0);
        pace.set_out(5);
        assert!(pace.come_to(6));
        assert_eq!(pace.stretch(6400), 1);
    }
}
