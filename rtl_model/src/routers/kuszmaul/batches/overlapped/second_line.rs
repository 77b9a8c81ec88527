//! Where second messages wait: those that step 1 brings until step 3 sends them on, and those that step 3 brings until step 6 does.
//!
//! ```text
//!       from step 3          from step 1
//!           |                     |
//!           v                     v
//!   0 -->[ L-1 ]--> .. -->[ min(3m, L-1) ]--> .. -->[0]--> head
//!
//!   bit time        1 .. L      3m+2 .. 3m+1+L   4m       4m+1 .. 4m+L     4m+L+1    4m+L+2 .. 4m+2L+1
//!   from step 1     comes in    goes out
//!   from step 3                                  valid    comes in         valid     goes out
//! ```
//!
//! A bit of step 1 stands in the line for `3m+1` bit times: it enters so many places from the head, or, where a message is shorter, at the
//! top, and stands still in between. Those of step 3 come in at the top while the end of a long message still goes out, and may still come
//! in, below. The line moves whenever a bit comes in or goes out; it stands still for the valid bit of step 6. It is empty when the next
//! batch comes.

use crate::language::bit::{Bit, Strobe};
use crate::parts::shift_register::ShiftRegister;
use crate::parts::windows::Now;
use crate::registers;
use crate::routers::kuszmaul::batches::at::At;
use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::kuszmaul::held::sequencer::{PACKS, SECOND_MOVES, SECOND_RETURNS};
use crate::routers::kuszmaul::now::COMES;
use crate::strobes;

strobes! {
    /// What it hears from the sequencer.
    #[derive(Clone, Debug)]
    pub struct SecondLineStrobes<S> {
        /// The line moves on.
        pub shift: S,
        /// A bit of step 1 comes in.
        pub fill: S,
        /// A bit of step 3 comes in.
        pub refill: S,
        /// The valid bit of step 3 comes.
        pub arrival: S,
    }
}

/// The strobes of this bit time.
pub(super) fn drive<S: Strobe>(at: &At<'_, S>, strobes: &mut SecondLineStrobes<S>) {
    let packed = PACKS.of_last_stage();
    strobes.fill = at.within(COMES);
    strobes.refill = at.within(packed.behind_first());
    strobes.arrival = at.within(packed.begins(0));
    strobes.shift = strobes.fill | at.within_any(&[SECOND_MOVES, SECOND_RETURNS]);
}

/// Registers of it.
#[derive(Clone, Debug)]
pub struct SecondLine<B: Bit> {
    fill_place: usize,
    valid: B,
    bits: ShiftRegister<B>,
}
registers!(SecondLine {
    valid: "there is a message too many; then: one is held for an empty node",
    bits: "the message, next bit at position 0",
});

impl<B: Bit> SecondLine<B> {
    /// All registers 0.
    pub fn new(extent: Extent) -> Self {
        let places = extent.message_bits();
        SecondLine {
            fill_place: (3 * extent.free_dimensions()).min(places - 1),
            valid: B::ZERO,
            bits: ShiftRegister::new(places),
        }
    }

    /// 1 where there is a message.
    #[inline]
    pub fn valid(&self) -> B {
        self.valid
    }

    /// The next bit of it.
    #[inline]
    pub fn head(&self) -> B {
        self.bits.head()
    }

    /// The exchange decides: whether there is a message too many.
    #[inline]
    pub fn begin(&mut self, too_many: B) {
        self.valid = too_many;
    }

    /// The clock edge: `exchanged` comes by step 1, `packed` by step 3.
    #[inline]
    pub fn clock(&mut self, strobes: &SecondLineStrobes<B::Strobe>, exchanged: B, packed: B) {
        let (top, fill_place) = (self.bits.width() - 1, self.fill_place);
        B::when(strobes.arrival, &mut self.valid, |valid| *valid = packed);
        B::when(strobes.shift, &mut self.bits, |bits| {
            bits.shift();
            B::when(strobes.fill, bits, |bits| {
                bits.insert(fill_place, exchanged)
            });
            B::when(strobes.refill, bits, |bits| bits.insert(top, packed));
        });
    }
}
