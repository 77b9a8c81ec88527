//! A rank that takes points from the first, and hands over their rows.

use std::collections::VecDeque;
use std::sync::mpsc::Sender;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rtl_model::error::Error as ModelError;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::interrupt;
use crate::measure::GridPoint;
use crate::measure::row::Row;
use crate::measure::row::kept::Kept;
use crate::measure::run::words::{ToFirst, ToOther, read, written};
use crate::measure::run::{Here, Source, TICK, other_sweep_on};
use crate::ranks;
use crate::ranks::line::{FIRST, Heard, Line};

/// Runs points for the first rank, until all are done.
///
/// # Errors
/// [`Error::Interrupted`]; the first rank is lost, or has another sweep.
pub fn serve<P: GridPoint>(here: &Here<'_, P>, line: &Line, sweep: &str) -> Result<(), Error> {
    let desk = Desk {
        points: here.points,
        state: Mutex::default(),
        changed: Condvar::new(),
        to_first: line.outgoing.clone(),
    };
    desk.say(&ToFirst::Ready {
        sweep: sweep.to_owned(),
        threads: here.threads,
    });
    here.work(&desk, || {
        let outcome = desk.listen(line);
        if outcome.is_err() {
            (line.break_off)();
        }
        outcome
    })
}

/// Where points lie that the first rank has given.
struct Desk<'a, P> {
    points: &'a [P],
    state: Mutex<State>,
    changed: Condvar,
    to_first: Sender<(usize, String)>,
}

#[derive(Default)]
struct State {
    points: VecDeque<usize>,
    is_stopped: bool,
}

impl<P: GridPoint> Desk<'_, P> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, words: &ToFirst) {
        // Nobody carries it only where all is over.
        _ = self.to_first.send((FIRST, written(words)));
    }

    fn listen(&self, line: &Line) -> Result<(), Error> {
        loop {
            interrupt::check()?;
            let words = match line.heard(TICK) {
                None => continue,
                Some(Heard::Lost(_)) => {
                    let lost = Refusal::of("the first rank of the sweep is lost");
                    let again =
                        "begin again, with --journal if the rows that are done are to be kept";
                    return Err(lost.instead(again).into());
                }
                Some(Heard::Words(_, words)) => words,
            };
            match read(&words) {
                Some(ToOther::Take { points }) => {
                    self.lock().points.extend(points);
                    self.changed.notify_all();
                }
                Some(ToOther::Over { one_is_lost }) => {
                    if one_is_lost {
                        ranks::one_is_lost();
                    }
                    return Ok(());
                }
                None => return Err(other_sweep_on(line.rank)),
            }
        }
    }
}

impl<P: GridPoint> Source for Desk<'_, P> {
    fn next(&self) -> Option<usize> {
        let mut state = self.lock();
        loop {
            if state.is_stopped {
                return None;
            }
            if let Some(point) = state.points.pop_front() {
                return Some(point);
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn take_back(&self, point: usize, outcome: Result<Row, Error>) {
        let words = match outcome {
            Ok(row) => ToFirst::Row {
                point,
                row: Kept(row),
            },
            Err(Error::Model(ModelError::DoesNotFit { .. })) => ToFirst::NoRoom { point },
            // The first rank is interrupted too.
            Err(Error::Interrupted) => return self.stop(),
            Err(error) => ToFirst::Failed {
                said: self.points[point].refused(error).to_string(),
            },
        };
        self.say(&words);
    }

    fn stop(&self) {
        self.lock().is_stopped = true;
        self.changed.notify_all();
    }
}
