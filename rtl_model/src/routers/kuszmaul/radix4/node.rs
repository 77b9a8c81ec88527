//! A node of schedule `radix4`.
//!
//! ```text
//!                     rx, tx: one wire each way for each dimension
//!                              |||||||||||||||
//!   +--------------------------+++++++++++++++---------------------------------+
//!   | [message]--> [exchange] over two dimensions                              |
//!   |    ^             | 0 to 4 messages: their number, and their bits         |
//!   |    |             +--> count  --> [counting] enumerates, then sets        |
//!   |    |             |                   |      the switches                 |
//!   |    |             +--> list  ---> [packing] --+                           |
//!   |    +-----------------------------------------+                           |
//!   |    |             +--> list  ---> [greedy_end]+ at last                   |
//!   |    +-----------------------------------------+                           |
//!   +--------------------------------------------------------------------------+
//! ```
//!
//! There is one message buffer. Bits that the packing delivers arrive above those that are still to
//! be sent: at a position that all nodes have in common, and that the sequencer knows.

use crate::language::bit::Bit;
use crate::language::wires::Transmit;
use crate::machine::host::Field;
use crate::machine::router::Node;
use crate::parts::message_buffer::{MessageBuffer, host_reads, host_writes};
use crate::registers;
use crate::routers::kuszmaul::radix4::count_row::CountRow;
use crate::routers::kuszmaul::radix4::dimension_groups::DimensionGroups;
use crate::routers::kuszmaul::radix4::greedy_end::GreedyEnd;
use crate::routers::kuszmaul::radix4::list_row::ListRow;
use crate::routers::kuszmaul::radix4::list_switch::ListSwitch;
use crate::routers::kuszmaul::radix4::pair_exchange::PairExchange;
use crate::routers::kuszmaul::radix4::strobes::Radix4Strobes;
use crate::routers::permutation::{MessageNode, Size};

/// Registers of a node. Cubes of one or two dimensions have no lists, those of three or four
/// nothing to pack.
#[derive(Clone, Debug)]
pub struct Radix4Node<B: Bit> {
    pub(super) groups: DimensionGroups,
    pub(super) first_message: MessageBuffer<B>,
    pub(super) exchange: PairExchange<B>,
    pub(super) counting: Option<CountRow<B>>,
    pub(super) packing: Option<ListRow<B>>,
    pub(super) greedy_end: Option<GreedyEnd<B>>,
}
registers!(Radix4Node {
    first_message: "the node's message; above it arrives the next",
    exchange: "crosses two dimensions",
    counting: "numbers messages, and sets the switches of the packing",
    packing: "lists of up to four messages: packed, or at the greedy end",
    greedy_end: "the last dimension, or the last two",
});

impl<B: Bit> Radix4Node<B> {
    /// A node, all registers 0.
    pub fn new(groups: DimensionGroups) -> Self {
        let Size {
            dimensions,
            payload_bits,
        } = groups.size;
        let listed = groups.listed();
        let has_fours = groups.fours > 0;
        let list = match dimensions {
            1 | 2 => None,
            3 => Some(2),
            _ => Some(4),
        };
        let switch = |dimension: usize| {
            let before_last = groups.greedy == 4 && dimension + 2 == dimensions;
            // Before the last dimension of three there are two messages at most. And if the first
            // group is of one dimension, at its first stage no two wait for another two.
            let is_first_of_two =
                !has_fours && groups.packs() && dimension == groups.listed().start;
            let is_last_of_three = groups.greedy < 4 && dimension + 1 == dimensions;
            let holds_four = !is_first_of_two && !is_last_of_three;
            ListSwitch::new(holds_four, has_fours || before_last)
        };
        Radix4Node {
            groups,
            first_message: MessageBuffer::new(dimensions + payload_bits),
            exchange: PairExchange::new(dimensions.min(2), list),
            counting: (groups.packs()).then(|| CountRow::new(listed.clone(), has_fours)),
            packing: (!listed.is_empty()).then(|| ListRow::new(listed, switch)),
            greedy_end: (groups.greedy > 2).then(|| GreedyEnd::new(groups.greedy - 2)),
        }
    }

    fn last_dimension(&self) -> usize {
        self.groups.size.dimensions - 1
    }

    /// The bit that is for the first wire. In a cube of two dimensions it is one ahead.
    #[inline(always)]
    fn ahead(&self, strobes: &Radix4Strobes<B::Strobe>) -> B {
        let bits = &self.first_message.bits;
        match self.groups.greedy {
            2 => {
                B::choose(strobes.exchange.latch, || bits.bit(1), || bits.head()).named("bit_ahead")
            }
            _ => bits.head(),
        }
    }

    /// What the greedy end's switches deliver; nothing, in a cube that has none.
    #[inline(always)]
    fn at_end(
        &self,
        strobes: &Radix4Strobes<B::Strobe>,
        address: &[B],
        received: &[B],
    ) -> Option<B> {
        let (end, lists) = (self.greedy_end.as_ref()?, self.packing.as_ref()?);
        let last = self.last_dimension();
        Some(end.delivered(&strobes.greedy, lists, last, address, received))
    }

