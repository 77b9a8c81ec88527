//! Says, before a run of some minutes and more begins, how long it will take.

use std::io::{self, Write};

use crate::catalogue::Bench;
use crate::error::Error;
use crate::measure::{duration, wormhole};
use crate::options::RunOptions;
use crate::output::Stream;

/// Of a testbench of routers in lockstep.
///
/// # Errors
/// [`Error::Interrupted`].
pub(crate) fn foretell(bench: Bench, options: &RunOptions) -> Result<(), Error> {
    match may_speak(options) {
        true => say(duration::of_run(bench, options), options),
        false => Ok(()),
    }
}

/// Of wormhole routers.
///
/// # Errors
/// [`Error::Interrupted`].
pub(crate) fn foretell_worms(options: &RunOptions) -> Result<(), Error> {
    match may_speak(options) {
        true => say(wormhole::seconds_of_run(options), options),
        false => Ok(()),
    }
}

/// Whether standard error is for notes: not where the report goes there, because the deliveries are printed.
fn may_speak(options: &RunOptions) -> bool {
    let deliveries = options.deliveries.as_deref();
    deliveries.and_then(Stream::of).is_none()
}

/// Says it. What is wrong with the options, the run itself will say.
fn say(seconds: Result<Option<f64>, Error>, options: &RunOptions) -> Result<(), Error> {
    match seconds {
        Err(Error::Interrupted) => return Err(Error::Interrupted),
        Ok(Some(seconds)) => {
            let without = match options.wave {
                Some(_) => " and without what its waveform takes",
                None => "",
            };
            // Where nobody can read it, it is no loss.
            let _ = writeln!(
                io::stderr(),
                "note: this run will take about {}, going by smaller ones that were run just now{without}",
                duration::told(seconds)
            );
        }
        _ => {}
    }
    Ok(())
}
