//! The packer: a row of switch stages (Kuszmaul 1990, Algorithm 1), which also runs backwards
//! (Algorithm 2, step 6).
//!
//! ```text
//!   forward:   source-->[stage i+1]-->[stage i+2]--> ... -->[stage k-1]--> delivered
//!   backward:  delivered <--[stage i+1]<--[stage i+2]<-- ... <--[stage k-1]<-- source
//! ```
//!
//! Forward the header is consumed from its least significant bit, backward from its most
//! significant one. With `r` the stage's number from 1 in the order in which it is passed, `m`
//! stages in use, and a body of `L` bits:
//!
//! ```text
//!   bit time from the start   2r-3    2r-2     2r-1  ..  m+r-2+L
//!   stage r                   arm    decide   stream
//!   (stage 1 needs no arming: it takes the valid bit from where the message is stored)
//! ```

use crate::language::bit::{Bit, Strobe, any};
use crate::language::lines::Lines;
use crate::language::wires::Transmit;
use crate::machine::topology::hypercube::MAX_DIMENSIONS;
use crate::parts::dimensions::{ByDimension, Neighbours, RowOrder};
use crate::parts::switch_stage::{Incoming, SwitchStage};
use crate::parts::windows::{Now, Window};
use crate::registers;
use crate::strobes;
use std::ops::Range;

strobes! {
    /// What the packer hears from the sequencer; lines are numbered by dimension.
    #[derive(Clone, Debug)]
    pub struct PackerStrobes<S> {
        /// The row begins at this stage: its input is the source.
        pub inject: Lines<S>,
        /// The stage takes its valid bit from its input.
        pub arm: Lines<S>,
        /// The stage consumes its header bit.
        pub decide: Lines<S>,
        /// The stage passes bits on (`decide` included).
        pub pass: Lines<S>,
        /// The stage's output is what the packing delivers.
        pub deliver: Lines<S>,
        /// The row runs from its far end.
        pub backward: S,
    }
}

impl<S: Strobe> PackerStrobes<S> {
    /// The lines of these runs of the row, of which no two meet at a stage.
    pub fn decode(&mut self, runs: &[Run<'_, S>]) {
        let row = || runs.iter().map(|run| run.now.row()).next().unwrap_or(0..0);
        let in_any = |of: &dyn Fn(&Run<'_, S>) -> S| any(runs.iter().map(of));
        // From one bit time before the first stage decides.
        let enable = in_any(&|run| {
            let of_any = run.passes.of_any_stage();
            run.now.within(of_any.begins_earlier(1))
        });
        let within = |dimension: usize, of: &dyn Fn(Window) -> Window| {
            in_any(&|run| run.now.within_at(dimension, of(run.passes)))
        };
        // The first stage takes the valid bits from where the messages are known.
        self.arm.drive_within(enable, row(), |dimension| {
            in_any(&|run| {
                let arms = || run.now.within_at(dimension, run.passes.begins(-1));
                S::gated(!run.now.begins_row(dimension), arms)
            })
        });
        (self.decide).drive_within(enable, row(), |dimension| {
            within(dimension, &|passes| passes.begins(0))
        });
        (self.pass).drive_within(enable, row(), |dimension| {
            within(dimension, &|passes| passes)
        });
        match runs.iter().all(|run| run.now.stands()) {
            true => (self.inject).drive(S::ONE, row(), |dimension| {
                in_any(&|run| run.now.begins_row(dimension))
            }),
            false => self.inject.drive_within(enable, row(), |dimension| {
                in_any(&|run| run.now.within_first(dimension, run.passes))
            }),
        }
        self.deliver.drive_within(enable, row(), |dimension| {
            let runs = runs.iter().filter(|run| run.delivers);
            any(runs.map(|run| run.now.within_last(dimension, run.passes)))
        });
        self.backward = in_any(&|run| run.now.is_backward());
    }

    /// Dimensions outside this range are idle.
    #[inline]
    pub(crate) fn active(&self) -> Range<usize> {
        let (pass, arm) = (self.pass.active(), self.arm.active());
        match (pass.is_empty(), arm.is_empty()) {
            (true, _) => arm,
            (_, true) => pass,
            _ => pass.start.min(arm.start)..pass.end.max(arm.end),
        }
    }

    /// Whether the stage of `dimension` may have something to do.
    #[inline]
    pub(crate) fn is_busy(&self, dimension: usize) -> bool {
        !(self.pass.line(dimension) | self.arm.line(dimension)).is_known_zero()
    }
}

/// Messages pass the row.
#[derive(Clone, Copy)]
pub struct Run<'a, S: Strobe> {
    /// The bit time.
    pub now: &'a dyn Now<S>,
    /// When the wire of a stage carries them: the first bit of each is a header bit, which the stage consumes.
    pub passes: Window,
    /// What leaves the last stage is delivered.
    pub delivers: bool,
}

impl<'a, S: Strobe> Run<'a, S> {
    /// Of messages that are delivered.
    pub fn delivering(now: &'a dyn Now<S>, passes: Window) -> Self {
        Run {
            now,
            passes,
            delivers: true,
        }
    }

    /// Of headers that end in the switches.
    pub fn ending(now: &'a dyn Now<S>, passes: Window) -> Self {
        Run {
            now,
            passes,
            delivers: false,
        }
    }
}

/// Switch stages for some dimensions.
#[derive(Clone, Debug)]
pub struct Packer<B: Bit> {
    stages: ByDimension<SwitchStage<B>>,
}
registers!(Packer { stages });

/// Which ways messages pass a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directions {
    /// From its first stage to its last.
    Forward,
    /// Either way, consuming headers.
    Either,
    /// Forward; then back through circuits that are held
    /// ([`crate::routers::kuszmaul::held::circuits`]), which use the stages' output registers.
    ForwardAndReturning,
}

