//! The hardware of one iteration of schedule `spread`, for a batch at a time and the beginning of the next.
//!
//! ```text
//!                    wire of the lowest dimension      wires of the dimensions above it
//!                              |                                  ||||
//!   incoming --------> [crossing]--stays, comes-->[spreading]--spread out--> delivered
//! ```
//!
//! The last stage has no dimensions above its lowest: who stays and who comes is at home, and delivered as it does.

use crate::language::bit::{Bit, Strobe};
use crate::language::wires::Transmit;
use crate::registers;
use crate::routers::kuszmaul::batches::at::At;
use crate::routers::kuszmaul::batches::crossing::{self, Crossing, CrossingStrobes};
use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::kuszmaul::batches::spread::spreading::{self, Spreading, SpreadingStrobes};
use crate::routers::kuszmaul::batches::stage::{Incoming, Stage};
use crate::strobes;

strobes! {
    /// What a stage hears from the sequencer.
    #[derive(Clone, Debug)]
    pub struct SpreadStageStrobes<S> {
        /// The exchange.
        pub crossing: CrossingStrobes<S>,
        /// What comes after it.
        pub spreading: SpreadingStrobes<S>,
    }
}

/// The strobes of this bit time.
pub(super) fn drive<S: Strobe>(at: &At<'_, S>, strobes: &mut SpreadStageStrobes<S>) {
    crossing::drive(at, &mut strobes.crossing);
    if !at.extent.subcube().is_empty() {
        spreading::drive(at, &mut strobes.spreading);
    }
}

/// Registers of a stage.
#[derive(Clone, Debug)]
pub struct SpreadStage<B: Bit> {
    extent: Extent,
    crossing: Crossing<B>,
    spreading: Option<Spreading<B>>,
}
registers!(SpreadStage {
    crossing: "step 1: messages cross the lowest dimension",
    spreading: "steps 2 and 3: messages are enumerated and packed",
});

impl<B: Bit> SpreadStage<B> {
    /// A stage, all registers 0.
    pub fn new(extent: Extent) -> Self {
        SpreadStage {
            extent,
            crossing: Crossing::new(extent),
            spreading: (!extent.subcube().is_empty()).then(|| Spreading::new(extent)),
        }
    }
}

impl<B: Bit> Stage<B> for SpreadStage<B> {
    type Strobes = SpreadStageStrobes<B::Strobe>;

    #[inline]
    fn transmit(
        &self,
        strobes: &Self::Strobes,
        incoming: Incoming<B>,
        address: &[B],
        wires: &mut Transmit<'_, B>,
    ) {
        self.crossing
            .transmit(&strobes.crossing, incoming, address, wires);
        if let Some(spreading) = &self.spreading {
            let stays = self.crossing.staying();
            spreading.transmit(&strobes.spreading, stays, address, wires);
        }
    }

    #[inline]
    fn delivered(
        &self,
        strobes: &Self::Strobes,
        incoming: Incoming<B>,
        address: &[B],
        received: &[B],
    ) -> B {
        match &self.spreading {
            Some(spreading) => {
                let stays = self.crossing.staying();
                spreading.delivered(&strobes.spreading, stays, address, received)
            }
            None => (self.crossing).at_home(&strobes.crossing, incoming, address, received),
        }
    }

    #[inline]
    fn clock(
        &mut self,
        strobes: &Self::Strobes,
        incoming: Incoming<B>,
        address: &[B],
        received: &[B],
    ) {
        let exchanged = self.crossing.exchanged(&strobes.crossing, received);
        let stays = self.crossing.staying();
        if let Some(spreading) = &mut self.spreading {
            let streams = [incoming.bit, exchanged];
            spreading.clock(&strobes.spreading, stays, streams, address, received);
            B::when(strobes.crossing.decide, spreading, |spreading| {
                spreading.begin(exchanged);
            });
        }
        self.crossing.clock(&strobes.crossing, incoming, address);
    }

    /// A bit is in the delay lines, or in a register behind a switch of the row.
    fn occupancy(&self, t: i64, count: &mut dyn FnMut(B, u32)) {
        if let Some(spreading) = &self.spreading {
            spreading.occupancy(self.extent, self.crossing.staying(), t, count);
        }
    }

    fn messages(&self, t: i64, count: &mut dyn FnMut(B)) {
        let busy = 2 * self.extent.free_dimensions() + self.extent.message_bits();
        if let Some(spreading) = &self.spreading
            && (0..busy as i64).contains(&t)
        {
            count(self.crossing.staying());
            count(spreading.has_second());
        }
    }
}
