//! The hardware of a group of two dimensions of schedule `radix4`, for a batch at a time and the beginning of the next.
//!
//! ```text
//!                           wires of a and b        wires of the dimensions above them
//!                                 ||                          ||||
//!   incoming --address bits-->[exchange]--how many--> [counting]  |  enumerates, then sets the switches
//!       |                         ^  |                    |       |
//!       +----> [waiting] ---------+  +--list of up to 4-->[packing]--spread out--> delivered
//! ```
//!
//! A message waits where it is until it is known where it goes: at its source, before it crosses, so that there is one to wait for a
//! node, not four. Behind the outbox the message waits in that.

use crate::language::bit::Bit;
use crate::language::wires::Transmit;
use crate::parts::shift_register::ShiftRegister;
use crate::registers;
use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::kuszmaul::batches::radix4::pair_windows::PairWindows;
use crate::routers::kuszmaul::batches::radix4::strobes::PairStageStrobes;
use crate::routers::kuszmaul::batches::stage::Incoming;
use crate::routers::kuszmaul::radix4::count_row::CountRow;
use crate::routers::kuszmaul::radix4::list_row::ListRow;
use crate::routers::kuszmaul::radix4::list_switch::ListSwitch;
use crate::routers::kuszmaul::radix4::pair_exchange::{PairExchange, PairExchangeStrobes};

/// Registers of it.
#[derive(Clone, Debug)]
pub struct PairStage<B: Bit> {
    windows: PairWindows,
    waiting: Option<ShiftRegister<B>>,
    exchange: PairExchange<B>,
    counting: CountRow<B>,
    packing: ListRow<B>,
}
registers!(PairStage {
    waiting: "the message, but for its two address bits, until it goes on",
    exchange: "crosses two dimensions",
    counting: "numbers messages, and sets the switches of the packing",
    packing: "packs lists of up to four messages",
});

/// The strobes of the exchange, and of what is behind it.
type Both<'a, S> = (&'a PairExchangeStrobes<S>, &'a PairStageStrobes<S>);

impl<B: Bit> PairStage<B> {
    /// A stage, all registers 0.
    pub fn new(extent: Extent) -> Self {
        let windows = PairWindows::new(extent);
        let row = windows.row();
        let last = row.end - 1;
        PairStage {
            windows,
            waiting: (windows.waiting() > 0).then(|| ShiftRegister::new(windows.waiting())),
            exchange: PairExchange::new(2, Some(4)),
            counting: CountRow::new(row.clone(), true),
            // Two nodes share the messages before the last stage, one each.
            packing: ListRow::new(row, |dimension| ListSwitch::new(dimension < last, true)),
        }
    }

    /// The message bit that the exchange has: one of the two address bits as they come, then those that waited.
    #[inline]
    fn bit(&self, strobes: &PairExchangeStrobes<B::Strobe>, incoming: Incoming<B>) -> B {
        let Some(waiting) = &self.waiting else {
            return incoming.bit;
        };
        let streams = (strobes.send_kept | strobes.send_received).named("streams");
        B::choose(streams, || waiting.head(), || incoming.bit).named("bit_here")
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
        let bit = self.bit(exchange, incoming);
        (self.exchange).transmit(exchange, incoming.valid, (bit, bit), address, wires);
        (self.counting).transmit(&strobes.counting, self.exchange.count(), wires);
        (self.packing).transmit(&strobes.packing, &self.counting, wires);
    }

    /// As [`Stage::delivered`](crate::routers::kuszmaul::batches::stage::Stage::delivered).
    #[inline]
    pub fn delivered(
        &self,
        strobes: &PairStageStrobes<B::Strobe>,
        address: &[B],
        received: &[B],
    ) -> B {
        let counting = &self.counting;
        B::choose(
            strobes.arrives,
            || counting.arrives(&strobes.counting, self.exchange.count(), address, received),
            || (self.packing).delivered(&strobes.packing, counting, address, received),
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
        let (bit, count) = (self.bit(exchange, incoming), self.exchange.count());
        let loads = !strobes.packing.load.active().is_empty();
        let gathered = loads.then(|| self.exchange.gathered(exchange, bit, received));

        if let Some(waiting) = &mut self.waiting {
            B::when(strobes.wait_shift, waiting, |waiting| {
                waiting.shift_in(incoming.bit);
            });
        }
        (self.packing).clock(&strobes.packing, &self.counting, address, received);
        if let Some(gathered) = gathered {
            self.packing.load(&strobes.packing, gathered);
        }
        (self.counting).clock(&strobes.counting, count, address, received);
        (self.exchange).clock(exchange, (incoming.valid, incoming.bit), address, received);
    }

    /// As [`Stage::occupancy`](crate::routers::kuszmaul::batches::stage::Stage::occupancy): a bit that waits is counted where it was
    /// until it has entered a list, and in a list until it has left over both lanes.
    pub fn occupancy(&self, t: i64, count: &mut dyn FnMut(B, u32)) {
        let mut bits = |flag: B, bits: i64| {
            if let Ok(bits @ 1..) = u32::try_from(bits) {
                count(flag, bits);
            }
        };
        let windows = self.windows;
        let [_, taken] = windows.takes();
        let mut entered = windows.enters().over(t);
        let first = self.exchange.first();
        bits(first.leaving(), taken.over(t) - entered);
        bits(first.staying(), taken.over(t) - entered);
        for (dimension, r) in windows.row().zip(1..) {
            let left = windows.passes(r).over(t);
            let messages = match r {
                1 => self.exchange.count(),
                _ => self.counting.messages(dimension),
            };
            for (place, bit) in messages.into_iter().enumerate() {
                bits(bit, (entered - left) << place);
            }
            entered = left;
        }
    }

    /// As [`Stage::messages`](crate::routers::kuszmaul::batches::stage::Stage::messages): where they crossed to, until the next stage
    /// has them.
    pub fn messages(&self, t: i64, count: &mut dyn FnMut(B)) {
        if (0..self.windows.delivers().from + 2).contains(&t) {
            self.exchange.places().into_iter().for_each(count);
        }
    }
}
