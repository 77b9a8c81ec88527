//! Work along a phase with its values: loads them, reads what has arrived, lets judge.

use hosts::embeddings::{Loading, Occupants, Reading};
use hosts::tale::Tales;
use hosts::words::Words;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::arrivals::Passed;
use rtl_model::machine::device::Device;
use rtl_model::machine::host::Field;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::phase::CELLS;
use waves::picture::run::Fate;

use crate::error::Error;
use crate::families::embeddings::dispersal::cuts::{self, Cut};
use crate::families::embeddings::dispersal::parameters::CUTS_OUT;
use crate::families::embeddings::job::Job;
use crate::families::embeddings::shown;
use crate::families::embeddings::work::Work;
use crate::lockstep::{Ended, Followed, Stimulus, Verdict, WireFault};
use crate::progress::in_stage;
use crate::report::Section;
use crate::words::patterned;

/// Work along a phase, and what it is done with.
pub struct Carrying<W> {
    pub(super) work: W,
    /// Values, drawn or read.
    pub(super) values: Words,
    /// The messages of guest edges that they become; none, where they are the messages.
    sent: Option<Words>,
    /// Wires that fail meanwhile.
    pub(super) cuts: Vec<Cut>,
    /// Threads of runs after the first.
    pub(super) threads: usize,
}

impl<W: Work> Carrying<W> {
    /// With values that are drawn or read.
    ///
    /// # Errors
    /// Files that cannot be used.
    pub fn new(work: W) -> Result<Self, Error> {
        let values = W::OWNERS.values(&work.job().chosen, work.size())?;
        let cuts = work.cuts()?;
        Self::with(work, values, cuts)
    }

    fn with(work: W, values: Words, cuts: Vec<Cut>) -> Result<Self, Error> {
        Ok(Carrying {
            sent: work.messages(&values)?,
            work,
            values,
            cuts,
            threads: 1,
        })
    }

    fn messages(&self) -> &Words {
        self.sent.as_ref().unwrap_or(&self.values)
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
    passed: Passed<'_>,
) -> Result<(), ModelError> {
    machine.load(&mut Loading::new(job.carried(), messages, passed))
}

/// The messages as they arrived, and bits behind their ends that are not 0.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn read(job: &Job, machine: &dyn Lockstep, quiet: bool) -> Result<(Words, usize), Error> {
    let occupants = Occupants::at_last(job.carried());
    in_stage(("comparing", machine.nodes()), quiet, |passed| {
        let mut host = Reading::new(job.carried(), &occupants, passed);
        machine.unload(&mut host)?;
        Ok((host.messages, host.beyond))
    })
}

impl<W: Work> Stimulus for Carrying<W> {
    fn device(&self) -> &dyn Device {
        self.work.job().machine.as_device()
    }

    fn load(&self, machine: &mut dyn Lockstep, passed: Passed<'_>) -> Result<(), ModelError> {
        load(self.work.job(), self.messages(), machine, passed)
    }

    fn faults(&self) -> Vec<WireFault> {
        self.cuts.iter().copied().map(WireFault::from).collect()
    }

    fn take_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    fn judge(&mut self, mut run: Ended<'_>) -> Result<Verdict, Error> {
        let cuts_out = run.file(&CUTS_OUT);
        let verdict = W::judge(self, run)?;
        if let Some(file) = cuts_out {
            cuts::write(file, &self.cuts)?;
        }
        Ok(verdict)
    }

    fn traffic_file(&self) -> String {
        W::OWNERS.text(&self.values)
    }

    /// Of a cell that a packet ends in, the bits of its message.
    fn expected(&self) -> Box<dyn Fn(usize, Field, usize) -> Option<bool> + '_> {
        let job = self.work.job();
        let (carried, packet_bits) = (job.carried(), job.machine.packet_bits());
        let occupants = Occupants::at_last(job.carried());
        Box::new(move |node, field, bit| {
            let packet = match field == CELLS {
                true => occupants.packet(node, bit / packet_bits)?,
                false => return None,
            };
            let place = carried.message_bit(packet, bit % packet_bits);
            place.map_or(Some(false), |place| {
                self.messages().bit(carried.edge_of(packet), place)
            })
        })
    }

    fn later(&self, round: usize) -> Result<(Box<dyn Stimulus>, String), Error> {
        let chosen = &self.work.job().chosen;
        let seed = chosen.seed().wrapping_add(round as u64);
        let (amount, bits) = (self.values.nodes(), self.values.bits());
        let (values, name) = patterned(round, (amount, 1, bits), seed);
        let later = Self::with(W::new(chosen)?, values, Vec::new())?;
        Ok((Box::new(later), name))
    }

    fn facts(&self) -> Section {
        self.work.facts()
    }

    fn in_words(&self) -> String {
        self.work.in_words()
    }

    fn message_in<'t>(&self, text: &'t str) -> &'t str {
        shown::message_in(text)
    }

    fn message_of(&self, begin: &str) -> Option<Followed> {
        shown::message_of(self.work.job(), begin)
    }

    fn counts_from(&self) -> u32 {
        1
    }

    fn legend(&self) -> Vec<String> {
        shown::legend(self.work.job())
    }

    fn follow(&self, asked: Option<&str>) -> Result<Option<Followed>, Error> {
        shown::follow((self.work.job(), &self.cuts), asked)
    }

    fn roles(&self) -> Vec<(usize, String)> {
        shown::roles(self.work.job(), &self.cuts)
    }

    fn failing(&self) -> Vec<([String; 3], String)> {
        self.cuts.iter().flat_map(shown::failing).collect()
    }

    fn tales(&self, nodes: &[usize]) -> Result<Tales, Error> {
        Ok(W::tales(self, nodes))
    }

    fn fates(&self, machine: &dyn Lockstep) -> Result<Vec<Fate>, Error> {
        W::fates(self, machine)
    }

    /// Those that a message passes, or those of a message that a wire's failing concerns.
    fn interesting(&self) -> Vec<usize> {
        shown::interesting(self.work.job(), &self.cuts)
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
