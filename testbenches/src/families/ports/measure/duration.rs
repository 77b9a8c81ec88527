//! How long a broadcast takes, found out by smaller ones.

use rtl_model::machine::memory;

use crate::error::Error;
use crate::families::ports::measure::point::{Amount, Place, Point, sized_up};
use crate::families::ports::options::{RunOptions, RunSetup};
use crate::measure::Point as _;
use crate::measure::duration::{self, TOLD_SECONDS};

/// Seconds that a wire takes in a bit time on any machine, at the most.
const MOST_SECONDS: f64 = 5e-9;

/// Says, before a run of some minutes and more begins, how long it will take.
///
/// # Errors
/// [`Error::Interrupted`].
pub(crate) fn foretell(options: &RunOptions) -> Result<(), Error> {
    let about = (options.wave.is_some(), options.deliveries.as_deref());
    duration::foretell(|| of_run(&options.setup), about)
}

/// What a long run of its own will take, in seconds; none of one that is soon over, and none where only a file says what is sent.
fn of_run(setup: &RunSetup) -> Result<Option<f64>, Error> {
    if setup.sends.is_some() || setup.setup.values.is_some() {
        return Ok(None);
    }
    let message_bits = setup.setup.message_bits();
    let asked = setup.setup.asked(message_bits)?;
    let broadcast = asked.broadcast;
    let point: Point = sized_up(Place {
        algorithm: broadcast.algorithm,
        ports: broadcast.ports,
        dims: broadcast.cube.count(),
        source: broadcast.source,
        start_up: broadcast.start_up,
        amount: Amount::Bits {
            message_bits,
            packet_bits: setup.setup.packet_bits,
        },
        seed: setup.setup.seed.seed,
    })?;
    let is_refused = point.bytes() > memory::available();
    if point.work().sized * MOST_SECONDS < TOLD_SECONDS || is_refused {
        return Ok(None);
    }
    let seconds = point.cost()?.of(point.work());
    Ok((seconds >= TOLD_SECONDS).then_some(seconds))
}
