//! A phase with its messages: loads them, reads what has arrived, judges.

use std::path::Path;

use hosts::embeddings::{Loading, Occupants, Reading};
use hosts::words::{Words, hexadecimal};
use rtl_model::machine::device::Device;
use rtl_model::machine::host::Field;
use rtl_model::machine::router::Position;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::phase::CELLS;

use crate::error::Error;
use crate::families::embeddings::compared::Compared;
use crate::families::embeddings::job::Job;
use crate::families::embeddings::messages::EDGES;
use crate::families::embeddings::parameters::RESULTS;
use crate::families::embeddings::{report, shown};
use crate::lockstep::simulation::Measurement;
use crate::lockstep::{Followed, Stimulus, Verdict};
use crate::output::{Staged, Staging};
use crate::progress::{Stage, broken_off};
use crate::report::{Outputs, Section};
use crate::words::patterned;

/// A phase and its messages.
pub struct Carrying {
    pub(super) job: Job,
    pub(super) messages: Words,
    results: Option<Staged>,
}

impl Carrying {
    /// With messages that are drawn or read.
    ///
    /// # Errors
    /// Files that cannot be used.
    pub fn new(job: Job) -> Result<Self, Error> {
        let size = (job.embedding.edges(), job.message_bits);
        Ok(Carrying {
            messages: EDGES.values(&job.chosen, size)?,
            job,
            results: None,
        })
    }
}

/// Puts configuration and messages into the nodes.
///
/// # Errors
/// Whatever `passed` returns.
pub fn load(
    job: &Job,
    messages: &Words,
    machine: &mut dyn Lockstep,
    passed: &mut dyn FnMut(usize) -> Result<(), Error>,
) -> Result<(), Error> {
    broken_off(passed, |passed| {
        machine.load(&mut Loading::new(job.carried(), messages, passed))
    })
}

/// The messages as they arrived, and bits behind their ends that are not 0.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn read(job: &Job, machine: &dyn Lockstep, quiet: bool) -> Result<(Words, usize), Error> {
    let occupants = Occupants::at_last(job.carried());
    let mut reading = Stage::new(machine.nodes() as u64, "comparing", quiet);
    broken_off(&mut |node| reading.passed(node), |passed| {
        let mut host = Reading::new(job.carried(), &occupants, passed);
        machine.unload(&mut host)?;
        Ok((host.messages, host.beyond))
    })
}

/// What the host is to read once these messages have arrived: of a node, a field and a bit of it.
pub fn expected<'a>(
    job: &'a Job,
    messages: &'a Words,
) -> Box<dyn Fn(usize, Field, usize) -> Option<bool> + 'a> {
    let occupants = Occupants::at_last(job.carried());
    let packet_bits = job.machine.packet_bits();
    let carried = job.carried();
    Box::new(move |node, field, bit| {
        let packet = match field == CELLS {
            true => occupants.packet(node, bit / packet_bits)?,
            false => return None,
        };
        let place = carried.message_bit(packet, bit % packet_bits);
        place.map_or(Some(false), |place| {
            messages.bit(carried.edge_of(packet), place)
        })
    })
}

impl Stimulus for Carrying {
    fn device(&self) -> &dyn Device {
        self.job.machine.as_device()
    }

    fn load(
        &self,
        machine: &mut dyn Lockstep,
        passed: &mut dyn FnMut(usize) -> Result<(), Error>,
    ) -> Result<(), Error> {
        load(&self.job, &self.messages, machine, passed)
    }

    fn live_bits(&self, _after: Option<Position>) -> Option<u64> {
        None
    }

    fn stage(&mut self, _deliveries: Option<&Path>, staging: &mut Staging) -> Result<(), Error> {
        if let Some(path) = self.job.chosen.path(&RESULTS) {
            self.results = Some(staging.create_text(path, "the results")?);
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
        let (arrived, beyond) = read(&self.job, &*machine, quiet)?;
        if let Some(results) = self.results.take() {
            outputs.results = Some(results.path().display().to_string());
            let rows = arrived.iter().enumerate();
            let bits = arrived.bits();
            EDGES.write(
                results,
                rows.map(|(edge, word)| (edge, hexadecimal(word, bits))),
            )?;
        }
        let compared = Compared::of(&self.job.embedding, &self.messages, (&arrived, beyond));
        Ok(report::verdict(&self.job, measurement, &compared))
    }

    fn traffic_file(&self) -> String {
        EDGES.text(&self.messages)
    }

    fn expected(&self) -> Box<dyn Fn(usize, Field, usize) -> Option<bool> + '_> {
        expected(&self.job, &self.messages)
    }

    fn later(&self, round: usize) -> Result<(Box<dyn Stimulus>, String), Error> {
        let seed = self.job.chosen.seed().wrapping_add(round as u64);
        let (edges, bits) = (self.messages.nodes(), self.messages.bits());
        let (messages, name) = patterned(round, (edges, 1, bits), seed);
        let later = Carrying {
            job: Job::new(&self.job.chosen)?,
            messages,
            results: None,
        };
        Ok((Box::new(later), name))
    }

    fn facts(&self) -> Section {
        report::facts(&self.job)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::embeddings::testbench::EMBEDDING;
    use crate::testbench::bench::asked;

    /// Messages of 3 bits in 2 packets of 2: a bit behind the end of each, which nobody but the verdict looks at.
    #[test]
    fn bits_behind_the_end_of_a_message_are_counted() {
        let words = "--guest gray-cycle --dims 2 --packets 2 --message-bits 3";
        let job = Job::new(&asked(&EMBEDDING, words)).unwrap();
        let sent = Words::drawn(4, 1, 3, 1);
        let mut machine = job.machine.as_device().build(1).unwrap();
        load(&job, &sent, &mut *machine, &mut |_| Ok(())).unwrap();
        while !machine.is_done() {
            machine.tick().unwrap();
        }
        assert_eq!(read(&job, &*machine, true).unwrap(), (sent.clone(), 0));
        // Registers of cells come last.
        let plan = job.plan();
        let orders = 2 * 2 * plan.steps() * plan.code_bits();
        for edge in 0..4 {
            let packet = 2 * edge + 1;
            let padding = orders + 2 * plan.ends(packet) + 1;
            machine.flip_register(plan.destination(packet), padding);
            assert_eq!(
                read(&job, &*machine, true).unwrap(),
                (sent.clone(), edge + 1)
            );
        }
    }
}
