//! Operations, and where their operands are.

use crate::machine::program::kernels::Kernel;

/// A plane of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Operand(u32);

/// What an operand stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum OperandKind {
    /// A register's plane, by its slot.
    Slot(usize),
    /// A plane that a worker keeps beside the tile: constants, place bits, results that are used again.
    Scratch(usize),
    /// The address bit of a dimension that leads to another tile: bit `n` of the tile's number. It is only copied.
    TileBit(usize),
    /// What comes, or goes out, over a link; in what works out a stream, one of the planes that go out, by its number.
    Wire(usize),
    /// What comes over a link whose plane has to be put together. It is only copied.
    Gathered(usize),
    /// A plane that is another in each tile and stays as it is: an address bit, or a wire from the host. It is only copied.
    Fixed(usize),
}

impl OperandKind {
    /// Whether it is only copied.
    pub(super) fn is_apart(self) -> bool {
        Operand::of(self).space() == Operand::APART
    }
}

/// The planes of [`OperandKind::Scratch`] that are the same for all tiles; place bits are behind them.
pub(super) const ZERO: usize = 0;
/// All ones.
pub(super) const ONE: usize = 1;
/// The first of the others.
pub(super) const FIRST: usize = 2;

impl Operand {
    /// The spaces that planes are in, by the lowest bits.
    pub(super) const SLOT: usize = 0;
    pub(super) const SCRATCH: usize = 1;
    pub(super) const WIRE: usize = 2;
    /// What is only copied: the number has its kind in its lowest bits.
    pub(super) const APART: usize = 3;
    const SPACE_BITS: u32 = 2;
    pub(super) const TILE_BIT: usize = 0;
    pub(super) const GATHERED: usize = 1;
    pub(super) const FIXED: usize = 2;
    pub(super) const KINDS: usize = 3;

    pub(super) fn of(place: OperandKind) -> Self {
        let (space, number) = match place {
            OperandKind::Slot(slot) => (Self::SLOT, slot),
            OperandKind::Scratch(plane) => (Self::SCRATCH, plane),
            OperandKind::Wire(link) => (Self::WIRE, link),
            OperandKind::TileBit(bit) => (Self::APART, bit * Self::KINDS + Self::TILE_BIT),
            OperandKind::Gathered(link) => (Self::APART, link * Self::KINDS + Self::GATHERED),
            OperandKind::Fixed(plane) => (Self::APART, plane * Self::KINDS + Self::FIXED),
        };
        Operand((number as u32) << Self::SPACE_BITS | space as u32)
    }

    pub(super) fn place(self) -> OperandKind {
        let number = self.number();
        match self.space() {
            Self::SLOT => OperandKind::Slot(number),
            Self::SCRATCH => OperandKind::Scratch(number),
            Self::WIRE => OperandKind::Wire(number),
            _ => {
                let (kind, number) = self.kind_and_number();
                match kind {
                    Self::TILE_BIT => OperandKind::TileBit(number),
                    Self::GATHERED => OperandKind::Gathered(number),
                    _ => OperandKind::Fixed(number),
                }
            }
        }
    }

    #[inline(always)]
    pub(super) fn space(self) -> usize {
        (self.0 & ((1 << Self::SPACE_BITS) - 1)) as usize
    }

    /// Of what is only copied.
    #[inline(always)]
    pub(super) fn kind_and_number(self) -> (usize, usize) {
        (self.number() % Self::KINDS, self.number() / Self::KINDS)
    }

    #[inline(always)]
    pub(super) fn number(self) -> usize {
        (self.0 >> Self::SPACE_BITS) as usize
    }
}

/// One operation on all nodes of a tile. Only the third operand may be a wire; a result that goes to a wire goes out, and is
/// then never of what comes in over one in the same bit time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Operation {
    pub kernel: Kernel,
    pub to: Operand,
    pub operands: [Operand; 3],
}
