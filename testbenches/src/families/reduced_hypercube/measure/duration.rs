//! How long an operation takes, found out by smaller ones.

use rtl_model::machine::memory;

use crate::error::Error;
use crate::families::reduced_hypercube::job::Job;
use crate::families::reduced_hypercube::measure::point::Place;
use crate::families::reduced_hypercube::options::RunOptions;
use crate::families::reduced_hypercube::stimulus::{Collecting, requirement};
use crate::families::reduced_hypercube::testbench::identity;
use crate::lockstep::carry_out;
use crate::measure::duration::{self, Cost, TOLD_SECONDS, Work};

/// Seconds that a word of 64 nodes takes in a bit time on any machine, at the most.
const MOST_SECONDS: f64 = 2e-7;

/// The most building blocks of a sample, and its dimensions.
const SAMPLE_BLOCKS: usize = 2;
const SMALL: usize = 2;
const LARGE: usize = 8;

/// Its bit times, and the words of 64 nodes in each.
pub(super) fn work(nodes: usize, bit_times: u64) -> Work {
    let bit_times = bit_times as f64;
    Work {
        bit_times,
        sized: bit_times * (nodes as f64 / 64.0).max(1.0),
    }
}

/// From two smaller networks, the second of as many words of nodes as make a difference.
pub(super) fn cost(place: &Place) -> Result<Cost, Error> {
    let sample = |dims: usize| -> Result<(f64, f64), Error> {
        // With more building blocks there are too many nodes for a sample.
        let small = Place {
            dims,
            blocks: place.blocks.min(SAMPLE_BLOCKS),
            ..place.clone()
        };
        let options = RunOptions::beside_others(small.setup());
        let nodes = 1 << (small.dims + (1 << small.blocks));
        let seconds = duration::seconds_a_bit_time(|| {
            let stimulus = Box::new(Collecting::new(&options.setup)?);
            Ok(carry_out(
                &identity(place.operation, place.kind),
                &options,
                &[],
                stimulus,
            )?
            .bit_times)
        })?;
        Ok((work(nodes, 1).sized, seconds))
    };
    Ok(Cost::from_samples(sample(SMALL)?, sample(LARGE)?))
}

/// Says, before a run of some minutes and more begins, how long it will take.
///
/// # Errors
/// [`Error::Interrupted`].
pub(in crate::families::reduced_hypercube) fn foretell(options: &RunOptions) -> Result<(), Error> {
    let about = (options.wave.is_some(), options.setup.results.as_deref());
    duration::foretell(|| of_run(options), about)
}

/// What a long run of its own will take, in seconds; none of one that is soon over, and none where a file says more.
fn of_run(options: &RunOptions) -> Result<Option<f64>, Error> {
    let setup = &options.setup;
    let job = Job::new(setup)?;
    let requirement = requirement(&job, setup);
    let work = work(job.device.topology().nodes(), requirement.bit_times.value);
    let is_refused = requirement.bytes > memory::available();
    if work.sized * MOST_SECONDS < TOLD_SECONDS || is_refused {
        return Ok(None);
    }
    let place = Place {
        operation: setup.operation,
        kind: setup.kind()?,
        algorithm: job.algorithm,
        operator: job.operator(),
        switching: setup.is_cut_through()?.then_some("cut-through"),
        dims: SMALL,
        blocks: setup.blocks.unwrap_or(SAMPLE_BLOCKS),
        word_bits: setup.word_bits(),
        keys: setup.keys(),
        seed: setup.seed,
    };
    let seconds = cost(&place)?.of(work);
    Ok((seconds >= TOLD_SECONDS).then_some(seconds))
}
