//! How much work points are, and how long a sweep would take.
//!
//! A bit time of a small cube is mostly the sequencer's; of a large one, its stages', a word of 64 nodes at a
//! time. So a point takes `bit times x (a + b x words x k)` seconds. Which `a` and `b` a schedule has on this
//! machine is found out by running a small cube and a larger one. A single run is foretold in the same way.

use std::time::Instant;

use rtl_model::fabric::Fabric;
use rtl_model::lanes::Lanes;
use rtl_model::memory;
use rtl_model::router::Router;

use crate::benches::{self, Task, Testbench};
use crate::catalogue::Bench;
use crate::error::Error;
use crate::interrupt;
use crate::lanes::{WithLanes, in_lanes};
use crate::measure::grid::Point;
use crate::measure::run::run_point;
use crate::options::{RunOptions, Setup, processors};
use crate::simulation::{self, Run};

/// Dimensions of the cubes that are run to find `a` and `b`; the last of runs that go bit time by bit time, which takes
/// longer.
const SMALL: usize = 3;
const LARGE: usize = 16;
const LARGE_TICKING: usize = 12;
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

    /// From the seconds that a bit time of the small cube took, and one of the large one, of so many dimensions.
    fn from_samples(small: f64, (dims, large): (usize, f64)) -> Self {
        let word = ((large - small) / (words(dims) - words(SMALL))).max(0.0);
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
                let seconds = |dims| seconds_a_bit_time(point.bench, &point.setup, dims);
                let cost = Cost::from_samples(seconds(SMALL)?, (LARGE, seconds(LARGE)?));
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

/// Seconds that a run is told to take before it begins, if they may be many.
pub(super) const TOLD_SECONDS: f64 = 180.0;
/// Seconds that a unit of [`work`] takes on any machine, at the most: of a run that nobody watches, and of others.
const MOST_SECONDS: f64 = 2e-8;
const MOST_SECONDS_TICKING: f64 = 1e-6;

/// What a long run of its own will take, in seconds, what its waveform takes not counted; none of one that is soon over.
pub(super) fn of_run(bench: Bench, options: &RunOptions) -> Result<Option<f64>, Error> {
    of_run_from(TOLD_SECONDS, bench, options)
}

/// The same, of a run of so many seconds or more.
fn of_run_from(least: f64, bench: Bench, options: &RunOptions) -> Result<Option<f64>, Error> {
    let requirement = benches::requirement(bench, &options.setup)?;
    let dims = options.setup.dimensions()?.count();
    let ticks = options.wave.is_some() || !requirement.has_program;
    let work = Cost::USUAL.of(dims, requirement.bit_times.value);
    let most = if ticks {
        MOST_SECONDS_TICKING
    } else {
        MOST_SECONDS
    };
    let is_refused = requirement.bytes > memory::available();
    if work * most < least || is_refused {
        return Ok(None);
    }
    let cost = match ticks {
        true => {
            let seconds = |dims| seconds_a_tick(bench, &options.setup, dims);
            let large = seconds(LARGE_TICKING)?;
            Cost::from_samples(seconds(SMALL)?, (LARGE_TICKING, large))
        }
        false => {
            let seconds = |dims| seconds_a_bit_time(bench, &options.setup, dims);
            Cost::from_samples(seconds(SMALL)?, (LARGE, seconds(LARGE)?))
        }
    };
    let threads = if ticks {
        1
    } else {
        options.threads()?.min(processors())
    };
    let seconds = cost.of(dims, requirement.bit_times.value) / threads as f64;
    Ok((seconds >= least).then_some(seconds))
}

/// In words.
pub(super) fn told(seconds: f64) -> String {
    match seconds < 2.0 * 3600.0 {
        true => format!("{:.0} minutes", seconds / 60.0),
        false => format!("{:.1} hours", seconds / 3600.0),
    }
}

/// Of a cube of `dims` dimensions that goes bit time by bit time: the best of a few runs.
fn seconds_a_tick(bench: Bench, setup: &Setup, dims: usize) -> Result<f64, Error> {
    struct Ticking;
    impl Task for Ticking {
        type Output = f64;
        fn perform<T: Testbench>(self, testbench: T) -> Result<f64, Error> {
            in_lanes(testbench.router().dimensions().count(), InLanes(testbench))
        }
    }
    struct InLanes<T>(T);
    impl<T: Testbench> WithLanes for InLanes<T> {
        type Output = Result<f64, Error>;
        fn run<B: Lanes>(self) -> Result<f64, Error> {
            let mut fabric = Fabric::<T::Router, B>::new(self.0.router(), 1)?;
            self.0.load(&mut fabric);
            let begin = Instant::now();
            let measured = simulation::run(&mut fabric, Run::of(0), |_| interrupt::check())?;
            Ok(begin.elapsed().as_secs_f64() / measured.bit_times as f64)
        }
    }
    let setup = sample(setup, dims);
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        best = best.min(benches::set_up(bench, &setup, Ticking)?);
    }
    Ok(best)
}

/// The machine that is run in place of another.
fn sample(setup: &Setup, dims: usize) -> Setup {
    Setup {
        dims: Some(dims),
        payload_bits: setup.payload_bits.map(|_| PAYLOAD_BITS),
        traffic: None,
        traffic_file: None,
        load: None,
        ..setup.clone()
    }
}

/// The best of a few runs of a cube of `dims` dimensions.
fn seconds_a_bit_time(bench: Bench, setup: &Setup, dims: usize) -> Result<f64, Error> {
    let setup = sample(setup, dims);
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
        for large in [LARGE, LARGE_TICKING] {
            let found = Cost::from_samples(cost.of(SMALL, 1), (large, cost.of(large, 1)));
            for (dims, bit_times) in [(1, 800_000), (12, 1000), (20, 4000)] {
                let (found, true_cost) = (found.of(dims, bit_times), cost.of(dims, bit_times));
                assert!((found / true_cost - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn a_long_run_is_foretold_and_a_short_one_is_not() {
        let options = |dims, payload_bits, wave: bool| RunOptions {
            setup: Setup {
                dims: Some(dims),
                payload_bits: Some(payload_bits),
                ..Setup::default()
            },
            wave: wave.then(|| "run.vcd".into()),
            threads: Some(1),
            ..RunOptions::default()
        };
        let of = |least, options| of_run_from(least, Bench::Kuszmaul, &options).unwrap();
        for wave in [false, true] {
            assert_eq!(
                of_run(Bench::Kuszmaul, &options(10, 8, wave)).unwrap(),
                None
            );
            // Told of the shortest: it is sampled, and takes as much longer as there are more bit times, or nodes.
            let seconds = |dims, bits| of(1e-9, options(dims, bits, wave)).unwrap();
            let short = seconds(16, 8);
            assert!(short > 0.0);
            for long in [seconds(16, 8000), seconds(20, 8)] {
                // By 30 and more; bit times alone would make 1.6 of more nodes.
                assert!(long > 4.0 * short, "{short} {long}");
            }
            assert_eq!(of(1e9, options(16, 8000, wave)), None);
        }
        assert_eq!(
            [200.0, 7100.0, 9000.0].map(told),
            ["3 minutes", "118 minutes", "2.5 hours"]
        );
    }
}
