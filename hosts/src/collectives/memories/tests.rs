use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rtl_model::machine::fabric::How;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::collectives::CollectiveMachine;
use rtl_model::routers::collectives::algorithms::{ALGORITHMS, Ask, Operation};

use super::*;
use crate::collectives::compared::Faults;
use crate::collectives::ends::{Ends, Pattern};
use crate::collectives::places::Places;

/// An operation with drawn messages.
struct Drawn {
    machine: CollectiveMachine,
    ends: Ends,
    stays: Vec<bool>,
    bits: usize,
    sent: Words,
}

impl Drawn {
    fn of(operation: Operation, dims: usize, bits: usize) -> Self {
        let mut all = ALGORITHMS.iter();
        let algorithm = all.find(|one| one.operation() == operation).unwrap();
        let cube = Dimensions::new(dims).unwrap();
        let plan = algorithm.plan(&Ask::of(cube, bits)).unwrap();
        let ends = Ends {
            pattern: match operation {
                Operation::Scatter => Pattern::From(0),
                _ => Pattern::EachToEach,
            },
            nodes: cube.nodes(),
        };
        assert!(plan.program.arrivals.iter().all(|one| one.partner != 0));
        let ((nodes, each), own) = (ends.sent_shape(), 0..ends.nodes);
        Drawn {
            machine: CollectiveMachine::new(Arc::new(plan)).unwrap(),
            stays: own.map(|node| ends.has_own(node)).collect(),
            sent: Words::drawn(nodes, each, bits, 3),
            ends,
            bits,
        }
    }

    fn carried(&self) -> Carried<'_> {
        Carried {
            machine: &self.machine,
            ends: &self.ends,
            word_bits: self.bits,
            stays: &self.stays,
        }
    }

    fn load(&self, sent: &Words, machine: &mut dyn Lockstep) {
        let mut passed = |_| Ok(());
        let mut host = Loading::new(self.carried(), sent, &mut passed);
        machine.load(&mut host).unwrap();
    }

    /// What is wrong of what some nodes have in their memories at the end.
    fn faults(&self, all: &[(Vec<Seats>, Planes)]) -> Faults {
        let mut passed = |_| Ok(());
        let mut host = Reading::new(self.carried(), &self.sent, &mut passed);
        for (seats, planes) in all {
            assert!(host.memories(seats, planes).unwrap());
        }
        let arrived = host.arrived().messages;
        Faults::of_messages((&self.ends, &self.stays), (&self.sent, None), &arrived)
    }
}

/// Memories of so many words of nodes.
struct Planes {
    words: usize,
    planes: Vec<u64>,
}

impl Memories for Planes {
    fn bits(&self) -> usize {
        self.planes.len() / self.words
    }

    fn plane(&self, address: usize) -> &[u64] {
        &self.planes[address * self.words..][..self.words]
    }
}

impl MemoriesMut for Planes {
    fn clear(&mut self) {
        self.planes.fill(0);
    }

    fn plane_mut(&mut self, address: usize) -> &mut [u64] {
        &mut self.planes[address * self.words..][..self.words]
    }
}

/// Keeps what a machine shows.
#[derive(Default)]
struct Shown(Vec<(Vec<Seats>, Planes)>);

impl Unloads for Shown {
    fn memories(&mut self, seats: &[Seats], memories: &dyn Memories) -> Result<bool, ModelError> {
        let words = 0..memories.bits();
        let planes = Planes {
            words: seats.len(),
            planes: words
                .flat_map(|address| memories.plane(address).to_vec())
                .collect(),
        };
        self.0.push((seats.to_vec(), planes));
        Ok(true)
    }

    fn seats(&mut self, _seats: &Seats) -> Result<(), ModelError> {
        Ok(())
    }

    fn values(&mut self, field: Field, _from: usize, _values: &Square) -> Result<(), ModelError> {
        assert_ne!(field, MEMORY, "it has been shown already");
        Ok(())
    }
}

/// Words of nodes: more than are moved together, and than there are nodes for.
const WORDS: usize = 17;

/// Seats of so many words, in order.
fn seats(words: usize) -> Vec<Seats> {
    let word = |word: usize| std::array::from_fn(|place| NODES_AT_ONCE * word + place);
    (0..words).map(word).collect()
}

/// Of more nodes than a word has, of fewer, and at places without any; of more limbs and of more words than are moved together. Where
/// nodes have the same places, and where one alone has messages. Where all messages have bits, and where few have.
#[test]
fn every_bit_is_loaded_and_no_other() {
    for (operation, dims, bits, one_of) in [
        (Operation::AllToAll, 7, 70, 1),
        (Operation::AllToAll, 2, 5, 1),
        (Operation::AllToAll, 10, 1, 1),
        (Operation::AllToAll, 10, 1, 50),
        (Operation::Scatter, 7, 70, 1),
    ] {
        let mut drawn = Drawn::of(operation, dims, bits);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for message in 0..drawn.sent.nodes() * drawn.sent.per_node() {
            if random.next_u64() % one_of > 0 {
                drawn.sent.word_mut(message).fill(0);
            }
        }
        let program = &drawn.machine.plan().program;
        let places = Places::new(&program.loads, program.source);
        let seats = seats(WORDS);
        let mut planes = Planes {
            words: WORDS,
            planes: vec![!0; WORDS * program.memory_bits],
        };
        let mut passed = |_| Ok(());
        let mut host = Loading::new(drawn.carried(), &drawn.sent, &mut passed);
        assert!(host.memories(&seats, &mut planes).unwrap());
        let mut due = vec![0; planes.planes.len()];
        for node in 0..1 << dims {
            for stretch in places.stretches(node, (0, program.memory_bits)) {
                let message = drawn.ends.sent(node, stretch.other);
                for bit in 0..stretch.bits {
                    let is_one = drawn.sent.chunk(message, stretch.bit + bit, 1);
                    due[(stretch.behind + bit) * WORDS + node / 64] |= is_one << (node % 64);
                }
            }
        }
        assert!(planes.planes == due, "{operation} {dims} {bits} {one_of}");
    }
}

