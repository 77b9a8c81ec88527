//! The hardware of the greedy end of schedule `radix4`, for a batch at a time and the beginning of the next.
//!
//! ```text
//!             wires of a and b                    wires of c and d
//!                    ||                                  ||
//!   incoming ---->[exchange]--> list of up to 4 -->[greedy end]--> delivered        three dimensions or four
//!       |            ^   |
//!       +-->[held]---+   +---------------------------------------> delivered        one or two
//! ```
//!
//! Bits come in as they are needed. The bit that is exchanged in a bit time is held for the next, in which the other messages' bits of
//! the same number have come: so the outbox has the next bit already, and the next batch may begin when the last bit is held.

use crate::language::bit::Bit;
use crate::language::wires::Transmit;
use crate::registers;
use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::kuszmaul::batches::radix4::end_windows::EndWindows;
use crate::routers::kuszmaul::batches::radix4::strobes::EndStageStrobes;
use crate::routers::kuszmaul::batches::stage::Incoming;
use crate::routers::kuszmaul::radix4::greedy_end::GreedyEnd;
use crate::routers::kuszmaul::radix4::list_row::ListRow;
use crate::routers::kuszmaul::radix4::list_switch::ListSwitch;
use crate::routers::kuszmaul::radix4::pair_exchange::{PairExchange, PairExchangeStrobes};

/// Registers of it.
#[derive(Clone, Debug)]
pub struct EndStage<B: Bit> {
    windows: EndWindows,
    held: Option<B>,
    home: Option<B>,
    exchange: PairExchange<B>,
    switches: Option<Switches<B>>,
}
registers!(EndStage {
    held: "the bit that was exchanged in the last bit time",
    home: "of two dimensions: the message that was kept over the first is at home, or one that crosses the second",
    exchange: "crosses two dimensions",
    switches: "those of the other dimensions, with lists before them",
});

/// Lists, and who crosses.
#[derive(Clone, Debug)]
struct Switches<B: Bit> {
    lists: ListRow<B>,
    end: GreedyEnd<B>,
}
registers!(Switches { lists, end });

/// The strobes of the exchange, and of what is behind it.
type Both<'a, S> = (&'a PairExchangeStrobes<S>, &'a EndStageStrobes<S>);

impl<B: Bit> EndStage<B> {
    /// A stage of so many dimensions, all registers 0.
    pub fn new(extent: Extent, dimensions: usize) -> Self {
        let windows = EndWindows::new(extent, dimensions);
        let last = windows.last();
        let listed = match dimensions {
            3 => Some(2),
            4 => Some(4),
            _ => None,
        };
        EndStage {
            windows,
            held: (dimensions > 1).then_some(B::ZERO),
            home: (dimensions == 2).then_some(B::ZERO),
            exchange: PairExchange::new(dimensions.min(2), listed),
            switches: listed.map(|listed| Switches {
                lists: ListRow::new(last + 3 - dimensions..last + 1, |dimension| {
                    ListSwitch::new(listed == 4, dimension < last)
                }),
                end: GreedyEnd::new(dimensions - 2),
            }),
        }
    }

    /// The bit that was exchanged last.
    fn held(&self) -> B {
        self.held.unwrap_or(B::ZERO)
    }

    /// The bit that is for the second wire: in a cube of two dimensions one behind that for the first, but for the address bit.
    #[inline]
    fn for_second(&self, strobes: &PairExchangeStrobes<B::Strobe>, incoming: Incoming<B>) -> B {
        match self.windows.dimensions {
            2 => {
                B::choose(strobes.decide_kept, || incoming.bit, || self.held()).named("for_second")
            }
            _ => incoming.bit,
        }
    }

    /// As [`Stage::transmit`](crate::routers::kuszmaul::batches::stage::Stage::transmit).
    #[inline]
    pub fn transmit(
        &self,
        (exchange, strobes): Both<'_, B::Strobe>,
        incoming: Incoming<B>,
        address: &[B],
        wires: &mut Transmit<'_, B>,
    ) {
        let bits = (incoming.bit, self.for_second(exchange, incoming));
        (self.exchange).transmit(exchange, incoming.valid, bits, address, wires);
        if let Some(Switches { lists, end }) = &self.switches {
            end.transmit(
                &strobes.switches,
                lists,
                self.windows.last(),
                address,
                wires,
            );
        }
    }

