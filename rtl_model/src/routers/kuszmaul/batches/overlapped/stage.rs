//! The hardware of one iteration of schedule `overlapped`, for a batch at a time.
//!
//! ```text
//!                    wire of the lowest dimension        wires of the dimensions above it
//!                              |                                    ||||
//!   incoming --------> [crossing]--at home, exchanged-->[settling]--one message at most--> delivered
//! ```
//!
//! The last stage has no dimensions above its lowest: what is at home is delivered as it comes.

use crate::language::bit::{Bit, Strobe};
use crate::language::wires::Transmit;
use crate::registers;
use crate::routers::kuszmaul::batches::at::At;
use crate::routers::kuszmaul::batches::crossing::{self, Crossing, CrossingStrobes};
use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::kuszmaul::batches::overlapped::occupancy;
use crate::routers::kuszmaul::batches::overlapped::settling::Settling;
use crate::routers::kuszmaul::batches::overlapped::strobes::{self, SettlingStrobes};
use crate::routers::kuszmaul::batches::stage::{Incoming, Stage};
use crate::strobes;

strobes! {
    /// What a stage hears from the sequencer.
    #[derive(Clone, Debug)]
    pub struct OverlappedStageStrobes<S> {
        /// The exchange.
        pub crossing: CrossingStrobes<S>,
        /// What comes after it.
        pub settling: SettlingStrobes<S>,
    }
}

/// The strobes of this bit time.
pub(super) fn drive<S: Strobe>(at: &At<'_, S>, strobes: &mut OverlappedStageStrobes<S>) {
    crossing::drive(at, &mut strobes.crossing);
    if !at.extent.subcube().is_empty() {
        strobes::drive(at, &mut strobes.settling);
    }
}

/// Registers of a stage.
#[derive(Clone, Debug)]
pub struct OverlappedStage<B: Bit> {
    extent: Extent,
    crossing: Crossing<B>,
    settling: Option<Settling<B>>,
}
registers!(OverlappedStage {
    crossing: "step 1: messages cross the lowest dimension",
    settling: "steps 2 to 6: from nodes with two messages to nodes without",
});

impl<B: Bit> OverlappedStage<B> {
    /// A stage, all registers 0.
    pub fn new(extent: Extent) -> Self {
        OverlappedStage {
            extent,
            crossing: Crossing::new(extent),
            settling: (!extent.subcube().is_empty()).then(|| Settling::new(extent)),
        }
    }
}

impl<B: Bit> Stage<B> for OverlappedStage<B> {
    type Strobes = OverlappedStageStrobes<B::Strobe>;

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
        if let Some(settling) = &self.settling {
            settling.transmit(&strobes.settling, address, wires);
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
        match &self.settling {
            Some(settling) => settling.delivered(&strobes.settling, received),
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
        let crossing = &mut self.crossing;
        if let Some(settling) = &mut self.settling {
            let at_home = crossing.at_home(&strobes.crossing, incoming, address, received);
            let exchanged = crossing.exchanged(&strobes.crossing, received);
            let too_many = crossing.stays(incoming, address) & exchanged;
            settling.clock(&strobes.settling, [at_home, exchanged], address, received);
            B::when(strobes.crossing.decide, settling, |settling| {
                settling.begin(at_home, too_many);
            });
        }
        crossing.clock(&strobes.crossing, incoming, address);
    }

    fn occupancy(&self, t: i64, count: &mut dyn FnMut(B, u32)) {
        if let Some(settling) = &self.settling {
            occupancy::message_bits(self.extent, settling, t, count);
        }
    }

    fn messages(&self, t: i64, count: &mut dyn FnMut(B)) {
        if let Some(settling) = &self.settling {
            occupancy::messages(self.extent, settling, t, count);
        }
    }
}
