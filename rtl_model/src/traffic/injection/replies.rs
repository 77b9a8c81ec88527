//! Replies: the node that a request has reached sends a message back.
//!
//! ```text
//!   bit time     t                             t + 1
//!   request ...  its last bit comes
//!   reply                                      is created, and may be sent
//! ```
//!
//! What a reply carries is drawn from a stream of the node that asked, by the number of its request: so it does not depend on
//! which request comes first.

use std::collections::HashMap;

use bitvec::vec::BitVec;

use crate::traffic::drawing::drawn_bits;
use crate::traffic::{Purpose, numbered_generator};

/// A request that was handed out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    source: usize,
    destination: usize,
    /// Requests of its source before it.
    number: u64,
}

/// What becomes of messages that were handed out, by their number in that order.
#[derive(Clone, Debug)]
pub(super) struct Replies {
    bits: usize,
    seed: u64,
    /// None of what is a reply itself, or has arrived.
    requests: Vec<Option<Request>>,
    /// Those that have arrived and are not answered yet, by their numbers.
    to_answer: HashMap<usize, Request>,
}

/// A reply that is to be sent.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    pub source: usize,
    pub destination: usize,
    pub payload: BitVec<u64>,
}

impl Replies {
    /// Replies of so many bits.
    pub fn of(bits: usize, seed: u64) -> Self {
        Replies {
            bits,
            seed,
            requests: Vec::new(),
            to_answer: HashMap::new(),
        }
    }

    /// The next message that is handed out is a request, or none.
    pub fn handed_out(&mut self, request: Option<(usize, usize, u64)>) {
        self.requests
            .push(request.map(|(source, destination, number)| Request {
                source,
                destination,
                number,
            }));
    }

    /// Message `index` has arrived: the node that will answer, if it is a request that had not.
    pub fn arrived(&mut self, index: usize) -> Option<usize> {
        let request = self.requests.get_mut(index)?.take()?;
        self.to_answer.insert(index, request);
        Some(request.destination)
    }

    /// The reply to message `index`, which has arrived.
    pub fn reply(&mut self, index: usize) -> Option<Reply> {
        let request = self.to_answer.remove(&index)?;
        let mut random = numbered_generator(self.seed, Purpose::Replies, request.source);
        let numbers = self.bits.div_ceil(64) as u128;
        random.set_word_pos(2 * numbers * u128::from(request.number));
        Some(Reply {
            source: request.destination,
            destination: request.source,
            payload: drawn_bits(&mut random, self.bits),
        })
    }
}
