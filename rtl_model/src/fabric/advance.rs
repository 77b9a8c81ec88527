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

use std::ops::Range;

use rayon::prelude::*;

use crate::fabric::How;
use crate::instructions::Instructions;
use crate::program::work::{Beside, Measuring, Pass};
use crate::program::{Code, Readings, Shape};

/// Is told how far a run is.
pub trait Watch: Sync {
    /// So many nodes have gone through a bit time. Where it answers `false`, the run is broken off.
    fn goes_on(&self, node_bit_times: u64) -> bool;
}

/// Nobody asks.
impl Watch for () {
    fn goes_on(&self, _node_bit_times: u64) -> bool {
        true
    }
}

/// The run was broken off; registers are of different bit times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BrokenOff;

/// Bytes of tiles that are run together through many bit times: they and their wires stay in the second-level cache of one
/// core.
const CACHE: usize = 512 << 10;

/// The shortest pause of a dimension that is worth running halves apart.
const SHORTEST_PAUSE: usize = 4;

/// Bytes that a thread should have to go through, in a bit time in which all tiles depend on each other; less is not worth
/// meeting again after it.
const BYTES_PER_THREAD: usize = 2 << 20;

/// Tiles that lie side by side, and their wires: in the bit time that ends, and in the next.
pub(super) struct Block<'a> {
    pub first: usize,
    pub tiles: usize,
    pub planes: &'a mut [u64],
    pub now: &'a mut [u64],
    pub next: &'a mut [u64],
    /// What the tiles' gauges remember.
    pub gauges: &'a mut [u32],
}

impl Block<'_> {
    fn split(&mut self, at: usize) -> [Block<'_>; 2] {
        let share = |all: usize| all / self.tiles * at;
        let (planes, wires) = (share(self.planes.len()), share(self.now.len()));
        let (low_planes, high_planes) = self.planes.split_at_mut(planes);
        let (low_now, high_now) = self.now.split_at_mut(wires);
        let (low_next, high_next) = self.next.split_at_mut(wires);
        let gauges = share(self.gauges.len());
        let (low_gauges, high_gauges) = self.gauges.split_at_mut(gauges);
        [
            Block {
                first: self.first,
                tiles: at,
                planes: low_planes,
                now: low_now,
                next: low_next,
                gauges: low_gauges,
            },
            Block {
                first: self.first + at,
                tiles: self.tiles - at,
                planes: high_planes,
                now: high_now,
                next: high_next,
                gauges: high_gauges,
            },
        ]
    }
}

/// Takes all tiles through the bit times, in planes of the shape that the code is made for.
pub(super) fn advance(
    code: &Code,
    block: Block<'_>,
    bit_times: Range<usize>,
    how: &How<'_>,
) -> Result<(), BrokenOff> {
    match code.layout().shape {
        Shape { vector: 1, .. } => in_planes_of::<1, 1>(code, block, bit_times, how),
        Shape { vector: 2, .. } => in_planes_of::<2, 1>(code, block, bit_times, how),
        Shape { tile: 1, .. } => in_planes_of::<4, 1>(code, block, bit_times, how),
        Shape { tile: 2, .. } => in_planes_of::<4, 2>(code, block, bit_times, how),
        Shape { tile: 4, .. } => in_planes_of::<4, 4>(code, block, bit_times, how),
        Shape { tile: 8, .. } => in_planes_of::<4, 8>(code, block, bit_times, how),
        _ => in_planes_of::<4, 16>(code, block, bit_times, how),
    }
}

fn in_planes_of<const WORDS: usize, const VECTORS: usize>(
    code: &Code,
    mut block: Block<'_>,
    bit_times: Range<usize>,
    how: &How<'_>,
) -> Result<(), BrokenOff> {
    let advance = Advance::<WORDS, VECTORS> {
        code,
        instructions: how.instructions,
        watch: how.watch,
        readings: how.readings,
    };
    if how.readings.is_some() {
        advance.measure_anew(&mut block, bit_times.start);
    }
    advance.run(block, bit_times, how.threads.max(1))
}

/// What stays the same during it. Planes are of so many vectors, of so many words.
struct Advance<'a, const WORDS: usize, const VECTORS: usize> {
    pub code: &'a Code,
    pub instructions: Instructions,
    pub watch: &'a dyn Watch,
    /// Where is read what is measured.
    pub readings: Option<&'a Readings>,
}

