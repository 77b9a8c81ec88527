//! Continuous injection: nodes that create messages all the time, each at random and for itself.
//!
//! As BookSim does it, with a bit time for its cycle and a bit for its flit: in each bit time each
//! node creates a message with a probability of offered load / message bits, whatever it and the
//! others did before (a Bernoulli process). A created message waits at its source until the network
//! takes it; this module does not model that.
//!
//! The bit times between a node's messages are then geometrically distributed, and are drawn at
//! once: bit times in which nothing is created cost nothing. Each node reads a stream of random
//! numbers of its own, which holds, for one message after the other, the destination (left unread
//! by a fixed pattern), the payload, and the silence after it. So what a node sends depends neither
//! on the other nodes nor on how long one looks, and when it sends it does not depend on the
//! pattern. Nodes may create messages in bursts instead ([`Bursts`]), and nodes that are asked may
//! answer ([`Sources::reply_bits`]).

mod destinations;
mod offered_load;
mod process;
mod replies;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use bitvec::vec::BitVec;
use rand_chacha::ChaCha8Rng;

use crate::error::Error;
use crate::traffic::drawing::drawn_bits;
use crate::traffic::{Nodes, Purpose, check_payload_bits, generator};

pub use destinations::Destinations;
use destinations::Drawn;
pub use offered_load::OfferedLoad;
pub use process::Bursts;
use process::Process;
use replies::Replies;

/// A message, when it is created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created {
    /// The bit time in which it is: it may be sent in the same.
    pub bit_time: u64,
    /// The node that creates it.
    pub source: usize,
    /// The node that it is for; it may be the source.
    pub destination: usize,
    /// Its bits, bit 0 the first to be sent.
    pub payload: BitVec<u64>,
    /// Of a reply, the message that it answers: its number in the order in which messages were handed out.
    pub reply_to: Option<usize>,
}

/// What nodes create.
#[derive(Clone, Copy, Debug)]
pub struct Sources {
    /// On the average; of requests alone, where there are replies.
    pub load: OfferedLoad,
    /// Of each message, 1 to [`MAX_PAYLOAD_BITS`](crate::traffic::MAX_PAYLOAD_BITS).
    pub message_bits: usize,
    /// In bursts; otherwise at any time alike.
    pub bursts: Option<Bursts>,
    /// Each message is a request, whose destination answers it with as many bits.
    pub reply_bits: Option<usize>,
}

/// A node's next message. In order of bit time, then of source; what it creates of itself before
/// its replies, and these in the order of their requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Next {
    bit_time: u64,
    source: usize,
    reply_to: Option<usize>,
}

/// A node that creates messages.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// How many numbers of 64 bits of its stream have been read.
    read: u64,
    /// Messages that it has created of itself.
    created: u64,
    is_on: bool,
}

/// Messages as they are created, in ascending order of bit time and, within one, of source: at most
/// one of a node in a bit time, and its replies. It has no end, but for that of the bit times that a
/// `u64` counts. Replies come only if somebody says what has arrived ([`Injection::arrived`]).
#[derive(Clone, Debug)]
pub struct Injection {
    message_bits: usize,
    destinations: Drawn,
    process: Process,
    nodes: Vec<Node>,
    /// Of any stream: put where it is to be read.
    random: ChaCha8Rng,
    next: BinaryHeap<Reverse<Next>>,
    replies: Option<Replies>,
}

impl Injection {
    /// All nodes inject, messages of `message_bits` bits each, at any time alike. A permutation is
    /// drawn once, from the same `seed` as everything else; `uniform` draws for every message.
    ///
    /// # Errors
    /// As [`Injection::of`].
    pub fn new(
        nodes: impl Into<Nodes>,
        destinations: impl Into<Destinations>,
        load: OfferedLoad,
        message_bits: usize,
        seed: u64,
    ) -> Result<Self, Error> {
        let sources = Sources {
            load,
            message_bits,
            bursts: None,
            reply_bits: None,
        };
        Self::of(nodes, destinations, sources, seed)
    }

