//! Tiles: the registers of lane groups as programs work on them, in planes, with what is known of where each is.
//!
//! ```text
//!            plane 0   plane 1   plane 2 ...         register r is in plane held[r], or known
//!   tile 0   [words]   [words]   [words]             group 0, group 1, ... side by side in the words
//!   tile 1   [words]   [words]   [words]
//! ```

use crate::language::lanes::Lanes;
use crate::language::register::Registers;
use crate::machine::fabric::mid_run::MidRun;
use crate::machine::program::{Held, Layout, Planes};

/// The registers of groups, in planes.
pub(super) struct Tiles {
    pub layout: Layout,
    pub planes: Planes,
    /// Where in them the registers are.
    pub held: Vec<Held>,
    /// Groups that are there; the others are as they begin.
    pub filled: usize,
}

impl Tiles {
    /// Without a group, for registers that are all there.
    pub fn new<B: Lanes>(layout: Layout, node: &mut dyn Registers<B>) -> Self {
        let mut held = Vec::new();
        let mut count = |_: &mut B| held.push(Held::In(held.len() as u32));
        node.visit_mut(&mut count);
        node.visit_witnesses(&mut count);
        Tiles::of(layout, held)
    }

    /// Without a group.
    pub fn of(layout: Layout, held: Vec<Held>) -> Self {
        Tiles {
            planes: Planes::new(&layout, held.len()),
            layout,
            held,
            filled: 0,
        }
    }

    /// What there is in this bit time.
    pub fn mid_run(&self, bit_time: u64) -> MidRun {
        let has_plane = |held: &Held| held.slot().is_some();
        MidRun {
            bit_time,
            has_plane: self.held.iter().map(has_plane).collect(),
            words_of_plane: self.layout.shape.words(),
            tiles: self.layout.tiles(),
        }
    }

    /// Appends the planes of a tile, register after register, of those that are not known.
    pub fn copy(&self, tile: usize, words: &mut Vec<u64>) {
        let of_plane = self.layout.shape.words();
        let planes: Vec<&[u64]> = self.planes.tile(tile).chunks_exact(of_plane).collect();
        let slots = self.held.iter().filter_map(|held| held.slot());
        slots.for_each(|slot| words.extend_from_slice(planes[slot]));
    }

    /// The reverse of [`Tiles::copy`].
    pub fn replace(&mut self, tile: usize, words: &[u64]) {
        let of_plane = self.layout.shape.words();
        let slots = self.held.iter().filter_map(|held| held.slot());
        let planes = &mut self.planes.tiles_mut()[tile];
        for (slot, words) in slots.zip(words.chunks_exact(of_plane)) {
            planes.words_mut()[slot * of_plane..][..of_plane].copy_from_slice(words);
        }
    }

    /// The registers are where a program leaves them.
    pub fn now_hold(&mut self, held: Vec<Held>) {
        self.held = held;
    }

    /// Whether every register has a place, and none is merely known.
    pub fn hold_everything(&self) -> bool {
        self.held.iter().all(|held| matches!(held, Held::In(_)))
    }

    /// One that is there, or the first that is not.
    pub fn store<B: Lanes>(&mut self, group: usize, node: &mut dyn Registers<B>) {
        self.planes
            .store::<B>(&self.layout, &self.held, group, node);
        self.filled = self.filled.max(group + 1);
    }

    pub fn fetch<B: Lanes>(&self, group: usize, node: &mut dyn Registers<B>) {
        self.planes
            .fetch::<B>(&self.layout, &self.held, group, node);
    }

    /// Copies a group into a node, all groups in order, those that are not there being left as they are; a tile goes with its last
    /// group.
    pub fn give<B: Lanes>(&mut self, group: usize, node: &mut dyn Registers<B>) {
        if group < self.filled {
            self.fetch(group, node);
            self.planes.leave::<B>(&self.layout, group);
        }
    }
}
