//! The sequencer of schedule `radix4`: what happens in each group, from its beginning.
//!
//! ```text
//!   group of two dimensions (radix 4), m and L = m+D left
//!     who crosses               0, 1, 2
//!     enumerate                 3 ..            stage by stage: `windows.rs`
//!     exchange counts           m+3 ..
//!     exchange messages         m+4 .. m+3+2L   two bit times a bit
//!     pack messages             m+6 ..
//!     the next group            m+2L+7; one of one dimension: m+2L+6
//!
//!   group of one dimension (radix 2), m = 4: e = 1, s = 5, or one later behind another group
//!     who crosses               0
//!     enumerate                 e ..
//!     exchange counts           s ..
//!     exchange messages         s+1 .. s+L
//!     pack messages             s+2 ..
//!     the next group            s+L+3
//!
//!   greedy end                  dimensions a, b and, if it has so many, c and d
//!     one dimension             a: who 0, bits 1 .. D
//!     two                       a: who 0, address 1, bits 2 ..    b: who 1, 2, bits 3 .. D+2
//!     three or four             a: who 0, bits 1, 3, 5, ..        b: who 1, 2, bits 3, 4, ..
//!                               c of three: who 5, bits 7, 9, ..
//!                               c of four: who 5, 6, bits 7, 8, ..     d: who 9, bits 11, 13, ..
//! ```
//!
//! A buffer gives its bits away while others arrive. All nodes give and take in the same bit times,
//! so all buffers are equally full: how full, the sequencer counts, and a bit arrives just there
//! (`level`).

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::{Position, Sequencer};
use crate::parts::counter::Counter;
use crate::registers;
use crate::routers::kuszmaul::radix4::bits::MessageBits;
use crate::routers::kuszmaul::radix4::clock::{GroupClock, GroupNow};
use crate::routers::kuszmaul::radix4::count_row::CountRowStrobes;
use crate::routers::kuszmaul::radix4::dimension_groups::{DimensionGroups, Kind};
use crate::routers::kuszmaul::radix4::greedy_end::GreedyEndStrobes;
use crate::routers::kuszmaul::radix4::list_row::ListRowStrobes;
use crate::routers::kuszmaul::radix4::pair_exchange::PairExchangeStrobes;
use crate::routers::kuszmaul::radix4::strobes::Radix4Strobes;
use crate::routers::kuszmaul::radix4::windows::{DELIVERS, Windows};

/// Codes of the steps.
const CROSS: u32 = 1;
const ENUMERATE: u32 = 2;
const EXCHANGE_COUNTS: u32 = 3;
const PACK: u32 = 4;
const GREEDY_END: u32 = 5;
const DONE: u32 = 6;

/// A clock, the level of the message buffers, and their decode.
#[derive(Clone, Debug)]
pub struct Radix4Sequencer<B: Bit> {
    groups: DimensionGroups,
    clock: GroupClock<B>,
    /// Where bits arrive at one position always, nobody needs to know it.
    level: Option<Counter<B>>,
}
registers!(Radix4Sequencer {
    clock,
    level: "bits in a message buffer",
});

impl<S: Strobe> Radix4Sequencer<S> {
    /// About to begin the first group.
    pub fn new(groups: DimensionGroups) -> Self {
        let (lowest, highest) = groups.arrivals().into_inner();
        let bits = (groups.size.dimensions + groups.size.payload_bits) as u32;
        Radix4Sequencer {
            groups,
            clock: GroupClock::new(groups),
            level: (lowest < highest).then(|| Counter::new(bits, bits).named("level")),
        }
    }

    fn broadcast_exchange(
        &self,
        (now, bits): (&GroupNow<S>, &MessageBits<S>),
        strobes: &mut PairExchangeStrobes<S>,
    ) {
        let k = self.groups.size.dimensions;
        let crosses_two = match self.groups.greedy {
            1 => now.four,
            _ => now.four | now.greedy,
        };
        let streams = bits.first_half | bits.ahead;
        strobes.decide = (now.running & now.at(0)).named("decide");
        strobes.decide_kept = (crosses_two & now.at(1)).named("decide_kept");
        strobes.decide_received = (crosses_two & now.at(2)).named("decide_received");
        strobes.latch = streams;
        strobes.send_kept = bits.first_half | bits.behind;
        strobes.send_received = bits.second_half | bits.behind;
        strobes.lone = now.two;
        let decides = strobes.decide | strobes.decide_kept;
        strobes
            .first
            .drive(decides | streams | bits.only, 0..k, |dimension| {
                self.is_nth(now, dimension, 0)
            });
        let decides = strobes.decide_kept | strobes.decide_received;
        let streams = strobes.send_kept | strobes.send_received;
        strobes.second.drive(decides | streams, 1..k, |dimension| {
            self.is_nth(now, dimension, 1)
        });
    }

