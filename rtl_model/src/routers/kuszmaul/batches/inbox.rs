//! The processor's side of a node, where messages come out: one for each batch, taken in serially.
//!
//! ```text
//!   last stage --(valid bit)--> [valid bits, batch 0 at the head when all have come]
//!              --(payload)----> [ payload of batch n-1 | ... | payload of batch 0 ]
//! ```
//!
//! A place is taken in every batch, whether a message came or not; without one its payload bits mean nothing.

use crate::language::bit::Bit;
use crate::machine::host::Field;
use crate::parts::shift_register::ShiftRegister;
use crate::registers;
use crate::routers::permutation::Size;
use crate::strobes;

strobes! {
    /// What the inbox hears from the sequencer.
    #[derive(Clone, Debug)]
    pub struct InboxStrobes<S> {
        /// The last stage delivers a valid bit.
        pub arrival: S,
        /// The last stage delivers a payload bit.
        pub fill: S,
    }
}

/// Messages that have arrived.
#[derive(Clone, Debug)]
pub struct Inbox<B: Bit> {
    valid: ShiftRegister<B>,
    payload: ShiftRegister<B>,
}
registers!(Inbox {
    valid: "whether a message came, batch after batch",
    payload: "what it carries, batch after batch",
});

impl<B: Bit> Inbox<B> {
    /// Room for a message of each batch.
    pub fn new(size: Size, batches: usize) -> Self {
        Inbox {
            valid: ShiftRegister::new(batches),
            payload: ShiftRegister::new(batches * size.payload_bits),
        }
    }

    /// Whether a message stands in that place from the head on.
    pub fn valid_at(&self, place: usize) -> B {
        self.valid.bit(place)
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, strobes: &InboxStrobes<B::Strobe>, delivered: B) {
        B::when(strobes.arrival, &mut self.valid, |valid| {
            valid.shift_in(delivered);
        });
        B::when(strobes.fill, &mut self.payload, |payload| {
            payload.shift_in(delivered);
        });
    }

    /// What the host reads, once all batches have come.
    pub fn host_reads(&self, port: &mut dyn FnMut(Field, usize, B)) {
        for batch in 0..self.valid.width() {
            port(Field::VALID, batch, self.valid.bit(batch));
        }
        for bit in 0..self.payload.width() {
            port(Field::PAYLOAD, bit, self.payload.bit(bit));
        }
    }
}
