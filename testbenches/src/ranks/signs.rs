//! Signs of life: each process gives one every second, and who gives none for long is lost.

use std::time::{Duration, Instant};

/// How often a sign is given.
const EVERY: Duration = Duration::from_secs(1);
/// Who is silent for so long is lost. A process that computes gives signs all the same, so this is only for what holds up a
/// whole computer.
pub const SILENCE: Duration = Duration::from_secs(10);

/// When others were last heard of.
pub struct Signs {
    others: Vec<Other>,
    next: Instant,
}

struct Other {
    rank: usize,
    heard: Instant,
    is_lost: bool,
}

impl Signs {
    /// Of these others, who begin now.
    pub fn new(others: impl Iterator<Item = usize>, now: Instant) -> Self {
        let other = |rank| Other {
            rank,
            heard: now,
            is_lost: false,
        };
        Signs {
            others: others.map(other).collect(),
            next: now,
        }
    }

    /// Something is heard of a rank. One that was taken to be lost was slow: it gets signs again, or it would soon take this
    /// process to be lost.
    pub fn heard(&mut self, rank: usize, now: Instant) {
        if let Some(other) = self.others.iter_mut().find(|other| other.rank == rank) {
            other.heard = now;
            other.is_lost = false;
        }
    }

    /// To whom a sign is to be given now.
    pub fn due(&mut self, now: Instant) -> Vec<usize> {
        if now < self.next {
            return Vec::new();
        }
        self.next = now + EVERY;
        let alive = self.others.iter().filter(|other| !other.is_lost);
        alive.map(|other| other.rank).collect()
    }

    /// Who is lost from now on.
    pub fn lost(&mut self, now: Instant) -> Vec<usize> {
        let is_silent = |other: &&mut Other| {
            !other.is_lost && now.saturating_duration_since(other.heard) >= SILENCE
        };
        let silent = self.others.iter_mut().filter(is_silent);
        silent
            .map(|other| {
                other.is_lost = true;
                other.rank
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_silent_for_long_is_lost_once_and_gets_no_more_signs_until_it_is_heard_again() {
        let begin = Instant::now();
        let after = |seconds: f64| begin + Duration::from_secs_f64(seconds);
        let mut signs = Signs::new(1..4, begin);
        assert_eq!(signs.due(begin), [1, 2, 3]);
        assert!(signs.due(after(0.9)).is_empty());
        assert_eq!(signs.due(after(1.0)), [1, 2, 3]);
        signs.heard(1, after(5.0));
        signs.heard(3, after(9.0));
        assert!(signs.lost(after(9.9)).is_empty());
        assert_eq!(signs.lost(after(10.0)), [2]);
        assert_eq!(signs.due(after(10.0)), [1, 3]);
        assert!(signs.lost(after(14.9)).is_empty());
        assert_eq!(signs.lost(after(15.0)), [1]);
        assert_eq!(signs.due(after(16.0)), [3]);
        signs.heard(2, after(17.0));
        assert_eq!(signs.due(after(17.0)), [2, 3]);
        assert!(signs.lost(after(18.9)).is_empty());
        assert_eq!(signs.lost(after(19.0)), [3]);
        assert!(signs.lost(after(26.9)).is_empty());
        assert_eq!(signs.lost(after(27.0)), [2]);
        assert!(signs.due(after(30.0)).is_empty());
        assert!(signs.lost(after(60.0)).is_empty());
    }
}
