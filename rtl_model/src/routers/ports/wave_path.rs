//! n trees on all ports: waves of packets, from distance to distance (Ho & Johnsson 1986, 3.3.2, all ports; Stout & Wagar 1987,
//! BROADCAST 3A, 3B and 4).
//!
//! ```text
//!   step t, distance w:   group t-w goes out on every port but the one to the source
//!
//!   port k, c_k = 1 ==> [ arriving k ] ==commit==> [ held k ] ==> ports above k, up to the next 1
//!   port k, c_k = 0 ==> the host alone
//! ```
//!
//! The packet of a tree comes where the nearest 1 below is. In BROADCAST 3B and 4 there is a wave more, of the last group, in which
//! what goes where tree `j` goes is packet `j + 1`: so all at distance `n - 1` get the packet that they lack a step before the wave
//! that comes back from the opposite corner would bring it.

use arrayvec::ArrayVec;

use crate::language::bit::Bit;
use crate::parts::counter::{Number, width_for};
use crate::parts::module_array::ModuleArray;
use crate::registers;
use crate::routers::ports::algorithm::Algorithm;
use crate::routers::ports::broadcast::{Broadcast, MOST_DIMENSIONS, Turns};
use crate::routers::ports::orders::{Coming, Named, Names, Orders};
use crate::routers::ports::packet_buffer::{Doing, PacketBuffer};
use crate::routers::ports::relative::{PerPort, Relative, number_on};
use crate::routers::ports::strobes::PortStrobes;

/// What a node keeps, and how it is wired up.
#[derive(Clone, Debug)]
pub struct WavePath<B: Bit> {
    turn_bits: usize,
    /// Groups, and packets of the last one.
    groups: usize,
    of_last: usize,
    has_second_wave: bool,
    buffers: ModuleArray<PacketBuffer<B>>,
}
registers!(WavePath { buffers: "by port" });

/// The group on its way between two distances.
struct Group<B> {
    number: Number<B>,
    /// There is such a wave.
    is_there: B,
    is_last: B,
    is_second_wave: B,
}

impl<B: Bit> WavePath<B> {
    pub(super) fn new(broadcast: &Broadcast, turns: &Turns) -> Self {
        let n = broadcast.cube.count();
        let is_double = broadcast.algorithm != Algorithm::Broadcast3A;
        let buffer = || PacketBuffer::new(broadcast.packet_bits, is_double);
        WavePath {
            turn_bits: width_for(turns.last_turn() as u32),
            groups: broadcast.groups(),
            of_last: broadcast.last_group(),
            has_second_wave: matches!(
                broadcast.algorithm,
                Algorithm::Broadcast3B | Algorithm::Broadcast4
            ),
            buffers: ModuleArray::new("port", (0..n).map(|_| buffer())),
        }
    }

    /// What the ports send.
    pub(super) fn heads(&self, relative: &Relative<B>) -> PerPort<B> {
        relative.nearest_below(|port| self.buffers[port].head())
    }

    /// The group that leaves distance `from` in this step.
    fn group(&self, strobes: &PortStrobes<B::Strobe>, from: &Number<B>) -> Group<B> {
        let turn = number_on::<B>(&strobes.turn, self.turn_bits);
        let (number, is_early) = turn.minus(from);
        let last = self.groups as i64 - 1;
        let waves = if self.has_second_wave { last + 1 } else { last };
        Group {
            is_there: !is_early & number.at_most(waves),
            is_last: number.equals(last),
            is_second_wave: match self.has_second_wave {
                true => number.equals(last + 1),
                false => B::ZERO,
            },
            number,
        }
    }

    /// Whether the packet of a tree is there, if its tree is one of `in_wave` in the first wave and of `in_second` in the second.
    fn exists(&self, group: &Group<B>, in_wave: B, in_second: B) -> B {
        let lacks = group.is_last & !in_wave | group.is_second_wave & !in_second;
        group.is_there & !lacks
    }

    /// Whether the last group has a packet of that tree; in the second wave, of the next.
    fn has_tree(&self, tree: usize, n: usize) -> [B; 2] {
        let constant = |bit: bool| if bit { B::ONE } else { B::ZERO };
        [tree, (tree + 1) % n].map(|packet| constant(packet < self.of_last))
    }

    /// For each port, what is true of the next tree above it.
    fn next_has(&self, relative: &Relative<B>, wave: usize) -> PerPort<B> {
        let n = relative.dimensions();
        relative.next_above(|place| self.has_tree(place, n)[wave])
    }

