//! The processor's side of a node, where messages go in: one for each batch, sent out serially.
//!
//! ```text
//!   batch  n-1 ..        1                 0
//!   [valid bits ....... valid            valid ]--> valid of the first stage   (a place an interval)
//!   [ ... payload | address | payload | address ]--> bit of the first stage    (a place a bit time)
//! ```
//!
//! Messages stand one behind the other, batch 0 at the head, each address first. The host fills it before bit time 0.

use crate::language::bit::Bit;
use crate::machine::host::Field;
use crate::parts::shift_register::ShiftRegister;
use crate::registers;
use crate::routers::kuszmaul::batches::stage::Incoming;
use crate::routers::permutation::Size;
use crate::strobes;

strobes! {
    /// What the outbox hears from the sequencer.
    #[derive(Clone, Debug)]
    pub struct OutboxStrobes<S> {
        /// The first stage has taken the last bit of a message.
        pub next_message: S,
        /// The first stage has taken a bit.
        pub next_bit: S,
    }
}

/// Messages that are to be sent.
#[derive(Clone, Debug)]
pub struct Outbox<B: Bit> {
    valid: ShiftRegister<B>,
    bits: ShiftRegister<B>,
}
registers!(Outbox {
    valid: "whether there is a message, batch after batch",
    bits: "address and payload, batch after batch",
});

impl<B: Bit> Outbox<B> {
    /// Room for a message of each batch.
    pub fn new(size: Size, batches: usize) -> Self {
        Outbox {
            valid: ShiftRegister::new(batches),
            bits: ShiftRegister::new(batches * (size.dimensions + size.payload_bits)),
        }
    }

    /// What the first stage takes in.
    #[inline]
    pub fn output(&self) -> Incoming<B> {
        Incoming {
            valid: self.valid.head(),
            bit: self.bits.head(),
        }
    }

    /// Whether there is a message in that place from the head on.
    pub fn valid_at(&self, place: usize) -> B {
        self.valid.bit(place)
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, strobes: &OutboxStrobes<B::Strobe>) {
        B::when(strobes.next_message, &mut self.valid, ShiftRegister::shift);
        B::when(strobes.next_bit, &mut self.bits, ShiftRegister::shift);
    }

    /// The registers that the host writes: field after field, in each batch after batch.
    pub fn host_writes(&mut self, size: Size, port: &mut dyn FnMut(Field, usize, &mut B)) {
        let Size {
            dimensions: k,
            payload_bits,
        } = size;
        let (batches, stride) = (self.valid.width(), k + payload_bits);
        for batch in 0..batches {
            port(Field::VALID, batch, self.valid.bit_mut(batch));
        }
        for bit in 0..batches * k {
            let place = bit / k * stride + bit % k;
            port(Field::DESTINATION, bit, self.bits.bit_mut(place));
        }
        for bit in 0..batches * payload_bits {
            let place = bit / payload_bits * stride + k + bit % payload_bits;
            port(Field::PAYLOAD, bit, self.bits.bit_mut(place));
        }
    }
}
