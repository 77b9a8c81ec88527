//! Coverage of a run: which register bits and wires have risen and fallen, at how many nodes, and where the sequencer has been.
//!
//! ```text
//!   between the two halves of each bit time, 64 nodes at once:
//!
//!     now --+---------------> ones  |=  now
//!           |                 zeros |= !now
//!           +-- & !before --> rose  |=
//!           +-- ! & before -> fell  |=
//!           |
//!           +---------------> before
//! ```

use rtl_model::language::register::{Name, Visitor};
use rtl_model::language::register_names::{BitName, RegisterName, RegisterNames};
use rtl_model::machine::simulation::{ModuleEnds, Simulation};
use rtl_model::machine::topology::Tap;
use rustc_hash::FxHashSet;

use crate::probe::Subject;

/// What has been seen of bits: a word of 64 nodes each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Seen {
    ones: Vec<u64>,
    zeros: Vec<u64>,
    rose: Vec<u64>,
    fell: Vec<u64>,
}

impl Seen {
    fn of(words: usize) -> Self {
        let none = vec![0; words];
        Seen {
            ones: none.clone(),
            zeros: none.clone(),
            rose: none.clone(),
            fell: none,
        }
    }

    fn all(&mut self) -> [&mut Vec<u64>; 4] {
        [
            &mut self.ones,
            &mut self.zeros,
            &mut self.rose,
            &mut self.fell,
        ]
    }
}

/// What has become of the bits of a name, over all nodes that have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Covered {
    /// Nodes that have it.
    pub nodes: usize,
    /// Of them, those at which it has risen or fallen.
    pub changed: usize,
    /// Of them, those at which it has risen and fallen.
    pub toggled: usize,
    /// Whether it was 1 at any.
    pub was_1: bool,
    /// Whether it was 0 at any.
    pub was_0: bool,
}

/// Bits that several nodes have alike, by name.
#[derive(Clone, Debug, Default)]
pub struct Toggles {
    names: Vec<BitName>,
    /// By bit and word: the places at which there is such a bit.
    are_there: Vec<u64>,
    now: Vec<u64>,
    before: Vec<u64>,
    seen: Seen,
    begun: bool,
}

impl Toggles {
    fn new(names: Vec<BitName>, are_there: Vec<u64>) -> Self {
        let words = are_there.len();
        Toggles {
            names,
            now: vec![0; words],
            before: vec![0; words],
            seen: Seen::of(words),
            are_there,
            begun: false,
        }
    }

    /// Takes in what there is now.
    fn pass(&mut self) {
        if !std::mem::replace(&mut self.begun, true) {
            self.before.copy_from_slice(&self.now);
        }
        let Seen {
            ones,
            zeros,
            rose,
            fell,
        } = &mut self.seen;
        for (place, (now, before)) in self.now.iter().zip(&mut self.before).enumerate() {
            ones[place] |= now;
            zeros[place] |= !now;
            rose[place] |= now & !*before;
            fell[place] |= !now & *before;
            *before = *now;
        }
    }

    /// The bits of a node, by number.
    pub fn names(&self) -> &[BitName] {
        &self.names
    }

    /// What has become of a bit.
    pub fn covered(&self, number: usize) -> Covered {
        let words = self.are_there.len() / self.names.len();
        let places = number * words..(number + 1) * words;
        let nodes = |of: &dyn Fn(usize) -> u64| -> usize {
            let each = places.clone();
            let each = each.map(|place| (of(place) & self.are_there[place]).count_ones() as usize);
            each.sum()
        };
        let seen = &self.seen;
        Covered {
            nodes: nodes(&|_| u64::MAX),
            changed: nodes(&|place| seen.rose[place] | seen.fell[place]),
            toggled: nodes(&|place| seen.rose[place] & seen.fell[place]),
            was_1: nodes(&|place| seen.ones[place]) > 0,
            was_0: nodes(&|place| seen.zeros[place]) > 0,
        }
    }

    fn add(&mut self, mut other: Self) {
        for (mine, others) in self.seen.all().into_iter().zip(other.seen.all()) {
            for (mine, other) in mine.iter_mut().zip(others) {
                *mine |= *other;
            }
        }
    }
}

/// A register of a sequencer, and the values that it has had.
#[derive(Clone, Debug)]
pub struct Counter {
    /// Its name.
    pub name: RegisterName,
    values: FxHashSet<u64>,
}

impl Counter {
    /// How many values it has had; of more than 64 bits, the lowest 64 of them.
    pub fn values(&self) -> usize {
        self.values.len()
    }
}

/// A state of the sequencer: a step of the schedule, or, where steps overlap, a unit that drives wires.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: &'static str,
    /// Whether it was in it.
    pub is_reached: bool,
}

/// The coverage of a run, or of several of one machine.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// Registers of nodes.
    pub registers: Toggles,
    /// Wires that nodes drive.
    pub wires: Toggles,
    /// Registers of the sequencer.
    pub sequencer: Toggles,
    /// The same by values.
    pub counters: Vec<Counter>,
    /// States of the sequencer; none of a machine without a schedule.
    pub states: Vec<State>,
    /// Whether those are units, since steps overlap.
    pub are_units: bool,
    /// By wire of `wires`, its number among those that a node drives.
    driven: Vec<usize>,
    /// The numbers of all register bits of a node.
    numbers: Vec<usize>,
    module_ends: ModuleEnds,
}

impl Coverage {
    /// Bytes that it takes of so many bits of a node, in so many words of 64 nodes.
    pub fn bytes(bits: usize, words: usize) -> u64 {
        /// Words of [`Toggles`], of each word of a bit.
        const EACH: usize = 7;
        (EACH * size_of::<u64>() * bits * words) as u64
    }

