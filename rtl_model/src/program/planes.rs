//! The registers of all nodes, plane by plane.

use crate::lanes::Lanes;
use crate::program::{Held, Layout};
use crate::register::Registers;

/// A tile's planes after another's; a plane is so many vectors.
#[derive(Debug)]
pub(crate) struct Planes<const WORDS: usize> {
    pub vectors: Vec<[u64; WORDS]>,
    registers: usize,
}

impl<const WORDS: usize> Planes<WORDS> {
    /// All 0.
    pub(crate) fn new(layout: &Layout, registers: usize) -> Self {
        let vectors = layout.tiles() * registers * layout.shape.tile;
        Planes {
            vectors: vec![[0; WORDS]; vectors],
            registers,
        }
    }

    fn word(&mut self, layout: &Layout, slot: usize, word: usize) -> &mut u64 {
        let (tile, word) = (word / layout.shape.words(), word % layout.shape.words());
        let vector = (tile * self.registers + slot) * layout.shape.tile + word / WORDS;
        &mut self.vectors[vector][word % WORDS]
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
        let mut as_known = true;
        let mut take = |register: &mut B| match held.next() {
            Some(Held::In(slot)) => {
                for word in 0..B::WORDS {
                    *self.word(layout, (*slot).into(), group * B::WORDS + word) =
                        register.word(word);
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
        let mut give = |register: &mut B| match held.next() {
            Some(Held::In(slot)) => {
                for word in 0..B::WORDS {
                    let value = *self.word(layout, (*slot).into(), group * B::WORDS + word);
                    register.set_word(word, value);
                }
            }
            Some(Held::Known(value)) => *register = B::from_strobe(*value),
            None => {}
        };
        node.visit_mut(&mut give);
        node.visit_witnesses(&mut give);
    }
}
