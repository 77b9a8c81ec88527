//! The registers of all nodes, plane by plane.

use std::cell::Cell;

use crate::language::lanes::Lanes;
use crate::language::register::Registers;
use crate::machine::program::kernels::Plane;
use crate::machine::program::{Held, Layout};

/// Words from the beginning of a cache line on: no vector is in two of them.
#[derive(Debug)]
pub(crate) struct Aligned {
    words: Vec<u64>,
    from: usize,
    length: usize,
}

impl Aligned {
    /// So many words, all 0; memory is taken as they are written.
    pub(crate) fn new(length: usize) -> Self {
        const LINE: usize = 64;
        let words = vec![0; length + LINE / size_of::<u64>()];
        Aligned {
            from: words.as_ptr().align_offset(LINE),
            words,
            length,
        }
    }

    #[inline]
    pub(crate) fn words(&self) -> &[u64] {
        &self.words[self.from..][..self.length]
    }

    #[inline]
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words[self.from..][..self.length]
    }
}

/// As planes that may be read while others of them are written.
#[inline(always)]
pub(super) fn planes_of<const WORDS: usize, const VECTORS: usize>(
    words: &mut [u64],
) -> &[Plane<WORDS, VECTORS>] {
    let vectors = words.as_chunks_mut::<WORDS>().0;
    Cell::from_mut(vectors).as_slice_of_cells().as_chunks().0
}

/// A tile after another: its planes, one for each slot.
#[derive(Debug)]
pub(crate) struct Planes {
    tiles: Vec<Aligned>,
    registers: usize,
}

impl Planes {
    /// Of no tiles; room is made as lane groups come.
    pub(crate) fn new(layout: &Layout, registers: usize) -> Self {
        Planes {
            tiles: Vec::with_capacity(layout.tiles()),
            registers,
        }
    }

    /// The words of a tile.
    pub(crate) fn tile(&self, number: usize) -> &[u64] {
        self.tiles[number].words()
    }

    /// The tiles.
    pub(crate) fn tiles_mut(&mut self) -> &mut [Aligned] {
        &mut self.tiles
    }

    /// Takes over the registers of a lane group: of one that is there, or of the next.
    pub(crate) fn store<B: Lanes>(
        &mut self,
        layout: &Layout,
        held: &[Held],
        group: usize,
        node: &mut dyn Registers<B>,
    ) {
        let (tile, _) = layout.seat::<B>(group);
        if tile == self.tiles.len() {
            self.tiles.push(self.new_tile(layout));
        }
        Self::store_in(&mut self.tiles[tile], layout, held, group, node);
    }

    fn new_tile(&self, layout: &Layout) -> Aligned {
        Aligned::new(self.registers * layout.shape.words())
    }

    /// Makes room for all lane groups.
    pub(crate) fn make_room(&mut self, layout: &Layout) {
        self.tiles = (0..layout.tiles()).map(|_| self.new_tile(layout)).collect();
    }

    /// Takes over the registers of a lane group into its tile.
    pub(crate) fn store_in<B: Lanes>(
        tile: &mut Aligned,
        layout: &Layout,
        held: &[Held],
        group: usize,
        node: &mut dyn Registers<B>,
    ) {
        let (_, from) = layout.seat::<B>(group);
        let of_tile = layout.shape.words();
        let planes = tile.words_mut();
        visit_all(held, node, &mut |held, register| {
            if let Held::In(slot) = held {
                let words = &mut planes[slot as usize * of_tile + from..][..B::WORDS];
                for (index, word) in words.iter_mut().enumerate() {
                    *word = register.word(index);
                }
            }
        });
    }

    /// Copies them into a node.
    pub(crate) fn fetch<B: Lanes>(
        &self,
        layout: &Layout,
        held: &[Held],
        group: usize,
        node: &mut dyn Registers<B>,
    ) {
        let (tile, from) = layout.seat::<B>(group);
        let of_tile = layout.shape.words();
        let planes = self.tiles[tile].words();
        visit_all(held, node, &mut |held, register| match held {
            Held::In(slot) => {
                let words = &planes[slot as usize * of_tile + from..][..B::WORDS];
                for (index, word) in words.iter().enumerate() {
                    register.set_word(index, *word);
                }
            }
            Held::Known(value) => *register = B::from_strobe(value),
        });
    }

    /// Lets go of a lane group, all groups in order; a tile goes with its last one.
    pub(crate) fn leave<B: Lanes>(&mut self, layout: &Layout, group: usize) {
        let (tile, from) = layout.seat::<B>(group);
        if from + B::WORDS == layout.shape.words() {
            self.tiles[tile] = Aligned::new(0);
        }
    }
}

/// Hands out the registers of a lane group, each with where it is.
fn visit_all<B: Lanes>(
    held: &[Held],
    node: &mut dyn Registers<B>,
    hand_out: &mut dyn FnMut(Held, &mut B),
) {
    let mut held = held.iter();
    let mut visitor = |register: &mut B| {
        if let Some(held) = held.next() {
            hand_out(*held, register);
        }
    };
    node.visit_mut(&mut visitor);
    node.visit_witnesses(&mut visitor);
}

/// Whether the registers of a lane group are what a program knows them to be, as far as it does.
pub(crate) fn is_as_known<B: Lanes>(held: &[Held], node: &mut dyn Registers<B>) -> bool {
    if !held.iter().any(|held| matches!(held, Held::Known(_))) {
        return true;
    }
    let mut held = held.iter();
    let mut as_known = true;
    node.visit_mut(&mut |register| {
        if let Some(Held::Known(value)) = held.next() {
            as_known &= *register == B::from_strobe(*value);
        }
    });
    as_known
}