/// The same, the other way round; some of what is to arrive does not.
#[test]
fn every_bit_is_unloaded_and_no_other() {
    for (operation, dims, bits) in [
        (Operation::AllToAll, 7, 70),
        (Operation::AllToAll, 2, 5),
        (Operation::AllToAll, 10, 3),
        (Operation::Scatter, 7, 70),
    ] {
        let drawn = Drawn::of(operation, dims, bits);
        let program = &drawn.machine.plan().program;
        let arrivals = program.arrivals.iter().zip((0..3).cycle());
        // One without its last bit, one without its first, and one that is whole.
        let some = arrivals.map(|(segment, which)| {
            let [first, last] = [which == 1, which == 0].map(usize::from);
            Segment {
                bit: segment.bit + first,
                bits: segment.bits.saturating_sub(first + last),
                address: segment.address + first,
                ..*segment
            }
        });
        let some: Vec<Segment> = some.filter(|segment| segment.bits > 0).collect();
        let places = Places::new(&some, program.source);
        let memories = Words::drawn(program.memory_bits, WORDS, 64, 5);
        let planes = Planes {
            words: WORDS,
            planes: memories.iter().flatten().copied().collect(),
        };
        let (nodes, each) = drawn.ends.arrived_shape();
        let mut messages = Words::drawn(nodes, each, bits, 7);
        let mut due = messages.clone();
        let layout = Layout::new(drawn.carried(), &some);
        layout.unload(&mut messages, &seats(WORDS), &planes);
        for node in 0..1 << dims {
            for stretch in places.stretches(node, (0, program.memory_bits)) {
                let message = drawn.ends.arrived(stretch.other, node);
                for bit in 0..stretch.bits {
                    let word = planes.plane(stretch.behind + bit)[node / 64];
                    due.set_chunk(message, stretch.bit + bit, (1, word >> (node % 64)));
                }
            }
        }
        assert!(messages == due, "{operation} {dims} {bits}");
    }
}

/// Whichever bit of whichever node is another one than is due, its message is wrong, and no other.
#[test]
fn every_bit_that_arrives_is_compared() {
    for (operation, dims, bits) in [
        (Operation::AllToAll, 2, 3),
        (Operation::AllToAll, 7, 1),
        (Operation::Scatter, 3, 4),
    ] {
        let drawn = Drawn::of(operation, dims, bits);
        let mut machine = drawn.machine.as_device().build(1).unwrap();
        drawn.load(&drawn.sent, &mut *machine);
        machine.advance(u64::MAX, &How::default()).unwrap();
        let mut shown = Shown::default();
        machine.unload(&mut shown).unwrap();
        let mut shown = shown.0;
        assert_eq!(drawn.faults(&shown).amount, 0);
        let program = &drawn.machine.plan().program;
        let places = Places::new(&program.arrivals, program.source);
        let mut flipped = 0;
        for node in (0..1 << dims).step_by((1 << dims) / 4) {
            let (group, word, place) = find(&shown, node);
            for address in (0..program.memory_bits).step_by(1 + program.memory_bits / 64) {
                let mut stretches = places.stretches(node, (address, 1));
                let first = stretches.next().map(|stretch| {
                    let (_, each) = drawn.ends.arrived_shape();
                    let number = drawn.ends.arrived(stretch.other, node);
                    [number / each, number % each]
                });
                shown[group].1.plane_mut(address)[word] ^= 1 << place;
                let faults = drawn.faults(&shown);
                shown[group].1.plane_mut(address)[word] ^= 1 << place;
                assert_eq!(faults.first, first, "{operation} {dims} {node} {address}");
                assert_eq!(faults.amount, usize::from(first.is_some()));
                flipped += faults.amount;
            }
        }
        assert!(flipped > 4, "{operation} {dims} {bits}");
    }
}

/// The group, the word and the place of a node.
fn find(shown: &[(Vec<Seats>, Planes)], node: usize) -> (usize, usize, usize) {
    for (group, (seats, _)) in shown.iter().enumerate() {
        for (word, seats) in seats.iter().enumerate() {
            if let Some(place) = seats.iter().position(|seat| *seat == node) {
                return (group, word, place);
            }
        }
    }
    panic!("node {node} is nowhere")
}

/// Other messages are loaded over the first, before a run and after it.
#[test]
fn what_was_loaded_before_is_gone() {
    let drawn = Drawn::of(Operation::AllToAll, 3, 4);
    let mut machine = drawn.machine.as_device().build(1).unwrap();
    let other = Words::drawn(8, 8, 4, 9);
    let memories = |machine: &dyn Lockstep| {
        let mut shown = Shown::default();
        machine.unload(&mut shown).unwrap();
        let planes = shown.0.into_iter().map(|(_, planes)| planes.planes);
        planes.collect::<Vec<_>>()
    };
    drawn.load(&drawn.sent, &mut *machine);
    let due = memories(&*machine);
    drawn.load(&other, &mut *machine);
    assert_ne!(memories(&*machine), due);
    drawn.load(&drawn.sent, &mut *machine);
    assert_eq!(memories(&*machine), due);
    machine.advance(u64::MAX, &How::default()).unwrap();
    assert_ne!(memories(&*machine), due);
    machine.restart();
    drawn.load(&drawn.sent, &mut *machine);
    assert_eq!(memories(&*machine), due);
}
