//! What a bit time decides, from what is there when it begins.

use super::model::{Model, NONE, Requests};
use super::network::Turn;
use super::rule::Place;

impl Model<'_> {
    /// Input channels that read a header bit; output channels and who asks for them; input channels that
    /// send, and on which output channel.
    pub fn decide(&mut self) -> (Vec<usize>, Requests, Vec<(usize, usize)>) {
        let (mut reads, mut requests) = (Vec::new(), Vec::new());
        let (mut ready, mut sends) = (Vec::new(), Vec::new());
        let mut asleep = Vec::new();
        for &input in &self.active {
            let at = &self.inputs[input];
            if at.to_read > 0 {
                reads.push(input);
                continue;
            }
            if let Some(output) = at.output {
                let (far, wire, place) = self.links[output];
                if far == NONE {
                    sends.push((input, output));
                } else if self.inputs[far].held < self.switch.buffer_bits {
                    ready.push((wire, place, input, output));
                } else {
                    asleep.push(input);
                }
                continue;
            }
            let step = &self.worms[at.worm].way[at.step];
            let place = Place {
                came: (at.step > 0).then_some(at.channel),
                datelines: at.datelines,
                slack: self.slacks[at.worm],
            };
            let first = step.switch * self.switch.ends() + self.switch.first(step.turn);
            let lanes = match step.turn {
                Turn::Eject => 1,
                _ => self.switch.lanes,
            };
            let channels = self.switch.rule.allowed(step, place);
            let before = requests.len();
            for number in channels.start() * lanes..(channels.end() + 1) * lanes {
                let far = self.links[first + number].0;
                if self.owner[first + number] == NONE && (far == NONE || self.inputs[far].held == 0)
                {
                    requests.push((first + number, input));
                }
            }
            if requests.len() == before {
                asleep.push(input);
            }
        }
        asleep
            .into_iter()
            .for_each(|input| self.awake[input] = false);
        let awake = &self.awake;
        self.active.retain(|&input| awake[input]);
        ready.sort_unstable();
        for ready in ready.chunk_by(|one, other| one.0 == other.0) {
            let last = self.wire_last[ready[0].0];
            let behind = ready.iter().find(|one| last != NONE && one.1 > last);
            let &(wire, place, input, output) = behind.unwrap_or(&ready[0]);
            self.wire_last[wire] = place;
            sends.push((input, output));
        }
        (reads, requests, sends)
    }

    /// The arbiters of a switch decide one behind the other; whom one has granted does not count for the
    /// next.
    pub fn grant(&self, mut requests: Requests) -> Requests {
        let ends = self.switch.ends();
        requests.sort_unstable_by_key(|&(output, input)| {
            let number = match self.switch.rule.highest_first() {
                true => ends - output % ends,
                false => output % ends,
            };
            (output / ends, number, input)
        });
        let mut grants: Requests = Vec::new();
        for asking in requests.chunk_by(|one, other| one.0 == other.0) {
            let output = asking[0].0;
            let earlier = grants.iter().rev();
            let earlier = earlier.take_while(|grant| grant.0 / ends == output / ends);
            let granted: Vec<usize> = earlier.map(|grant| grant.1).collect();
            let still = asking.iter().filter(|one| !granted.contains(&one.1));
            let last = self.last[output];
            let behind = still.clone().find(|one| last != NONE && one.1 > last);
            grants.extend(behind.or(still.clone().next()));
        }
        grants
    }
}
