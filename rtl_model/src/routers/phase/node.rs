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
use crate::parts::module_array::ModuleArray;
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
    cells: ModuleArray<ShiftRegister<B>>,
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
            cells: ModuleArray::new("cell", cells),
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
