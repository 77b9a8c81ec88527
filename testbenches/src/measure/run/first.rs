//! The process that hands out the points, to its own threads and to other ranks alike: to whoever is free.
//!
//! ```text
//!   HandOut --take--> threads here -----------> rows, in the order of the grid
//!      |                                         ^  |
//!      +---batches--> other ranks --words--------+  +--> journal, as they come
//! ```

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rtl_model::error::Error as ModelError;

use crate::error::Error;
use crate::interrupt;
use crate::measure::GridPoint;
use crate::measure::hand_out::HandOut;
use crate::measure::journal::{Journal, Planned};
use crate::measure::row::Row;
use crate::measure::row::kept::Kept;
use crate::measure::run::words::{ToFirst, ToOther, read, written};
use crate::measure::run::{Here, Source, TICK, other_sweep_on};
use crate::output::tell;
use crate::progress::{Progress, begins};
use crate::ranks;
use crate::ranks::line::{FIRST, Heard, Line};

const TEMPLATE: &str = "{percent} % of the work";

/// How often it looks, beside listening to others, whether all is done here.
const LISTEN: Duration = Duration::from_millis(10);

/// What is done already, and where it is put down.
#[derive(Default)]
pub struct Begun {
    /// Of a sweep that was broken off: points and their rows.
    pub rows: Vec<(usize, Row)>,
    /// Where rows go as they come.
    pub journal: Option<Journal>,
}

impl Begun {
    /// What a journal has. It is written from now on.
    ///
    /// # Errors
    /// As [`Planned::begin`].
    pub fn of(journal: Planned) -> Result<Self, Error> {
        let (journal, rows) = journal.begin()?;
        Ok(Begun {
            rows,
            journal: Some(journal),
        })
    }
}

/// Other ranks, and what tells their sweep from another.
pub struct Others<'a> {
    /// By which they are met.
    pub line: &'a Line,
    /// The checksum of the sweep.
    pub sweep: &'a str,
    /// Nothing is to be said on standard error.
    pub is_silent: bool,
}

/// Runs all points that are not done; the rows of all, in the order of the points.
///
/// # Errors
/// What a point met, wherever it ran; a journal that cannot be written any more; [`Error::Interrupted`].
pub fn run_all<P: GridPoint>(
    here: &Here<'_, P>,
    begun: Begun,
    others: Option<&Others<'_>>,
) -> Result<Vec<Row>, Error> {
    let running = Running::new(here.points, begun, others.is_none());
    begins("points of the grid", false);
    let mut progress = Progress::new(running.lock().hand_out.all_work(), TEMPLATE, false);
    let outcome = here.work(&running, || {
        let outcome = match others {
            None => running.watch(&mut progress),
            Some(others) => Ranks::new(others, here.threads).lead(&running, &mut progress),
        };
        if let (Err(_), Some(others)) = (&outcome, others) {
            (others.line.break_off)();
        }
        outcome
    });
    let state = (running.state.into_inner()).unwrap_or_else(PoisonError::into_inner);
    match outcome.err().or(state.failed) {
        None => Ok(state.rows.into_iter().flatten().collect()),
        Some(error) => Err(error),
    }
}

/// A sweep under way.
struct Running<'a, P> {
    points: &'a [P],
    state: Mutex<State>,
    changed: Condvar,
    /// There are no other ranks, from which points might come back.
    is_alone: bool,
}

struct State {
    hand_out: HandOut,
    rows: Vec<Option<Row>>,
    journal: Option<Journal>,
    /// The first error.
    failed: Option<Error>,
    is_stopped: bool,
}

impl State {
    fn is_over(&self) -> bool {
        self.is_stopped || self.failed.is_some() || self.hand_out.is_over()
    }

    fn fail(&mut self, error: Error) {
        self.failed.get_or_insert(error);
    }
}

