//! Tiles that depend on each other, divided among threads, which meet after each turn.

use std::sync::OnceLock;

use crate::machine::fabric::advance::{Advance, Block, at_work};
use crate::machine::program::Code;
use crate::machine::program::work::{Beside, Outcome, Turn, Wires, Work};

impl<const WORDS: usize, const VECTORS: usize> Advance<'_, WORDS, VECTORS> {
    /// As many as are worth it, for a block in which all tiles depend on each other, with what each keeps beside its tile.
    pub(super) fn workers(
        &self,
        block: &Block<'_>,
        threads: usize,
        beside: fn(&Code) -> Beside,
    ) -> Vec<Beside> {
        let tiles = block.tiles.len();
        let worth_it = tiles.min(tiles * self.bytes() / self.blocking.bytes_per_thread);
        let threads = threads.min(worth_it).max(1);
        (0..threads).map(|_| beside(self.code)).collect()
    }

    /// One turn of all tiles of a block, divided among workers.
    pub(super) fn shared(
        &self,
        block: &mut Block<'_>,
        turn: Turn,
        workers: &mut [Beside],
    ) -> Outcome {
        let clash = OnceLock::new();
        let tiles = block.tiles.len();
        let share = tiles.div_ceil(workers.len());
        let now = &*block.now;
        let [wires, gauge_words] = [block.next.len(), block.gauges.len()].map(|all| all / tiles);
        let (first, meters) = (block.first, block.meters);
        let mut tiles = &mut *block.tiles;
        let (mut next, mut gauges) = (&mut *block.next, &mut *block.gauges);
        rayon::scope(|scope| {
            for (index, beside) in workers.iter_mut().enumerate() {
                let before = index * share;
                let own = share.min(tiles.len());
                let (own_tiles, other_tiles) = tiles.split_at_mut(own);
                let (own_next, other_next) = next.split_at_mut(own * wires);
                let (own_gauges, other_gauges) = gauges.split_at_mut(own * gauge_words);
                (tiles, next, gauges) = (other_tiles, other_next, other_gauges);
                let clash = &clash;
                scope.spawn(move |_| {
                    let outcome = at_work(Work::<WORDS, VECTORS> {
                        code: self.code,
                        instructions: self.instructions,
                        first: first + before,
                        before,
                        tiles: own_tiles,
                        beside,
                        wires: Wires::Shared(now, own_next),
                        fixed: self.fixed,
                        gauges: own_gauges,
                        meters,
                        turns: &mut std::iter::once(turn),
                        goes_on: &|| true,
                    });
                    if outcome != Outcome::ToTheEnd {
                        // Whoever else finds one finds it in the same bit time.
                        _ = clash.set(outcome);
                    }
                });
            }
        });
        std::mem::swap(&mut block.now, &mut block.next);
        clash.into_inner().unwrap_or(Outcome::ToTheEnd)
    }
}
