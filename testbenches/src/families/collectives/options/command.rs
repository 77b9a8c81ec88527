//! The command line that asks for a machine again.

use rtl_model::routers::collectives::algorithms::Operation;

use crate::error::Error;
use crate::families::collectives::options::Setup;

impl Setup {
    /// The command line that asks for the same machine, defaults spelled out.
    ///
    /// # Errors
    /// What is refused.
    pub fn command(&self, command: &str) -> Result<String, Error> {
        let operation = self.operation;
        let mut words = format!(
            "cubewave {command} {operation} --algorithm {} --ports {} --dims {} --start-up {}",
            self.algorithm()?.name(),
            self.ports()?,
            self.cube()?.count(),
            self.start_up()?
        );
        let mut add = |option: &str, number: Option<usize>| {
            if let Some(number) = number {
                words += &format!(" {option} {number}");
            }
        };
        add("--groups", self.groups);
        add("--packet-bits", self.packet_bits);
        match operation {
            Operation::Scatter | Operation::Gather => add("--source", Some(self.source()?)),
            Operation::Send => {
                add("--source", Some(self.source()?));
                add("--destination", Some(self.destination()?));
            }
            Operation::Transpose if self.matrix.is_none() => add("--size", self.size),
            Operation::Histogram => add("--bins", self.bins),
            _ => {}
        }
        match operation {
            Operation::Transpose | Operation::Histogram => add("--word-bits", self.word_bits),
            _ => add("--message-bits", Some(self.message_bits()?)),
        }
        if let Some(permutation) = &self.permutation {
            words += &format!(" --permutation {permutation}");
        }
        Ok(words)
    }
}
