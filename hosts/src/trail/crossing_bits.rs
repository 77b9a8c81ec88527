//! Bits of a message as they cross links.

use std::ops::Range;

/// Bits of it that cross a link one behind the other.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    pub from: usize,
    pub to: usize,
    /// The number of the link at the sender.
    pub link: usize,
    /// Bit times in which they cross, a bit in each.
    pub times: Range<u64>,
    /// The first of them: its packet, and its number in that.
    pub first: (usize, u64),
}

impl Bits {
    /// Their numbers in their packet.
    pub fn numbers(&self) -> Range<u64> {
        let first = self.first.1;
        first..first + self.times.end - self.times.start
    }

    /// When the bit of that number crosses.
    pub fn time(&self, number: u64) -> u64 {
        self.times.start + number - self.first.1
    }
}
