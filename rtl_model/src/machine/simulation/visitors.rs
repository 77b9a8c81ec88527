//! Those who look at the registers of lane groups for somebody who sees bits, or words of 64 nodes.

use crate::language::lanes::Lanes;
use crate::language::register::{Name, Visitor};
use crate::machine::simulation::ModuleEnds;

/// Shows the registers of one node of a lane group to somebody who sees bits.
pub(super) struct OfPlace<'a> {
    pub place: usize,
    pub visitor: &'a mut dyn Visitor<bool>,
}

impl<B: Lanes> Visitor<B> for OfPlace<'_> {
    fn enter(&mut self, name: Name, kind: &'static str) {
        self.visitor.enter(name, kind);
    }

    fn leave(&mut self) {
        self.visitor.leave();
    }

    fn note(&mut self, note: &'static str) {
        self.visitor.note(note);
    }

    fn register<'r>(&mut self, name: Name, width: usize, bit: &dyn Fn(usize) -> &'r B) {
        let place = self.place;
        self.visitor
            .register(name, width, &|position| match bit(position).get(place) {
                true => &true,
                false => &false,
            });
    }
}

/// Reads one node's bits out of its lanes.
pub(super) struct Appending<'a> {
    pub place: usize,
    pub bits: &'a mut Vec<bool>,
}

impl<B: Lanes> Visitor<B> for Appending<'_> {
    fn register<'r>(&mut self, _name: Name, width: usize, bit: &dyn Fn(usize) -> &'r B) {
        for position in 0..width {
            self.bits.push(bit(position).get(self.place));
        }
    }
}

/// Copies the bits that are wanted of all lane groups, one after the other, into rows of words: a row for each bit.
pub(super) struct Copying<'a> {
    wanted: &'a [usize],
    /// Those that have not come yet of this group.
    left: &'a [usize],
    /// The numbers of the bit and of the module that come next.
    next: (usize, usize),
    words: &'a mut [u64],
    changed: &'a mut dyn FnMut(usize),
    /// Words of a row.
    stride: usize,
    /// Where in a row the words of this group begin.
    from: usize,
    /// It is not known yet where modules end, and which of them have not.
    is_learning: bool,
    ends: &'a mut Vec<(usize, usize)>,
    open: Vec<usize>,
}

impl<'a> Copying<'a> {
    /// Of the first group; for the rest see [`Simulation::copy_registers`](super::Simulation::copy_registers).
    pub fn new(
        (wanted, ends): (&'a [usize], &'a mut ModuleEnds),
        (words, stride): (&'a mut [u64], usize),
        changed: &'a mut dyn FnMut(usize),
    ) -> Self {
        Copying {
            wanted,
            left: wanted,
            next: (0, 0),
            words,
            changed,
            stride,
            from: 0,
            is_learning: ends.0.is_empty(),
            ends: &mut ends.0,
            open: Vec::new(),
        }
    }

    /// Of the next group.
    pub fn turn_to_next<B: Lanes>(&mut self) {
        (self.left, self.next) = (self.wanted, (0, 0));
        self.from += B::WORDS;
        self.is_learning = false;
    }
}

impl<B: Lanes> Visitor<B> for Copying<'_> {
    fn passes_by(&mut self) -> bool {
        let end = self.ends.get(self.next.1).filter(|_| !self.is_learning);
        let is_wanted = |end: &(usize, usize)| self.left.first().is_some_and(|bit| *bit < end.0);
        let passed = end.filter(|end| !is_wanted(end));
        self.next = *passed.unwrap_or(&self.next);
        passed.is_some()
    }

    fn enter(&mut self, _name: Name, _kind: &'static str) {
        if self.is_learning {
            self.open.push(self.ends.len());
            self.ends.push((0, 0));
        }
        self.next.1 += 1;
    }

    fn leave(&mut self) {
        if let Some(module) = self.open.pop() {
            self.ends[module] = self.next;
        }
    }

    fn register<'r>(&mut self, _name: Name, width: usize, bit: &dyn Fn(usize) -> &'r B) {
        let first = self.next.0;
        self.next.0 += width;
        while let Some((&number, later)) = self.left.split_first()
            && number < self.next.0
        {
            let bit = bit(number - first);
            let row = &mut self.words[number * self.stride + self.from..][..B::WORDS];
            let differ = row.iter_mut().enumerate().fold(0, |differ, (index, word)| {
                differ | (std::mem::replace(word, bit.word(index)) ^ *word)
            });
            if differ != 0 {
                (self.changed)(number);
            }
            self.left = later;
        }
    }
}
