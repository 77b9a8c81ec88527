//! Step for step on schedule `plain`: every word that a node sends over a wire, and what its registers hold.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use reference_models::whole_frame::frame::Frame;
use reference_models::whole_frame::tally::{Step, Watch};
use reference_models::whole_frame::{self, Nodes};
use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::language::register::{Name, Visitor};
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::Tap;
use rtl_model::routers::kuszmaul::plain::PlainRouter;
use rtl_model::traffic::Traffic;
use testbenches::lockstep::simulation::{self, Run};

use crate::common::{cube, generator, live_bits, load, random_pairs, traffic};

/// What the wires of a dimension carried in a step: bit times, and by node a word, its first bit lowest.
type Carried = (usize, Vec<u64>);

/// Wires by step and dimension.
type Wires = BTreeMap<(Step, usize), Carried>;

/// What whole frames do.
#[derive(Default)]
struct Recording {
    nodes: usize,
    wires: Wires,
    after: BTreeMap<Step, Nodes>,
}

impl Watch for Recording {
    fn wires(&mut self, step: Step, dimension: usize, bits: usize, sent: &dyn Fn(usize) -> u64) {
        let words = (0..self.nodes).map(sent).collect();
        let before = self.wires.insert((step, dimension), (bits, words));
        assert_eq!(before, None, "a dimension is used once in a step");
    }

    fn stepped(&mut self, step: Step, nodes: &Nodes) {
        assert!(self.after.insert(step, nodes.clone()).is_none());
    }
}

/// The registers of a node that hold messages and what steers them, by their path.
struct Held {
    path: Vec<String>,
    words: BTreeMap<String, u64>,
}

impl Visitor<bool> for Held {
    fn enter(&mut self, name: Name, _kind: &'static str) {
        self.path.push(name.to_string());
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn register<'r>(&mut self, name: Name, width: usize, bit: &dyn Fn(usize) -> &'r bool) {
        let word = (0..width).fold(0, |word, position| {
            word | u64::from(*bit(position)) << position
        });
        let path = [self.path.join("/"), name.to_string()].join("/");
        self.words.insert(path, word);
    }
}

impl Held {
    fn of(machine: &dyn Lockstep, node: usize) -> Self {
        let mut held = Held {
            path: Vec::new(),
            words: BTreeMap::new(),
        };
        machine.show_registers(node, &mut held);
        held
    }

    /// The lowest `length` bits of a register, 0 of one that is not built.
    fn word(&self, path: &str, length: usize) -> u64 {
        let word = self.words.get(&format!("node/{path}")).copied();
        word.unwrap_or(0) & ((1 << length) - 1)
    }

    /// A message buffer that holds a frame, or none.
    fn agrees(&self, buffer: &str, frame: Frame) -> bool {
        let valid = self.word(&format!("{buffer}/valid"), 1) == 1;
        let bits = self.word(&format!("{buffer}/bits"), frame.length());
        valid == frame.is_some() && bits == frame.bits()
    }
}

/// The machine's registers after a step are what the step leaves.
fn compare_registers(k: usize, machine: &dyn Lockstep, step: Step, after: &Nodes) {
    let m = k - 1 - step.iteration;
    for node in 0..1 << k {
        let held = Held::of(machine, node);
        let (first, second) = (after.first[node], after.second[node]);
        assert!(held.agrees("first_message", first), "{step:?}, node {node}");
        assert!(
            held.agrees("second_message", second),
            "{step:?}, node {node}"
        );
        match step.number {
            2 | 4 => assert_eq!(
                held.word("enumeration/rank", m),
                after.ranks[node],
                "{step:?}, node {node}"
            ),
            // Last bit first, as step 6 takes it.
            5 => assert_eq!(
                held.word("rendezvous", after.rendezvous[node].length()),
                after.rendezvous[node].reversed().bits(),
                "{step:?}, node {node}"
            ),
            _ => {}
        }
    }
}

