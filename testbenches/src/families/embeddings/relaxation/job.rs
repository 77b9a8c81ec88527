//! A relaxation: the phase of a sweep, the points that processes share, and what the sweeps make of them.

use hosts::tale::{Said, Tale, Tales};
use hosts::words::{Words, hexadecimal};
use rtl_model::machine::simulation::Lockstep;
use waves::probe::beside;

use crate::error::Error;
use crate::families::embeddings::compared::compare;
use crate::families::embeddings::job::{Guest, Job};
use crate::families::embeddings::messages::{self, Owners};
use crate::families::embeddings::parameters::PACKETS;
use crate::families::embeddings::relaxation::blocks::{Blocks, Layout};
use crate::families::embeddings::relaxation::parameters::{SWEEPS, WORD_BITS, points, processes};
use crate::families::embeddings::relaxation::report;
use crate::families::embeddings::relaxation::sweeps::Sweeps;
use crate::families::embeddings::relaxation::torus::Torus;
use crate::families::embeddings::stimulus::{self, Carrying};
use crate::families::embeddings::work::{Work, write_results};
use crate::lockstep::simulation::{self, Measurement};
use crate::lockstep::{Beside, Ended, Verdict};
use crate::progress::in_stage;
use crate::report::Section;
use crate::testbench::chosen::Chosen;

/// Points of a block whose values a waveform has room for.
const MOST_POINTS: usize = 4;

/// What is asked for, worked out.
pub struct Relaxation {
    /// The phase of a sweep: every process sends to its four neighbours.
    pub job: Job,
    /// Which points processes have, and what they send.
    pub layout: Layout,
}

impl Relaxation {
    /// Points of a side of the torus.
    pub fn points(&self) -> usize {
        self.layout.points()
    }

    /// Sweeps.
    pub fn sweeps(&self) -> usize {
        self.job.chosen.number(&SWEEPS)
    }
}

impl Work for Relaxation {
    const OWNERS: Owners = messages::POINTS;

    fn new(chosen: &Chosen) -> Result<Self, Error> {
        let (points, processes) = (points(chosen)?, processes(chosen)?);
        let mut guest = Guest::of(chosen)?;
        guest.embedding = guest.embedding.both_ways();
        let side = points / processes;
        let message = (chosen.whole(&PACKETS), side * chosen.number(&WORD_BITS));
        let job = Job::sending(chosen, guest, message)?;
        Ok(Relaxation {
            layout: Layout::new(&job.embedding, processes, side),
            job,
        })
    }

    fn job(&self) -> &Job {
        &self.job
    }

    /// The messages, and the points as they begin, as new and old blocks and as a torus twice.
    fn beside(&self) -> Beside {
        let points = 5 * 8 * (self.points() * self.points()) as u64;
        let Beside { before, beside } = self.job.beside();
        Beside {
            before: before + points,
            beside: beside + points,
        }
    }

    fn size(&self) -> (usize, usize) {
        let bits = self.job.chosen.number(&WORD_BITS);
        (self.points() * self.points(), bits)
    }

    fn in_words(&self) -> String {
        let (name, side, sweeps) = (self.job.name, self.layout.side(), self.sweeps());
        format!("guest {name}, blocks of {side} x {side} points, sweep 1 of {sweeps}")
    }

    fn messages(&self, values: &Words) -> Result<Option<Words>, Error> {
        Ok(Some(Blocks::new(&self.layout, values).messages()))
    }

    /// Of nodes with one small block, its points before the sweep and after it.
    fn tales(of: &Carrying<Self>, nodes: &[usize]) -> Tales {
        let layout = &of.work.layout;
        if layout.side() * layout.side() > MOST_POINTS {
            return Tales::default();
        }
        let old = Blocks::new(layout, &of.values);
        let mut new = old.clone();
        new.relax(&old.messages());
        let embedding = &of.work.job.embedding;
        let end = of.work.job.machine.as_device().bit_times().value;
        let points = |process: usize, blocks: &Blocks<'_>| {
            let points = blocks.block(process).iter();
            let points = points.map(|value| hexadecimal(&[*value], of.values.bits()));
            points.collect::<Vec<_>>().join(" ")
        };
        let said = |from, what: &str, points: &str| Said {
            from,
            words: beside(what, points),
            amounts: [0; 2],
        };
        let tale = |node: &usize| {
            let mut here =
                (0..embedding.vertices()).filter(|process| embedding.place(*process) == *node);
            let process = here.next().filter(|_| here.next().is_none());
            let told = process.map_or(Vec::new(), |process| {
                let [old, new] = [&old, &new].map(|blocks| points(process, blocks));
                // The last bit time alone would be too narrow for the new ones.
                let both = format!("{old}; after the sweep {new}");
                vec![said(0, "its points", &both), said(end, "new points", &new)]
            });
            Tale { node: *node, told }
        };
        Tales {
            of_nodes: nodes.iter().map(tale).collect(),
            ..Tales::default()
        }
    }

    fn facts(&self) -> Section {
        report::facts(self)
    }

    fn judge(of: &Carrying<Self>, mut run: Ended<'_>) -> Result<Verdict, Error> {
        let (job, side, bits) = (of.work.job(), of.work.points(), of.values.bits());
        let mut blocks = Blocks::new(&of.work.layout, &of.values);
        let mut torus = Torus::new(&of.values, side);
        let mut swept = Sweeps::default();
        for sweep in 0..of.work.sweeps() {
            let sent = blocks.messages();
            let took = match sweep {
                0 => took(run.measurement),
                _ => took(&again(of, &mut *run.machine, &sent, run.quiet)?),
            };
            let (arrived, beyond) = stimulus::read(job, &*run.machine, run.quiet)?;
            let compared = compare(&job.embedding, &sent, (&arrived, beyond));
            blocks.relax(&arrived);
            torus.relax();
            swept.add(took, &compared, (&blocks, &torus, side));
        }
        let value = |point: usize| {
            let value = blocks.value(point / side, point % side);
            (point, hexadecimal(&[value], bits))
        };
        write_results(&mut run, Self::OWNERS, (0..side * side).map(value))?;
        Ok(report::verdict(&of.work, &swept))
    }
}

/// One of the sweeps after the first: the machine begins anew.
fn again(
    of: &Carrying<Relaxation>,
    machine: &mut dyn Lockstep,
    messages: &Words,
    quiet: bool,
) -> Result<Measurement, Error> {
    machine.restart();
    in_stage(("loading", machine.nodes()), quiet, |passed| {
        stimulus::load(of.work.job(), messages, machine, passed)
    })?;
    let run = simulation::Run {
        quiet,
        threads: of.threads,
        ..simulation::Run::held_to(&|_| None)
    };
    simulation::advance(machine, run)
}

/// Bit times of a measurement, and two drivers on a wire.
fn took(measurement: &Measurement) -> (u64, Option<String>) {
    let conflict = measurement.conflict.as_ref();
    (measurement.bit_times, conflict.map(ToString::to_string))
}
