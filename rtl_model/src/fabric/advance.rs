//! Many bit times at once: in an order that keeps what is being worked on in the cache, and on several threads.
//!
//! ```text
//!   lane groups of a cube, halved:       bit times -->
//!                                        step 1  |  steps 2 .. 6                    |  step 1 ...
//!                                     +----------+----------------------------------+--
//!     half whose address bit 0 is 0   | all of   |  on its own, to the end of the run
//!                                     | them,    +----------------------------------+--
//!     half whose address bit 0 is 1   | together |  on its own (or on another thread)
//! ```
//!
//! While the wires of the dimension that joins two halves are idle, neither half can see the other: each can go
//! through those bit times by itself, and its halves in turn. The timetable says ahead when that is so. Algorithm 2 never
//! comes back to a dimension, so after its first step 1 the halves are on their own until the end, and after a few
//! iterations the parts fit into the cache. What each node does in each bit time is the same in any order.
//!
//! Within a range of groups, a clock edge and the bits that are sent after it are one pass, from one set of wires to
//! another; so every register is fetched once a bit time.

use std::ops::Range;

use rayon::prelude::*;

use crate::fabric::pass::{Edge, Pass, Scratch, Sending};
use crate::lanes::Lanes;
use crate::router::Router;
use crate::timetable::Timetable;
use crate::topology::Topology;
use crate::topology::hypercube::Dimensions;

/// Looks on while a machine advances. Lane groups are shown in an order that depends on their number and on the threads,
/// each group's bit times in theirs.
pub trait Observer<N>: Send + Sized {
    /// Whether it looks at groups at all.
    const LOOKS: bool = true;

    /// A lane group, once `bit_time` is over.
    fn look(&mut self, bit_time: usize, group: &N);

    /// So many groups have gone through a bit time. Where it answers `false`, the run is broken off.
    fn goes_on(&self, groups: usize) -> bool;

    /// One like it for another thread, that has seen nothing yet.
    fn fork(&self) -> Self;

    /// Takes over what another has seen.
    fn join(&mut self, other: Self);
}

/// Nobody looks.
impl<N> Observer<N> for () {
    const LOOKS: bool = false;

    fn look(&mut self, _bit_time: usize, _group: &N) {}

    fn goes_on(&self, _groups: usize) -> bool {
        true
    }

    fn fork(&self) -> Self {}

    fn join(&mut self, _other: ()) {}
}

/// The run was broken off by its observer; registers are of different bit times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokenOff;

/// Bytes of groups that are run together through many bit times: they and their wires stay in the second-level cache of one
/// core.
const CACHE: usize = 512 << 10;

/// The shortest pause of a dimension that is worth running halves apart.
const SHORTEST_PAUSE: usize = 4;

/// Groups that a thread should have, in a bit time in which all of them depend on each other; less is not worth meeting
/// twice.
const GROUPS_PER_THREAD: usize = 128;

/// Groups that lie side by side, and their wires: before the clock edge and after it.
pub(super) struct Block<'a, N, B> {
    pub first: usize,
    pub nodes: &'a mut [N],
    pub now: &'a mut [B],
    pub next: &'a mut [B],
}

impl<'a, N, B> Block<'a, N, B> {
    fn halves(&mut self) -> [Block<'_, N, B>; 2] {
        let groups = self.nodes.len();
        self.split(groups / 2)
    }

    fn split(&mut self, at: usize) -> [Block<'_, N, B>; 2] {
        let wires = self.now.len() / self.nodes.len() * at;
        let (low, high) = self.nodes.split_at_mut(at);
        let (low_now, high_now) = self.now.split_at_mut(wires);
        let (low_next, high_next) = self.next.split_at_mut(wires);
        [
            Block {
                first: self.first,
                nodes: low,
                now: low_now,
                next: low_next,
            },
            Block {
                first: self.first + at,
                nodes: high,
                now: high_now,
                next: high_next,
            },
        ]
    }
}

/// What stays the same during it.
pub(super) struct Advance<'a, R: Router> {
    pub cube: Dimensions,
    pub timetable: &'a Timetable<R>,
    pub bytes_per_group: usize,
}

/// A thread's room, and its observer.
struct Worker<B, O> {
    scratch: Scratch<B>,
    observer: O,
    driven: Vec<usize>,
}

