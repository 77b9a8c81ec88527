//! Where messages wait while they are enumerated, and the packing that spreads them out.
//!
//! ```text
//!   the message that stays -->[first_waits ]--+
//!   the message that comes -->[second_waits]--|--+
//!                                             v  v
//!   0, 1 or 2 messages -->[enumeration]-rank->[packing, two tracks]--> delivered
//!                                   (+1, if there is a first)
//!
//!   bit time            1 .. L                2m+1 .. 2m+L
//!   waiting lines       a bit comes in        a bit goes out
//! ```
//!
//! A message waits `2m` bit times: a line has a place for each of them, or for each bit of a message where these are fewer, and then
//! it stands still in between. It is empty when the next batch comes.

use crate::language::bit::{Bit, Strobe};
use crate::language::wires::Transmit;
use crate::parts::dimensions::RowOrder;
use crate::parts::enumerator::{Enumerator, EnumeratorStrobes, Results};
use crate::parts::packer::{PackerStrobes, Run};
use crate::parts::shift_register::ShiftRegister;
use crate::parts::windows::Now;
use crate::registers;
use crate::routers::kuszmaul::batches::at::At;
use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::kuszmaul::now::COMES;
use crate::routers::kuszmaul::spread::sequencer::{COUNTS, HEADER, PACKS, SENDS};
use crate::routers::kuszmaul::spread::track_packer::TrackPacker;
use crate::routers::kuszmaul::spread::track_switch::{PerTrack, TrackIncoming};
use crate::strobes;

/// Flip-flops that a rank bit passes through.
const RANK_BITS: usize = 1;

strobes! {
    /// What it hears from the sequencer.
    #[derive(Clone, Debug)]
    pub struct SpreadingStrobes<S> {
        /// Messages come in, or go on to be packed.
        pub wait_shift: S,
        /// Of the number of messages at a node, the second bit is counted.
        pub count_of_two: S,
        /// The enumerator's strobes.
        pub enumerator: EnumeratorStrobes<S>,
        /// The packing's source gives header bits, not messages.
        pub header: S,
        /// The first header bit.
        pub header_begins: S,
        /// The packer's strobes.
        pub packer: PackerStrobes<S>,
    }
}

/// The strobes of this bit time.
pub(super) fn drive<S: Strobe>(at: &At<'_, S>, strobes: &mut SpreadingStrobes<S>) {
    strobes.wait_shift = at.within_any(&[COMES, SENDS]);
    strobes.count_of_two = at.is(2);
    strobes.enumerator.decode(at, [COUNTS], RANK_BITS);
    strobes.packer.decode(&[Run::delivering(at, PACKS)]);
    strobes.header = at.within(HEADER);
    strobes.header_begins = at.within(HEADER.begins(0));
}

/// Registers of it. Of the first message the exchange remembers that it stays.
#[derive(Clone, Debug)]
pub struct Spreading<B: Bit> {
    has_second: B,
    first_waits: ShiftRegister<B>,
    second_waits: ShiftRegister<B>,
    enumeration: Enumerator<B>,
    increment: B,
    packing: TrackPacker<B>,
}
registers!(Spreading {
    has_second: "a message came",
    first_waits: "the message that stayed",
    second_waits: "the message that came",
    enumeration: "numbers messages (Theorem 2, with 0, 1 or 2 members a node)",
    increment: "carry: the second message's rank is one more, where there is a first",
    packing: "packs all messages, on two tracks (Algorithm 1)",
});

impl<B: Bit> Spreading<B> {
    /// All registers 0.
    pub fn new(extent: Extent) -> Self {
        let waiting = (2 * extent.free_dimensions()).min(extent.message_bits());
        let results = Results {
            rank_bits: RANK_BITS,
            total_bits: 0,
        };
        Spreading {
            has_second: B::ZERO,
            first_waits: ShiftRegister::new(waiting),
            second_waits: ShiftRegister::new(waiting),
            enumeration: Enumerator::new(extent.subcube(), RowOrder::Ascending, results),
            increment: B::ZERO,
            packing: TrackPacker::new(extent.subcube()),
        }
    }

    /// 1 where a message came.
    pub fn has_second(&self) -> B {
        self.has_second
    }

