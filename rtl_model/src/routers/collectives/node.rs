//! A node: a memory, and what joins it to the ports.
//!
//! ```text
//!                 address --xor source--> [ seen ]     is the node meant? which line is which port?
//!                                          |    |
//!   rx 0..n-1 --> [ lines ] <--------------+    +--------> [ lines ] --> tx 0..n-1
//!                    |     (+ carry, if it adds)              ^
//!                    +----> write address     read address ---+
//!                              [ memory                ]
//! ```
//!
//! Addresses are broadcast, the same for all nodes; which nodes read and write, and across which port, is up to closed rules on
//! the node's own address. Channels are transfers that are under way at the same time.

use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::language::bit::Bit;
use crate::language::register::{Name, Registers, Visitor};
use crate::language::wires::Transmit;
use crate::machine::host::Field;
use crate::machine::router::Node;
use crate::parts::module_array::ModuleArray;
use crate::parts::serial_adder::SerialAdder;
use crate::parts::word::Word;
use crate::routers::collectives::configuration::Configuration;
use crate::routers::collectives::held::Held;
use crate::routers::collectives::lines::{Coming, comes, sends};
use crate::routers::collectives::memory::{Memory, Write};
use crate::routers::collectives::seen::{MOST_DIMENSIONS, Seen};
use crate::routers::collectives::shape::Shape;
use crate::routers::collectives::strobes::{ChannelStrobes, CollectiveStrobes, LineStrobes};
use crate::routers::collectives::watch::{count, watch};

/// The memory: a bit an address.
pub const MEMORY: Field = Field::MEMORY;
/// More ports were busy at once than may be; only of nodes of which not all may be.
pub const VIOLATION: Field = Field("violation");

/// What the unit that sends is called.
const UNIT: &str = "channel";

/// A node.
#[derive(Clone, Debug)]
pub struct CollectiveNode<B: Bit> {
    shape: Arc<Shape>,
    configuration: Configuration<B>,
    memory: Memory<B>,
    adders: ModuleArray<SerialAdder<B>>,
    violation: Option<B>,
    held: Held<B>,
}

impl<B: Bit> Registers<B> for CollectiveNode<B> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        visitor.enter(name, "CollectiveNode");
        visitor.note("what no closed rule gives");
        self.configuration
            .visit(Name::Field("configuration"), visitor);
        visitor.note("a bit an address");
        self.memory.visit(Name::Field("memory"), visitor);
        visitor.note("of each line");
        self.adders.visit(Name::Field("adders"), visitor);
        visitor.note("more ports were busy at once than may be");
        self.violation.visit(Name::Field("violation"), visitor);
        visitor.leave();
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        self.configuration.visit_mut(visitor);
        self.memory.visit_mut(visitor);
        self.adders.visit_mut(visitor);
        self.violation.visit_mut(visitor);
    }

    fn visit_witnesses(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        self.held.visit(visitor);
    }
}

impl<B: Bit> CollectiveNode<B> {
    pub(super) fn new(shape: Arc<Shape>) -> Self {
        CollectiveNode {
            configuration: Configuration::new(&shape),
            memory: Memory::new(shape.memory_bits),
            adders: ModuleArray::new("line", (0..shape.adders()).map(|_| SerialAdder::new())),
            violation: shape.has_arbiter().then_some(B::ZERO),
            held: Held::new(shape.held_bits),
            shape,
        }
    }

    /// The memory.
    pub fn memory(&self) -> &Memory<B> {
        &self.memory
    }

    pub(super) fn memory_bits(&mut self) -> &mut Box<[B]> {
        self.memory.bits()
    }

    pub(super) fn block_numbers(&mut self) -> &mut Vec<Word<B>> {
        self.configuration.numbers_mut()
    }

    /// The bits of the count of what it holds.
    pub(super) fn held(&self) -> &[B] {
        self.held.during()
    }

    pub(super) fn host_writes(&mut self, port: &mut dyn FnMut(Field, usize, &mut B)) {
        self.configuration.host_writes(port);
        for address in 0..self.memory.width() {
            port(MEMORY, address, self.memory.bit_mut(address));
        }
    }

    pub(super) fn host_reads(&self, port: &mut dyn FnMut(Field, usize, B)) {
        for address in 0..self.memory.width() {
            port(MEMORY, address, self.memory.bit(address));
        }
        if let Some(violation) = self.violation {
            port(VIOLATION, 0, violation);
        }
    }
}

