//! A stream: what goes to other ranks in one message.

use std::ops::Range;

/// Bits of several bit times that a rank sends at once.
#[derive(Debug)]
pub(crate) struct Stream {
    /// These bit times, two at the least.
    pub bit_times: Range<usize>,
    /// The planes that are sent: each with its bit time, and its link.
    pub planes: Vec<(usize, usize)>,
    /// What works them out from the registers at the first of the bit times. The wire to which a plane goes is its number
    /// in `planes`.
    pub(super) operations: Range<usize>,
}

impl Stream {
    /// The numbers of the planes that go over a link.
    pub fn over(&self, link: usize) -> impl Iterator<Item = usize> {
        let planes = self.planes.iter().enumerate();
        planes.filter_map(move |(number, (_, over))| (*over == link).then_some(number))
    }
}
