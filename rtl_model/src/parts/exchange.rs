//! The exchange: every message that wants to cross dimension `i` does (Kuszmaul 1990, Algorithm 2,
//! step 1).
//!
//! ```text
//!   valid --------+
//!   address bit i-(=)--(decide)-->[leaving]--> tx: valid bit, then the message
//!   own bit i ----+           \-->[staying]--> what the buffer takes back: its own head, or rx
//! ```
//!
//! The address bit is consumed: in its bit time the wire carries the valid bit instead.

use crate::language::bit::Bit;
use crate::language::lines::Lines;
use crate::language::wires::Transmit;
use crate::registers;

/// Two flip-flops that remember the decision while the message streams.
#[derive(Clone, Debug)]
pub struct Exchange<B: Bit> {
    leaving: B,
    staying: B,
}
registers!(Exchange { leaving, staying });

impl<B: Bit> Exchange<B> {
    /// Nobody leaves, nobody stays.
    pub fn new() -> Self {
        Exchange {
            leaving: B::ZERO,
            staying: B::ZERO,
        }
    }

    /// 1 where the message is being sent.
    #[inline]
    pub fn leaving(&self) -> B {
        self.leaving
    }

    /// 1 where the message circulates in its own buffer while others stream.
    #[inline]
    pub fn staying(&self) -> B {
        self.staying
    }

    /// The message stays: its address bit is the node's own.
    #[inline]
    pub fn stays(valid: B, address_bit: B, own_address_bit: B) -> B {
        (valid & !Self::differs(address_bit, own_address_bit)).named("message_stays")
    }

    /// The message leaves: its address bit is not the node's own.
    #[inline]
    pub fn leaves(valid: B, address_bit: B, own_address_bit: B) -> B {
        (valid & Self::differs(address_bit, own_address_bit)).named("message_leaves")
    }

    #[inline]
    fn differs(address_bit: B, own_address_bit: B) -> B {
        (address_bit ^ own_address_bit).named("address_differs")
    }

    /// Drives the messages that leave onto the wires of the one dimension that `exchange` names:
    /// first the valid bit, where the address bit was, then `bit` after `bit`.
    #[inline]
    pub fn transmit(
        &self,
        exchange: &Lines<B::Strobe>,
        decide: B::Strobe,
        (valid, bit): (B, B),
        address: &[B],
        wires: &mut Transmit<'_, B>,
    ) {
        let leaving_bit = || (self.leaving & bit).named("leaving_bit");
        for (dimension, strobe) in exchange.iter() {
            wires.drive(dimension, "exchange", strobe, || {
                let own = address[dimension];
                B::within(format_args!("exchange_{dimension}"), || {
                    B::choose(decide, || Self::leaves(valid, bit, own), leaving_bit).named("sent")
                })
            });
        }
    }

    /// Remembers the decision.
    #[inline]
    pub fn decide(&mut self, valid: B, address_bit: B, own_address_bit: B) {
        self.leaving = Self::leaves(valid, address_bit, own_address_bit);
        self.staying = Self::stays(valid, address_bit, own_address_bit);
    }

    /// Holds back the buffer where nothing arrives (Algorithm 2, step 6).
    #[inline]
    pub fn make_way_for(&mut self, arriving: B) {
        self.staying = !arriving;
    }
}

impl<B: Bit> Default for Exchange<B> {
    fn default() -> Self {
        Self::new()
    }
}
