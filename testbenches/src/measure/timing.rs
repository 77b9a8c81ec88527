//! How long runs of a testbench take, going by smaller ones.

use std::path::Path;
use std::time::Instant;

use rtl_model::machine::memory;

use crate::error::Error;
use crate::interrupt;
use crate::lockstep::simulation::{self, Run};
use crate::measure::duration::{self, Cost, TOLD_SECONDS, Work};
use crate::options::processors;
use crate::testbench::bench::{Job, RunOptions, run_beside_others, with_traffic};
use crate::testbench::chosen::Chosen;

/// What runs of a testbench take beside its bit times.
#[derive(Clone, Copy)]
pub struct Timing {
    /// How much is done in a bit time, of what is chosen with so many nodes.
    pub size: fn(&Chosen, usize) -> f64,
    /// Seconds that a unit of it takes on any machine, at the most: as a program on all threads, and bit time by bit time.
    pub most_seconds: f64,
    /// The same of runs that go bit time by bit time.
    pub most_seconds_ticking: f64,
    /// What is chosen, of a small machine and of a larger one like it, from whose runs one can tell; of runs that go bit time by
    /// bit time, or of others.
    pub samples: fn(&Chosen, bool) -> [Chosen; 2],
}

/// Words of 64 nodes.
pub fn words(_: &Chosen, nodes: usize) -> f64 {
    (nodes as f64 / 64.0).max(1.0)
}

/// How much work a run is.
pub fn work(chosen: &Chosen, nodes: usize, bit_times: u64) -> Work {
    let size = (chosen.bench().timing.size)(chosen, nodes);
    Work {
        bit_times: bit_times as f64,
        sized: bit_times as f64 * size,
    }
}

/// What work takes, from two smaller machines.
///
/// # Errors
/// What keeps one of them from its end.
pub fn cost(chosen: &Chosen) -> Result<Cost, Error> {
    cost_of(chosen, |small| Ok(run_beside_others(small)?.bit_times))
}

/// The same where something else is run: what does so gives the bit times by which it is reckoned.
///
/// # Errors
/// Those of `run`.
pub fn cost_of(
    chosen: &Chosen,
    run: impl Fn(&Chosen) -> Result<u64, Error>,
) -> Result<Cost, Error> {
    sampled(chosen, false, &|small| {
        duration::seconds_a_bit_time(|| run(small))
    })
}

/// From the seconds that a bit time of each of the smaller machines takes.
fn sampled(
    chosen: &Chosen,
    ticks: bool,
    seconds: &dyn Fn(&Chosen) -> Result<f64, Error>,
) -> Result<Cost, Error> {
    let timing = chosen.bench().timing;
    let sample = |small: &Chosen| -> Result<(f64, f64), Error> {
        let job = (small.bench().job)(small)?;
        let nodes = job.machine().topology().nodes();
        Ok(((timing.size)(small, nodes), seconds(small)?))
    };
    let samples = (timing.samples)(chosen, ticks).map(Chosen::without_files);
    let [small, large] = samples.map(Chosen::without_own);
    Ok(Cost::from_samples(sample(&small)?, sample(&large)?))
}

/// Says, before a run of some minutes and more begins, how long it will take.
///
/// # Errors
/// [`Error::Interrupted`]; hours that nobody can have meant.
pub fn foretell(
    of: (&Chosen, &dyn Job),
    options: &RunOptions,
    beside: Option<&Path>,
) -> Result<(), Error> {
    let about = (options.wave.is_some(), beside);
    let runs = options.seeds.unwrap_or(1).max(1);
    let seconds_of = |options: &RunOptions| {
        let seconds = match of_run(TOLD_SECONDS / runs as f64, of, options) {
            Err(Error::Interrupted) => return Err(Error::Interrupted),
            // What is wrong with its options, the run itself will say.
            seconds => seconds.unwrap_or(None),
        };
        seconds.map_or(Ok(()), |seconds| of.1.check_seconds(seconds))?;
        Ok(seconds.unwrap_or(0.0))
    };
    let seconds = || {
        let first = seconds_of(options)?;
        let others = match runs {
            1 => 0.0,
            // Nobody looks at these.
            _ => seconds_of(&options.of_further_seeds())? * (runs - 1) as f64,
        };
        Ok(Some(first + others).filter(|seconds| *seconds >= TOLD_SECONDS))
    };
    duration::foretell(seconds, about)
}

/// What a run will take, in seconds, what its waveform takes not counted, if it is so many or more.
fn of_run(
    least: f64,
    (chosen, job): (&Chosen, &dyn Job),
    options: &RunOptions,
) -> Result<Option<f64>, Error> {
    let (requirement, timing) = (job.requirement(), chosen.bench().timing);
    let nodes = job.machine().topology().nodes();
    let work = work(chosen, nodes, requirement.bit_times.value);
    let ticks = options.wave.is_some() || options.coverage || !requirement.has_program;
    let (most, threads) = match ticks {
        true => (timing.most_seconds_ticking, 1),
        false => (timing.most_seconds, options.threads()?.min(processors())),
    };
    let is_refused = requirement.bytes > memory::available();
    if work.units() as f64 * most < least || is_refused {
        return Ok(None);
    }
    let cost = match ticks && job.machine().is_in_lockstep() {
        true => sampled(chosen, true, &seconds_a_tick),
        false => cost(chosen),
    };
    let seconds = cost?.of(work) / threads as f64;
    Ok((seconds >= least).then_some(seconds))
}

/// Of a machine that goes bit time by bit time: the best of a few runs.
fn seconds_a_tick(small: &Chosen) -> Result<f64, Error> {
    let stimulus = with_traffic((small.bench().job)(small)?)?;
    duration::best(|| {
        let mut machine = stimulus.device().build(1)?;
        stimulus.load(&mut *machine, &mut |_| Ok(()))?;
        let begin = Instant::now();
        let run = Run::held_to(&|_| None);
        let measured = simulation::run(&mut *machine, run, |_| interrupt::check())?;
        Ok(begin.elapsed().as_secs_f64() / measured.bit_times as f64)
    })
}
