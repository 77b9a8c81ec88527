//! Who takes down what a waveform shows, in every bit time.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use waves::probe::{Probe, Recording, Selection, Subject};
use waves::provenance::Provenance;
use waves::vcd::VcdTrace;

use crate::error::Error;
use crate::error::refusal::unwritable;

/// A probe, and the dump that it writes: whatever writing meets is an error of that file.
pub struct Tracing<'t> {
    probe: Probe<'t>,
    dump: PathBuf,
}

impl<'t> Tracing<'t> {
    /// Of a dump whose probe is made so.
    pub(super) fn begun(
        dump: &Path,
        attach: impl FnOnce() -> io::Result<Probe<'t>>,
    ) -> Result<Self, Error> {
        Ok(Tracing {
            probe: attach().map_err(unwritable(dump))?,
            dump: dump.to_owned(),
        })
    }

    /// Of a dump that somebody else writes, of which only what is recorded is wanted.
    ///
    /// # Errors
    /// None of its own: nothing is written.
    pub(crate) fn unkept(
        dump: &str,
        subject: &dyn Subject,
        selection: Selection,
    ) -> Result<Self, Error> {
        Self::begun(dump.as_ref(), || {
            let trace = VcdTrace::new(io::sink(), &Provenance::default())?;
            Probe::attach(trace, subject, selection)
        })
    }

    /// As [`Probe::follow`].
    pub fn follow(&mut self, begin: &str) {
        self.probe.follow(begin);
    }

    /// As [`Probe::open_on`].
    pub fn open_on(&mut self, bit_times: Range<u64>) {
        self.probe.open_on(bit_times);
    }

    /// As [`Probe::hold`].
    pub fn hold(&mut self, bit_times: u64) {
        self.probe.hold(bit_times);
    }

    /// Takes down what holds in this bit time.
    ///
    /// # Errors
    /// A dump that cannot be written after all.
    pub fn sample(&mut self, subject: &dyn Subject) -> Result<(), Error> {
        let sampled = self.probe.sample(subject);
        // Asked in every bit time: the refusal is made only where there is one.
        sampled.map_err(|reason| unwritable(&self.dump)(reason))
    }

    /// What was recorded.
    ///
    /// # Errors
    /// A dump that cannot be written after all.
    pub fn finish(self) -> Result<Recording, Error> {
        self.probe.finish().map_err(unwritable(&self.dump))
    }
}
