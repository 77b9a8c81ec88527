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

use crate::language::bit::Bit;
use crate::language::lines::Lines;
use crate::language::wires::Transmit;
use crate::machine::topology::hypercube::MAX_DIMENSIONS;
use crate::parts::dimensions::{ByDimension, RowOrder};
use crate::parts::packer::{Packer, PackerStrobes, Source};
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::strobes::Strobes;
    use crate::language::wires::{Ledger, Transmit};
    use crate::parts::packer::Directions;

    const NOBODY: Source<bool> = Source {
        valid: false,
        bit: false,
    };

    /// A row of stages 0 and 1, and its circuits.
    struct Row {
        packing: Packer<bool>,
        circuits: Circuits<bool>,
    }

    impl Row {
        fn new() -> Self {
            let order = RowOrder::Ascending;
            Row {
                packing: Packer::new(0..2, order, Directions::ForwardAndReturning),
                circuits: Circuits::new(0..2, order),
            }
        }

        /// One bit time: `(dimension 0, dimension 1)` on the wires either way. `going` goes
        /// forward, `returning` back.
        fn tick(
            &mut self,
            strobes: (&CircuitStrobes<bool>, &PackerStrobes<bool>),
            (going, returning): (Source<bool>, bool),
            received: [bool; 2],
        ) -> [bool; 2] {
            let address = [false, false];
            let (mut wires, mut ledger) = ([false; 2], Ledger::new(2));
            let mut transmit = Transmit::new(&mut wires, &mut ledger);
            self.packing
                .transmit(strobes.1, going, &address, &mut transmit);
            self.circuits
                .transmit(strobes.0, &self.packing, returning, &mut transmit);
            self.circuits.clock(
                &mut self.packing,
                strobes,
                (returning, going),
                &address,
                &received,
            );
            wires
        }

        /// Step 5 at node 0: its own header `[dimension 0, dimension 1]` goes forward, and
        /// something may come over the wires. Stage 1 decides two bit times after stage 0.
        fn hold(&mut self, header: [bool; 2], came: [bool; 2]) {
            for t in 0..3 {
                let mut strobes = CircuitStrobes::<bool>::idle();
                let mut packer = PackerStrobes::<bool>::idle();
                packer.inject.drive(true, 0..1, |_| true);
                packer.arm.drive(t == 1, 1..2, |_| true);
                packer.decide.drive(true, 0..2, |d| t == 2 * d);
                packer.pass.drive(true, 0..2, |d| t >= 2 * d);
                strobes.hold.drive(true, 0..2, |d| t == 2 * d);
                let going = Source {
                    valid: true,
                    bit: *header.get(t).unwrap_or(&false),
                };
                let received = [came[0] && t == 0, came[1] && t == 2];
                self.tick((&strobes, &packer), (going, false), received);
            }
        }

        /// Step 6 at node 0: a message of `bits` behind its valid bit goes back from stage 1; what
        /// each wire carries.
        fn go_back(&mut self, valid: bool, bits: &[bool]) -> [Vec<bool>; 2] {
            let packer = PackerStrobes::<bool>::idle();
            let mut sent = [Vec::new(), Vec::new()];
            for t in 0..bits.len() + 2 {
                let mut strobes = CircuitStrobes::<bool>::idle();
                strobes.inject.drive(true, 1..2, |_| true);
                strobes.admit.drive(true, 0..2, |d| t == 1 - d);
                strobes
                    .pass
                    .drive(true, 0..2, |d| (1 - d..bits.len() + 2 - d).contains(&t));
                let returning = match t {
                    0 => valid,
                    _ => *bits.get(t - 1).unwrap_or(&false),
                };
                let wires = self.tick((&strobes, &packer), (NOBODY, returning), [false; 2]);
                for (dimension, sent) in sent.iter_mut().enumerate() {
                    sent.push(wires[dimension]);
                }
            }
            sent
        }
    }

    const BITS: [bool; 3] = [true, false, true];

    #[test]
    fn a_message_goes_back_to_where_the_header_came_from() {
        // The header stayed at stage 0 and, at stage 1, was kept: nothing goes over a wire.
        let mut row = Row::new();
        row.hold([false, false], [false, false]);
        assert_eq!(row.go_back(true, &BITS), [vec![false; 5], vec![false; 5]]);

        // The own header left by dimension 1, and another came: the way back leads to the
        // neighbour.
        let mut row = Row::new();
        row.hold([false, true], [false, true]);
        let over_1 = vec![true, true, false, true, false];
        assert_eq!(row.go_back(true, &BITS), [vec![false; 5], over_1]);

        // The own header left by dimension 0, another came by it and stayed at stage 1: the way
        // back goes straight on there, and over dimension 0 one bit time later.
        let mut row = Row::new();
        row.hold([true, false], [true, false]);
        let over_0 = vec![false, true, true, false, true];
        assert_eq!(row.go_back(true, &BITS), [over_0, vec![false; 5]]);
    }

    #[test]
    fn what_no_valid_bit_announces_gets_nowhere() {
        let mut row = Row::new();
        row.hold([false, true], [false, true]);
        assert!(row.circuits.stage(1).engaged());
        assert_eq!(row.go_back(false, &BITS), [vec![false; 5], vec![false; 5]]);
        assert!(!row.circuits.stage(1).engaged());
    }
}
