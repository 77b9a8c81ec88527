//! Runs the points of a sweep: several at a time, as far as there are threads and memory.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rayon::iter::{ParallelBridge, ParallelIterator};
use rtl_model::error::Error as ModelError;

use crate::benches;
use crate::catalogue::Bench;
use crate::error::Error;
use crate::measure::memory_gate::MemoryGate;
use crate::measure::row::Row;
use crate::options::{RunOptions, Setup};
use crate::progress::Progress;

/// How often the progress bar is looked after.
const TICK: Duration = Duration::from_millis(100);
const TEMPLATE: &str = "{wide_bar} {percent} % of the work, after {elapsed}";

/// A point, as far as running it goes.
pub(super) trait Job: Sync {
    /// What it gives.
    type Row: Send;
    /// How much work it is, compared with others.
    fn work(&self) -> u64;
    /// What it takes.
    fn bytes(&self) -> u64;
    /// Runs it.
    fn run(&self) -> Result<Self::Row, Error>;
    /// An error that says at which point it was met.
    fn at_point(&self, reason: Error) -> Error;
}

/// One point of routers in lockstep.
pub(super) fn run_point(bench: Bench, setup: &Setup) -> Result<Row, Error> {
    let options = RunOptions {
        setup: setup.clone(),
        quiet: true,
        // Points run side by side.
        threads: Some(1),
        ..RunOptions::default()
    };
    let begin = Instant::now();
    let report = benches::run(bench, &options)?;
    Ok(Row::new(&report, begin.elapsed().as_secs_f64()))
}

/// All points, the longest first; their rows in the order of the points.
pub(super) fn run_all<J: Job>(
    points: &[J],
    threads: usize,
    available: u64,
) -> Result<Vec<J::Row>, Error> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|&index| Reverse(points[index].work()));
    let total = (points.iter().map(J::work)).fold(0, u64::saturating_add);
    let (done, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let gate = MemoryGate::new(available);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Error::NoThreads {
            reason: error.to_string(),
        })?;
    // The row of a point; none, if others had the memory that was there when this was planned.
    let run = |index: usize| {
        let point = &points[index];
        let row = gate.with(point.bytes(), || point.run());
        done.fetch_add(point.work(), Ordering::Relaxed);
        match row {
            Ok(row) => Ok((index, Some(row))),
            Err(Error::Model(ModelError::DoesNotFit { .. })) => Ok((index, None)),
            Err(error) => Err(point.at_point(error)),
        }
    };
    let mut rows: Vec<(usize, Option<J::Row>)> = std::thread::scope(|scope| {
        let _over = OnDrop(&over);
        scope.spawn(|| {
            let mut progress = Progress::new(total, TEMPLATE, false);
            while !over.load(Ordering::Relaxed) {
                std::thread::sleep(TICK);
                progress.passed(done.load(Ordering::Relaxed));
            }
        });
        pool.install(|| {
            order
                .into_iter()
                .par_bridge()
                .map(run)
                .collect::<Result<_, Error>>()
        })
    })?;
    rows.sort_by_key(|(index, _)| *index);
    // What had to make way runs alone.
    rows.into_iter()
        .map(|(index, row)| match row {
            Some(row) => Ok(row),
            None => (points[index].run()).map_err(|error| points[index].at_point(error)),
        })
        .collect()
}

/// Says that it is over, however it ends.
struct OnDrop<'a>(&'a AtomicBool);

impl Drop for OnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
