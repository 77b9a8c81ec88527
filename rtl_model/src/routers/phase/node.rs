//! A node: cells that packets lie in, and orders that say which cell each port sends and which it fills.
//!
//! ```text
//!   configuration, for each port b; one place down at the end of each step
//!      ... steps 2, 1, 0 -->[ sends    ]--> code s(b): 0 nothing, 1 + c: port b sends cell c in this step
//!      ... steps 2, 1, 0 -->[ receives ]--> code r(b): 0 nothing, 1 + c: what comes across port b goes to cell c
//!
//!   cells, for each c
//!      OR over b of (r(b) = 1 + c) AND rx b --> mux --> [ B-1 .. 1 0 ] --+--> mux tree over c by s(b) --> tx b
//!                                                ^-----------------------+   (goes round)
//! ```
//!
//! Nothing follows from a node's address. At first the cells hold the packets that begin at the node, and at the end those that are
//! for it. A cell that is sent can be filled in the same step: its bits leave as the others come. In START, and wherever its code is
//! 0, a port drives nothing. A code names one cell, so no two cells can drive a port.

use crate::language::bit::{Bit, any};
use crate::language::wires::Transmit;
use crate::machine::host::Field;
use crate::machine::router::Node;
use crate::parts::row::Row;
use crate::parts::shift_register::ShiftRegister;
use crate::registers;
use crate::routers::phase::codes::Codes;
use crate::routers::phase::sequencer::PhaseStrobes;

/// Which cell each port sends: bit `place` of the code of a port in a step is at `(port * S + step) * W + place`.
pub const SENDS: Field = Field("sends");
/// Which cell is filled by what comes across each port, in the same order.
pub const RECEIVES: Field = Field("receives");
/// What the cells hold: bit `index` of a packet, in the order in which bits are on a wire, is at `cell * B + index`.
pub const CELLS: Field = Field("cells");

/// What the unit that sends is called.
const UNIT: &str = "port";

/// Sizes of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Ports, `n`.
    pub ports: usize,
    /// Cells, `C`.
    pub cells: usize,
    /// Bits of a code, `W`.
    pub code_bits: usize,
    /// Steps of the schedule, `S`.
    pub steps: usize,
    /// Bits of a packet, `B`.
    pub packet_bits: usize,
}

/// A node.
#[derive(Clone, Debug)]
pub struct PhaseNode<B: Bit> {
    sends: Codes<B>,
    receives: Codes<B>,
    cells: Row<ShiftRegister<B>>,
}
registers!(PhaseNode {
    sends: "configuration: which cell each port sends",
    receives: "configuration: which cell is filled by what comes across each port",
    cells: "packets, the next bit out first"
});

impl<B: Bit> PhaseNode<B> {
    /// A node that is told to do nothing.
    pub fn new(sizes: Sizes) -> Self {
        let codes = || Codes::new(sizes.ports, sizes.code_bits, sizes.steps);
        let cells = (0..sizes.cells).map(|_| ShiftRegister::new(sizes.packet_bits));
        PhaseNode {
            sends: codes(),
            receives: codes(),
            cells: Row::new("cell", cells),
        }
    }

    /// What each port sends in this step, as codes.
    pub fn sends(&self) -> &Codes<B> {
        &self.sends
    }

    /// What is filled from each port in this step, as codes.
    pub fn receives(&self) -> &Codes<B> {
        &self.receives
    }

    /// The cells.
    pub fn cells(&self) -> &[ShiftRegister<B>] {
        &self.cells
    }

    pub(super) fn host_writes(&mut self, port: &mut dyn FnMut(Field, usize, &mut B)) {
        self.sends.host_writes(SENDS, port);
        self.receives.host_writes(RECEIVES, port);
        for (number, cell) in self.cells.iter_mut().enumerate() {
            let bits = cell.width();
            for bit in 0..bits {
                port(CELLS, number * bits + bit, cell.bit_mut(bit));
            }
        }
    }

    pub(super) fn host_reads(&self, port: &mut dyn FnMut(Field, usize, B)) {
        for (number, cell) in self.cells.iter().enumerate() {
            let bits = cell.width();
            for bit in 0..bits {
                port(CELLS, number * bits + bit, cell.bit(bit));
            }
        }
    }
}

impl<B: Bit> Node<B> for PhaseNode<B> {
    type Broadcast = PhaseStrobes<B::Strobe>;

    #[inline]
    fn transmit(
        &self,
        strobes: &PhaseStrobes<B::Strobe>,
        _address: &[B],
        wires: &mut Transmit<'_, B>,
    ) {
        if strobes.shift.is_known_zero() {
            return;
        }
        let shift = B::from_strobe(strobes.shift);
        let head = |cell: usize| self.cells[cell].head();
        for port in 0..self.sends.ports() {
            let sends = shift & self.sends.names_any(port);
            let sends = sends.named(format_args!("port_{port}_sends"));
            let bit = match sends.is_known_zero() {
                true => B::ZERO,
                false => self.sends.pick(port, self.cells.len(), &head),
            };
            wires.drive_where(port, UNIT, sends, bit);
        }
    }

