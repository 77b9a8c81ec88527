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
/// What is refused of the options.
pub(crate) fn foretell(bench: Bench, options: &RunOptions) -> Result<(), Error> {
    match may_speak(options) {
        true => duration::of_run(bench, options).map(say),
        false => Ok(()),
    }
}

/// Of wormhole routers.
///
/// # Errors
/// What is refused of the options.
pub(crate) fn foretell_worms(options: &RunOptions) -> Result<(), Error> {
    match may_speak(options) {
        true => wormhole::seconds_of_run(options).map(say),
        false => Ok(()),
    }
}

/// Whether standard error is for notes: not where the report goes there, because the deliveries are printed.
fn may_speak(options: &RunOptions) -> bool {
    let deliveries = options.deliveries.as_deref();
    deliveries.and_then(Stream::of).is_none()
}

fn say(seconds: Option<f64>) {
    if let Some(seconds) = seconds {
        // Where nobody can read it, it is no loss.
        let _ = writeln!(
            io::stderr(),
            "note: this run will take about {}, going by smaller ones that were run just now",
            duration::told(seconds)
        );
    }
}
