//! Many bit times at once: in an order that keeps what is being worked on in the cache, and on several threads.
//!
//! ```text
//!   tiles of a cube, halved:             bit times -->
//!                                        step 1  |  steps 2 .. 6                    |  step 1 ...
//!                                     +----------+----------------------------------+--
//!     half whose address bit 0 is 0   | all of   |  on its own, to the end of the run
//!                                     | them,    +----------------------------------+--
//!     half whose address bit 0 is 1   | together |  on its own (or on another thread)
//! ```
//!
//! While the wires of the dimension that joins two halves are idle, neither half can see the other: each can go
//! through those bit times by itself, and its halves in turn. The program says ahead when that is so. Algorithm 2 never
//! comes back to a dimension, so after its first step 1 the halves are on their own until the end, and after a few
//! iterations the parts fit into the cache. What each node does in each bit time is the same in any order.
//!
//! Within a range of tiles, a clock edge and the bits that are sent after it are one pass, from one set of wires to
//! another; so every register is fetched once a bit time.

mod among_ranks;
mod among_threads;
mod shown;

use std::ops::Range;

use crate::machine::fabric::how::{Blocking, How, OnWires, Watch};
use crate::machine::instructions::Instructions;
use crate::machine::program::flat::Flat;
use crate::machine::program::work::{Beside, Outcome, Turn, Wires, Work};
use crate::machine::program::{Aligned, Code, LARGEST, Meters, Planes, Shape};
use crate::machine::share::Rank;

/// It has not come to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    /// The run was broken off; registers are of different bit times.
    BrokenOff,
    /// In this bit time two units of a node drive one wire; registers are as it begins.
    Clash(usize),
}

/// What the end of some work means for the run.
fn result(outcome: Outcome) -> Result<(), Stopped> {
    match outcome {
        Outcome::ToTheEnd => Ok(()),
        Outcome::BrokenOff => Err(Stopped::BrokenOff),
        Outcome::Clash(bit_time) => Err(Stopped::Clash(bit_time)),
    }
}

/// Tiles that lie side by side, and their wires: in the bit time that ends, and in the next.
struct Block<'a> {
    first: usize,
    tiles: &'a mut [Aligned],
    now: &'a mut [u64],
    next: &'a mut [u64],
    /// What the tiles' gauges remember, and how they are read.
    gauges: &'a mut [u32],
    meters: Option<Meters<'a>>,
}

impl Block<'_> {
    /// All of it.
    fn whole(&mut self) -> Block<'_> {
        Block {
            first: self.first,
            tiles: self.tiles,
            now: self.now,
            next: self.next,
            gauges: self.gauges,
            meters: self.meters,
        }
    }

    fn split(&mut self, at: usize) -> [Block<'_>; 2] {
        let tiles = self.tiles.len();
        let share = |all: usize| all / tiles * at;
        let wires = share(self.now.len());
        let (low_tiles, high_tiles) = self.tiles.split_at_mut(at);
        let (low_now, high_now) = self.now.split_at_mut(wires);
        let (low_next, high_next) = self.next.split_at_mut(wires);
        let gauges = share(self.gauges.len());
        let (low_gauges, high_gauges) = self.gauges.split_at_mut(gauges);
        [
            Block {
                first: self.first,
                tiles: low_tiles,
                now: low_now,
                next: low_next,
                gauges: low_gauges,
                meters: self.meters,
            },
            Block {
                first: self.first + at,
                tiles: high_tiles,
                now: high_now,
                next: high_next,
                gauges: high_gauges,
                meters: self.meters,
            },
        ]
    }
}

