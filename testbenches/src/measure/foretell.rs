//! Says, before a run of some minutes and more begins, how long it will take.

use std::io::{self, Write};

use crate::catalogue::Bench;
use crate::error::Error;
use crate::measure::{duration, wormhole};
use crate::options::RunOptions;

/// Of a testbench of routers in lockstep.
///
/// # Errors
/// What is refused of the options.
pub(crate) fn foretell(bench: Bench, options: &RunOptions) -> Result<(), Error> {
    say(duration::of_run(bench, options)?);
    Ok(())
}

/// Of wormhole routers.
///
/// # Errors
/// What is refused of the options.
pub(crate) fn foretell_worms(options: &RunOptions) -> Result<(), Error> {
    say(wormhole::seconds_of_run(options)?);
    Ok(())
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
