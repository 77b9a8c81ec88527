//! Routers, what they are loaded with, and what of a machine has to be the same.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::marker::PhantomData;
use std::sync::Arc;

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rtl_model::language::lanes::Lanes;
use rtl_model::language::register::{Name, Registers, Visitor};
use rtl_model::machine::fabric::{Fabric, How};
use rtl_model::machine::host::Field;
use rtl_model::machine::router::{Position, Router};
use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::collectives::CollectiveMachine;
use rtl_model::routers::collectives::algorithms::{Operation, algorithm};
use rtl_model::routers::kuszmaul::batches::BatchRouter;
use rtl_model::routers::kuszmaul::batches::stage::Pipelined;
use rtl_model::routers::kuszmaul::counting::CountingRouter;
use rtl_model::routers::kuszmaul::enumeration::EnumerationRouter;
use rtl_model::routers::kuszmaul::packing::PackingRouter;
use rtl_model::routers::permutation::{PermutationRouter, Schedule};
use rtl_model::routers::ports::algorithm::PortModel;

use crate::prearranged::collectives::common::ask;

/// Routers of one kind, of any size.
pub trait Family {
    type Router: Router;

    fn router(k: usize, payload_bits: usize) -> Self::Router;

    /// Payload lengths that are worth a test in a cube of that size.
    const PAYLOAD_BITS: &'static [usize] = &[1, 2, 5, 11];
}

pub struct Enumeration;

impl Family for Enumeration {
    type Router = EnumerationRouter;
    const PAYLOAD_BITS: &'static [usize] = &[1];

    fn router(k: usize, _payload_bits: usize) -> EnumerationRouter {
        EnumerationRouter::new(Dimensions::new(k).unwrap())
    }
}

pub struct Packing;

impl Family for Packing {
    type Router = PackingRouter;

    fn router(k: usize, payload_bits: usize) -> PackingRouter {
        PackingRouter::new(Dimensions::new(k).unwrap(), payload_bits).unwrap()
    }
}

pub struct Permutation<S>(PhantomData<S>);

impl<S: Schedule> Family for Permutation<S> {
    type Router = PermutationRouter<S>;

    fn router(k: usize, payload_bits: usize) -> PermutationRouter<S> {
        PermutationRouter::new(Dimensions::new(k).unwrap(), payload_bits).unwrap()
    }
}

/// Two batches and more, on wires of their own.
pub struct Batches<P>(PhantomData<P>);

impl<P: Pipelined> Family for Batches<P> {
    type Router = BatchRouter<P>;
    const PAYLOAD_BITS: &'static [usize] = &[1, 5];

    fn router(k: usize, payload_bits: usize) -> BatchRouter<P> {
        let cube = Dimensions::new(k).unwrap();
        BatchRouter::new(cube, payload_bits, 2 + k % 2, None).unwrap()
    }
}

/// Two messages a node; those that [`load`] writes have the same destination.
pub struct Counting;

impl Family for Counting {
    type Router = CountingRouter;
    const PAYLOAD_BITS: &'static [usize] = &[1, 5, 11];

    fn router(k: usize, payload_bits: usize) -> CountingRouter {
        CountingRouter::new(Dimensions::new(k).unwrap(), payload_bits, 2).unwrap()
    }
}

/// Prearranged messages, whose nodes have a memory: the larger the cube, the fewer go to each node.
pub struct Prearranged;

impl Family for Prearranged {
    type Router = CollectiveMachine;
    const PAYLOAD_BITS: &'static [usize] = &[1, 6];

    fn router(k: usize, payload_bits: usize) -> CollectiveMachine {
        let (operation, name, start_up) = match k {
            ..=3 => (Operation::AllToAll, "complete-exchange", 2),
            4..=6 => (Operation::AllGather, "complete-broadcast", 2),
            // Blocks of the memory change places, and are sent at once.
            7..=9 => (Operation::PermutedSend, "permuted-send", 0),
            _ => (Operation::Inversion, "inversion", 2),
        };
        let algorithm = algorithm(operation, name).unwrap();
        let ask = ask(algorithm, k, payload_bits, start_up, PortModel::All);
        CollectiveMachine::new(Arc::new(algorithm.plan(&ask).unwrap())).unwrap()
    }
}

