//! What several test files need: traffic by hand, and a machine run beside its reference model.
#![allow(dead_code, reason = "each test file uses its part of this")]

pub mod dump;
pub mod hostile;
pub mod verilog;

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rtl_model::fabric::Fabric;
use rtl_model::kuszmaul::plain::PlainRouter;
use rtl_model::lanes::Lanes;
use rtl_model::register::{Name, Registers, Visitor};
use rtl_model::router::{MessageRouter, Router};
use rtl_model::topology::hypercube::Dimensions;
use rtl_model::traffic::{Message, Traffic};
use testbenches::reference::kuszmaul::{self as reference, Outcome, Variant};
use testbenches::scoreboard::{self, Arrivals, Score};

pub fn cube(k: usize) -> Dimensions {
    Dimensions::new(k).unwrap()
}

/// Traffic of pairs (source, destination).
pub fn traffic(k: usize, payload_bits: usize, pairs: &[(usize, usize)], seed: u64) -> Traffic {
    let messages = pairs
        .iter()
        .map(|&(source, destination)| Message {
            source,
            destination,
        })
        .collect();
    Traffic::new(cube(k), payload_bits, messages, seed).unwrap()
}

/// A random partial permutation with any number of messages.
pub fn random_pairs(k: usize, random: &mut ChaCha8Rng) -> Vec<(usize, usize)> {
    let mut sources: Vec<usize> = (0..1 << k).collect();
    let mut destinations = sources.clone();
    sources.shuffle(random);
    destinations.shuffle(random);
    let amount = random.random_range(0..=1 << k);
    sources.into_iter().zip(destinations).take(amount).collect()
}

pub fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Runs traffics side by side, a cube each, and holds the machine against the reference model: who
/// holds a message after each iteration, and what arrives in the end. Bit times must be the closed
/// form, and no wire may have two drivers.
pub fn run_beside_reference<B: Lanes>(k: usize, payload_bits: usize, traffics: &[Traffic]) {
    let router = PlainRouter::new(cube(k), payload_bits).unwrap();
    let outcomes: Vec<Outcome> = traffics
        .iter()
        .map(|traffic| reference::route(cube(k), traffic.messages(), Variant::CORRECT).unwrap())
        .collect();
    let mut fabric = Fabric::<_, B>::new(router, traffics.len()).unwrap();
    for (number, traffic) in traffics.iter().enumerate() {
        scoreboard::load(&mut fabric, number, traffic);
    }
    let mut iteration = 0;
    while !fabric.is_done() {
        fabric.tick().unwrap();
        let now = fabric.position().iteration as usize;
        if now != iteration || fabric.is_done() {
            compare_places(&fabric, &outcomes, iteration);
            iteration = now;
        }
    }
    assert_eq!(iteration, k - 1);
    assert_eq!(fabric.bit_time(), router.bit_times().value);
    for (number, traffic) in traffics.iter().enumerate() {
        let score = Score::new(traffic, &Arrivals::read(&fabric, number));
        assert_eq!(score.first_fault, None, "{:?}", traffic.messages());
        assert_eq!(score.delivered, traffic.messages().len());
    }
}

/// After an iteration every node holds a message exactly where the reference model says so.
fn compare_places<B: Lanes>(
    fabric: &Fabric<PlainRouter, B>,
    outcomes: &[Outcome],
    iteration: usize,
) {
    let nodes = fabric.router().dimensions().nodes();
    for (number, outcome) in outcomes.iter().enumerate() {
        for node in 0..nodes {
            let (group, place) = fabric.node(number * nodes + node);
            let mut held = 0;
            fabric
                .router()
                .messages(group, &mut |flag: B| held += u32::from(flag.get(place)));
            let expected = outcome.after_iteration[iteration][node].is_some();
            assert_eq!(
                held,
                u32::from(expected),
                "cube {number}, node {node} after iteration {iteration}"
            );
        }
    }
}

/// Every register bit of a node, in order.
pub fn registers<R: Router, B: Lanes>(fabric: &Fabric<R, B>, node: usize) -> Vec<bool> {
    struct Reading {
        place: usize,
        bits: Vec<bool>,
    }
    impl<B: Lanes> Visitor<B> for Reading {
        fn register(&mut self, _name: Name, width: usize, bit: &dyn Fn(usize) -> B) {
            self.bits
                .extend((0..width).map(|position| bit(position).get(self.place)));
        }
    }
    let (group, place) = fabric.node(node);
    let mut reading = Reading {
        place,
        bits: Vec::new(),
    };
    Registers::<B>::visit(group, Name::Field("node"), &mut reading);
    reading.bits
}

/// A machine with one traffic loaded.
pub fn loaded<R: MessageRouter + Copy, B: Lanes>(router: R, traffic: &Traffic) -> Fabric<R, B> {
    let mut fabric = Fabric::new(router, 1).unwrap();
    scoreboard::load(&mut fabric, 0, traffic);
    fabric
}
