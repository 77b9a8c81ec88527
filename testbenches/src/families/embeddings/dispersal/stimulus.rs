//! Shares on their way while wires fail: loads them, reads what has arrived, restores, judges.

use std::path::Path;

use hosts::words::{Words, hexadecimal};
use rtl_model::machine::device::Device;
use rtl_model::machine::host::Field;
use rtl_model::machine::router::Position;
use rtl_model::machine::simulation::Lockstep;

use crate::error::Error;
use crate::families::embeddings::dispersal::cuts::{self, Cut};
use crate::families::embeddings::dispersal::job::Dispersed;
use crate::families::embeddings::dispersal::judged::Judged;
use crate::families::embeddings::dispersal::parameters::{CUT, CUT_WIRES, CUTS_OUT, RESTORED};
use crate::families::embeddings::dispersal::{report, shown};
use crate::families::embeddings::messages::EDGES;
use crate::families::embeddings::shown::{follow, followed, legend, message_in, message_of};
use crate::families::embeddings::stimulus::{expected, load, read};
use crate::lockstep::simulation::Measurement;
use crate::lockstep::{Followed, Stimulus, Verdict, WireFault};
use crate::output::{Staged, Staging};
use crate::report::{Outputs, Section};
use crate::testbench::bench::Job as _;
use crate::words::patterned;

/// Messages in shares, and the wires that fail.
pub struct Dispersing {
    pub(super) dispersed: Dispersed,
    pub(super) messages: Words,
    pub(super) shares: Words,
    pub(super) cuts: Vec<Cut>,
    results: Option<Staged>,
    cuts_out: Option<Staged>,
}

impl Dispersing {
    /// With messages and wires that are drawn or read.
    ///
    /// # Errors
    /// Files that cannot be used.
    pub fn new(dispersed: Dispersed) -> Result<Self, Error> {
        let (job, chosen) = (&dispersed.job, &dispersed.job.chosen);
        let size = (job.embedding.edges(), dispersed.code.message_bits());
        let messages = EDGES.values(chosen, size)?;
        let host = job.embedding.host();
        let bit_times = job.device().bit_times().value;
        let cuts = match (chosen.path(&CUT), chosen.number(&CUT_WIRES)) {
            (Some(path), _) => cuts::read(path, host, bit_times)?,
            (None, count) => cuts::drawn(host, count, chosen.seed(), 0..bit_times)?,
        };
        Self::with(dispersed, messages, cuts)
    }

    fn with(dispersed: Dispersed, messages: Words, cuts: Vec<Cut>) -> Result<Self, Error> {
        Ok(Dispersing {
            shares: dispersed.shares_of(&messages)?,
            dispersed,
            messages,
            cuts,
            results: None,
            cuts_out: None,
        })
    }
}

impl Stimulus for Dispersing {
    fn device(&self) -> &dyn Device {
        self.dispersed.device()
    }

    fn load(
        &self,
        machine: &mut dyn Lockstep,
        passed: &mut dyn FnMut(usize) -> Result<(), Error>,
    ) -> Result<(), Error> {
        load(&self.dispersed.job, &self.shares, machine, passed)
    }

    fn live_bits(&self, _after: Option<Position>) -> Option<u64> {
        None
    }

    fn faults(&self) -> Vec<WireFault> {
        self.cuts.iter().copied().map(WireFault::from).collect()
    }

    fn stage(&mut self, _deliveries: Option<&Path>, staging: &mut Staging) -> Result<(), Error> {
        let chosen = &self.dispersed.job.chosen;
        if let Some(path) = chosen.path(&RESTORED) {
            self.results = Some(staging.create_text(path, "the results")?);
        }
        if let Some(path) = chosen.path(&CUTS_OUT) {
            self.cuts_out = Some(staging.create_text(path, "the wires that failed")?);
        }
        Ok(())
    }

    fn judge(
        &mut self,
        machine: Box<dyn Lockstep>,
        measurement: &Measurement,
        outputs: &mut Outputs,
        quiet: bool,
    ) -> Result<Verdict, Error> {
        let (arrived, _) = read(&self.dispersed.job, &*machine, quiet)?;
        let hit = self.dispersed.shares_hit(&self.cuts);
        let mut rows = Vec::new();
        let wants_rows = self.results.is_some();
        let bits = self.dispersed.code.message_bits();
        let words = (&self.messages, &arrived);
        let judged = Judged::of(&self.dispersed, words, &hit, |edge, word| {
            if let (true, Some(word)) = (wants_rows, word) {
                rows.push((edge, hexadecimal(word, bits)));
            }
        })?;
        if let Some(results) = self.results.take() {
            outputs.results = Some(results.path().display().to_string());
            EDGES.write(results, rows.into_iter())?;
        }
        if let Some(file) = self.cuts_out.take() {
            outputs.failing = Some(file.path().display().to_string());
            cuts::write(file, &self.cuts)?;
        }
        Ok(report::verdict(self, measurement, &judged, &hit))
    }

    fn traffic_file(&self) -> String {
        EDGES.text(&self.messages)
    }

    fn expected(&self) -> Box<dyn Fn(usize, Field, usize) -> Option<bool> + '_> {
        expected(&self.dispersed.job, &self.shares)
    }

    fn later(&self, round: usize) -> Result<(Box<dyn Stimulus>, String), Error> {
        let chosen = &self.dispersed.job.chosen;
        let seed = chosen.seed().wrapping_add(round as u64);
        let (edges, bits) = (self.messages.nodes(), self.messages.bits());
        let (messages, name) = patterned(round, (edges, 1, bits), seed);
        let later = Self::with(Dispersed::new(chosen)?, messages, Vec::new())?;
        Ok((Box::new(later), name))
    }

    fn facts(&self) -> Section {
        report::facts(&self.dispersed)
    }

    fn message_in<'t>(&self, text: &'t str) -> &'t str {
        message_in(text)
    }

    fn message_of(&self, begin: &str) -> Option<Followed> {
        message_of(&self.dispersed.job, begin)
    }

    fn counts_from(&self) -> u32 {
        1
    }

    fn legend(&self) -> Vec<String> {
        legend(&self.dispersed.job)
    }

    fn follow(&self, asked: Option<&str>) -> Result<Option<Followed>, Error> {
        let job = &self.dispersed.job;
        if asked.is_some() {
            return follow(job, asked);
        }
        let nodes = shown::interesting(job, &self.cuts);
        Ok(shown::edge(job, &self.cuts).map(|edge| followed(job, edge, nodes)))
    }

    fn in_words(&self) -> String {
        format!("guest {}", self.dispersed.job.name)
    }

    fn failing(&self) -> Vec<([String; 3], String)> {
        self.cuts.iter().flat_map(shown::failing).collect()
    }

    /// Those of a message that a wire's failing concerns.
    fn interesting(&self) -> Vec<usize> {
        shown::interesting(&self.dispersed.job, &self.cuts)
    }

    fn marks(&self) -> Vec<(u64, String)> {
        let marks = self.cuts.iter().map(|cut| {
            let what = cut.stuck.in_words().replace(' ', "_");
            let name = format!("{what}:node_{}_dim_{}", cut.node, cut.dimension);
            (cut.from_bit_time, name)
        });
        marks.collect()
    }
}
