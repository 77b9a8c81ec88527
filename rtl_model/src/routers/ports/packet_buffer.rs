//! A packet buffer: what a node keeps of a packet that it is going to send on.
//!
//! ```text
//!   single   receives --> mux --> [ B-1 .. 1 0 ] --+--> head, to the ports that send it
//!                          ^----------------------+      (it goes round, and is whole again after B bit times)
//!
//!   double   receives --> [ arriving ] ==commit==> [ held ] --+--> head
//!                                                    ^-------+
//! ```
//!
//! A packet may be sent on when it is complete. Where one can arrive while another is being sent, a buffer is double: what has
//! arrived takes the place of what was held at the end of the step.
//!
//! For measurement alone it is remembered whether what arrives is to be sent on, and whether what is held still is: in the step
//! that is under way, and in the next one.

use crate::language::bit::Bit;
use crate::machine::host::Field;
use crate::parts::shift_register::ShiftRegister;
use crate::registers;
use crate::routers::ports::strobes::PortStrobes;

/// The buffer.
#[derive(Clone, Debug)]
pub struct PacketBuffer<B: Bit> {
    arriving: Option<ShiftRegister<B>>,
    held: ShiftRegister<B>,
    forwards: Forwards<B>,
}
registers!(PacketBuffer { arriving, held; forwards });

/// Which of the packets in a buffer are still to be sent on: in the step that is under way, and in the next one.
#[derive(Clone, Debug)]
struct Forwards<B> {
    now: InUse<B>,
    next: InUse<B>,
}

#[derive(Clone, Copy, Debug)]
struct InUse<B> {
    arriving: B,
    held: B,
}

impl<B: Bit> Forwards<B> {
    fn visit(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        for in_use in [&mut self.now, &mut self.next] {
            visitor(&mut in_use.arriving);
            visitor(&mut in_use.held);
        }
    }
}

/// What a buffer does at a clock edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doing<B> {
    /// What comes.
    pub bit: B,
    /// A packet comes, and is to be kept.
    pub receives: B,
    /// It is to be sent on: in the first bit time of its step.
    pub keep: B,
    /// What has arrived is to be held from the end of this step on.
    pub replaces: B,
    /// What is held is sent for the last time in this step.
    pub finishes: B,
}

impl<B: Bit> PacketBuffer<B> {
    /// For a packet of so many bits.
    pub fn new(packet_bits: usize, is_double: bool) -> Self {
        let nothing = InUse {
            arriving: B::ZERO,
            held: B::ZERO,
        };
        PacketBuffer {
            arriving: is_double.then(|| ShiftRegister::new(packet_bits)),
            held: ShiftRegister::new(packet_bits),
            forwards: Forwards {
                now: nothing,
                next: nothing,
            },
        }
    }

    /// The next bit of the packet that is held.
    #[inline]
    pub fn head(&self) -> B {
        self.held.head()
    }

    /// The clock edge. `fills` is broadcast where something may arrive, if that is not in all bit times in which bits are on their
    /// way.
    pub(super) fn clock(
        &mut self,
        strobes: &PortStrobes<B::Strobe>,
        fills: Option<B::Strobe>,
        doing: &Doing<B>,
    ) {
        let Doing { bit, receives, .. } = *doing;
        match &mut self.arriving {
            None => B::when(strobes.shift, &mut self.held, |held| {
                let head = held.head();
                held.shift_in(receives.mux(bit, head));
            }),
            Some(arriving) => {
                // The last bit comes at the very clock edge at which all are taken over.
                let top = arriving.width() - 1;
                let arrived = |position: usize| match position == top {
                    true => bit,
                    false => arriving.bit(position + 1),
                };
                // Where nothing comes in the last bit time, all bits are there.
                let taken_over = |position: usize| match fills {
                    None => arrived(position),
                    Some(fills) => {
                        B::choose(fills, || arrived(position), || arriving.bit(position))
                    }
                };
                B::when(strobes.shift, &mut self.held, |held| {
                    let head = held.head();
                    held.shift_in(head);
                    if strobes.commit.is_known_zero() {
                        return;
                    }
                    for position in 0..=top {
                        let stays = held.bit(position);
                        let takes = || doing.replaces.mux(taken_over(position), stays);
                        held.insert(position, B::choose(strobes.commit, takes, || stays));
                    }
                });
                let fills = fills.unwrap_or(strobes.shift);
                B::when(fills, arriving, |arriving| arriving.shift_in(bit));
            }
        }
        self.remember(strobes, doing);
    }

