//! A host that loads and reads words, and runs to the end.

use rtl_model::error::Error;
use rtl_model::machine::device::Device;
use rtl_model::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square, Unloads};
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::machine::topology::reduced_hypercube::ReducedHypercube;
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;

/// RH(k,n).
pub fn reduced(k: usize, n: usize) -> BlockNetwork {
    BlockNetwork::Reduced(ReducedHypercube::new(k, n).unwrap())
}

/// The hypercube.
pub fn full(k: usize) -> BlockNetwork {
    BlockNetwork::Full(Dimensions::new(k).unwrap())
}

/// Loads keys, node by node and least significant bit first, into every field alike.
struct Loading<'a> {
    keys: &'a [Vec<u64>],
    word_bits: usize,
    seats: Seats,
}

/// A bit of the keys of a node, one behind the other.
fn bit(keys: &[u64], word_bits: usize, place: usize) -> bool {
    keys.get(place / word_bits)
        .is_some_and(|key| key >> (place % word_bits) & 1 == 1)
}

impl Loads for Loading<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, Error> {
        self.seats = *seats;
        let here = |place: usize| u64::from(seats[place] < self.keys.len()) << place;
        Ok((0..NODES_AT_ONCE).fold(0, |places, place| places | here(place)))
    }

    fn values(&mut self, _field: Field, from: usize, values: &mut Square) -> Result<(), Error> {
        for (value, &node) in values.iter_mut().zip(&self.seats) {
            let Some(keys) = self.keys.get(node) else {
                continue;
            };
            *value = (0..64).fold(0, |word, place| {
                word | u64::from(bit(keys, self.word_bits, from + place)) << place
            });
        }
        Ok(())
    }
}

/// What is read of a field, node by node.
struct Reading {
    field: Field,
    seats: Seats,
    read: Vec<Vec<u64>>,
}

impl Unloads for Reading {
    fn seats(&mut self, seats: &Seats) -> Result<(), Error> {
        self.seats = *seats;
        Ok(())
    }

    fn values(&mut self, field: Field, from: usize, values: &Square) -> Result<(), Error> {
        if field == self.field {
            for (&value, &node) in values.iter().zip(&self.seats) {
                if let Some(read) = self.read.get_mut(node) {
                    read.resize(from / 64 + 1, 0);
                    read[from / 64] = value;
                }
            }
        }
        Ok(())
    }
}

/// The keys of each node in some field, of so many bits.
pub fn read(
    machine: &dyn Lockstep,
    field: Field,
    (keys, word_bits): (usize, usize),
) -> Vec<Vec<u64>> {
    let mut reading = Reading {
        field,
        seats: [usize::MAX; NODES_AT_ONCE],
        read: vec![Vec::new(); machine.nodes()],
    };
    machine.unload(&mut reading).unwrap();
    let keys_of = |words: &Vec<u64>| {
        let key = |number: usize| {
            (0..word_bits).fold(0, |key, place| {
                let at = number * word_bits + place;
                key | (words[at / 64] >> (at % 64) & 1) << place
            })
        };
        (0..keys).map(key).collect()
    };
    reading.read.iter().map(keys_of).collect()
}

/// Puts keys into the nodes.
pub fn load(machine: &mut dyn Lockstep, keys: &[Vec<u64>], word_bits: usize) {
    let mut host = Loading {
        keys,
        word_bits,
        seats: [usize::MAX; NODES_AT_ONCE],
    };
    machine.load(&mut host).unwrap();
}

/// Runs to the end, bit time by bit time; returns how many there were, which are as many as the closed form says.
pub fn run(machine: &mut dyn Lockstep) {
    let due = machine.device().bit_times().value;
    while !machine.is_done() {
        machine.tick().unwrap();
        assert!(machine.bit_time() <= due, "more than {due} bit times");
    }
    assert_eq!(machine.bit_time(), due);
}

/// Keys of all nodes, drawn anew for each seed.
pub fn drawn(nodes: usize, (keys, word_bits): (usize, usize), seed: u64) -> Vec<Vec<u64>> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 3 & (u64::MAX >> (64 - word_bits))
    };
    (0..nodes)
        .map(|_| (0..keys).map(|_| next()).collect())
        .collect()
}

/// A run of a machine on such keys, `machines` of them side by side; what is in the field `value` at the end.
pub fn results(
    device: &dyn Device,
    keys: &[Vec<u64>],
    (per_node, word_bits): (usize, usize),
) -> Vec<Vec<u64>> {
    let machines = keys.len() / device.topology().nodes();
    let mut machine = device.build(machines).unwrap();
    load(&mut *machine, keys, word_bits);
    run(&mut *machine);
    read(&*machine, Field("value"), (per_node, word_bits))
}

/// Networks that are small enough to be tried in all ways.
pub fn small() -> Vec<BlockNetwork> {
    let sizes = [(1, 1), (2, 1), (3, 1), (2, 2), (3, 2)];
    let of_blocks = sizes.into_iter().map(|(k, n)| reduced(k, n));
    of_blocks.chain([1, 2, 3, 5].map(full)).collect()
}

/// Nodes of a network.
pub fn nodes(network: BlockNetwork) -> usize {
    Topology::nodes(&network)
}