impl<R: Router> Advance<'_, R> {
    /// Takes a block through the bit times. Threads beyond the first come from the pool that it is called in.
    pub(super) fn run<B: Lanes, O: Observer<R::Node<B>>>(
        &self,
        mut block: Block<'_, R::Node<B>, B>,
        bit_times: Range<usize>,
        observer: &mut O,
        threads: usize,
    ) -> Result<(), BrokenOff> {
        let groups = block.nodes.len();
        if threads == 1 && (groups == 1 || groups * self.bytes_per_group <= CACHE) {
            return self.together(&mut block, bit_times, observer, 1);
        }
        let of_cube = 1 << self.cube.between_groups::<B>();
        if groups > of_cube {
            // Several cubes.
            let low = (groups / of_cube).div_ceil(2) * of_cube;
            return self.apart(block.split(low), bit_times, observer, threads);
        }
        if groups == 1 {
            return self.together(&mut block, bit_times, observer, 1);
        }
        let joins_halves = (of_cube / groups).ilog2() as usize;
        let mut start = bit_times.start;
        while start < bit_times.end {
            let left = start..bit_times.end;
            let (idle_until, busy_until) =
                self.timetable
                    .idle_then_busy(joins_halves, left, SHORTEST_PAUSE);
            if idle_until > start {
                self.apart(block.halves(), start..idle_until, observer, threads)?;
            }
            if busy_until > idle_until {
                self.together(&mut block, idle_until..busy_until, observer, threads)?;
            }
            start = busy_until;
        }
        Ok(())
    }

    /// Two blocks that do not see each other in these bit times.
    fn apart<B: Lanes, O: Observer<R::Node<B>>>(
        &self,
        [low, high]: [Block<'_, R::Node<B>, B>; 2],
        bit_times: Range<usize>,
        observer: &mut O,
        threads: usize,
    ) -> Result<(), BrokenOff> {
        if threads == 1 {
            self.run(low, bit_times.clone(), observer, 1)?;
            return self.run(high, bit_times, observer, 1);
        }
        let mut other = observer.fork();
        let (threads_low, threads_high) = (threads - threads / 2, threads / 2);
        let (low, high) = rayon::join(
            || self.run(low, bit_times.clone(), observer, threads_low),
            || self.run(high, bit_times.clone(), &mut other, threads_high),
        );
        observer.join(other);
        low.and(high)
    }

    /// Groups that depend on each other: bit time after bit time.
    fn together<B: Lanes, O: Observer<R::Node<B>>>(
        &self,
        block: &mut Block<'_, R::Node<B>, B>,
        bit_times: Range<usize>,
        observer: &mut O,
        threads: usize,
    ) -> Result<(), BrokenOff> {
        let groups = block.nodes.len();
        let threads = threads.min(groups / GROUPS_PER_THREAD).max(1);
        let mut workers: Vec<Worker<B, O>> = (0..threads)
            .map(|_| Worker {
                scratch: Scratch::new(&self.cube),
                observer: observer.fork(),
                driven: Vec::with_capacity(self.cube.count()),
            })
            .collect();
        let Range { start, end } = bit_times;
        for bit_time in start..=end {
            let edge = (bit_time > start).then(|| bit_time - 1);
            let sending = (bit_time < end).then_some(bit_time);
            self.pass(block, (edge, sending), &mut workers);
            std::mem::swap(&mut block.now, &mut block.next);
            if edge.is_some() && !observer.goes_on(groups) {
                return Err(BrokenOff);
            }
        }
        for worker in workers {
            observer.join(worker.observer);
        }
        Ok(())
    }

    /// A clock edge, and what is sent after it: all groups of a block, divided among the workers.
    #[inline]
    fn pass<B: Lanes, O: Observer<R::Node<B>>>(
        &self,
        block: &mut Block<'_, R::Node<B>, B>,
        (edge, sending): (Option<usize>, Option<usize>),
        workers: &mut [Worker<B, O>],
    ) {
        let driven = self.cube.driven();
        let first = block.first;
        let now = &*block.now;
        let one = |worker: &mut Worker<B, O>, before: usize, nodes: &mut [R::Node<B>], next: &mut [B]| {
            let Worker {
                scratch,
                observer,
                driven,
            } = worker;
            let ended = edge.unwrap_or(0);
            driven.clear();
            if edge.is_some() {
                let mask = self.timetable.driven(ended);
                driven.extend((0..self.cube.count()).filter(|wire| mask >> wire & 1 == 1));
            }
            let mut look = |node: &R::Node<B>| observer.look(ended, node);
            let pass = Pass::<R, B> {
                topology: &self.cube,
                first: first + before,
                nodes,
                scratch,
                edge: edge.map(|bit_time| Edge {
                    broadcast: self.timetable.broadcast(bit_time),
                    wires: now,
                    groups_before: before,
                    driven,
                    from_host: &[],
                }),
                look: (O::LOOKS && edge.is_some()).then_some(&mut look),
                sending: sending.map(|bit_time| Sending {
                    broadcast: self.timetable.broadcast(bit_time),
                    wires: next,
                    ledger: None,
                }),
            };
            B::perform(pass);
        };
        match workers {
            [worker] => one(worker, 0, block.nodes, block.next),
            workers => {
                let share = block.nodes.len().div_ceil(workers.len());
                block
                    .nodes
                    .par_chunks_mut(share)
                    .zip(block.next.par_chunks_mut(share * driven))
                    .zip(workers)
                    .enumerate()
                    .for_each(|(index, ((nodes, next), worker))| {
                        one(worker, index * share, nodes, next);
                    });
            }
        }
    }
}
