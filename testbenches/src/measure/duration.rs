//! How much work points are, and how long a sweep would take.
//!
//! A part of the work of a bit time is the same whatever the size of the machine, and a part grows with it. What each of them
//! takes here and now is found out by smaller runs.

use std::path::Path;
use std::time::Instant;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::measure::GridPoint;
use crate::output::{Stream, note};
use crate::progress;

/// Hours that nobody needs to be asked for.
pub(crate) const UNASKED_HOURS: f64 = 1.0;
/// Seconds that a run is told to take before it begins, if they may be many.
pub const TOLD_SECONDS: f64 = 180.0;

/// How much work a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Bit times: in each of them something is done whatever the size.
    pub bit_times: f64,
    /// Bit times, times the size of the machine.
    pub sized: f64,
}

impl Work {
    /// As one number, to compare points with each other.
    pub fn units(self) -> u64 {
        Cost::USUAL.of(self) as u64
    }
}

/// What work takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// For a bit time, whatever the size.
    pub fixed: f64,
    /// For a bit time, times the size.
    pub sized: f64,
}

impl Cost {
    /// As it usually is, in units of its own.
    const USUAL: Cost = Cost {
        fixed: 100.0,
        sized: 1.0,
    };

    /// From the sizes of a small and of a large machine, and the seconds that a bit time of each of them took. Where both have one
    /// size, the second, of more bit times, says what all of them take.
    pub fn from_samples(small: (f64, f64), large: (f64, f64)) -> Self {
        if small.0 == large.0 {
            return Cost {
                fixed: 0.0,
                sized: large.1 / large.0,
            };
        }
        let sized = ((large.1 - small.1) / (large.0 - small.0)).max(0.0);
        Cost {
            fixed: (small.1 - sized * small.0).max(0.0),
            sized,
        }
    }

    /// What some work takes.
    pub fn of(self, work: Work) -> f64 {
        work.bit_times * self.fixed + work.sized * self.sized
    }
}

/// The shortest of a few times that work takes.
///
/// # Errors
/// Whatever the work meets.
pub fn best(mut seconds: impl FnMut() -> Result<f64, Error>) -> Result<f64, Error> {
    (0..3).try_fold(f64::INFINITY, |best, _| Ok(best.min(seconds()?)))
}

/// Seconds that a bit time of a run takes, given what runs it and says how many it took: the best of a few runs.
///
/// # Errors
/// Whatever the run meets.
pub fn seconds_a_bit_time(mut run: impl FnMut() -> Result<u64, Error>) -> Result<f64, Error> {
    best(|| {
        let begin = Instant::now();
        let bit_times = run()?;
        Ok(begin.elapsed().as_secs_f64() / bit_times as f64)
    })
}

/// Whether nothing has to be run to know: on any machine a unit of work takes far less than a microsecond.
fn is_surely_short(units: u64) -> bool {
    (units as f64) < UNASKED_HOURS * 3600.0 * 1e6
}

/// Refuses hours of work.
///
/// # Errors
/// Work for hours.
pub(super) fn check<P: GridPoint>(points: &[P], threads: usize) -> Result<(), Error> {
    let units = points.iter().map(|point| point.work().units());
    if is_surely_short(units.fold(0, u64::saturating_add)) {
        return Ok(());
    }
    progress::begins(SMALLER, false);
    let mut costs: Vec<(String, Cost)> = Vec::new();
    let (mut total, mut longest) = (0.0, 0.0f64);
    for point in points {
        let kind = point.kind_of_work();
        let known = costs.iter().find(|(known, _)| *known == kind);
        let cost = match known {
            Some((_, cost)) => *cost,
            None => {
                let cost = point.cost()?;
                costs.push((kind, cost));
                cost
            }
        };
        let seconds = cost.of(point.work());
        total += seconds;
        longest = longest.max(seconds);
    }
    let hours = longest.max(total / threads as f64) / 3600.0;
    match hours < UNASKED_HOURS {
        true => Ok(()),
        false => {
            let points = points.len();
            Err(Refusal::of(format!(
                "this sweep of {points} points would take about {hours:.1} hours, {threads} at a time, going by a few machines \
                 that were run just now"
            ))
            .instead("give --yes to run it all the same, or measure fewer or smaller ones")
            .into())
        }
    }
}

/// What is under way then.
const SMALLER: &str = "smaller machines, to see how long this will take";

/// In words.
pub(crate) fn told(seconds: f64) -> String {
    match seconds {
        ..100.0 => format!("{seconds:.0} s"),
        ..7200.0 => format!("{:.0} minutes", seconds / 60.0),
        _ => format!("{:.1} hours", seconds / 3600.0),
    }
}

/// Says, before a run of some minutes and more begins, how long it will take; not where its report goes to standard error,
/// because the deliveries are printed.
///
/// # Errors
/// Those of `seconds`.
pub fn foretell(
    seconds: impl FnOnce() -> Result<Option<f64>, Error>,
    (has_wave, deliveries): (bool, Option<&Path>),
) -> Result<(), Error> {
    let is_heard = deliveries.and_then(Stream::of).is_none();
    progress::begins(SMALLER, !is_heard);
    match seconds()? {
        Some(seconds) if is_heard => {
            let without = match has_wave {
                true => " and without what its waveform takes",
                false => "",
            };
            progress::is_foretold();
            note(&format!(
                "this run will take about {}, going by smaller ones that were run just now{without}",
                told(seconds)
            ));
        }
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_parts_of_a_cost_are_told_apart_by_two_samples() {
        let cost = Cost {
            fixed: 2e-6,
            sized: 3e-8,
        };
        let of = |size: f64, bit_times: f64| Work {
            bit_times,
            sized: bit_times * size,
        };
        for large in [16384.0, 768.0] {
            let sample = |size| (size, cost.of(of(size, 1.0)));
            let found = Cost::from_samples(sample(3.0), sample(large));
            for (size, bit_times) in [(1.0, 8e5), (768.0, 1e3), (327_680.0, 4e3)] {
                let work = of(size, bit_times);
                assert!((found.of(work) / cost.of(work) - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn of_two_samples_of_one_size_the_longer_says_what_all_take() {
        let found = Cost::from_samples((4.0, 9e-6), (4.0, 2e-6));
        let work = Work {
            bit_times: 100.0,
            sized: 1200.0,
        };
        assert!((found.of(work) / 6e-4 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn long_times_are_told_in_minutes_or_hours() {
        assert_eq!(
            [200.0, 7100.0, 9000.0].map(told),
            ["3 minutes", "118 minutes", "2.5 hours"]
        );
    }
}
