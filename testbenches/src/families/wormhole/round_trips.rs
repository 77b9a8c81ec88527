//! Requests and replies of continuous injection: what is still to be answered, and how long it all took.
//!
//! ```text
//!   request created          arrived   reply created             arrived
//!         |---- request's latency --|--|---- reply's latency -------|
//!         |------------------------ round trip ---------------------|
//! ```
//!
//! What counts are requests that are created in the measurement, and the replies to them, whenever they are.

use std::ops::Range;

use hosts::wormhole::lanes::WormLanes;
use rtl_model::traffic::injection::{Created, Injection};
use rtl_model::traffic::latency::Latencies;

use crate::families::wormhole::engine::Engine;

/// Which messages of a run are replies, and to what.
#[derive(Clone, Debug, Default)]
pub struct Replies {
    /// By message, the request that it answers.
    to: Vec<Option<usize>>,
    /// Requests that have arrived, whose replies are created in the next bit time.
    owed: Vec<usize>,
}

/// Latencies in bit times, from creation to the last bit's arrival.
#[derive(Clone, Debug, Default)]
pub struct RoundTrips {
    /// Of requests.
    pub requests: Latencies,
    /// Of replies.
    pub replies: Latencies,
    /// From the creation of a request to the arrival of its reply.
    pub round_trips: Latencies,
}

impl Replies {
    /// The next message of the run is this one. When the exchange began that it belongs to.
    pub fn created(&mut self, engine: &Engine<impl WormLanes>, created: &Created) -> u64 {
        self.to.push(created.reply_to);
        match created.reply_to {
            None => created.bit_time,
            Some(request) => {
                self.owed.retain(|owed| *owed != request);
                engine.messages[request].created
            }
        }
    }

    /// After a bit time: says to the injection what has arrived in it.
    pub fn told(
        &mut self,
        engine: &Engine<impl WormLanes>,
        injection: &mut Injection,
        bit_time: u64,
    ) {
        let completed = engine.completed().iter().copied();
        self.owed
            .extend(completed.filter(|&message| injection.arrived(message, bit_time)));
    }

    /// Whether no reply is still to be created to a request of these bit times that has arrived.
    pub fn is_all_created(&self, engine: &Engine<impl WormLanes>, window: &Range<u64>) -> bool {
        let mut owed = self.owed.iter();
        !owed.any(|&request| window.contains(&engine.messages[request].created))
    }

    /// When the exchange began that a message belongs to.
    pub fn since(&self, engine: &Engine<impl WormLanes>, message: usize) -> u64 {
        let first = self.to[message].unwrap_or(message);
        engine.messages[first].created
    }

    /// Latencies of the messages that count; none where nobody answers.
    pub fn latencies(
        &self,
        engine: &Engine<impl WormLanes>,
        counted: &[usize],
    ) -> Option<RoundTrips> {
        let mut trips = RoundTrips::default();
        for &message in counted {
            let Some(arrived) = engine.delivery(message).tail_arrived else {
                continue;
            };
            let latency = arrived + 1 - engine.messages[message].created;
            match self.to[message] {
                None => trips.requests.record(latency),
                Some(_) => {
                    trips.replies.record(latency);
                    let since = self.since(engine, message);
                    trips.round_trips.record(arrived + 1 - since);
                }
            }
        }
        let has_replies = self.to.iter().any(Option::is_some);
        has_replies.then_some(trips)
    }
}
