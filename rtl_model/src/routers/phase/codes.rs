//! A node's orders of one kind: for each port a code that names a cell, or none, in the step that is under way.
//!
//! ```text
//!   for each port; one place down at the end of each step
//!      ... steps 2, 1, 0 -->[ bit 0 ]--+
//!      ... steps 2, 1, 0 -->[ bit 1 ]--+--> code: 0 nothing, 1 + c: cell c
//!                              ...     |
//!      ... steps 2, 1, 0 -->[ bit W-1 ]+
//!
//!   what a port sends: a tree of muxes           which cells a port fills: a tree of ANDs, bit W-1 first
//!      cell 2 --mux--+                              1 --AND--+--AND--> cell 2
//!      cell 1 --'    mux--> what the code names        |     +--AND--> cell 1
//!      cell 0 --mux--'                                 +-AND-+--AND--> cell 0
//!           0 --'                                            +         (code 0: none)
//!           ^         ^                                ^        ^
//!         bit 0     bit 1                            bit 1    bit 0
//! ```

use std::fmt;

use arrayvec::ArrayVec;

use crate::language::bit::{Bit, any};
use crate::language::register::{Name, Registers, Visitor};
use crate::machine::host::Field;
use crate::parts::module_array::ModuleArray;
use crate::parts::shift_register::ShiftRegister;

/// The most ports of a node: a hypercube of more dimensions is larger than is worth a simulation.
pub const MOST_PORTS: usize = 16;

/// A bit a port.
pub type PerPort<B> = ArrayVec<B, MOST_PORTS>;

/// The codes of all ports and steps.
#[derive(Clone, Debug)]
pub struct Codes<B: Bit> {
    ports: ModuleArray<ModuleArray<ShiftRegister<B>>>,
}

/// Ports stand in the node itself: `sends_port_0_bit_0`.
impl<B: Bit> Registers<B> for Codes<B> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        self.ports.visit(name, visitor);
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        self.ports.visit_mut(visitor);
    }
}

impl<B: Bit> Codes<B> {
    /// So many ports, each with codes of so many bits, for so many steps: all 0, so that nothing is done.
    pub fn new(ports: usize, code_bits: usize, steps: usize) -> Self {
        let of_port = || ModuleArray::new("bit", (0..code_bits).map(|_| ShiftRegister::new(steps)));
        Codes {
            ports: ModuleArray::new("port", (0..ports).map(|_| of_port())),
        }
    }

    /// Ports.
    pub fn ports(&self) -> usize {
        self.ports.len()
    }

    /// The code of a port in the step that is under way, its bits from the least significant on.
    pub fn code(&self, port: usize) -> impl Iterator<Item = B> + '_ {
        self.ports[port].iter().map(ShiftRegister::head)
    }

    /// 1 where the code of a port names a cell.
    #[inline]
    pub fn names_any(&self, port: usize) -> B {
        any(self.code(port)).named(format_args!("port_{port}_names_any"))
    }

    /// The value of the cell that the code of a port names; 0 where it names none of so many cells.
    #[inline]
    pub fn pick(&self, port: usize, cells: usize, value: &impl Fn(usize) -> B) -> B {
        let code = &self.ports[port];
        pick((port, code), code.len(), (0, cells), value)
    }

    /// Calls `visit(cell, named)` for each of so many cells: bit `b` of `named` is 1 where port `b` names it.
    #[inline]
    pub fn each_cell(&self, cells: usize, visit: &mut impl FnMut(usize, &PerPort<B>)) {
        let Some(first) = self.ports.first() else {
            return;
        };
        let all: PerPort<B> = self.ports.iter().map(|_| B::ONE).collect();
        self.walk(first.len(), (0, cells), &all, visit);
    }

    /// Cells whose codes have the bits of `base` from place `level` up, in the nodes and ports where `named` is 1.
    fn walk(
        &self,
        level: usize,
        (base, cells): (usize, usize),
        named: &PerPort<B>,
        visit: &mut impl FnMut(usize, &PerPort<B>),
    ) {
        let Some(place) = level.checked_sub(1) else {
            if let Some(cell) = base.checked_sub(1) {
                visit(cell, named);
            }
            return;
        };
        let ports = || named.iter().zip(self.ports.iter()).enumerate();
        let one = base | 1 << place;
        if one <= cells {
            let some = Cells {
                base: one,
                place,
                cells,
            };
            let named: PerPort<B> = ports()
                .map(|(port, (&named, code))| {
                    (named & code[place].head()).named(format_args!("port_{port}_names_{some}"))
                })
                .collect();
            self.walk(place, (one, cells), &named, visit);
        }
        let some = Cells { base, place, cells };
        let named: PerPort<B> = ports()
            .map(|(port, (&named, code))| {
                (named & !code[place].head()).named(format_args!("port_{port}_names_{some}"))
            })
            .collect();
        self.walk(place, (base, cells), &named, visit);
    }

    /// The clock edge: at the end of a step the codes of the next one come.
    #[inline]
    pub fn clock(&mut self, commit: B::Strobe) {
        if commit.is_known_zero() {
            return;
        }
        for steps in self.ports.iter_mut().flat_map(|code| code.iter_mut()) {
            B::when(commit, steps, ShiftRegister::shift);
        }
    }

    /// The host's side, as a field: bit `place` of the code of a port in a step is at `(port * S + step) * W + place`.
    pub(super) fn host_writes(&mut self, field: Field, port: &mut dyn FnMut(Field, usize, &mut B)) {
        let mut bit = 0;
        for code in self.ports.iter_mut() {
            let steps = code.first().map_or(0, ShiftRegister::width);
            for step in 0..steps {
                for steps in code.iter_mut() {
                    port(field, bit, steps.bit_mut(step));
                    bit += 1;
                }
            }
        }
    }
}

/// The cells whose codes have the bits of `base` from place `place` up, as they are called where logic is written down.
struct Cells {
    base: usize,
    place: usize,
    cells: usize,
}

impl fmt::Display for Cells {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = (self.base + (1 << self.place) - 1).min(self.cells);
        match (self.base.checked_sub(1), last.checked_sub(1)) {
            (_, None) => write!(formatter, "none"),
            (None, Some(last)) => write!(formatter, "none_to_{last}"),
            (Some(first), Some(last)) if first == last => write!(formatter, "{first}"),
            (Some(first), Some(last)) => write!(formatter, "{first}_to_{last}"),
        }
    }
}

/// The value of the cell that the code of a port names, of those whose codes have the bits of `base` from place `level` up.
fn pick<B: Bit>(
    (port, code): (usize, &[ShiftRegister<B>]),
    level: usize,
    (base, cells): (usize, usize),
    value: &impl Fn(usize) -> B,
) -> B {
    let Some(place) = level.checked_sub(1) else {
        return base.checked_sub(1).map_or(B::ZERO, value);
    };
    let one = base | 1 << place;
    let zero = pick((port, code), place, (base, cells), value);
    let bit = code[place].head();
    let picked = match one <= cells {
        true => bit.mux(pick((port, code), place, (one, cells), value), zero),
        // No cell has such a code, so nothing comes of one.
        false => !bit & zero,
    };
    let some = Cells {
        base,
        place: level,
        cells,
    };
    picked.named(format_args!("port_{port}_of_{some}"))
}
