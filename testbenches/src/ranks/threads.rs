//! Ranks that are threads of a test.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use rtl_model::machine::share::{Exchange, Rank, Share};

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
            assert_eq!(words.len(), theirs.len());
            for (word, their) in words.iter_mut().zip(theirs) {
                *word = join(*word, their);
            }
        }
    }
}

impl Exchange for Threads {
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
        self.to[to].send(words.to_vec()).unwrap();
    }

    fn receive(&self, from: usize) -> Vec<u64> {
        self.from[from].lock().unwrap().recv().unwrap()
    }
}

/// What every rank comes to, one after the other.
pub(crate) fn on_threads<T: Send>(ranks: usize, work: impl Fn(Rank) -> T + Sync) -> Vec<T> {
    let mut to: Vec<Vec<_>> = (0..ranks).map(|_| Vec::new()).collect();
    let mut from: Vec<Vec<_>> = (0..ranks).map(|_| Vec::new()).collect();
    for receiving in &mut from {
        for sending in &mut to {
            let (sender, receiver) = channel();
            sending.push(sender);
            receiving.push(Mutex::new(receiver));
        }
    }
    std::thread::scope(|scope| {
        let ways = to.into_iter().zip(from).enumerate();
        let started: Vec<_> = ways
            .map(|(rank, (to, from))| {
                let share = Share::new(rank, ranks).unwrap();
                let exchange = Arc::new(Threads { rank, to, from });
                let work = &work;
                scope.spawn(move || work(Rank::among(share, exchange)))
            })
            .collect();
        let ended = started.into_iter().map(|rank| rank.join());
        ended.map(Result::unwrap).collect()
    })
}