    /// All nodes inject as `sources` says.
    ///
    /// # Errors
    /// [`Error::PayloadBits`]; no bits of addresses, [`Error::NoTransposeAtOddDimensions`] for
    /// a pattern that this number of nodes does not have; a load that leaves no time between bursts.
    pub fn of(
        nodes: impl Into<Nodes>,
        destinations: impl Into<Destinations>,
        sources: Sources,
        seed: u64,
    ) -> Result<Self, Error> {
        let nodes = nodes.into();
        let message_bits = check_payload_bits(sources.message_bits)?;
        let replies = match sources.reply_bits {
            Some(bits) => Some(Replies::of(check_payload_bits(bits)?, seed)),
            None => None,
        };
        let node = Node {
            read: 0,
            created: 0,
            is_on: true,
        };
        let mut injection = Injection {
            message_bits,
            destinations: Drawn::new(destinations.into(), nodes, seed)?,
            process: Process::new(sources.load, message_bits, sources.bursts)?,
            nodes: vec![node; nodes.count()],
            random: generator(seed, Purpose::Injection),
            next: BinaryHeap::with_capacity(nodes.count()),
            replies,
        };
        for source in 0..nodes.count() {
            injection.read_on(source);
            injection.nodes[source].is_on = injection.process.begins_on(&mut injection.random);
            injection.plan(source, 0);
        }
        Ok(injection)
    }

    /// The next message that is created up to this bit time, if there is one.
    pub fn next_by(&mut self, bit_time: u64) -> Option<Created> {
        match self.next_bit_time()? <= bit_time {
            true => self.next(),
            false => None,
        }
    }

    /// When the next message is created, if there is one.
    pub fn next_bit_time(&self) -> Option<u64> {
        self.next.peek().map(|Reverse(next)| next.bit_time)
    }

    /// The last bit of message `index`, in the order in which they were handed out, has come to its
    /// destination in this bit time. Whether that answers, which it does in the next one.
    pub fn arrived(&mut self, index: usize, bit_time: u64) -> bool {
        let answers = self.replies.as_mut().and_then(|one| one.arrived(index));
        let (Some(source), Some(bit_time)) = (answers, bit_time.checked_add(1)) else {
            return false;
        };
        self.next.push(Reverse(Next {
            bit_time,
            source,
            reply_to: Some(index),
        }));
        true
    }

    /// Goes on in the stream of `source`.
    fn read_on(&mut self, source: usize) {
        let stream = (source as u64) << 8 | Purpose::Injection as u64;
        self.random.set_stream(stream);
        self.random
            .set_word_pos(2 * u128::from(self.nodes[source].read));
    }

    /// Draws when a node creates its next message, `from` this bit time on, in whose stream it is.
    fn plan(&mut self, source: usize, from: u64) {
        let silence = self.silence(source);
        self.nodes[source].read = (self.random.get_word_pos() / 2) as u64;
        let bit_time = silence.and_then(|silence| from.checked_add(silence));
        self.next.extend(bit_time.map(|bit_time| {
            Reverse(Next {
                bit_time,
                source,
                reply_to: None,
            })
        }));
    }

    /// Draws how many bit times pass without a message. None if more than can be counted.
    fn silence(&mut self, source: usize) -> Option<u64> {
        let is_on = &mut self.nodes[source].is_on;
        self.process.silence(&mut self.random, is_on)
    }

    fn destination(&mut self, source: usize) -> usize {
        self.destinations.destination(&mut self.random, source)
    }

    fn payload(&mut self) -> BitVec<u64> {
        drawn_bits(&mut self.random, self.message_bits)
    }

    /// What a node creates of itself.
    fn created(&mut self, source: usize, bit_time: u64) -> Created {
        self.read_on(source);
        let created = Created {
            bit_time,
            source,
            destination: self.destination(source),
            payload: self.payload(),
            reply_to: None,
        };
        let number = self.nodes[source].created;
        self.nodes[source].created += 1;
        if let Some(from) = bit_time.checked_add(1) {
            self.plan(source, from);
        }
        if let Some(replies) = &mut self.replies {
            replies.handed_out(Some((source, created.destination, number)));
        }
        created
    }
}

impl Iterator for Injection {
    type Item = Created;

    fn next(&mut self) -> Option<Created> {
        let Reverse(next) = self.next.pop()?;
        let (bit_time, source) = (next.bit_time, next.source);
        let Some(request) = next.reply_to else {
            return Some(self.created(source, bit_time));
        };
        let replies = self.replies.as_mut()?;
        replies.handed_out(None);
        let reply = replies.reply(request)?;
        Some(Created {
            bit_time,
            source: reply.source,
            destination: reply.destination,
            payload: reply.payload,
            reply_to: Some(request),
        })
    }
}

#[cfg(test)]
mod tests;
