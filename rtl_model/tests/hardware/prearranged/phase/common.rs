//! Embeddings made by hand, their machines, and a host that loads packets and reads them.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rtl_model::embedding::constructions::{Ask, construction};
use rtl_model::embedding::paths::Embedding;
use rtl_model::embedding::phase::{Order, Phase};
use rtl_model::error::Error;
use rtl_model::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square, Unloads};
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::phase::{CELLS, PhaseMachine, PhasePlan};

pub fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// The Gray-code cycle.
pub fn cycle(dimensions: usize, packets: usize) -> Embedding {
    let cycle = construction("gray-cycle").unwrap();
    let cycle = cycle.embed(&Ask::of_dimensions(dimensions)).unwrap();
    cycle.with_packets(packets)
}

/// Every node to its neighbour across dimension 0: directly, and round every other dimension.
pub fn wide(dimensions: usize) -> Embedding {
    let host = Dimensions::new(dimensions).unwrap();
    let mut embedding = Embedding::new(host, (0..host.nodes() as u32).collect());
    for node in 0..host.nodes() {
        let round = (1..dimensions as u8).map(|across| vec![across, 0, across]);
        embedding.add_edge([node, node ^ 1], [vec![0]].into_iter().chain(round));
    }
    embedding
}

/// Vertices anywhere, some of them on one node, and edges on paths that wander about.
pub fn wandering(dimensions: usize, edges: usize, seed: u64) -> Embedding {
    let mut random = generator(seed);
    let host = Dimensions::new(dimensions).unwrap();
    let vertices = edges.max(2);
    let places = (0..vertices).map(|_| random.random_range(0..host.nodes() as u32));
    let mut embedding = Embedding::new(host, places.collect());
    for _ in 0..edges {
        let [from, to] = [(); 2].map(|()| random.random_range(0..vertices));
        let paths: Vec<Vec<u8>> = (0..2)
            .map(|_| {
                let mut left = embedding.place(from) ^ embedding.place(to);
                let mut path: Vec<u8> = (0..random.random_range(0..3))
                    .map(|_| random.random_range(0..dimensions as u8))
                    .collect();
                path.iter().for_each(|across| left ^= 1 << across);
                path.extend((0..dimensions as u8).filter(|across| left >> across & 1 == 1));
                path
            })
            .collect();
        embedding.add_edge([from, to], paths);
    }
    embedding
}

/// Some of each kind, also with every edge both ways.
pub fn embeddings() -> Vec<(String, Embedding)> {
    let some = [
        ("cycle 1", cycle(1, 1)),
        ("cycle 3, one packet", cycle(3, 1)),
        ("cycle 2", cycle(2, 3)),
        ("cycle 3", cycle(3, 2)),
        ("wide 3", wide(3)),
        ("wide 4", wide(4).with_packets(6)),
        ("wandering 3", wandering(3, 9, 1).with_packets(3)),
        ("wandering 4", wandering(4, 30, 2)),
    ];
    let both = |(what, one): (&str, Embedding)| {
        let both = one.both_ways();
        [(what.to_owned(), one), (format!("{what}, both ways"), both)]
    };
    some.into_iter().flat_map(both).collect()
}

pub fn machine(embedding: &Embedding, order: Order, bits: usize, start_up: usize) -> PhaseMachine {
    let phase = Phase::of(embedding, order);
    PhaseMachine::new(Arc::new(PhasePlan::of(embedding, &phase)), bits, start_up).unwrap()
}

/// What all nodes hold, cell by cell and bit by bit.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    packet_bits: usize,
    nodes: Vec<Vec<bool>>,
}

impl Contents {
    pub fn nothing(machine: &PhaseMachine) -> Self {
        let plan = machine.plan();
        Contents {
            packet_bits: machine.packet_bits(),
            nodes: vec![vec![false; plan.cells() * machine.packet_bits()]; plan.host().nodes()],
        }
    }

    pub fn cell(&self, node: usize, cell: usize) -> &[bool] {
        &self.nodes[node][cell * self.packet_bits..][..self.packet_bits]
    }

    pub fn cell_mut(&mut self, node: usize, cell: usize) -> &mut [bool] {
        &mut self.nodes[node][cell * self.packet_bits..][..self.packet_bits]
    }
}

/// Packets that are drawn, and the cells as they begin: where no packet lies, there is anything.
pub fn drawn(machine: &PhaseMachine, seed: u64) -> (Vec<Vec<bool>>, Contents) {
    let (plan, mut random) = (machine.plan(), generator(seed));
    let mut contents = Contents::nothing(machine);
    for node in &mut contents.nodes {
        node.iter_mut().for_each(|bit| *bit = random.random());
    }
    let packets: Vec<Vec<bool>> = (0..plan.packets())
        .map(|_| {
            (0..machine.packet_bits())
                .map(|_| random.random())
                .collect()
        })
        .collect();
    for (number, packet) in packets.iter().enumerate() {
        let cell = contents.cell_mut(plan.source(number), plan.begins(number));
        cell.copy_from_slice(packet);
    }
    (packets, contents)
}

/// Loads the configuration of a plan, and cells; one bit of one node's configuration may be wrong.
pub struct Loading<'a> {
    pub plan: &'a PhasePlan,
    pub contents: &'a Contents,
    pub flipped: Option<(usize, Field, usize)>,
    seats: Seats,
}

impl<'a> Loading<'a> {
    pub fn new(plan: &'a PhasePlan, contents: &'a Contents) -> Self {
        Loading {
            plan,
            contents,
            flipped: None,
            seats: [usize::MAX; NODES_AT_ONCE],
        }
    }
}

impl Loads for Loading<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, Error> {
        self.seats = *seats;
        let here = |place: usize| u64::from(seats[place] != usize::MAX) << place;
        Ok((0..NODES_AT_ONCE).fold(0, |places, place| places | here(place)))
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), Error> {
        for (value, &seat) in values.iter_mut().zip(&self.seats) {
            if seat == usize::MAX {
                continue;
            }
            // Several machines hold the same.
            let node = seat % self.plan.host().nodes();
            let held = &self.contents.nodes[node];
            let cells = || {
                (0..64).fold(0, |word, place| {
                    let bit = held.get(from + place).is_some_and(|bit| *bit);
                    word | u64::from(bit) << place
                })
            };
            *value = match field {
                CELLS => cells(),
                _ => self
                    .plan
                    .word(field, node, from)
                    .ok_or_else(|| field.unknown())?,
            };
            if let Some((of, flipped, bit)) = self.flipped
                && (of, flipped) == (node, field)
                && (from..from + 64).contains(&bit)
            {
                *value ^= 1 << (bit - from);
            }
        }
        Ok(())
    }
}

/// Reads the cells of one machine.
pub struct Reading {
    pub contents: Contents,
    seats: Seats,
}

impl Reading {
    pub fn new(machine: &PhaseMachine) -> Self {
        Reading {
            contents: Contents::nothing(machine),
            seats: [usize::MAX; NODES_AT_ONCE],
        }
    }
}

impl Unloads for Reading {
    fn seats(&mut self, seats: &Seats) -> Result<(), Error> {
        self.seats = *seats;
        Ok(())
    }

    fn values(&mut self, field: Field, from: usize, values: &Square) -> Result<(), Error> {
        assert_eq!(field, CELLS);
        for (value, &node) in values.iter().zip(&self.seats) {
            if let Some(held) = self.contents.nodes.get_mut(node) {
                for (place, bit) in held.iter_mut().skip(from).take(64).enumerate() {
                    *bit = value >> place & 1 == 1;
                }
            }
        }
        Ok(())
    }
}
