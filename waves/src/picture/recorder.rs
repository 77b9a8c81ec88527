//! Looks on while a machine runs, and notes what changes.

mod numbers;
mod occupied;
mod ones;
mod wires;

use crate::picture::run::{self, Band, Change, Link, Run, Text};
use crate::picture::traced::Looking;
use crate::probe::{Subject, Ticking};
use rtl_model::machine::router::{Position, Steps};
use rtl_model::machine::shown::{Counted, Shown};
use rtl_model::machine::simulation::{Simulation, Transmitted};
use rtl_model::machine::topology::Tap;

use numbers::Numbers;
use occupied::Occupied;
use ones::Ones;
use wires::Wires;

/// Changes of wires that carry a 1, at all nodes: where there are more, that is left out.
const MOST_NOTED: usize = 1 << 22;

/// A run, as far as anybody can see it who looks on.
pub struct Recorder {
    run: Run,
    steps: Option<Steps>,
    /// The nodes of all words, by place.
    seats: Vec<usize>,
    occupied: Option<Occupied>,
    /// By link: the wire that says whether a node uses it. None where the sequencer says so.
    valid: Vec<Option<usize>>,
    last: Option<Position>,
    numbers: Numbers,
    ones: Ones,
    /// Wires of a node that lead to others.
    links: usize,
    wires: Wires,
    /// Changes of wires that carry a 1.
    noted: usize,
    /// By word, what is driven onto the wire that is looked at.
    driven: Vec<u64>,
    /// Waveforms of some nodes, if any are kept.
    looking: Option<Looking>,
}

impl Recorder {
    /// Of a machine that is about to run.
    pub fn new(title: String, subject: &dyn Subject) -> Self {
        let simulation = subject.simulation();
        let topology = simulation.topology();
        let shown = subject.shown();
        let has_occupancy = shown.occupancy == Counted::Occupied;
        let nodes = simulation.nodes();
        let (links, valid) = match subject.steps() {
            Some(_) => (0..topology.links())
                .map(|link| (link_name(simulation, link), None))
                .unzip(),
            None => data_wires(simulation),
        };
        let links: Vec<String> = links;
        let link = |name| Link {
            name,
            used: Vec::new(),
        };
        let wires = Wires::new(simulation, &valid);
        let seats = (0..simulation.words()).flat_map(|word| simulation.seats(word));
        let seats: Vec<usize> = seats.collect();
        // Where nothing is known of what is at nodes, there are still wires.
        let numbers = Numbers::new(&shown, nodes);
        let counts_ones = !has_occupancy && numbers.is_empty();
        Recorder {
            run: Run {
                title,
                counted: match counts_ones {
                    true => run::Counted::Ones,
                    false => run::Counted::Bits,
                },
                texts: (shown.texts.iter())
                    .map(|text| Text {
                        name: text.name.to_owned(),
                        says: Vec::new(),
                    })
                    .collect(),
                nodes: (0..nodes).map(|node| topology.node_name(node)).collect(),
                dimensions: dimensions(simulation, &valid),
                occupancy: match has_occupancy || counts_ones {
                    true => vec![Vec::new(); nodes],
                    false => Vec::new(),
                },
                wire_use: wires.counted(),
                links: links.into_iter().map(link).collect(),
                ..Run::default()
            },
            steps: subject.steps(),
            occupied: has_occupancy.then(|| Occupied::of(nodes, &seats)),
            ones: Ones::of(nodes, &seats, topology.links()),
            links: topology.links(),
            seats,
            valid,
            last: None,
            numbers,
            wires,
            noted: 0,
            driven: vec![0; simulation.words()],
            looking: None,
        }
    }

    /// It is going to run for so many bit times: of a long run numbers of nodes are not noted in all of them.
    pub fn lasting(mut self, bit_times: u64) -> Self {
        self.numbers.expect(bit_times);
        self
    }

    /// Keeps waveforms of these nodes as well: of what it is given to look at from now on.
    pub fn keep(&mut self, subject: &dyn Subject, nodes: &[usize]) {
        if !nodes.is_empty() {
            self.looking = Looking::at(subject, nodes);
        }
    }

    /// The same of what it is then given.
    pub fn keeping(mut self, subject: &dyn Subject, nodes: &[usize]) -> Self {
        self.keep(subject, nodes);
        self
    }

    /// Whether nothing but wires is seen of nodes, but for waveforms that are kept.
    pub(super) fn is_seen_on_wires(shown: &Shown) -> bool {
        shown.occupancy != Counted::Occupied && Numbers::new(shown, 0).is_empty()
    }

    /// Whether waveforms are kept, and there is room for more of them.
    pub fn has_room(&self) -> bool {
        self.looking.as_ref().is_some_and(Looking::has_room)
    }

    /// Bit times in which it has looked.
    pub fn bit_times(&self) -> u64 {
        u64::from(self.run.bit_times)
    }

    /// Notes what holds in this bit time, between its two halves; waveforms of nodes are for [`Recorder::sample`].
    pub fn look(&mut self, subject: &dyn Subject) {
        let after = self.last;
        self.look_at_wires(&Ticking(subject));
        let bit_time = self.run.bit_times - 1;
        if let Some(occupied) = &mut self.occupied {
            let when = (bit_time, after);
            occupied.look(subject, when, &self.seats, &mut self.run.occupancy);
        }
        self.numbers.look(subject, bit_time);
    }

