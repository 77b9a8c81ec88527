//! How long a phase takes, found out by smaller ones.

use rtl_model::machine::memory;

use crate::error::Error;
use crate::families::embeddings::job::Job;
use crate::families::embeddings::measure::point::{Bits, Place};
use crate::families::embeddings::options::{RunOptions, Setup};
use crate::families::embeddings::stimulus::{Carrying, requirement};
use crate::families::embeddings::testbench::identity;
use crate::lockstep::carry_out;
use crate::measure::duration::{self, Cost, TOLD_SECONDS, Work};

/// Seconds that a word of 64 nodes takes in a bit time on any machine, at the most.
const MOST_SECONDS: f64 = 1e-5;

/// Bits of a sample's messages: few, and some more.
const SMALL: usize = 16;
const LARGE: usize = 256;

/// Its bit times, and the words of 64 nodes in each.
pub(in crate::families::embeddings) fn work(nodes: usize, bit_times: u64) -> Work {
    let bit_times = bit_times as f64;
    Work {
        bit_times,
        sized: bit_times * (nodes as f64 / 64.0).max(1.0),
    }
}

/// From the same guest with two sizes of messages: what a node does in a bit time depends on the guest.
pub(super) fn cost(place: &Place) -> Result<Cost, Error> {
    let sample = |bits: usize| -> Result<(f64, f64), Error> {
        let small = Place {
            bits: Bits::OfMessage(bits),
            ..place.clone()
        };
        let options = RunOptions::beside_others(small.setup()?);
        let seconds = duration::seconds_a_bit_time(|| {
            let stimulus = Box::new(Carrying::new(&options.setup)?);
            Ok(carry_out(&identity(), &options, &[], stimulus)?.bit_times)
        })?;
        Ok((work(1 << small.dims, 1).sized, seconds))
    };
    Ok(Cost::from_samples(sample(SMALL)?, sample(LARGE)?))
}

/// Says, before a run of some minutes and more begins, how long it will take.
///
/// # Errors
/// [`Error::Interrupted`].
pub(in crate::families::embeddings) fn foretell(
    options: &RunOptions,
    job: &Job,
) -> Result<(), Error> {
    let about = (options.wave.is_some(), options.setup.results.as_deref());
    duration::foretell(|| of_run(&options.setup, job), about)
}

/// What a long run of its own will take, in seconds; none of one that is soon over.
fn of_run(setup: &Setup, job: &Job) -> Result<Option<f64>, Error> {
    let requirement = requirement(job);
    let host = job.embedding.host();
    let work = work(host.nodes(), requirement.bit_times.value);
    let is_refused = requirement.bytes > memory::available();
    // A grid of other sides is no point of a sweep.
    if work.sized * MOST_SECONDS < TOLD_SECONDS || is_refused || setup.sides.is_some() {
        return Ok(None);
    }
    let place = Place {
        guest: job.name,
        dims: host.count(),
        bits: Bits::OfMessage(SMALL),
        packets: setup.packets,
        order: job.order,
        both_ways: setup.both_ways,
        start_up: setup.start_up,
        seed: setup.seed,
    };
    let seconds = cost(&place)?.of(work);
    Ok((seconds >= TOLD_SECONDS).then_some(seconds))
}
