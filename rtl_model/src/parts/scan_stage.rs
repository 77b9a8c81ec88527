//! One stage of the enumeration: dimension `d`'s part of the serial scan (Kuszmaul 1990, Theorem 2,
//! with the recursion's partner at distance `2^(j-1)` for rank `j`).
//!
//! ```text
//!                       to the neighbour (tx)
//!                        ^
//!   total in  -----------+-->[ total adder  ]-->[total ]--> total out
//!   received  --+----------->[              ]
//!               |
//!              (and)<-- own address bit
//!               |
//!   offset in --|----------->[ offset adder ]-->[offset]--> offset out
//!               +----------->[              ]
//! ```
//!
//! Numbers pass LSB first, one bit a bit time, and leave one bit time later. With two like nodes:
//! both totals become `total(0) + total(1)`, and the node whose own bit is 1 adds its neighbour's
//! total to its offset: as many members lie before it.
//!
//! A stage that no other feeds has no offset to add to, and the sums of one that feeds no other go
//! straight into the registers that collect them; registers and adders that would never be read are
//! not built.

use crate::language::bit::Bit;
use crate::parts::dimensions::Neighbours;
use crate::parts::serial_adder::SerialAdder;
use crate::registers;

/// What passes from stage to stage.
#[derive(Clone, Copy, Debug)]
pub struct Counts<B> {
    /// Members in the subcube so far, this bit of the number.
    pub total: B,
    /// Members before this node in the subcube so far, this bit of the number.
    pub offset: B,
}

/// One stage: at most two serial adders and two pipeline registers.
#[derive(Clone, Debug)]
pub struct ScanStage<B: Bit> {
    total_adder: Option<SerialAdder<B>>,
    offset_adder: Option<SerialAdder<B>>,
    total: Option<B>,
    offset: Option<B>,
}
registers!(ScanStage {
    total_adder,
    offset_adder,
    total,
    offset
});

impl<B: Bit> ScanStage<B> {
    /// A stage with such neighbours, all registers 0; somebody may read the total that leaves the
    /// row. Registers and adders that nothing would read are not built.
    pub fn new(neighbours: Neighbours, total_is_read: bool) -> Self {
        ScanStage {
            total_adder: (neighbours.feeds || total_is_read).then(SerialAdder::new),
            offset_adder: neighbours.is_fed.then(SerialAdder::new),
            total: neighbours.feeds.then_some(B::ZERO),
            offset: neighbours.feeds.then_some(B::ZERO),
        }
    }

    /// What the stage above receives in this bit time.
    #[inline]
    pub fn output(&self) -> Counts<B> {
        Counts {
            total: self.total.unwrap_or(B::ZERO),
            offset: self.offset.unwrap_or(B::ZERO),
        }
    }

    /// The neighbour's total, where it counts members before this node.
    #[inline]
    fn before(own_address_bit: B, received: B) -> B {
        (own_address_bit & received).named("before")
    }

    /// The sums of this bit time, on their way into the registers behind the stage.
    #[inline]
    pub fn sums(&self, input: Counts<B>, own_address_bit: B, received: B) -> Counts<B> {
        let before = Self::before(own_address_bit, received);
        Counts {
            total: match &self.total_adder {
                Some(adder) => B::within("total", || adder.sum(input.total, received)),
                None => B::ZERO,
            },
            offset: match &self.offset_adder {
                Some(adder) => B::within("offset", || adder.sum(input.offset, before)),
                None => before,
            },
        }
    }

    /// Takes the sums into the pipeline registers and keeps the carries.
    #[inline]
    pub fn clock(&mut self, input: Counts<B>, own_address_bit: B, received: B) {
        let sums = self.sums(input, own_address_bit, received);
        let before = Self::before(own_address_bit, received);
        if let Some(adder) = &mut self.total_adder {
            B::within("total", || adder.clock(input.total, received));
        }
        if let Some(adder) = &mut self.offset_adder {
            B::within("offset", || adder.clock(input.offset, before));
        }
        if let Some(total) = &mut self.total {
            *total = sums.total;
        }
        if let Some(offset) = &mut self.offset {
            *offset = sums.offset;
        }
    }
}
