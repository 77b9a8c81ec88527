//! Operations, and where their operands are.

use crate::program::kernels::Kernel;

/// A plane of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Operand(u32);

/// What an operand stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// A register's plane, by its slot.
    Slot(usize),
    /// A plane that a worker keeps beside the tile: constants, place bits, results that are used again.
    Scratch(usize),
    /// The address bit of a dimension that leads to another tile: bit `n` of the tile's number.
    TileBit(usize),
    /// What comes, or goes out, across a dimension.
    Wire(usize),
}

/// The planes of [`Place::Scratch`] that are the same for all tiles; place bits are behind them.
pub(super) const ZERO: usize = 0;
/// All ones.
pub(super) const ONE: usize = 1;
/// The first of the others.
pub(super) const FIRST: usize = 2;

impl Operand {
    const KIND: u32 = 30;

    pub(super) fn of(place: Place) -> Self {
        let (kind, number) = match place {
            Place::Slot(slot) => (0, slot),
            Place::Scratch(plane) => (1, plane),
            Place::TileBit(bit) => (2, bit),
            Place::Wire(dimension) => (3, dimension),
        };
        Operand(kind << Self::KIND | number as u32)
    }

    #[inline(always)]
    pub(super) fn place(self) -> Place {
        let number = (self.0 & ((1 << Self::KIND) - 1)) as usize;
        match self.0 >> Self::KIND {
            0 => Place::Slot(number),
            1 => Place::Scratch(number),
            2 => Place::TileBit(number),
            _ => Place::Wire(number),
        }
    }
}

/// One operation on all nodes of a tile. Only the third operand may be a wire; a result that goes to a wire goes out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Operation {
    pub kernel: Kernel,
    pub to: Operand,
    pub operands: [Operand; 3],
}
