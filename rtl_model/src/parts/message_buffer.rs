//! A message buffer: a valid bit and a shift register for what is left of one message.
//!
//! ```text
//!   [valid]   [ .. | payload .. | address .. ]--> head
//! ```
//!
//! A message is stored with its next bit at position 0. In iteration `i` of Algorithm 2 that is
//! address bit `i`; `k-1-i` address bits and `D` payload bits stand behind it.

use bitvec::slice::BitSlice;

use crate::bit::Bit;
use crate::lanes::Lanes;
use crate::parts::shift_register::ShiftRegister;
use crate::registers;

/// Room for one message.
#[derive(Clone, Debug)]
pub struct MessageBuffer<B: Bit> {
    /// 1 where the buffer holds a message.
    pub valid: B,
    /// The message bits that are left, next one at position 0.
    pub bits: ShiftRegister<B>,
}
registers!(MessageBuffer { valid, bits });

impl<B: Bit> MessageBuffer<B> {
    /// An empty buffer for messages of up to `width` bits.
    pub fn new(width: usize) -> Self {
        MessageBuffer {
            valid: B::ZERO,
            bits: ShiftRegister::new(width),
        }
    }
}

impl<B: Lanes> MessageBuffer<B> {
    /// The host's side: stores `address_bits` bits of `destination`, then the payload.
    pub fn load(
        &mut self,
        place: usize,
        address_bits: usize,
        destination: usize,
        payload: &BitSlice<u64>,
    ) {
        let address = (0..address_bits).map(|bit| destination >> bit & 1 == 1);
        for (position, bit) in address.chain(payload.iter().by_vals()).enumerate() {
            let mut lanes = self.bits.bit(position);
            lanes.set(place, bit);
            self.bits.insert(position, lanes);
        }
        self.valid.set(place, true);
    }

    /// The host's side: reads the payload, once all address bits are consumed. False where there is
    /// no message.
    pub fn unload(&self, place: usize, payload: &mut BitSlice<u64>) -> bool {
        for (position, mut bit) in payload.iter_mut().enumerate() {
            *bit = self.bits.bit(position).get(place);
        }
        self.valid.get(place)
    }
}
