//! Logic in a bit time whose strobes are known: gates are written down, strobes are not.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use crate::circuit::expression::Expression;
use crate::language::bit::Bit;

/// An expression of what registers, wires and addresses hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheduled(pub(super) Expression);

impl BitAnd for Scheduled {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Scheduled(self.0 & other.0)
    }
}

impl BitOr for Scheduled {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Scheduled(self.0 | other.0)
    }
}

impl BitXor for Scheduled {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        Scheduled(self.0 ^ other.0)
    }
}

impl Not for Scheduled {
    type Output = Self;
    fn not(self) -> Self {
        Scheduled(!self.0)
    }
}

impl Bit for Scheduled {
    type Strobe = bool;

    const ZERO: Self = Scheduled(Expression::ZERO);
    const ONE: Self = Scheduled(Expression::ONE);

    fn from_strobe(strobe: bool) -> Self {
        if strobe { Self::ONE } else { Self::ZERO }
    }

    fn is_known_zero(self) -> bool {
        self.0.is_known_zero()
    }

    fn is_known_one(self) -> bool {
        self.0.is_known_one()
    }

    fn mux(self, one: Self, zero: Self) -> Self {
        Scheduled(self.0.mux(one.0, zero.0))
    }
}
