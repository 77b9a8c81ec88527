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
//! pattern.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use bitvec::vec::BitVec;
use rand::RngCore;
use rand_chacha::ChaCha8Rng;

use crate::error::Error;
use crate::traffic::pattern::Pattern;
use crate::traffic::{Nodes, Purpose, check_payload_bits, generator};

/// Message bits that each node creates in a bit time, on average; headers do not count. At 1 a node
/// creates as much as its link to the network carries.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct OfferedLoad(f64);

impl OfferedLoad {
    /// A load of `load` bits a node and bit time.
    ///
    /// # Errors
    /// [`Error::OfferedLoad`] unless it is more than 0 and at most 1.
    pub fn new(load: f64) -> Result<Self, Error> {
        if load > 0.0 && load <= 1.0 {
            Ok(OfferedLoad(load))
        } else {
            Err(Error::OfferedLoad {
                load: load.to_string(),
            })
        }
    }

    /// Bits a node and bit time.
    pub fn bits_per_bit_time(self) -> f64 {
        self.0
    }
}

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
}

/// A node's next message. In order of bit time, then of source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Next {
    bit_time: u64,
    source: usize,
    /// Messages that the node has created before.
    number: u64,
}

/// Messages as they are created, in ascending order of bit time and, within one, of source: at most
/// one of a node in a bit time. It has no end, but for that of the bit times that a `u64` counts.
#[derive(Clone, Debug)]
pub struct Injection {
    nodes: usize,
    message_bits: usize,
    /// For each node; none if each message draws its own.
    destinations: Option<Vec<usize>>,
    /// Natural logarithm of the probability that a node creates nothing in a bit time.
    log_silent: f64,
    /// Of any stream: put where it is to be read.
    random: ChaCha8Rng,
    next: BinaryHeap<Reverse<Next>>,
}

impl Injection {
    /// All nodes inject, messages of `message_bits` bits each. A permutation is drawn once, from
    /// the same `seed` as everything else; `uniform` draws for every message.
    ///
    /// # Errors
    /// [`Error::PayloadBits`]; [`Error::NoAddressBits`], [`Error::NoTransposeAtOddDimensions`] for
    /// a pattern that this number of nodes does not have.
    pub fn new(
        nodes: impl Into<Nodes>,
        pattern: Pattern,
        load: OfferedLoad,
        message_bits: usize,
        seed: u64,
    ) -> Result<Self, Error> {
        let nodes = nodes.into();
        let message_bits = check_payload_bits(message_bits)?;
        let destinations = if pattern.is_permutation() {
            let senders: Vec<usize> = (0..nodes.count()).collect();
            let messages = pattern.messages(nodes, &senders, seed)?;
            let destinations = messages.iter().map(|message| message.destination);
            Some(destinations.collect())
        } else {
            None
        };
        // The functions of `libm` give the same bits on every machine, those of the system may not.
        let log_silent = libm::log1p(-load.bits_per_bit_time() / message_bits as f64);
        let mut injection = Injection {
            nodes: nodes.count(),
            message_bits,
            destinations,
            log_silent,
            random: generator(seed, Purpose::Injection),
            next: BinaryHeap::with_capacity(nodes.count()),
        };
        for source in 0..nodes.count() {
            injection.read_from(source, 0);
            if let Some(bit_time) = injection.silence() {
                injection.next.push(Reverse(Next {
                    bit_time,
                    source,
                    number: 0,
                }));
            }
        }
        Ok(injection)
    }

    /// Goes to a place in the stream of `source`, in numbers of 64 bits.
    fn read_from(&mut self, source: usize, place: u128) {
        let stream = (source as u64) << 8 | Purpose::Injection as u64;
        self.random.set_stream(stream);
        self.random.set_word_pos(2 * place);
    }

    /// Draws how many bit times pass without a message: geometrically distributed, by inversion.
    /// None if more than can be counted.
    fn silence(&mut self) -> Option<u64> {
        // In the middle of one of 2^52 equal parts of 0..1: neither of the two.
        let part = (self.random.next_u64() >> 12) as f64;
        let uniform = (part + 0.5) / (1_u64 << 52) as f64;
        let silence = libm::log(uniform) / self.log_silent;
        (silence < u64::MAX as f64).then_some(silence as u64)
    }

    /// Draws a destination. Nodes differ in probability by less than 2^-64.
    fn destination(&mut self, source: usize) -> usize {
        let drawn = self.random.next_u64();
        match &self.destinations {
            Some(destinations) => destinations[source],
            None => ((u128::from(drawn) * self.nodes as u128) >> 64) as usize,
        }
    }

    fn payload(&mut self) -> BitVec<u64> {
        let words = self.message_bits.div_ceil(64);
        let mut payload = BitVec::from_vec((0..words).map(|_| self.random.next_u64()).collect());
        payload.truncate(self.message_bits);
        payload
    }
}

impl Iterator for Injection {
    type Item = Created;

    fn next(&mut self) -> Option<Created> {
        let Reverse(Next {
            bit_time,
            source,
            number,
        }) = self.next.pop()?;
        // A stream begins with the silence before its first message.
        let numbers_a_message = 2 + self.message_bits.div_ceil(64);
        self.read_from(source, 1 + u128::from(number) * numbers_a_message as u128);
        let created = Created {
            bit_time,
            source,
            destination: self.destination(source),
            payload: self.payload(),
        };
        let following = self.silence().and_then(|silence| {
            let bit_time = bit_time.checked_add(1)?.checked_add(silence)?;
            Some(Next {
                bit_time,
                source,
                number: number + 1,
            })
        });
        self.next.extend(following.map(Reverse));
        Some(created)
    }
}

#[cfg(test)]
mod tests;