    /// The bit that arrives at the buffer.
    #[inline(always)]
    fn arriving(&self, strobes: &Radix4Strobes<B::Strobe>, address: &[B], received: &[B]) -> B {
        let (packing, counting) = (&self.packing, &self.counting);
        let packed = match (packing, counting) {
            (Some(packing), Some(counting)) => {
                packing.delivered(&strobes.packing, counting, address, received)
            }
            _ => B::ZERO,
        };
        let at_home = match self.at_end(strobes, address, received) {
            Some(bit) => bit,
            None => {
                let head = self.first_message.bits.head();
                self.exchange.arriving(&strobes.exchange, head, received)
            }
        };
        (packed | at_home).named("arriving")
    }

    /// Whether a message will be here.
    #[inline(always)]
    fn arrives(&self, strobes: &Radix4Strobes<B::Strobe>, address: &[B], received: &[B]) -> B {
        let packed = match &self.counting {
            Some(counting) => {
                let count = self.exchange.count();
                counting.arrives(&strobes.counting, count, address, received)
            }
            None => B::ZERO,
        };
        let at_home = match self.at_end(strobes, address, received) {
            Some(bit) => bit,
            None => {
                let message = (self.first_message.valid, self.first_message.bits.head());
                self.exchange
                    .arrives(&strobes.exchange, message, address, received)
            }
        };
        let decides = strobes.greedy.decide_last;
        let small = self.greedy_end.is_none();
        match small {
            true => at_home,
            false => B::choose(decides, || at_home, || packed),
        }
        .named("arrives")
    }
}

impl<B: Bit> Node<B> for Radix4Node<B> {
    type Broadcast = Radix4Strobes<B::Strobe>;

    #[inline]
    fn transmit(&self, strobes: &Self::Broadcast, address: &[B], wires: &mut Transmit<'_, B>) {
        let bits = (self.ahead(strobes), self.first_message.bits.head());
        self.exchange.transmit(
            &strobes.exchange,
            self.first_message.valid,
            bits,
            address,
            wires,
        );
        if let Some(counting) = &self.counting {
            counting.transmit(&strobes.counting, self.exchange.count(), wires);
            if let Some(packing) = &self.packing {
                packing.transmit(&strobes.packing, counting, wires);
            }
        }
        if let (Some(end), Some(packing)) = (&self.greedy_end, &self.packing) {
            let last = self.last_dimension();
            end.transmit(&strobes.greedy, packing, last, address, wires);
        }
    }

    #[inline]
    fn clock(&mut self, strobes: &Self::Broadcast, address: &[B], received: &[B]) {
        // What the registers hold before this clock edge.
        let last = self.last_dimension();
        let (valid, head) = (self.first_message.valid, self.first_message.bits.head());
        let (count, there) = (self.exchange.count(), self.exchange.there());
        let loads = !strobes.packing.load.active().is_empty();
        let gathered = loads.then(|| self.exchange.gathered(&strobes.exchange, head, received));
        let arrives = !strobes.arrive.active().is_empty();
        let arriving = arrives.then(|| self.arriving(strobes, address, received));

        B::when(strobes.valid, self, |node| {
            node.first_message.valid = node.arrives(strobes, address, received);
        });
        B::when(strobes.shift, &mut self.first_message.bits, |bits| {
            bits.shift()
        });
        if let Some(arriving) = arriving {
            let lowest = *self.groups.arrivals().start();
            let bits = &mut self.first_message.bits;
            bits.insert_at_tap(&strobes.arrive, |above| lowest + above, arriving);
        }
        if let Some(packing) = &mut self.packing {
            let end = self.greedy_end.as_mut();
            let end = end.map(|end| (end.before(packing, last), end));
            if let Some(counting) = &self.counting {
                packing.clock(&strobes.packing, counting, address, received);
            }
            if let Some((before, end)) = end {
                let there = (last, there);
                end.clock(&strobes.greedy, packing, before, there, address, received);
            }
            if let Some(gathered) = gathered {
                packing.load(&strobes.packing, gathered);
            }
        }
        if let Some(counting) = &mut self.counting {
            counting.clock(&strobes.counting, count, address, received);
        }
        self.exchange
            .clock(&strobes.exchange, (valid, head), address, received);
    }
}

impl<B: Bit> MessageNode<B> for Radix4Node<B> {
    fn host_writes(&mut self, size: Size, port: &mut dyn FnMut(Field, usize, &mut B)) {
        host_writes(&mut self.first_message, size.bits(), port);
    }

    fn host_reads(&self, size: Size, port: &mut dyn FnMut(Field, usize, B)) {
        let MessageBuffer { valid, bits } = &self.first_message;
        host_reads((*valid, bits), size.payload_bits, port);
    }
}
