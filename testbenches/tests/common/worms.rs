//! Runs of worms as the command line makes them, and what they say.

use std::ops::Deref;

use testbenches::error::Error;
use testbenches::families::wormhole::BENCH;
use testbenches::families::wormhole::report::Worms;
use testbenches::report::Report;
use testbenches::testbench::bench;

/// A run that is over.
pub struct Run {
    pub report: Report,
    /// What its report says of worms.
    pub worms: Worms,
}

impl Deref for Run {
    type Target = Report;

    fn deref(&self) -> &Report {
        &self.report
    }
}

/// Runs it with these words behind `cubewave run wormhole`.
pub fn run(words: &str) -> Run {
    asked(words).unwrap()
}

/// The same, or the refusal.
pub fn asked(words: &str) -> Result<Run, Error> {
    let (chosen, mut options) = BENCH.asked_with_options(words)?;
    options.quiet = true;
    let report = bench::run(chosen, &options)?;
    let worms: Worms = report.family.details().cloned().unwrap();
    Ok(Run { report, worms })
}