    /// The number of messages, lowest bit first.
    #[inline]
    fn count(&self, strobes: &SpreadingStrobes<B::Strobe>, has_first: B) -> B {
        let second = self.has_second;
        B::choose(
            strobes.count_of_two,
            || has_first & second,
            || has_first ^ second,
        )
        .named("count_bit")
    }

    /// What is added to the rank for the second message: 1, where there is a first.
    #[inline]
    fn carry_in(&self, strobes: &SpreadingStrobes<B::Strobe>, has_first: B) -> B {
        B::choose(strobes.header_begins, || has_first, || self.increment).named("increment_in")
    }

    /// What the first stage of the packing receives: header bits, then the messages.
    #[inline]
    fn source(&self, strobes: &SpreadingStrobes<B::Strobe>, has_first: B) -> TrackIncoming<B> {
        let rank = self.enumeration.rank().head();
        let rank_of_second = || rank ^ self.carry_in(strobes, has_first);
        let bit_0 = B::choose(strobes.header, || rank, || self.first_waits.head());
        let bit_1 = B::choose(strobes.header, rank_of_second, || self.second_waits.head());
        TrackIncoming {
            valid: PerTrack {
                track_0: has_first,
                track_1: self.has_second,
            },
            bit: PerTrack {
                track_0: bit_0.named("source_bit_0"),
                track_1: bit_1.named("source_bit_1"),
            },
        }
    }

    /// Counts, then messages.
    #[inline]
    pub fn transmit(
        &self,
        strobes: &SpreadingStrobes<B::Strobe>,
        has_first: B,
        address: &[B],
        wires: &mut Transmit<'_, B>,
    ) {
        let count = self.count(strobes, has_first);
        self.enumeration.transmit(&strobes.enumerator, count, wires);
        let source = self.source(strobes, has_first);
        self.packing
            .transmit(&strobes.packer, source, address, wires);
    }

    /// The bit that the packing delivers.
    #[inline]
    pub fn delivered(
        &self,
        strobes: &SpreadingStrobes<B::Strobe>,
        has_first: B,
        address: &[B],
        received: &[B],
    ) -> B {
        let source = self.source(strobes, has_first);
        self.packing
            .delivered(&strobes.packer, source, address, received)
    }

    /// The exchange decides: whether a message comes.
    #[inline]
    pub fn begin(&mut self, comes: B) {
        self.has_second = comes;
    }

    /// The clock edge: `streams` are the bit of the message that is here, which may stay, and of the one that comes.
    #[inline]
    pub fn clock(
        &mut self,
        strobes: &SpreadingStrobes<B::Strobe>,
        has_first: B,
        streams: [B; 2],
        address: &[B],
        received: &[B],
    ) {
        let count = self.count(strobes, has_first);
        let source = self.source(strobes, has_first);
        let increment = self.enumeration.rank().head() & self.carry_in(strobes, has_first);
        B::when(strobes.wait_shift, self, |spreading| {
            spreading.first_waits.shift_in(streams[0]);
            spreading.second_waits.shift_in(streams[1]);
        });
        B::when(strobes.header, &mut self.increment, |carry| {
            *carry = increment
        });
        (self.enumeration).clock(&strobes.enumerator, count, address, received);
        (self.packing).clock(&strobes.packer, source, address, received);
    }

    /// As [`Stage::occupancy`](crate::routers::kuszmaul::batches::stage::Stage::occupancy).
    pub fn occupancy(&self, extent: Extent, has_first: B, t: i64, count: &mut dyn FnMut(B, u32)) {
        let (m, length) = (
            extent.free_dimensions() as i64,
            extent.message_bits() as i64,
        );
        let waiting = t.clamp(0, length) - (t - 2 * m).clamp(0, length);
        if waiting > 0 {
            count(has_first, waiting as u32);
            count(self.has_second, waiting as u32);
        }
        for (dimension, r) in extent.subcube().skip(1).zip(1..) {
            let sent = 2 * m + r;
            if (sent..sent + length).contains(&t) {
                let coming = self.packing.stage(dimension).valid();
                count(coming.track_0, 1);
                count(coming.track_1, 1);
            }
        }
    }
}
