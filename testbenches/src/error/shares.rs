//! What can be wrong with messages in shares.

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Nothing would restore a message, or not even all shares.
    #[error(
        "a message in {shares} shares cannot be restored from {needed} of them: choose 1 to {shares}"
    )]
    Needed {
        /// Shares of a message.
        shares: usize,
        /// Of which so many should restore it.
        needed: usize,
    },
    /// No shares.
    #[error("a message cannot be sent in 0 shares: choose at least one")]
    NoShares,
    /// An empty message.
    #[error("a message of 0 bits has nothing to be restored: choose at least one bit")]
    NoBits,
    /// More than the code has.
    #[error(
        "a message in {shares} shares, any {needed} of which restore it, is more than the code can do: use fewer shares"
    )]
    TooManyShares {
        /// Shares of a message.
        shares: usize,
        /// Of which so many should restore it.
        needed: usize,
    },
    /// A message of another length.
    #[error("a message has {expected} bits, and this one has {found}")]
    MessageBits {
        /// Bits of a message.
        expected: usize,
        /// Bits of this one.
        found: usize,
    },
    /// What the code says of shares that it should take.
    #[error("the code refuses the shares: {reason}")]
    Refused {
        /// What it says.
        reason: String,
    },
}

impl From<reed_solomon_simd::Error> for Problem {
    fn from(error: reed_solomon_simd::Error) -> Self {
        Problem::Refused {
            reason: error.to_string(),
        }
    }
}
