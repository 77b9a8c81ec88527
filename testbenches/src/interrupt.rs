//! Ctrl-C: the run ends at the next bit time and takes its unfinished files with it.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;

/// Exit status of a run that was interrupted, as shells have it.
pub const STATUS: u8 = 130;

static ASKED: AtomicBool = AtomicBool::new(false);

/// Listens from now on. The second time, the process ends where it is.
pub fn watch() {
    // Where no handler can be set, Ctrl-C ends the process as it always does.
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            process::exit(i32::from(STATUS));
        }
    });
}

/// Has all runs of this process break off, as if it were wished: what they are for has failed.
pub fn ask() {
    ASKED.store(true, Ordering::Relaxed);
}

/// Asked in every bit time.
///
/// # Errors
/// [`Error::Interrupted`], once it was wished.
pub fn check() -> Result<(), Error> {
    if ASKED.load(Ordering::Relaxed) {
        Err(Error::Interrupted)
    } else {
        Ok(())
    }
}
