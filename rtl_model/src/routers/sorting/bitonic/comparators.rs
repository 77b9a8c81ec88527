//! A row of comparators along a ring of flip-flops: a bitonic sort's stages, one for each
//! dimension, and the record that goes round past them (Kuszmaul 1990, section VI).
//!
//! ```text
//!        +-------------------------------------------------------------------------+
//!        v                                                                         |
//!   [W-1] ... [k] [k-1]-->(comparator k-1)-->[k-2]-- ... -->[1]-->(1)-->[0]-->(0)--+
//!                          rx tx                            rx tx      rx tx
//! ```
//!
//! Every bit time the record of `W` bits moves one position down. A comparator that is not at work
//! passes its bit on, so the ring is as long as a record whichever of them are: one round is one
//! phase of the sort.
//!
//! The row ends as a packing run backwards, from the most significant bit: comparators are then
//! switches, which consume a header bit each. The valid bit goes ahead of the header and waits
//! where a stage puts it out; the row's first stage has both before it at once, one position
//! further up:
//!
//! ```text
//!   stage                first (k-1)     others (d)
//!   valid bit at         k-1             d-1 (of stage 0: W-1)
//!   header bit, rest     k               d
//! ```

use crate::language::bit::{Bit, Strobe};
use crate::language::lines::Lines;
use crate::language::wires::Transmit;
use crate::machine::topology::hypercube::MAX_DIMENSIONS;
use crate::parts::dimensions::{ByDimension, RowOrder};
use crate::parts::shift_register::ShiftRegister;
use crate::parts::switch_stage::Incoming;
use crate::registers;
use crate::routers::permutation::Size;
use crate::routers::sorting::bitonic::comparator::{Comparator, Setting};
use crate::strobes;
use std::ops::Range;

strobes! {
    /// What the comparators hear from the sequencer; lines are numbered by dimension, where not
    /// said otherwise.
    #[derive(Clone, Debug)]
    pub struct ComparatorStrobes<S> {
        /// The comparator compares.
        pub compare: Lines<S>,
        /// Its record begins: this is the valid bit.
        pub begin: Lines<S>,
        /// One-hot by number: the phase of comparator 0, but for the last.
        pub phase: Lines<S>,
        /// The comparator is in the phase after that one already.
        pub ahead: Lines<S>,
        /// The first bit of all: the valid bit is not in the ring yet.
        pub load: S,
        /// The stage consumes its header bit.
        pub decide: Lines<S>,
        /// The stage unpacks (`decide` included).
        pub unpack: Lines<S>,
    }
}

impl<S: Strobe> ComparatorStrobes<S> {
    /// Dimensions outside this range are idle.
    #[inline]
    pub fn active(&self) -> Range<usize> {
        let (compare, unpack) = (self.compare.active(), self.unpack.active());
        match (compare.is_empty(), unpack.is_empty()) {
            (true, _) => unpack,
            (_, true) => compare,
            _ => compare.start.min(unpack.start)..compare.end.max(unpack.end),
        }
    }

    /// 1 while the stage of `dimension` is at work.
    #[inline]
    pub fn is_at_work(&self, dimension: usize) -> S {
        let at_work = self.compare.line(dimension) | self.unpack.line(dimension);
        at_work.named(format_args!("stage_{dimension}_at_work"))
    }
}

/// Comparators for all dimensions.
#[derive(Clone, Debug)]
pub struct Comparators<B: Bit> {
    stages: ByDimension<Comparator<B>>,
}
registers!(Comparators { stages });

/// `W`: the bits of a record.
pub(super) fn record_bits(size: Size) -> usize {
    1 + size.dimensions + size.payload_bits
}

/// The record that is before the comparators.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a, B: Bit> {
    /// The valid bit, as loaded.
    pub valid: B,
    /// The ring.
    pub ring: &'a ShiftRegister<B>,
}

/// Which way each comparator is to sort.
#[derive(Clone, Copy, Debug)]
struct Direction<B> {
    /// In the phase of comparator 0 higher ones come first here.
    now: B,
    /// So they do in the phase after it.
    next: B,
}

impl<B: Bit> Comparators<B> {
    /// One for each of so many dimensions.
    pub fn new(dimensions: usize) -> Self {
        Comparators {
            stages: ByDimension::new(0..dimensions, RowOrder::Ascending, |_| Comparator::new()),
        }
    }

    /// The one of `dimension`.
    pub fn stage(&self, dimension: usize) -> &Comparator<B> {
        &self.stages[dimension]
    }

    fn first(&self) -> usize {
        self.stages.range().end - 1
    }

