//! Tiles that go through bit times together, whether they depend on each other or not, with somebody who is shown their wires.

use std::ops::Range;

use crate::machine::fabric::advance::{Advance, Block, Stopped};
use crate::machine::fabric::how::OnWires;
use crate::machine::program::work::{Beside, Outcome};

impl<const WORDS: usize, const VECTORS: usize> Advance<'_, WORDS, VECTORS> {
    /// Takes all tiles through the bit times, one turn after the other.
    pub(super) fn shown(
        &self,
        mut block: Block<'_>,
        bit_times: Range<usize>,
        threads: usize,
        on_wires: &mut OnWires<'_>,
    ) -> Result<(), Stopped> {
        let mut workers = self.workers(&block, threads, Beside::new);
        let sent = &mut |block: &mut Block<'_>, _: &mut [Beside], (bit_time, outcome)| {
            // Where two units drive one wire, the description shows that bit time.
            if outcome == Outcome::ToTheEnd {
                on_wires(bit_time, block.now);
            }
            outcome
        };
        self.turn_by_turn(&mut block, bit_times, &mut workers, sent)
    }
}