    /// Whether a message is at home, in a bit time of the exchange's decisions, as far as it is known then.
    #[inline]
    fn arrives(
        &self,
        strobes: &PairExchangeStrobes<B::Strobe>,
        incoming: Incoming<B>,
        address: &[B],
        received: &[B],
    ) -> B {
        let so_far = self.home.unwrap_or(incoming.valid);
        (self.exchange).arrives(strobes, (so_far, incoming.bit), address, received)
    }

    /// As [`Stage::delivered`](crate::routers::kuszmaul::batches::stage::Stage::delivered).
    #[inline]
    pub fn delivered(
        &self,
        (exchange, strobes): Both<'_, B::Strobe>,
        incoming: Incoming<B>,
        address: &[B],
        received: &[B],
    ) -> B {
        if let Some(Switches { lists, end }) = &self.switches {
            let last = self.windows.last();
            return end.delivered(&strobes.switches, lists, last, address, received);
        }
        let (decides, bit) = match self.windows.dimensions {
            1 => (exchange.decide, incoming.bit),
            _ => (exchange.decide_received, self.held()),
        };
        B::choose(
            decides,
            || self.arrives(exchange, incoming, address, received),
            || self.exchange.arriving(exchange, bit, received),
        )
    }

    /// The clock edge.
    #[inline]
    pub fn clock(
        &mut self,
        (exchange, strobes): Both<'_, B::Strobe>,
        incoming: Incoming<B>,
        address: &[B],
        received: &[B],
    ) {
        // What the registers hold before this clock edge.
        let there = self.exchange.there();
        let loads = !strobes.load.is_known_zero() && self.switches.is_some();
        let gathered = loads.then(|| self.exchange.gathered(exchange, self.held(), received));
        if self.home.is_some() {
            B::when(exchange.decide_kept, self, |stage| {
                stage.home = Some(stage.arrives(exchange, incoming, address, received));
            });
        }
        if let Some(held) = &mut self.held {
            B::when(exchange.latch, held, |held| *held = incoming.bit);
        }
        if let Some(Switches { lists, end }) = &mut self.switches {
            let last = self.windows.last();
            let before = end.before(lists, last);
            let there = (last, there);
            end.clock(&strobes.switches, lists, before, there, address, received);
            if let Some(gathered) = gathered {
                let first = last + 3 - self.windows.dimensions;
                B::when(strobes.load, lists.stage_mut(first), |list| {
                    list.load(gathered)
                });
            }
        }
        (self.exchange).clock(exchange, (incoming.valid, incoming.bit), address, received);
    }

    /// As [`Stage::occupancy`](crate::routers::kuszmaul::batches::stage::Stage::occupancy): a bit that is held is counted there until
    /// it has entered a list or is at home, and in a list until it has left over both lanes.
    pub fn occupancy(&self, t: i64, count: &mut dyn FnMut(B, u32)) {
        let windows = self.windows;
        let [_, taken] = windows.takes();
        let first = self.exchange.first();
        let gone = match windows.dimensions {
            1 | 2 => windows.delivers(),
            _ => windows.enters(),
        };
        if taken.over(t) > gone.over(t) {
            count(first.leaving(), 1);
            count(first.staying(), 1);
        }
        let Some(Switches { end, .. }) = &self.switches else {
            return;
        };
        let in_list = |count: &mut dyn FnMut(B, u32), flags: [B; 4]| {
            flags.into_iter().for_each(|flag| count(flag, 1));
        };
        // The last switch's list is filled in the bit time before its lane; the other's before its first lane, and read until the
        // second is over. Decided, an address bit is no longer needed.
        let before_last = match windows.dimensions {
            4 => windows.enters().contains(t) || windows.before_last_lane(0).contains(t) && t > 5,
            _ => false,
        };
        if before_last {
            in_list(count, end.at_before_last());
        }
        if windows.last_lane().contains(t + 1) {
            in_list(count, end.at_last());
        }
    }

    /// As [`Stage::messages`](crate::routers::kuszmaul::batches::stage::Stage::messages).
    pub fn messages(&self, t: i64, count: &mut dyn FnMut(B)) {
        let known = self.windows.delivers_at() as i64;
        if !(0..known).contains(&t) {
            return;
        }
        match (&self.switches, t) {
            (None, 1) => {
                count(self.home.unwrap_or(B::ZERO));
                count(self.exchange.received());
            }
            (Some(Switches { lists, .. }), 6) => {
                let list = lists.stage(self.windows.last()).list();
                list.into_iter().for_each(count);
            }
            (Some(Switches { end, .. }), 7..) => end.at_last().into_iter().for_each(count),
            _ => self.exchange.places().into_iter().for_each(count),
        }
    }
}