    /// The groups that leave the node, that come to it from nearer the source, and from farther away.
    fn groups_about(
        &self,
        strobes: &PortStrobes<B::Strobe>,
        relative: &Relative<B>,
    ) -> [Group<B>; 3] {
        let ones = relative.ones();
        let (nearer, _) = ones.minus(&Number::constant(1));
        let farther = ones.add(&Number::constant(1), "");
        [&ones, &nearer, &farther].map(|from| self.group(strobes, from))
    }

    pub(super) fn orders(
        &self,
        strobes: &PortStrobes<B::Strobe>,
        relative: &Relative<B>,
    ) -> Orders<B> {
        let n = relative.dimensions();
        let [leaves, rises, falls] = self.groups_about(strobes, relative);
        let next = [0, 1].map(|wave| self.next_has(relative, wave));
        let is_source = relative.is_source();
        let send = (0..n).map(|port| {
            let [own, own_second] = self.has_tree(port, n);
            // Across a port with a 1, and from the source, goes what is of the tree of the port.
            let is_own = relative.bit(port) | is_source;
            let wave = is_own.mux(own, next[0][port]);
            let second = is_own.mux(own_second, next[1][port]);
            self.exists(&leaves, wave, second) & !relative.is_alone(port)
        });
        let comes = |port: usize| {
            let [own, own_second] = self.has_tree(port, n);
            let rises = self.exists(&rises, next[0][port], next[1][port]);
            let falls = self.exists(&falls, own, own_second) & !is_source;
            relative.bit(port).mux(rises, falls)
        };
        let receive: PerPort<B> = (0..n).map(comes).collect();
        let wanted = self.wanted(&rises, relative);
        let take = (0..n).map(|port| {
            let second = relative
                .bit(port)
                .mux(rises.is_second_wave, falls.is_second_wave);
            receive[port] & second.mux(wanted[port], B::ONE)
        });
        let goes_on = match n {
            1 => B::ZERO,
            _ => !B::from_strobe(strobes.last),
        };
        let keep = (0..n).map(|port| receive[port] & relative.bit(port) & goes_on);
        Orders {
            take: take.collect(),
            keep: keep.collect(),
            send: send.collect(),
            receive,
        }
    }

    /// For each port, whether what comes in the second wave is new to the node: one 0 is left in its address, and it is the
    /// packet of that tree.
    fn wanted(&self, rises: &Group<B>, relative: &Relative<B>) -> PerPort<B> {
        let n = relative.dimensions();
        if !self.has_second_wave {
            return (0..n).map(|_| B::ZERO).collect();
        }
        let is_lacking = relative.next_above(|place| !relative.bit((place + 1) % n));
        let is_almost_there = relative.ones().equals(n as i64 - 1);
        (0..n)
            .map(|port| {
                rises.is_second_wave & relative.bit(port) & is_almost_there & is_lacking[port]
            })
            .collect()
    }

    pub(super) fn names(
        &self,
        strobes: &PortStrobes<B::Strobe>,
        relative: &Relative<B>,
    ) -> Names<B> {
        let n = relative.dimensions();
        let [_, rises, falls] = self.groups_about(strobes, relative);
        let next: ArrayVec<Number<B>, MOST_DIMENSIONS> = relative.next_ones();
        let last = Number::constant(self.groups as u32 - 1);
        let wrapped = |tree: &Number<B>| {
            let is_highest = tree.equals(n as i64 - 1);
            Number::constant(0).where_else(is_highest, &tree.one_more())
        };
        (0..n)
            .map(|port| {
                let rising = relative.bit(port);
                let tree = next[port].where_else(rising, &Number::constant(port as u32));
                let second = rising.mux(rises.is_second_wave, falls.is_second_wave);
                let group = rises.number.where_else(rising, &falls.number);
                Named {
                    group: last.where_else(second, &group),
                    tree: wrapped(&tree).where_else(second, &tree),
                }
            })
            .collect()
    }

    pub(super) fn clock(
        &mut self,
        strobes: &PortStrobes<B::Strobe>,
        relative: &Relative<B>,
        coming: Coming<'_, B>,
    ) {
        for (port, buffer) in self.buffers.iter_mut().enumerate() {
            let doing = Doing {
                bit: coming.received[port],
                receives: coming.orders.receive[port] & relative.bit(port),
                keep: coming.orders.keep[port],
                replaces: B::ONE,
                finishes: B::ZERO,
            };
            buffer.clock(strobes, None, &doing);
        }
    }

    pub(super) fn occupancy(&self, count: &mut dyn FnMut(B, u32)) {
        for buffer in self.buffers.iter() {
            buffer.occupancy(count);
        }
    }
}
