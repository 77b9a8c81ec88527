//! The registers of all nodes, plane by plane.

use crate::lanes::Lanes;
use crate::program::{Held, Layout};
use crate::register::Registers;

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

    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words[self.from..][..self.length]
    }
}

/// A tile's planes after another's.
#[derive(Debug)]
pub(crate) struct Planes {
    pub words: Aligned,
    registers: usize,
}

impl Planes {
    /// All 0.
    pub(crate) fn new(layout: &Layout, registers: usize) -> Self {
        Planes {
            words: Aligned::new(layout.tiles() * registers * layout.shape.words()),
            registers,
        }
    }

    /// Where the words of a lane group begin in the planes of its tile, and those.
    fn seat<B: Lanes>(&mut self, layout: &Layout, group: usize) -> (usize, &mut [u64]) {
        let of_tile = layout.shape.words();
        let (tile, word) = (group * B::WORDS / of_tile, group * B::WORDS % of_tile);
        let planes = self.registers * of_tile;
        (word, &mut self.words.words_mut()[tile * planes..][..planes])
    }

    /// Takes over the registers of a lane group. Gives `false` if one is not what the program knows it to be.
    pub(crate) fn take<B: Lanes>(
        &mut self,
        layout: &Layout,
        held: &[Held],
        group: usize,
        node: &mut impl Registers<B>,
    ) -> bool {
        let mut held = held.iter();
        let of_tile = layout.shape.words();
        let (from, planes) = self.seat::<B>(layout, group);
        let mut as_known = true;
        let mut take = |register: &mut B| match held.next() {
            Some(Held::In(slot)) => {
                let words = &mut planes[usize::from(*slot) * of_tile + from..][..B::WORDS];
                for (index, word) in words.iter_mut().enumerate() {
                    *word = register.word(index);
                }
            }
            Some(Held::Known(value)) => as_known &= *register == B::from_strobe(*value),
            None => {}
        };
        node.visit_mut(&mut take);
        node.visit_witnesses(&mut take);
        as_known
    }

    /// Gives them back.
    pub(crate) fn give<B: Lanes>(
        &mut self,
        layout: &Layout,
        held: &[Held],
        group: usize,
        node: &mut impl Registers<B>,
    ) {
        let mut held = held.iter();
        let of_tile = layout.shape.words();
        let (from, planes) = self.seat::<B>(layout, group);
        let mut give = |register: &mut B| match held.next() {
            Some(Held::In(slot)) => {
                let words = &planes[usize::from(*slot) * of_tile + from..][..B::WORDS];
                for (index, word) in words.iter().enumerate() {
                    register.set_word(index, *word);
                }
            }
            Some(Held::Known(value)) => *register = B::from_strobe(*value),
            None => {}
        };
        node.visit_mut(&mut give);
        node.visit_witnesses(&mut give);
    }
}
