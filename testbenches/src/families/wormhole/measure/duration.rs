//! How much work points of wormhole routers are, and what it takes.
//!
//! Work is counted in channels: the input channels of all switches, in each bit time. How many bit times a run will take is
//! not known before; a rough figure will do to tell minutes from hours. Which time a channel takes is found out by a
//! middling machine of each network.

use rtl_model::machine::memory;

use crate::error::Error;
use crate::families::wormhole::measure::lists::InUse;
use crate::families::wormhole::measure::point::{Load, Place, Point};
use crate::families::wormhole::options::RunOptions;
use crate::families::wormhole::options::{DEFAULT_MESSAGE_BITS, NetworkName};
use crate::families::wormhole::requirement::{Requirement, requirement};
use crate::families::wormhole::run;
use crate::measure::Point as _;
use crate::measure::duration::{self, Cost, TOLD_SECONDS, Work};

/// Levels of the machine that is timed: about as many nodes lie side by side in it as in larger ones. Its runs are so short
/// that nodes are run by their description for a part of them, so large machines take less than is foretold.
const LEVELS: usize = 8;

/// Input channels of a machine.
fn channels(requirement: &Requirement) -> f64 {
    let network = requirement.machine.network();
    let of_switch = requirement.machine.plan().switch.inputs.len();
    (network.nodes() * network.switches() * of_switch) as f64
}

/// Bit times that a run may take, roughly; without idle ones if it `skips` them.
fn bit_times(Point { place, requirement }: &Point, skips: bool) -> u64 {
    let pieces = requirement.machine.network().switches();
    let levels = place.dims as u64;
    let bits = (requirement.message_bits / pieces) as u64 + 2 * levels;
    match (place.load, &requirement.phases) {
        // Some ten runs, none of them drained where it is saturated.
        (Load::Sought { .. }, Some(phases)) => 20 * phases.first_end(),
        (Load::Offered(load), Some(phases)) => {
            // About there the first networks are saturated, and all the time that there is to drain goes by.
            let is_light = load * place.dims as f64 <= 0.5;
            let drain = if is_light { 0 } else { phases.drain };
            let all = phases.first_end() + drain;
            if !skips {
                return all;
            }
            // Where next to nothing is offered, only those in which a message is under way, and some after it.
            let nodes = requirement.machine.network().nodes();
            let created =
                (nodes as f64 * load / requirement.message_bits as f64 * all as f64).ceil();
            all.min(created as u64 * (bits + run::LONG_PAUSE))
        }
        _ if place.network == NetworkName::Ecube => 5 * bits,
        _ if place.network == NetworkName::Valiant => 10 * bits,
        _ => 8 * levels * bits,
    }
}

/// How much work a point is, whose runs skip idle bit times unless somebody looks on: all of it grows with the channels.
pub(super) fn work(point: &Point, skips: bool) -> Work {
    Work {
        bit_times: 0.0,
        sized: bit_times(point, skips) as f64 * channels(&point.requirement),
    }
}

/// Seconds that a channel takes in a bit time on any machine, at the most.
const MOST_SECONDS: f64 = 5e-8;

/// Loads below this one are so small that it is they that take hours.
const SMALL_LOAD: f64 = 1e-3;

/// Says, before a run of some minutes and more begins, how long it will take, and refuses hours that nobody asked for: at a very
/// small load a run that chooses its own length waits for its messages for ever.
///
/// # Errors
/// [`Error::LoadTakesHours`]; [`Error::Interrupted`].
pub(crate) fn foretell(options: &RunOptions) -> Result<(), Error> {
    let seconds = match of_run(options) {
        Err(Error::Interrupted) => return Err(Error::Interrupted),
        // What is wrong with its options, the run itself will say.
        of_run => of_run.ok().flatten(),
    };
    let injection = &options.setup.injection;
    let is_asked_for = injection.warm_up.is_some() || injection.measurement.is_some();
    if let (Some(load), Some(seconds)) = (injection.offered_load, seconds)
        && !is_asked_for
        && load < SMALL_LOAD
        && seconds >= duration::UNASKED_HOURS * 3600.0
    {
        return Err(Error::LoadTakesHours {
            load,
            hours: seconds / 3600.0,
        });
    }
    let about = (options.wave.is_some(), options.deliveries.as_deref());
    duration::foretell(|| Ok(seconds), about)
}

/// What a long run of its own will take, in seconds; none of one that is soon over.
fn of_run(options: &RunOptions) -> Result<Option<f64>, Error> {
    let point = Point::of_run(options)?;
    let work = work(&point, options.wave.is_none() && options.picture.is_none());
    let is_refused = point.bytes() > memory::available();
    if work.sized * MOST_SECONDS < TOLD_SECONDS || is_refused {
        return Ok(None);
    }
    let seconds = cost(&point)?.of(work);
    Ok((seconds >= TOLD_SECONDS).then_some(seconds))
}

/// What a channel takes of a middling machine of the point's network.
pub(super) fn cost(point: &Point) -> Result<Cost, Error> {
    let place = Place {
        copies: point.place.copies.map(|_| InUse::All),
        dims: LEVELS,
        message_bits: DEFAULT_MESSAGE_BITS,
        traffic: "randperm",
        load: Load::Once(1.0),
        ..point.place.clone()
    };
    let options = place.run_options();
    let channels = channels(&requirement(&options)?);
    let seconds = duration::seconds_a_bit_time(|| Ok(run::run(&options)?.bit_times))?;
    Ok(Cost {
        fixed: 0.0,
        sized: seconds / channels,
    })
}
