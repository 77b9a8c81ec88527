//! Ranks that meet by way of MPI.

use std::cell::RefCell;
use std::sync::Arc;

use mpi::Threading;
use mpi::collective::SystemOperation;
use mpi::environment::Universe;
use mpi::point_to_point;
use mpi::topology::{Process, SimpleCommunicator};
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};
use rtl_model::machine::share::Exchange;

use crate::error::Error;

thread_local! {
    /// Of the main thread; as long as it is there, so is MPI.
    static UNIVERSE: RefCell<Option<Universe>> = const { RefCell::new(None) };
}

/// All processes that were started together. One thread at a time calls on them.
struct World;

/// Meets them.
pub fn begin() -> Result<Arc<dyn Exchange>, Error> {
    let Some((universe, _)) = mpi::initialize_with_threading(Threading::Serialized) else {
        return Err(Error::MpiDoesNotBegin);
    };
    UNIVERSE.with_borrow_mut(|kept| *kept = Some(universe));
    Ok(Arc::new(World))
}

/// Parts from them.
pub fn end() {
    drop(UNIVERSE.take());
}

/// Ends them all.
pub fn abort(status: u8) {
    if UNIVERSE.with_borrow(Option::is_some) {
        SimpleCommunicator::world().abort(i32::from(status));
    }
}

/// Calls on another process.
fn with<T>(rank: usize, call: impl FnOnce(Process<'_>) -> T) -> T {
    let world = SimpleCommunicator::world();
    call(world.process_at_rank(rank as i32))
}

/// What MPI counts in one message: a number of 32 bits with a sign.
const MOST_WORDS: usize = 1 << 27;

impl Exchange for World {
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
