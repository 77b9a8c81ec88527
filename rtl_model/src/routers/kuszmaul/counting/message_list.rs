//! A list of `H` slots for messages, written by the packing and read slot by slot.
//!
//! ```text
//!   slot j:      [valid]   [ back: positions D .. ]-->[ front: positions 0 .. D-1 ]--> head
//!                             ^                          ^             (read)
//!   what arrives, on two tracks, the last bits           |
//!        +-----------------------------------------------+ the first D bits: the front rotates
//! ```
//!
//! **Which slot.** A list that is being filled has its messages in its lowest slots: the valid bits are a
//! thermometer, and the next free slot is the one that is empty above one that is not. When the valid bits
//! of a pass arrive, a message on track 0 takes that slot, and one on track 1 takes it or, beside one on
//! track 0, the slot above. From then on the valid bits themselves say which slots these are, with the two
//! bits that are kept of what arrived: the highest message is the one of track 1, or else of track 0.
//!
//! **How.** Which slot takes a message is up to the node, but all nodes shift together. So while the first
//! `D` bits come, the fronts of all slots rotate, once round: a slot that takes a message has its bits put
//! in where its own would come round, and another stands at the end as at the beginning. The rest of the
//! bits are written where they stand.
//!
//! Slot 0 may be read while the end of its message is still coming: it shifts, so what comes is put in
//! where the back begins.

use crate::language::bit::Bit;
use crate::language::lines::Lines;
use crate::machine::host::Field;
use crate::parts::module_array::ModuleArray;
use crate::parts::shift_register::ShiftRegister;
use crate::registers;
use crate::routers::kuszmaul::spread::track_switch::PerTrack;
use crate::strobes;

/// The most messages a node, `H`.
pub const MAX_MESSAGES: usize = 16;

strobes! {
    /// What a list hears from the sequencer.
    #[derive(Clone, Debug)]
    pub struct ListStrobes<S> {
        /// One-hot by slot: its message is being sent, and shifts.
        pub read: Lines<S>,
        /// The valid bits of a pass arrive.
        pub arrive: S,
        /// The first bits of its messages arrive, and fronts rotate.
        pub rotate: S,
        /// One-hot by position in the back: one of their last bits arrives, for slot 0.
        pub back_of_first: Lines<S>,
        /// The same for the other slots.
        pub back_of_others: Lines<S>,
        /// All messages have been sent.
        pub clear: S,
    }
}

/// Room for one message.
#[derive(Clone, Debug)]
pub struct Slot<B: Bit> {
    valid: B,
    front: ShiftRegister<B>,
    back: ShiftRegister<B>,
}
registers!(Slot {
    valid,
    front: "the next D bits of the message, the next one at position 0",
    back: "the bits behind them",
});

impl<B: Bit> Slot<B> {
    /// The bit of the message at `position`, for the host.
    fn bit_mut(&mut self, position: usize) -> &mut B {
        match position.checked_sub(self.front.width()) {
            None => self.front.bit_mut(position),
            Some(position) => self.back.bit_mut(position),
        }
    }
}

/// The slots.
#[derive(Clone, Debug)]
pub struct MessageList<B: Bit> {
    slots: ModuleArray<Slot<B>>,
}
registers!(MessageList { slots });

/// What reaches a slot.
#[derive(Clone, Copy)]
struct Arriving<B> {
    /// The slot becomes that of a message.
    enters: B,
    /// The slot takes the bit that comes.
    takes: B,
    /// That bit; 0 where it takes none.
    bit: B,
}

impl<B: Bit> Arriving<B> {
    /// The bit that comes, or else the one that is there.
    #[inline]
    fn or(self, held: B) -> B {
        self.bit | (!self.takes & held)
    }
}

impl<B: Bit> MessageList<B> {
    /// `slots` slots, all empty, for messages of `front + back` bits.
    pub fn new(slots: usize, front: usize, back: usize) -> Self {
        let slot = |_| Slot {
            valid: B::ZERO,
            front: ShiftRegister::new(front),
            back: ShiftRegister::new(back),
        };
        MessageList {
            slots: ModuleArray::new("slot", (0..slots).map(slot)),
        }
    }

    /// The message that is being sent: whether there is one, and its next bit.
    #[inline]
    pub fn sent(&self, strobes: &ListStrobes<B::Strobe>) -> (B, B) {
        let valid = strobes.read.select(|slot| self.slots[slot].valid);
        let bit = strobes.read.select(|slot| self.slots[slot].front.head());
        (valid.named("valid_sent"), bit.named("bit_sent"))
    }

    /// 1 where there is a message in that slot.
    #[inline]
    pub fn valid(&self, slot: usize) -> B {
        self.slots[slot].valid
    }

    /// 1 in the lowest slot without a message, if those below have one.
    #[inline]
    fn is_next_free(&self, slot: usize) -> B {
        match slot.checked_sub(1) {
            None => !self.valid(0),
            Some(below) => self.valid(below) & !self.valid(slot),
        }
    }

    /// 1 in the highest slot with a message, if those below have one.
    #[inline]
    fn is_highest(&self, slot: usize) -> B {
        match slot + 1 < self.slots.len() {
            true => self.valid(slot) & !self.valid(slot + 1),
            false => self.valid(slot),
        }
    }

