//! What the Verilog testbench supplies and expects, as `$readmemh` reads it, and what its rounds send after the first one.

use ::hosts::deliveries::hexadecimal;
use bitvec::vec::BitVec;
use hosts::ports::message::Message;

use crate::families::broadcast::job::Asked;

/// What a round sends.
#[derive(Clone, Copy, Debug)]
enum Sent {
    Random,
    Ones,
    Zeros,
    /// Of two bits side by side one is 1.
    Alternating,
    /// Of two packets one after the other one is all ones.
    AlternatingPackets,
    One,
}

/// In this order, then again with other draws. Random messages tell packets apart, and bits of a packet; the others have what
/// those may lack: neighbours that are all equal, or all different.
const LATER: [Sent; 11] = [
    Sent::Random,
    Sent::Ones,
    Sent::Random,
    Sent::Alternating,
    Sent::Random,
    Sent::AlternatingPackets,
    Sent::Random,
    Sent::One,
    Sent::Random,
    Sent::Random,
    Sent::Zeros,
];

/// Round `round`, 2 or more, of messages as long as the one that was asked for: what it sends, for people, and the message.
pub(super) fn later(round: usize, asked: &Asked, seed: u64) -> (String, Message) {
    let (bits, packet_bits) = (asked.message_bits, asked.broadcast.packet_bits);
    let seed = seed.wrapping_add(round as u64);
    let drawn = Message::drawn(bits, packet_bits, seed);
    let lone = (seed % bits as u64) as usize;
    let of = |is_one: &dyn Fn(usize) -> bool| {
        Message::new((0..bits).map(is_one).collect::<BitVec<u64>>(), packet_bits)
    };
    match LATER[round.saturating_sub(2) % LATER.len()] {
        Sent::Random => (format!("random, seed {seed}"), drawn),
        Sent::Ones => ("all ones".to_owned(), of(&|_| true)),
        Sent::Zeros => ("all zeros".to_owned(), of(&|_| false)),
        Sent::Alternating => (
            "ones and zeros by turns".to_owned(),
            of(&|bit| bit % 2 == 0),
        ),
        Sent::AlternatingPackets => (
            "packets of ones and of zeros by turns".to_owned(),
            of(&|bit| bit / packet_bits % 2 == 0),
        ),
        Sent::One => (format!("bit {lone} alone is 1"), of(&|bit| bit == lone)),
    }
}

/// The message, as the source's host has it.
pub(super) fn traffic(message: &Message) -> String {
    format!("{}\n", hexadecimal(message.bits()))
}

/// What every other node is to have: all bits of all packets, the last one filled up.
pub(super) fn expected(message: &Message) -> String {
    let (packets, bits) = (message.packets(), message.packet_bits());
    let all = (0..packets).flat_map(|packet| (0..bits).map(move |bit| (packet, bit)));
    let all: BitVec<u64> = all.map(|(packet, bit)| message.bit(packet, bit)).collect();
    format!("{}\n", hexadecimal(&all))
}

/// The message as `--values` reads it.
pub(super) fn values_file(source: usize, message: &Message) -> String {
    format!("node,value\n{source},{}\n", hexadecimal(message.bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_packet_is_filled_up_with_zeros() {
        let bits: BitVec<u64> = "10111".chars().map(|bit| bit == '1').collect();
        let message = Message::new(bits, 4);
        assert_eq!(traffic(&message), "1d\n");
        assert_eq!(expected(&message), "1d\n");
        assert_eq!(values_file(3, &message), "node,value\n3,1d\n");
        let message = Message::new(message.bits().to_bitvec(), 3);
        assert_eq!(expected(&message), "1d\n");
        let message = Message::new(message.bits().to_bitvec(), 7);
        assert_eq!(expected(&message), "1d\n");
        let message = Message::new(message.bits().to_bitvec(), 9);
        assert_eq!(expected(&message), "01d\n");
    }
}
