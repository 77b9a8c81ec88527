//! What a waveform shows of a collective beside wires and registers: which routing step began last, and whose bits each port of a node
//! sends and receives.
//!
//! ```text
//!   way              step_1_of_3      | step_2_of_3
//!   exchange         1_of_2:spread                             where blocks change places in the middle
//!   port_0_sends     0_to_7:0         |                      told: the message from node 0 to node 7, from its bit 0 on
//!   port_0_receives                   | 1_to_6:4
//!                                       sum_of_2_to_6:4          of sums, of how many nodes they are
//! ```
//!
//! Nothing in a node knows whose bits they are: it is worked out here, by following all bits from where they are loaded.

use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

use crate::machine::shown::{Counted, Shown, Text, Told};
use crate::machine::topology::hypercube::neighbour;
use crate::routers::collectives::program::{Program, Side, Transfer};
use crate::routers::collectives::rules::{nodes_of, part};

/// Steps that a view of a waveform opens on at most.
pub(super) const FIRST_SCREEN_STEPS: usize = 8;

/// The texts, by number.
pub(super) const TEXTS: [fn(&Program, usize) -> String; 2] = [way, exchange];

/// How many steps begin before blocks change places.
fn before_reorder(program: &Program) -> Option<usize> {
    let reorder = program.reorder.as_ref()?;
    Some(
        program
            .steps
            .partition_point(|begin| *begin <= reorder.bit_time),
    )
}

/// Which step began last, counted from 1; where blocks change places, from there on anew.
fn way(program: &Program, step: usize) -> String {
    let steps = program.steps.len();
    let (step, steps) = match before_reorder(program) {
        Some(first) if step < first => (step, first),
        Some(first) => (step - first, steps - first),
        None => (step, steps),
    };
    format!("step_{}_of_{steps}", step + 1)
}

/// Which exchange it is of two.
fn exchange(program: &Program, step: usize) -> String {
    match before_reorder(program).is_none_or(|first| step < first) {
        true => "1_of_2:spread".to_owned(),
        false => "2_of_2:collect".to_owned(),
    }
}

/// What there is to be shown.
pub(super) fn shown(program: &Program) -> Shown {
    let steps = program.steps.len();
    let nodes = program.cube.nodes();
    let last = nodes - 1;
    let bits = program
        .loads
        .iter()
        .map(|segment| segment.bit + segment.bits)
        .max();
    let adds = program.transfers.iter().any(|one| one.adds.is_some());
    let from = match adds {
        true => format!("sum_of_{nodes}"),
        false => last.to_string(),
    };
    let longest = format!("{from}_to_{last}:{}", bits.unwrap_or(0)).len();
    let names = match program.reorder {
        Some(_) => &["way", "exchange"][..],
        None => &["way"],
    };
    let texts = names.iter().zip(TEXTS).map(|(name, text)| Text {
        name,
        longest: (0..steps)
            .map(|step| text(program, step).len())
            .max()
            .unwrap_or(0),
    });
    Shown {
        texts: texts.collect(),
        told: Told::of_ports(program.cube.count(), longest),
        occupancy: Counted::ToSendOn,
        ..Shown::default()
    }
}

/// A bit of a message, by absolute nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Whose {
    from: u32,
    to: u32,
    bit: u32,
    /// Of how many nodes it is the sum.
    summed: u32,
}

/// A bit that crosses a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Crossing {
    whose: Whose,
    /// The bit with which the message, or the piece of it, began to cross.
    first: u32,
}

impl Crossing {
    /// What comes behind another bit, or not.
    fn behind(before: Option<Crossing>, whose: Whose) -> Self {
        let next = before.filter(|before| {
            let next = Whose {
                bit: before.whose.bit + 1,
                ..before.whose
            };
            next == whose
        });
        Crossing {
            whose,
            first: next.map_or(whose.bit, |before| before.first),
        }
    }
}

/// All bits, followed up to a bit time.
#[derive(Debug)]
struct Tracker {
    now: usize,
    /// By relative node and address.
    memory: Vec<Option<Whose>>,
    /// By relative node and port, in the bit time `now`.
    sent: Vec<Option<Crossing>>,
    /// The same of the bit time before.
    before: Vec<Option<Crossing>>,
}