    /// The phase of number `n` sorts blocks of 2^(n+1) nodes, every other one upside down.
    #[inline]
    fn direction(strobes: &ComparatorStrobes<B::Strobe>, address: &[B]) -> Direction<B> {
        let descends = |n: usize| address.get(n + 1).copied().unwrap_or(B::ZERO);
        Direction {
            now: strobes.phase.select(descends).named("descends"),
            next: (strobes.phase.select(|n| descends(n + 1))).named("descends_next"),
        }
    }

    #[inline(always)]
    fn own(strobes: &ComparatorStrobes<B::Strobe>, dimension: usize, record: Record<'_, B>) -> B {
        let bit = record.ring.bit(dimension);
        match dimension {
            0 => B::choose(strobes.load, || record.valid, || bit).named("compare_0_own"),
            _ => bit,
        }
    }

    #[inline(always)]
    fn setting(
        &self,
        strobes: &ComparatorStrobes<B::Strobe>,
        dimension: usize,
        (own, received): (B, B),
        (direction, address): (Direction<B>, &[B]),
    ) -> Setting<B> {
        let ahead = strobes.ahead.line(dimension);
        B::within(format_args!("compare_{dimension}"), || {
            let descends = B::choose(ahead, || direction.next, || direction.now);
            let wants_higher = (address[dimension] ^ descends).named("wants_higher");
            let begin = strobes.begin.line(dimension);
            self.stages[dimension].setting(begin, own, received, wants_higher)
        })
    }

    /// What the stage of `dimension` has before it when the row unpacks.
    #[inline(always)]
    fn incoming(&self, dimension: usize, ring: &ShiftRegister<B>) -> Incoming<B> {
        let (valid, bit) = match dimension.checked_sub(1) {
            _ if dimension == self.first() => (dimension, dimension + 1),
            None => (ring.width() - 1, 0),
            Some(behind) => (behind, dimension),
        };
        Incoming {
            valid: ring.bit(valid),
            bit: ring.bit(bit),
        }
    }

    /// Drives the wires: what is compared, or what crosses.
    #[inline]
    pub fn transmit(
        &self,
        strobes: &ComparatorStrobes<B::Strobe>,
        record: Record<'_, B>,
        address: &[B],
        wires: &mut Transmit<'_, B>,
    ) {
        for (dimension, strobe) in strobes.compare.iter() {
            wires.drive(dimension, "comparison", strobe, || {
                Self::own(strobes, dimension, record)
            });
        }
        for (dimension, strobe) in strobes.unpack.iter() {
            wires.drive(dimension, "unpacking", strobe, || {
                let incoming = self.incoming(dimension, record.ring);
                let decide = strobes.decide.line(dimension);
                B::within(format_args!("switch_{dimension}"), || {
                    (self.stages[dimension].switch).transmit(decide, incoming, address[dimension])
                })
            });
        }
    }

    /// What leaves the stages that are at work, by dimension; and their clock edge.
    #[inline]
    pub fn clock(
        &mut self,
        strobes: &ComparatorStrobes<B::Strobe>,
        record: Record<'_, B>,
        address: &[B],
        received: &[B],
    ) -> [B; MAX_DIMENSIONS] {
        let mut outputs = [B::ZERO; MAX_DIMENSIONS];
        let direction = Self::direction(strobes, address);
        for dimension in strobes.active() {
            let compare = strobes.compare.line(dimension);
            let unpack = strobes.unpack.line(dimension);
            let (own, received) = (Self::own(strobes, dimension, record), received[dimension]);
            let compared = (!compare.is_known_zero()).then(|| {
                let bits = (own, received);
                self.setting(strobes, dimension, bits, (direction, address))
            });
            let in_order = compared.map_or(B::ZERO, |setting| {
                B::within(format_args!("compare_{dimension}"), || {
                    B::gated(compare, || Comparator::output(setting, own, received))
                })
            });
            let incoming = self.incoming(dimension, record.ring);
            let decide = strobes.decide.line(dimension);
            let stage = &mut self.stages[dimension];
            let unpacked = B::gated(unpack, || {
                B::within(format_args!("switch_{dimension}"), || {
                    (stage.switch).merged(decide, incoming, address[dimension], received)
                })
            });
            outputs[dimension] = (in_order | unpacked).named(format_args!("stage_{dimension}_out"));
            if let Some(setting) = compared {
                B::when(compare, stage, |stage| {
                    stage.switch.set(setting.crossing, setting.keeping);
                });
            }
            B::when(decide, stage, |stage| {
                B::within(format_args!("switch_{dimension}"), || {
                    (stage.switch).decide(incoming, address[dimension]);
                });
            });
        }
        outputs
    }
}