/// Takes all tiles through the bit times, in planes of the shape that the code is made for. `fixed` are planes that stay as
/// they are, of all tiles, and `nodes` the places that are [measured](Meters::nodes). Who is to be shown what is on wires is
/// shown it where [tiles are large](Code::is_in_one_slice).
pub(super) fn advance(
    code: &Code,
    (fixed, nodes): (&Aligned, &[u64]),
    planes: &mut Planes,
    (bit_times, rank): (Range<usize>, &Rank),
    how: &How<'_>,
    on_wires: Option<&mut OnWires<'_>>,
) -> Result<(), Stopped> {
    let tiles = planes.tiles_mut();
    if tiles.is_empty() {
        return Ok(());
    }
    let wires = match code.is_in_one_slice() {
        true => 0,
        false => tiles.len() * code.links() * code.layout().shape.words(),
    };
    let (mut now, mut next) = (Aligned::new(wires), Aligned::new(wires));
    let mut gauges = match how.readings {
        Some(_) => vec![0; tiles.len() * code.gauge_words()],
        None => Vec::new(),
    };
    let block = Block {
        first: 0,
        tiles,
        now: now.words_mut(),
        next: next.words_mut(),
        gauges: &mut gauges,
        meters: how.readings.map(|readings| Meters { readings, nodes }),
    };
    let fixed = fixed.words();
    if !code.is_in_one_slice() {
        debug_assert_eq!(code.layout().shape, LARGEST);
        return in_tiles::<{ LARGEST.vector }, { LARGEST.tile }>(
            (code, fixed),
            block,
            (bit_times, rank),
            how,
            on_wires,
        );
    }
    match code.layout().shape {
        Shape { vector: 1, .. } => in_one_slice::<1, 1>((code, fixed), block, bit_times, how),
        Shape { vector: 2, .. } => in_one_slice::<2, 1>((code, fixed), block, bit_times, how),
        Shape { vector: 4, .. } => in_one_slice::<4, 1>((code, fixed), block, bit_times, how),
        Shape { tile: 1, .. } => in_one_slice::<8, 1>((code, fixed), block, bit_times, how),
        Shape { tile: 2, .. } => in_one_slice::<8, 2>((code, fixed), block, bit_times, how),
        _ => in_one_slice::<8, 4>((code, fixed), block, bit_times, how),
    }
}

/// One small tile.
fn in_one_slice<const WORDS: usize, const VECTORS: usize>(
    (code, fixed): (&Code, &[u64]),
    block: Block<'_>,
    bit_times: Range<usize>,
    how: &How<'_>,
) -> Result<(), Stopped> {
    let nodes = code.layout().nodes_of_tile() as u64;
    block.tiles.iter_mut().try_for_each(|tile| {
        result(how.instructions.perform(Flat::<WORDS, VECTORS> {
            code,
            instructions: how.instructions,
            tile,
            fixed,
            gauges: block.gauges,
            meters: block.meters,
            bit_times: bit_times.clone(),
            goes_on: &|| how.watch.goes_on(nodes),
        }))
    })
}

/// Some turns of large tiles. All kernels are in it: it is translated only once for each set of instructions.
#[inline(never)]
fn at_work<const WORDS: usize, const VECTORS: usize>(work: Work<'_, WORDS, VECTORS>) -> Outcome {
    work.instructions.perform(work)
}

/// Any number of large ones.
fn in_tiles<const WORDS: usize, const VECTORS: usize>(
    (code, fixed): (&Code, &[u64]),
    mut block: Block<'_>,
    (bit_times, rank): (Range<usize>, &Rank),
    how: &How<'_>,
    on_wires: Option<&mut OnWires<'_>>,
) -> Result<(), Stopped> {
    let advance = Advance::<WORDS, VECTORS> {
        code,
        fixed,
        instructions: how.instructions,
        watch: how.watch,
        blocking: how.blocking,
    };
    if how.readings.is_some() {
        let measured = Turn {
            measured: Some(bit_times.start),
            anew: true,
            ..Turn::default()
        };
        advance.alone(
            &mut block,
            &mut Beside::new(code),
            &mut std::iter::once(measured),
            &|| true,
        );
    }
    let threads = how.threads.max(1);
    match (code.roads().is_shared(), on_wires) {
        (true, _) => advance.among_ranks(block, bit_times, threads, rank),
        (false, None) => advance.run(block, bit_times, threads),
        (false, Some(on_wires)) => advance.shown(block, bit_times, threads, on_wires),
    }
}

/// From the beginning of the first of some bit times to the end of the last.
fn turns(Range { start, end }: Range<usize>) -> impl Iterator<Item = Turn> {
    (start..=end).map(move |bit_time| {
        let ended = (bit_time > start).then(|| bit_time - 1);
        Turn {
            edge: ended,
            measured: ended.map(|_| bit_time),
            sending: (bit_time < end).then_some(bit_time),
            ..Turn::default()
        }
    })
}

/// Is shown a block whose bits of a bit time are on its wires, its workers, and what the turn has come to; says how to go on.
type Sent<'s> = dyn FnMut(&mut Block<'_>, &mut [Beside], (usize, Outcome)) -> Outcome + 's;

/// What stays the same during it. Planes are of so many vectors, of so many words.
struct Advance<'a, const WORDS: usize, const VECTORS: usize> {
    pub code: &'a Code,
    /// Planes that stay as they are.
    pub fixed: &'a [u64],
    pub instructions: Instructions,
    pub watch: &'a dyn Watch,
    pub blocking: Blocking,
}