impl Tracker {
    fn new(program: &Program) -> Self {
        let nodes = program.cube.nodes();
        let mut tracker = Tracker {
            now: 0,
            memory: vec![None; nodes * program.memory_bits],
            sent: vec![None; nodes * program.cube.count()],
            before: vec![None; nodes * program.cube.count()],
        };
        for segment in &program.loads {
            for node in nodes_of(program, segment) {
                for index in 0..segment.bits {
                    tracker.memory[node * program.memory_bits + segment.address + index] =
                        Some(Whose {
                            from: (node ^ program.source) as u32,
                            to: (node ^ segment.partner ^ program.source) as u32,
                            bit: (segment.bit + index) as u32,
                            summed: 1,
                        });
                }
            }
        }
        tracker.send(program);
        tracker
    }

    /// The transfers whose bits cross now, and which bit it is.
    fn crossing<'a>(
        &self,
        program: &'a Program,
    ) -> impl Iterator<Item = (&'a Transfer, usize)> + use<'a> {
        let now = self.now;
        let begun = program.transfers.partition_point(|one| one.begin <= now);
        let crosses = program.transfers[..begun]
            .iter()
            .filter(move |one| one.shifts().contains(&now));
        crosses.map(move |one| (one, now - one.first_bit()))
    }

    /// What a side of a transfer is at every node and port that takes part: (place of the port, of the bit).
    fn places<'a>(
        program: &'a Program,
        (side, sends): (&'a Side, bool),
        index: usize,
    ) -> impl Iterator<Item = (usize, usize)> + 'a {
        let ports = program.cube.count();
        (0..program.cube.nodes()).flat_map(move |node| {
            (0..ports).filter_map(move |port| {
                let (address, _) = part(program, (side, sends), node, port)?;
                Some((
                    node * ports + port,
                    node * program.memory_bits + address + index,
                ))
            })
        })
    }

    fn send(&mut self, program: &Program) {
        std::mem::swap(&mut self.sent, &mut self.before);
        self.sent.fill(None);
        for (transfer, index) in self.crossing(program) {
            for (port, at) in Self::places(program, (&transfer.sends, true), index) {
                let before = self.before[port].filter(|_| index > 0);
                self.sent[port] = self.memory[at].map(|whose| Crossing::behind(before, whose));
            }
        }
    }

    fn clock(&mut self, program: &Program) {
        let ports = program.cube.count();
        for (transfer, index) in self.crossing(program) {
            for (place, at) in Self::places(program, (&transfer.receives, false), index) {
                let (node, port) = (place / ports, place % ports);
                let comes = self.sent[neighbour(node, port) * ports + port];
                let comes = comes.map(|crossing| crossing.whose);
                match (&mut self.memory[at], transfer.adds) {
                    // A sum is still of whom it was.
                    (Some(sum), Some(_)) => sum.summed += comes.map_or(0, |added| added.summed),
                    (there, _) => *there = comes,
                }
            }
        }
        if let Some(reorder) = program
            .reorder
            .as_ref()
            .filter(|one| one.bit_time == self.now)
        {
            for (node, numbers) in reorder.numbers.iter().enumerate() {
                let first = node * program.memory_bits;
                let bits = numbers.len() * reorder.block_bits;
                let before = self.memory[first + reorder.from..][..bits].to_vec();
                for (number, block) in numbers.iter().zip(before.chunks(reorder.block_bits)) {
                    let to = first + reorder.to + *number as usize * reorder.block_bits;
                    self.memory[to..to + reorder.block_bits].copy_from_slice(block);
                }
            }
        }
        self.now += 1;
        self.send(program);
    }
}

/// Bytes of memory that it takes to follow all bits of a program.
pub fn bytes_to_follow(program: &Program) -> u64 {
    let bits = (program.cube.nodes() * program.memory_bits) as u64;
    bits.saturating_mul(size_of::<Option<Whose>>() as u64)
}

/// Where numbers are added: of how many nodes the sums are that each node has of its own numbers, at the beginning and at the end
/// of each step.
pub fn summed(program: &Program) -> Vec<(usize, Vec<u32>)> {
    let mut tracker = Tracker::new(program);
    let mut times: Vec<usize> = program.steps.clone();
    times.push(program.bit_times);
    let at = |time: usize| {
        while tracker.now < time {
            tracker.clock(program);
        }
        let of_nodes = tracker
            .memory
            .chunks(program.memory_bits.max(1))
            .enumerate();
        let of_node = |(node, memory): (usize, &[Option<Whose>])| {
            let own = (node ^ program.source) as u32;
            let own = memory.iter().flatten().filter(|bit| bit.to == own);
            own.map(|bit| bit.summed).min().unwrap_or(0)
        };
        let mut amounts = vec![0; program.cube.nodes()];
        for (node, amount) in of_nodes.map(of_node).enumerate() {
            amounts[node ^ program.source] = amount;
        }
        (time, amounts)
    };
    times.into_iter().map(at).collect()
}

