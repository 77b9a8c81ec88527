//! A relaxation: points, and the messages of the first sweep; the further sweeps, and what is found of them.

use std::path::Path;

use hosts::words::Words;
use rtl_model::machine::device::Device;
use rtl_model::machine::host::Field;
use rtl_model::machine::router::Position;
use rtl_model::machine::simulation::Lockstep;

use crate::error::Error;
use crate::families::embeddings::compared::Compared;
use crate::families::embeddings::job::Job;
use crate::families::embeddings::relaxation::blocks::{Blocks, Layout};
use crate::families::embeddings::relaxation::options::Setup;
use crate::families::embeddings::relaxation::sweeps::Sweeps;
use crate::families::embeddings::relaxation::torus::Torus;
use crate::families::embeddings::relaxation::{files, report};
use crate::families::embeddings::{shown, stimulus};
use crate::lockstep::simulation::{self, Measurement};
use crate::lockstep::{Beside, Followed, Requirement, Stimulus, Verdict, require_memory};
use crate::options::file_name;
use crate::output::{Staged, Staging};
use crate::progress::Stage;
use crate::report::{Outputs, Section};
use crate::words::patterned;

/// A relaxation before its first sweep.
pub struct Relaxing {
    pub(super) job: Job,
    pub(super) setup: Setup,
    pub(super) layout: Layout,
    /// The points as they begin, row by row.
    points: Words,
    /// What is sent in the first sweep.
    messages: Words,
    /// Sweeps.
    pub(super) sweeps: usize,
    threads: usize,
    results: Option<Staged>,
}

/// The phase of a sweep.
///
/// # Errors
/// What is refused of the setup.
pub fn job(setup: &Setup) -> Result<Job, Error> {
    let side = setup.points()? / setup.processes()?;
    Job::new(&setup.phase(side * setup.word_bits()?)?)
}

/// What a run takes: its machine, the messages, and the points as they begin, as new and old blocks and as a torus twice. Bit times
/// are those of a sweep.
pub fn requirement(job: &Job, points: usize) -> Requirement {
    let points = 5 * 8 * (points * points) as u64;
    let Beside { before, beside } = job.beside();
    Requirement::of(
        job.machine.as_device(),
        Beside {
            before: before + points,
            beside: beside + points,
        },
    )
}

impl Relaxing {
    /// As asked for: points are drawn or read. Further sweeps run on so many threads.
    ///
    /// # Errors
    /// What is refused of the setup, sizes that do not fit into memory, and files that cannot be used.
    pub fn new(setup: &Setup, threads: usize) -> Result<Self, Error> {
        let (sweeps, side) = (setup.sweeps()?, setup.points()?);
        let job = job(setup)?;
        require_memory(job.machine.as_device(), &requirement(&job, side))?;
        let (amount, bits) = (side * side, setup.word_bits()?);
        let points = match &setup.values {
            None => Words::drawn(amount, 1, bits, setup.seed),
            Some(path) => files::read(path, Words::zeros(amount, 1, bits))?,
        };
        Self::with(setup, (job, sweeps, threads), points)
    }

    fn with(
        setup: &Setup,
        (job, sweeps, threads): (Job, usize, usize),
        points: Words,
    ) -> Result<Self, Error> {
        let processes = setup.processes()?;
        let layout = Layout::new(&job.embedding, processes, setup.points()? / processes);
        let messages = Blocks::new(&layout, &points).messages();
        Ok(Relaxing {
            job,
            layout,
            points,
            messages,
            setup: setup.clone(),
            sweeps,
            threads,
            results: None,
        })
    }

    /// Bits of a point.
    pub fn word_bits(&self) -> usize {
        self.points.bits()
    }

    /// What is told of the machine and its points.
    pub fn facts(&self) -> Section {
        report::facts(self)
    }

    /// What the points are called.
    pub(super) fn points_name(&self) -> String {
        match &self.setup.values {
            Some(path) => file_name(path),
            None => "random".to_owned(),
        }
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
        stimulus::load(&self.job, messages, machine, &mut |node| {
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
        self.job.machine.as_device()
    }

    fn load(
        &self,
        machine: &mut dyn Lockstep,
        passed: &mut dyn FnMut(usize) -> Result<(), Error>,
    ) -> Result<(), Error> {
        stimulus::load(&self.job, &self.messages, machine, passed)
    }

    fn live_bits(&self, _after: Option<Position>) -> Option<u64> {
        None
    }

    fn stage(&mut self, _deliveries: Option<&Path>, staging: &mut Staging) -> Result<(), Error> {
        if let Some(path) = &self.setup.results {
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
        for sweep in 0..self.sweeps {
            let sent = blocks.messages();
            let took = match sweep {
                0 => took(measurement),
                _ => took(&self.sweep(&mut *machine, &sent, quiet)?),
            };
            let (arrived, beyond) = stimulus::read(&self.job, &*machine, quiet)?;
            let compared = Compared::of(&self.job.embedding, &sent, (&arrived, beyond));
            blocks.relax(&arrived);
            torus.relax();
            swept.add(took, &compared, (&blocks, &torus, side));
        }
        if let Some(results) = results {
            outputs.results = Some(results.path().display().to_string());
            files::write(results, &blocks, side, self.word_bits())?;
        }
        Ok(report::verdict(self, &swept))
    }

    fn traffic_file(&self) -> String {
        files::text(&self.points)
    }

    fn expected(&self) -> Box<dyn Fn(usize, Field, usize) -> Option<bool> + '_> {
        stimulus::expected(&self.job, &self.messages)
    }

    fn later(&self, round: usize) -> Result<(Box<dyn Stimulus>, String), Error> {
        let seed = self.setup.seed.wrapping_add(round as u64);
        let (points, name) = patterned(round, (self.points.nodes(), 1, self.word_bits()), seed);
        let how = (job(&self.setup)?, self.sweeps, self.threads);
        Ok((Box::new(Self::with(&self.setup, how, points)?), name))
    }

    fn in_words(&self) -> String {
        format!("guest {}", self.job.name)
    }

    fn message_in<'t>(&self, text: &'t str) -> &'t str {
        shown::message_in(text)
    }

    fn message_of(&self, begin: &str) -> Option<Followed> {
        shown::message_of(&self.job, begin)
    }

    fn counts_from(&self) -> u32 {
        1
    }

    fn legend(&self) -> Vec<String> {
        shown::legend(&self.job)
    }

    fn follow(&self, asked: Option<&str>) -> Result<Option<Followed>, Error> {
        shown::follow(&self.job, asked)
    }

    /// Those that a message passes.
    fn interesting(&self) -> Vec<usize> {
        shown::interesting(&self.job)
    }
}
