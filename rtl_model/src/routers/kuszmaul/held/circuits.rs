//! Circuits: the settings that a row of switches had for some packing, held for messages that go
//! the way back later (Kuszmaul 1990, Algorithm 2, step 6: a packing run backwards).
//!
//! ```text
//!   the packing set the switch of dimension d so:      held:
//!     something of this node's stayed                    kept
//!     something of the neighbour's came                  came
//!
//!   from stage r+1 --+--(and)<--[came]----------------------------> tx
//!                    +--(and)<--[kept]--(or)--> output register --> to stage r-1
//!                                        ^
//!                               rx ------+
//! ```
//!
//! On the way back there is no header: where something was kept, the bits go straight on; where it
//! had come from the neighbour, they go to the neighbour. The stages' output registers serve both
//! ways.
//!
//! A message goes ahead of its own bits as a valid bit. It lets go of every circuit that no message
//! uses: what a buffer without message sends after it gets nowhere.
//!
//! ```text
//!   bit time                       0      1 .. L
//!   from stage r+1                 valid  message
//!   strobe                         admit
//!                                  pass   pass
//! ```
//!
//! With `m` stages in use, stage `r` is `m-r` bit times behind the stage that the way back begins
//! with.

use crate::language::bit::{Bit, Strobe};
use crate::language::lines::Lines;
use crate::language::wires::Transmit;
use crate::machine::topology::hypercube::MAX_DIMENSIONS;
use crate::parts::dimensions::{ByDimension, RowOrder};
use crate::parts::packer::{Packer, PackerStrobes, Source};
use crate::parts::windows::{Now, Window};
use crate::registers;
use crate::strobes;
use std::ops::Range;

strobes! {
    /// What the circuits hear from the sequencer; lines are numbered by dimension.
    #[derive(Clone, Debug)]
    pub struct CircuitStrobes<S> {
        /// The stage consumes a header bit, and its setting is held.
        pub hold: Lines<S>,
        /// The way back begins at this stage: its input is the source.
        pub inject: Lines<S>,
        /// The stage lets go of its circuits, where no valid bit comes.
        pub admit: Lines<S>,
        /// The stage passes bits back (`admit` included).
        pub pass: Lines<S>,
        /// The way back ends at this stage.
        pub deliver: Lines<S>,
        /// The way back runs along the row from its near end.
        pub from_near_end: S,
    }
}

impl<S: Strobe> CircuitStrobes<S> {
    /// The lines of a row that sets circuits as packings begin in the one window, and goes back through them in the other.
    pub fn decode(&mut self, now: &impl Now<S>, sets: Window, returns: Window) {
        now.drive(&mut self.hold, &[sets.begins(0)]);
        self.inject
            .drive(S::ONE, now.row(), |dimension| match now.stands() {
                true => now.ends_row(dimension),
                false => now.within_last(dimension, returns),
            });
        now.drive(&mut self.admit, &[returns.begins(0)]);
        now.drive(&mut self.pass, &[returns]);
        self.deliver.drive(S::ONE, now.row(), |dimension| {
            now.within_first(dimension, returns)
        });
        // It runs against the row of its own iteration; a row that is turned runs the other way round.
        self.from_near_end = now.is_backward() ^ now.carried(returns.of_first_stage());
    }
}

/// What one switch holds.
#[derive(Clone, Debug)]
pub struct Circuit<B: Bit> {
    came: B,
    kept: B,
}
registers!(Circuit {
    came: "something came from the neighbour: the path back goes there",
    kept: "something was kept: the path back goes straight on",
});

impl<B: Bit> Circuit<B> {
    /// 1 where a circuit goes through; once a valid bit has come, where a message does.
    #[inline]
    pub fn engaged(&self) -> B {
        self.came | self.kept
    }
}

/// The circuits of a row of switches.
#[derive(Clone, Debug)]
pub struct Circuits<B: Bit> {
    stages: ByDimension<Circuit<B>>,
}
registers!(Circuits { stages });

