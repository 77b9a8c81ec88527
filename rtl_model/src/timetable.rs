//! What a sequencer broadcasts in a whole run, worked out once.
//!
//! A sequencer of routers in lockstep sees no message, so it does the same in every run, and all machines side by side
//! hear the same. Its run is noted here, bit time by bit time, with the dimensions whose wires are driven: what is to come
//! is then known ahead, and with it which parts of a cube have nothing to do with each other for a while.

use std::ops::Range;

use crate::error::Error;
use crate::router::{Machine, Node, Position, Router, Sequencer};
use crate::strobes::Strobes;
use crate::topology::Topology;
use crate::wires::{Ledger, Transmit};

/// The bit times of a run, and the one in which nothing is under way any more.
pub struct Timetable<R: Machine> {
    bit_times: Vec<BitTime<R>>,
    /// Two units drive one wire; in the bit time at which the table ends.
    conflict: Option<Error>,
}

struct BitTime<R: Machine> {
    sequencer: R::Sequencer<bool>,
    broadcast: R::Broadcast<bool>,
    /// The dimensions whose wires are driven, one bit each.
    driven: u32,
    position: Position,
}

impl<R: Router> Timetable<R> {
    /// Runs the sequencer of a router. Who drives which wire is the same in all nodes, so it is asked of one that holds
    /// no message.
    pub fn of(router: &R) -> Self {
        let topology = router.dimensions();
        let node = router.node::<bool>();
        let address = vec![false; topology.address_bits()];
        let mut wires = vec![false; topology.driven()];
        let mut ledger = Ledger::new(topology.driven());
        let mut sequencer = router.sequencer::<bool>();
        let mut bit_times = Vec::with_capacity(router.bit_times().value as usize + 1);
        loop {
            let mut broadcast = R::Broadcast::idle();
            sequencer.broadcast(&mut broadcast);
            node.transmit(
                &broadcast,
                &address,
                &mut Transmit::new(&mut wires, &mut ledger),
            );
            let is_done = sequencer.is_done();
            let conflict = ledger.conflict().map(|conflict| Error::WireConflict {
                node: 0,
                wire: topology.describe(conflict.wire),
                bit_time: bit_times.len() as u64,
                first: conflict.first,
                second: conflict.second,
            });
            let ends = is_done || conflict.is_some();
            bit_times.push(BitTime {
                position: router.position(&sequencer),
                sequencer: sequencer.clone(),
                broadcast,
                driven: ledger.driven().fold(0, |driven, wire| driven | 1 << wire),
            });
            if ends {
                return Timetable {
                    bit_times,
                    conflict,
                };
            }
            sequencer.clock();
        }
    }

    /// Bit times until the last step is over; up to a conflict, if there is one.
    pub fn length(&self) -> usize {
        self.bit_times.len() - 1
    }

    /// The conflict with which it ends, if it does.
    pub fn conflict(&self) -> Option<&Error> {
        self.conflict.as_ref()
    }

    /// The sequencer in a bit time, [`Timetable::length`] included.
    pub fn sequencer(&self, bit_time: usize) -> &R::Sequencer<bool> {
        &self.bit_times[bit_time].sequencer
    }

    /// Its broadcast.
    #[inline]
    pub fn broadcast(&self, bit_time: usize) -> &R::Broadcast<bool> {
        &self.bit_times[bit_time].broadcast
    }

    /// Where the schedule stands.
    #[inline]
    pub fn position(&self, bit_time: usize) -> Position {
        self.bit_times[bit_time].position
    }

    /// The dimensions whose wires are driven, one bit each.
    #[inline]
    pub fn driven(&self, bit_time: usize) -> u32 {
        self.bit_times[bit_time].driven
    }

    /// Dimensions driven, summed over bit times.
    pub fn driven_wire_bit_times(&self, bit_times: Range<usize>) -> u64 {
        let driven = |bit_time: &BitTime<R>| u64::from(bit_time.driven.count_ones());
        self.bit_times[bit_times].iter().map(driven).sum()
    }

    /// From `from` on: bit times in which a dimension is idle; then those in which it is not, shorter pauses than
    /// `shortest` included. `until` is the end.
    pub(crate) fn idle_then_busy(
        &self,
        dimension: usize,
        Range { start, end }: Range<usize>,
        shortest: usize,
    ) -> (usize, usize) {
        let is_busy = |bit_time: usize| self.driven(bit_time) >> dimension & 1 == 1;
        let next = |from: usize, busy: bool| {
            (from..end)
                .find(|&bit_time| is_busy(bit_time) == busy)
                .unwrap_or(end)
        };
        let mut idle_until = next(start, true);
        if idle_until - start < shortest && idle_until < end {
            idle_until = start;
        }
        let mut busy_until = idle_until;
        loop {
            busy_until = next(next(busy_until, true), false);
            let pause = next(busy_until, true) - busy_until;
            if busy_until == end || pause >= shortest || busy_until + pause == end {
                return (idle_until, busy_until);
            }
        }
    }
}
