//! Which output channels a worm in an input channel may take, and which it asks for.

use std::borrow::Cow;

use super::model::{Input, Model};
use super::{Variant, Violation};

impl Model<'_> {
    /// A channel that knows which output channel it wants: it has taken one, or only one is left; or it has read the whole
    /// address, and found it in its table, if there is one.
    pub fn asks(&self, input: usize) -> bool {
        if self.addressed().is_some() {
            return self.has_address(input) && !self.looks_up(input);
        }
        let Input {
            taken, declined, ..
        } = self.inputs[input];
        taken || declined + 1 == self.plan.inputs[input].candidates.len()
    }

    /// The output channels any of which a worm in `input` may take.
    pub fn wanted(&self, input: usize) -> Result<Cow<'_, [usize]>, Violation> {
        let plan = &self.plan.inputs[input];
        let wanted = match (&self.inputs[input].route, self.addressed()) {
            (Some(route), _) => Cow::Borrowed(&route[..]),
            (None, Some(_)) => Cow::Owned(self.permitted(input)),
            // A channel that reads more answers than it has candidates wants what there is not.
            (None, None) => {
                let next = plan.candidates.get(self.inputs[input].declined);
                Cow::Borrowed(next.map_or(&[][..], |outputs| &outputs[..]))
            }
        };
        match wanted.is_empty() {
            true => Err(Violation::NoSuchChannel {
                channel: plan.channel,
                bit_time: self.now,
            }),
            false => Ok(wanted),
        }
    }

    /// Those that it asks for in this bit time: where links lead from node to node only the first one that is free, elsewhere
    /// all.
    pub fn asked(&self, input: usize) -> Result<Vec<usize>, Violation> {
        let wanted = self.wanted(input)?;
        let mut free = wanted
            .iter()
            .copied()
            .filter(|&output| self.is_free(output));
        Ok(match (&self.plan.links, self.variant) {
            (None, _) => wanted.to_vec(),
            (_, Variant::AsksForLastFree) => free.next_back().into_iter().collect(),
            _ => free.next().into_iter().collect(),
        })
    }

    /// The buffer that `output` feeds is known to be empty.
    pub fn has_all_credits(&self, output: usize) -> bool {
        let far = self.plan.outputs[output].far;
        far.is_none_or(|far| self.inputs[far].credits == self.plan.inputs[far].places as i64)
    }

    /// No input channel has it, and the buffer that it feeds is known to be empty.
    pub fn is_free(&self, output: usize) -> bool {
        self.variant != Variant::NeverGrants
            && self.outputs[output].connected.is_none()
            && (self.variant == Variant::GrantsWithoutAllCredits || self.has_all_credits(output))
    }

    /// Where links lead from node to node, a worm is given the first free one of the channels that it may take.
    pub fn check_grants(&self, grants: &[(usize, usize)]) -> Result<(), Violation> {
        for &(output, input) in grants.iter().filter(|_| self.plan.links.is_some()) {
            let wanted = self.wanted(input)?;
            let place = wanted.iter().position(|&other| other == output);
            if place.is_none_or(|place| wanted[..place].iter().any(|&other| self.is_free(other))) {
                return Err(Violation::NotFirstFree {
                    channel: self.plan.inputs[input].channel,
                    bit_time: self.now,
                });
            }
        }
        Ok(())
    }
}
