//! How long runs of a testbench take, going by smaller ones.

use std::path::Path;

use rtl_model::machine::memory;

use crate::error::Error;
use crate::measure::duration::{self, Cost, TOLD_SECONDS, Work};
use crate::testbench::bench::{Job, run_beside_others};
use crate::testbench::chosen::Chosen;

/// What runs of a testbench take beside its bit times.
#[derive(Clone, Copy)]
pub struct Timing {
    /// How much is done in a bit time, of what is chosen with so many nodes.
    pub size: fn(&Chosen, usize) -> f64,
    /// Seconds that a unit of it takes on any machine, at the most.
    pub most_seconds: f64,
    /// What is chosen, of a small machine and of a larger one like it, from whose runs one can tell.
    pub samples: fn(&Chosen) -> [Chosen; 2],
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
pub(super) fn cost(chosen: &Chosen) -> Result<Cost, Error> {
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
    let timing = chosen.bench().timing;
    let sample = |small: &Chosen| -> Result<(f64, f64), Error> {
        let job = (small.bench().job)(small)?;
        let nodes = job.device().topology().nodes();
        let seconds = duration::seconds_a_bit_time(|| run(small))?;
        Ok(((timing.size)(small, nodes), seconds))
    };
    let [small, large] = (timing.samples)(chosen).map(Chosen::without_files);
    Ok(Cost::from_samples(sample(&small)?, sample(&large)?))
}

/// Says, before a run of some minutes and more begins, how long it will take.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn foretell(
    (chosen, job): (&Chosen, &dyn Job),
    about: (bool, Option<&Path>),
) -> Result<(), Error> {
    duration::foretell(|| of_run(chosen, job), about)
}

/// What a long run will take, in seconds; none of one that is soon over.
fn of_run(chosen: &Chosen, job: &dyn Job) -> Result<Option<f64>, Error> {
    let requirement = job.requirement();
    let nodes = job.device().topology().nodes();
    let work = work(chosen, nodes, requirement.bit_times.value);
    let is_refused = requirement.bytes > memory::available();
    if work.sized * chosen.bench().timing.most_seconds < TOLD_SECONDS || is_refused {
        return Ok(None);
    }
    let seconds = cost(chosen)?.of(work);
    Ok((seconds >= TOLD_SECONDS).then_some(seconds))
}
