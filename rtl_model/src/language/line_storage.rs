//! Room for the lines of a bundle.

use std::fmt::Debug;

/// Where the lines of a bundle are stored that are not known to be 0.
pub trait LineStorage<S>: Copy + Debug {
    /// Of no lines.
    const NONE: Self;
    /// Each of them is known to be 1.
    const IS_KNOWN: bool;
    /// Line `number`, which is not known to be 0.
    fn line(&self, number: usize) -> S;
    /// Stores it.
    fn set(&mut self, number: usize, line: S);
}
