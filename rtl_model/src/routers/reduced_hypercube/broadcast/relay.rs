//! What a node does with a message that it is to have and to hand on: keep it, and send it to all its children at once.
//!
//! ```text
//!   from the parent --> [ M ][ M-1 ] .. [ 0 ] --> store-and-forward: from here, in the next step
//!                         |               ^
//!                         |               +-- the start bit has come down: the message is complete
//!                         +--> cut-through: from here, in the next bit time
//! ```
//!
//! A start bit goes before the message, so a message needs no length: the register takes bits until the start bit is at its end.

use crate::language::bit::Bit;
use crate::parts::word::Word;
use crate::{registers, strobes};

strobes! {
    /// What relays are told.
    #[derive(Clone, Debug)]
    pub struct RelayStrobes<S> {
        /// Messages are on their way.
        pub run: S,
        /// A step begins: those who have the message and have not sent it do so.
        pub start: S,
        /// Who sends what it has stored turns its register.
        pub frame: S,
        /// What comes is handed on at once.
        pub cut_through: S,
    }
}

/// The registers.
#[derive(Clone, Debug)]
pub struct Relay<B: Bit> {
    pub(super) message: Word<B>,
    sends: B,
    spent: B,
}
registers!(Relay {
    message: "the message, behind its start bit",
    sends: "what is stored is sent in this step",
    spent: "the node has sent, or need not any more",
});

impl<B: Bit> Relay<B> {
    /// For messages of so many bits; nothing there.
    pub fn new(message_bits: usize) -> Self {
        Relay {
            message: Word::new(message_bits + 1, B::ZERO),
            sends: B::ZERO,
            spent: B::ZERO,
        }
    }

    /// 1 where the start bit has come down: the whole message is there, and is not being sent.
    #[inline]
    pub fn is_complete(&self) -> B {
        self.message[0]
    }

    /// 1 where the message is complete, and while it is sent: while it goes round, its start bit is elsewhere.
    pub fn has_message(&self) -> B {
        self.is_complete() | self.sends | self.spent
    }

    /// 1 where what is stored is sent in this bit time.
    #[inline]
    fn sends_now(&self, strobes: &RelayStrobes<B::Strobe>) -> B {
        let begins = || self.is_complete() & !self.spent;
        let sends = || B::choose(strobes.start, begins, || self.sends);
        B::gated(strobes.frame, sends).named("sends_now")
    }

    /// Shows the bits of the message, so many bit times of the step being over: where it is sent, it has gone round so far.
    pub(super) fn show(
        &self,
        (strobes, over): (&RelayStrobes<B::Strobe>, usize),
        bit: &mut dyn FnMut(B),
    ) {
        let (sends, width) = (self.sends_now(strobes), self.message.width());
        for place in 1..width {
            let turned = (place + width - over % width) % width;
            bit(sends.mux(self.message[turned], self.message[place]));
        }
    }

    /// The bit for all children.
    #[inline]
    pub fn output(&self, strobes: &RelayStrobes<B::Strobe>) -> B {
        let sends = self.sends_now(strobes);
        let top = self.message[self.message.width() - 1];
        let passed_on = B::gated(strobes.cut_through, || top & !self.spent & !sends);
        (sends & self.message[0]) | passed_on
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, strobes: &RelayStrobes<B::Strobe>, incoming: B) {
        let sends = self.sends_now(strobes);
        let complete = (sends | self.is_complete()).named("complete");
        B::when(strobes.run, &mut self.message, |message| {
            // What is sent goes round; what is not complete takes what comes; all else stands still.
            let moves = (sends | !complete).named("moves");
            let next = sends.mux(message[0], incoming).named("next");
            let top = message.width() - 1;
            for place in 0..top {
                message[place] = moves.mux(message[place + 1], message[place]);
            }
            message[top] = moves.mux(next, message[top]);
        });
        B::when(strobes.run, &mut self.sends, |register| *register = sends);
        let ends = strobes.start | strobes.cut_through;
        B::when(ends, &mut self.spent, |spent| *spent = complete);
    }
}
