//! Hosts of guests that are laid into hypercubes: they put configuration and packets into the nodes, and read the packets that
//! have arrived.

use rtl_model::error::Error as ModelError;
use rtl_model::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square, Unloads};
use rtl_model::routers::phase::{CELLS, PhaseMachine, PhasePlan};

use crate::words::Words;

/// Messages of guest edges in packets, and the machine that carries them.
#[derive(Clone, Copy)]
pub struct Carried<'a> {
    /// The machine.
    pub machine: &'a PhaseMachine,
    /// How many edges there are, with a message each.
    pub edges: usize,
    /// Packets of a message.
    pub packets: usize,
    /// Bits of a message.
    pub message_bits: usize,
}

impl<'a> Carried<'a> {
    fn plan(&self) -> &'a PhasePlan {
        self.machine.plan()
    }

    /// What is sent of a packet of a message: bit `index` of the packet is this bit of the message; none where the packet is
    /// longer than what is left of it.
    pub fn message_bit(&self, packet: usize, index: usize) -> Option<usize> {
        let bit = packet % self.packets * self.machine.packet_bits() + index;
        (bit < self.message_bits).then_some(bit)
    }

    /// The edge that a packet is of.
    pub fn edge_of(&self, packet: usize) -> usize {
        packet / self.packets
    }
}

/// No packet.
const NONE: u32 = u32::MAX;

/// Which packet lies in which cell of which node.
pub struct Occupants {
    cells: usize,
    packets: Vec<u32>,
}

impl Occupants {
    /// Before the first step.
    pub fn at_first(carried: Carried<'_>) -> Self {
        let plan = carried.plan();
        Self::of(carried, |packet| (plan.source(packet), plan.begins(packet)))
    }

    /// After the last one.
    pub fn at_last(carried: Carried<'_>) -> Self {
        let plan = carried.plan();
        Self::of(carried, |packet| {
            (plan.destination(packet), plan.ends(packet))
        })
    }

    fn of(carried: Carried<'_>, place: impl Fn(usize) -> (usize, usize)) -> Self {
        let (nodes, cells) = (carried.plan().host().nodes(), carried.plan().cells());
        let mut packets = vec![NONE; nodes * cells];
        for packet in 0..carried.plan().packets() {
            let (node, cell) = place(packet);
            packets[node * cells + cell] = packet as u32;
        }
        Occupants { cells, packets }
    }

    /// The packet in a cell.
    pub fn packet(&self, node: usize, cell: usize) -> Option<usize> {
        let packet = *self.packets.get(node * self.cells + cell)?;
        (packet != NONE).then_some(packet as usize)
    }
}

/// 64 bits of what a node's cells begin with, from bit `from` on.
fn cells(
    carried: Carried<'_>,
    occupants: &Occupants,
    messages: &Words,
    (node, from): (usize, usize),
) -> u64 {
    let packet_bits = carried.machine.packet_bits();
    let last = carried.plan().cells() * packet_bits;
    let bit = |bit: usize| {
        let packet = occupants.packet(node, bit / packet_bits)?;
        let place = carried.message_bit(packet, bit % packet_bits)?;
        messages.bit(carried.edge_of(packet), place)
    };
    let bits = from..last.min(from + 64);
    bits.fold(0, |word, at| {
        word | u64::from(bit(at).unwrap_or(false)) << (at - from)
    })
}

/// The host that loads all nodes.
pub struct Loading<'a> {
    carried: Carried<'a>,
    messages: &'a Words,
    occupants: Occupants,
    seats: Seats,
    passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
    nodes: usize,
}

impl<'a> Loading<'a> {
    /// With these messages; `passed` is told how many nodes have been loaded.
    pub fn new(
        carried: Carried<'a>,
        messages: &'a Words,
        passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
    ) -> Self {
        Loading {
            carried,
            messages,
            occupants: Occupants::at_first(carried),
            seats: [usize::MAX; NODES_AT_ONCE],
            passed,
            nodes: 0,
        }
    }
}

impl Loads for Loading<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, ModelError> {
        (self.passed)(self.nodes)?;
        self.nodes += NODES_AT_ONCE;
        self.seats = *seats;
        let nodes = self.carried.plan().host().nodes();
        let seats = seats.iter().enumerate();
        Ok(seats.fold(0, |places, (place, &node)| {
            places | u64::from(node < nodes) << place
        }))
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), ModelError> {
        let nodes = self.carried.plan().host().nodes();
        for (value, &node) in values.iter_mut().zip(&self.seats) {
            if node >= nodes {
                continue;
            }
            *value = match self.carried.plan().word(field, node, from) {
                Some(orders) => orders,
                None if field == CELLS => {
                    cells(self.carried, &self.occupants, self.messages, (node, from))
                }
                None => return Err(field.unknown()),
            };
        }
        Ok(())
    }
}

/// The host that reads all nodes: the messages as they arrived.
pub struct Reading<'a> {
    carried: Carried<'a>,
    occupants: &'a Occupants,
    seats: Seats,
    passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
    nodes: usize,
    /// What has been read.
    pub messages: Words,
    /// Bits of packets beyond their message's last that are not 0.
    pub beyond: usize,
}

impl<'a> Reading<'a> {
    /// Nothing yet; `passed` is told how many nodes have been read.
    pub fn new(
        carried: Carried<'a>,
        occupants: &'a Occupants,
        passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
    ) -> Self {
        Reading {
            carried,
            occupants,
            seats: [usize::MAX; NODES_AT_ONCE],
            passed,
            nodes: 0,
            messages: Words::zeros(carried.edges, 1, carried.message_bits),
            beyond: 0,
        }
    }
}

impl Unloads for Reading<'_> {
    fn seats(&mut self, seats: &Seats) -> Result<(), ModelError> {
        (self.passed)(self.nodes)?;
        self.nodes += NODES_AT_ONCE;
        self.seats = *seats;
        Ok(())
    }

    fn values(&mut self, field: Field, from: usize, values: &Square) -> Result<(), ModelError> {
        if field != CELLS {
            return Err(field.unknown());
        }
        let (nodes, packet_bits) = (
            self.carried.plan().host().nodes(),
            self.carried.machine.packet_bits(),
        );
        for (&value, &node) in values.iter().zip(&self.seats) {
            if node >= nodes {
                continue;
            }
            for bit in from..(from + 64).min(self.carried.plan().cells() * packet_bits) {
                let Some(packet) = self.occupants.packet(node, bit / packet_bits) else {
                    continue;
                };
                let is_one = value >> (bit - from) & 1 == 1;
                match self.carried.message_bit(packet, bit % packet_bits) {
                    Some(place) => {
                        self.messages
                            .set_bit(self.carried.edge_of(packet), place, is_one)
                    }
                    None => self.beyond += usize::from(is_one),
                }
            }
        }
        Ok(())
    }
}
