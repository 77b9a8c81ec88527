//! A share is written down in mid-run, and taken up again.

use crate::language::lanes::Lanes;
use crate::machine::fabric::Fabric;
use crate::machine::fabric::mid_run::MidRun;
use crate::machine::program::Program;
use crate::machine::router::Router;

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
