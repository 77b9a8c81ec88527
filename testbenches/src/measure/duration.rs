//! How much work points are, and how long a sweep would take.
//!
//! A bit time of a small cube is mostly the sequencer's; of a large one, its stages', a word of 64 nodes at a
//! time. So a point takes `bit times x (a + b x words x k)` seconds. Which `a` and `b` a schedule has on this
//! machine is found out by running a small cube and a larger one.

use crate::catalogue::Bench;
use crate::error::Error;
use crate::measure::grid::Point;
use crate::measure::run::run_point;
use crate::options::Setup;

/// Dimensions of the cubes that are run to find `a` and `b`.
const SMALL: usize = 3;
const LARGE: usize = 16;
/// Payload bits of them.
const PAYLOAD_BITS: usize = 8;
/// Hours that nobody needs to be asked for.
const UNASKED_HOURS: f64 = 1.0;

/// Words of 64 nodes, times the dimensions.
fn words(dims: usize) -> f64 {
    ((1usize << dims) as f64 / 64.0).max(1.0) * dims as f64
}

/// What a bit time takes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cost {
    /// Whatever the size.
    fixed: f64,
    /// For each word and dimension.
    word: f64,
}

impl Cost {
    /// As it usually is, in units of its own: to compare points with each other.
    const USUAL: Cost = Cost {
        fixed: 100.0,
        word: 1.0,
    };

    /// From the seconds that a bit time of the small cube took, and one of the large one.
    fn from_samples(small: f64, large: f64) -> Self {
        let word = ((large - small) / (words(LARGE) - words(SMALL))).max(0.0);
        Cost {
            fixed: (small - word * words(SMALL)).max(0.0),
            word,
        }
    }

    fn of(self, dims: usize, bit_times: u64) -> f64 {
        bit_times as f64 * (self.fixed + self.word * words(dims))
    }
}

/// How much work a point is, compared with others.
pub(super) fn work(point: &Point) -> u64 {
    Cost::USUAL.of(point.dims(), point.requirement.bit_times.value) as u64
}

/// Whether nothing has to be run to know: on any machine a unit of work takes far less than a microsecond.
pub(super) fn is_surely_short(work: u64) -> bool {
    (work as f64) < UNASKED_HOURS * 3600.0 * 1e6
}

/// Refuses hours of work.
pub(super) fn check(points: &[Point], threads: usize) -> Result<(), Error> {
    if is_surely_short(points.iter().map(work).sum()) {
        return Ok(());
    }
    let mut costs: Vec<((Bench, Option<&String>), Cost)> = Vec::new();
    let (mut total, mut longest) = (0.0, 0.0f64);
    for point in points {
        let machine = (point.bench, point.setup.schedule.as_ref());
        let known = costs.iter().find(|(known, _)| *known == machine);
        let cost = match known {
            Some((_, cost)) => *cost,
            None => {
                let small = seconds_a_bit_time(point.bench, &point.setup, SMALL)?;
                let large = seconds_a_bit_time(point.bench, &point.setup, LARGE)?;
                let cost = Cost::from_samples(small, large);
                costs.push((machine, cost));
                cost
            }
        };
        let seconds = cost.of(point.dims(), point.requirement.bit_times.value);
        total += seconds;
        longest = longest.max(seconds);
    }
    refuse_hours(points.len(), (total, longest), threads)
}

/// Refuses them, given what all points together take and the longest of them, in seconds.
pub(super) fn refuse_hours(
    points: usize,
    (total, longest): (f64, f64),
    threads: usize,
) -> Result<(), Error> {
    let hours = longest.max(total / threads as f64) / 3600.0;
    if hours < UNASKED_HOURS {
        return Ok(());
    }
    Err(Error::TakesHours {
        points,
        hours,
        threads,
    })
}

/// The best of a few runs of a cube of `dims` dimensions.
fn seconds_a_bit_time(bench: Bench, setup: &Setup, dims: usize) -> Result<f64, Error> {
    let setup = Setup {
        dims: Some(dims),
        payload_bits: setup.payload_bits.map(|_| PAYLOAD_BITS),
        traffic: None,
        ..setup.clone()
    };
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let row = run_point(bench, &setup)?;
        best = best.min(row.wall_seconds / row.bit_times as f64);
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_parts_of_a_cost_are_told_apart_by_two_samples() {
        let cost = Cost {
            fixed: 2e-6,
            word: 3e-8,
        };
        let found = Cost::from_samples(cost.of(SMALL, 1), cost.of(LARGE, 1));
        for (dims, bit_times) in [(1, 800_000), (12, 1000), (20, 4000)] {
            let (found, true_cost) = (found.of(dims, bit_times), cost.of(dims, bit_times));
            assert!((found / true_cost - 1.0).abs() < 1e-9);
        }
    }
}