    /// The host's side, of the packet that is held: the buffer is number `number` of those whose bits the field has.
    pub(super) fn host_writes(
        &mut self,
        field: Field,
        number: usize,
        port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
        let bits = self.held.width();
        for bit in 0..bits {
            port(field, number * bits + bit, self.held.bit_mut(bit));
        }
    }

    fn remember(&mut self, strobes: &PortStrobes<B::Strobe>, doing: &Doing<B>) {
        let is_double = self.arriving.is_some();
        let Forwards { now, next } = &mut self.forwards;
        let at = |strobe: B::Strobe, value: B, before: B| B::from_strobe(strobe).mux(value, before);
        let (to_arrive, to_hold) = match is_double {
            true => (next.arriving | doing.keep, next.held),
            false => (B::ZERO, next.held | doing.keep),
        };
        now.arriving = at(strobes.decide, to_arrive, now.arriving);
        now.held = at(strobes.decide, to_hold, now.held);
        *next = InUse {
            arriving: at(strobes.decide, now.arriving, next.arriving),
            held: at(strobes.decide, now.held, next.held),
        };
        let stays = now.held & !doing.finishes;
        let holds = match is_double {
            true => doing.replaces.mux(now.arriving, stays),
            false => stays,
        };
        next.arriving = at(strobes.commit, B::ZERO, next.arriving);
        next.held = at(strobes.commit, holds, next.held);
    }

    /// Calls `count` where there is a packet that is to be sent on, with its bits, in the step that is under way: all bits of a
    /// packet in flight, whose place is taken.
    pub fn occupancy(&self, count: &mut dyn FnMut(B, u32)) {
        let bits = self.held.width() as u32;
        count(self.forwards.now.held, bits);
        if self.arriving.is_some() {
            count(self.forwards.now.arriving, bits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::strobes::Strobes;

    const BITS: usize = 4;

    /// A step in which `packet` comes, or nothing; what was sent in it.
    fn step(buffer: &mut PacketBuffer<bool>, packet: Option<u32>, finishes: bool) -> u32 {
        let mut sent = 0;
        for place in 0..BITS {
            let mut strobes = PortStrobes::<bool>::idle();
            strobes.shift = true;
            strobes.decide = place == 0;
            strobes.commit = place == BITS - 1;
            sent |= u32::from(buffer.head()) << place;
            let doing = Doing {
                bit: packet.is_some_and(|packet| packet >> place & 1 == 1),
                receives: packet.is_some(),
                keep: packet.is_some(),
                replaces: packet.is_some(),
                finishes,
            };
            buffer.clock(&strobes, None, &doing);
        }
        sent
    }

    fn occupied(buffer: &PacketBuffer<bool>) -> u32 {
        let mut occupied = 0;
        buffer.occupancy(&mut |flag, bits| occupied += if flag { bits } else { 0 });
        occupied
    }

    #[test]
    fn a_packet_is_sent_as_often_as_need_be() {
        for is_double in [false, true] {
            let mut buffer = PacketBuffer::new(BITS, is_double);
            step(&mut buffer, Some(0b0110), false);
            assert_eq!(occupied(&buffer), 4);
            assert_eq!(step(&mut buffer, None, false), 0b0110);
            assert_eq!(step(&mut buffer, None, true), 0b0110);
            assert_eq!(occupied(&buffer), 4);
            step(&mut buffer, None, false);
            assert_eq!(occupied(&buffer), 0);
        }
    }

    #[test]
    fn a_double_buffer_receives_one_packet_while_it_sends_another() {
        let mut buffer = PacketBuffer::new(BITS, true);
        step(&mut buffer, Some(0b1011), false);
        assert_eq!(step(&mut buffer, Some(0b0100), false), 0b1011);
        assert_eq!(occupied(&buffer), 8);
        assert_eq!(step(&mut buffer, Some(0b1111), false), 0b0100);
        assert_eq!(step(&mut buffer, None, true), 0b1111);
    }
}
