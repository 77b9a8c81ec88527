//! How long a run takes, found out by smaller ones.

use rtl_model::machine::memory;

use crate::error::Error;
use crate::families::relations::job::Job;
use crate::families::relations::measure::place::{Place, Who};
use crate::families::relations::measure::point;
use crate::families::relations::options::RunOptions;
use crate::lockstep::measure::lists::payloads;
use crate::measure::duration::{self, Cost, TOLD_SECONDS, Work};

/// Dimensions of the cubes that are run to find out.
const SMALL: usize = 3;
const LARGE: usize = 6;
/// Seconds that a word of 64 nodes takes in a bit time for a wire, on any machine, at the most.
const MOST_SECONDS: f64 = 1e-6;

/// Its bit times, and the words of 64 nodes in each times the wires of a node in the largest of pipelines.
pub(super) fn work(place: &Place, bit_times: u64) -> Work {
    let words = ((1usize << place.dims) as f64 / 64.0).max(1.0);
    let wires = (place.dims * (place.dims + 1) / 2) as f64;
    Work {
        bit_times: bit_times as f64,
        sized: bit_times as f64 * words * wires,
    }
}

/// From a small cube and a larger one.
pub(super) fn cost(place: &Place) -> Result<Cost, Error> {
    let sample = |dims: usize| -> Result<(f64, f64), Error> {
        let small = Place {
            dims,
            ..place.clone()
        };
        let bit_times = Job::new(&small.setup())?.device.bit_times().value;
        let seconds = duration::seconds_a_bit_time(|| {
            point::run(&small)?;
            Ok(bit_times)
        })?;
        Ok((work(&small, 1).sized, seconds))
    };
    Ok(Cost::from_samples(sample(SMALL)?, sample(LARGE)?))
}

/// Says, before a run of some minutes and more begins, how long it will take.
///
/// # Errors
/// [`Error::Interrupted`].
pub(in crate::families::relations) fn foretell(
    options: &RunOptions,
    job: &Job,
) -> Result<(), Error> {
    let about = (options.wave.is_some(), options.deliveries.as_deref());
    duration::foretell(|| of_run(options, job), about)
}

/// What a long run of its own will take, in seconds; none of one that is soon over.
fn of_run(options: &RunOptions, job: &Job) -> Result<Option<f64>, Error> {
    let requirement = job.requirement();
    let place = Place {
        amount: options.setup.amount,
        who: Who::Schedule(job.schedule.name),
        dims: job.size.dimensions,
        payload: payloads(&job.size.payload_bits.to_string())?[0],
        load: 1.0,
        traffic: "randperm",
        seed: options.setup.seed,
    };
    let work = work(&place, requirement.bit_times.value);
    let is_refused = requirement.bytes > memory::available();
    if work.sized * MOST_SECONDS < TOLD_SECONDS || is_refused {
        return Ok(None);
    }
    let seconds = cost(&place)?.of(work);
    Ok((seconds >= TOLD_SECONDS).then_some(seconds))
}
