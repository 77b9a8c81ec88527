//! A node: ports, the packets that it sends on, and the wires to its host.
//!
//! ```text
//!                    strobes     address
//!                       |           | xor source
//!                       v           v
//!                  +-- decide: which ports are busy in this step --+
//!                  v                                               v
//!   rx 0..n-1 --> [ receiving ] --> packet buffers --> [ sending ] --> tx 0..n-1
//!                      |                                   ^
//!                      +--> take, bit to the host          +-- supply from the host, at the source
//! ```
//!
//! Where a list is run there is no supply: the message lies in the source's memory.
//!
//! Which ports are busy is decided in the first bit time of a step, from the relative address and the number of the step, and
//! stays in `sending` and `receiving`. In START the ports are busy and the wires idle; then all bits of a packet cross, one a
//! bit time. What arrives goes to the host in the next bit time, and where it is to be sent on also into a buffer.

use crate::language::bit::Bit;
use crate::language::register::{Name, Registers, Visitor};
use crate::language::wires::Transmit;
use crate::machine::host::Field;
use crate::machine::router::Node;
use crate::parts::counter::Number;
use crate::parts::module_array::ModuleArray;
use crate::parts::word::Word;
use crate::registers;
use crate::routers::ports::algorithm::PortModel;
use crate::routers::ports::arbiter::violation;
use crate::routers::ports::broadcast::{Broadcast, Turns};
use crate::routers::ports::orders::{Coming, Orders};
use crate::routers::ports::packets::Packets;
use crate::routers::ports::relative::{PerPort, Relative};
use crate::routers::ports::strobes::PortStrobes;
use crate::routers::ports::wires::HostWires;

/// The first bit of what the host is to supply, which it writes before bit time 0.
pub const SUPPLY: Field = Field("supply");

/// What the unit that sends is called.
const UNIT: &str = "port";

/// Whether a port is busy.
#[derive(Clone, Debug)]
pub struct Port<B: Bit> {
    sending: B,
    receiving: B,
}
registers!(Port { sending, receiving });

/// A bit for the host.
#[derive(Clone, Debug)]
pub struct Arrived<B: Bit> {
    valid: B,
    bit: B,
}
registers!(Arrived { valid, bit });

/// A node.
#[derive(Clone, Debug)]
pub struct PortNode<B: Bit> {
    model: PortModel,
    wires: HostWires,
    ports: ModuleArray<Port<B>>,
    taking: Word<B>,
    arrived: ModuleArray<Arrived<B>>,
    supply: Word<B>,
    packets: Packets<B>,
}

impl<B: Bit> Registers<B> for PortNode<B> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        visitor.enter(name, "PortNode");
        visitor.note("which of them are busy in this step");
        self.ports.visit(Name::Field("ports"), visitor);
        visitor.note("what arrives on the channel is for the host");
        self.taking.visit(Name::Field("taking"), visitor);
        visitor.note("what has come in the bit time before");
        self.arrived.visit(Name::Field("arrived"), visitor);
        visitor.note("the next bit of the message, at the source");
        self.supply.visit(Name::Field("supply"), visitor);
        visitor.note("packets that are sent on");
        self.packets.visit(Name::Field("packets"), visitor);
        visitor.leave();
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        self.ports.visit_mut(visitor);
        self.taking.visit_mut(visitor);
        self.arrived.visit_mut(visitor);
        self.supply.visit_mut(visitor);
        self.packets.visit_mut(visitor);
    }

    fn visit_witnesses(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        self.packets.visit_witnesses(visitor);
    }
}

impl<B: Bit> PortNode<B> {
    pub(super) fn new(broadcast: &Broadcast, turns: &Turns, wires: HostWires) -> Self {
        let port = || Port {
            sending: B::ZERO,
            receiving: B::ZERO,
        };
        let nothing = || Arrived {
            valid: B::ZERO,
            bit: B::ZERO,
        };
        PortNode {
            model: broadcast.ports,
            wires,
            ports: ModuleArray::new("port", (0..wires.dimensions).map(|_| port())),
            taking: Word::new(wires.channels, B::ZERO),
            arrived: ModuleArray::new("channel", (0..wires.channels).map(|_| nothing())),
            supply: Word::new(wires.supplied(), B::ZERO),
            packets: Packets::new(broadcast, turns),
        }
    }

    /// The ports that are busy: as decided now, or before.
    #[inline]
    fn orders(&self, strobes: &PortStrobes<B::Strobe>, relative: &Relative<B>) -> Orders<B> {
        let decided = || Orders {
            send: self.ports.iter().map(|port| port.sending).collect(),
            receive: self.ports.iter().map(|port| port.receiving).collect(),
            take: (0..self.taking.width())
                .map(|channel| self.taking[channel])
                .collect(),
            keep: (0..self.taking.width()).map(|_| B::ZERO).collect(),
        };
        let decide = B::from_strobe(strobes.decide);
        if decide.is_known_zero() {
            return decided();
        }
        let now = self.packets.orders(strobes, relative);
        let chosen = |now: PerPort<B>, before: PerPort<B>| -> PerPort<B> {
            now.iter()
                .zip(&before)
                .map(|(&now, &before)| decide.mux(now, before))
                .collect()
        };
        let before = decided();
        Orders {
            send: chosen(now.send, before.send),
            receive: chosen(now.receive, before.receive),
            take: chosen(now.take, before.take),
            keep: now.keep,
        }
    }