impl<'a, P: GridPoint> Running<'a, P> {
    fn new(points: &'a [P], begun: Begun, is_alone: bool) -> Self {
        let work = points.iter().map(|point| point.work().units());
        let mut hand_out = HandOut::new(work.collect());
        let mut rows = vec![None; points.len()];
        for (point, row) in begun.rows {
            if hand_out.finish(point) {
                rows[point] = Some(row);
            }
        }
        Running {
            points,
            state: Mutex::new(State {
                hand_out,
                rows,
                journal: begun.journal,
                failed: None,
                is_stopped: false,
            }),
            changed: Condvar::new(),
            is_alone,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A rank has done with a point.
    fn settle(&self, (point, rank): (usize, usize), outcome: Result<Row, Error>) {
        let mut state = self.lock();
        match outcome {
            Ok(row) => {
                if state.hand_out.finish(point) {
                    let name = || self.points[point].name();
                    let journal = state.journal.as_mut();
                    let kept =
                        journal.map_or(Ok(()), |journal| journal.append(point, name(), &row));
                    kept.unwrap_or_else(|error| state.fail(error));
                    state.rows[point] = Some(row);
                }
            }
            // Others had the memory that was there when this was planned.
            Err(Error::Model(ModelError::DoesNotFit { .. }))
                if state.hand_out.give_back(point, rank) => {}
            Err(error @ Error::AtPointOnRank { .. }) => state.fail(error),
            Err(error) => state.fail(self.points[point].refused(error)),
        }
        self.changed.notify_all();
    }

    /// The work that is done of points that are not.
    fn under_way(&self, state: &State) -> u64 {
        let all = self.points.iter().zip(&state.rows);
        let under_way = all.filter(|(_, row)| row.is_none());
        let done = under_way.map(|(point, _)| (point.done() * point.work().units() as f64) as u64);
        done.sum()
    }

    /// Waits for the end, where there are no other ranks.
    fn watch(&self, progress: &mut Progress) -> Result<(), Error> {
        let mut state = self.lock();
        while !state.is_over() {
            progress.passed(state.hand_out.done_work() + self.under_way(&state));
            let waited = self.changed.wait_timeout(state, TICK);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        }
        Ok(())
    }
}

impl<P: GridPoint> Source for Running<'_, P> {
    fn next(&self) -> Option<usize> {
        let mut state = self.lock();
        loop {
            if state.is_over() {
                return None;
            }
            if let Some(point) = state.hand_out.take(FIRST) {
                return Some(point);
            }
            // Whoever has the last of them goes on with what has to run alone.
            if self.is_alone && state.hand_out.is_all_taken() {
                return None;
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn take_back(&self, point: usize, outcome: Result<Row, Error>) {
        self.settle((point, FIRST), outcome);
    }

    fn stop(&self) {
        self.lock().is_stopped = true;
        self.changed.notify_all();
    }
}

/// The other ranks, as the first sees them.
struct Ranks<'a> {
    others: &'a Others<'a>,
    /// How many points each runs at a time: none, before it is ready.
    threads: Vec<usize>,
    /// Those that are taken to be lost, and get no points.
    lost: BTreeSet<usize>,
    /// One is, or was at some time.
    one_is_lost: bool,
}

impl<'a> Ranks<'a> {
    fn new(others: &'a Others<'a>, threads: usize) -> Self {
        let mut all = vec![0; others.line.ranks];
        all[FIRST] = threads;
        Ranks {
            others,
            threads: all,
            lost: BTreeSet::new(),
            one_is_lost: false,
        }
    }

    /// Listens and hands out, until all is done.
    fn lead<P: GridPoint>(
        mut self,
        running: &Running<'_, P>,
        progress: &mut Progress,
    ) -> Result<(), Error> {
        loop {
            interrupt::check()?;
            let mut heard = self.others.line.heard(LISTEN);
            while let Some(one) = heard {
                self.listen(running, one)?;
                heard = self.others.line.heard(Duration::ZERO);
            }
            let mut state = running.lock();
            if let Some(error) = state.failed.take() {
                return Err(error);
            }
            progress.passed(state.hand_out.done_work());
            if state.is_over() {
                break;
            }
            self.hand_out(&mut state.hand_out);
        }
        if self.one_is_lost {
            ranks::one_is_lost();
        }
        // Also to one that is taken to be lost: it may have been slow.
        let one_is_lost = self.one_is_lost;
        (FIRST + 1..self.threads.len())
            .for_each(|rank| self.say(rank, &ToOther::Over { one_is_lost }));
        Ok(())
    }

    fn listen<P: GridPoint>(
        &mut self,
        running: &Running<'_, P>,
        heard: Heard,
    ) -> Result<(), Error> {
        let (rank, words) = match heard {
            Heard::Lost(rank) => {
                let points = running.lock().hand_out.lost(rank);
                // Those of the last batch may be free for threads here.
                running.changed.notify_all();
                self.lost.insert(rank);
                self.one_is_lost = true;
                self.tell_of_lost(rank, points);
                return Ok(());
            }
            Heard::Words(rank, words) => (rank, words),
        };
        // It was slow, and goes on. What it had is taken again all the same: of two rows of a point, one counts.
        self.lost.remove(&rank);
        match read(&words) {
            Some(ToFirst::Ready { sweep, threads }) if sweep == self.others.sweep => {
                self.threads[rank] = threads;
            }
            Some(ToFirst::Row {
                point,
                row: Kept(row),
            }) => running.settle((point, rank), Ok(row)),
            Some(ToFirst::NoRoom { point }) => {
                running.lock().hand_out.give_back(point, rank);
                running.changed.notify_all();
            }
            Some(ToFirst::Failed { said }) => return Err(Error::AtPointOnRank { said }),
            Some(ToFirst::Ready { .. }) | None => return Err(other_sweep_on(rank)),
        }
        Ok(())
    }

    /// Gives points to each rank that has fewer than it runs at a time.
    fn hand_out(&self, hand_out: &mut HandOut) {
        let there = (self.threads.iter().enumerate()).filter(|(rank, _)| !self.lost.contains(rank));
        let takers = there.clone().map(|(_, threads)| threads).sum();
        for (rank, threads) in there.skip(FIRST + 1) {
            while hand_out.held_by(rank) < *threads {
                let points = hand_out.take_batch(rank, takers);
                if points.is_empty() {
                    return;
                }
                self.say(rank, &ToOther::Take { points });
            }
        }
    }

    fn say(&self, rank: usize, words: &ToOther) {
        // Nobody carries it only where all is over.
        _ = self.others.line.outgoing.send((rank, written(words)));
    }

    fn tell_of_lost(&self, rank: usize, points: usize) {
        if self.others.is_silent {
            return;
        }
        let again = match points {
            0 => "it had no points".to_owned(),
            1 => "its point is taken again".to_owned(),
            points => format!("its {points} points are taken again"),
        };
        tell(format_args!(
            "note: rank {rank} is lost, for nothing was heard of it for long: {again}"
        ));
    }
}
