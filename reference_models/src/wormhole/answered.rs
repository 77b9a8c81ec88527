//! Worms whose header answers what the channels ask: in a flit those about as many candidates as there are wires.

use super::flits::Flit;
use super::model::Model;
use super::{Variant, Violation};

impl Model<'_> {
    /// A flit of answers has been read, about the next candidates of a channel but the last one, which is not asked about. The
    /// first 1 is the candidate that the worm takes; without one they are all declined.
    pub fn read_answers(&mut self, input: usize, flit: Flit) -> Result<(), Violation> {
        let plan = &self.plan.inputs[input];
        let worm = &mut self.worms[flit.worm];
        let channel = &mut self.inputs[input];
        worm.consumed += 1;
        let wires = self.plan.machine.wire_bits;
        let left = (plan.candidates.len() - 1).saturating_sub(channel.declined);
        let answers = match self.variant {
            Variant::ReadsPadding => wires,
            _ => wires.min(left),
        };
        let taken = (0..answers).find(|&wire| flit.wire(wire));
        channel.taken |= taken.is_some();
        channel.declined += match self.variant {
            Variant::ReadsBehindFirst => (0..answers).filter(|&wire| !flit.wire(wire)).count(),
            _ => taken.unwrap_or(answers),
        };
        // Wires that say nothing carry 0: a 1 is an answer to another channel, or of the body.
        match flit.is_zero_from(taken.map_or(answers, |wire| wire + 1)) {
            true => Ok(()),
            false => Err(Violation::NotPadded {
                channel: plan.channel,
                bit_time: self.now,
                message: worm.message,
            }),
        }
    }
}