impl<const WORDS: usize, const VECTORS: usize> Advance<'_, WORDS, VECTORS> {
    /// Bytes of a tile and its wires.
    fn bytes(&self) -> usize {
        let planes = self.code.registers() + 2 * self.code.links();
        planes * self.code.layout().shape.words() * size_of::<u64>()
    }

    /// Takes a block through the bit times. Threads beyond the first come from the pool that it is called in.
    fn run(
        &self,
        mut block: Block<'_>,
        bit_times: Range<usize>,
        threads: usize,
    ) -> Result<(), Stopped> {
        let tiles = block.tiles.len();
        if tiles == 1 || (threads == 1 && tiles * self.bytes() <= self.blocking.cache) {
            return self.together(&mut block, bit_times, 1);
        }
        let roads = self.code.roads();
        let (low, links) = match roads.tiles_of_machine() {
            None => return self.together(&mut block, bit_times, threads),
            // Several machines.
            Some(of_machine) if tiles > of_machine => {
                ((tiles / of_machine).div_ceil(2) * of_machine, &[][..])
            }
            Some(of_machine) => {
                let halving = (of_machine / tiles).ilog2() as usize;
                (tiles / 2, roads.join_halves(halving))
            }
        };
        let mut start = bit_times.start;
        while start < bit_times.end {
            let left = start..bit_times.end;
            let (idle_until, busy_until) =
                (self.code).idle_then_busy(links, left, self.blocking.shortest_pause);
            if idle_until > start {
                self.apart(block.split(low), start..idle_until, threads)?;
            }
            if busy_until > idle_until {
                self.together(&mut block, idle_until..busy_until, threads)?;
            }
            start = busy_until;
        }
        Ok(())
    }

    /// Two blocks that do not see each other in these bit times.
    fn apart(
        &self,
        [low, high]: [Block<'_>; 2],
        bit_times: Range<usize>,
        threads: usize,
    ) -> Result<(), Stopped> {
        if threads == 1 {
            self.run(low, bit_times.clone(), 1)?;
            return self.run(high, bit_times, 1);
        }
        let (low, high) = rayon::join(
            || self.run(low, bit_times.clone(), threads - threads / 2),
            || self.run(high, bit_times.clone(), threads / 2),
        );
        low.and(high)
    }

    /// Tiles that depend on each other: bit time after bit time.
    fn together(
        &self,
        block: &mut Block<'_>,
        bit_times: Range<usize>,
        threads: usize,
    ) -> Result<(), Stopped> {
        let mut workers = self.workers(block, threads, Beside::new);
        if let [worker] = &mut workers[..] {
            let nodes = self.nodes(block);
            let goes_on = || self.watch.goes_on(nodes);
            return result(self.alone(block, worker, &mut turns(bit_times), &goes_on));
        }
        self.turn_by_turn(block, bit_times, &mut workers, &mut |_, _, turned| turned.1)
    }

    /// The same, one turn after the other.
    fn turn_by_turn(
        &self,
        block: &mut Block<'_>,
        bit_times: Range<usize>,
        workers: &mut [Beside],
        sent: &mut Sent<'_>,
    ) -> Result<(), Stopped> {
        let nodes = self.nodes(block);
        turns(bit_times).try_for_each(|turn| {
            let mut outcome = self.turn(block, turn, workers);
            if let Some(bit_time) = turn.sending {
                outcome = sent(block, workers, (bit_time, outcome));
            }
            match turn.edge.is_none() || self.watch.goes_on(nodes) {
                true => result(outcome),
                false => Err(Stopped::BrokenOff),
            }
        })
    }

    /// One turn; what was sent in it is then on the wires.
    fn turn(&self, block: &mut Block<'_>, turn: Turn, workers: &mut [Beside]) -> Outcome {
        match workers {
            [worker] => {
                let mut once = std::iter::once(turn);
                let outcome = self.alone(block, worker, &mut once, &|| true);
                std::mem::swap(&mut block.now, &mut block.next);
                outcome
            }
            _ => self.shared(block, turn, workers),
        }
    }

    fn nodes(&self, block: &Block<'_>) -> u64 {
        let layout = self.code.layout();
        let nodes = block.tiles.len() * layout.nodes_of_tile();
        nodes.min(layout.words << layout.in_word()) as u64
    }

    /// One thread takes all tiles of a block through all turns.
    fn alone(
        &self,
        block: &mut Block<'_>,
        beside: &mut Beside,
        turns: &mut dyn Iterator<Item = Turn>,
        goes_on: &dyn Fn() -> bool,
    ) -> Outcome {
        at_work(Work::<WORDS, VECTORS> {
            code: self.code,
            instructions: self.instructions,
            first: block.first,
            before: 0,
            tiles: block.tiles,
            beside,
            wires: Wires::Both(block.now, block.next),
            fixed: self.fixed,
            gauges: block.gauges,
            meters: block.meters,
            turns,
            goes_on,
        })
    }
}
