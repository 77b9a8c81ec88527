//! Recursive doubling in all rotations at once (Stout & Wagar 1987, BROADCAST 2).
//!
//! ```text
//!   stage k:  packet i crosses port i+k, from where the n-k bits of c from that port on are 0
//!                                        to where the bit of that port is 1, and the n-k-1 behind it are 0
//!
//!   port i+k ==> [ packet i ] --+--> ports i+k+1 .. i+n-1, a stage each
//!                     ^--------+
//! ```
//!
//! A node has a buffer for each packet: what it has received it sends on until the last stage.

use crate::language::bit::Bit;
use crate::parts::counter::{Number, width_for};
use crate::parts::module_array::ModuleArray;
use crate::registers;
use crate::routers::ports::broadcast::Broadcast;
use crate::routers::ports::orders::{Coming, Named, Names, Orders};
use crate::routers::ports::packet_buffer::{Doing, PacketBuffer};
use crate::routers::ports::relative::{PerPort, Relative};
use crate::routers::ports::strobes::PortStrobes;

/// What a node keeps.
#[derive(Clone, Debug)]
pub struct DoublingPath<B: Bit> {
    buffers: ModuleArray<PacketBuffer<B>>,
}
registers!(DoublingPath {
    buffers: "by packet"
});

impl<B: Bit> DoublingPath<B> {
    pub(super) fn new(broadcast: &Broadcast) -> Self {
        let buffers =
            (0..broadcast.packets).map(|_| PacketBuffer::new(broadcast.packet_bits, false));
        DoublingPath {
            buffers: ModuleArray::new("packet", buffers),
        }
    }

    /// The packet that crosses a port in a stage, if there is such a packet.
    fn packet(&self, port: usize, stage: usize, n: usize) -> Option<usize> {
        let packet = (port + n - stage) % n;
        (packet < self.buffers.len()).then_some(packet)
    }

    /// What the ports send.
    pub(super) fn heads(&self, strobes: &PortStrobes<B::Strobe>, n: usize) -> PerPort<B> {
        let head = |port, stage| match self.packet(port, stage, n) {
            Some(packet) => self.buffers[packet].head(),
            None => B::ZERO,
        };
        (0..n)
            .map(|port| strobes.phase.select(|stage| head(port, stage)))
            .collect()
    }

    pub(super) fn orders(
        &self,
        strobes: &PortStrobes<B::Strobe>,
        relative: &Relative<B>,
    ) -> Orders<B> {
        let n = relative.dimensions();
        let there = |port, stage, order: &dyn Fn() -> B| match self.packet(port, stage, n) {
            Some(_) => order(),
            None => B::ZERO,
        };
        let in_stage = |order: &dyn Fn(usize, usize) -> B| -> PerPort<B> {
            let of_port = |port: usize| {
                strobes
                    .phase
                    .select(|stage| there(port, stage, &|| order(port, stage)))
            };
            (0..n).map(of_port).collect()
        };
        let send = in_stage(&|port, stage| relative.is_clear_around(port, n - stage));
        let receive = in_stage(&|port, stage| {
            relative.bit(port) & relative.is_clear_around(port + 1, n - stage - 1)
        });
        let is_last = B::from_strobe(strobes.last);
        Orders {
            send,
            take: receive.clone(),
            keep: receive.iter().map(|&receive| receive & !is_last).collect(),
            receive,
        }
    }

    pub(super) fn names(&self, strobes: &PortStrobes<B::Strobe>, n: usize) -> Names<B> {
        let width = width_for(n as u32 - 1);
        let constant = |bit: bool| if bit { B::ONE } else { B::ZERO };
        let bit = |port: usize, bit: usize| {
            let is_one = |stage| constant(((port + n - stage) % n) >> bit & 1 == 1);
            strobes.phase.select(is_one)
        };
        let named = |port| Named {
            group: Number::constant(0),
            tree: Number::of_bits((0..width).map(|place| bit(port, place))),
        };
        (0..n).map(named).collect()
    }

    pub(super) fn clock(&mut self, strobes: &PortStrobes<B::Strobe>, coming: Coming<'_, B>) {
        let n = coming.received.len();
        for (packet, buffer) in self.buffers.iter_mut().enumerate() {
            let across = |what: &dyn Fn(usize) -> B| -> B {
                strobes.phase.select(|stage| what((packet + stage) % n))
            };
            let doing = Doing {
                bit: across(&|port| coming.received[port]),
                receives: across(&|port| coming.orders.receive[port]),
                keep: across(&|port| coming.orders.keep[port]),
                replaces: B::ZERO,
                finishes: B::from_strobe(strobes.last),
            };
            buffer.clock(strobes, None, &doing);
        }
    }

    pub(super) fn occupancy(&self, count: &mut dyn FnMut(B, u32)) {
        for buffer in self.buffers.iter() {
            buffer.occupancy(count);
        }
    }
}
