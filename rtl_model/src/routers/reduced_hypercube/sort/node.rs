//! A node of a sort: slots of a word each, and one comparator.
//!
//! ```text
//!                    first, second: one slot each
//!                      |       |
//!   [ slot 0 ]---+     v       v
//!   [ slot 1 ]---+--> mux     mux --+--> the lower end's, or the upper end's --> tx
//!      ...       |     |       |    |
//!   [ slot S ]---+     +-------+----+--> [comparator] <-- what comes, or the other slot
//!       ^                                   |   |
//!       +---------- into the same slots ----+---+
//! ```
//!
//! Slots that are not in use stand still. In a gather and a scatter slot block `b` meets the wire of dimension `k-n+h`, `h` being
//! the highest bit of `b`, whatever the turn: so each slot has one wire of its own.

use crate::language::bit::{Bit, any};
use crate::language::register::{Name, Registers, Visitor};
use crate::language::wires::Transmit;
use crate::machine::host::Field;
use crate::machine::router::Node;
use crate::parts::shift_register::ShiftRegister;
use crate::registers;
use crate::routers::reduced_hypercube::collective::{VALUE, Words, read_word, write_word};
use crate::routers::reduced_hypercube::comparator::{Choice, WordComparator};
use crate::routers::reduced_hypercube::network::BlockNetwork;
use crate::routers::reduced_hypercube::operator::BitOrder;
use crate::routers::reduced_hypercube::shown::show_word;
use crate::routers::reduced_hypercube::sort::strobes::SortStrobes;

/// Slots of a node.
#[derive(Clone, Debug)]
pub struct KeySlots<B: Bit>(Vec<ShiftRegister<B>>);

impl<B: Bit> Registers<B> for KeySlots<B> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        visitor.enter(name, "KeySlots");
        for (number, slot) in self.0.iter().enumerate() {
            slot.visit(Name::Numbered("slot", number), visitor);
        }
        visitor.leave();
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        for slot in &mut self.0 {
            slot.visit_mut(visitor);
        }
    }
}

/// A node.
#[derive(Clone, Debug)]
pub struct SortNode<B: Bit> {
    keys: usize,
    low_bits: usize,
    slots: KeySlots<B>,
    comparator: WordComparator<B>,
}
registers!(SortNode {
    slots: "a word each",
    comparator: "decides which key is kept",
});

impl<B: Bit> SortNode<B> {
    /// A node with so many slots, of which so many are a block.
    pub fn new(network: BlockNetwork, (slots, keys): (usize, usize), word_bits: usize) -> Self {
        let low_bits = match network {
            BlockNetwork::Reduced(network) => network.block_dimensions() - network.subblock_bits(),
            BlockNetwork::Full(_) => 0,
        };
        SortNode {
            keys,
            low_bits,
            slots: KeySlots((0..slots).map(|_| ShiftRegister::new(word_bits)).collect()),
            comparator: WordComparator::new(),
        }
    }

    #[inline]
    fn head(&self, slot: usize) -> B {
        self.slots.0[slot].head()
    }

    /// Where keys go into descending order.
    #[inline]
    fn descends(strobes: &SortStrobes<B::Strobe>, address: &[B]) -> B {
        let by_address = strobes.by_address.select(|bit| address[bit]);
        (by_address ^ B::from_strobe(strobes.flip)).named("descends")
    }

    /// The key at this end of the wire: the node of the higher address has its keys the other way round.
    #[inline]
    fn own(&self, strobes: &SortStrobes<B::Strobe>, side: B) -> B {
        let first = strobes.first.select(|slot| self.head(slot));
        let second = || strobes.second.select(|slot| self.head(slot));
        B::choose(strobes.exchange, || side.mux(second(), first), || first).named("own")
    }

    /// 1 where the node has sent to sub-block 0, over dimension `bit` of the sub-blocks: where its lowest one is there.
    fn is_child(&self, address: &[B], bit: usize) -> B {
        let below = &address[self.low_bits..self.low_bits + bit];
        address[self.low_bits + bit] & !any(below.iter().copied())
    }

    /// 1 at the other end.
    fn is_parent(&self, address: &[B], bit: usize) -> B {
        !any(address[self.low_bits..=self.low_bits + bit].iter().copied())
    }

    /// The slots that meet the wire of dimension `bit` of the sub-blocks, each with the slot that its key has at the other end.
    fn slots_at(&self, bit: usize) -> impl Iterator<Item = (usize, usize)> + use<B> {
        let (from, keys) = (self.keys << bit, self.keys);
        (from..2 * from).map(move |slot| (slot, slot - (keys << bit)))
    }
}

/// What the two slots of a bit time take.
struct Met<B> {
    choice: Choice<B>,
    first: B,
    second: B,
    /// What one slot takes that is both, where a block has a key in the middle.
    both: B,
}

