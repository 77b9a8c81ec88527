//! What a sequencer makes of windows: strobes.

use std::ops::Range;

use crate::language::bit::{Strobe, any};
use crate::language::lines::Lines;
use crate::parts::windows::window::Window;

/// A bit time of a sequencer, held against windows.
pub trait Now<S: Strobe> {
    /// The dimensions whose stages rows are made of.
    fn row(&self) -> Range<usize>;

    /// Rows pass the same dimensions in the same order in all bit times: which one they begin and end with is known.
    fn stands(&self) -> bool {
        false
    }

    /// 1 while the row runs from its far end.
    fn is_backward(&self) -> S {
        S::ZERO
    }

    /// 1 while the row begins with the stage of a dimension: one that stands, with the lowest.
    fn begins_row(&self, dimension: usize) -> S {
        constant(dimension == self.row().start)
    }

    /// 1 while the row ends with the stage of a dimension: one that stands, with the highest.
    fn ends_row(&self, dimension: usize) -> S {
        constant(dimension + 1 == self.row().end)
    }

    /// 1 in the bit times of a window without `r`, where there is a row.
    fn within(&self, window: Window) -> S;

    /// 1 while the end of a window of the iteration before is still coming. The window is without `r`.
    fn carried(&self, _window: Window) -> S {
        S::ZERO
    }

    /// 1 in the bit times of a window at the stage of a dimension.
    fn within_at(&self, dimension: usize, window: Window) -> S;

    /// 1 in the bit times of a window at the stage of a dimension, where the row begins with that dimension.
    fn within_first(&self, dimension: usize, window: Window) -> S {
        S::gated(self.begins_row(dimension), || {
            self.within(window.of_first_stage())
        })
    }

    /// 1 in the bit times of a window at the stage of a dimension, where the row ends with that dimension. What is carried over from
    /// an iteration whose row ended with another dimension is left out.
    fn within_last(&self, dimension: usize, window: Window) -> S {
        S::gated(self.ends_row(dimension), || {
            self.within(window.of_last_stage())
        })
    }

    /// 1 in the bit times of any of these windows, which are without `r`.
    fn within_any(&self, windows: &[Window]) -> S {
        any(windows.iter().map(|window| self.within(*window)))
    }

    /// Drives each stage's line in any of these windows.
    fn drive(&self, lines: &mut Lines<S>, windows: &[Window]) {
        let enable = any(windows
            .iter()
            .map(|window| self.within(window.of_any_stage())));
        lines.drive_within(enable, self.row(), |dimension| {
            any(windows
                .iter()
                .map(|window| self.within_at(dimension, *window)))
        });
    }
}

fn constant<S: Strobe>(bit: bool) -> S {
    if bit { S::ONE } else { S::ZERO }
}
