//! When the greedy end does what, from a batch's beginning there.
//!
//! ```text
//!   one dimension             a: who 0, bits 1 .. D
//!   two                       a: who 0, address 1, bits 2 ..    b: who 1, 2, bits 3 .. D+2
//!   three or four             a: who 0, bits 1, 3, 5, ..        b: who 1, 2, bits 3, 4, ..
//!                             c of three: who 5, bits 7, 9, ..
//!                             c of four: who 5, 6, bits 7, 8, ..     d: who 9, bits 11, 13, ..
//! ```

use crate::language::bit::Strobe;
use crate::parts::windows::{Claim, Stretch, Window};
use crate::routers::kuszmaul::batches::at::At;
use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::kuszmaul::batches::radix4::crossing::Crossing;
use crate::routers::kuszmaul::batches::radix4::strobes::EndStageStrobes;
use crate::routers::kuszmaul::radix4::windows::{
    END_LANES, END_LAST, END_OF_ONE, END_OF_TWO, END_TURNS,
};

/// The windows of the greedy end.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndWindows {
    extent: Extent,
    /// Its dimensions: 1 to 4.
    pub dimensions: usize,
    payload_bits: usize,
}

impl EndWindows {
    pub fn new(extent: Extent, dimensions: usize) -> Self {
        EndWindows {
            extent,
            dimensions,
            payload_bits: extent.size.payload_bits,
        }
    }

    /// The last dimension.
    pub fn last(self) -> usize {
        self.extent.size.dimensions - 1
    }

    /// The bit times of a window.
    fn stretch(self, window: Window) -> Stretch {
        window.stretch(0, self.payload_bits, self.dimensions)
    }

    /// The exchange of the first two dimensions.
    pub fn crossing(self) -> Crossing {
        match self.dimensions {
            1 => Crossing {
                over_first: self.stretch(END_OF_ONE[1]),
                over_second: None,
            },
            2 => {
                let [over_first, over_second] = END_OF_TWO.map(|window| self.stretch(window));
                Crossing {
                    over_first,
                    over_second: Some([over_second; 2]),
                }
            }
            _ => Crossing::by_turns(END_TURNS.map(|half| self.stretch(half))),
        }
    }

    /// As [`Pipelined::takes`](crate::routers::kuszmaul::batches::stage::Pipelined::takes).
    pub fn takes(self) -> [Stretch; 2] {
        let addresses = self.dimensions.min(2) as i64;
        [Stretch::new(0, addresses - 1), self.crossing().over_first]
    }

    /// A bit of all messages enters the list behind the exchange.
    pub fn enters(self) -> Stretch {
        self.stretch(END_TURNS[1])
    }

    /// The wire of the last dimension but one carries a lane: who crosses, then bits of messages from the last address bit on.
    pub fn before_last_lane(self, lane: usize) -> Stretch {
        self.stretch(END_LANES[lane])
    }

    /// That of the last carries who crosses, then payload bits.
    pub fn last_lane(self) -> Stretch {
        self.stretch(END_LAST[usize::from(self.dimensions > 3)])
    }

    /// The bit times in which it is decided who crosses, by an address bit that is consumed then.
    pub fn decisions(self) -> &'static [i64] {
        &[0, 1, 5, 9][..self.dimensions]
    }

    /// As [`Pipelined::delivers_at`](crate::routers::kuszmaul::batches::stage::Pipelined::delivers_at).
    pub fn delivers_at(self) -> usize {
        match self.dimensions {
            1 => 0,
            2 => 2,
            _ => self.last_lane().from as usize,
        }
    }

    /// As [`Pipelined::delivers`](crate::routers::kuszmaul::batches::stage::Pipelined::delivers).
    pub fn delivers(self) -> Stretch {
        let from = self.delivers_at() as i64;
        match self.dimensions {
            1 | 2 => Stretch::new(from + 1, from + self.payload_bits as i64),
            _ => Stretch::every_second(from + 2, self.payload_bits),
        }
    }

    /// Claims of the switches behind the exchange.
    pub fn claim_switches(self, claims: &mut Vec<Claim>) {
        let mut claim = |dimension, unit, window| {
            claims.push(Claim {
                dimension,
                unit,
                window,
            });
        };
        if self.dimensions == 4 {
            let lane = |lane| self.before_last_lane(lane);
            claim(self.last() - 1, "greedy_lane_0", lane(0));
            claim(self.last() - 1, "greedy_lane_1", lane(1));
        }
        if self.dimensions > 2 {
            claim(self.last(), "greedy", self.last_lane());
        }
    }

    /// As [`Pipelined::steps`](crate::routers::kuszmaul::batches::stage::Pipelined::steps).
    pub fn steps(self) -> Vec<(&'static str, i64)> {
        match self.dimensions {
            1 | 2 => vec![("cross", 0)],
            _ => vec![("cross", 0), ("greedy", 5)],
        }
    }

    /// The strobes of this bit time, but for those of the exchange.
    pub fn drive<S: Strobe>(self, at: &At<'_, S>, strobes: &mut EndStageStrobes<S>) {
        if self.dimensions <= 2 {
            return;
        }
        strobes.load = at.during(self.enters()).named("load");
        let switches = &mut strobes.switches;
        let arm_last = match self.dimensions {
            3 => 4,
            _ => {
                switches.arm_before_last = at.is(4);
                switches.decide_before_last = at.is(5);
                switches.announce = at.during(Stretch::new(5, 6));
                switches.first_lane = at.during(self.before_last_lane(0));
                switches.second_lane = at.during(self.before_last_lane(1));
                7
            }
        };
        switches.arm_last = at.is(arm_last);
        switches.decide_last = at.is(self.last_lane().from);
        switches.last_lane = at.during(self.last_lane());
    }
}
