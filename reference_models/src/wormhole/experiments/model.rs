//! A short model of the same machine, for experiments: bits are counted, and not carried. In the design as
//! it is its bit times are those of [`run`](crate::wormhole::run), to the bit time.

use std::collections::VecDeque;

use super::network::{Network, Step, Turn, header_bits};
use super::rule::{CROSS, Place, Rule, STRAIGHT, slack};

const NONE: usize = usize::MAX;

/// A piece, or a part of one.
#[derive(Clone, Debug)]
pub struct Worm {
    /// Its way.
    pub way: Vec<Step>,
    /// Bits of the message that it carries, 1 at least.
    pub body: usize,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All arrived after so many bit times.
    Done(u64),
    /// Nothing moves any more.
    Deadlock(u64),
}

/// A run.
#[derive(Debug)]
pub struct Run {
    /// How it ended.
    pub end: End,
    /// Bits that each wire carried.
    pub carried: Vec<u64>,
    /// Bits of messages that arrived.
    pub arrived: usize,
}

#[derive(Clone, Default)]
struct Input {
    worm: usize,
    step: usize,
    /// The channel of its link.
    channel: usize,
    datelines: usize,
    /// The place of the bit in front.
    front: usize,
    held: usize,
    to_read: usize,
    output: Option<usize>,
    busy: bool,
}

struct Host {
    queue: VecDeque<usize>,
    /// The next bit of the first worm.
    place: usize,
}

/// What a switch is.
#[derive(Clone, Copy, Debug)]
pub struct Switch {
    /// Which channels a worm may take.
    pub rule: Rule,
    /// Places of a buffer.
    pub buffer_bits: usize,
    /// Each channel is so many, any of which will do.
    pub lanes: usize,
}

impl Switch {
    /// The design, with a rule.
    pub fn with(rule: Rule) -> Switch {
        Switch {
            rule,
            buffer_bits: 2,
            lanes: 1,
        }
    }

    /// Input channels, and as many output channels.
    fn ends(self) -> usize {
        self.first(Turn::Eject) + 1
    }

    /// The first output channel of a turn.
    fn first(self, turn: Turn) -> usize {
        match turn {
            Turn::Straight => 0,
            Turn::Cross => STRAIGHT * self.lanes,
            Turn::Eject => (STRAIGHT + CROSS) * self.lanes,
        }
    }

    /// Which turn an output channel is, and its number there.
    fn turn(self, output: usize) -> (Turn, usize) {
        let turns = [Turn::Eject, Turn::Cross, Turn::Straight].into_iter();
        let turn = turns.clone().find(|&turn| output >= self.first(turn));
        let turn = turn.unwrap_or(Turn::Straight);
        (turn, output - self.first(turn))
    }
}

struct Model<'a> {
    worms: &'a [Worm],
    lengths: Vec<usize>,
    slacks: Vec<usize>,
    switch: Switch,
    inputs: Vec<Input>,
    owner: Vec<usize>,
    /// By output channel: the input channel that it feeds, its wire and its place there.
    links: Vec<(usize, usize, usize)>,
    last: Vec<usize>,
    wire_last: Vec<usize>,
    active: Vec<usize>,
}

/// Output channels, and an input channel for each.
type Requests = Vec<(usize, usize)>;

