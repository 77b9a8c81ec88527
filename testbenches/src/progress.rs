//! A progress bar on standard error, if that is a terminal and the work takes more than a second.

use rtl_model::machine::arrivals::Passed;
use std::borrow::Cow;
use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use rtl_model::error::Error as ModelError;
use rtl_model::machine::memory;

use crate::error::Error;
use crate::interrupt;
use crate::measure::duration::told;
use crate::output::{is_quiet, note};
use crate::ranks;

/// Work that is over sooner is not shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// After so long it is reckoned how long bit times will take, where no bar shows it.
const LOOK: Duration = Duration::from_secs(2);

/// That is said of so much or more.
const LONG: Duration = Duration::from_secs(20);

/// After so long without a word, it is said what is under way.
const SILENCE: Duration = Duration::from_secs(8);

/// What is under way.
static NOW: Mutex<&str> = Mutex::new("getting ready");

/// It has been said how long the run will take.
static IS_FORETOLD: AtomicBool = AtomicBool::new(false);

/// It has been said how long the run will take: it need not be said again.
pub(crate) fn is_foretold() {
    IS_FORETOLD.store(true, Ordering::Relaxed);
}

/// From now on, `what` is under way; not if it is one of many things that are and it is `quiet`.
pub(crate) fn begins(what: &'static str, quiet: bool) {
    if !quiet {
        *NOW.lock().unwrap_or_else(PoisonError::into_inner) = what;
    }
}

/// Where no terminal shows how far work is, and nobody has said how long it will take, says once that it goes on.
pub(crate) fn break_silence() {
    if io::stderr().is_terminal() {
        return;
    }
    // Where no thread can be had for it, it is not said.
    _ = memory::on_another_thread(|| {
        thread::sleep(SILENCE);
        if !IS_FORETOLD.load(Ordering::Relaxed) && ranks::is_first() {
            let now = *NOW.lock().unwrap_or_else(PoisonError::into_inner);
            let silence = SILENCE.as_secs();
            note(&format!(
                "this takes more than {silence} s; under way: {now}"
            ));
        }
    });
}

/// What work takes from a beginning to its end, of which so much is done in this time; none, where nothing is done yet.
fn whole([begin, done, total]: [u64; 3], elapsed: Duration) -> Option<Duration> {
    let parts = total.checked_sub(begin)? as f64
        / done.checked_sub(begin).filter(|steps| *steps > 0)? as f64;
    Duration::try_from_secs_f64(elapsed.as_secs_f64() * parts).ok()
}

/// The same, if that is long.
fn foretold(steps: [u64; 3], elapsed: Duration) -> Option<Duration> {
    whole(steps, elapsed).filter(|all| *all >= LONG)
}

/// What is left of it, in words; none, where that is not known, or it goes on beyond its end.
fn left(steps: [u64; 3], elapsed: Duration) -> Option<String> {
    let left = whole(steps, elapsed)?.checked_sub(elapsed)?;
    Some(told(left.as_secs_f64()))
}

/// How far some work is.
pub struct Progress {
    total: u64,
    what: Cow<'static, str>,
    began: Instant,
    quiet: bool,
    bar: Option<ProgressBar>,
    /// Whether it is to be said how long it will take.
    foretells: bool,
    /// How far it was when it was looked at first.
    begin: Option<(u64, Instant)>,
}

impl Progress {
    /// Of `total` steps, shown as a bar with what is done, by a template of indicatif's, with the time so far, and with what is left of
    /// it; not at all if `quiet`.
    pub fn new(total: u64, what: impl Into<Cow<'static, str>>, quiet: bool) -> Self {
        Progress {
            total,
            what: what.into(),
            began: Instant::now(),
            quiet: quiet || is_quiet(),
            bar: None,
            foretells: false,
            begin: None,
        }
    }

    /// The same of bit times. Where there is no terminal to show it, it is said how long they will take, if that is long.
    pub fn of_bit_times(total: u64, what: &'static str, quiet: bool) -> Self {
        begins("bit times of the run", quiet);
        let mut progress = Progress::new(total, what, quiet);
        progress.foretells = !progress.quiet && !io::stderr().is_terminal();
        progress
    }

    /// So many steps are done.
    pub fn passed(&mut self, done: u64) {
        let (begin, since) = *self.begin.get_or_insert_with(|| (done, Instant::now()));
        if self.foretells && done > begin && since.elapsed() > LOOK {
            self.foretells = false;
            let all = foretold([begin, done, self.total], since.elapsed());
            let all = all.filter(|_| !IS_FORETOLD.load(Ordering::Relaxed) && ranks::is_first());
            if let Some(all) = all {
                is_foretold();
                let told = told(all.as_secs_f64());
                note(&format!(
                    "this run will take about {told}, going by its first bit times"
                ));
            }
        }
        if let Some(bar) = &self.bar {
            bar.set_position(done);
        } else if !self.quiet && self.began.elapsed() > PATIENCE && io::stderr().is_terminal() {
            let bar = self.bar(ProgressDrawTarget::stderr_with_hz(5), (begin, since));
            bar.set_position(done);
            self.bar = Some(bar);
        }
    }
}

