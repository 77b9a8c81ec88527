//! Hosts that write relations and read what arrived.

use super::{MAX_MESSAGES, Relation};
use crate::error::Error;
use crate::machine::host::{Field, Loads, Seats, Square, Unloads};
use crate::machine::simulation::Lockstep;

/// Bit `bit` of what the message in that slot carries: its source and slot from bit 0 on, as far as there
/// is room, and then others.
fn payload_bit(source: usize, slot: usize, bit: usize) -> bool {
    let name = source * MAX_MESSAGES + slot;
    match bit {
        0..12 => name.wrapping_mul(0x9e5) >> bit & 1 == 1,
        _ => name.wrapping_mul(0x9e37_79b9) >> (bit % 29) & 1 == 1,
    }
}

/// The host that writes relations into machines side by side.
struct Sending<'a> {
    relations: &'a [Relation],
    seats: Seats,
    sizes: (usize, usize),
}

impl Loads for Sending<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, Error> {
        self.seats = *seats;
        let nodes = self.relations[0].len() * self.relations.len();
        let here = seats.iter().enumerate().filter(|(_, seat)| **seat < nodes);
        Ok(here.fold(0, |places, (place, _)| places | 1 << place))
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), Error> {
        let (k, d) = self.sizes;
        for (&seat, value) in self.seats.iter().zip(values) {
            let nodes = self.relations[0].len();
            let Some(relation) = self.relations.get(seat / nodes) else {
                continue;
            };
            let (node, slots) = (seat % nodes, &relation[seat % nodes]);
            let bit = |at: usize| match field {
                Field::VALID => slots.get(at).is_some_and(Option::is_some),
                Field::DESTINATION => {
                    let destination = slots.get(at / k).copied().flatten();
                    destination.is_some_and(|destination| destination >> (at % k) & 1 == 1)
                }
                Field::PAYLOAD => payload_bit(node, at / d, at % d),
                _ => panic!("{field:?}"),
            };
            *value = (0..64).fold(0, |word, at| word | u64::from(bit(from + at)) << at);
        }
        Ok(())
    }
}

/// The host that reads: by node, the valid bits and the payloads.
struct Receiving {
    seats: Seats,
    valid: Vec<u64>,
    payloads: Vec<Vec<bool>>,
}

impl Unloads for Receiving {
    fn seats(&mut self, seats: &Seats) -> Result<(), Error> {
        self.seats = *seats;
        Ok(())
    }

    fn values(&mut self, field: Field, from: usize, values: &Square) -> Result<(), Error> {
        for (&seat, &value) in self.seats.iter().zip(values) {
            if seat >= self.valid.len() {
                continue;
            }
            match field {
                Field::VALID => self.valid[seat] = value,
                Field::PAYLOAD => {
                    let bits = &mut self.payloads[seat];
                    bits.resize(from, false);
                    bits.extend((0..64).map(|at| value >> at & 1 == 1));
                }
                _ => panic!("{field:?}"),
            }
        }
        Ok(())
    }
}

pub(super) fn load(machine: &mut dyn Lockstep, sizes: (usize, usize), relations: &[Relation]) {
    let seats = [usize::MAX; 64];
    machine
        .load(&mut Sending {
            relations,
            seats,
            sizes,
        })
        .unwrap();
}

/// By node, the payloads that it holds in the end, sorted.
pub(super) fn received(machine: &dyn Lockstep, (d, h): (usize, usize)) -> Vec<Vec<Vec<bool>>> {
    let mut host = Receiving {
        seats: [usize::MAX; 64],
        valid: vec![0; machine.nodes()],
        payloads: vec![Vec::new(); machine.nodes()],
    };
    machine.unload(&mut host).unwrap();
    let of_node = |(valid, bits): (&u64, &Vec<bool>)| {
        // In the lowest slots.
        assert_eq!(valid & (valid + 1), 0);
        assert!(valid.count_ones() as usize <= h);
        let slots = 0..valid.count_ones() as usize;
        let mut payloads: Vec<_> = slots.map(|slot| bits[slot * d..][..d].to_vec()).collect();
        payloads.sort();
        payloads
    };
    host.valid.iter().zip(&host.payloads).map(of_node).collect()
}

/// The same, as it should be.
pub(super) fn expected(relations: &[Relation], d: usize) -> Vec<Vec<Vec<bool>>> {
    let mut all = Vec::new();
    for relation in relations {
        let mut payloads = vec![Vec::new(); relation.len()];
        for (source, slots) in relation.iter().enumerate() {
            for (slot, destination) in slots.iter().enumerate() {
                if let Some(destination) = *destination {
                    payloads[destination]
                        .push((0..d).map(|bit| payload_bit(source, slot, bit)).collect());
                }
            }
        }
        payloads.iter_mut().for_each(|payloads| payloads.sort());
        all.extend(payloads);
    }
    all
}
