//! Which part of the cube a stage works in, and what a schedule's table says of it.

use crate::parts::windows::{Claim, Iteration, Stretch, Window};
use crate::routers::permutation::Size;

/// Which part of the cube a stage works in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The stage's number.
    pub stage: usize,
    /// The lowest dimension that it uses, with which it begins.
    pub lowest: usize,
    /// The whole cube and its messages.
    pub size: Size,
}

impl Extent {
    /// `m`: the dimensions above the lowest.
    pub fn free_dimensions(self) -> usize {
        self.size.free_dimensions(self.lowest as u32)
    }

    /// `L`: the message bits that are left once the lowest dimension's address bit is consumed.
    pub fn message_bits(self) -> usize {
        self.size.message_bits(self.lowest as u32)
    }

    /// The bit times of a window at the `r`-th dimension above the lowest.
    pub fn stretch(self, window: Window, r: usize) -> Stretch {
        window.stretch(self.free_dimensions(), self.size.payload_bits, r)
    }

    /// Who has which wire, as a schedule's table says.
    pub fn claims(self, table: &Iteration) -> Vec<Claim> {
        table.claims(self.lowest..self.size.dimensions, self.size.payload_bits)
    }

    /// The steps, as it says.
    pub fn steps(self, table: &Iteration) -> Vec<(&'static str, i64)> {
        let steps = table.steps(self.free_dimensions(), self.size.payload_bits);
        steps.map(|(step, begins)| (step.name, begins)).collect()
    }

    /// The dimensions above the lowest.
    pub fn subcube(self) -> std::ops::Range<usize> {
        self.lowest + 1..self.size.dimensions
    }
}