impl<B: Bit> Node<B> for CollectiveNode<B> {
    type Broadcast = CollectiveStrobes<B::Strobe>;

    #[inline]
    fn transmit(
        &self,
        strobes: &CollectiveStrobes<B::Strobe>,
        address: &[B],
        wires: &mut Transmit<'_, B>,
    ) {
        if strobes
            .channels
            .iter()
            .all(|channel| channel.shift.is_known_zero())
        {
            return;
        }
        let seen = Seen::new(&self.shape, &self.configuration, address, &strobes.source);
        for (number, channel) in strobes.channels.iter().enumerate() {
            if channel.shift.is_known_zero() {
                continue;
            }
            let [order, _] = self.shape.orders[number];
            let is_busy = |line: &LineStrobes<B::Strobe>| channel.shift & line.sends;
            let sends = sends((&self.shape, &seen), number, channel, &is_busy);
            let idle = sends.iter().all(|sends| sends.is_known_zero());
            let mut values = [B::ZERO; MOST_DIMENSIONS];
            // Where nobody sends there is nothing to be read.
            let lines = channel.lines.iter().filter(|_| !idle);
            for (value, line) in values.iter_mut().zip(lines) {
                *value = B::gated(line.sends, || self.memory.read(&line.read));
            }
            let bits = seen.of_ports((order, true), &values);
            for (port, (sends, bit)) in sends.into_iter().zip(bits).enumerate() {
                let sends = sends.named(format_args!("channel_{number}_sends_{port}"));
                wires.drive_where(port, UNIT, sends, bit);
            }
        }
    }

    #[inline]
    fn clock(&mut self, strobes: &CollectiveStrobes<B::Strobe>, address: &[B], received: &[B]) {
        let CollectiveNode {
            shape,
            configuration,
            memory,
            adders,
            violation,
            held,
        } = self;
        let is_watched = shape.has_arbiter();
        if (strobes.channels.iter()).all(|channel| channel.is_idle(is_watched)) {
            held.note();
        } else {
            let seen = Seen::new(shape, configuration, address, &strobes.source);
            let who = (&**shape, &seen);
            if let Some(violation) = violation {
                watch(who, strobes, violation);
            }
            let mut all = Vec::new();
            for (number, channel) in strobes.channels.iter().enumerate() {
                if channel.shift.is_known_zero() {
                    continue;
                }
                let coming = comes(who, (number, channel), received);
                let writes = written(channel, coming, memory, adders);
                match B::WRITES_LOGIC {
                    true => all.extend(writes),
                    false => writes.iter().for_each(|write| memory.write(write)),
                }
            }
            if B::WRITES_LOGIC {
                memory.write_all(all);
            }
            // Behind all hardware, whose logic is written down as if nobody counted.
            count(who, strobes, held);
        }
        if let Some(blocks) = shape.blocks {
            memory.reorder(strobes.reorder, &blocks, configuration.numbers());
        }
    }
}

/// What a channel writes into the memory: what comes, or the sum of it and what lies there. The clock edge of the adders' carries.
fn written<'a, B: Bit>(
    channel: &'a ChannelStrobes<B::Strobe>,
    coming: Coming<B>,
    memory: &Memory<B>,
    adders: &mut [SerialAdder<B>],
) -> ArrayVec<Write<'a, B>, MOST_DIMENSIONS> {
    let add = B::from_strobe(channel.add);
    let write = |(line, enable, bit): (usize, B, B)| {
        let strobes: &LineStrobes<B::Strobe> = &channel.lines[line];
        let adder: Option<&mut SerialAdder<B>> = adders.get_mut(line);
        let bit = match adder {
            None => bit,
            Some(adder) => {
                let own = memory.read(&strobes.write);
                let carry = B::choose(channel.first, || B::ZERO, || adder.carry());
                let sum = SerialAdder::sum_with(carry, own, bit);
                B::when(channel.shift & channel.add, adder, |adder| {
                    adder.clock_with(carry, own, bit);
                });
                add.mux(sum, bit)
            }
        };
        Write {
            address: &strobes.write,
            on: channel.shift & strobes.receives,
            enable,
            bit,
        }
    };
    coming.into_iter().map(write).collect()
}
