//! What words are combined by: associative operators, and in which order their bits stream past.

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::routers::reduced_hypercube::word_bits::check_word_bits;

/// An associative operator on words of `w` bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// The sum, modulo `2^w`.
    Add,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// Bit by bit.
    And,
    /// Bit by bit.
    Or,
    /// Carries of a sum: of a pair of bits of a word, the higher one (`2i+1`) is *propagate* and the lower one (`2i`) *generate* of
    /// a group of bits; two groups become one, the right operand being the more significant. It is not commutative.
    Carry,
}

/// The order in which the bits of a word cross a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitOrder {
    /// The least significant bit first.
    LeastFirst,
    /// The most significant bit first.
    MostFirst,
}

impl BitOrder {
    /// The place, in the stream, of a bit of a word of `width` bits; and the other way round.
    pub fn place(self, bit: usize, width: usize) -> usize {
        match self {
            BitOrder::LeastFirst => bit,
            BitOrder::MostFirst => width - 1 - bit,
        }
    }
}

impl Operator {
    /// All of them.
    pub const ALL: [Operator; 6] = [
        Operator::Add,
        Operator::Min,
        Operator::Max,
        Operator::And,
        Operator::Or,
        Operator::Carry,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Operator::Add => "add",
            Operator::Min => "min",
            Operator::Max => "max",
            Operator::And => "and",
            Operator::Or => "or",
            Operator::Carry => "carry",
        }
    }

    /// The order of bits in which it can be worked out as they pass.
    pub fn bit_order(self) -> BitOrder {
        match self {
            Operator::Add | Operator::And | Operator::Or => BitOrder::LeastFirst,
            Operator::Min | Operator::Max | Operator::Carry => BitOrder::MostFirst,
        }
    }

    /// Whether it does with words of so many bits: carries are pairs of bits.
    pub fn takes_width(self, width: usize) -> bool {
        self != Operator::Carry || width.is_multiple_of(2)
    }

    /// A bit of its identity: the word that changes no other.
    pub fn identity_bit(self, bit: usize) -> bool {
        match self {
            Operator::Add | Operator::Max | Operator::Or => false,
            Operator::Min | Operator::And => true,
            // A group of no bits hands on what comes in.
            Operator::Carry => bit % 2 == 1,
        }
    }

    /// Flip-flops that a unit has for it.
    pub fn flip_flops(self) -> usize {
        match self {
            Operator::Add | Operator::Carry => 1,
            Operator::Min | Operator::Max => 2,
            Operator::And | Operator::Or => 0,
        }
    }
}

/// Refuses an operator on words that it does not take.
///
/// # Errors
/// A width out of range, a width that the operator does not take.
pub(super) fn check_operator(operator: Operator, word_bits: usize) -> Result<(), Error> {
    check_word_bits("words", word_bits)?;
    match operator.takes_width(word_bits) {
        true => Ok(()),
        false => Err(Refusal::of(format!(
            "the operator `{}` does not take words of {word_bits} bits",
            operator.name()
        ))
        .because(
            "its words are pairs of bits, of which the higher one is propagate and the lower one generate",
        )
        .instead("choose an even width")
        .only_together("width of an operator")
        .into()),
    }
}