impl<const WORDS: usize, const VECTORS: usize> Advance<'_, WORDS, VECTORS> {
    /// Bytes of a tile and its wires.
    fn bytes(&self) -> usize {
        let planes = self.code.registers() + 2 * self.code.layout().dimensions();
        planes * VECTORS * WORDS * size_of::<u64>()
    }

    /// Takes a block through the bit times. Threads beyond the first come from the pool that it is called in.
    fn run(
        &self,
        mut block: Block<'_>,
        bit_times: Range<usize>,
        threads: usize,
    ) -> Result<(), BrokenOff> {
        let tiles = block.tiles;
        if tiles == 1 || (threads == 1 && tiles * self.bytes() <= CACHE) {
            return self.together(&mut block, bit_times, 1);
        }
        let of_cube = self.code.layout().tiles_of_cube();
        if tiles > of_cube {
            // Several cubes.
            let low = (tiles / of_cube).div_ceil(2) * of_cube;
            return self.apart(block.split(low), bit_times, threads);
        }
        let joins_halves = (of_cube / tiles).ilog2() as usize;
        let mut start = bit_times.start;
        while start < bit_times.end {
            let left = start..bit_times.end;
            let (idle_until, busy_until) =
                (self.code).idle_then_busy(joins_halves, left, SHORTEST_PAUSE);
            if idle_until > start {
                self.apart(block.split(tiles / 2), start..idle_until, threads)?;
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
    ) -> Result<(), BrokenOff> {
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
    ) -> Result<(), BrokenOff> {
        let worth_it = block
            .tiles
            .min(block.tiles * self.bytes() / BYTES_PER_THREAD);
        let threads = threads.min(worth_it).max(1);
        let mut workers: Vec<Beside> = (0..threads).map(|_| Beside::new(self.code)).collect();
        let nodes = (block.tiles * self.code.layout().nodes_of_tile()) as u64;
        let Range { start, end } = bit_times;
        for bit_time in start..=end {
            let turn = Turn {
                edge: (bit_time > start).then(|| bit_time - 1),
                measured: (bit_time > start).then_some(bit_time),
                anew: false,
                sending: (bit_time < end).then_some(bit_time),
            };
            self.pass(block, turn, &mut workers);
            let edge = turn.edge;
            std::mem::swap(&mut block.now, &mut block.next);
            if edge.is_some() && !self.watch.goes_on(nodes) {
                return Err(BrokenOff);
            }
        }
        Ok(())
    }

    /// Measures all tiles as they are when a bit time begins of which nothing is known.
    fn measure_anew(&self, block: &mut Block<'_>, bit_time: usize) {
        let turn = Turn {
            edge: None,
            measured: Some(bit_time),
            anew: true,
            sending: None,
        };
        self.pass(block, turn, &mut [Beside::new(self.code)]);
    }

    /// All tiles of a block, divided among the workers.
    #[inline]
    fn pass(&self, block: &mut Block<'_>, turn: Turn, workers: &mut [Beside]) {
        let now = &*block.now;
        let first = block.first;
        let share = |(((planes, next), gauges), beside), before| {
            let measured = turn.measured.zip(self.readings);
            self.instructions.perform(Pass::<WORDS, VECTORS> {
                code: self.code,
                first: first + before,
                before,
                planes,
                beside,
                edge: turn.edge.map(|bit_time| (bit_time, now)),
                measuring: measured.map(|(bit_time, readings)| Measuring {
                    bit_time,
                    gauges,
                    anew: turn.anew,
                    readings,
                }),
                sending: turn.sending.map(|bit_time| (bit_time, next)),
            });
        };
        let whole = |planes, next, gauges, beside| share((((planes, next), gauges), beside), 0);
        if let [worker] = workers {
            return whole(block.planes, block.next, block.gauges, worker);
        }
        let tiles = block.tiles.div_ceil(workers.len());
        let of_tiles = |all: usize| all / block.tiles * tiles;
        let (planes, wires) = (of_tiles(block.planes.len()), of_tiles(block.next.len()));
        let gauges = of_tiles(block.gauges.len());
        let planes = block.planes.par_chunks_mut(planes);
        let next = block.next.par_chunks_mut(wires);
        if gauges == 0 {
            let none = (0..workers.len())
                .into_par_iter()
                .map(|_| Default::default());
            let shares = planes.zip(next).zip(none).zip(workers).enumerate();
            shares.for_each(|(index, what)| share(what, index * tiles));
        } else {
            let gauges = block.gauges.par_chunks_mut(gauges);
            let shares = planes.zip(next).zip(gauges).zip(workers).enumerate();
            shares.for_each(|(index, what)| share(what, index * tiles));
        }
    }
}

/// A pass: the bit time that ends, the one that is measured as it begins, the one whose bits are sent.
#[derive(Clone, Copy)]
struct Turn {
    edge: Option<usize>,
    measured: Option<usize>,
    anew: bool,
    sending: Option<usize>,
}
