//! What a picture is drawn from: a whole run, as whoever looked on took it down.
//!
//! ```text
//!   occupancy   node 5:   0 bits ---- from bit time 12 on: 9 bits ---- from 20 on: 0 bits
//!   wires       dim_2:    0 wires --- from bit time 12 on: 31 wires -- ...
//!   routes        3->17:    at node 3 from 0 to 13, on the wire to node 1 from 12 to 20, at node 1 ...
//! ```
//!
//! Bit times are counted as in waves: what is said of bit time `t` held from tick `t` on.

use crate::picture::traced::Waves;
use crate::provenance::Provenance;

/// A run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// What ran, in a line.
    pub title: String,
    /// What it does, in a sentence; nothing until somebody says it.
    pub about: String,
    /// What was measured, in lines; nothing until somebody says it.
    pub report: String,
    /// Where it comes from, as far as anybody says.
    pub provenance: Provenance,
    /// How it ended, in a sentence; nothing until somebody says it.
    pub verdict: String,
    /// Names of the nodes, by number, as the network gives them.
    pub nodes: Vec<String>,
    /// Dimensions, where the network is the hypercube with that many.
    pub dimensions: Option<u32>,
    /// Bit times that it took.
    pub bit_times: u32,
    /// Steps, phases or rounds, in order of their beginning.
    pub bands: Vec<Band>,
    /// Message bits at each node, by number; none where nobody knows them. Of nodes that share a row in every picture, as there
    /// are more than [`MOST_ROWS`](super::MOST_ROWS), the first may stand for all, with the most at any of them.
    pub occupancy: Vec<Vec<Change>>,
    /// What `occupancy` counts.
    pub counted: Counted,
    /// Numbers that registers of nodes hold, such as words.
    pub numbers: Vec<Number>,
    /// What is said of the machine as a whole, such as who sends to whom.
    pub texts: Vec<Text>,
    /// What names mean, in a few words each.
    pub legend: Vec<String>,
    /// Wires in use, by link of a node, such as a dimension.
    pub links: Vec<Link>,
    /// Whether those are in use on which bits of messages cross; else those that the schedule opens, or that carry a bit.
    pub links_carry_messages: bool,
    /// Wires between nodes, where there are few.
    pub wires: Vec<Wire>,
    /// When those wires are in use.
    pub wire_use: WireUse,
    /// Routes of messages; none where nobody knows them.
    pub messages: Vec<Route>,
    /// What each of `bands` is called, if not a step.
    pub steps: Option<&'static str>,
    /// What each repetition of the same bands is called, if not an iteration.
    pub iterations: Option<&'static str>,
    /// Whether it sorts messages by their destinations: colours then stand for these at first.
    pub sorts: bool,
    /// Whether there are others, which it would have taken too long to find.
    pub are_left_out: bool,
    /// The message, by its place in `messages`, whose route is chosen from the beginning, if any is.
    pub shown: Option<usize>,
    /// What nodes are for the run, by number.
    pub roles: Vec<(u32, String)>,
    /// The node that is chosen from the beginning where no message can be.
    pub node: Option<u32>,
    /// Wires that fail.
    pub failures: Vec<Failure>,
    /// What became of messages, of those of which more is known than that they arrived.
    pub fates: Vec<Fate>,
    /// What signals of some nodes did; none where nobody keeps it.
    pub waves: Option<Waves>,
    /// What waits for each other at the end, if anything does.
    pub deadlock: Option<Circle>,
}

/// From a bit time on something has this value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Since when.
    pub from: u32,
    /// How much it is.
    pub value: u32,
}

impl Change {
    /// How many there are from when on, of what comes and goes at such bit times: so many more, or fewer.
    pub fn counted(mut events: Vec<(u32, i64)>) -> Vec<Change> {
        events.sort_unstable();
        let (mut count, mut changes) = (0, Vec::<Change>::new());
        for (from, more) in events {
            count += more;
            let value = count as u32;
            match changes.last_mut().filter(|last| last.from == from) {
                Some(last) => last.value = value,
                None => changes.push(Change { from, value }),
            }
        }
        changes
    }
}