impl<B: Bit> SortNode<B> {
    /// Two keys meet: of two ends of a wire, or of two slots. Or one comes.
    #[inline]
    fn met(&self, strobes: &SortStrobes<B::Strobe>, address: &[B], received: &[B]) -> Met<B> {
        let route = &strobes.route;
        let (side, incoming) = (route.side(address), route.incoming(received));
        let receives = route.receives(address);
        let first = strobes.first.select(|slot| self.head(slot));
        let second = strobes.second.select(|slot| self.head(slot));
        let own = self.own(strobes, side);
        let other = B::choose(strobes.order, || second, || incoming);
        let is_upper = side & B::from_strobe(strobes.exchange);
        let wants_higher = (Self::descends(strobes, address) ^ is_upper).named("wants_higher");
        let choice = (self.comparator).choice(strobes.word.begins, own, other, wants_higher);
        let wanted = choice.wanted(own, other);
        // In an exchange the lower end works with its first slot, and the upper one with its second.
        let of_end = |is_here: B, kept: B| (receives & is_here).mux(wanted, kept);
        let moved = || {
            let taken = B::choose(strobes.take, || receives.mux(incoming, first), || first);
            self.scattered(strobes, address, received, taken)
        };
        let ordered = || B::choose(strobes.order, || wanted, moved);
        let unwanted = || choice.unwanted(own, other);
        let kept = || B::choose(strobes.order, unwanted, || second);
        Met {
            choice,
            first: B::choose(strobes.exchange, || of_end(!side, first), ordered)
                .named("next_first"),
            second: B::choose(strobes.exchange, || of_end(side, second), kept).named("next_second"),
            both: receives.mux(wanted, first),
        }
    }

    /// What comes in a scatter, where the node is a child; else `kept`.
    #[inline]
    fn scattered(
        &self,
        strobes: &SortStrobes<B::Strobe>,
        address: &[B],
        received: &[B],
        kept: B,
    ) -> B {
        strobes.scatter.iter().fold(kept, |next, (bit, given)| {
            let comes = B::from_strobe(given) & self.is_child(address, bit);
            comes.mux(received[self.low_bits + bit], next)
        })
    }

    #[inline]
    fn shift_ends(&mut self, strobes: &SortStrobes<B::Strobe>, met: &Met<B>) {
        let meets = strobes.exchange | strobes.order;
        for (slot, strobe) in strobes.first.iter() {
            let is_both = strobe & strobes.second.line(slot) & strobes.exchange;
            let next = B::choose(is_both, || met.both, || met.first);
            B::when(
                strobes.word.shift & strobe,
                &mut self.slots.0[slot],
                |word| word.shift_in(next),
            );
        }
        for (slot, strobe) in strobes.second.iter() {
            let alone = meets & strobe & !strobes.first.line(slot);
            B::when(alone, &mut self.slots.0[slot], |word| {
                word.shift_in(met.second)
            });
        }
    }

    /// Parents take what comes into the slot that meets the wire.
    #[inline]
    fn shift_gathered(&mut self, strobes: &SortStrobes<B::Strobe>, address: &[B], received: &[B]) {
        for (bit, given) in strobes.gather.iter() {
            let comes = self.is_parent(address, bit);
            for (slot, turn) in self.slots_at(bit) {
                let arrives = given & strobes.first.line(turn);
                let next = comes.mux(received[self.low_bits + bit], self.head(slot));
                B::when(arrives, &mut self.slots.0[slot], |word| word.shift_in(next));
            }
        }
    }

    /// The slots from which parents send go round.
    #[inline]
    fn shift_scattered(&mut self, strobes: &SortStrobes<B::Strobe>) {
        for (bit, given) in strobes.scatter.iter() {
            for (slot, turn) in self.slots_at(bit) {
                let leaves = given & strobes.first.line(turn);
                let head = self.head(slot);
                B::when(leaves, &mut self.slots.0[slot], |word| word.shift_in(head));
            }
        }
    }
}

impl<B: Bit> Node<B> for SortNode<B> {
    type Broadcast = SortStrobes<B::Strobe>;

    #[inline]
    fn transmit(&self, strobes: &Self::Broadcast, address: &[B], wires: &mut Transmit<'_, B>) {
        let route = &strobes.route;
        for (wire, given) in route.wire.iter() {
            wires.drive(wire, "key", given, || {
                route.sends(address) & self.own(strobes, route.side(address))
            });
        }
        for (bit, given) in strobes.gather.iter() {
            wires.drive(self.low_bits + bit, "gather", given, || {
                let own = strobes.first.select(|slot| self.head(slot));
                self.is_child(address, bit) & own
            });
        }
        for (bit, given) in strobes.scatter.iter() {
            wires.drive(self.low_bits + bit, "scatter", given, || {
                let of_turn = any(self
                    .slots_at(bit)
                    .map(|(slot, turn)| B::gated(strobes.first.line(turn), || self.head(slot))));
                self.is_parent(address, bit) & of_turn
            });
        }
    }

    #[inline]
    fn clock(&mut self, strobes: &Self::Broadcast, address: &[B], received: &[B]) {
        let met = self.met(strobes, address, received);
        self.shift_ends(strobes, &met);
        self.shift_gathered(strobes, address, received);
        self.shift_scattered(strobes);
        B::when(strobes.word.shift, &mut self.comparator, |comparator| {
            comparator.clock(met.choice)
        });
    }
}

impl<B: Bit> Words<B> for SortNode<B> {
    fn host_writes(&mut self, port: &mut dyn FnMut(Field, usize, &mut B)) {
        for (key, slot) in self.slots.0.iter_mut().take(self.keys).enumerate() {
            let from = key * slot.width();
            write_word(slot, (VALUE, from, BitOrder::MostFirst), port);
        }
    }

    fn host_reads(&self, port: &mut dyn FnMut(Field, usize, B)) {
        for (key, slot) in self.slots.0.iter().take(self.keys).enumerate() {
            let from = key * slot.width();
            read_word(slot, (VALUE, from, BitOrder::MostFirst), port);
        }
    }

    fn show(&self, turned: &dyn Fn(usize) -> usize, bit: &mut dyn FnMut(B)) {
        for (number, slot) in self.slots.0.iter().enumerate() {
            show_word(slot, (BitOrder::MostFirst, turned(number)), bit);
        }
    }
}
