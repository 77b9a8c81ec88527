//! Rows that are there only at times, and rows run from their far end: both of windows that end with their step, so that nothing is
//! carried over.

use std::ops::Range;

use crate::language::bit::Strobe;
use crate::parts::windows::now::Now;
use crate::parts::windows::window::Window;

/// A bit time of a row while this strobe is 1; else none of any window.
pub struct While<'a, S: Strobe>(pub S, pub &'a dyn Now<S>);

impl<S: Strobe> Now<S> for While<'_, S> {
    fn row(&self) -> Range<usize> {
        self.1.row()
    }

    fn begins_row(&self, dimension: usize) -> S {
        S::gated(self.0, || self.1.begins_row(dimension))
    }

    fn ends_row(&self, dimension: usize) -> S {
        S::gated(self.0, || self.1.ends_row(dimension))
    }

    fn within(&self, window: Window) -> S {
        S::gated(self.0, || self.1.within(window))
    }

    fn within_at(&self, dimension: usize, window: Window) -> S {
        S::gated(self.0, || self.1.within_at(dimension, window))
    }
}

/// A bit time of a row that is run from its far end while this strobe is 1: its stage `r` is stage `m+1-r` of the row that stands there.
pub struct Turned<'a, S: Strobe>(pub S, pub &'a dyn Now<S>);

impl<S: Strobe> Now<S> for Turned<'_, S> {
    fn row(&self) -> Range<usize> {
        self.1.row()
    }

    fn is_backward(&self) -> S {
        self.0
    }

    fn begins_row(&self, dimension: usize) -> S {
        S::gated(self.0, || self.1.ends_row(dimension))
    }

    fn ends_row(&self, dimension: usize) -> S {
        S::gated(self.0, || self.1.begins_row(dimension))
    }

    fn within(&self, window: Window) -> S {
        S::gated(self.0, || self.1.within(window))
    }

    fn within_at(&self, dimension: usize, window: Window) -> S {
        S::gated(self.0, || self.1.within_at(dimension, window.turned()))
    }
}