/// The message that the row is to carry.
#[derive(Clone, Copy, Debug)]
pub struct Source<B> {
    /// There is one.
    pub valid: B,
    /// This bit time's bit of it: header, then body.
    pub bit: B,
}

impl<B: Bit> Packer<B> {
    /// A stage for each of `dimensions`, in the given order. Registers that nothing would read are
    /// not built.
    pub fn new(dimensions: Range<usize>, order: RowOrder, directions: Directions) -> Self {
        Packer {
            stages: ByDimension::new(dimensions.clone(), order, |dimension| {
                let Neighbours { is_fed, feeds } =
                    Neighbours::of(dimension, order, dimensions.clone());
                match directions {
                    Directions::Forward => SwitchStage::new(is_fed, feeds),
                    Directions::Either => SwitchStage::new(is_fed || feeds, is_fed || feeds),
                    // On the way back, stages feed those that fed them.
                    Directions::ForwardAndReturning => SwitchStage::new(is_fed, is_fed || feeds),
                }
            }),
        }
    }

    /// The stage of `dimension`.
    pub fn stage(&self, dimension: usize) -> &SwitchStage<B> {
        &self.stages[dimension]
    }

    /// What the stage of `dimension` has before it: the source, or the stage next to it.
    #[inline(always)]
    fn incoming(
        &self,
        strobes: &PackerStrobes<B::Strobe>,
        dimension: usize,
        source: Source<B>,
    ) -> Incoming<B> {
        let begins = strobes.inject.line(dimension);
        let next_to_it = || self.output_beside(dimension, strobes.backward);
        let valid = B::choose(begins, || source.valid, || self.stages[dimension].valid());
        let bit = B::choose(begins, || source.bit, next_to_it);
        B::within(format_args!("switch_{dimension}"), || Incoming {
            valid: valid.named("valid_in"),
            bit: bit.named("bit_in"),
        })
    }

    /// What the stage of `dimension` has before it stays: its switch's setting, while it decides.
    #[inline]
    pub fn stays(
        &self,
        strobes: &PackerStrobes<B::Strobe>,
        dimension: usize,
        source: Source<B>,
        address: &[B],
    ) -> B {
        let incoming = self.incoming(strobes, dimension, source);
        B::within(format_args!("switch_{dimension}"), || {
            SwitchStage::stays(incoming, address[dimension])
        })
    }

    /// The output register of the stage before that of `dimension`, or behind it.
    #[inline]
    pub fn output_beside(&self, dimension: usize, behind: B::Strobe) -> B {
        let output = |stage: Option<&SwitchStage<B>>| stage.map_or(B::ZERO, SwitchStage::output);
        B::choose(
            behind,
            || output(self.stages.behind(dimension)),
            || output(self.stages.before(dimension)),
        )
    }

    /// Puts `bit` into the output register of the stage of `dimension`.
    #[inline]
    pub fn set_output(&mut self, dimension: usize, strobe: B::Strobe, bit: B) {
        B::when(strobe, &mut self.stages[dimension], |stage| {
            stage.set_output(bit)
        });
    }

    /// Drives the messages that cross onto the wires.
    #[inline]
    pub fn transmit(
        &self,
        strobes: &PackerStrobes<B::Strobe>,
        source: Source<B>,
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
        source: Source<B>,
        address: &[B],
        received: &[B],
    ) -> B {
        strobes.deliver.select(|dimension| {
            let incoming = self.incoming(strobes, dimension, source);
            B::within(format_args!("switch_{dimension}"), || {
                self.stages[dimension].merged(
                    strobes.decide.line(dimension),
                    incoming,
                    address[dimension],
                    received[dimension],
                )
            })
        })
    }

    /// One bit time of all stages.
    #[inline]
    pub fn clock(
        &mut self,
        strobes: &PackerStrobes<B::Strobe>,
        source: Source<B>,
        address: &[B],
        received: &[B],
    ) {
        // Against the flow, each stage reads what the one before it held before this clock edge;
        // where the direction is not known, all read first.
        let backward = strobes.backward.is_known_one();
        let order = self.stages.against_flow(strobes.active(), backward);
        if backward || strobes.backward.is_known_zero() {
            for dimension in order {
                if strobes.is_busy(dimension) {
                    let incoming = self.incoming(strobes, dimension, source);
                    self.clock_stage(strobes, dimension, incoming, address, received);
                }
            }
        } else {
            let nothing = Incoming {
                valid: B::ZERO,
                bit: B::ZERO,
            };
            let mut incoming = [nothing; MAX_DIMENSIONS];
            for dimension in strobes.active() {
                incoming[dimension] = self.incoming(strobes, dimension, source);
            }
            for dimension in order {
                self.clock_stage(strobes, dimension, incoming[dimension], address, received);
            }
        }
    }

    /// One bit time of a stage that has `incoming` before it.
    #[inline(always)]
    fn clock_stage(
        &mut self,
        strobes: &PackerStrobes<B::Strobe>,
        dimension: usize,
        incoming: Incoming<B>,
        address: &[B],
        received: &[B],
    ) {
        let pass = strobes.pass.line(dimension);
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
        let arm = strobes.arm.line(dimension);
        B::when(arm, &mut self.stages[dimension], |stage| {
            stage.arm(incoming.bit);
        });
    }
}
