//! How large a hypercube is.

use std::fmt;

use crate::error::Error;
use crate::error::refusal::Refusal;

/// The largest cube: 2^34 nodes.
pub const MAX_DIMENSIONS: usize = 34;

/// A checked number of dimensions, 1 to [`MAX_DIMENSIONS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dimensions(usize);

impl Dimensions {
    /// A cube of `dimensions` dimensions.
    ///
    /// # Errors
    /// Dimensions outside 1..=[`MAX_DIMENSIONS`].
    pub fn new(dimensions: usize) -> Result<Self, Error> {
        if (1..=MAX_DIMENSIONS).contains(&dimensions) {
            Ok(Dimensions(dimensions))
        } else {
            Err(Refusal::of(format!(
                "a hypercube of {dimensions} dimensions is out of range"
            ))
            .instead(format!("choose 1 to {MAX_DIMENSIONS}"))
            .into())
        }
    }

    /// Number of dimensions, `k`.
    #[inline]
    pub fn count(self) -> usize {
        self.0
    }

    /// Number of nodes, `2^k`.
    #[inline]
    pub fn nodes(self) -> usize {
        1 << self.0
    }

    /// Number of directed wires, `k * 2^k`.
    pub fn wires(self) -> usize {
        self.0 << self.0
    }
}

impl fmt::Display for Dimensions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