    #[inline]
    fn clock(&mut self, strobes: &PhaseStrobes<B::Strobe>, _address: &[B], received: &[B]) {
        // A step ends with the last bit of its packets.
        if strobes.shift.is_known_zero() {
            return;
        }
        let PhaseNode {
            receives, cells, ..
        } = self;
        receives.each_cell(cells.len(), &mut |cell, named| {
            let fills = any(named.iter().copied()).named(format_args!("cell_{cell}_is_filled"));
            let comes = named.iter().zip(received);
            let bit = any(comes.map(|(&named, &bit)| named & bit));
            let bit = bit.named(format_args!("cell_{cell}_comes"));
            B::when(strobes.shift, &mut cells[cell], |cell| {
                let head = cell.head();
                cell.shift_in(fills.mux(bit, head));
            });
        });
        self.sends.clock(strobes.commit);
        self.receives.clock(strobes.commit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::wires::Ledger;

    const SIZES: Sizes = Sizes {
        ports: 2,
        cells: 2,
        code_bits: 2,
        steps: 3,
        packet_bits: 3,
    };

    /// Cell 0 holds 110 and cell 1 holds 001, bit 0 last.
    const BEFORE: usize = 0b001_110;

    /// In step 0 port 0 sends cell 0, which is filled from port 1. In step 1 port 1 sends cell 1. In step 2 both ports send, each
    /// the cell that the other fills.
    fn node() -> PhaseNode<bool> {
        let sends = [[1, 0, 1], [0, 2, 2]];
        let receives = [[0, 0, 2], [1, 0, 1]];
        let mut node = PhaseNode::new(SIZES);
        node.host_writes(&mut |field, bit, register| {
            let code = |codes: [[usize; 3]; 2]| codes[bit / 6][bit / 2 % 3] >> (bit % 2) & 1 == 1;
            *register = match field {
                SENDS => code(sends),
                RECEIVES => code(receives),
                _ => BEFORE >> bit & 1 == 1,
            };
        });
        node
    }

    /// What the cells hold, one behind the other.
    fn held(node: &PhaseNode<bool>) -> usize {
        let mut held = 0;
        node.host_reads(&mut |field, bit, register| {
            assert_eq!(field, CELLS);
            held |= usize::from(register) << bit;
        });
        held
    }

    /// Whether the node drives a port, which is found out by driving it too.
    fn drives(node: &PhaseNode<bool>, strobes: &PhaseStrobes<bool>, port: usize) -> bool {
        let (mut wires, mut ledger) = ([false; 2], Ledger::new(2));
        let mut transmit = Transmit::new(&mut wires, &mut ledger);
        node.transmit(strobes, &[false; 2], &mut transmit);
        transmit.drive_where(port, "another", true, false);
        ledger.clash()
    }

    /// A bit time: what goes out on each port, where it drives one.
    fn bit_time(
        node: &mut PhaseNode<bool>,
        strobes: &PhaseStrobes<bool>,
        received: [bool; 2],
    ) -> [Option<bool>; 2] {
        let (mut wires, mut ledger) = ([false; 2], Ledger::new(2));
        let mut transmit = Transmit::new(&mut wires, &mut ledger);
        node.transmit(strobes, &[false; 2], &mut transmit);
        assert_eq!(ledger.conflict(), None);
        let driven = [0, 1].map(|port| drives(node, strobes, port));
        node.clock(strobes, &[false; 2], &received);
        [0, 1].map(|port| driven[port].then(|| wires[port]))
    }

    /// A step of two bit times of start-up in which packets come; what goes out.
    fn step(node: &mut PhaseNode<bool>, comes: [usize; 2]) -> [Option<usize>; 2] {
        let idle = PhaseStrobes {
            shift: false,
            commit: false,
        };
        for _ in 0..2 {
            let before = held(node);
            assert_eq!(bit_time(node, &idle, [true; 2]), [None; 2]);
            assert_eq!(held(node), before);
        }
        let mut sent = [None; 2];
        for place in 0..SIZES.packet_bits {
            let strobes = PhaseStrobes {
                shift: true,
                commit: place == SIZES.packet_bits - 1,
            };
            let received = comes.map(|packet| packet >> place & 1 == 1);
            let out = bit_time(node, &strobes, received);
            for (sent, out) in sent.iter_mut().zip(out) {
                if let Some(bit) = out {
                    *sent = Some(sent.unwrap_or(0) | usize::from(bit) << place);
                }
            }
        }
        sent
    }

    #[test]
    fn a_node_does_what_its_configuration_says() {
        let mut node = node();
        assert_eq!(step(&mut node, [0b111, 0b101]), [Some(0b110), None]);
        assert_eq!(held(&node), 0b001_101);
        assert_eq!(step(&mut node, [0b111, 0b111]), [None, Some(0b001)]);
        assert_eq!(held(&node), 0b001_101);
        assert_eq!(step(&mut node, [0b011, 0b100]), [Some(0b101), Some(0b001)]);
        assert_eq!(held(&node), 0b011_100);
        // The configuration is used up, and nothing is done from now on.
        assert_eq!(step(&mut node, [0b111, 0b111]), [None, None]);
        assert_eq!(held(&node), 0b011_100);
    }

    #[test]
    fn the_host_writes_each_register_once_and_in_order() {
        let mut written = Vec::new();
        node().host_writes(&mut |field, bit, _| written.push((field, bit)));
        let codes = 2 * 3 * 2;
        let expected = (0..codes)
            .map(|bit| (SENDS, bit))
            .chain((0..codes).map(|bit| (RECEIVES, bit)))
            .chain((0..2 * 3).map(|bit| (CELLS, bit)));
        assert_eq!(written, expected.collect::<Vec<_>>());
        let mut read = Vec::new();
        node().host_reads(&mut |field, bit, register| read.push((field, bit, register)));
        let expected = (0..6).map(|bit| (CELLS, bit, BEFORE >> bit & 1 == 1));
        assert_eq!(read, expected.collect::<Vec<_>>());
    }
}
