//! How much work points are, and how long a sweep would take.
//!
//! Work is counted in channels: the input channels of all switches, in each bit time. How many bit times a run will take is
//! not known before; a rough figure will do to tell minutes from hours. Which time a channel takes is found out by a
//! middling machine of each network.

use rtl_model::memory;

use crate::error::Error;
use crate::measure::duration::{TOLD_SECONDS, is_surely_short, refuse_hours};
use crate::measure::run::Job;
use crate::measure::wormhole::grid::{Load, Point};
use crate::measure::wormhole::lists::InUse;
use crate::options::RunOptions;
use crate::wormhole::options::{DEFAULT_MESSAGE_BITS, NetworkName};
use crate::wormhole::requirement::{Requirement, requirement};

/// Levels of the machine that is timed: about as many nodes lie side by side in it as in larger ones. Its runs are so short
/// that nodes are run by their description for a part of them, so large machines take less than is foretold.
const LEVELS: usize = 8;

/// Input channels of a machine.
fn channels(requirement: &Requirement) -> u64 {
    let network = requirement.machine.network();
    let of_switch = requirement.machine.plan().switch.inputs.len();
    (network.nodes() * network.switches() * of_switch) as u64
}

/// Bit times that a run may take, roughly.
fn bit_times(point: &Point, requirement: &Requirement) -> u64 {
    let pieces = requirement.machine.network().switches();
    let levels = point.dims as u64;
    let bits = (requirement.message_bits / pieces) as u64 + 2 * levels;
    match (point.load, &requirement.phases) {
        (Load::Offered(load), Some(phases)) => {
            // About there the first networks are saturated, and all the time that there is to drain goes by.
            let is_light = load * point.dims as f64 <= 0.5;
            let drain = if is_light { 0 } else { phases.drain };
            phases.warm_up + phases.measurement + drain
        }
        _ if point.network == NetworkName::Ecube => 5 * bits,
        _ => 8 * levels * bits,
    }
}

/// How much work a point is, compared with others.
pub(super) fn work(point: &Point) -> u64 {
    let of = |known| bit_times(point, known).saturating_mul(channels(known));
    point.requirement.as_ref().map_or(0, of)
}

/// Refuses hours of work.
///
/// # Errors
/// [`Error::TakesHours`].
pub(super) fn check(points: &[Point], threads: usize) -> Result<(), Error> {
    let all = points.iter().map(Job::work).fold(0, u64::saturating_add);
    if is_surely_short(all) {
        return Ok(());
    }
    let mut costs: Vec<(NetworkName, f64)> = Vec::new();
    let (mut total, mut longest) = (0.0, 0.0f64);
    for point in points {
        let known = costs.iter().find(|(known, _)| *known == point.network);
        let cost = match known {
            Some((_, cost)) => *cost,
            None => {
                let cost = seconds_a_channel(point)?;
                costs.push((point.network, cost));
                cost
            }
        };
        let seconds = cost * point.work() as f64;
        total += seconds;
        longest = longest.max(seconds);
    }
    refuse_hours(points.len(), (total, longest), threads)
}

/// Seconds that a channel takes in a bit time on any machine, at the most.
const MOST_SECONDS: f64 = 5e-8;

/// What a long run of its own will take, in seconds; none of one that is soon over.
///
/// # Errors
/// What is refused of the options.
pub(in crate::measure) fn of_run(options: &RunOptions) -> Result<Option<f64>, Error> {
    let point = Point::of_run(options)?;
    let work = point.work();
    let is_refused = point.bytes() > memory::available();
    if work as f64 * MOST_SECONDS < TOLD_SECONDS || is_refused {
        return Ok(None);
    }
    let seconds = seconds_a_channel(&point)? * work as f64;
    Ok((seconds >= TOLD_SECONDS).then_some(seconds))
}

/// Of a middling machine of the point's network, in a bit time: the best of a few runs.
fn seconds_a_channel(point: &Point) -> Result<f64, Error> {
    let point = Point {
        copies: point.copies.map(|_| InUse::All),
        dims: LEVELS,
        message_bits: DEFAULT_MESSAGE_BITS,
        traffic: "randperm",
        load: Load::Once(1.0),
        ..point.clone()
    };
    let requirement = requirement(&point.run_options())?;
    let channels = channels(&requirement);
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let row = point.run()?;
        best = best.min(row.wall_seconds / row.bit_times as f64);
    }
    Ok(best / channels as f64)
}
