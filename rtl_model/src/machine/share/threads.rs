//! Ranks that are threads of one process: for tests, and to see what ranks do without MPI.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Error;
use crate::machine::share::{Communicator, Rank, Share};

/// One of them, and its ways to and from each.
struct Threads {
    rank: usize,
    to: Vec<Sender<Vec<u64>>>,
    from: Vec<Mutex<Receiver<Vec<u64>>>>,
}

impl Threads {
    /// Every rank tells every rank.
    fn joined(&self, words: &mut [u64], join: impl Fn(u64, u64) -> u64) {
        let others = || (0..self.to.len()).filter(|rank| *rank != self.rank);
        others().for_each(|other| self.send(other, words));
        for other in others() {
            let theirs = self.receive(other);
            assert_eq!(words.len(), theirs.len(), "ranks ask for different things");
            for (word, their) in words.iter_mut().zip(theirs) {
                *word = join(*word, their);
            }
        }
    }
}

impl Communicator for Threads {
    fn exchange(&self, with: usize, sent: &[u64], received: &mut [u64]) {
        self.send(with, sent);
        received.copy_from_slice(&self.receive(with));
    }

    fn sum(&self, words: &mut [u64]) {
        self.joined(words, u64::wrapping_add);
    }

    fn most(&self, words: &mut [u64]) {
        self.joined(words, u64::max);
    }

    fn send(&self, to: usize, words: &[u64]) {
        // One that has ended says why itself.
        _ = self.to[to].send(words.to_vec());
    }

    fn receive(&self, from: usize) -> Vec<u64> {
        let channel = self.from[from].lock();
        let received = channel.unwrap_or_else(PoisonError::into_inner).recv();
        received.unwrap_or_else(|_| panic!("rank {from} has ended, and rank {} waits", self.rank))
    }
}

/// What every rank comes to, in their order.
///
/// # Errors
/// A number of them that is no power of two.
///
/// # Panics
/// If `work` does on a rank, or if a rank waits for one that has ended.
pub fn on_threads<T: Send>(ranks: usize, work: impl Fn(Rank) -> T + Sync) -> Result<Vec<T>, Error> {
    let shares: Result<Vec<Share>, Error> =
        (0..ranks).map(|rank| Share::new(rank, ranks)).collect();
    let mut to: Vec<Vec<_>> = (0..ranks).map(|_| Vec::new()).collect();
    let mut from: Vec<Vec<_>> = (0..ranks).map(|_| Vec::new()).collect();
    for receiving in &mut from {
        for sending in &mut to {
            let (sender, receiver) = channel();
            sending.push(sender);
            receiving.push(Mutex::new(receiver));
        }
    }
    let ways = shares?.into_iter().zip(to.into_iter().zip(from));
    Ok(std::thread::scope(|scope| {
        let started: Vec<_> = ways
            .map(|(share, (to, from))| {
                let rank = share.rank();
                let exchange = Arc::new(Threads { rank, to, from });
                let work = &work;
                scope.spawn(move || work(Rank::among(share, exchange)))
            })
            .collect();
        let ended = started.into_iter().map(|rank| rank.join());
        ended
            .map(|outcome| outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    }))
}
