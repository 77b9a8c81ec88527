//! A row that is there only at times, from either end. Its windows end with their step: nothing is carried over.

use std::ops::Range;

use crate::language::bit::Strobe;
use crate::parts::windows::now::Now;
use crate::parts::windows::window::Window;

/// A bit time of a row while a strobe is 1; else none of any window.
pub struct AtTimes<'a, S: Strobe> {
    when: S,
    row: &'a dyn Now<S>,
    is_turned: bool,
}

impl<'a, S: Strobe> AtTimes<'a, S> {
    /// While the strobe is 1, from the end with which the row begins.
    pub fn forward(when: S, row: &'a dyn Now<S>) -> Self {
        AtTimes {
            when,
            row,
            is_turned: false,
        }
    }

    /// While the strobe is 1, from the far end: stage `r` is stage `m+1-r` of the row that stands there.
    pub fn backward(when: S, row: &'a dyn Now<S>) -> Self {
        AtTimes {
            is_turned: true,
            ..Self::forward(when, row)
        }
    }
}

impl<S: Strobe> Now<S> for AtTimes<'_, S> {
    fn row(&self) -> Range<usize> {
        self.row.row()
    }

    fn is_backward(&self) -> S {
        if self.is_turned { self.when } else { S::ZERO }
    }

    fn begins_row(&self, dimension: usize) -> S {
        S::gated(self.when, || match self.is_turned {
            false => self.row.begins_row(dimension),
            true => self.row.ends_row(dimension),
        })
    }

    fn ends_row(&self, dimension: usize) -> S {
        S::gated(self.when, || match self.is_turned {
            false => self.row.ends_row(dimension),
            true => self.row.begins_row(dimension),
        })
    }

    fn within(&self, window: Window) -> S {
        S::gated(self.when, || self.row.within(window))
    }

    fn within_at(&self, dimension: usize, window: Window) -> S {
        let window = if self.is_turned {
            window.turned()
        } else {
            window
        };
        S::gated(self.when, || self.row.within_at(dimension, window))
    }
}
