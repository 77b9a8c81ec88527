//! Judges traffics of any testbench by a run of each, of the very file that is written in the end.

use std::fs;
use std::path::PathBuf;

use rayon::prelude::*;
use tempfile::TempDir;

use crate::error::Error;
use crate::error::refusal::unwritable;
use crate::measure::reading::Finished;
use crate::measure::row::Row;
use crate::measure::sweep::row_of;
use crate::search::climb::{Judge, Score};
use crate::search::space::{Candidate, Space};
use crate::testbench::bench::run_beside_others;
use crate::testbench::chosen::{Chosen, Given};
use crate::testbench::parameter::Parameter;

/// Traffics that are judged at once.
const AT_ONCE: usize = 32;

/// Runs of a testbench with files of traffic.
pub struct ByRuns<'a> {
    space: &'a Space,
    /// Without what is not given beside a file.
    chosen: Chosen,
    file: &'static Parameter,
    reading: &'static str,
    folder: TempDir,
}

impl<'a> ByRuns<'a> {
    /// Of what is chosen, whose parameter `file` takes the traffic, by a reading of its rows.
    ///
    /// # Errors
    /// No folder for temporary files.
    pub fn new(
        space: &'a Space,
        chosen: &Chosen,
        file: &'static Parameter,
        reading: &'static str,
    ) -> Result<Self, Error> {
        let folder = tempfile::tempdir();
        Ok(ByRuns {
            space,
            chosen: with_file(chosen, file, PathBuf::new()),
            file,
            reading,
            folder: folder.map_err(unwritable(&std::env::temp_dir()))?,
        })
    }
}

/// What is chosen, with traffic from a file.
pub fn with_file(chosen: &Chosen, file: &'static Parameter, path: PathBuf) -> Chosen {
    let mut with_file = chosen.clone();
    for name in file.conflicts {
        if let Some(other) = chosen.bench().parameter(name) {
            with_file.set(other, None);
        }
    }
    with_file.with(file, Given::Path(path))
}

/// The row of a run.
///
/// # Errors
/// What is refused of it, and whatever keeps it from its end.
pub fn row(chosen: &Chosen) -> Result<Row, Error> {
    let report = run_beside_others(chosen)?;
    Ok(row_of(&Finished::new(chosen, &report)))
}

impl Judge for ByRuns<'_> {
    fn at_once(&self) -> usize {
        AT_ONCE
    }

    fn judge(&mut self, candidates: &[Candidate]) -> Result<Vec<Score>, Error> {
        let judged = candidates
            .par_iter()
            .enumerate()
            .map(|(number, candidate)| {
                let path = self.folder.path().join(format!("{number}.csv"));
                fs::write(&path, self.space.file(candidate)).map_err(unwritable(&path))?;
                let chosen = self.chosen.clone().with(self.file, Given::Path(path));
                let row = row(&chosen)?;
                let value = match row.passed() {
                    true => row.number(self.reading).unwrap_or(f64::NEG_INFINITY),
                    false => f64::INFINITY,
                };
                let nearness = 0.0;
                Ok(Score { value, nearness })
            });
        judged.collect()
    }
}
