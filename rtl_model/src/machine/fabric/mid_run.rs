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

use crate::language::lanes::Lanes;
use crate::machine::fabric::Fabric;
use crate::machine::program::{Held, Program};
use crate::machine::router::Router;

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

impl<R: Router, B: Lanes> Fabric<R, B> {
    /// What there is now, with all registers in tiles; none, where no program is run, or where registers are not what the
    /// program knows them to be.
    pub fn mid_run(&mut self) -> Option<MidRun> {
        if !Program::<R>::can_be_made(&self.router) {
            return None;
        }
        let bit_time = self.bit_time as usize;
        let program = self.program(false);
        if bit_time > program.length() {
            return None;
        }
        let held = program.code().held(bit_time);
        let tiles = self.nodes.take(*program.layout(), held)?;
        let mid_run = tiles.mid_run(self.bit_time);
        self.nodes.put(tiles);
        Some(mid_run)
    }

    /// Appends what is kept of a tile of [what there is](Fabric::mid_run).
    pub fn copy_tile(&self, tile: usize, words: &mut Vec<u64>) {
        self.nodes.copy_tile(tile, words);
    }

    /// Goes to another bit time: the sequencer stands there, and registers that are known are what they are then. The others are
    /// to be [replaced](Fabric::replace_tile), tile by tile. None, and nothing has changed, where there is no such bit time.
    pub fn begin_at(&mut self, bit_time: u64) -> Option<MidRun> {
        self.mid_run()?;
        let program = self.program(false);
        let to = usize::try_from(bit_time).ok();
        let to = to.filter(|to| *to <= program.length())?;
        self.nodes.hold(program.code().held(to));
        self.stand_at(program.sequencer(to), bit_time);
        self.driven = program.driven_wire_bit_times(0..to);
        self.mid_run()
    }

    /// Puts what was [kept](Fabric::copy_tile) in the place of a tile.
    pub fn replace_tile(&mut self, tile: usize, words: &[u64]) {
        self.nodes.replace_tile(tile, words);
    }
}

/// The slot of a register that is not known.
pub(super) fn slot(held: Held) -> Option<usize> {
    match held {
        Held::In(slot) => Some(slot as usize),
        Held::Known(_) => None,
    }
}