/// What is counted at nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counted {
    /// Bits of messages that a node holds.
    #[default]
    Bits,
    /// Bits of packets that a node holds: those of messages, and what fills up packets.
    PacketBits,
    /// Wires on which a node sends a 1.
    Ones,
}

/// A number that every node has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// What it is called.
    pub name: String,
    /// Whether it says how many; else only which is larger.
    pub is_count: bool,
    /// Its bits.
    pub width: usize,
    /// The values that it has anywhere, each once, as they are written.
    pub values: Vec<Value>,
    /// By node: from when on it has which of the values, by place among them.
    pub nodes: Vec<Vec<Change>>,
    /// The same of a second such number, where nodes may have two.
    pub second: Vec<Vec<Change>>,
    /// It was looked at in every bit time that this divides.
    pub every: u32,
}

/// A value of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// As it is read.
    pub text: String,
    /// How large it is, such that larger values have no smaller size: 0 only for 0.
    pub size: u32,
}

/// What a text says of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// What it is called.
    pub name: String,
    /// From when on it says what; it may say nothing.
    pub says: Vec<(u32, String)>,
}

/// A wire from one node to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wire {
    /// The node that drives it.
    pub sender: u32,
    /// The node that receives.
    pub receiver: u32,
    /// Bit times in which it was in use.
    pub bit_times: u32,
    /// When it was: 1 while it is in use. Nothing where only their number is known.
    pub used: Vec<Change>,
}

/// When a wire counts as in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WireUse {
    /// While it carries a 1: nobody knows which of its zeros mean something.
    #[default]
    Ones,
    /// While it carries a bit, 0 or 1.
    Bits,
}

/// A step of a schedule, a phase or a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    /// When it begins.
    pub from: u32,
    /// What it is called.
    pub name: String,
    /// In which iteration or round it is, where these are counted.
    pub iteration: Option<u32>,
}

/// The wires of a link, at all nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// What the network calls it.
    pub name: String,
    /// How many of its wires, over all nodes, are in use.
    pub used: Vec<Change>,
}

/// A message and its route.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Route {
    /// `source->destination`, by names of nodes.
    pub name: String,
    /// The node that sends it.
    pub source: u32,
    /// The node that it is for.
    pub destination: u32,
    /// Where it lies: some of its bits are in registers of a node.
    pub stays: Vec<Stay>,
    /// Where it crosses: some of its bits are on a wire.
    pub crossings: Vec<Crossing>,
    /// The ways of its parts, if there are several and it is known which part goes which way.
    pub ways: Vec<Way>,
}

/// The way of a part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// What the part is called: the piece, the packet or its bits.
    pub part: String,
    /// The nodes that it comes to one after the other, the source first.
    pub nodes: Vec<u32>,
    /// Where bits of it cross.
    pub crossings: Vec<Crossing>,
}

/// A wire that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The node that drives it.
    pub sender: u32,
    /// The node that receives.
    pub receiver: u32,
    /// The first bit time in which it fails.
    pub from: u32,
    /// How it does: it is `cut`.
    pub how: String,
}

/// How well a message has fared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fared {
    /// Nothing of it was damaged.
    Unharmed,
    /// Parts of it were damaged, and it was restored.
    Restored,
    /// It was not restored.
    Lost,
}

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fate {
    /// What the message is called.
    pub message: String,
    /// How well it has fared.
    pub fared: Fared,
    /// In a sentence.
    pub words: String,
}

/// Bits of a message are at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stay {
    /// The node.
    pub node: u32,
    /// The first bit time.
    pub from: u32,
    /// The one after the last.
    pub to: u32,
}

/// Bits of a message are on a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The node that drives it.
    pub sender: u32,
    /// The node that receives.
    pub receiver: u32,
    /// The first bit time.
    pub from: u32,
    /// The one after the last.
    pub to: u32,
}

/// Messages that wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circle {
    /// Since when.
    pub since: u32,
    /// The node of each channel of the circle, in its order: a message may hold several.
    pub nodes: Vec<u32>,
    /// The messages, each once, and each waiting for the next.
    pub messages: Vec<Stuck>,
}

/// A message that waits for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// What it is called.
    pub name: String,
    /// The node at which it waits.
    pub node: u32,
}
