//! n trees on one port at a time (Ho & Johnsson 1986, 3.3.2): in phase `b` all nodes use port `b`.
//!
//! ```text
//!   phase b, c_b = 0:  sends what is of the next tree above b;  receives, as a leaf, what is of tree b
//!            c_b = 1:  sends what is of tree b, to a leaf;      receives what is of the next tree above b
//!
//!   port b ==> [ arriving ] ==commit where c_b = 1==> [ held ] ==> port b
//! ```
//!
//! So what a node holds is of the next tree at or above `b`, and one packet with the one in flight is all that it needs. The packet
//! on its way in turn `q` is number `q` of its tree; where it has come past port 0 since the source sent it, or goes to a leaf,
//! number `q - 1`. Where a node may send or receive, but not both, each phase has two halves: first relative addresses rise, then
//! they fall.

use arrayvec::ArrayVec;

use crate::language::bit::{Bit, any};
use crate::parts::counter::{Number, width_for};
use crate::registers;
use crate::routers::ports::broadcast::{Broadcast, MOST_DIMENSIONS, Turns};
use crate::routers::ports::orders::{Coming, Named, Names, Orders};
use crate::routers::ports::packet_buffer::{Doing, PacketBuffer};
use crate::routers::ports::relative::{PerPort, Relative, number_on};
use crate::routers::ports::strobes::PortStrobes;

/// What a node keeps, and how it is wired up.
#[derive(Clone, Debug)]
pub struct CyclePath<B: Bit> {
    has_halves: bool,
    turn_bits: usize,
    /// The last packet: its number in its tree, and the tree.
    last: (usize, usize),
    buffer: PacketBuffer<B>,
}
registers!(CyclePath { buffer });

/// What crosses the ports, by the node's end of the link: whether it is there, if its address rises or falls on the way.
struct Crossing<B> {
    rises: PerPort<B>,
    falls: PerPort<B>,
    /// The packet that rises is one of this turn, and not of the one before.
    is_of_this_turn: PerPort<B>,
}

impl<B: Bit> CyclePath<B> {
    pub(super) fn new(broadcast: &Broadcast, turns: &Turns) -> Self {
        let n = broadcast.cube.count();
        let last = broadcast.packets - 1;
        CyclePath {
            has_halves: turns.has_halves,
            turn_bits: width_for(turns.last_turn() as u32),
            last: (last / n, last % n),
            buffer: PacketBuffer::new(broadcast.packet_bits, true),
        }
    }

    pub(super) fn head(&self) -> B {
        self.buffer.head()
    }

    fn crossing(&self, strobes: &PortStrobes<B::Strobe>, relative: &Relative<B>) -> Crossing<B> {
        let n = relative.dimensions();
        let (group, tree) = self.last;
        let turn = number_on::<B>(&strobes.turn, self.turn_bits);
        let (is_first, last) = (turn.equals(0), group as i64);
        let constant = |bit: bool| if bit { B::ONE } else { B::ZERO };
        // Of trees up to that of the last packet there is one more.
        let has_more = relative.next_above(|place| constant(place <= tree));
        let is_source = relative.is_source();
        // Of a number of this turn, or of the turn before: it exists.
        let now = |has_more| turn.at_most(last - 1) | turn.equals(last) & has_more;
        let before = |has_more| !is_first & (turn.at_most(last) | turn.equals(last + 1) & has_more);
        // No 1 above the port: the next one comes after port n-1, and its packet is of this turn.
        let is_of_this_turn: PerPort<B> = (0..n)
            .map(|port| relative.is_clear_from(port + 1))
            .collect();
        let rises = (0..n).map(|port| {
            let more = is_source.mux(constant(port <= tree), has_more[port]);
            is_of_this_turn[port].mux(now(more), before(more))
        });
        Crossing {
            rises: rises.collect(),
            falls: (0..n).map(|port| before(constant(port <= tree))).collect(),
            is_of_this_turn,
        }
    }

    pub(super) fn orders(
        &self,
        strobes: &PortStrobes<B::Strobe>,
        relative: &Relative<B>,
    ) -> Orders<B> {
        let n = relative.dimensions();
        let crossing = self.crossing(strobes, relative);
        let falling = B::from_strobe(strobes.falling);
        let (may_rise, may_fall) = match self.has_halves {
            true => (!falling, falling),
            false => (B::ONE, B::ONE),
        };
        let is_source = relative.is_source();
        let now = |port: usize| B::from_strobe(strobes.phase.line(port));
        let send = (0..n).map(|port| {
            let falls = may_fall & crossing.falls[port] & !relative.is_alone(port);
            now(port)
                & relative
                    .bit(port)
                    .mux(falls, may_rise & crossing.rises[port])
        });
        let comes_rising: PerPort<B> = (0..n)
            .map(|port| now(port) & relative.bit(port) & may_rise & crossing.rises[port])
            .collect();
        let receive: PerPort<B> = (0..n)
            .map(|port| {
                let falls = may_fall & crossing.falls[port] & !is_source;
                comes_rising[port] | now(port) & !relative.bit(port) & falls
            })
            .collect();
        let has_others = if n > 1 { B::ONE } else { B::ZERO };
        Orders {
            send: send.collect(),
            take: PerPort::from_iter([any(receive.iter().copied())]),
            receive,
            keep: PerPort::from_iter([any(comes_rising) & has_others]),
        }
    }

    pub(super) fn names(
        &self,
        strobes: &PortStrobes<B::Strobe>,
        relative: &Relative<B>,
    ) -> Names<B> {
        let n = relative.dimensions();
        let turn = number_on::<B>(&strobes.turn, self.turn_bits);
        let (before, _) = turn.minus(&Number::constant(1));
        let crossing = self.crossing(strobes, relative);
        let next = relative.next_ones();
        let now = |port: usize| B::from_strobe(strobes.phase.line(port));
        let rises: PerPort<B> = (0..n).map(|port| now(port) & relative.bit(port)).collect();
        let is_of_this_turn = any((0..n).map(|port| rises[port] & crossing.is_of_this_turn[port]));
        let trees: ArrayVec<Number<B>, MOST_DIMENSIONS> = (0..n)
            .map(|port| next[port].where_else(relative.bit(port), &Number::constant(port as u32)))
            .collect();
        let width = width_for(n as u32 - 1);
        let tree = Number::of_bits(
            (0..width).map(|bit| any((0..n).map(|port| now(port) & trees[port].bit(bit)))),
        );
        let group = turn.where_else(is_of_this_turn, &before);
        Names::from_iter([Named { group, tree }])
    }

    pub(super) fn clock(
        &mut self,
        strobes: &PortStrobes<B::Strobe>,
        relative: &Relative<B>,
        coming: Coming<'_, B>,
    ) {
        let ports = 0..relative.dimensions();
        let (bit, receives) = coming.one();
        let replaces =
            any(ports.map(|port| B::from_strobe(strobes.phase.line(port)) & relative.bit(port)));
        let fills = (self.has_halves).then_some(strobes.shift & !strobes.falling);
        let doing = Doing {
            bit,
            receives,
            keep: coming.orders.keep[0],
            replaces,
            finishes: B::ZERO,
        };
        self.buffer.clock(strobes, fills, &doing);
    }

    pub(super) fn occupancy(&self, count: &mut dyn FnMut(B, u32)) {
        self.buffer.occupancy(count);
    }
}