    /// Of that what is broadcast, and what is on the wires: all of it, where [nothing else is
    /// seen](crate::picture::is_seen_on_wires) and no waveforms are kept.
    pub fn look_at_wires(&mut self, transmitted: &dyn Transmitted) {
        let bit_time = u32::try_from(transmitted.bit_time()).unwrap_or(u32::MAX);
        let position = transmitted.position();
        let after = std::mem::replace(&mut self.last, position);
        let is_done = transmitted.is_done();
        if let (Some(steps), Some(position)) = (self.steps, position) {
            let is_same = after.is_some_and(|after| {
                (after.iteration, after.step) == (position.iteration, position.step)
            });
            let name = steps.names.get(position.step as usize).unwrap_or(&"");
            if !is_same && !name.is_empty() {
                self.run.bands.push(Band {
                    from: bit_time,
                    name: (*name).to_owned(),
                    iteration: (!is_done).then_some(position.iteration),
                });
            }
        }
        // Once a schedule is over nothing is driven any more.
        let is_over = self.steps.is_some() && is_done;
        if self.run.counted == run::Counted::Ones {
            let occupancy = &mut self.run.occupancy;
            let links = match is_over {
                true => 0,
                false => self.links,
            };
            self.noted += self
                .ones
                .look(transmitted, links, (bit_time, &self.seats), occupancy);
            if self.noted > MOST_NOTED {
                self.run.counted = run::Counted::Bits;
                self.run.occupancy.clear();
            }
        }
        self.wires
            .look(transmitted, (bit_time, is_over), &self.seats);
        for (number, text) in self.run.texts.iter_mut().enumerate() {
            let mut says = String::new();
            transmitted.append_text(number, &mut says);
            if text.says.last().is_none_or(|(_, last)| *last != says) {
                text.says.push((bit_time, says));
            }
        }
        let nodes = self.run.nodes.len() as u32;
        for (number, link) in self.run.links.iter_mut().enumerate() {
            let used = match self.valid[number] {
                Some(wire) => {
                    transmitted.copy_driven(wire, &mut self.driven);
                    self.driven.iter().map(|word| word.count_ones()).sum()
                }
                None if transmitted.is_driven(number) => nodes,
                None => 0,
            };
            note(&mut link.used, bit_time, used);
        }
        self.run.bit_times = bit_time + 1;
    }

    /// Has the waveforms that are kept go on, of the same bit time. More may be told in them than the rest is noted of.
    pub fn sample(&mut self, subject: &dyn Subject) {
        if let Some(looking) = &mut self.looking {
            looking.look(subject);
        }
    }

    /// What was seen. A run that is over before it begins is drawn as it would be in its first bit time.
    pub fn finish(mut self) -> Run {
        if self.run.counted == run::Counted::Ones {
            self.ones.note(&self.seats, &mut self.run.occupancy);
        }
        self.run.bit_times = self.run.bit_times.max(1);
        self.run.numbers = self.numbers.finish();
        self.run.wires = self.wires.finish(self.run.bit_times);
        self.run.waves = self.looking.map(Looking::finish);
        self.run
    }
}

/// From this bit time on it is so much.
fn note(changes: &mut Vec<Change>, from: u32, value: u32) {
    if changes.last().is_none_or(|last| last.value != value) {
        changes.push(Change { from, value });
    }
}

/// The dimensions of the hypercube, if the links lead where those of one do.
fn dimensions(simulation: &dyn Simulation, valid: &[Option<usize>]) -> Option<u32> {
    let topology = simulation.topology();
    let count = u32::try_from(valid.len()).ok()?;
    let crosses = |node: usize| {
        let wires = valid.iter().enumerate();
        let mut wires = wires.map(|(dimension, wire)| (dimension, wire.unwrap_or(dimension)));
        wires.all(|(dimension, wire)| topology.sender(node, wire) == node ^ 1 << dimension)
    };
    let is_cube = 1usize.checked_shl(count) == Some(topology.nodes()) && simulation.machines() == 1;
    (is_cube && (0..topology.nodes()).all(crosses)).then_some(count)
}

/// What the scope of a link is called, by its wire.
fn link_name(simulation: &dyn Simulation, link: usize) -> String {
    let labelled = simulation.topology().labelled();
    let scope = labelled
        .into_iter()
        .find(|one| one.wires == [Tap::Driven(link)]);
    scope.map_or_else(
        || simulation.topology().link_name(link),
        |one| match one.name.as_str() {
            "tx" => one.scope,
            name => format!("{} {name}", one.scope),
        },
    )
}

/// Of a machine whose nodes decide for themselves: the wires between nodes that say whether there is a bit beside them.
fn data_wires(simulation: &dyn Simulation) -> (Vec<String>, Vec<Option<usize>>) {
    let topology = simulation.topology();
    let links = topology.links();
    let valid = topology
        .labelled()
        .into_iter()
        .filter_map(|one| match one.wires[..] {
            [Tap::Driven(wire)] if wire < links && one.name == "tx_valid" => {
                Some((one.scope, Some(wire)))
            }
            _ => None,
        });
    valid.unzip()
}
