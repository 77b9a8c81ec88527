//! Runs the points of a sweep: several at a time, as far as there are threads and memory.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rayon::iter::{ParallelBridge, ParallelIterator};
use rtl_model::error::Error as ModelError;

use crate::error::Error;
use crate::measure::Point;
use crate::measure::memory_gate::MemoryGate;
use crate::measure::row::Row;
use crate::progress::Progress;

/// How often the progress bar is looked after.
const TICK: Duration = Duration::from_millis(100);
const TEMPLATE: &str = "{wide_bar} {percent} % of the work, after {elapsed}";

/// Runs a point, and looks how long it takes.
pub(super) fn run_timed(point: &impl Point) -> Result<Row, Error> {
    let begin = Instant::now();
    let row = point.run()?;
    Ok(row.with_seconds(begin.elapsed().as_secs_f64()))
}

/// All points, the longest first; their rows in the order of the points.
pub(super) fn run_all<P: Point>(
    points: &[P],
    threads: usize,
    available: u64,
) -> Result<Vec<Row>, Error> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    let work = |index: usize| points[index].work().units();
    order.sort_by_cached_key(|&index| Reverse(work(index)));
    let total = (0..points.len()).map(work).fold(0, u64::saturating_add);
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
        let row = gate.with(point.bytes(), || run_timed(point));
        done.fetch_add(work(index), Ordering::Relaxed);
        match row {
            Ok(row) => Ok((index, Some(row))),
            Err(Error::Model(ModelError::DoesNotFit { .. })) => Ok((index, None)),
            Err(error) => Err(point.refused(error)),
        }
    };
    let mut rows: Vec<(usize, Option<Row>)> = std::thread::scope(|scope| {
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
            None => run_timed(&points[index]).map_err(|error| points[index].refused(error)),
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
