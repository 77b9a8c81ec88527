//! Associative operators on words of up to 64 bits.

use super::Violation;

/// What is done to two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// The sum, without the carry out of the highest bit.
    Add,
    /// The smaller word.
    Min,
    /// The larger word.
    Max,
    /// The conjunction of each bit.
    And,
    /// The disjunction of each bit.
    Or,
    /// How carries pass through digits of an adder. In each pair of bits the higher one says that a carry
    /// in is passed on, and the lower one that a carry comes out in any case. This is not commutative.
    Carry,
}

impl Operator {
    /// All operators.
    pub const ALL: [Operator; 6] = [
        Operator::Add,
        Operator::Min,
        Operator::Max,
        Operator::And,
        Operator::Or,
        Operator::Carry,
    ];

    /// Whether words may have this many bits.
    ///
    /// # Errors
    ///
    /// No bits, more than 64, or an odd number for [`Operator::Carry`].
    pub fn allows(self, bits: usize) -> Result<(), Violation> {
        if !(1..=64).contains(&bits) || self == Operator::Carry && bits % 2 == 1 {
            return Err(Violation::WordBits { bits });
        }
        Ok(())
    }

    /// The word that changes no other, of `bits` bits.
    #[must_use]
    pub fn identity(self, bits: usize) -> u64 {
        match self {
            Operator::Add | Operator::Max | Operator::Or => 0,
            Operator::Min | Operator::And => ones(bits),
            Operator::Carry => PASSED & ones(bits),
        }
    }

    /// The result for two words of `bits` bits: the one from the lower address and the one from the higher.
    #[must_use]
    pub fn apply(self, bits: usize, lower: u64, higher: u64) -> u64 {
        match self {
            Operator::Add => lower.wrapping_add(higher) & ones(bits),
            Operator::Min => lower.min(higher),
            Operator::Max => lower.max(higher),
            Operator::And => lower & higher,
            Operator::Or => lower | higher,
            Operator::Carry => {
                let passed = lower & higher & PASSED;
                let out = higher | (higher >> 1 & lower);
                passed | out & !PASSED
            }
        }
    }
}

/// The bits that say that a carry is passed on.
const PASSED: u64 = 0xaaaa_aaaa_aaaa_aaaa;

/// A word of ones.
fn ones(bits: usize) -> u64 {
    match bits {
        0 => 0,
        _ => u64::MAX >> (64 - bits.min(64)),
    }
}
