//! How processes hand words to each other that each go at a pace of their own, as in a sweep.
//!
//! Nobody waits: what is sent goes into a channel, and a thread carries it over. It also sends signs of life, and says who
//! is lost.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

/// The rank that hands out work, and hears of all others; they hear of it alone.
pub const FIRST: usize = 0;

/// One of several processes, and its line to the others.
pub struct Line {
    /// Which it is.
    pub rank: usize,
    /// How many there are.
    pub ranks: usize,
    /// Takes words to a rank.
    pub outgoing: Sender<(usize, String)>,
    /// Has what is heard of others.
    pub incoming: Receiver<Heard>,
    /// Has runs break off that are under way here, since the sweep has failed.
    pub break_off: fn(),
}

/// What is heard of another rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Words of it.
    Words(usize, String),
    /// Nothing, for so long that it is taken to be lost.
    Lost(usize),
}

impl Line {
    /// Whether it is the one that hands out work.
    pub fn is_first(&self) -> bool {
        self.rank == FIRST
    }

    /// What is heard next, if it is heard before long.
    pub fn heard(&self, before_long: Duration) -> Option<Heard> {
        match self.incoming.recv_timeout(before_long) {
            Ok(heard) => Some(heard),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                // Nobody is there to say anything: not to ask again at once, over and over.
                std::thread::sleep(before_long);
                None
            }
        }
    }
}
