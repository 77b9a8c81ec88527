//! A collective operation with its data: loads messages, reads what has arrived, judges.

use rtl_model::error::Error as ModelError;
use rtl_model::machine::arrivals::Passed;
use std::rc::Rc;

use hosts::collectives::ends::Pattern;
use hosts::collectives::memories::{Arrived, Loading, Reading};
use hosts::collectives::places::Places;
use hosts::tale::{Said, Tale, Tales};
use hosts::words::Words;
use rtl_model::machine::device::Device;
use rtl_model::machine::host::Field;
use rtl_model::machine::memory;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::collectives::{MEMORY, VIOLATION, bytes_to_follow, summed};

use crate::error::Error;
use crate::families::collectives::data::Data;
use crate::families::collectives::job::Job;
use crate::families::collectives::parameters::RESULTS;
use crate::families::collectives::report;
use crate::lockstep::whereabouts::no_such_message;
use crate::lockstep::{Ended, Followed, Stimulus, Verdict};
use crate::progress::in_stage;
use crate::report::Section;

/// The largest logic that is written down for its depth, as the machine estimates it: a second, roughly.
const MOST_LOGIC: usize = 1 << 18;

/// The most bytes that it may take to follow all numbers, for the sake of their tales.
const MOST_FOLLOWED: u64 = 1 << 24;

/// An operation and its data.
pub struct Carrying {
    pub(super) job: Job,
    pub(super) data: Rc<dyn Data>,
    /// The messages, by the numbers of what is sent.
    sent: Rc<Words>,
    /// What has to arrive, where it is not what is sent.
    due: Option<Words>,
}

impl Carrying {
    /// A job with data.
    pub fn new(job: Job, data: Rc<dyn Data>) -> Self {
        Carrying {
            sent: data.sent(&job),
            due: data.due(&job),
            job,
            data,
        }
    }

    /// The ends of the message that is followed where none is asked for: one that goes far.
    fn shown(&self) -> [usize; 2] {
        let last = self.job.cube.nodes() - 1;
        match &self.job.ends.pattern {
            Pattern::From(node) => [*node, last ^ *node],
            Pattern::To(node) => [last ^ *node, *node],
            Pattern::Between(from, to) => [*from, *to],
            Pattern::Permuted(permutation) => {
                let moves = |node: &usize| permutation.to(*node) != *node;
                let from = (0..=last).find(moves).unwrap_or(0);
                [from, permutation.to(from)]
            }
            _ => [0, last],
        }
    }

    /// A message, as waveforms and pictures show it.
    fn message(&self, [from, to]: [usize; 2]) -> Followed {
        let is_for_all = self.job.ends.pattern == Pattern::EachToAll;
        Followed {
            begin: format!("{from}_to_{}", if is_for_all { from } else { to }),
            name: match is_for_all {
                true => format!("{from}->all"),
                false => format!("{from}->{to}"),
            },
            source: from,
            destination: (!is_for_all).then_some(to),
            nodes: Vec::new(),
        }
    }

    /// From where to where the message goes that is called so.
    ///
    /// # Errors
    /// A message that there is not.
    fn named(&self, text: &str) -> Result<[usize; 2], Error> {
        let ends = &self.job.ends;
        let name = |[from, to]: [usize; 2]| format!("{from}->{to}");
        ends.named(text)
            .ok_or_else(|| no_such_message(text, ends.all().count(), ends.all().next().map(name)))
    }

    /// The messages as they arrived.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    fn read(&self, machine: &dyn Lockstep, quiet: bool) -> Result<Arrived, Error> {
        in_stage(("comparing", machine.nodes()), quiet, |passed| {
            let mut host = Reading::new(self.job.carried(), &self.sent, passed);
            machine.unload(&mut host)?;
            Ok(host.arrived())
        })
    }
}

impl Stimulus for Carrying {
    fn device(&self) -> &dyn Device {
        self.job.machine.as_device()
    }

    fn load(&self, machine: &mut dyn Lockstep, passed: Passed<'_>) -> Result<(), ModelError> {
        machine.load(&mut Loading::new(self.job.carried(), &self.sent, passed))
    }

    fn has_logic_depth(&self) -> bool {
        self.job.machine.logic_size() <= MOST_LOGIC
    }

    fn judge(&mut self, mut run: Ended<'_>) -> Result<Verdict, Error> {
        let arrived = self.read(&*run.machine, run.quiet)?;
        if let Some(results) = run.file(&RESULTS) {
            self.data.write(&self.job, results, &arrived.messages)?;
        }
        let sent = (&*self.sent, self.due.as_ref());
        let compared = report::compare(&self.job, sent, &arrived.messages);
        Ok(report::verdict(
            self,
            run.measurement,
            (&compared, &arrived),
        ))
    }

    fn traffic_file(&self) -> String {
        self.data.file(&self.job)
    }

