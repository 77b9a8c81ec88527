//! Work along a phase: what the testbenches differ in, and what follows for all of them.

use hosts::tale::Tales;
use hosts::words::Words;
use rtl_model::machine::simulation::Lockstep;
use waves::picture::run::Fate;

use crate::error::Error;
use crate::families::embeddings::dispersal::cuts::Cut;
use crate::families::embeddings::job::Job;
use crate::families::embeddings::messages::Owners;
use crate::families::embeddings::parameters::{AXES, PACKETS, RESULTS, default_axes};
use crate::families::embeddings::stimulus::Carrying;
use crate::lockstep::{Beside, Ended, Requirement, Stimulus, Verdict};
use crate::report::Section;
use crate::testbench::bench::{self, AnyMachine};
use crate::testbench::chosen::{Chosen, Given};
use crate::testbench::parameter::Parameter;

/// Writes what came of the values, each with whose it is, if that is asked for.
///
/// # Errors
/// A file that cannot be written after all.
pub fn write_results(
    run: &mut Ended<'_>,
    of: Owners,
    rows: impl Iterator<Item = (usize, String)>,
) -> Result<(), Error> {
    match run.file(&RESULTS) {
        Some(results) => of.write(results, rows),
        None => Ok(()),
    }
}

/// What is done along a phase.
pub trait Work: Sized + 'static {
    /// Whose values there are.
    const OWNERS: Owners;

    /// As asked for.
    ///
    /// # Errors
    /// What is refused of it.
    fn new(chosen: &Chosen) -> Result<Self, Error>;

    /// The phase, and what it was asked for by.
    fn job(&self) -> &Job;

    /// What is chosen of it.
    fn choice(&self) -> &'static str {
        self.job().name
    }

    /// How it runs, in words.
    fn in_words(&self) -> String {
        let job = self.job();
        let (name, bits) = (job.name, job.message_bits);
        let (vertices, edges) = (job.embedding.vertices(), job.embedding.edges());
        let load = match job.measures.load {
            1 => String::new(),
            load => format!(", up to {load} on a node"),
        };
        format!(
            "guest {name} of {vertices} vertices{load}: {bits} bits over each of its {edges} edges"
        )
    }

    /// Bytes beside the machine.
    fn beside(&self) -> Beside {
        self.job().beside()
    }

    /// How many values there are, and of how many bits.
    fn size(&self) -> (usize, usize);

    /// The messages of guest edges that values become; none, where they are the messages.
    ///
    /// # Errors
    /// Values that cannot be sent.
    fn messages(&self, values: &Words) -> Result<Option<Words>, Error> {
        let _ = values;
        Ok(None)
    }

    /// Wires that fail meanwhile, drawn or read.
    ///
    /// # Errors
    /// Files that cannot be used.
    fn cuts(&self) -> Result<Vec<Cut>, Error> {
        Ok(Vec::new())
    }

    /// What became of messages, where more is known than that they arrived.
    ///
    /// # Errors
    /// [`Error::Interrupted`]; what the work says of messages that it should take.
    fn fates(of: &Carrying<Self>, machine: &dyn Lockstep) -> Result<Vec<Fate>, Error> {
        let _ = (of, machine);
        Ok(Vec::new())
    }

    /// What a waveform tells of these nodes in words.
    fn tales(of: &Carrying<Self>, nodes: &[usize]) -> Tales {
        let _ = (of, nodes);
        Tales::default()
    }

    /// What is told of the machine and its values.
    fn facts(&self) -> Section;

    /// Reads what has arrived, and judges.
    ///
    /// # Errors
    /// [`Error::Interrupted`]; a file that could not be written after all.
    fn judge(of: &Carrying<Self>, run: Ended<'_>) -> Result<Verdict, Error>;
}

impl<W: Work> bench::Job for W {
    fn machine(&self) -> AnyMachine<'_> {
        AnyMachine::Lockstep(self.job().machine.as_device())
    }

    fn requirement(&self) -> Requirement {
        Requirement::of(self.job().machine.as_device(), self.beside())
    }

    fn choice(&self) -> Option<&'static str> {
        Some(Work::choice(self))
    }

    fn found(&self) -> Vec<(&'static Parameter, Given)> {
        let job = self.job();
        let mut found = vec![(&PACKETS, Given::number(job.embedding.packets().len()))];
        found.extend(default_axes(&job.chosen).map(|axes| (&AXES, Given::number(axes))));
        found
    }

    fn with_traffic(self: Box<Self>) -> Result<Box<dyn Stimulus>, Error> {
        Ok(Box::new(Carrying::new(*self)?))
    }
}
