//! The row of a machine that has one, over all its dimensions: `m = k`, and `r = d+1`.

use std::ops::Range;

use crate::language::bit::Strobe;
use crate::parts::windows::now::Now;
use crate::parts::windows::stretch::Stretch;
use crate::parts::windows::window::Window;

/// A bit time of such a machine.
pub struct SingleRow<F> {
    /// `k`.
    pub dimensions: usize,
    /// `D`.
    pub payload_bits: usize,
    /// 1 in a stretch of bit times.
    pub during: F,
}

impl<S: Strobe, F: Fn(Stretch) -> S> Now<S> for SingleRow<F> {
    fn row(&self) -> Range<usize> {
        0..self.dimensions
    }

    fn stands(&self) -> bool {
        true
    }

    fn within(&self, window: Window) -> S {
        debug_assert!(window.is_of_row());
        (self.during)(window.stretch(self.dimensions, self.payload_bits, 0))
    }

    fn within_at(&self, dimension: usize, window: Window) -> S {
        (self.during)(window.stretch(self.dimensions, self.payload_bits, dimension + 1))
    }
}
