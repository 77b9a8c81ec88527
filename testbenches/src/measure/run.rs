//! Runs points of a sweep on the threads of this process: as many at a time as there are threads and memory.
//!
//! Where points come from, and where their rows go, is a [`Source`]: the process that hands them out ([`first`]), or one of
//! several that takes them from there ([`other`]).

pub(super) mod first;
pub(super) mod other;
mod words;

use std::time::{Duration, Instant};

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::measure::GridPoint;
use crate::measure::memory_gate::MemoryGate;
use crate::measure::row::Row;

/// How often this process looks whether it is interrupted, and shows how far it is.
const TICK: Duration = Duration::from_millis(100);

/// The refusal to go on with a rank that has planned something else.
fn other_sweep_on(rank: usize) -> Error {
    Refusal::of(format!(
        "rank {rank} has planned another sweep than the first rank"
    ))
    .because("all ranks must run the same cubewave, on the same files")
    .into()
}

/// Gives threads points, and takes what comes of them.
trait Source: Sync {
    /// The next point, as soon as there is one; none, if none will come.
    fn next(&self) -> Option<usize>;

    /// What came of it.
    fn take_back(&self, point: usize, outcome: Result<Row, Error>);

    /// No more are to be run.
    fn stop(&self);
}

/// The points of a sweep, and what this process has for them.
pub(super) struct Here<'a, P> {
    /// All of them, in the order of the grid.
    pub points: &'a [P],
    /// How many of them may run at a time.
    pub threads: usize,
    /// Bytes for them.
    pub available: u64,
}

impl<P: GridPoint> Here<'_, P> {
    /// Runs on all threads what a source has, while something else is done on this one; when that is over, so is all.
    fn work<T>(
        &self,
        source: &impl Source,
        meanwhile: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        // And one that waits for them.
        Error::require_threads(self.threads + 1)?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()
            .map_err(Error::no_threads)?;
        let gate = MemoryGate::new(self.available);
        std::thread::scope(|scope| {
            let _stop = StopOnDrop(source);
            let all = || pool.broadcast(|_| self.work_off(&gate, source));
            let begun = std::thread::Builder::new().spawn_scoped(scope, all);
            begun.map_err(Error::no_threads)?;
            meanwhile()
        })
    }

    /// What each thread does.
    fn work_off(&self, gate: &MemoryGate, source: &impl Source) {
        // A point that panics would be waited for.
        let stop = StopOnDrop(source);
        while let Some(point) = source.next() {
            let run = || run_timed(&self.points[point]);
            source.take_back(point, gate.with(self.points[point].bytes(), run));
        }
        std::mem::forget(stop);
    }
}

/// Runs a point, and looks how long it takes.
fn run_timed(point: &impl GridPoint) -> Result<Row, Error> {
    let begin = Instant::now();
    let row = point.run()?;
    Ok(row.with_seconds(begin.elapsed().as_secs_f64()))
}

/// Says that no more is to be run.
struct StopOnDrop<'a, S: Source>(&'a S);

impl<S: Source> Drop for StopOnDrop<'_, S> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests;