    fn expected(&self) -> Box<dyn Fn(usize, Field, usize) -> Option<bool> + '_> {
        let (job, program) = (&self.job, &self.job.plan().program);
        let places = Places::new(&program.arrivals, program.source);
        Box::new(move |node, field, bit| {
            if field == VIOLATION {
                return Some(false);
            }
            let mut here = places.stretches(node, (bit, 1)).filter(|_| field == MEMORY);
            let stretch = here.next()?;
            let word = match &self.due {
                Some(due) => (due, job.ends.arrived(stretch.other, node)),
                None => (&*self.sent, job.ends.sent(stretch.other, node)),
            };
            Some(word.0.chunk(word.1, stretch.bit, 1) == 1)
        })
    }

    fn later(&self, round: usize) -> Result<(Box<dyn Stimulus>, String), Error> {
        let seed = self.job.chosen.seed().wrapping_add(round as u64);
        let (data, name) = self.data.later(&self.job, round, seed);
        Ok((Box::new(Self::new(self.job.clone(), data)), name))
    }

    fn in_words(&self) -> String {
        let algorithm = format!("algorithm {}", self.job.algorithm.name());
        match self.data.in_words(&self.job) {
            text if text.is_empty() => algorithm,
            text => format!("{algorithm}, {text}"),
        }
    }

    fn counts_from(&self) -> u32 {
        1
    }

    fn legend(&self) -> Vec<String> {
        let name = match self.job.ends.pattern {
            Pattern::EachToAll => "1_to_1:4 = message of node 1, from bit 4 on",
            Pattern::Summed => {
                "0_to_1:4 = node 0's counts for node 1 from bit 4 on, sum_of_2: of 2 nodes"
            }
            _ => "0_to_1:4 = message 0->1, from its bit 4 on",
        };
        let steps = match self.job.start_up() {
            0 => "SHIFT: bits cross",
            _ => "START: start-up of a packet, SHIFT: its bits",
        };
        let reorder = self.job.plan().program.reorder.as_ref();
        let relabel = reorder.map(|_| "relabel: nodes put them in order");
        let phrases = [name, steps].into_iter().chain(relabel);
        phrases.map(str::to_owned).collect()
    }

    fn tales(&self, nodes: &[usize]) -> Result<Tales, Error> {
        let program = &self.job.plan().program;
        if self.job.ends.pattern != Pattern::Summed || bytes_to_follow(program) > MOST_FOLLOWED {
            return Ok(Tales::default());
        }
        let sums = summed(program);
        let tale = |&node: &usize| {
            let told = sums.iter().map(|(bit_time, of_nodes)| Said {
                from: *bit_time as u64,
                words: match of_nodes[node] {
                    0 => String::new(),
                    1 => "own counts".to_owned(),
                    amount => format!("sum of {amount} nodes"),
                },
                amounts: [of_nodes[node], 0],
            });
            Tale {
                node,
                told: told.collect(),
            }
        };
        Ok(Tales {
            counts: "nodes added up",
            doubles: true,
            of_nodes: nodes.iter().map(tale).collect(),
            ..Tales::default()
        })
    }

    fn roles(&self) -> Vec<(usize, String)> {
        self.data.outcomes(&self.job)
    }

    fn marks(&self) -> Vec<(u64, String)> {
        let reorder = self.job.plan().program.reorder.as_ref();
        let mark = reorder.map(|reorder| (reorder.bit_time as u64, "relabel".to_owned()));
        mark.into_iter().collect()
    }

    fn follow(&self, asked: Option<&str>) -> Result<Option<Followed>, Error> {
        let [from, to] = match (asked, &self.job.ends.pattern) {
            // What is added has no route of its own: ports tell more.
            (_, Pattern::Summed) => return Ok(None),
            (Some(text), _) => {
                let bytes = bytes_to_follow(&self.job.plan().program);
                memory::require(
                    "--trace-message, which follows every bit,",
                    bytes,
                    memory::available(),
                )?;
                self.named(text)?
            }
            (None, _) => self.shown(),
        };
        Ok((from != to).then(|| self.message([from, to])))
    }

    /// In `2_to_7:4`, that from node 2 to node 7.
    fn message_in<'t>(&self, text: &'t str) -> &'t str {
        text.split_once(':').map_or(text, |(message, _)| message)
    }

    fn message_of(&self, begin: &str) -> Option<Followed> {
        if self.job.ends.pattern == Pattern::Summed {
            return None;
        }
        let (from, to) = begin.split_once("_to_")?;
        Some(self.message([from.parse().ok()?, to.parse().ok()?]))
    }

    fn facts(&self) -> Section {
        report::facts(self)
    }

    /// The ends of one message.
    fn interesting(&self) -> Vec<usize> {
        let [from, to] = self.shown();
        match from == to {
            true => vec![from],
            false => vec![from, to],
        }
    }
}

#[cfg(test)]
mod tests;
