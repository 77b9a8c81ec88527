//! Who sends and who receives: the sequencer names a wire and a pattern of address bits, and each node compares it with its own
//! address.
//!
//! ```text
//!   mask[b]  ---------+
//!   value[b] --+     (and)--> mismatch of bit b --+
//!   address[b](xor)---+                          (or)--> sends
//!                                                 |
//!   the same with crossed[b] in the xor ---------(or)--> receives
//! ```
//!
//! A node at the other end of the wire differs from the sender in the crossed bit alone, so it is the receiver.

use crate::language::bit::{Bit, Strobe, any};
use crate::language::lines::Lines;
use crate::routers::reduced_hypercube::steps::sequencer::Now;
use crate::strobes;

strobes! {
    /// A wire, and the nodes that send over it.
    #[derive(Clone, Debug)]
    pub struct RouteStrobes<S> {
        /// The wire that is given out.
        pub wire: Lines<S>,
        /// Address bits that are looked at.
        pub mask: Lines<S>,
        /// What they are in a sender.
        pub value: Lines<S>,
        /// The address bit in which the two ends of the wire differ.
        pub crossed: Lines<S>,
    }
}

impl<S: Strobe> RouteStrobes<S> {
    /// Of the row that is under way, in a network of so many wires and address bits.
    pub fn drive<O>(&mut self, now: &Now<'_, S, O>, (wires, bits): (usize, usize)) {
        let bit = |number: usize, place: usize| number >> place & 1 == 1;
        let on = now.running();
        self.wire.drive(on, 0..wires, |wire| {
            now.any(|row| row.way.is_some_and(|way| way.wire == wire))
        });
        self.mask.drive(on, 0..bits, |place| {
            now.any(|row| row.way.is_some_and(|way| bit(way.senders.mask, place)))
        });
        self.value.drive(on, 0..bits, |place| {
            now.any(|row| row.way.is_some_and(|way| bit(way.senders.value, place)))
        });
        self.crossed.drive(on, 0..bits, |place| {
            now.any(|row| row.way.is_some_and(|way| way.crossed == place))
        });
    }

    /// 1 where the node sends.
    #[inline]
    pub fn sends<B: Bit<Strobe = S>>(&self, address: &[B]) -> B {
        (!any(self.mask.iter().map(|(place, mask)| {
            B::from_strobe(mask) & (address[place] ^ B::from_strobe(self.value.line(place)))
        })))
        .named("sends")
    }

    /// 1 where the node receives.
    #[inline]
    pub fn receives<B: Bit<Strobe = S>>(&self, address: &[B]) -> B {
        (!any(self.mask.iter().map(|(place, mask)| {
            let sender = self.value.line(place) ^ self.crossed.line(place);
            B::from_strobe(mask) & (address[place] ^ B::from_strobe(sender))
        })))
        .named("receives")
    }

    /// The node's address bit that is crossed.
    #[inline]
    pub fn side<B: Bit<Strobe = S>>(&self, address: &[B]) -> B {
        self.crossed.select(|place| address[place]).named("side")
    }

    /// What the node receives on the wire.
    #[inline]
    pub fn incoming<B: Bit<Strobe = S>>(&self, received: &[B]) -> B {
        self.wire.select(|wire| received[wire]).named("incoming")
    }
}
