//! Machines in lockstep that are looked at while they run: not into nodes, but at what is broadcast and what is on wires.
//!
//! ```text
//!   program:   sending of bit time t --> wires of all tiles --> shown --> clock edge --> sending of bit time t + 1 ...
//!                                                                ^
//!   sequencer, once more beside it: position, texts -------------+
//! ```

use crate::language::lanes::Lanes;
use crate::machine::fabric::Fabric;
use crate::machine::program::Code;
use crate::machine::router::{Position, Router, Sequencer};
use crate::machine::transmitted::{Shown, Transmitted};

/// What is on wires: whether a link is driven, and what the nodes of all words drive onto one that is.
type Wires<'w> = (&'w dyn Fn(usize) -> bool, &'w dyn Fn(usize, &mut [u64]));

/// A bit time.
struct Passing<'a, R: Router> {
    router: &'a R,
    sequencer: &'a R::Sequencer<bool>,
    bit_time: u64,
    wires: Wires<'a>,
}

impl<R: Router> Transmitted for Passing<'_, R> {
    fn bit_time(&self) -> u64 {
        self.bit_time
    }

    fn is_done(&self) -> bool {
        self.sequencer.is_done()
    }

    fn position(&self) -> Option<Position> {
        Some(self.router.position(self.sequencer))
    }

    fn append_text(&self, number: usize, text: &mut String) {
        self.router.text(self.sequencer, number, text);
    }

    fn is_driven(&self, link: usize) -> bool {
        self.wires.0(link)
    }

    fn copy_driven(&self, wire: usize, words: &mut [u64]) {
        match self.is_driven(wire) {
            true => self.wires.1(wire, words),
            false => words.fill(0),
        }
    }
}

/// Shows bit times of a program from the one on in which the sequencer is.
pub(super) struct OfProgram<'a, R: Router> {
    pub router: &'a R,
    pub code: &'a Code,
    pub sequencer: R::Sequencer<bool>,
    pub bit_time: usize,
}

impl<R: Router> OfProgram<'_, R> {
    /// That bit time, no earlier one than the last: the wires of all tiles.
    pub fn show(&mut self, bit_time: usize, wires: &[u64], shown: &mut Shown<'_>) {
        while self.bit_time < bit_time {
            self.sequencer.clock();
            self.bit_time += 1;
        }
        let code = self.code;
        shown(&Passing {
            router: self.router,
            sequencer: &self.sequencer,
            bit_time: bit_time as u64,
            wires: (&|link| code.drives(bit_time, link), &|link, words| {
                code.copy_sent(wires, link, words)
            }),
        });
    }
}

impl<R: Router, B: Lanes> Fabric<R, B> {
    /// Shows this bit time, between its two halves.
    pub(super) fn show(&self, shown: &mut Shown<'_>) {
        self.show_with(shown, |link| self.driver(link).is_some());
    }

    /// Shows that the last bit time is over: nobody drives a wire any more.
    pub(super) fn show_end(&self, shown: &mut Shown<'_>) {
        self.show_with(shown, |_| false);
    }

    fn show_with(&self, shown: &mut Shown<'_>, is_driven: impl Fn(usize) -> bool) {
        let copy = |wire: usize, words: &mut [u64]| {
            for (group, words) in words.chunks_mut(B::WORDS).enumerate() {
                let driven = self.group_wire(group, wire);
                let words = words.iter_mut().enumerate();
                words.for_each(|(number, word)| *word = driven.word(number));
            }
        };
        shown(&Passing {
            router: self.router(),
            sequencer: self.sequencer(),
            bit_time: self.bit_time(),
            wires: (&is_driven, &copy),
        });
    }
}

#[cfg(test)]
mod tests {
    use bitvec::prelude::*;

    use super::*;
    use crate::language::lanes::Words;
    use crate::machine::fabric::How;
    use crate::machine::router::MessageRouter;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::routers::kuszmaul::plain::Plain;
    use crate::routers::permutation::PermutationRouter;

    /// Position, driven links and all their words, in a cube of `k` dimensions.
    fn seen(
        now: &dyn Transmitted,
        k: usize,
    ) -> (u64, bool, Option<Position>, Vec<Option<Vec<u64>>>) {
        let words = |link| {
            let mut words = vec![0; 1 << (k - 6)];
            now.copy_driven(link, &mut words);
            words
        };
        let links = (0..k).map(|link| now.is_driven(link).then(|| words(link)));
        (
            now.bit_time(),
            now.is_done(),
            now.position(),
            links.collect(),
        )
    }

    /// A tile, or two of them.
    #[test]
    fn a_program_shows_what_ticking_shows() {
        for k in [12, 13] {
            let router = PermutationRouter::<Plain>::new(Dimensions::new(k).unwrap(), 2).unwrap();
            let [mut ticking, mut program] = [(), ()].map(|()| {
                let mut fabric = Fabric::<_, Words<8>>::new(router, 1).unwrap();
                for node in (0..1 << k).step_by(3) {
                    let (group, place) = fabric.node_mut(node);
                    router.load(group, place, node ^ 0xa5b, bits![u64, Lsb0; 1, 0]);
                }
                fabric
            });
            assert!(program.can_be_shown());
            let mut shown = 0;
            let mut compare = |now: &dyn Transmitted| {
                let mut due = None;
                let mut take = |now: &dyn Transmitted| due = Some(seen(now, k));
                if ticking.is_done() {
                    ticking.show_end(&mut take);
                } else {
                    ticking.transmit().unwrap();
                    ticking.show(&mut take);
                    ticking.clock();
                }
                assert_eq!(Some(seen(now, k)), due);
                shown += 1;
            };
            let outcome = program.advance_shown(u64::MAX, &How::default(), Some(&mut compare));
            outcome.unwrap();
            assert_eq!(shown, router.bit_times().value + 1);
            assert_eq!(program.bit_time(), router.bit_times().value);
        }
    }
}
