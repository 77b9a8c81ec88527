//! What a run of whole frames adds up to, and who looks on.

use crate::whole_frame::Nodes;

/// A step of Algorithm 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    /// `i`, from 0.
    pub iteration: usize,
    /// 1 to 6 as in the paper; 0 of a packing or an enumeration by itself.
    pub number: usize,
}

impl Step {
    /// A packing or an enumeration by itself.
    pub const ALONE: Step = Step {
        iteration: 0,
        number: 0,
    };

    /// What errors call it.
    pub(super) fn name(self) -> &'static str {
        match self.number {
            1 => "step 1",
            2 => "step 2",
            3 => "step 3",
            4 => "step 4",
            5 => "step 5",
            6 => "step 6",
            _ => "packing",
        }
    }
}

/// Is shown a run. A run that nobody watches takes `()`.
pub trait Watch {
    /// In this step every node sends so many `bits` over its wire of `dimension`: `sent(node)`, the first bit
    /// lowest.
    fn wires(&mut self, step: Step, dimension: usize, bits: usize, sent: &dyn Fn(usize) -> u64) {
        let _ = (step, dimension, bits, sent);
    }

    /// The step is over, and `nodes` are what it leaves.
    fn stepped(&mut self, step: Step, nodes: &Nodes) {
        let _ = (step, nodes);
    }
}

impl Watch for () {}

/// Counts of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Bit times, by the number of the step.
    pub bit_times: [u64; 7],
    /// By dimension: bit times in which a node drives its wire of it.
    pub driven: Vec<u64>,
    /// By dimension: frames that crossed it, of all nodes together.
    pub crossed: Vec<u64>,
    /// By iteration: nodes with two messages after step 1.
    pub twos: Vec<u64>,
    /// By iteration: nodes with no message after step 1.
    pub empties: Vec<u64>,
    /// The most messages that a node ever held.
    pub most_messages: usize,
}

impl Tally {
    /// Of a cube of `k` dimensions.
    pub(super) fn new(k: usize) -> Self {
        Tally {
            driven: vec![0; k],
            crossed: vec![0; k],
            ..Tally::default()
        }
    }

    /// Bit times of the whole run.
    pub fn all_bit_times(&self) -> u64 {
        self.bit_times.iter().sum()
    }
}

/// The bit times of one step: when which wires are in use.
pub(super) struct Windows<'a> {
    tally: &'a mut Tally,
    step: Step,
    /// The first bit time in which nothing more is to come.
    end: usize,
}

impl<'a> Windows<'a> {
    /// Of a step that begins.
    pub fn new(tally: &'a mut Tally, step: Step) -> Self {
        Windows {
            tally,
            step,
            end: 0,
        }
    }

    /// Something of so many bits comes from bit time `begin` of the step on.
    pub fn last(&mut self, begin: usize, bits: usize) {
        self.end = self.end.max(begin + bits);
    }

    /// So many bits go over the wires of `dimension` from bit time `begin` of the step on, and `crossed` nodes
    /// send frames in them.
    pub fn carry(&mut self, dimension: usize, begin: usize, bits: usize, crossed: u64) {
        self.last(begin, bits);
        self.tally.driven[dimension] += bits as u64;
        self.tally.crossed[dimension] += crossed;
    }

    /// The step is over when the last bit has come.
    pub fn close(self) {
        self.tally.bit_times[self.step.number] += self.end as u64;
    }
}
