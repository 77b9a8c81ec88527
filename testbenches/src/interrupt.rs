//! Signals that end a run: Ctrl-C, the wish of a terminal or a batch system. The run is asked to end by itself, at its next bit
//! time; one that has not done so after a second, wherever it is, is ended where it stands. Either way its unfinished files are
//! taken away, and it says what is left.

use std::process;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::error::Error;
use crate::output::unfinished;

/// How long a run has to end by itself.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long there is for the last words of a process, where one is to be ended that may not be heard.
const LAST_WORDS: Duration = Duration::from_secs(4);

/// What shells add to the number of a signal.
const STATUS: i32 = 128;

/// The signal of Ctrl-C.
const CTRL_C: i32 = 2;

/// The run itself has asked for its end, and no signal.
const OWN_WISH: i32 = -1;

/// The signal that asked for the end, or [`OWN_WISH`]; 0, if none has.
static ASKED: AtomicI32 = AtomicI32::new(0);

/// Somebody says, or has said, why the process ends.
static SPOKEN: AtomicBool = AtomicBool::new(false);

/// What outlasts the run, and how to go on from there.
static LEFT: Mutex<Option<String>> = Mutex::new(None);

/// Listens from now on. If the run does not end by itself, `last_words` is to say why it ends. The second time, the process ends
/// where it is.
///
/// # Errors
/// The system gives no thread for it.
pub fn watch(last_words: fn(&Error)) -> Result<(), Error> {
    #[cfg(unix)]
    return signals::watch(last_words).map_err(Error::no_threads);
    #[cfg(not(unix))]
    {
        let _ = last_words;
        Ok(())
    }
}

#[cfg(unix)]
mod signals {
    use std::fs;
    use std::io;

    use signal_hook::consts::signal::*;
    use signal_hook::iterator::Signals;

    use super::*;

    /// What ends a process that does not listen, but for faults of its own: of terminals, of people, of batch systems.
    const ENDING: [i32; 10] = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU, SIGVTALRM, SIGPROF,
    ];

    pub fn watch(last_words: fn(&Error)) -> io::Result<()> {
        // A file that is larger than allowed is then an error of who writes it.
        let heard = std::sync::Arc::new(AtomicBool::new(false));
        _ = signal_hook::flag::register(SIGXFSZ, heard);
        let listens = |signal: &&i32| **signal != SIGHUP || !is_ignored(SIGHUP);
        // Where no handler can be set, a signal ends the process as it always does.
        let Ok(mut signals) = Signals::new(ENDING.iter().filter(listens)) else {
            return Ok(());
        };
        let hears = thread::Builder::new().spawn(move || {
            for signal in signals.forever() {
                match ASKED.swap(signal, Ordering::Relaxed) {
                    0 | OWN_WISH => {
                        let waits = thread::Builder::new().spawn(move || {
                            thread::sleep(PATIENCE);
                            end(last_words);
                        });
                        if waits.is_err() {
                            end(last_words);
                        }
                    }
                    first => {
                        ASKED.store(first, Ordering::Relaxed);
                        unfinished::remove_all();
                        process::exit(i32::from(status()));
                    }
                }
            }
        });
        hears.map(|_| ())
    }

    /// Whether a signal was ignored by who started the process, as `nohup` has it; where the system tells.
    fn is_ignored(signal: i32) -> bool {
        let told = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = told.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        // Four signals a hexadecimal digit, the lowest in the last.
        let (digit, bit) = ((signal - 1) as usize / 4, (signal - 1) % 4);
        let digit = mask.and_then(|mask| mask.trim().chars().rev().nth(digit)?.to_digit(16));
        digit.is_some_and(|digit| digit >> bit & 1 == 1)
    }
}

/// Ends the process, which was asked to and has not.
fn end(last_words: fn(&Error)) -> ! {
    unfinished::remove_all();
    let (over, is_over) = mpsc::channel::<()>();
    // Standard error may take no words, and ranks may not answer: on a thread of its own, since nothing waits for that.
    // Where there is none, nobody says anything, and this is over at once.
    _ = thread::Builder::new().spawn(move || {
        speak(|| last_words(&Error::Interrupted));
        drop(over);
    });
    _ = is_over.recv_timeout(LAST_WORDS);
    process::exit(i32::from(status()));
}

/// Says why the process ends. Only one does: another that comes here waits for the end.
pub fn speak(words: impl FnOnce()) {
    if SPOKEN.swap(true, Ordering::Relaxed) {
        loop {
            thread::park();
        }
    }
    words();
}

/// The exit status of a run that was interrupted, as shells have it.
pub fn status() -> u8 {
    let signal = match ASKED.load(Ordering::Relaxed) {
        0 | OWN_WISH => CTRL_C,
        signal => signal,
    };
    u8::try_from(STATUS + signal).unwrap_or(u8::MAX)
}

/// Has all runs of this process break off, as if it were wished: what they are for has failed.
pub fn ask() {
    _ = ASKED.compare_exchange(0, OWN_WISH, Ordering::Relaxed, Ordering::Relaxed);
}

/// Asked in every bit time.
///
/// # Errors
/// [`Error::Interrupted`], once it was wished.
pub fn check() -> Result<(), Error> {
    match ASKED.load(Ordering::Relaxed) {
        0 => Ok(()),
        _ => Err(Error::Interrupted),
    }
}

/// From now on there is something that outlasts the run: what, and how to go on from there.
pub fn leaves(what: String) {
    *LEFT.lock().unwrap_or_else(PoisonError::into_inner) = Some(what);
}

/// What is left of a run that was interrupted.
pub fn left() -> String {
    let left = LEFT.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let put = unfinished::all_put();
    match (left, put.is_empty()) {
        (Some(left), _) => left,
        (None, true) => "nothing was written".to_owned(),
        (None, false) => format!("complete and in place is {put}, and nothing else"),
    }
}
