//! What messages are made of, and what becomes of those that arrived: messages as they are, a matrix, or samples.

use std::rc::Rc;

use hosts::words::Words;
use rtl_model::routers::collectives::algorithms::Operation;

use crate::error::Error;
use crate::families::collectives::histogram::Samples;
use crate::families::collectives::job::Job;
use crate::families::collectives::messages::Messages;
use crate::families::collectives::parameters::{MATRIX, VALUES};
use crate::families::collectives::transpose::Matrix;
use crate::options::file_name;
use crate::output::Staged;
use crate::report::{Check, Section};
use crate::testbench::chosen::Chosen;

/// What messages are made of.
pub trait Data {
    /// The messages, by the numbers of what is sent.
    fn sent(&self, job: &Job) -> Rc<Words>;

    /// What has to arrive, by the numbers of that, where it is not what is sent.
    fn due(&self, _job: &Job) -> Option<Words> {
        None
    }

    /// What is sent, in a phrase for the title; nothing where the operation says it.
    fn in_words(&self, job: &Job) -> String;

    /// Rows of the summary.
    fn summary(&self, job: &Job) -> Vec<(&'static str, String)>;

    /// What is told of it besides.
    fn facts(&self) -> Section {
        Vec::new()
    }

    /// What nodes end up with, in words; nothing where that is the messages themselves.
    fn outcomes(&self, _job: &Job) -> Vec<(usize, String)> {
        Vec::new()
    }

    /// Checks of what comes of the messages that arrived, beside that they are what was sent.
    fn checks(&self, _job: &Job, _arrived: &Words) -> Vec<Check> {
        Vec::new()
    }

    /// It as a file that the option reads which it can be given by.
    fn file(&self, job: &Job) -> String;

    /// Writes what arrived.
    ///
    /// # Errors
    /// A file that cannot be written after all.
    fn write(&self, job: &Job, output: Staged, arrived: &Words) -> Result<(), Error>;

    /// Other data as large for a later round of a Verilog testbench, drawn from a seed or with some pattern, and what that is.
    fn later(&self, job: &Job, round: usize, seed: u64) -> (Rc<dyn Data>, String);
}

/// The data of a job, drawn or read.
///
/// # Errors
/// A file that cannot be used.
pub fn of(job: &Job) -> Result<Rc<dyn Data>, Error> {
    if let Some(read) = &job.read {
        return Ok(read.clone());
    }
    Ok(match job.operation {
        Operation::Transpose => Rc::new(Matrix::drawn(&job.chosen)?),
        Operation::Histogram => Rc::new(Samples::drawn(&job.chosen)?),
        _ => Rc::new(Messages::new(job)?),
    })
}

/// Where the data of a job came from, a file or a seed: in a word, and in a few.
pub fn origin(chosen: &Chosen) -> [String; 2] {
    match chosen.path(&MATRIX).or(chosen.path(&VALUES)).map(file_name) {
        Some(name) => [name.clone(), format!("from {name}")],
        None => [
            "random".to_owned(),
            format!("drawn from seed {}", chosen.seed()),
        ],
    }
}