    /// Of a machine that is about to run.
    pub fn new(subject: &dyn Subject) -> Self {
        let simulation = subject.simulation();
        let (topology, words) = (simulation.topology(), simulation.words());
        let mut nodes = vec![0; words];
        let mut seats = vec![(0, 0); simulation.nodes()];
        for (word, of_word) in nodes.iter_mut().enumerate() {
            for (place, node) in simulation.seats(word).into_iter().enumerate() {
                if let Some(seat) = seats.get_mut(node) {
                    *seat = (word, 1 << place);
                    *of_word |= 1u64 << place;
                }
            }
        }
        // A link is there at the nodes from which it leads to another, and a wire to the host at all.
        let are_there = |wire: usize| {
            if wire >= topology.links() {
                return nodes.clone();
            }
            let mut senders = vec![0; words];
            let receivers = (0..topology.nodes()).filter(|node| topology.is_there(*node, wire));
            for receiver in receivers {
                let (word, place) = seats[topology.sender(receiver, wire)];
                senders[word] |= place;
            }
            senders
        };
        let mut registers = RegisterNames::default();
        simulation.show_registers(0, &mut registers);
        let registers = registers.bits();
        let mut sequencer = RegisterNames::default();
        let name = Name::Field("sequencer");
        simulation.sequencer().visit(name, &mut sequencer);
        let of_sequencer = sequencer.bits();
        let (names, driven): (Vec<BitName>, Vec<usize>) = driven(simulation).into_iter().unzip();
        let leads = driven.iter().flat_map(|wire| are_there(*wire)).collect();
        let (all_nodes, once) = (nodes.repeat(registers.len()), vec![1; of_sequencer.len()]);
        let steps = subject.steps();
        let are_units = steps.is_some_and(|steps| steps.overlap);
        let states = steps.map_or(&[][..], |steps| match steps.overlap {
            true => steps.units,
            false => steps.names,
        });
        Coverage {
            wires: Toggles::new(names, leads),
            driven,
            numbers: (0..registers.len()).collect(),
            registers: Toggles::new(registers, all_nodes),
            sequencer: Toggles::new(of_sequencer, once),
            counters: (sequencer.all.into_iter())
                .map(|name| Counter {
                    name,
                    values: FxHashSet::default(),
                })
                .collect(),
            states: (states.iter())
                .map(|name| State {
                    name,
                    is_reached: false,
                })
                .collect(),
            are_units,
            module_ends: ModuleEnds::default(),
        }
    }

    /// Takes in a bit time, between its two halves; and what the last one leaves.
    pub fn sample(&mut self, subject: &dyn Subject) {
        let simulation = subject.simulation();
        let wanted = (&*self.numbers, &mut self.module_ends);
        simulation.copy_registers(wanted, &mut self.registers.now, &mut |_| {});
        self.registers.pass();
        let words = simulation.words();
        let rows = self.wires.now.chunks_mut(words);
        for (wire, row) in self.driven.iter().zip(rows) {
            simulation.copy_driven(*wire, row);
        }
        self.wires.pass();
        let mut reading = Reading {
            counters: self.counters.iter_mut(),
            bits: self.sequencer.now.iter_mut(),
        };
        simulation
            .sequencer()
            .visit(Name::Field("sequencer"), &mut reading);
        self.sequencer.pass();
        if self.are_units {
            let links = 0..simulation.topology().links();
            for driver in links.filter_map(|link| simulation.driver(link)) {
                let mut states = self.states.iter_mut();
                let state = states.find(|state| state.name == driver);
                state.into_iter().for_each(|state| state.is_reached = true);
            }
        } else if let Some(position) = subject.position() {
            let step = self.states.get_mut(position.step as usize);
            step.into_iter().for_each(|step| step.is_reached = true);
        }
    }

    /// Adds what was seen in another run of the same machine.
    pub fn add(&mut self, other: Self) {
        self.registers.add(other.registers);
        self.wires.add(other.wires);
        self.sequencer.add(other.sequencer);
        for (mine, other) in self.counters.iter_mut().zip(other.counters) {
            mine.values.extend(other.values);
        }
        for (mine, other) in self.states.iter_mut().zip(other.states) {
            mine.is_reached |= other.is_reached;
        }
    }
}

/// The wires that a node drives, as waves call them, and their numbers.
fn driven(simulation: &dyn Simulation) -> Vec<(BitName, usize)> {
    let labelled = simulation.topology().labelled();
    let wires = labelled.iter().flat_map(|labelled| {
        let number = |tap: &Tap| match *tap {
            Tap::Driven(wire) => Some(wire),
            Tap::Received(_) => None,
        };
        let wires = labelled.wires.iter().filter_map(number).enumerate();
        wires.map(move |(bit, wire)| {
            let name = BitName {
                part: labelled.scope.clone(),
                whole: format!("{}.{}[{bit}]", labelled.scope, labelled.name),
            };
            (name, wire)
        })
    });
    wires.collect()
}

/// Reads the registers of a sequencer.
struct Reading<'a> {
    counters: std::slice::IterMut<'a, Counter>,
    bits: std::slice::IterMut<'a, u64>,
}

impl Visitor<bool> for Reading<'_> {
    fn register<'r>(&mut self, _name: Name, width: usize, bit: &dyn Fn(usize) -> &'r bool) {
        let mut value = 0;
        for (number, now) in (0..width).zip(&mut self.bits) {
            *now = u64::from(*bit(number));
            value |= now.checked_shl(number as u32).unwrap_or(0);
        }
        if let Some(counter) = self.counters.next() {
            counter.values.insert(value);
        }
    }
}
