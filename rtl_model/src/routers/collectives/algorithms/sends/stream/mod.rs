//! Groups of a message that go one behind the other through a subcube (O.C. SEND 4 and X.O.C. SEND 2 of Stout & Wagar 1987,
//! sections 3 and 4; one group: O.C. SEND 3 and X.O.C. SEND 1).
//!
//! ```text
//!   n = 3, straight     group 0    | p_0 | p_1 | p_2 |
//!                       group 1          | p_0 | p_1 | p_2 |           a group every T + p_(n-1), the longest
//!
//!   beside              group 0    | group | p_0 | p_1 | p_2 | e |     through the subcube across dimension D:
//!                       group 1            | group | p_0 | p_1 | ...   into it, O.C. SEND, and out of it: e = n p_(n-1)
//! ```
//!
//! Several subcubes beside the one of the two ends (`beside` has a dimension for each) are in lockstep, each with its own part of
//! the message. A node on the way has two areas that take turns: it takes a group in while it sends the one before. Nodes on the
//! way are neither end, so all addresses start from 0 in each; of the destination, only the last packets' padding is more than the
//! message. The padding that a packet ends with does not count as held; so a packet that is part padding goes as two, the second
//! without START.

mod hops;

use crate::closed_form::ClosedForm;
use crate::routers::collectives::algorithms::sends::cut::{Cut, whole};
use crate::routers::collectives::program::Segment;

/// A message, or as many as there are subcubes beside, in groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stream {
    /// A group.
    pub(super) cut: Cut,
    /// How many there are.
    pub(super) groups: usize,
    /// Bits of a message.
    pub(super) message: usize,
    /// Bit times of START.
    pub(super) start_up: usize,
    /// Through the subcubes across these dimensions; none if straight.
    pub(super) beside: Vec<usize>,
    /// The first message's first bit.
    pub(super) bit: usize,
    /// Where it lies in the source.
    pub(super) from: usize,
    /// Where it comes to lie in the destination.
    pub(super) to: usize,
}

impl Stream {
    /// A message in groups from the ends' own dimensions, `n`.
    pub(super) fn new(n: usize, message: usize, groups: usize, start_up: usize) -> Stream {
        Stream {
            cut: Cut::new(n, message.div_ceil(groups)),
            groups,
            message,
            start_up,
            beside: Vec::new(),
            bit: 0,
            from: 0,
            to: 0,
        }
    }

    /// By stage of a group, the bits of its packets.
    fn stages(&self) -> Vec<usize> {
        let mut stages = self.cut.packets.clone();
        if !self.beside.is_empty() {
            stages.insert(0, self.cut.group);
            stages.push(self.cut.out());
        }
        stages
    }

    /// Bit times from a group to the next.
    fn pace(&self) -> usize {
        let longest = match self.beside.is_empty() {
            true => self.cut.last(),
            false => self.cut.out(),
        };
        self.start_up + longest
    }

    /// Bit times: all groups but the last at the pace, and the stages of the last.
    pub(super) fn bit_times(&self) -> usize {
        let stages = self.stages();
        (self.groups - 1) * self.pace()
            + stages.len() * self.start_up
            + stages.iter().sum::<usize>()
    }

    /// The value of a closed form in `n`, `g`, `m` and `T`, of this stream alone.
    pub(super) fn form(&self, text: &'static str) -> u64 {
        let letters = [
            ("n", self.cut.n()),
            ("g", self.groups),
            ("m", self.message),
            ("T", self.start_up),
        ];
        ClosedForm::of(text, &letters.map(|(letter, size)| (letter, size as u64))).value
    }

    /// Whether nothing is rounded.
    pub(super) fn divides(&self) -> bool {
        let whole = self.groups * whole(self.cut.n());
        self.message.is_multiple_of(whole)
    }

    /// Bits that a message takes up in the source, with padding.
    pub(super) fn loaded(&self) -> usize {
        self.groups * self.cut.group
    }

    /// Bits that a message takes up in the destination, with padding.
    pub(super) fn arrived(&self) -> usize {
        self.groups * self.cut.out()
    }

    /// Bits of memory.
    pub(super) fn memory_bits(&self) -> usize {
        let messages = self.beside.len().max(1);
        let source = self.from + messages * self.loaded() + self.cut.area();
        let destination = self.to + messages * self.arrived();
        let between = self.groups.min(2) * self.cut.area();
        source.max(destination).max(between)
    }

    /// The first bit time of each step: all groups' first stages, and the others of the last group.
    pub(super) fn steps(&self) -> Vec<usize> {
        let mut steps: Vec<usize> = (0..self.groups).map(|group| group * self.pace()).collect();
        let mut now = (self.groups - 1) * self.pace();
        let stages = self.stages();
        for packet in &stages[..stages.len() - 1] {
            now += self.start_up + packet;
            steps.push(now);
        }
        steps
    }

    /// What the source has.
    pub(super) fn loads(&self, partner: usize) -> Vec<Segment> {
        let messages = 0..self.beside.len().max(1);
        let segments = messages.map(|number| Segment {
            at: Some(0),
            partner,
            bit: self.bit + number * self.message,
            bits: self.message,
            address: self.from + number * self.loaded(),
        });
        segments.collect()
    }

    /// What the destination gets.
    pub(super) fn arrivals(&self, partner: usize) -> Vec<Segment> {
        let runs = self.cut.runs();
        let messages = 0..self.beside.len().max(1);
        let groups = messages.flat_map(|number| (0..self.groups).map(move |group| (number, group)));
        let segments = groups.flat_map(|(number, group)| {
            runs.iter().filter_map(move |run| {
                let bit = group * self.cut.group + run.bit;
                let bits = run.bits.min(self.message.saturating_sub(bit));
                let address = self.to + number * self.arrived() + group * self.cut.out();
                (bits > 0).then(|| Segment {
                    at: Some(partner),
                    partner,
                    bit: self.bit + number * self.message + bit,
                    bits,
                    address: address + run.place,
                })
            })
        });
        segments.collect()
    }
}
