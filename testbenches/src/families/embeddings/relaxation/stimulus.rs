//! A relaxation: points, and the messages of the first sweep; the further sweeps, and what is found of them.

use std::path::Path;

use hosts::words::{Words, hexadecimal};
use rtl_model::machine::device::Device;
use rtl_model::machine::host::Field;
use rtl_model::machine::router::Position;
use rtl_model::machine::simulation::Lockstep;

use crate::error::Error;
use crate::families::embeddings::compared::Compared;
use crate::families::embeddings::job::Job;
use crate::families::embeddings::messages::POINTS;
use crate::families::embeddings::relaxation::blocks::{Blocks, Layout};
use crate::families::embeddings::relaxation::job::Relaxation;
use crate::families::embeddings::relaxation::parameters::{RELAXED, SWEEPS};
use crate::families::embeddings::relaxation::report;
use crate::families::embeddings::relaxation::sweeps::Sweeps;
use crate::families::embeddings::relaxation::torus::Torus;
use crate::families::embeddings::{shown, stimulus};
use crate::lockstep::simulation::{self, Measurement};
use crate::lockstep::{Followed, Stimulus, Verdict};
use crate::output::{Staged, Staging};
use crate::progress::Stage;
use crate::report::{Outputs, Section};
use crate::testbench::bench::Job as _;
use crate::words::patterned;

/// A relaxation before its first sweep.
pub struct Relaxing {
    pub(super) relaxation: Relaxation,
    pub(super) layout: Layout,
    /// The points as they begin, row by row.
    points: Words,
    /// What is sent in the first sweep.
    messages: Words,
    threads: usize,
    results: Option<Staged>,
}

impl Relaxing {
    /// With points that are drawn or read.
    ///
    /// # Errors
    /// Files that cannot be used.
    pub fn new(relaxation: Relaxation) -> Result<Self, Error> {
        let amount = relaxation.points * relaxation.points;
        let size = (amount, relaxation.word_bits());
        let points = POINTS.values(&relaxation.job.chosen, size)?;
        Ok(Self::with(relaxation, points))
    }

    fn with(relaxation: Relaxation, points: Words) -> Self {
        let Relaxation {
            job,
            processes,
            points: side,
        } = &relaxation;
        let layout = Layout::new(&job.embedding, *processes, side / processes);
        Relaxing {
            messages: Blocks::new(&layout, &points).messages(),
            layout,
            points,
            relaxation,
            threads: 1,
            results: None,
        }
    }

    fn job(&self) -> &Job {
        &self.relaxation.job
    }

    /// One of the sweeps after the first: the machine begins anew.
    fn sweep(
        &self,
        machine: &mut dyn Lockstep,
        messages: &Words,
        quiet: bool,
    ) -> Result<Measurement, Error> {
        machine.restart();
        let nodes = machine.nodes() as u64;
        let mut loading = Stage::new(nodes, "loading", quiet);
        stimulus::load(self.job(), messages, machine, &mut |node| {
            loading.passed(node)
        })?;
        drop(loading);
        let run = simulation::Run {
            quiet,
            threads: self.threads,
            ..simulation::Run::held_to(&|_| None)
        };
        simulation::advance(machine, run)
    }
}

/// Bit times of a measurement, and two drivers on a wire.
fn took(measurement: &Measurement) -> (u64, Option<String>) {
    let conflict = measurement.conflict.as_ref();
    (measurement.bit_times, conflict.map(ToString::to_string))
}

impl Stimulus for Relaxing {
    fn device(&self) -> &dyn Device {
        self.relaxation.device()
    }

    fn load(
        &self,
        machine: &mut dyn Lockstep,
        passed: &mut dyn FnMut(usize) -> Result<(), Error>,
    ) -> Result<(), Error> {
        stimulus::load(self.job(), &self.messages, machine, passed)
    }

    fn live_bits(&self, _after: Option<Position>) -> Option<u64> {
        None
    }

    fn take_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    fn stage(&mut self, _deliveries: Option<&Path>, staging: &mut Staging) -> Result<(), Error> {
        if let Some(path) = self.job().chosen.path(&RELAXED) {
            self.results = Some(staging.create_text(path, "the results")?);
        }
        Ok(())
    }

    fn judge(
        &mut self,
        mut machine: Box<dyn Lockstep>,
        measurement: &Measurement,
        outputs: &mut Outputs,
        quiet: bool,
    ) -> Result<Verdict, Error> {
        let results = self.results.take();
        let side = self.layout.points();
        let mut blocks = Blocks::new(&self.layout, &self.points);
        let mut torus = Torus::new(&self.points, side);
        let mut swept = Sweeps::default();
        for sweep in 0..self.job().chosen.number(&SWEEPS) {
            let sent = blocks.messages();
            let took = match sweep {
                0 => took(measurement),
                _ => took(&self.sweep(&mut *machine, &sent, quiet)?),
            };
            let (arrived, beyond) = stimulus::read(self.job(), &*machine, quiet)?;
            let compared = Compared::of(&self.job().embedding, &sent, (&arrived, beyond));
            blocks.relax(&arrived);
            torus.relax();
            swept.add(took, &compared, (&blocks, &torus, side));
        }
        if let Some(results) = results {
            outputs.results = Some(results.path().display().to_string());
            let bits = self.points.bits();
            let value = |point: usize| {
                let value = blocks.value(point / side, point % side);
                (point, hexadecimal(&[value], bits))
            };
            POINTS.write(results, (0..side * side).map(value))?;
        }
        Ok(report::verdict(&self.relaxation, &swept))
    }

    fn traffic_file(&self) -> String {
        POINTS.text(&self.points)
    }

    fn expected(&self) -> Box<dyn Fn(usize, Field, usize) -> Option<bool> + '_> {
        stimulus::expected(self.job(), &self.messages)
    }

    fn later(&self, round: usize) -> Result<(Box<dyn Stimulus>, String), Error> {
        let chosen = &self.job().chosen;
        let seed = chosen.seed().wrapping_add(round as u64);
        let (amount, bits) = (self.points.nodes(), self.points.bits());
        let (points, name) = patterned(round, (amount, 1, bits), seed);
        let later = Self::with(Relaxation::new(chosen)?, points);
        Ok((Box::new(later), name))
    }

    fn facts(&self) -> Section {
        report::facts(&self.relaxation)
    }

    fn in_words(&self) -> String {
        format!("guest {}", self.job().name)
    }

    fn message_in<'t>(&self, text: &'t str) -> &'t str {
        shown::message_in(text)
    }

    fn message_of(&self, begin: &str) -> Option<Followed> {
        shown::message_of(self.job(), begin)
    }

    fn counts_from(&self) -> u32 {
        1
    }

    fn legend(&self) -> Vec<String> {
        shown::legend(self.job())
    }

    fn follow(&self, asked: Option<&str>) -> Result<Option<Followed>, Error> {
        shown::follow(self.job(), asked)
    }

    /// Those that a message passes.
    fn interesting(&self) -> Vec<usize> {
        shown::interesting(self.job())
    }
}
