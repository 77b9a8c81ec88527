//! The sequencer: counts bit times and steps, and tells the nodes.
//!
//! ```text
//!   bit time of a step   0 .. T-1   T ........ T+B-1
//!                        START      SHIFT             then the next step
//!   shift                           * * * * * *
//!   commit                                    *
//!
//!   [bit_of_step 0..T+B-1]--last--> [step_number 0..S]--is S--> done
//! ```

use crate::language::bit::{Bit, Strobe};
use crate::machine::router::{Position, Sequencer};
use crate::parts::counter::Counter;
use crate::{registers, strobes};

strobes! {
    /// Where in a step this bit time is.
    #[derive(Clone, Debug)]
    pub struct PhaseStrobes<S> {
        /// A bit of every packet is on its way.
        pub shift: S,
        /// The last bit time of a step: the orders of the next one come.
        pub commit: S,
    }
}

/// The sequencer.
#[derive(Clone, Debug)]
pub struct PhaseSequencer<B: Bit> {
    steps: usize,
    packet_bits: usize,
    start_up: usize,
    bit_of_step: Counter<B>,
    step_number: Counter<B>,
}
registers!(PhaseSequencer {
    bit_of_step: "the bit time of the step",
    step_number: "the step of the schedule"
});

impl<S: Strobe> PhaseSequencer<S> {
    /// At the first bit time of the first of so many steps, of packets of so many bits behind so many bit times of start-up.
    pub fn new(steps: usize, packet_bits: usize, start_up: usize) -> Self {
        let last = start_up + packet_bits - 1;
        PhaseSequencer {
            steps,
            packet_bits,
            start_up,
            bit_of_step: Counter::new(last as u32, 0).named("bit_of_step"),
            step_number: Counter::new(steps as u32, 0).named("step_number"),
        }
    }

    fn running(&self) -> S {
        !self.is_done()
    }

    fn ends_step(&self) -> S {
        let last = self.start_up + self.packet_bits - 1;
        let is_last = self.bit_of_step.number().equals(last as i64);
        (self.running() & is_last).named("ends_step")
    }
}

impl<S: Strobe> Sequencer<S> for PhaseSequencer<S> {
    type Broadcast = PhaseStrobes<S>;

    fn broadcast(&self, strobes: &mut PhaseStrobes<S>) {
        let bit = self.bit_of_step.number();
        strobes.shift = self.running() & bit.at_least(self.start_up as i64);
        strobes.commit = self.ends_step();
    }

    fn clock(&mut self) {
        let (running, ends_step) = (self.running(), self.ends_step());
        S::when(running, &mut self.bit_of_step, |bit| {
            bit.count_or_set(ends_step, 0);
        });
        S::when(ends_step, &mut self.step_number, Counter::count);
    }

    fn is_done(&self) -> S {
        self.step_number.number().equals(self.steps as i64)
    }
}

/// The steps by name.
pub(super) const STEPS: [&str; 3] = ["done", "START", "SHIFT"];

impl PhaseSequencer<bool> {
    /// The step of the schedule that is under way and its bit time; none once all are over.
    pub fn under_way(&self) -> Option<(usize, usize)> {
        let value = |counter: &Counter<bool>| counter.number().value() as usize;
        let step = value(&self.step_number);
        (step < self.steps).then(|| (step, value(&self.bit_of_step)))
    }

    /// How many bits of its packets are over in the step that is under way.
    pub fn shifted(&self) -> usize {
        let bit = self.under_way().map_or(0, |(_, bit)| bit);
        bit.saturating_sub(self.start_up)
    }

    /// Where it stands: an iteration a step of the schedule.
    pub(super) fn position(&self) -> Position {
        let at = |iteration: usize, step, bit_time: usize| Position {
            iteration: iteration as u32,
            step,
            bit_time: bit_time as u32,
        };
        match self.under_way() {
            None => at(0, 0, 0),
            Some((step, bit)) => match bit.checked_sub(self.start_up) {
                None => at(step, 1, bit),
                Some(bit) => at(step, 2, bit),
            },
        }
    }
}