    /// Of which track a slot takes what arrives, where those on `arrived` have come.
    #[inline]
    pub fn takes(&self, slot: usize, arrived: PerTrack<B>) -> PerTrack<B> {
        let highest = self.is_highest(slot);
        let alone = highest & !arrived.track_1;
        let below_other = match slot + 1 < self.slots.len() {
            true => self.is_highest(slot + 1) & arrived.track_1,
            false => B::ZERO,
        };
        PerTrack {
            track_0: (arrived.track_0 & (alone | below_other)).named("takes_0"),
            track_1: (arrived.track_1 & highest).named("takes_1"),
        }
    }

    /// What reaches a slot in this bit time.
    #[inline]
    fn arriving(
        &self,
        strobes: &ListStrobes<B::Strobe>,
        slot: usize,
        bit: PerTrack<B>,
        arrived: PerTrack<B>,
    ) -> Arriving<B> {
        let mut arriving = Arriving {
            enters: B::ZERO,
            takes: B::ZERO,
            bit: B::ZERO,
        };
        if !strobes.arrive.is_known_zero() {
            let free = self.is_next_free(slot) & bit.either();
            let above = match slot.checked_sub(1) {
                Some(below) => self.is_next_free(below) & bit.track_0 & bit.track_1,
                None => B::ZERO,
            };
            arriving.enters = (free | above).named("enters");
        }
        let back = [&strobes.back_of_first, &strobes.back_of_others];
        let is_idle = back.iter().all(|lines| lines.active().is_empty());
        if !(strobes.rotate.is_known_zero() && is_idle) {
            let takes = self.takes(slot, arrived);
            let bit = (takes.track_0 & bit.track_0) | (takes.track_1 & bit.track_1);
            arriving.takes = takes.either().named("takes");
            arriving.bit = bit.named("bit_taken");
        }
        arriving
    }

    /// One bit time: `bit` arrives, of the messages that are there by `arrived`.
    #[inline]
    pub fn clock(
        &mut self,
        strobes: &ListStrobes<B::Strobe>,
        bit: PerTrack<B>,
        arrived: PerTrack<B>,
    ) {
        let mut arriving = [None; MAX_MESSAGES];
        for (slot, arriving) in arriving.iter_mut().enumerate().take(self.slots.len()) {
            *arriving = Some(B::within(format_args!("slot_{slot}"), || {
                self.arriving(strobes, slot, bit, arrived)
            }));
        }
        for ((number, slot), arriving) in self.slots.iter_mut().enumerate().zip(arriving) {
            let Some(arriving) = arriving else { break };
            let back = match number {
                0 => &strobes.back_of_first,
                _ => &strobes.back_of_others,
            };
            B::within(format_args!("slot_{number}"), || {
                slot.clock(strobes, (strobes.read.line(number), back), arriving);
            });
        }
    }

    /// The host's side: valid bits, then the destinations of all slots, then their payloads.
    pub fn host_writes(
        &mut self,
        (address_bits, payload_bits): (usize, usize),
        port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
        let slots = self.slots.len();
        for slot in 0..slots {
            port(Field::VALID, slot, &mut self.slots[slot].valid);
        }
        for (field, first, bits) in [
            (Field::DESTINATION, 0, address_bits),
            (Field::PAYLOAD, address_bits, payload_bits),
        ] {
            for (slot, bit) in (0..slots).flat_map(|slot| (0..bits).map(move |bit| (slot, bit))) {
                let register = self.slots[slot].bit_mut(first + bit);
                port(field, slot * bits + bit, register);
            }
        }
    }

    /// The host's side once all address bits are consumed: what is left is the fronts.
    pub fn host_reads(&self, port: &mut dyn FnMut(Field, usize, B)) {
        for (number, slot) in self.slots.iter().enumerate() {
            port(Field::VALID, number, slot.valid);
        }
        for (number, slot) in self.slots.iter().enumerate() {
            let bits = slot.front.width();
            for bit in 0..bits {
                port(Field::PAYLOAD, number * bits + bit, slot.front.bit(bit));
            }
        }
    }
}

impl<B: Bit> Slot<B> {
    /// One bit time.
    #[inline]
    fn clock(
        &mut self,
        strobes: &ListStrobes<B::Strobe>,
        (read, back): (B::Strobe, &Lines<B::Strobe>),
        arriving: Arriving<B>,
    ) {
        // What the registers hold before this clock edge.
        let round = arriving.or(self.front.head());
        let down = self.back.head();
        let top = self.front.width() - 1;
        B::when(strobes.rotate, &mut self.front, |front| {
            front.shift();
            front.insert(top, round);
        });
        B::when(read, self, |slot| {
            slot.front.shift();
            slot.front.insert(top, down);
            slot.back.shift();
        });
        // These places take what comes or else what they hold after the shift: so they are read here.
        for (position, strobe) in back.iter() {
            let held = self.back.bit(position);
            let held = held.named(format_args!("back_{position}_shifted"));
            let bit = B::choose(strobe, || arriving.or(held), || held);
            self.back.insert(position, bit);
        }
        B::when(strobes.arrive, &mut self.valid, |valid| {
            *valid = *valid | arriving.enters;
        });
        B::when(strobes.clear, &mut self.valid, |valid| *valid = B::ZERO);
    }
}
