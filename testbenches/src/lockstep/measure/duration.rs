//! What a bit time of routers in lockstep takes.
//!
//! Of a small cube it is mostly the sequencer's; of a large one, its stages', a word of 64 nodes at a
//! time. So a point takes `bit times x (a + b x words x k)` seconds. Which `a` and `b` a schedule has on this
//! machine is found out by running a small cube and a larger one. A single run is foretold in the same way.

use std::time::Instant;

use rtl_model::machine::memory;

use crate::error::Error;
use crate::interrupt;

use crate::lockstep::options::{RunOptions, Setup};
use crate::lockstep::simulation::{self, Run};
use crate::lockstep::{self, Bench};
use crate::measure::duration::{self, Cost, TOLD_SECONDS, Work, best};
use crate::options::processors;

/// Dimensions of the cubes that are run to find `a` and `b`; the last of runs that go bit time by bit time, which takes
/// longer.
const SMALL: usize = 3;
const LARGE: usize = 16;
const LARGE_TICKING: usize = 12;
/// Payload bits of them.
const PAYLOAD_BITS: usize = 8;
/// Words of 64 nodes, times the dimensions.
fn words(dims: usize) -> f64 {
    ((1usize << dims) as f64 / 64.0).max(1.0) * dims as f64
}

/// So many bit times of a cube of `dims` dimensions.
pub(super) fn work(dims: usize, bit_times: u64) -> Work {
    Work {
        bit_times: bit_times as f64,
        sized: bit_times as f64 * words(dims),
    }
}

/// From the seconds that a bit time of cubes takes, the small one and one of so many dimensions.
fn cost_of(large: usize, seconds: impl Fn(usize) -> Result<f64, Error>) -> Result<Cost, Error> {
    let sample = |dims| -> Result<_, Error> { Ok((words(dims), seconds(dims)?)) };
    Ok(Cost::from_samples(sample(SMALL)?, sample(large)?))
}

/// Of machines that run as points of a sweep do.
pub(super) fn cost(bench: Bench, setup: &Setup) -> Result<Cost, Error> {
    cost_of(LARGE, |dims| {
        let options = RunOptions::beside_others(sample(setup, dims));
        duration::seconds_a_bit_time(|| Ok(lockstep::run(bench, &options)?.bit_times))
    })
}

/// Says, before a run of some minutes and more begins, how long it will take.
///
/// # Errors
/// [`Error::Interrupted`].
pub(crate) fn foretell(bench: Bench, options: &RunOptions) -> Result<(), Error> {
    let about = (options.wave.is_some(), options.deliveries.as_deref());
    duration::foretell(|| of_run(TOLD_SECONDS, bench, options), about)
}

/// Seconds that a unit of [`work`] takes on any machine, at the most: of a run that nobody watches, and of others.
const MOST_SECONDS: f64 = 2e-8;
const MOST_SECONDS_TICKING: f64 = 1e-6;

/// What a run of its own will take, in seconds, what its waveform takes not counted, if it is so many or more.
fn of_run(least: f64, bench: Bench, options: &RunOptions) -> Result<Option<f64>, Error> {
    let requirement = bench.requirement(&options.setup)?;
    let work = work(
        options.setup.dimensions()?.count(),
        requirement.bit_times.value,
    );
    let ticks = options.wave.is_some() || !requirement.has_program;
    let (most, threads) = match ticks {
        true => (MOST_SECONDS_TICKING, 1),
        false => (MOST_SECONDS, options.threads()?.min(processors())),
    };
    let is_refused = requirement.bytes > memory::available();
    if work.units() as f64 * most < least || is_refused {
        return Ok(None);
    }
    let cost = match ticks {
        true => cost_of(LARGE_TICKING, |dims| {
            seconds_a_tick(bench, &options.setup, dims)
        }),
        false => cost(bench, &options.setup),
    };
    let seconds = cost?.of(work) / threads as f64;
    Ok((seconds >= least).then_some(seconds))
}

/// Of a cube of `dims` dimensions that goes bit time by bit time: the best of a few runs.
fn seconds_a_tick(bench: Bench, setup: &Setup, dims: usize) -> Result<f64, Error> {
    let stimulus = bench.stimulus(&sample(setup, dims))?;
    best(|| {
        let mut machine = stimulus.device().build(1)?;
        stimulus.load(&mut *machine, &mut |_| Ok(()))?;
        let begin = Instant::now();
        let run = Run::held_to(&|_| None);
        let measured = simulation::run(&mut *machine, run, |_| interrupt::check())?;
        Ok(begin.elapsed().as_secs_f64() / measured.bit_times as f64)
    })
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

#[cfg(test)]
mod tests {
    use super::*;

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
        let of =
            |least, options| of_run(least, crate::families::kuszmaul::BENCH, &options).unwrap();
        for wave in [false, true] {
            assert_eq!(of(TOLD_SECONDS, options(10, 8, wave)), None);
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
    }
}
