//! Schedules, and how they are made of stages that begin together.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Message, Run, Send};

/// Packets that cross wires, and how many stages they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Schedule {
    /// How many start-ups follow each other.
    pub(super) stages: usize,
    /// The packets.
    pub(super) sends: Vec<Send>,
}

impl Schedule {
    /// The schedule backwards in time, with messages in the other direction.
    pub(super) fn reversed(self) -> Schedule {
        let end = self.sends.iter().map(Send::end).max().unwrap_or(0);
        let turned = |send: Send| Send {
            begin: end - send.end(),
            from: send.to,
            to: send.from,
            items: send.items.into_iter().map(turned).collect(),
            ..send
        };
        Schedule {
            stages: self.stages,
            sends: self.sends.into_iter().map(turned).collect(),
        }
    }
}

/// The run of the message in the other direction.
fn turned(run: Run) -> Run {
    Run {
        message: run.message.reversed(),
        ..run
    }
}

/// Stages that follow each other. The packets of a stage begin together, and the stage ends when the
/// longest of them is there. What goes over a wire in the same stage goes as one packet.
#[derive(Clone, Debug, Default)]
pub(super) struct Stages {
    /// What is in each packet, by stage, sender and receiver.
    packets: BTreeMap<(usize, usize, usize), Vec<Run>>,
    /// The shortest that each stage may be, without its start-up.
    least: BTreeMap<usize, u64>,
}

impl Stages {
    /// Puts a run into the packet from a node to another.
    pub(super) fn put(&mut self, stage: usize, from: usize, to: usize, run: Run) {
        self.packets.entry((stage, from, to)).or_default().push(run);
    }

    /// Makes a stage no shorter than that many bits.
    pub(super) fn at_least(&mut self, stage: usize, units: u64) {
        let least = self.least.entry(stage).or_default();
        *least = (*least).max(units);
    }

    /// The stages backwards, with messages in the other direction.
    pub(super) fn reversed(self) -> Stages {
        let last = self.count().saturating_sub(1);
        let packet = |((stage, from, to), runs): (_, Vec<Run>)| {
            let runs = runs.into_iter().map(turned).collect();
            ((last - stage, to, from), runs)
        };
        Stages {
            packets: self.packets.into_iter().map(packet).collect(),
            least: self
                .least
                .into_iter()
                .map(|(stage, units)| (last - stage, units))
                .collect(),
        }
    }

    /// How many there are.
    fn count(&self) -> usize {
        let packets = self.packets.keys().map(|key| key.0 + 1).max();
        let least = self.least.keys().map(|stage| stage + 1).max();
        packets.max(least).unwrap_or(0)
    }

    /// One stage after the other.
    pub(super) fn laid_out(self, start_up: u64) -> Schedule {
        let mut lengths = vec![0; self.count()];
        for (&stage, &units) in &self.least {
            lengths[stage] = units;
        }
        for (&(stage, ..), runs) in &self.packets {
            lengths[stage] = lengths[stage].max(units(runs));
        }
        let mut begins = Vec::new();
        let mut begin = 0;
        for length in &lengths {
            begins.push(begin);
            begin += start_up + length;
        }
        let send = |((stage, from, to), items): (_, Vec<Run>)| Send {
            begin: begins[stage],
            start_up,
            units: units(&items),
            from,
            to,
            items,
        };
        Schedule {
            stages: lengths.len(),
            sends: self.packets.into_iter().map(send).collect(),
        }
    }
}

/// How many bits a packet with these runs has.
pub(super) fn units(runs: &[Run]) -> u64 {
    runs.iter().map(Run::units).sum()
}

/// Part `index` of `bits`, which are padded to `length` and cut into `parts` parts of the same length,
/// with padding where they do not divide.
pub(super) fn part(
    message: Message,
    bits: &Range<u64>,
    length: u64,
    (index, parts): (usize, usize),
) -> Run {
    let units = length.div_ceil(parts as u64);
    let place = |index: usize| (bits.start + index as u64 * units).min(bits.end);
    let bits = place(index)..place(index + 1);
    Run {
        message,
        padding: units - (bits.end - bits.start),
        bits,
    }
}

/// The dimensions in which an address has a 1, in ascending order.
pub(super) fn ones(address: usize) -> Vec<usize> {
    (0..usize::BITS as usize)
        .filter(|place| address >> place & 1 == 1)
        .collect()
}
