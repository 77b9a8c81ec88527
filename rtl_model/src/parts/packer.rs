//! The packer: a row of switch stages (Kuszmaul 1990, Algorithm 1), which also runs backwards
//! (Algorithm 2, step 6).
//!
//! ```text
//!   upward:    source-->[stage i+1]-->[stage i+2]--> ... -->[stage k-1]--> delivered
//!   downward:  delivered <--[stage i+1]<--[stage i+2]<-- ... <--[stage k-1]<-- source
//! ```
//!
//! Upward the header is consumed from its least significant bit, downward from its most significant
//! one. With `r` the stage's number from 1 in the order in which it is passed, `m` stages in use, and
//! a body of `L` bits:
//!
//! ```text
//!   bit time from the start   2r-3    2r-2     2r-1  ..  m+r-2+L
//!   stage r                   arm    decide   stream
//!   (stage 1 is launched: its valid bit is taken from the node, in the bit time before the start)
//! ```

use crate::bit::{Bit, Strobe};
use crate::lanes::Lanes;
use crate::lines::Lines;
use crate::parts::dimensions::ByDimension;
use crate::parts::switch_stage::SwitchStage;
use crate::registers;
use crate::topology::hypercube::MAX_DIMENSIONS;
use crate::wires::Transmit;
use std::ops::Range;

/// What the packer hears from the sequencer; lines are numbered by dimension.
#[derive(Clone, Debug)]
pub struct PackerStrobes<S> {
    /// The stage takes its valid bit from the node.
    pub launch: Lines<S>,
    /// The stage takes its input from the source.
    pub inject: Lines<S>,
    /// The stage takes its valid bit from its input.
    pub arm: Lines<S>,
    /// The stage consumes its header bit.
    pub decide: Lines<S>,
    /// The stage passes bits on (`decide` included).
    pub pass: Lines<S>,
    /// The stage's output is what the packing delivers.
    pub deliver: Lines<S>,
    /// The row runs from the highest dimension to the lowest.
    pub downward: S,
}

impl<S: Strobe> PackerStrobes<S> {
    /// Nothing under way.
    pub fn idle() -> Self {
        PackerStrobes {
            launch: Lines::idle(),
            inject: Lines::idle(),
            arm: Lines::idle(),
            decide: Lines::idle(),
            pass: Lines::idle(),
            deliver: Lines::idle(),
            downward: S::ZERO,
        }
    }
}

/// Switch stages for some dimensions.
#[derive(Clone, Debug)]
pub struct Packer<B: Bit> {
    stages: ByDimension<SwitchStage<B>>,
}
registers!(Packer { stages });

impl<B: Bit> Packer<B> {
    /// A stage for each of `dimensions`.
    pub fn new(dimensions: Range<usize>) -> Self {
        let has_neighbour = dimensions.len() > 1;
        Packer {
            stages: ByDimension::new(dimensions, |_| SwitchStage::new(has_neighbour)),
        }
    }

    /// The stage of `dimension`.
    pub fn stage(&self, dimension: usize) -> &SwitchStage<B> {
        &self.stages[dimension]
    }

    #[inline]
    fn input(&self, strobes: &PackerStrobes<B::Strobe>, dimension: usize, source: B) -> B {
        let output = |stage: Option<&SwitchStage<B>>| stage.map_or(B::ZERO, SwitchStage::output);
        B::choose(
            strobes.inject.line(dimension),
            || source,
            || {
                B::choose(
                    strobes.downward,
                    || output(self.stages.above(dimension)),
                    || output(self.stages.below(dimension)),
                )
            },
        )
    }

    /// Drives the messages that cross onto the wires.
    #[inline]
    pub fn transmit(
        &self,
        strobes: &PackerStrobes<B::Strobe>,
        source: B,
        address: &[B],
        wires: &mut Transmit<'_, B>,
    ) {
        for (dimension, strobe) in strobes.pass.iter() {
            wires.drive(dimension, "packing", strobe, || {
                self.stages[dimension].transmit(
                    strobes.decide.line(dimension),
                    self.input(strobes, dimension, source),
                    address[dimension],
                )
            });
        }
    }

    /// The bit that leaves the last stage of the row in this bit time: valid, then the body.
    #[inline]
    pub fn delivered(
        &self,
        strobes: &PackerStrobes<B::Strobe>,
        source: B,
        address: &[B],
        received: &[B],
    ) -> B {
        strobes.deliver.select(|dimension| {
            self.stages[dimension].merged(
                strobes.decide.line(dimension),
                self.input(strobes, dimension, source),
                address[dimension],
                received[dimension],
            )
        })
    }

    /// One bit time of all stages. `launched` is the node's valid bit for the stage that is launched.
    #[inline]
    pub fn clock(
        &mut self,
        strobes: &PackerStrobes<B::Strobe>,
        source: B,
        launched: B,
        address: &[B],
        received: &[B],
    ) {
        // Either direction reads what its neighbours held before this clock edge.
        let mut inputs = [B::ZERO; MAX_DIMENSIONS];
        for (dimension, _) in strobes.pass.iter().chain(strobes.arm.iter()) {
            inputs[dimension] = self.input(strobes, dimension, source);
        }
        for (dimension, strobe) in strobes.pass.iter() {
            B::when(strobe, &mut self.stages[dimension], |stage| {
                stage.pass(
                    strobes.decide.line(dimension),
                    inputs[dimension],
                    address[dimension],
                    received[dimension],
                );
            });
        }
        for (dimension, strobe) in strobes.arm.iter() {
            B::when(strobe, &mut self.stages[dimension], |stage| {
                stage.arm(inputs[dimension]);
            });
        }
        for (dimension, strobe) in strobes.launch.iter() {
            B::when(strobe, &mut self.stages[dimension], |stage| {
                stage.arm(launched);
            });
        }
    }
}

impl<B: Lanes> Packer<B> {
    /// The host's side: launches a message into the stage of `dimension` before bit time 0.
    pub fn load(&mut self, place: usize, dimension: usize) {
        let mut valid = self.stages[dimension].valid();
        valid.set(place, true);
        self.stages[dimension].arm(valid);
    }
}
