//! How long the parts of a broadcast take.

/// Ports of the trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ports {
    /// Of the tree of building blocks.
    pub blocks: usize,
    /// Of the source's sub-block.
    pub low: usize,
    /// Of the tree in a block, as far as a program finds it.
    pub inner: usize,
}

/// How long what takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// Ports of the trees.
    pub ports: Ports,
    /// Bit times of step 1.
    pub first: usize,
    /// Bit times of step 2.
    pub second: usize,
    /// Steps of the message; cut through, one.
    pub steps: usize,
    /// Bit times of each.
    pub step_bits: usize,
}

impl Times {
    /// Bit times of the trees.
    pub fn set_up(&self) -> usize {
        self.first + self.second
    }
}
