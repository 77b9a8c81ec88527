//! A message buffer: a valid bit and a shift register for what is left of one message.
//!
//! ```text
//!   [valid]   [ .. | payload .. | address .. ]--> head
//! ```
//!
//! A message is stored with its next bit at position 0. In iteration `i` of Algorithm 2 that is
//! address bit `i`; `k-1-i` address bits and `D` payload bits stand behind it.

use crate::language::bit::Bit;
use crate::language::register::Registers;
use crate::machine::host::Field;
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

/// The host's side of a buffer before bit time 0: its registers are a valid bit, `address_bits`
/// bits of a destination, `payload_bits` of payload, and perhaps others that the host does not
/// write.
#[inline]
pub fn host_writes<B: Bit>(
    buffer: &mut impl Registers<B>,
    (address_bits, payload_bits): (usize, usize),
    port: &mut dyn FnMut(Field, usize, &mut B),
) {
    let mut place = 0;
    buffer.visit_mut(&mut |flip_flop| {
        match place {
            0 => port(Field::VALID, 0, flip_flop),
            _ if place <= address_bits => port(Field::DESTINATION, place - 1, flip_flop),
            _ if place <= address_bits + payload_bits => {
                port(Field::PAYLOAD, place - 1 - address_bits, flip_flop);
            }
            _ => {}
        }
        place += 1;
    });
}

/// The host's side of a buffer once all address bits are consumed.
#[inline]
pub fn host_reads<B: Bit>(
    (valid, bits): (B, &ShiftRegister<B>),
    payload_bits: usize,
    port: &mut dyn FnMut(Field, usize, B),
) {
    port(Field::VALID, 0, valid);
    for bit in 0..payload_bits {
        port(Field::PAYLOAD, bit, bits.bit(bit));
    }
}