/// Runs all worms, created at bit time 0, those of a host in order, up to the end or a deadlock.
pub fn run(network: &Network, worms: &[Worm], kind: Switch) -> Run {
    let switches = network.nodes() * network.copies;
    let ends = kind.ends();
    let mut links = Vec::with_capacity(switches * ends);
    for output in 0..switches * ends {
        let switch = output / ends;
        links.push(match kind.turn(output % ends) {
            (Turn::Eject, _) => (NONE, NONE, 0),
            (turn, number) => {
                let (wire, slot) = network.wire(switch, turn);
                let far = network.far(switch, turn) * ends + 1 + output % ends;
                (far, wire, slot * STRAIGHT * kind.lanes + number)
            }
        });
    }
    let mut hosts: Vec<Host> = (0..switches)
        .map(|_| Host {
            queue: VecDeque::new(),
            place: 0,
        })
        .collect();
    for (number, worm) in worms.iter().enumerate() {
        hosts[worm.way[0].switch].queue.push_back(number);
    }
    let mut sending: Vec<usize> = (0..switches)
        .filter(|&one| !hosts[one].queue.is_empty())
        .collect();
    let mut model = Model {
        lengths: (worms.iter())
            .map(|worm| worm.body + header_bits(&worm.way) + kind.rule.header_bits())
            .collect(),
        slacks: worms.iter().map(|worm| slack(&worm.way)).collect(),
        worms,
        switch: kind,
        inputs: vec![Input::default(); switches * ends],
        owner: vec![NONE; links.len()],
        last: vec![NONE; links.len()],
        wire_last: vec![NONE; network.nodes() * network.dimensions],
        active: Vec::new(),
        links,
    };
    let mut result = Run {
        end: End::Done(0),
        carried: vec![0; network.nodes() * network.dimensions],
        arrived: 0,
    };
    let (mut left, mut now) = (worms.len(), 0);
    while left > 0 {
        let (reads, asking, sends) = model.decide();
        let grants = model.grant(asking);
        // What hosts send, from what was there at the start.
        let mut injected = Vec::new();
        sending.retain(|&switch| {
            let host = &mut hosts[switch];
            let Some(&worm) = host.queue.front() else {
                return false;
            };
            let held = model.inputs[switch * ends].held;
            if held < kind.buffer_bits && (host.place > 0 || held == 0) {
                injected.push((switch, worm, host.place));
                host.place += 1;
                if host.place == model.lengths[worm] {
                    host.queue.pop_front();
                    host.place = 0;
                }
            }
            true
        });
        if reads.is_empty() && grants.is_empty() && sends.is_empty() && injected.is_empty() {
            result.end = End::Deadlock(now);
            return result;
        }
        for &(input, output) in &sends {
            let (far, wire, _) = model.links[output];
            let Input {
                worm,
                step,
                front,
                datelines,
                ..
            } = model.inputs[input];
            if far == NONE {
                // The host has the whole header behind it, and is the one that it is for.
                let way = &worms[worm].way;
                assert_eq!(input / ends, way[way.len() - 1].switch);
                assert!(front >= model.lengths[worm] - worms[worm].body);
                result.arrived += 1;
                left -= usize::from(front + 1 == model.lengths[worm]);
            } else {
                result.carried[wire] += 1;
                let channel = kind.turn(output % ends).1 / kind.lanes;
                model.arrive(far, worm, step + 1, channel, datelines, front);
            }
        }
        for (switch, worm, place) in injected {
            model.arrive(switch * ends, worm, 0, 0, 0, place);
        }
        for (output, input) in grants {
            assert_eq!(model.owner[output], NONE);
            model.owner[output] = input;
            model.last[output] = input;
            model.inputs[input].output = Some(output);
        }
        for (input, output) in sends {
            let channel = &mut model.inputs[input];
            channel.held -= 1;
            channel.front += 1;
            if channel.front == model.lengths[channel.worm] {
                (channel.busy, channel.output) = (false, None);
                model.owner[output] = NONE;
            }
        }
        for input in reads {
            let channel = &mut model.inputs[input];
            channel.held -= 1;
            channel.front += 1;
            channel.to_read -= 1;
        }
        if now % 64 == 0 {
            // Their order does not matter but for the time that the program takes.
            model.active.sort_unstable();
        }
        let inputs = &model.inputs;
        model.active.retain(|&input| inputs[input].held > 0);
        now += 1;
    }
    result.end = End::Done(now);
    result
}

impl Model<'_> {
    /// A bit comes to an input channel: the next of its worm, and there is room.
    fn arrive(
        &mut self,
        input: usize,
        worm: usize,
        step: usize,
        channel: usize,
        datelines: usize,
        place: usize,
    ) {
        let at = &mut self.inputs[input];
        if !at.busy {
            let visit = self.worms[worm].way[step];
            *at = Input {
                worm,
                step,
                channel,
                datelines: datelines + usize::from(visit.behind_dateline),
                front: place,
                held: 0,
                to_read: visit.reads
                    + if step == 0 {
                        self.switch.rule.header_bits()
                    } else {
                        0
                    },
                output: None,
                busy: true,
            };
        }
        assert_eq!(
            (at.worm, at.front + at.held),
            (worm, place),
            "two worms, or out of order"
        );
        at.held += 1;
        // A place that becomes free now is free in the next bit time.
        assert!(at.held <= self.switch.buffer_bits, "the buffer is full");
        if at.held == 1 {
            self.active.push(input);
        }
    }

    /// Input channels that read a header bit; output channels and who asks for them; input channels that
    /// send, and on which output channel.
    fn decide(&mut self) -> (Vec<usize>, Requests, Vec<(usize, usize)>) {
        let (mut reads, mut requests) = (Vec::new(), Vec::new());
        let (mut ready, mut sends) = (Vec::new(), Vec::new());
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
            for number in channels.start() * lanes..(channels.end() + 1) * lanes {
                let far = self.links[first + number].0;
                if self.owner[first + number] == NONE && (far == NONE || self.inputs[far].held == 0)
                {
                    requests.push((first + number, input));
                }
            }
        }
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
    fn grant(&self, mut requests: Requests) -> Requests {
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
