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
use crate::machine::simulation::Transmitted;

/// Is shown each bit time, with its bits on the wires.
pub type Shown<'s> = dyn FnMut(&dyn Transmitted) + 's;

/// What a wire carries: whether it is driven, by link, and by whom with a 1, by word and link.
type Wires<'w> = (&'w dyn Fn(usize) -> bool, &'w dyn Fn(usize, usize) -> u64);

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

    fn driven_word(&self, word: usize, wire: usize) -> u64 {
        match self.is_driven(wire) {
            true => self.wires.1(word, wire),
            false => 0,
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
            wires: (&|link| code.drives(bit_time, link), &|word, link| {
                code.sent(wires, word, link)
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
        let word =
            |word: usize, wire: usize| self.group_wire(word / B::WORDS, wire).word(word % B::WORDS);
        shown(&Passing {
            router: self.router(),
            sequencer: self.sequencer(),
            bit_time: self.bit_time(),
            wires: (&is_driven, &word),
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

    /// Position, text, driven links and all their words of each bit time, the end included.
    fn seen(now: &dyn Transmitted) -> (u64, bool, Option<Position>, Vec<Option<Vec<u64>>>) {
        let words = |link| (0..64).map(|word| now.driven_word(word, link)).collect();
        let links = (0..12).map(|link| now.is_driven(link).then(|| words(link)));
        (
            now.bit_time(),
            now.is_done(),
            now.position(),
            links.collect(),
        )
    }

    #[test]
    fn a_program_shows_what_ticking_shows() {
        let router = PermutationRouter::<Plain>::new(Dimensions::new(12).unwrap(), 2).unwrap();
        let loaded = || {
            let mut fabric = Fabric::<_, Words<8>>::new(router, 1).unwrap();
            for node in (0..4096).step_by(3) {
                let (group, place) = fabric.node_mut(node);
                router.load(group, place, node ^ 0xa5b, bits![u64, Lsb0; 1, 0]);
            }
            fabric
        };
        let mut ticking = loaded();
        let mut program = loaded();
        assert!(program.can_be_shown());
        program
            .advance_shown(
                u64::MAX,
                &How::default(),
                Some(&mut |shown| {
                    let mut due = None;
                    if !ticking.is_done() {
                        ticking.transmit().unwrap();
                        ticking.show(&mut |now| due = Some(seen(now)));
                        ticking.clock();
                    } else {
                        ticking.show_end(&mut |now| due = Some(seen(now)));
                    }
                    assert_eq!(Some(seen(shown)), due);
                }),
            )
            .unwrap();
        assert!(ticking.is_done() && program.is_done());
        assert_eq!(ticking.bit_time(), program.bit_time());
    }
}
