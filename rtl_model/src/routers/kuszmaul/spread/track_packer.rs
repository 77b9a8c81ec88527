//! A row of switch stages with two tracks: packs all messages at once, two at most of each node
//! (schedule `spread`).
//!
//! ```text
//!   two messages-->[stage i+1]==>[stage i+2]==> ... ==>[stage k-1]--> delivered
//! ```
//!
//! Windows are those of [`crate::parts::packer`], whose strobes it takes; it never runs backward.

use crate::language::bit::Bit;
use crate::language::wires::Transmit;
use crate::parts::dimensions::{ByDimension, Neighbours, RowOrder};
use crate::parts::packer::PackerStrobes;
use crate::registers;
use crate::routers::kuszmaul::spread::track_switch::{PerTrack, TrackIncoming, TrackSwitch};
use std::ops::Range;

/// Switch stages for some dimensions.
#[derive(Clone, Debug)]
pub struct TrackPacker<B: Bit> {
    stages: ByDimension<TrackSwitch<B>>,
}
registers!(TrackPacker { stages });

impl<B: Bit> TrackPacker<B> {
    /// A stage for each of `dimensions`, in ascending order. Registers that nothing would read are not
    /// built.
    pub fn new(dimensions: Range<usize>) -> Self {
        let order = RowOrder::Ascending;
        TrackPacker {
            stages: ByDimension::new(dimensions.clone(), order, |dimension| {
                let Neighbours { is_fed, feeds } =
                    Neighbours::of(dimension, order, dimensions.clone());
                TrackSwitch::new(is_fed, feeds)
            }),
        }
    }

    /// The stage of `dimension`.
    pub fn stage(&self, dimension: usize) -> &TrackSwitch<B> {
        &self.stages[dimension]
    }

    /// What the stage of `dimension` has before it: the source, or the stage before it.
    #[inline]
    fn incoming(
        &self,
        strobes: &PackerStrobes<B::Strobe>,
        dimension: usize,
        source: TrackIncoming<B>,
    ) -> TrackIncoming<B> {
        let begins = strobes.inject.line(dimension);
        let valid = self.stages[dimension].valid();
        let before = (self.stages.before(dimension)).map_or(PerTrack::NONE, TrackSwitch::output);
        let choose = |at_source: B, inside: B, name: &str| {
            B::choose(begins, || at_source, || inside).named(format_args!("{name}_in"))
        };
        B::within(format_args!("switch_{dimension}"), || TrackIncoming {
            valid: PerTrack {
                track_0: choose(source.valid.track_0, valid.track_0, "valid_0"),
                track_1: choose(source.valid.track_1, valid.track_1, "valid_1"),
            },
            bit: PerTrack {
                track_0: choose(source.bit.track_0, before.track_0, "bit_0"),
                track_1: choose(source.bit.track_1, before.track_1, "bit_1"),
            },
        })
    }

    /// Drives the messages that cross onto the wires.
    #[inline]
    pub fn transmit(
        &self,
        strobes: &PackerStrobes<B::Strobe>,
        source: TrackIncoming<B>,
        address: &[B],
        wires: &mut Transmit<'_, B>,
    ) {
        for (dimension, strobe) in strobes.pass.iter() {
            wires.drive(dimension, "packing", strobe, || {
                let incoming = self.incoming(strobes, dimension, source);
                B::within(format_args!("switch_{dimension}"), || {
                    let decide = strobes.decide.line(dimension);
                    self.stages[dimension].transmit(decide, incoming, address[dimension])
                })
            });
        }
    }

    /// The bit that leaves the last stage of the row in this bit time: valid, then the body.
    #[inline]
    pub fn delivered(
        &self,
        strobes: &PackerStrobes<B::Strobe>,
        source: TrackIncoming<B>,
        address: &[B],
        received: &[B],
    ) -> B {
        strobes.deliver.select(|dimension| {
            let kept = self.kept(strobes, dimension, source, address);
            B::within(format_args!("switch_{dimension}"), || {
                (kept | received[dimension]).named("merged")
            })
        })
    }

    /// The same where two messages may end at one node: what stays in the last stage on track 0, what
    /// it receives on track 1.
    #[inline]
    pub fn delivered_apart(
        &self,
        strobes: &PackerStrobes<B::Strobe>,
        source: TrackIncoming<B>,
        address: &[B],
        received: &[B],
    ) -> PerTrack<B> {
        let deliver = &strobes.deliver;
        let kept = deliver.select(|dimension| self.kept(strobes, dimension, source, address));
        let received = deliver.select(|dimension| received[dimension]);
        PerTrack {
            track_0: kept.named("delivered_kept"),
            track_1: received.named("delivered_received"),
        }
    }

    /// What stays in the stage of `dimension`, of either track.
    #[inline]
    fn kept(
        &self,
        strobes: &PackerStrobes<B::Strobe>,
        dimension: usize,
        source: TrackIncoming<B>,
        address: &[B],
    ) -> B {
        let incoming = self.incoming(strobes, dimension, source);
        B::within(format_args!("switch_{dimension}"), || {
            let decide = strobes.decide.line(dimension);
            self.stages[dimension].kept(decide, incoming, address[dimension])
        })
    }

    /// One bit time of all stages.
    #[inline]
    pub fn clock(
        &mut self,
        strobes: &PackerStrobes<B::Strobe>,
        source: TrackIncoming<B>,
        address: &[B],
        received: &[B],
    ) {
        // From the last stage down: each reads what the one before it held before this clock edge. A stage
        // is armed while the one before it passes: both read it first.
        for dimension in self.stages.against_flow(strobes.active(), false) {
            if !strobes.is_busy(dimension) {
                continue;
            }
            let (pass, arm) = (strobes.pass.line(dimension), strobes.arm.line(dimension));
            let incoming = self.incoming(strobes, dimension, source);
            B::within(format_args!("switch_{dimension}"), || {
                B::when(pass, &mut self.stages[dimension], |stage| {
                    stage.pass(
                        strobes.decide.line(dimension),
                        incoming,
                        address[dimension],
                        received[dimension],
                    );
                });
            });
            B::when(arm, &mut self.stages[dimension], |stage| {
                stage.arm(incoming.bit);
            });
        }
    }
}
