//! A short model of the same machine, for experiments: bits are counted, and not carried. In the design as
//! it is its bit times are those of [`run`](crate::wormhole::run), to the bit time.

use std::collections::VecDeque;

use super::network::{Network, Step, Turn, header_bits};
use super::rule::{STRAIGHT, slack};
use super::switch::Switch;

/// No such channel.
pub const NONE: usize = usize::MAX;

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

/// An input channel.
#[derive(Clone, Default)]
pub struct Input {
    pub worm: usize,
    pub step: usize,
    /// The channel of its link.
    pub channel: usize,
    pub datelines: usize,
    /// The place of the bit in front.
    pub front: usize,
    pub held: usize,
    pub to_read: usize,
    pub output: Option<usize>,
    pub busy: bool,
}

struct Host {
    queue: VecDeque<usize>,
    /// The next bit of the first worm.
    place: usize,
}

/// A machine under way.
pub struct Model<'a> {
    pub worms: &'a [Worm],
    pub lengths: Vec<usize>,
    pub slacks: Vec<usize>,
    pub switch: Switch,
    pub inputs: Vec<Input>,
    pub owner: Vec<usize>,
    /// By output channel: the input channel that it feeds, its wire and its place there.
    pub links: Vec<(usize, usize, usize)>,
    pub last: Vec<usize>,
    pub wire_last: Vec<usize>,
    /// Input channels that hold bits and may do something: one that is blocked sleeps until what it waits
    /// for changes.
    pub active: Vec<usize>,
    pub awake: Vec<bool>,
    /// By input channel the output channel that feeds it; none: the host.
    pub feeder: Vec<usize>,
}

/// Output channels, and an input channel for each.
pub type Requests = Vec<(usize, usize)>;

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
    let mut feeder = vec![NONE; links.len()];
    for (output, &(far, ..)) in links.iter().enumerate() {
        if far != NONE {
            feeder[far] = output;
        }
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
        awake: vec![false; links.len()],
        feeder,
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
                if model.links[output].0 == NONE {
                    model.wake_switch(output / ends);
                }
            }
            model.wake_behind(input);
        }
        for input in reads {
            let channel = &mut model.inputs[input];
            channel.held -= 1;
            channel.front += 1;
            channel.to_read -= 1;
            model.wake_behind(input);
        }
        if now % 64 == 0 {
            // Their order does not matter but for the time that the program takes.
            model.active.sort_unstable();
        }
        let Model {
            inputs,
            awake,
            active,
            ..
        } = &mut model;
        active.retain(|&input| {
            awake[input] &= inputs[input].held > 0;
            awake[input]
        });
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
        self.wake(input);
    }

    fn wake(&mut self, input: usize) {
        if !self.awake[input] {
            self.awake[input] = true;
            self.active.push(input);
        }
    }

    fn wake_switch(&mut self, switch: usize) {
        let ends = self.switch.ends();
        (switch * ends..(switch + 1) * ends).for_each(|input| self.wake(input));
    }

    /// An input channel has given up a bit: who has the output channel that feeds it may send, or if nobody
    /// has it and the buffer is empty, all may ask for it.
    fn wake_behind(&mut self, input: usize) {
        let feeder = self.feeder[input];
        if feeder == NONE {
            return;
        }
        match self.owner[feeder] {
            NONE if self.inputs[input].held == 0 => {
                self.wake_switch(feeder / self.switch.ends());
            }
            NONE => {}
            owner => self.wake(owner),
        }
    }
}
