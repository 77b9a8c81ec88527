//! A share in mid-run, to be written down and taken up again: by another process, or by other ranks.
//!
//! ```text
//!   tile 0:  | register 0: its words | register 1 | register 3 | ...     tile 1:  | ...
//!                                               ^
//!                                               +-- register 2 is known in this bit time: it is 0, or 1, in all nodes
//! ```
//!
//! Between two bit times a machine is its registers and its sequencer, and nothing else: wires carry no bit over the clock edge.
//! Where the sequencer stands, and which registers all nodes hold alike, follows from the bit time; so what has to be kept is
//! the planes of the others. They are in the order of the registers, whatever slots the program has them in, and tiles are in
//! the order of the seats: those of a share are some of those of the whole machine.

use std::fmt;

/// What there is of a share in a bit time.
#[derive(Clone, PartialEq, Eq)]
pub struct MidRun {
    /// Bit times that have passed.
    pub bit_time: u64,
    /// Of each register of a node, those that are remembered for measurement behind the others, whether it has a plane.
    pub has_plane: Vec<bool>,
    /// Words of 64 nodes in a tile.
    pub words_of_plane: usize,
    /// Tiles.
    pub tiles: usize,
}

impl MidRun {
    /// Words that are kept of a tile.
    pub fn words_of_tile(&self) -> usize {
        let planes = self.has_plane.iter().filter(|has| **has).count();
        planes * self.words_of_plane
    }
}

impl fmt::Debug for MidRun {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MidRun {
            bit_time, tiles, ..
        } = self;
        let words = self.words_of_tile();
        write!(
            formatter,
            "bit time {bit_time}, {tiles} tiles of {words} words"
        )
    }
}
