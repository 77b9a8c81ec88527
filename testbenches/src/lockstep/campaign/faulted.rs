//! The seam of a campaign: a machine into which faults can be put, and that says what came of each. How it runs is its own business.

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::lockstep::campaign::fault::{Fault, Places};

/// What came of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The checks that do not hold, the one that says so first before the others.
    pub failed: Vec<&'static str>,
    /// Something that hosts read is not what is due.
    pub differs: bool,
    /// A message is missing, or stands where none is due; else it is at the most what it says that is wrong.
    pub misplaced: bool,
    /// Bit times from the fault until the first check says so.
    pub after: u64,
}

/// The check that no two units drive one wire.
pub const ONE_BIT: &str = "one bit a wire";

impl Judged {
    /// Of a fault with which two units drive one wire in a bit time: the run is over then, and nothing else is known of it.
    pub(super) fn over(fault: Fault, seen: u64) -> Self {
        Judged {
            failed: vec![ONE_BIT],
            differs: true,
            misplaced: true,
            after: seen.saturating_sub(fault.from()),
        }
    }
}

/// A machine with its traffic, into which faults can be put.
pub trait Faulted {
    /// Its gates can be stuck too.
    fn with_gates(&mut self);

    /// About so many faults are going to be put in, on so many threads.
    ///
    /// # Errors
    /// Machines that do not fit; threads that cannot be had.
    fn on_threads(&mut self, faults: usize, threads: usize) -> Result<(), Error>;

    /// Where faults can be put.
    fn places(&self) -> &Places;

    /// Bit times of a run without any.
    fn bit_times(&self) -> u64;

    /// Faults that are put in at once.
    fn at_once(&self) -> usize;

    /// Puts in some faults, each into a machine of its own or a run of its own, and says what came of each.
    ///
    /// # Errors
    /// [`Error::Interrupted`]; whatever keeps the testbench from judging.
    fn run(&mut self, faults: &[Fault]) -> Result<Vec<Judged>, Error>;
}

/// Refuses a machine of which a check fails without any fault.
///
/// # Errors
/// With the check, if there is one.
pub(super) fn without_faults(wrong: Option<&'static str>) -> Result<(), Error> {
    wrong.map_or(Ok(()), |check| {
        Err(Refusal::of("no faults can be judged")
            .because(format!("without any, the check `{check}` fails"))
            .into())
    })
}

/// So many threads, if there are to be several.
///
/// # Errors
/// Threads that cannot be had.
pub(super) fn pool_of(threads: usize) -> Result<Option<ThreadPool>, Error> {
    if threads == 1 {
        return Ok(None);
    }
    Error::require_threads(threads)?;
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map(Some).map_err(Error::no_threads)
}
