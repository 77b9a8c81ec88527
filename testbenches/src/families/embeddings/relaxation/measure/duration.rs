//! How long a relaxation takes, found out by smaller ones.

use rtl_model::machine::memory;

use crate::error::Error;
use crate::families::embeddings::measure::work as work_of_phase;
use crate::families::embeddings::relaxation::options::{RunOptions, Setup};
use crate::families::embeddings::relaxation::stimulus::{Relaxing, job, requirement};
use crate::families::embeddings::relaxation::testbench::identity;
use crate::lockstep::carry_out;
use crate::measure::duration::{self, Cost, TOLD_SECONDS, Work};

/// Seconds that a word of 64 nodes takes in a bit time on any machine, at the most.
const MOST_SECONDS: f64 = 1e-5;

/// Points a side of a sample's blocks: one, and some more.
const SMALL: usize = 1;
const LARGE: usize = 8;

/// So many sweeps of so many bit times.
pub(super) fn work(nodes: usize, (bit_times, sweeps): (u64, usize)) -> Work {
    work_of_phase(nodes, bit_times * sweeps as u64)
}

/// From one sweep of the same processes with blocks of two sizes.
pub(super) fn cost(setup: &Setup) -> Result<Cost, Error> {
    let nodes = 1 << setup.dims()?;
    let sample = |side: usize| -> Result<(f64, f64), Error> {
        let options = RunOptions::beside_others(Setup {
            points: Some(side * setup.processes()?),
            sweeps: Some(1),
            values: None,
            results: None,
            ..setup.clone()
        });
        let seconds = duration::seconds_a_bit_time(|| {
            let stimulus = Box::new(Relaxing::new(&options.setup, 1)?);
            Ok(carry_out(&identity(), &options, &[], stimulus)?.bit_times)
        })?;
        Ok((work(nodes, (1, 1)).sized, seconds))
    };
    Ok(Cost::from_samples(sample(SMALL)?, sample(LARGE)?))
}

/// Says, before a run of some minutes and more begins, how long it will take.
///
/// # Errors
/// [`Error::Interrupted`].
pub(in crate::families::embeddings::relaxation) fn foretell(
    options: &RunOptions,
) -> Result<(), Error> {
    let about = (options.wave.is_some(), options.setup.results.as_deref());
    duration::foretell(|| of_run(&options.setup), about)
}

/// What a long run of its own will take, in seconds; none of one that is soon over.
fn of_run(setup: &Setup) -> Result<Option<f64>, Error> {
    let job = job(setup)?;
    let requirement = requirement(&job, setup.points()?);
    let nodes = job.embedding.host().nodes();
    let work = work(nodes, (requirement.bit_times.value, setup.sweeps()?));
    if work.sized * MOST_SECONDS < TOLD_SECONDS || requirement.bytes > memory::available() {
        return Ok(None);
    }
    let seconds = cost(setup)?.of(work);
    Ok((seconds >= TOLD_SECONDS).then_some(seconds))
}
