//! Ranks that meet via MPI.

pub mod post;

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mpi::Threading;
use mpi::collective::SystemOperation;
use mpi::environment::Universe;
use mpi::point_to_point;
use mpi::topology::{Process, SimpleCommunicator};
use mpi::traits::{Communicator as _, CommunicatorCollectives, Destination, Source};
use rtl_model::machine::share::Communicator;

use crate::error::Error;
use crate::error::refusal::Refusal;

thread_local! {
    /// Of the main thread; as long as it is there, so is MPI.
    static UNIVERSE: RefCell<Option<Universe>> = const { RefCell::new(None) };
}

/// They have met, and not parted.
static HAS_BEGUN: AtomicBool = AtomicBool::new(false);

/// All processes that were started together. One thread at a time calls on them.
struct World;

/// Meets them.
pub fn begin() -> Result<Arc<dyn Communicator>, Error> {
    let Some((universe, provided)) = mpi::initialize_with_threading(Threading::Serialized) else {
        return Err(
            Refusal::of("the processes that were started together do not meet")
                .because("MPI says that it had begun before")
                .into(),
        );
    };
    // Kept also if it is refused, so that all processes are ended by the first that says so.
    UNIVERSE.with_borrow_mut(|kept| *kept = Some(universe));
    HAS_BEGUN.store(true, Ordering::Relaxed);
    check_threads(provided)?;
    Ok(Arc::new(World))
}

/// Refuses an MPI that only the main thread may call on: words of a sweep are carried by another ([`post`]).
fn check_threads(provided: Threading) -> Result<(), Error> {
    let provided = match provided {
        Threading::Single => "MPI_THREAD_SINGLE",
        Threading::Funneled => "MPI_THREAD_FUNNELED",
        Threading::Serialized | Threading::Multiple => return Ok(()),
    };
    Err(
        Refusal::of("the processes that were started together cannot go on")
            .because(format!(
                "this MPI provides {provided}, and needed is MPI_THREAD_SERIALIZED, since threads call on it in turn"
            ))
            .instead(
                "build with an MPI that supports threads, such as Open MPI (Debian: apt-get install libopenmpi-dev openmpi-bin)",
            )
            .into(),
    )
}

/// One of them is lost.
static ONE_IS_LOST: AtomicBool = AtomicBool::new(false);

/// Says so.
pub fn one_is_lost() {
    ONE_IS_LOST.store(true, Ordering::Relaxed);
}

/// Parts from them.
pub fn end() {
    post::end();
    HAS_BEGUN.store(false, Ordering::Relaxed);
    let universe = UNIVERSE.take();
    match ONE_IS_LOST.load(Ordering::Relaxed) {
        // All would wait for the one that is lost.
        true => std::mem::forget(universe),
        false => drop(universe),
    }
}

/// Ends them all.
pub fn abort(status: u8) {
    let _call = post::call();
    // A signal ends them from a thread of its own.
    if HAS_BEGUN.load(Ordering::Relaxed) {
        SimpleCommunicator::world().abort(i32::from(status));
    }
}

/// Has room for so many bytes that are under way to others.
fn make_room(bytes: usize) {
    UNIVERSE.with_borrow_mut(|universe| {
        if let Some(universe) = universe {
            universe.set_buffer_size(bytes);
        }
    });
}

/// Calls on another process.
fn with<T>(rank: usize, call: impl FnOnce(Process<'_>) -> T) -> T {
    let world = SimpleCommunicator::world();
    call(world.process_at_rank(rank as i32))
}

/// What MPI counts in one message: a number of 32 bits with a sign.
const MOST_WORDS: usize = 1 << 27;

impl Communicator for World {
    fn exchange(&self, other: usize, sent: &[u64], received: &mut [u64]) {
        let parts = sent.chunks(MOST_WORDS).zip(received.chunks_mut(MOST_WORDS));
        for (sent, received) in parts {
            with(other, |other| {
                point_to_point::send_receive_into(sent, &other, received, &other);
            });
        }
    }

    fn sum(&self, words: &mut [u64]) {
        let here = words.to_vec();
        SimpleCommunicator::world().all_reduce_into(&here[..], words, SystemOperation::sum());
    }

    fn most(&self, words: &mut [u64]) {
        let here = words.to_vec();
        SimpleCommunicator::world().all_reduce_into(&here[..], words, SystemOperation::max());
    }

    fn send(&self, to: usize, words: &[u64]) {
        with(to, |to| to.send(words));
    }

    fn receive(&self, from: usize) -> Vec<u64> {
        with(from, |from| from.receive_vec().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_have_to_be_let_call_in_turn() {
        for enough in [Threading::Serialized, Threading::Multiple] {
            assert!(check_threads(enough).is_ok());
        }
        for (provided, name) in [
            (Threading::Single, "MPI_THREAD_SINGLE"),
            (Threading::Funneled, "MPI_THREAD_FUNNELED"),
        ] {
            let expected = format!(
                "the processes that were started together cannot go on: this MPI provides {name}, and needed is \
                 MPI_THREAD_SERIALIZED, since threads call on it in turn: build with an MPI that supports threads, such as \
                 Open MPI (Debian: apt-get install libopenmpi-dev openmpi-bin)"
            );
            assert_eq!(check_threads(provided).unwrap_err().to_string(), expected);
        }
    }
}