    /// Tells the host which ports are busy, and with what.
    fn tell_host(
        &self,
        strobes: &PortStrobes<B::Strobe>,
        relative: &Relative<B>,
        orders: &Orders<B>,
        wires: &mut Transmit<'_, B>,
    ) {
        let (at, decide) = (self.wires, strobes.decide);
        if decide.is_known_zero() {
            return;
        }
        let mut number = |from: usize, bits: usize, number: &Number<B>| {
            for bit in 0..bits {
                wires.drive(from + bit, UNIT, decide, || number.bit(bit));
            }
        };
        for (channel, named) in self.packets.names(strobes, relative).iter().enumerate() {
            number(at.group(channel), at.group_bits, &named.group);
            number(at.tree(channel), at.tree_bits, &named.tree);
        }
        for port in 0..at.dimensions {
            wires.drive(at.sending(port), UNIT, decide, || orders.send[port]);
            wires.drive(at.receiving(port), UNIT, decide, || orders.receive[port]);
        }
    }

    /// Asks the host for the bit that the source sends next.
    fn ask(&self, strobes: &PortStrobes<B::Strobe>, is_source: B, wires: &mut Transmit<'_, B>) {
        let (at, ask) = (self.wires, strobes.ask);
        if !at.is_supplied || ask.is_known_zero() {
            return;
        }
        wires.drive(at.ask(), UNIT, ask, || is_source);
        wires.drive(at.ask_first(), UNIT, strobes.ask_first, || is_source);
        let (group, rotation) = (&strobes.ask_group, &strobes.ask_rotation);
        for (first, bits, lines) in [
            (at.ask_group(), at.group_bits, group),
            (at.ask_rotation(), at.tree_bits, rotation),
        ] {
            for bit in 0..bits {
                wires.drive(first + bit, UNIT, lines.line(bit), || is_source);
            }
        }
    }

    /// What comes on a channel.
    #[inline]
    fn channel(&self, channel: usize, coming: Coming<'_, B>) -> B {
        match self.wires.channels {
            1 => coming.one().0,
            _ => coming.received[channel],
        }
    }

    pub(super) fn host_writes(&mut self, port: &mut dyn FnMut(Field, usize, &mut B)) {
        for channel in 0..self.supply.width() {
            port(SUPPLY, channel, &mut self.supply[channel]);
        }
        self.packets.host_writes(port);
    }

    pub(super) fn occupancy(&self, count: &mut dyn FnMut(B, u32)) {
        self.packets.occupancy(count);
    }
}

impl<B: Bit> Node<B> for PortNode<B> {
    type Broadcast = PortStrobes<B::Strobe>;

    fn transmit(
        &self,
        strobes: &PortStrobes<B::Strobe>,
        address: &[B],
        wires: &mut Transmit<'_, B>,
    ) {
        let relative = Relative::new(address, &strobes.source);
        let is_source = relative.is_source();
        let orders = self.orders(strobes, &relative);
        if !strobes.shift.is_known_zero() {
            let shift = B::from_strobe(strobes.shift);
            let heads = self.packets.heads(strobes, &relative);
            for (port, &head) in heads.iter().enumerate() {
                let channel = port % self.wires.channels;
                let bit = match self.wires.is_supplied {
                    true => is_source.mux(self.supply[channel], head),
                    false => head,
                };
                wires.drive_where(port, UNIT, shift & orders.send[port], bit);
            }
        }
        self.tell_host(strobes, &relative, &orders, wires);
        // In every bit time, not only where it is decided: a port that wakes up in the middle of a step is found too.
        if self.model != PortModel::All {
            wires.drive(self.wires.violation(), UNIT, B::Strobe::ONE, || {
                violation(self.model, &orders.send, &orders.receive)
            });
        }
        self.ask(strobes, is_source, wires);
        let always = B::Strobe::ONE;
        for (channel, arrived) in self.arrived.iter().enumerate() {
            wires.drive(self.wires.take(channel), UNIT, always, || arrived.valid);
            wires.drive(self.wires.bit(channel), UNIT, always, || arrived.bit);
        }
    }

    fn clock(&mut self, strobes: &PortStrobes<B::Strobe>, address: &[B], received: &[B]) {
        let relative = Relative::new(address, &strobes.source);
        let orders = self.orders(strobes, &relative);
        let n = self.wires.dimensions;
        let coming = Coming {
            orders: &orders,
            received: &received[..n],
        };
        let shift = B::from_strobe(strobes.shift);
        for channel in 0..self.wires.channels {
            let bit = self.channel(channel, coming);
            let valid = shift & orders.take[channel];
            self.arrived[channel] = Arrived {
                valid,
                bit: valid & bit,
            };
        }
        self.packets.clock(strobes, &relative, coming);
        for (port, busy) in self.ports.iter_mut().enumerate() {
            B::when(strobes.decide, busy, |busy| {
                busy.sending = orders.send[port];
                busy.receiving = orders.receive[port];
            });
        }
        B::when(strobes.decide, &mut self.taking, |taking| {
            for (channel, &take) in orders.take.iter().enumerate() {
                taking[channel] = take;
            }
        });
        B::when(strobes.ask, &mut self.supply, |supply| {
            for channel in 0..supply.width() {
                supply[channel] = received[n + channel];
            }
        });
    }
}
