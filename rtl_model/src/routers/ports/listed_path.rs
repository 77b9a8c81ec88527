//! A list of sends: each node has its orders and a memory for the whole message.
//!
//! ```text
//!   orders, for each port b and packet i; one place down at the end of each step
//!      ... steps 3, 2, 1, 0 -->[ sends    ]--> s(b, i): port b sends packet i in this step
//!      ... steps 3, 2, 1, 0 -->[ receives ]--> r(b, i): packet i comes across port b in this step
//!
//!   memory, for each packet i
//!      OR over b of r(b, i) AND rx b --> mux --> [ B-1 .. 1 0 ] --+--> OR over i with s(b, i) --> port b
//!                                         ^----------------------+      (it goes round)
//! ```
//!
//! Nothing follows from a node's address. Its orders are registers that its host writes before bit time 0, and they are counted as
//! storage. The memory of the source has the message, which its host writes as well. A node sends whatever lies in its memory: that
//! a list makes sense is looked at before it is run, in [`sends`](super::sends).

use crate::language::bit::{Bit, any};
use crate::machine::host::Field;
use crate::parts::counter::{Number, width_for};
use crate::parts::module_array::ModuleArray;
use crate::parts::shift_register::ShiftRegister;
use crate::registers;
use crate::routers::ports::broadcast::Broadcast;
use crate::routers::ports::orders::{Coming, Named, Names, Orders};
use crate::routers::ports::packet_buffer::{Doing, PacketBuffer};
use crate::routers::ports::relative::PerPort;
use crate::routers::ports::strobes::PortStrobes;

/// The steps in which a port sends a packet. The bit of a step is at `(port * P + packet) * steps + step`.
pub const SENDS: Field = Field("sends");
/// The steps in which it receives one, in the same order.
pub const RECEIVES: Field = Field("receives");
/// What the memory holds at first: bit `index` of a packet is at `packet * B + index`.
pub const MESSAGE: Field = Field("message");

/// Orders of one kind: the steps that are still to come, by port and packet.
type Steps<B> = ModuleArray<ModuleArray<ShiftRegister<B>>>;

/// What a node keeps.
#[derive(Clone, Debug)]
pub struct ListedPath<B: Bit> {
    sends: Steps<B>,
    receives: Steps<B>,
    memory: ModuleArray<PacketBuffer<B>>,
    /// Whether one packet at a time is told to the host, as it comes across one port at a time.
    is_one_at_a_time: bool,
}
registers!(ListedPath {
    sends: "in which steps a port sends a packet, this step first",
    receives: "in which steps it receives one",
    memory: "the message, by packet"
});

impl<B: Bit> ListedPath<B> {
    pub(super) fn new(broadcast: &Broadcast, channels: usize) -> Self {
        let (n, steps) = (
            broadcast.cube.count(),
            broadcast.routing_steps().value as usize,
        );
        let packets = 0..broadcast.packets;
        let of_port = || {
            let steps = packets.clone().map(|_| ShiftRegister::new(steps));
            ModuleArray::new("packet", steps)
        };
        let orders = || ModuleArray::new("port", (0..n).map(|_| of_port()));
        let memory = packets
            .clone()
            .map(|_| PacketBuffer::new(broadcast.packet_bits, false));
        ListedPath {
            sends: orders(),
            receives: orders(),
            memory: ModuleArray::new("packet", memory),
            is_one_at_a_time: channels == 1,
        }
    }

    /// What each port sends.
    #[inline]
    pub(super) fn heads(&self) -> PerPort<B> {
        let of_port = |steps: &ModuleArray<ShiftRegister<B>>| {
            let packets = steps.iter().zip(self.memory.iter());
            any(packets.map(|(steps, packet)| steps.head() & packet.head()))
        };
        self.sends.iter().map(of_port).collect()
    }

    pub(super) fn orders(&self) -> Orders<B> {
        let busy = |steps: &Steps<B>| -> PerPort<B> {
            let ports = steps.iter();
            ports
                .map(|packets| any(packets.iter().map(ShiftRegister::head)))
                .collect()
        };
        let receive = busy(&self.receives);
        let take: PerPort<B> = match self.is_one_at_a_time {
            true => PerPort::from_iter([any(receive.iter().copied())]),
            false => receive.clone(),
        };
        Orders {
            send: busy(&self.sends),
            receive,
            // Nobody measures which of the packets in a memory are still to be sent.
            keep: take.iter().map(|_| B::ZERO).collect(),
            take,
        }
    }

    /// The number of the packet that comes across some ports.
    fn named<'a>(
        &'a self,
        ports: impl Iterator<Item = &'a ModuleArray<ShiftRegister<B>>> + Clone,
    ) -> Named<B> {
        let width = width_for(self.memory.len() as u32 - 1);
        let bit = |place: usize| {
            let of_port = |packets: &'a ModuleArray<ShiftRegister<B>>| {
                let packets = packets.iter().enumerate();
                packets
                    .filter(move |(packet, _)| packet >> place & 1 == 1)
                    .map(|(_, steps)| steps.head())
            };
            any(ports.clone().flat_map(of_port))
        };
        Named {
            group: Number::of_bits((0..width).map(bit)),
            tree: Number::constant(0),
        }
    }

    pub(super) fn names(&self) -> Names<B> {
        match self.is_one_at_a_time {
            true => Names::from_iter([self.named(self.receives.iter())]),
            false => (self.receives.iter())
                .map(|port| self.named(std::iter::once(port)))
                .collect(),
        }
    }

    pub(super) fn clock(&mut self, strobes: &PortStrobes<B::Strobe>, coming: Coming<'_, B>) {
        // A step ends with the last bit of a packet.
        if strobes.shift.is_known_zero() {
            return;
        }
        for (packet, buffer) in self.memory.iter_mut().enumerate() {
            let comes = |port: &ModuleArray<ShiftRegister<B>>| port[packet].head();
            let across = self.receives.iter().zip(coming.received);
            let doing = Doing {
                bit: any(across.map(|(port, &bit)| comes(port) & bit)),
                receives: any(self.receives.iter().map(comes)),
                keep: B::ZERO,
                replaces: B::ZERO,
                finishes: B::ZERO,
            };
            buffer.clock(strobes, None, &doing);
        }
        for orders in [&mut self.sends, &mut self.receives] {
            for steps in orders.iter_mut().flat_map(|port| port.iter_mut()) {
                B::when(strobes.commit, steps, ShiftRegister::shift);
            }
        }
    }

    /// The host's side.
    pub(super) fn host_writes(&mut self, port: &mut dyn FnMut(Field, usize, &mut B)) {
        for (field, orders) in [(SENDS, &mut self.sends), (RECEIVES, &mut self.receives)] {
            let steps = orders.iter_mut().flat_map(|port| port.iter_mut());
            for (number, steps) in steps.enumerate() {
                for step in 0..steps.width() {
                    port(field, number * steps.width() + step, steps.bit_mut(step));
                }
            }
        }
        for (packet, buffer) in self.memory.iter_mut().enumerate() {
            buffer.host_writes(MESSAGE, packet, port);
        }
    }

    /// Nothing is said of how much of a memory is in use.
    pub(super) fn occupancy(&self, _count: &mut dyn FnMut(B, u32)) {}
}
