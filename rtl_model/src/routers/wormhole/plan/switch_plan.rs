//! The plan of a switch: its channels, which of them may ask for which, and in which order arbiters serve them.

use std::collections::BTreeMap;

use crate::language::register::Name;
use crate::routers::wormhole::routing_table::TableSize;
use crate::routers::wormhole::space::Space;

/// Where an input channel may ask for an output channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// In every node.
    Always,
    /// Where the line of the input channel stands at level 0, which lies behind the dateline: what came
    /// in on a link from the level before has crossed it.
    AtLevel0,
    /// At every other level.
    NotAtLevel0,
    /// Where headers are addresses: if this link brings the worm nearer to its destination.
    Nearer(usize),
    /// Likewise: if order of dimensions takes this link from here; where that is asked, if the wrap of its dimension is ahead, or
    /// if it is not.
    InOrder {
        /// The link.
        link: usize,
        /// Whether the wrap has to be ahead; none where that does not matter.
        wrap_ahead: Option<bool>,
    },
    /// Likewise: at the destination.
    Arrived,
    /// Where the node has a routing table: if this is the worm's entry.
    Entry(usize),
}

/// What is done with headers that are addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addressed {
    /// They are compared with the node's own address in this network.
    Compared(Space),
    /// They are looked up in a routing table of this size.
    LookedUp(TableSize),
}

impl Addressed {
    /// Bits of an address.
    pub fn address_bits(self) -> usize {
        match self {
            Addressed::Compared(space) => space.address_bits(),
            Addressed::LookedUp(size) => size.address_bits(),
        }
    }

    /// Bit times in which a channel finds out where to go on, once it has the address.
    pub fn lookup_bit_times(self) -> usize {
        match self {
            Addressed::Compared(_) => 0,
            Addressed::LookedUp(_) => 1,
        }
    }
}

/// An output channel that an input channel may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The output channel's number in the switch.
    pub output: usize,
    /// Where.
    pub when: When,
    /// Of the output channels that a candidate means at one place, any of which will do: its number, in
    /// the order in which they are given out. 0 where it means one.
    pub lane: usize,
}

impl Request {
    /// In every node.
    pub fn always(output: usize) -> Self {
        Request {
            output,
            when: When::Always,
            lane: 0,
        }
    }
}

/// An input channel.
#[derive(Clone, Debug)]
pub struct InputPlan {
    /// What it is called.
    pub name: Name,
    /// By candidate, in the order of the header's questions: the output channels that it may mean.
    pub candidates: Vec<Vec<Request>>,
    /// The line of the switch in which it lies: whose levels its requests mean.
    pub line: usize,
}

impl InputPlan {
    /// The most output channels of which a candidate takes any.
    pub fn lanes(&self) -> usize {
        let requests = self.candidates.iter().flatten();
        1 + requests.map(|request| request.lane).max().unwrap_or(0)
    }
}

/// The most lines of all switches of a node: of a torus its links, of the copies one each.
pub const MAX_LINES: usize = 24;

/// An input channel that may ask for an output channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requester {
    /// Its number in the switch.
    pub input: usize,
    /// The candidate by which it asks.
    pub candidate: usize,
    /// Where.
    pub when: When,
    /// The number of this output channel among those of which it takes any.
    pub lane: usize,
    /// Its place in the arbiter. Who asks at level 0 alone and who asks elsewhere alone may have the same
    /// one: at no address do both ask.
    pub turn: usize,
    /// Its places among the requesters of those with lower numbers, as output channel and place: if one
    /// of them is granted in a bit time, this one is not as well.
    pub yields_to: Vec<(usize, usize)>,
    /// It is one of several lanes of which its input channel selects one.
    pub selects: bool,
}

/// An output channel.
#[derive(Clone, Debug)]
pub struct OutputPlan {
    /// What it is called.
    pub name: Name,
    /// Who may ask for it, in the order of input channels.
    pub requesters: Vec<Requester>,
    /// Places of its arbiter: the most requesters that one address has.
    pub turns: usize,
    /// It leads to the host, which takes every bit: there are no credits.
    pub to_host: bool,
    /// Requesters of the output channels before it.
    pub first_grant: usize,
}

/// A switch. Input channel 0 is that of its host; the last output channel is that to its host.
#[derive(Clone, Debug)]
pub struct SwitchPlan {
    /// Its input channels.
    pub inputs: Vec<InputPlan>,
    /// Its output channels. Of lanes those with lower numbers come first.
    pub outputs: Vec<OutputPlan>,
    /// The most output channels of which a candidate takes any.
    pub lanes: usize,
    /// Where an input channel selects one of its lanes that is free, and asks for no other: those from which one selects, in the order
    /// of preference, as output channel and place among its requesters. Elsewhere it asks for all at once.
    pub selections: Vec<Selection>,
    /// What is done with headers that are addresses; none where they are not.
    pub addressed: Option<Addressed>,
}

/// The lanes from which an input channel selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The number of the input channel.
    pub input: usize,
    /// As output channel and place among its requesters.
    pub lanes: Vec<(usize, usize)>,
}