pub fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// What the host writes is drawn: in every machine another share of the nodes sends, each to a node of its own.
pub fn load<R: Router, B: Lanes>(fabric: &mut Fabric<R, B>, random: &mut impl Rng) {
    let router = fabric.router().clone();
    let nodes = router.topology().nodes();
    // Of several messages of a node, one after the other.
    let address_bits = router.topology().address_bits();
    for machine in 0..fabric.machines() {
        let mut destinations: Vec<usize> = (0..nodes).collect();
        destinations.shuffle(random);
        let load = [0.2, 0.5, 0.9, 1.0][random.random_range(0..4)];
        for (source, destination) in destinations.into_iter().enumerate() {
            let sends = random.random_bool(load);
            let (node, place) = fabric.node_mut(machine * nodes + source);
            router.host_writes(node, &mut |field, bit, register: &mut B| {
                let value = match field {
                    Field::MEMBER | Field::VALID => true,
                    Field::DESTINATION => destination >> (bit % address_bits) & 1 == 1,
                    _ => random.random(),
                };
                register.set(place, sends && value);
            });
        }
    }
}

/// Every register of every group is drawn, also where no node is.
pub fn scramble<R: Router, B: Lanes>(fabric: &mut Fabric<R, B>, random: &mut impl Rng) {
    for group in fabric.node_groups_mut() {
        group.visit_mut(&mut |register: &mut B| {
            for word in 0..B::WORDS {
                register.set_word(word, random.random());
            }
        });
    }
}

/// Every register of every group, word by word.
pub fn registers<R: Router, B: Lanes>(fabric: &mut Fabric<R, B>) -> Vec<u64> {
    let mut words = Vec::new();
    for group in fabric.node_groups_mut() {
        group.visit_mut(&mut |register: &mut B| {
            words.extend((0..B::WORDS).map(|word| register.word(word)));
        });
    }
    words
}

/// Begins anew with these registers.
pub fn restart_with<R: Router, B: Lanes>(fabric: &mut Fabric<R, B>, words: &[u64]) {
    fabric.restart();
    let mut words = words.iter();
    for group in fabric.node_groups_mut() {
        group.visit_mut(&mut |register: &mut B| {
            for word in 0..B::WORDS {
                register.set_word(word, *words.next().unwrap());
            }
        });
    }
    assert_eq!(words.len(), 0);
}

/// What two machines that do the same agree in, at the beginning of a bit time.
#[derive(Debug, PartialEq)]
pub struct State {
    bit_time: u64,
    /// A hash of every register of every group.
    nodes: u64,
    sequencer: Vec<bool>,
    driven: u64,
    position: Position,
    is_done: bool,
}

pub fn state<R: Router, B: Lanes>(fabric: &mut Fabric<R, B>) -> State {
    struct Bits(Vec<bool>);
    impl Visitor<bool> for Bits {
        fn register<'r>(&mut self, _name: Name, width: usize, bit: &dyn Fn(usize) -> &'r bool) {
            self.0.extend((0..width).map(bit));
        }
    }
    let mut sequencer = Bits(Vec::new());
    fabric
        .sequencer()
        .visit(Name::Field("sequencer"), &mut sequencer);
    let mut nodes = DefaultHasher::new();
    registers(fabric).hash(&mut nodes);
    State {
        bit_time: fabric.bit_time(),
        nodes: nodes.finish(),
        sequencer: sequencer.0,
        driven: fabric.driven_wire_bit_times(),
        position: fabric.position(),
        is_done: fabric.is_done(),
    }
}

/// Runs to the end bit time by bit time; gives the states at the beginning of each.
pub fn ticked<R: Router, B: Lanes>(fabric: &mut Fabric<R, B>) -> Vec<State> {
    let mut states = vec![state(fabric)];
    while !fabric.is_done() {
        fabric.tick().unwrap();
        states.push(state(fabric));
    }
    states
}

/// Runs as a program, up to that bit time.
pub fn advance<R: Router, B: Lanes>(fabric: &mut Fabric<R, B>, to: u64, how: &How<'_>) {
    fabric.advance(to, how).unwrap();
}

/// Compares a machine with what it was in this bit time.
pub fn assert_state<R: Router, B: Lanes>(fabric: &mut Fabric<R, B>, states: &[State], note: &str) {
    let now = state(fabric);
    assert_eq!(
        now,
        states[now.bit_time as usize],
        "{} nodes, {} machines, {} lanes, {note}",
        fabric.topology().nodes(),
        fabric.machines(),
        B::NODES,
    );
}