    /// 1 where `dimension` is the `n`-th of the group, from 0.
    fn is_nth(&self, now: &GroupNow<S>, dimension: usize, n: usize) -> S {
        let groups = self.groups;
        let end = |group| groups.size.dimensions - groups.free_dimensions(group);
        (0..groups.count())
            .filter(|&group| {
                groups.first_dimension(group) + n == dimension && dimension < end(group)
            })
            .fold(S::ZERO, |is, group| is | now.is_group(group))
    }

    fn broadcast_counting(
        &self,
        (now, windows): (&GroupNow<S>, &Windows<'_, S>),
        strobes: &mut CountRowStrobes<S>,
    ) {
        let listed = || self.groups.listed();
        let packs = match self.groups.packs() {
            true => now.four | now.two,
            false => S::ZERO,
        };
        strobes
            .inject
            .drive_within(packs, listed(), |d| windows.inject(d));
        strobes
            .count_bit
            .drive_within(packs, 0..3, |bit| windows.count_bit(bit));
        strobes
            .enumerate
            .drive_within(packs, listed(), |d| windows.enumerate(d));
        strobes
            .exchange
            .drive_within(packs, listed(), |d| windows.exchange(d));
        strobes
            .packing
            .drive_within(packs, listed(), |d| windows.controls(d));
        let packing = &strobes.packing;
        strobes
            .add
            .drive_within(packs, listed(), |d| windows.enumerates(d) | packing.line(d));
        strobes
            .begin_enumerating
            .drive_within(packs, listed(), |d| windows.begin_enumerating(d));
        strobes
            .begin_packing
            .drive_within(packs, listed(), |d| windows.controls_bit(d, 0));
        strobes
            .second_bit
            .drive_within(packs, listed(), |d| windows.controls_bit(d, 1));
        strobes
            .third_bit
            .drive_within(packs, listed(), |d| windows.controls_bit(d, 2));
    }

    fn broadcast_packing(
        &self,
        (now, windows, bits): (&GroupNow<S>, &Windows<'_, S>, &MessageBits<S>),
        strobes: &mut ListRowStrobes<S>,
    ) {
        let groups = self.groups;
        let packs = match groups.packs() {
            true => now.running,
            false => S::ZERO,
        };
        strobes
            .first
            .drive_within(packs, groups.listed(), |d| windows.first_lane(d));
        strobes
            .second
            .drive_within(packs, groups.listed(), |d| windows.second_lane(d));
        strobes
            .only
            .drive_within(packs, groups.listed(), |d| windows.only_lane(d));
        strobes
            .advance
            .drive_within(packs, groups.listed(), |d| windows.advance(d));
        let lists = bits.second_half | bits.only;
        // Behind a group of two dimensions, or the first two of the greedy end; behind a group of
        // one.
        strobes.load.drive(lists, groups.listed(), |dimension| {
            (0..groups.count())
                .filter(|&group| {
                    let consumed = match groups.kind(group) {
                        Kind::Two => 1,
                        Kind::Four | Kind::Greedy => 2,
                    };
                    groups.first_dimension(group) + consumed == dimension
                })
                .fold(S::ZERO, |is, group| is | now.is_group(group))
        });
    }

    fn broadcast_greedy_end(&self, now: &GroupNow<S>, strobes: &mut GreedyEndStrobes<S>) {
        let payload_bits = self.groups.size.payload_bits;
        let (odd, greedy) = (now.is_odd(), now.greedy);
        let at = |bit_time| S::gated(greedy, || now.at(bit_time));
        let between = |from, until| S::gated(greedy, || now.between(from, until));
        match self.groups.greedy {
            3 => {
                strobes.arm_last = at(4);
                strobes.decide_last = at(5);
                strobes.last_lane = between(5, 2 * payload_bits + 5) & odd;
            }
            4 => {
                strobes.arm_before_last = at(4);
                strobes.decide_before_last = at(5);
                strobes.announce = between(5, 6);
                let lanes = between(5, 2 * payload_bits + 8);
                strobes.first_lane = lanes & odd;
                strobes.second_lane = lanes & !odd;
                strobes.arm_last = at(7);
                strobes.decide_last = at(9);
                strobes.last_lane = between(9, 2 * payload_bits + 9) & odd;
            }
            _ => {}
        }
    }

    /// A bit leaves the message buffers; a bit arrives at them.
    fn moves(&self, now: &GroupNow<S>, bits: &MessageBits<S>, windows: &Windows<'_, S>) -> (S, S) {
        let groups = self.groups;
        let decides = now.running & now.at(0);
        let shift = match groups.greedy {
            1 => decides | bits.only,
            // The second wire is one bit behind, and its address bit stays at the head for it.
            2 => decides | bits.ahead | bits.behind,
            _ => {
                let second = now.at(1) & !now.two;
                decides | (now.running & second) | bits.second_half | bits.only
            }
        };
        let payload_bits = groups.size.payload_bits;
        let at_home = match groups.greedy {
            1 => bits.only,
            2 => bits.behind,
            3 => now.greedy & now.is_odd() & now.between(7, 2 * payload_bits + 5),
            _ => now.greedy & now.is_odd() & now.between(11, 2 * payload_bits + 9),
        };
        let last = groups.size.dimensions - 1;
        let packed = match groups.packs() {
            true => now.running & (windows.second_lane(last) | windows.only_lane(last)),
            false => S::ZERO,
        };
        (shift.named("shift"), (packed | at_home).named("arrives"))
    }

    fn broadcast_buffer(
        &self,
        (now, windows, bits): (&GroupNow<S>, &Windows<'_, S>, &MessageBits<S>),
        strobes: &mut Radix4Strobes<S>,
    ) {
        let groups = self.groups;
        let (shift, arrives) = self.moves(now, bits, windows);
        strobes.shift = shift;
        let (lowest, highest) = groups.arrivals().into_inner();
        strobes
            .arrive
            .drive(arrives, 0..highest + 1 - lowest, |above| {
                let position = (lowest + above) as i64;
                match &self.level {
                    None => S::ONE,
                    Some(level) => S::choose(
                        shift,
                        || level.number().equals(position + 1),
                        || level.number().equals(position),
                    ),
                }
            });
        strobes.valid = match groups.greedy {
            1 => strobes.exchange.decide,
            2 => strobes.exchange.decide_kept | strobes.exchange.decide_received,
            _ => strobes.greedy.decide_last,
        } | S::gated(now.four, || now.is(DELIVERS))
            | S::gated(now.two, || now.at(groups.two_times().packing + 7));
    }
}

impl<S: Strobe> Sequencer<S> for Radix4Sequencer<S> {
    type Broadcast = Radix4Strobes<S>;

    fn broadcast(&self, strobes: &mut Radix4Strobes<S>) {
        let now = self.clock.now();
        let (bits, windows) = (
            MessageBits::new(self.groups, &now),
            Windows::new(self.groups, &now),
        );
        self.broadcast_exchange((&now, &bits), &mut strobes.exchange);
        self.broadcast_greedy_end(&now, &mut strobes.greedy);
        self.broadcast_counting((&now, &windows), &mut strobes.counting);
        self.broadcast_packing((&now, &windows, &bits), &mut strobes.packing);
        self.broadcast_buffer((&now, &windows, &bits), strobes);
    }

    fn clock(&mut self) {
        if self.level.is_some() {
            let now = self.clock.now();
            let (bits, windows) = (
                MessageBits::new(self.groups, &now),
                Windows::new(self.groups, &now),
            );
            let (shift, arrives) = self.moves(&now, &bits, &windows);
            if let Some(level) = &mut self.level {
                level.count_up_or_down(arrives, shift);
            }
        }
        self.clock.clock();
    }

    fn is_done(&self) -> S {
        self.clock.is_done()
    }
}

impl Radix4Sequencer<bool> {
    /// Where the schedule stands: the step that began last.
    pub fn position(&self) -> Position {
        let (group, bit_time) = self.clock.values();
        let m = self.groups.free_dimensions(group as usize) as u32;
        let times = self.groups.two_times();
        let begins = match self.groups.kind(group as usize) {
            Kind::Four => [3, m + 3, m + 6],
            Kind::Two => [times.enumeration, times.packing, times.packing + 2].map(|t| t as u32),
            Kind::Greedy => [u32::MAX; 3],
        };
        let step = match self.groups.kind(group as usize) {
            _ if self.clock.is_done() => DONE,
            Kind::Greedy => GREEDY_END,
            _ => match begins.iter().filter(|begin| **begin <= bit_time).count() {
                0 => CROSS,
                1 => ENUMERATE,
                2 => EXCHANGE_COUNTS,
                _ => PACK,
            },
        };
        Position {
            iteration: group,
            step,
            bit_time,
        }
    }
}
