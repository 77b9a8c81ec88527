//! One stage of a packing's pipeline: dimension `d`'s switch (Kuszmaul 1990, Algorithm 1, pipelined
//! as at the end of Theorem 1's proof). It consumes one header bit of the message and passes on the
//! rest.
//!
//! ```text
//!                          own address bit
//!                                |
//!   input --+--(arm)->[valid]-->(=)--(decide)-->[crossing]--+
//!           |                    |              [keeping ]--|--+
//!           |      (or the node's own valid bit)            v  |
//!           +-----------------------------------------> cross? |  --> tx
//!           |                                                  v
//!           +-----------------------------------------------> keep? --+
//!   rx ---------------------------------------------------------------(or)-->[out]
//! ```
//!
//! A message comes in as its valid bit, its header bits (this stage's first), its body:
//!
//! ```text
//!   bit time   -1      0        1 ..
//!   strobe     arm     decide   stream
//!   input      valid   header   rest
//!   tx                 crosses  rest, if it crosses
//!   out                         valid, then rest: of what was kept or received
//! ```
//!
//! The valid bit so leaves two bit times after it came, everything else one bit time later: the
//! header bit of this stage has been consumed. No two messages are ever stored at one node after a
//! stage of a semi-contraction (Lemma 1), so an OR merges what is kept and what is received.
//!
//! The stage that a row begins with takes the valid bit from where the message is stored, in
//! `decide`; a stage that no other feeds has no register for it, and one that feeds no other has no
//! `out`.

use crate::language::bit::Bit;
use crate::registers;

/// The switch of one dimension.
#[derive(Clone, Debug)]
pub struct SwitchStage<B: Bit> {
    valid: Option<B>,
    crossing: B,
    keeping: B,
    out: Option<B>,
}
registers!(SwitchStage {
    valid,
    crossing,
    keeping,
    out
});

/// What a stage has before it while it decides and streams.
#[derive(Clone, Copy, Debug)]
pub struct Incoming<B> {
    /// A message is there; read while deciding.
    pub valid: B,
    /// This bit time's bit of it.
    pub bit: B,
}

impl<B: Bit> SwitchStage<B> {
    /// A stage, all registers 0: fed by another stage or not, feeding one or not.
    pub fn new(is_fed: bool, feeds: bool) -> Self {
        SwitchStage {
            valid: is_fed.then_some(B::ZERO),
            crossing: B::ZERO,
            keeping: B::ZERO,
            out: feeds.then_some(B::ZERO),
        }
    }

    /// What the next stage receives in this bit time.
    #[inline]
    pub fn output(&self) -> B {
        self.out.unwrap_or(B::ZERO)
    }

    /// 1 where a message is coming in from another stage, from `arm` until the next `arm`.
    #[inline]
    pub fn valid(&self) -> B {
        self.valid.unwrap_or(B::ZERO)
    }

    /// 1 where a message has come in and been kept or sent, from `decide` on.
    #[inline]
    pub fn engaged(&self) -> B {
        self.crossing | self.keeping
    }

    /// 1 where the switch is set to cross.
    #[inline]
    pub fn crossing(&self) -> B {
        self.crossing
    }

    /// 1 where the switch is set to keep.
    #[inline]
    pub fn keeping(&self) -> B {
        self.keeping
    }

    /// Sets the switch by other means than a header
    /// ([`crate::routers::sorting::bitonic::comparator`]).
    #[inline]
    pub fn set(&mut self, crossing: B, keeping: B) {
        self.crossing = crossing;
        self.keeping = keeping;
    }

    /// The bit on the wire: the valid bit of what crosses while deciding, then the rest of it.
    #[inline]
    pub fn transmit(&self, decide: B::Strobe, incoming: Incoming<B>, own_address_bit: B) -> B {
        B::choose(
            decide,
            || Self::crosses(incoming, own_address_bit),
            || self.crossing & incoming.bit,
        )
        .named("sent")
    }

    /// What was kept or received: on its way into `out`, or into a buffer behind the last stage.
    #[inline]
    pub fn merged(
        &self,
        decide: B::Strobe,
        incoming: Incoming<B>,
        own_address_bit: B,
        received: B,
    ) -> B {
        let kept = B::choose(
            decide,
            || Self::stays(incoming, own_address_bit),
            || self.keeping & incoming.bit,
        );
        (kept.named("kept") | received).named("merged")
    }

    /// The message crosses: its header bit is not the node's own.
    #[inline]
    fn crosses(incoming: Incoming<B>, own_address_bit: B) -> B {
        (incoming.valid & Self::differs(incoming, own_address_bit)).named("crosses")
    }

    /// The message stays.
    #[inline]
    pub fn stays(incoming: Incoming<B>, own_address_bit: B) -> B {
        (incoming.valid & !Self::differs(incoming, own_address_bit)).named("stays")
    }

    #[inline]
    fn differs(incoming: Incoming<B>, own_address_bit: B) -> B {
        (incoming.bit ^ own_address_bit).named("header_differs")
    }

    /// `arm`: notes whether a message comes.
    #[inline]
    pub fn arm(&mut self, input: B) {
        if let Some(valid) = &mut self.valid {
            *valid = input;
        }
    }

    /// `decide` and `stream`: moves the message on, after setting the switch by its header bit.
    #[inline]
    pub fn pass(
        &mut self,
        decide: B::Strobe,
        incoming: Incoming<B>,
        own_address_bit: B,
        received: B,
    ) {
        let merged = self.merged(decide, incoming, own_address_bit, received);
        B::when(decide, self, |stage| {
            stage.decide(incoming, own_address_bit)
        });
        self.set_output(merged);
    }

    /// `decide`: sets the switch by the header bit.
    #[inline(always)]
    pub fn decide(&mut self, incoming: Incoming<B>, own_address_bit: B) {
        self.crossing = Self::crosses(incoming, own_address_bit);
        self.keeping = Self::stays(incoming, own_address_bit);
    }

    /// What the next stage receives in the next bit time.
    #[inline]
    pub fn set_output(&mut self, bit: B) {
        if let Some(out) = &mut self.out {
            *out = bit;
        }
    }
}