/// Runs a traffic on the machine and with whole frames, and compares all there is.
fn compare_every_step<B: Lanes>(k: usize, traffic: &Traffic) {
    let nodes = 1usize << k;
    let mut recording = Recording {
        nodes,
        ..Recording::default()
    };
    let outcome = whole_frame::route(cube(k), traffic, &mut recording).unwrap();
    let tally = &outcome.tally;

    let router = PlainRouter::new(cube(k), traffic.payload_bits()).unwrap();
    let live_bits = live_bits(&router, traffic.messages().len() as u64);
    let mut fabric = Fabric::<_, B>::new(router, 1).unwrap();
    load(&mut fabric, traffic);
    let mut wires = Wires::new();
    let mut compared = BTreeSet::new();
    let mut last: Option<Step> = None;
    let measured = simulation::run(&mut fabric, Run::held_to(&live_bits), |fabric| {
        let position = fabric.position();
        let step = (!fabric.is_done()).then_some(Step {
            iteration: position.iteration as usize,
            number: position.step as usize,
        });
        if let Some(over) = last
            && step != last
        {
            compare_registers(k, fabric, over, &recording.after[&over]);
            compared.insert(over);
        }
        last = step;
        for dimension in (0..k).filter(|dimension| fabric.driver(*dimension).is_some()) {
            let step = step.unwrap();
            let (bits, words) = wires
                .entry((step, dimension))
                .or_insert_with(|| (0, vec![0; nodes]));
            for (node, word) in words.iter_mut().enumerate() {
                *word |= u64::from(fabric.tapped(node, Tap::Driven(dimension))) << *bits;
            }
            *bits += 1;
        }
        Ok::<(), Infallible>(())
    })
    .unwrap();
    assert_eq!(compared, recording.after.keys().copied().collect());
    assert_eq!(compared.len(), 6 * k - 5);
    for (place, sent) in &recording.wires {
        assert_eq!(wires.get(place), Some(sent), "{place:?}");
    }
    assert_eq!(wires.len(), recording.wires.len());

    // Totals, counted off the machine's registers, wires and bit times.
    let per_step: Vec<u64> = measured.steps.iter().map(|step| step.bit_times).collect();
    assert_eq!(per_step[..7], tally.bit_times);
    assert_eq!(measured.bit_times, tally.all_bit_times());
    let driven: u64 = tally.driven.iter().sum();
    assert_eq!(measured.driven_wire_bit_times, driven * nodes as u64);
    for dimension in 0..k {
        let of_dimension = || wires.iter().filter(|((_, d), _)| *d == dimension);
        let bits: usize = of_dimension().map(|(_, (bits, _))| bits).sum();
        assert_eq!(bits as u64, tally.driven[dimension]);
        let crossed: u64 = of_dimension()
            .filter(|((step, _), _)| ![2, 4].contains(&step.number))
            .flat_map(|(_, (_, words))| words)
            .map(|word| word & 1)
            .sum();
        assert_eq!(crossed, tally.crossed[dimension]);
    }
    assert_eq!(
        measured.peak_messages_per_node as usize,
        tally.most_messages
    );
    for iteration in 0..k {
        let after = &recording.after[&Step {
            iteration,
            number: 1,
        }];
        let twos = after.second.iter().filter(|frame| frame.is_some()).count();
        let empties = after.first.iter().filter(|frame| frame.is_none()).count();
        assert_eq!(tally.twos[iteration], twos as u64);
        assert_eq!(tally.empties[iteration], empties as u64);
    }
}

#[test]
fn every_wire_and_register_of_every_step_agrees_up_to_6_dimensions() {
    let mut random = generator(21);
    for k in 1..=6 {
        let nodes = 1usize << k;
        let reversed: Vec<_> = (0..nodes).map(|x| (x, nodes - 1 - x)).collect();
        // As many nodes with two messages as there can be.
        let crowded: Vec<_> = (0..nodes / 2).map(|x| (x, 2 * x)).collect();
        for payload_bits in [1, 4, 2 * k + 7] {
            for pairs in [&[][..], &reversed, &crowded] {
                let traffic = traffic(k, payload_bits, pairs, 5);
                compare_every_step::<u64>(k, &traffic);
            }
            for seed in 0..8 {
                let pairs = random_pairs(k, &mut random);
                let traffic = traffic(k, payload_bits, &pairs, seed);
                compare_every_step::<u64>(k, &traffic);
            }
        }
        let traffic = traffic(k, 3, &random_pairs(k, &mut random), 4);
        compare_every_step::<bool>(k, &traffic);
        compare_every_step::<Words<8>>(k, &traffic);
    }
}

/// Where wires lead from one lane group to another.
#[test]
fn every_wire_and_register_of_every_step_agrees_between_lane_groups() {
    let mut random = generator(22);
    let pairs = random_pairs(8, &mut random);
    compare_every_step::<u64>(8, &traffic(8, 5, &pairs, 1));
    let pairs = random_pairs(10, &mut random);
    compare_every_step::<Words<8>>(10, &traffic(10, 5, &pairs, 1));
}