/// Bits that are followed while somebody looks on.
#[derive(Clone, Debug, Default)]
pub(super) struct Followed(Arc<Mutex<Option<Tracker>>>);

/// It is worked out of the program, so machines of equal programs are equal.
impl PartialEq for Followed {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Followed {
    /// Appends whose bit a port of a node sends or receives in a bit time: (node, number of the text), absolute.
    pub fn tell(
        &self,
        program: &Program,
        (node, number): (usize, usize),
        now: usize,
        text: &mut String,
    ) {
        let mut tracker = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let tracker = match &mut *tracker {
            Some(tracker) if tracker.now <= now => tracker,
            behind => behind.insert(Tracker::new(program)),
        };
        while tracker.now < now {
            tracker.clock(program);
        }
        let (relative, ports) = (node ^ program.source, program.cube.count());
        let port = number / Told::OF_A_PORT.len();
        let sender = match number % Told::OF_A_PORT.len() {
            0 => relative,
            _ => neighbour(relative, port),
        };
        if let Some(Crossing { whose, first }) = tracker.sent[sender * ports + port] {
            let Whose {
                from, to, summed, ..
            } = whose;
            // A string takes what is written.
            let _ = match summed {
                1 => write!(text, "{from}_to_{to}:{first}"),
                _ => write!(text, "sum_of_{summed}_to_{to}:{first}"),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::routers::collectives::algorithms::{ALGORITHMS, Ask, Operation};

    #[test]
    fn a_port_says_whose_bits_it_sends_and_receives() {
        let inversion = ALGORITHMS
            .iter()
            .find(|one| one.operation() == Operation::Inversion)
            .unwrap();
        let plan = inversion.plan(&Ask {
            start_up: 1,
            ..Ask::of(Dimensions::new(2).unwrap(), 4)
        });
        let program = plan.unwrap().program;
        let followed = Followed::default();
        let tells = |node, number, now| {
            let mut text = String::new();
            followed.tell(&program, (node, number), now, &mut text);
            text
        };
        // Part 0 crosses dimension 0 and then 1, part 1 the other way.
        assert_eq!(tells(1, 0, 0), "");
        assert_eq!([tells(1, 0, 1), tells(1, 1, 1)], ["1_to_2:0", "0_to_3:0"]);
        assert_eq!([tells(1, 2, 2), tells(1, 3, 2)], ["1_to_2:2", "3_to_0:2"]);
        assert_eq!([tells(1, 2, 4), tells(1, 3, 4)], ["0_to_3:0", "2_to_1:0"]);
        assert_eq!(tells(1, 0, 1), "1_to_2:0");
        assert_eq!(shown(&program).told.len(), 4);
        assert_eq!(way(&program, 1), "step_2_of_2");
    }

    /// A plan of an operation on a cube of 3 dimensions.
    fn program(operation: Operation) -> Program {
        let mut all = ALGORITHMS.iter();
        let algorithm = all.find(|one| one.operation() == operation).unwrap();
        let plan = algorithm.plan(&Ask {
            bins: 24,
            permutation: Some((0..8).map(|node| node ^ 5).collect()),
            start_up: 1,
            ..Ask::of(Dimensions::new(3).unwrap(), 16)
        });
        plan.unwrap().program
    }

    #[test]
    fn sums_say_of_how_many_nodes_they_are() {
        let program = program(Operation::Histogram);
        let sums: Vec<Vec<u32>> = summed(&program).into_iter().map(|(_, sums)| sums).collect();
        assert_eq!(sums, [1, 2, 4, 8].map(|sum| vec![sum; 8]));
        let followed = Followed::default();
        let tells = |step: usize| {
            let mut text = String::new();
            followed.tell(&program, (0, 0), program.steps[step] + 1, &mut text);
            assert!(text.len() <= shown(&program).told[0].longest, "{text}");
            text.split_once(':').unwrap().0.to_owned()
        };
        assert_eq!(
            [0, 1, 2].map(tells),
            ["0_to_1", "sum_of_2_to_1", "sum_of_4_to_1"]
        );
    }

    #[test]
    fn two_exchanges_are_told_apart() {
        let program = program(Operation::PermutedSend);
        let told = |step: usize| TEXTS.map(|text| text(&program, step));
        assert_eq!(told(2), ["step_3_of_3", "1_of_2:spread"]);
        assert_eq!(told(3), ["step_1_of_3", "2_of_2:collect"]);
        assert_eq!(shown(&program).texts.len(), 2);
    }
}
