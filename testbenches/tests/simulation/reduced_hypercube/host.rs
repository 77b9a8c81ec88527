//! A host that loads words of up to 128 bits and reads what the nodes end up with.

use rtl_model::error::Error;
use rtl_model::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square};
use rtl_model::machine::simulation::Lockstep;

/// The words of all nodes, several at each.
pub type Words = Vec<Vec<u128>>;

struct Loading<'a> {
    words: &'a [Vec<u128>],
    bits: usize,
    seats: Seats,
}

impl Loading<'_> {
    fn is_here(&self, node: usize) -> bool {
        self.words.get(node).is_some_and(|words| !words.is_empty())
    }
}

impl Loads for Loading<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, Error> {
        self.seats = *seats;
        Ok((0..NODES_AT_ONCE).fold(0, |places, place| {
            places | u64::from(self.is_here(seats[place])) << place
        }))
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), Error> {
        for (value, &node) in values.iter_mut().zip(&self.seats) {
            if self.is_here(node) {
                let words = &self.words[node];
                let bit = |place: usize| {
                    let word = words.get(place / self.bits).copied().unwrap_or(0);
                    (word >> (place % self.bits)) as u64 & 1
                };
                *value = match field {
                    Field::VALID => 1,
                    _ => (0..64).fold(0, |all, place| all | bit(from + place) << place),
                };
            }
        }
        Ok(())
    }
}

/// Puts words of so many bits into the nodes; nothing into those that have none.
pub fn load(machine: &mut dyn Lockstep, words: &[Vec<u128>], bits: usize) {
    let mut host = Loading {
        words,
        bits,
        seats: [usize::MAX; NODES_AT_ONCE],
    };
    machine.load(&mut host).unwrap();
}

/// What a node has: words of so many bits. Nothing where it says that there is nothing.
pub fn read(machine: &dyn Lockstep, node: usize, bits: usize) -> Option<Vec<u128>> {
    let read = machine.host_reads(node);
    let is_valid = read
        .iter()
        .all(|(field, bit)| *field != Field::VALID || *bit);
    let all: Vec<bool> = (read.into_iter())
        .filter(|(field, _)| *field != Field::VALID)
        .map(|(_, bit)| bit)
        .collect();
    let word = |bits: &[bool]| {
        bits.iter()
            .rev()
            .fold(0, |word, &bit| word << 1 | u128::from(bit))
    };
    is_valid.then(|| all.chunks(bits).map(word).collect())
}

/// Runs to the end; there are as many bit times as the closed form says.
pub fn run(machine: &mut dyn Lockstep) {
    while !machine.is_done() {
        machine.tick().unwrap();
    }
    assert_eq!(machine.bit_time(), machine.device().bit_times().value);
}
