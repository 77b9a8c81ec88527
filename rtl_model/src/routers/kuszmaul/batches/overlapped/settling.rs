//! Steps 2 to 6 of an iteration: from where there are two messages, one goes to where there is none.
//!
//! ```text
//!   at home ------------------------->[first_waits]-----------------------------(or)--> delivered
//!     |                                                                          ^
//!   has_first, has_second                                                        |
//!     |                                                                          |
//!     +-->[enumeration]--rank--+--nothing, or second message-->[packing]--+      |
//!                              |                                 :        |      |
//!   exchanged -->[second]------+                      settings of step 5  |      |
//!                [second]<------------------------------------------------+      |
//!                   +---------------------------------------->[circuits]---------+
//!
//!   bit time            0      1 .. L           5m+L     5m+L+1 .. 5m+2L
//!   first_waits                a bit comes in            a bit goes out
//!   has_first           set                     read
//! ```
//!
//! Nothing comes back to a node that has a message, and the line of one that has none holds zeros: so an OR merges what waited and what
//! returns, and nobody has to remember which of the two it is. The line gives its last bit in the bit time before the next batch's first
//! one comes in, where batches follow one another as closely as they can.

use crate::language::bit::Bit;
use crate::language::wires::Transmit;
use crate::parts::dimensions::RowOrder;
use crate::parts::enumerator::{Enumerator, Results};
use crate::parts::packer::{Directions, Packer, Source};
use crate::parts::shift_register::ShiftRegister;
use crate::registers;
use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::kuszmaul::batches::overlapped::second_line::SecondLine;
use crate::routers::kuszmaul::batches::overlapped::strobes::{RANK_BITS, SettlingStrobes};
use crate::routers::kuszmaul::held::circuits::Circuits;

/// Registers of it.
#[derive(Clone, Debug)]
pub struct Settling<B: Bit> {
    pub(super) has_first: B,
    first_waits: ShiftRegister<B>,
    pub(super) second: SecondLine<B>,
    enumeration: Enumerator<B>,
    pub(super) packing: Packer<B>,
    pub(super) circuits: Circuits<B>,
}
registers!(Settling {
    has_first: "a message is at home after step 1",
    first_waits: "that message, until step 6",
    second: "a message too many, until step 3; then the one held for an empty node, until step 6",
    enumeration: "step 4 numbers empty nodes, step 2 nodes with two messages (Theorem 2)",
    packing: "step 5 packs headers, step 3 messages (Algorithm 1)",
    circuits: "the switches as step 5 set them: the path back in step 6",
});

impl<B: Bit> Settling<B> {
    /// All registers 0.
    pub fn new(extent: Extent) -> Self {
        let (subcube, order) = (extent.subcube(), RowOrder::Ascending);
        let results = Results {
            rank_bits: RANK_BITS,
            total_bits: 0,
        };
        Settling {
            has_first: B::ZERO,
            first_waits: ShiftRegister::new(extent.message_bits()),
            second: SecondLine::new(extent),
            enumeration: Enumerator::new(subcube.clone(), order, results),
            packing: Packer::new(subcube.clone(), order, Directions::ForwardAndReturning),
            circuits: Circuits::new(subcube, order),
        }
    }

    /// An empty node where `empties` is 1, otherwise one with two messages.
    #[inline]
    fn selected(&self, empties: B::Strobe) -> B {
        B::choose(empties, || !self.has_first, || self.second.valid())
    }

    #[inline]
    fn member(&self, strobes: &SettlingStrobes<B::Strobe>) -> B {
        self.selected(strobes.enumerate_empties).named("member")
    }

    /// What the first stage of a packing receives: header bits, then the second message.
    #[inline]
    fn source(&self, strobes: &SettlingStrobes<B::Strobe>) -> Source<B> {
        let rank = || self.enumeration.rank().head();
        let bit = B::choose(strobes.header, rank, || self.second.head());
        Source {
            valid: self.selected(strobes.pack_empties).named("source_valid"),
            bit: bit.named("source_bit"),
        }
    }

    /// What the way back begins with: the valid bit, then the second message.
    #[inline]
    fn returning(&self, strobes: &SettlingStrobes<B::Strobe>) -> B {
        let valid = || self.second.valid();
        B::choose(strobes.returns, valid, || self.second.head()).named("returning")
    }

    /// Numbers, messages, and messages that go back.
    #[inline]
    pub fn transmit(
        &self,
        strobes: &SettlingStrobes<B::Strobe>,
        address: &[B],
        wires: &mut Transmit<'_, B>,
    ) {
        self.enumeration
            .transmit(&strobes.enumerator, self.member(strobes), wires);
        self.packing
            .transmit(&strobes.packer, self.source(strobes), address, wires);
        let returning = self.returning(strobes);
        self.circuits
            .transmit(&strobes.circuits, &self.packing, returning, wires);
    }

    /// Whether there is a message, and then the message: the one that waited, or the one that returns.
    #[inline]
    pub fn delivered(&self, strobes: &SettlingStrobes<B::Strobe>, received: &[B]) -> B {
        let returning = self.returning(strobes);
        let returned =
            (self.circuits).delivered(&strobes.circuits, &self.packing, returning, received);
        let waited = B::choose(
            strobes.announce,
            || self.has_first,
            || self.first_waits.head(),
        );
        waited.named("waited") | returned.named("returned")
    }

    /// The exchange decides: whether a message is at home, and whether there is another.
    #[inline]
    pub fn begin(&mut self, at_home: B, too_many: B) {
        self.has_first = at_home;
        self.second.begin(too_many);
    }

    /// The clock edge: `at_home` is the bit of the message at home, `exchanged` of the one that comes, which may be the same.
    #[inline]
    pub fn clock(
        &mut self,
        strobes: &SettlingStrobes<B::Strobe>,
        [at_home, exchanged]: [B; 2],
        address: &[B],
        received: &[B],
    ) {
        // What the registers hold before this clock edge.
        let (member, source) = (self.member(strobes), self.source(strobes));
        let returning = self.returning(strobes);
        let packed = (self.packing).delivered(&strobes.packer, source, address, received);
        let packed = packed.named("packed");
        B::when(strobes.first_shift, &mut self.first_waits, |waiting| {
            waiting.shift_in(at_home);
        });
        self.second.clock(&strobes.second, exchanged, packed);
        (self.enumeration).clock(&strobes.enumerator, member, address, received);
        self.circuits.clock(
            &mut self.packing,
            (&strobes.circuits, &strobes.packer),
            (returning, source),
            address,
            received,
        );
    }
}