impl<B: Bit> Circuits<B> {
    /// One for each switch of a row over `dimensions`.
    pub fn new(dimensions: Range<usize>, order: RowOrder) -> Self {
        Circuits {
            stages: ByDimension::new(dimensions, order, |_| Circuit {
                came: B::ZERO,
                kept: B::ZERO,
            }),
        }
    }

    /// That of the switch of `dimension`.
    pub fn stage(&self, dimension: usize) -> &Circuit<B> {
        &self.stages[dimension]
    }

    /// What the stage of `dimension` has to pass back.
    #[inline]
    fn incoming(
        strobes: &CircuitStrobes<B::Strobe>,
        packing: &Packer<B>,
        dimension: usize,
        source: B,
    ) -> B {
        let beside = || packing.output_beside(dimension, !strobes.from_near_end);
        B::choose(strobes.inject.line(dimension), || source, beside)
            .named(format_args!("circuit_{dimension}_in"))
    }

    /// What goes on from the stage of `dimension`.
    #[inline]
    fn merged(
        &self,
        strobes: &CircuitStrobes<B::Strobe>,
        packing: &Packer<B>,
        dimension: usize,
        source: B,
        received: &[B],
    ) -> B {
        let incoming = Self::incoming(strobes, packing, dimension, source);
        let kept = self.stages[dimension].kept & incoming;
        let kept = kept.named(format_args!("circuit_{dimension}_kept"));
        (kept | received[dimension]).named(format_args!("circuit_{dimension}_out"))
    }

    /// Drives what goes back to neighbours onto the wires.
    #[inline]
    pub fn transmit(
        &self,
        strobes: &CircuitStrobes<B::Strobe>,
        packing: &Packer<B>,
        source: B,
        wires: &mut Transmit<'_, B>,
    ) {
        for (dimension, strobe) in strobes.pass.iter() {
            wires.drive(dimension, "circuits", strobe, || {
                let incoming = Self::incoming(strobes, packing, dimension, source);
                let sent = self.stages[dimension].came & incoming;
                sent.named(format_args!("circuit_{dimension}_sent"))
            });
        }
    }

    /// The bit that arrives where the way back ends: valid, then the message.
    #[inline]
    pub fn delivered(
        &self,
        strobes: &CircuitStrobes<B::Strobe>,
        packing: &Packer<B>,
        source: B,
        received: &[B],
    ) -> B {
        strobes
            .deliver
            .select(|dimension| self.merged(strobes, packing, dimension, source, received))
    }

    /// One bit time of the row that these are the circuits of, and of the circuits. `forward` is
    /// what the packing receives, `source` what goes back.
    #[inline]
    pub fn clock(
        &mut self,
        packing: &mut Packer<B>,
        (strobes, packer_strobes): (&CircuitStrobes<B::Strobe>, &PackerStrobes<B::Strobe>),
        (source, forward): (B, Source<B>),
        address: &[B],
        received: &[B],
    ) {
        // What the registers hold before this clock edge; most bit times nothing goes back.
        let merged = (!strobes.pass.active().is_empty()).then(|| {
            let mut merged = [B::ZERO; MAX_DIMENSIONS];
            for (dimension, _) in strobes.pass.iter() {
                merged[dimension] = self.merged(strobes, packing, dimension, source, received);
            }
            merged
        });
        for (dimension, strobe) in strobes.admit.iter() {
            let valid = Self::incoming(strobes, packing, dimension, source);
            B::when(strobe, &mut self.stages[dimension], |circuit| {
                circuit.came = circuit.came & valid;
                circuit.kept = circuit.kept & valid;
            });
        }
        for (dimension, strobe) in strobes.hold.iter() {
            let stays = packing.stays(packer_strobes, dimension, forward, address);
            B::when(strobe, &mut self.stages[dimension], |circuit| {
                circuit.came = received[dimension];
                circuit.kept = stays;
            });
        }
        packing.clock(packer_strobes, forward, address, received);
        if let Some(merged) = merged {
            for (dimension, strobe) in strobes.pass.iter() {
                packing.set_output(dimension, strobe, merged[dimension]);
            }
        }
    }
}