impl SwitchPlan {
    /// Works out who may ask for each output channel.
    pub fn new(inputs: Vec<InputPlan>, outputs: &[Name]) -> Self {
        let mut first_grant = 0;
        let mut plans: Vec<OutputPlan> = Vec::with_capacity(outputs.len());
        for (output, &name) in outputs.iter().enumerate() {
            let mut requesters = requesters(&inputs, output);
            for one in &mut requesters {
                one.yields_to = lower_lanes(one, &plans);
            }
            let turns = share_turns(&inputs, &mut requesters);
            let first = first_grant;
            first_grant += requesters.len();
            plans.push(OutputPlan {
                name,
                requesters,
                turns,
                to_host: output + 1 == outputs.len(),
                first_grant: first,
            });
        }
        SwitchPlan {
            lanes: inputs.iter().map(InputPlan::lanes).max().unwrap_or(1),
            inputs,
            outputs: plans,
            selections: Vec::new(),
            addressed: None,
        }
    }

    /// The same, whose input channels select one of their lanes.
    #[must_use]
    pub fn selecting(mut self) -> Self {
        let mut choices: BTreeMap<Choice, Vec<(usize, usize)>> = BTreeMap::new();
        for (output, plan) in self.outputs.iter_mut().enumerate() {
            for (place, one) in plan.requesters.iter_mut().enumerate() {
                one.yields_to.clear();
                choices
                    .entry(one.choice())
                    .or_default()
                    .push((output, place));
            }
        }
        choices.retain(|_, lanes| lanes.len() > 1);
        for &(output, place) in choices.values().flatten() {
            self.outputs[output].requesters[place].selects = true;
        }
        let selections = choices
            .into_iter()
            .map(|((input, ..), lanes)| Selection { input, lanes });
        SwitchPlan {
            selections: selections.collect(),
            ..self
        }
    }

    /// The same, whose headers are addresses.
    #[must_use]
    pub fn addressed(self, addressed: Addressed) -> Self {
        SwitchPlan {
            addressed: Some(addressed),
            ..self
        }
    }

    /// Worms choose among several links.
    pub fn is_adaptive(&self) -> bool {
        matches!(self.addressed, Some(Addressed::Compared(_)))
    }

    /// Lines of the switch.
    pub fn lines(&self) -> usize {
        1 + self
            .inputs
            .iter()
            .map(|input| input.line)
            .max()
            .unwrap_or(0)
    }

    /// The output channel to the host.
    pub fn eject(&self) -> usize {
        self.outputs.len() - 1
    }
}

/// Of what any lane will do: input channel and candidate, and where that matters, when.
type Choice = (usize, usize, Option<When>);

impl Requester {
    fn choice(&self) -> Choice {
        let when = match self.when {
            When::AtLevel0 | When::NotAtLevel0 | When::Entry(_) => Some(self.when),
            // An address says of each link by itself whether it is meant.
            _ => None,
        };
        (self.input, self.candidate, when)
    }
}

/// Where an input channel asks for lanes before this one by the same candidate.
fn lower_lanes(one: &Requester, before: &[OutputPlan]) -> Vec<(usize, usize)> {
    let mut lower = Vec::new();
    for (output, plan) in before.iter().enumerate() {
        for (place, other) in plan.requesters.iter().enumerate() {
            if other.lane < one.lane && other.choice() == one.choice() {
                lower.push((output, place));
            }
        }
    }
    lower
}

/// Gives requesters their places in the arbiter, and returns how many there are. At every address those
/// that ask there keep their order, so that they have their turns as if each had a place of its own.
fn share_turns(inputs: &[InputPlan], requesters: &mut [Requester]) -> usize {
    let line = |one: &Requester| inputs[one.input].line;
    let is_of_level = |one: &&Requester| matches!(one.when, When::AtLevel0 | When::NotAtLevel0);
    let mut conditional = requesters.iter().filter(is_of_level);
    let of_line = conditional.next().map(line);
    let [mut at_level_0, mut elsewhere] = [0, 0];
    for one in requesters {
        // Levels of another line say nothing about this one's.
        let when = match of_line == Some(line(one)) {
            true => one.when,
            false => When::Always,
        };
        one.turn = match when {
            When::AtLevel0 => at_level_0,
            When::NotAtLevel0 => elsewhere,
            _ => at_level_0.max(elsewhere),
        };
        if when != When::NotAtLevel0 {
            at_level_0 = one.turn + 1;
        }
        if when != When::AtLevel0 {
            elsewhere = one.turn + 1;
        }
    }
    at_level_0.max(elsewhere)
}

fn requesters(inputs: &[InputPlan], output: usize) -> Vec<Requester> {
    let mut requesters = Vec::new();
    for (input, plan) in inputs.iter().enumerate() {
        for (candidate, requests) in plan.candidates.iter().enumerate() {
            let asked = requests.iter().filter(|request| request.output == output);
            // On this side of the dateline and behind it: everywhere.
            let asked = asked.copied().reduce(|one, _| Request {
                when: When::Always,
                ..one
            });
            requesters.extend(asked.map(|request| Requester {
                input,
                candidate,
                when: request.when,
                lane: request.lane,
                turn: 0,
                yields_to: Vec::new(),
                selects: false,
            }));
        }
    }
    requesters
}