impl Progress {
    /// A bar there, of work that was so far when it was looked at first.
    fn bar(&self, target: ProgressDrawTarget, (begin, since): (u64, Instant)) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(self.total), target);
        let template = format!("{{wide_bar}} {}, after {{elapsed}}{{left}}", self.what);
        let total = self.total;
        // That of the library goes by the last seconds: points of a sweep come seldom.
        let left = move |state: &ProgressState, text: &mut dyn fmt::Write| {
            if let Some(left) = left([begin, state.pos(), total], since.elapsed()) {
                _ = write!(text, ", about {left} left");
            }
        };
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.with_key("left", left));
        }
        bar.with_elapsed(self.began.elapsed())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A part of a run that takes seconds in large machines: shows how far it is, and hears Ctrl-C.
pub struct Stage(Progress);

impl Stage {
    /// Of `total` steps of `what`; not shown if `quiet`.
    pub fn new(total: u64, what: &'static str, quiet: bool) -> Self {
        begins(what, quiet);
        let template = format!("{what}, {{percent}} %");
        Stage(Progress::new(total, template, quiet))
    }

    /// So many steps are done.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub fn passed(&mut self, done: usize) -> Result<(), Error> {
        if done.is_multiple_of(1024) {
            self.0.passed(done as u64);
            interrupt::check()?;
        }
        Ok(())
    }
}

/// A [`Stage`] of which several threads do parts.
pub struct SharedStage {
    done: AtomicU64,
    stage: Mutex<Stage>,
    /// What has broken it off.
    why: Mutex<Option<Error>>,
}

impl SharedStage {
    /// As [`Stage::new`].
    pub fn new(total: u64, what: &'static str, quiet: bool) -> Self {
        SharedStage {
            done: AtomicU64::new(0),
            stage: Mutex::new(Stage::new(total, what, quiet)),
            why: Mutex::new(None),
        }
    }

    /// Has threads of the model tell by how much they go on, and breaks off at Ctrl-C.
    ///
    /// # Errors
    /// [`Error::Interrupted`]; what the work returns.
    pub fn broken_off(
        &self,
        work: impl FnOnce(&(dyn Fn(usize) -> Result<(), ModelError> + Sync)) -> Result<(), ModelError>,
    ) -> Result<(), Error> {
        /// Steps between two looks at the clock.
        const LOOK: u64 = 1 << 16;
        let outcome = work(&|steps| {
            let before = self.done.fetch_add(steps as u64, Ordering::Relaxed);
            let done = before + steps as u64;
            if before / LOOK == done / LOOK {
                return Ok(());
            }
            let Ok(mut stage) = self.stage.try_lock() else {
                return Ok(());
            };
            stage
                .passed((done / LOOK * LOOK) as usize)
                .map_err(|error| {
                    if let Ok(mut why) = self.why.lock() {
                        *why = Some(error);
                    }
                    ModelError::BrokenOff
                })
        });
        match self.why.lock().map_or(None, |mut why| why.take()) {
            Some(error) => Err(error),
            None => Ok(outcome?),
        }
    }
}

/// Has the model do something that tells how far it is, and breaks off where `passed` says so: with what it said.
///
/// # Errors
/// What `passed` or the work returns.
pub fn broken_off<T>(
    passed: &mut dyn FnMut(usize) -> Result<(), Error>,
    work: impl FnOnce(Passed<'_>) -> Result<T, ModelError>,
) -> Result<T, Error> {
    let mut why = None;
    let outcome = work(&mut |done| {
        passed(done).map_err(|error| {
            why = Some(error);
            ModelError::BrokenOff
        })
    });
    match why {
        Some(error) => Err(error),
        None => Ok(outcome?),
    }
}

/// The same of so many steps, with a progress bar that is called so.
///
/// # Errors
/// [`Error::Interrupted`]; what the work returns.
pub fn in_stage<T>(
    (what, steps): (&'static str, usize),
    quiet: bool,
    work: impl FnOnce(Passed<'_>) -> Result<T, ModelError>,
) -> Result<T, Error> {
    let mut stage = Stage::new(steps as u64, what, quiet);
    broken_off(&mut |done| stage.passed(done), work)
}

/// Says that some work is under way that cannot tell how far it is, until it is dropped.
pub struct UnderWay {
    over: Option<Sender<()>>,
    shown: Option<JoinHandle<()>>,
}

impl UnderWay {
    /// Shows `what`; nothing at all if `quiet`.
    pub fn new(what: &'static str, quiet: bool) -> Self {
        begins(what, quiet);
        if quiet || is_quiet() || !io::stderr().is_terminal() {
            return UnderWay {
                over: None,
                shown: None,
            };
        }
        let (over, is_over) = mpsc::channel();
        let shown = thread::spawn(move || {
            if is_over.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                let spinner = ProgressBar::new_spinner().with_message(what);
                while is_over.recv_timeout(PATIENCE / 5) == Err(RecvTimeoutError::Timeout) {
                    spinner.tick();
                }
                spinner.finish_and_clear();
            }
        });
        UnderWay {
            over: Some(over),
            shown: Some(shown),
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        drop(self.over.take());
        if let Some(shown) = self.shown.take() {
            // Had it panicked, nothing would be lost but the sight of it.
            let _ = shown.join();
        }
    }
}

#[cfg(test)]
mod tests;
