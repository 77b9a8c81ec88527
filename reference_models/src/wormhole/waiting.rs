//! Who waits for whom when nothing moves.

use super::model::Model;
use super::network::Channel;

impl Model<'_> {
    /// A cycle of input channels, each of which waits for room in the next, from the lowest on.
    pub fn waiting_cycle(&self) -> Option<Vec<Channel>> {
        // The walk on which each input channel was met: one that was met before leads into no cycle.
        let mut met = vec![usize::MAX; self.inputs.len()];
        for start in 0..met.len() {
            let mut walk = Vec::new();
            let mut next = Some(start);
            while let Some(input) = next.filter(|&input| met[input] == usize::MAX) {
                met[input] = start;
                walk.push(input);
                next = self.waits_for(input);
            }
            let closed = next.and_then(|input| walk.iter().position(|&other| other == input));
            if let Some(entry) = closed {
                let mut cycle = walk.split_off(entry);
                let lowest = (0..cycle.len()).min_by_key(|&place| cycle[place])?;
                cycle.rotate_left(lowest);
                let name = |input: usize| self.plan.inputs[input].channel;
                return Some(cycle.into_iter().map(name).collect());
            }
        }
        None
    }

    /// The input channel at the other end of the output channel that `input` has and cannot use, or asks
    /// for and cannot have.
    fn waits_for(&self, input: usize) -> Option<usize> {
        let channel = &self.inputs[input];
        channel.buffer.front()?;
        let (output, waits) = match channel.connected {
            Some(output) => {
                let far = self.plan.outputs[output].far?;
                (output, self.inputs[far].credits == 0)
            }
            // Of several, all of which are taken, the first one.
            None => {
                let output = *self.wanted(input).ok()?.first()?;
                (output, !self.is_free(output))
            }
        };
        let mut far = self.plan.outputs[output].far?;
        while self.plan.inputs[far].relay {
            far = self.plan.outputs[self.inputs[far].connected?].far?;
        }
        waits.then_some(far)
    }
}
