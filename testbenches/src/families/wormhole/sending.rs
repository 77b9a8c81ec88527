//! Messages that are listed: each is given to its host when it is created, until the last one has arrived, or never will.

use std::collections::VecDeque;

use hosts::wormhole::lanes::WormLanes;
use rtl_model::routers::wormhole::machine::WormholeMachine;

use crate::families::wormhole::engine::Engine;
use crate::families::wormhole::expected::Expected;
use crate::families::wormhole::message::{Message, worms};

/// How a run of them is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// Nothing moves any more, though there are worms.
    Still,
    /// All have arrived.
    Complete,
    /// More bit times than they can take.
    OutOfTime,
}

/// Messages that wait to be created.
#[derive(Clone, Debug)]
pub(super) struct Sending {
    waiting: VecDeque<Message>,
    worms: u64,
    expected: Expected,
    patience: u64,
}

impl Sending {
    /// All of them, in the order in which they are created, with what is known of them before they are sent.
    pub fn of(machine: &WormholeMachine, messages: Vec<Message>) -> Self {
        let mut expected = Expected::default();
        let mut all = 0;
        for (number, message) in messages.iter().enumerate() {
            for worm in worms(machine, number, message) {
                expected.add(machine, &worm, message);
                all += 1;
            }
        }
        expected.bound();
        Sending {
            waiting: messages.into(),
            worms: all,
            expected,
            patience: machine.plan().arbitration_period(),
        }
    }

    /// Worms of all of them.
    pub fn worms(&self) -> u64 {
        self.worms
    }

    /// Bit times in a row in which a worm that is going to move may stand still.
    pub fn patience(&self) -> u64 {
        self.patience
    }

    /// Before a bit time: gives hosts what is created by now. How the run is over, if it is.
    pub fn next(&mut self, engine: &mut Engine<impl WormLanes>) -> Option<Over> {
        let bit_time = engine.fabric.bit_time();
        // Before hosts are given anything new: what is there now has had its bit times to move.
        if engine.quiet() > self.patience && engine.in_flight() > 0 {
            return Some(Over::Still);
        }
        let is_created = |message: &Message| message.created <= bit_time;
        while self.waiting.front().is_some_and(is_created) {
            let created = self.waiting.pop_front().into_iter();
            created.for_each(|message| engine.send(0, message));
        }
        if engine.in_flight() == 0 && self.waiting.is_empty() {
            return Some(Over::Complete);
        }
        (bit_time > self.expected.upper + self.patience).then_some(Over::OutOfTime)
    }

    /// When the next one is created.
    pub fn next_created(&self) -> Option<u64> {
        self.waiting.front().map(|next| next.created)
    }

    /// Keeps those back to which the run has not come; gives what was known before.
    pub fn end(self, engine: &mut Engine<impl WormLanes>) -> Expected {
        let left = self.waiting.into_iter();
        left.for_each(|message| engine.keep_back(message));
        self.expected
    }
}
