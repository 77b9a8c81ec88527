//! Carries words between processes that do not wait for each other.
//!
//! One thread does it, and sleeps while there is nothing to carry: MPI itself would wait at the cost of a processor. Sending
//! is buffered, so that no process ever waits for another that is lost.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use mpi::point_to_point::Source;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, MatchedReceiveVec};

use super::{ONE_IS_LOST, make_room};
use crate::interrupt;
use crate::ranks::line::{FIRST, Heard, Line};
use crate::ranks::signs::Signs;

/// What messages of the post are told from others by.
const TAG: i32 = 1;
/// Bytes that may be under way to others: far more than ever are.
const ROOM: usize = 1 << 25;
/// How long it sleeps while there is nothing to carry.
const NAP: Duration = Duration::from_millis(1);
/// How long it goes on after the end, where MPI does not see to it that all has arrived.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The thread.
static POST: Mutex<Option<JoinHandle<()>>> = Mutex::new(None);
/// Whether nothing more will be sent.
static IS_OVER: AtomicBool = AtomicBool::new(false);
/// Held by the one thread that calls on MPI.
static CALL: Mutex<()> = Mutex::new(());

/// To be held by who calls on MPI while there is a post.
pub fn call() -> MutexGuard<'static, ()> {
    CALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens it.
pub fn begin(rank: usize, ranks: usize) -> Line {
    make_room(ROOM);
    let (outgoing, to_send) = mpsc::channel();
    let (heard, incoming) = mpsc::channel();
    let others = match rank {
        FIRST => FIRST + 1..ranks,
        _ => FIRST..FIRST + 1,
    };
    let thread = thread::spawn(move || {
        let signs = Signs::new(others, Instant::now());
        Post {
            signs,
            to_send,
            heard,
        }
        .carry();
    });
    *POST.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
    Line {
        rank,
        ranks,
        outgoing,
        incoming,
        break_off: interrupt::ask,
    }
}

/// Closes it, when all is sent.
pub fn end() {
    IS_OVER.store(true, Ordering::Release);
    let thread = (POST.lock().unwrap_or_else(PoisonError::into_inner)).take();
    if let Some(thread) = thread {
        // Had it panicked, others would take this process to be lost.
        let _ = thread.join();
    }
}

struct Post {
    signs: Signs,
    to_send: Receiver<(usize, String)>,
    heard: Sender<Heard>,
}

impl Post {
    fn carry(mut self) {
        let mut ends = None;
        loop {
            // Asked before the words are sent that were there when it was set.
            if IS_OVER.load(Ordering::Acquire) && ends.is_none() {
                let more = match ONE_IS_LOST.load(Ordering::Relaxed) {
                    true => LAST_WORDS,
                    false => Duration::ZERO,
                };
                ends = Some(Instant::now() + more);
            }
            // Before it receives: if this process is held up from here on, what came meanwhile is looked at first.
            let now = Instant::now();
            let call = call();
            let has_carried = self.receive() | self.send();
            drop(call);
            if ends.is_some_and(|ends| Instant::now() >= ends) {
                return;
            }
            for rank in self.signs.lost(now) {
                self.tell(Heard::Lost(rank));
            }
            if !has_carried {
                thread::sleep(NAP);
            }
        }
    }

    /// Whoever should hear it may be through.
    fn tell(&self, heard: Heard) {
        _ = self.heard.send(heard);
    }

    /// What others have sent; a sign of life has no words.
    fn receive(&mut self) -> bool {
        let world = SimpleCommunicator::world();
        let mut has_received = false;
        while let Some(message) = world.any_process().immediate_matched_probe_with_tag(TAG) {
            let (words, status) = message.matched_receive_vec::<u8>();
            let from = status.source_rank() as usize;
            self.signs.heard(from, Instant::now());
            if !words.is_empty() {
                let words = String::from_utf8_lossy(&words).into_owned();
                self.tell(Heard::Words(from, words));
            }
            has_received = true;
        }
        has_received
    }

    fn send(&mut self) -> bool {
        let world = SimpleCommunicator::world();
        let send = |to: usize, words: &[u8]| {
            let other = world.process_at_rank(to as i32);
            other.buffered_send_with_tag(words, TAG);
        };
        let mut has_sent = false;
        for (to, words) in self.to_send.try_iter() {
            send(to, words.as_bytes());
            has_sent = true;
        }
        for to in self.signs.due(Instant::now()) {
            send(to, &[]);
        }
        has_sent
    }
}
