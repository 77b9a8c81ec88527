//! Messages of traffic that is known [node by node](ByNode), written and compared where they are: nothing is kept of what arrives.

use std::sync::{Mutex, PoisonError};

use crate::error::Error;
use crate::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square, Unloads};
use crate::traffic::ByNode;

/// Is told how many nodes have been passed since the last time; what it returns breaks off.
pub type Passed<'a> = &'a (dyn Fn(usize) -> Result<(), Error> + Sync);

/// The host that sends.
pub struct Sending<'a, T> {
    traffic: &'a T,
    passed: Passed<'a>,
    seats: Seats,
    sends: u64,
}

impl<'a, T: ByNode> Sending<'a, T> {
    /// Of this traffic.
    pub fn new(traffic: &'a T, passed: Passed<'a>) -> Self {
        Sending {
            traffic,
            passed,
            seats: [usize::MAX; NODES_AT_ONCE],
            sends: 0,
        }
    }
}

impl<T: ByNode> Loads for Sending<'_, T> {
    fn places(&mut self, seats: &Seats) -> Result<u64, Error> {
        (self.passed)(NODES_AT_ONCE)?;
        self.seats = *seats;
        let nodes = self.traffic.dimensions().nodes();
        let sends = |seat: &usize| *seat < nodes && self.traffic.sends(*seat);
        self.sends = (seats.iter().enumerate())
            .map(|(place, seat)| u64::from(sends(seat)) << place)
            .sum();
        Ok(self.sends)
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), Error> {
        for (place, value) in values.iter_mut().enumerate() {
            if self.sends >> place & 1 == 0 {
                continue;
            }
            let source = self.seats[place];
            *value = match field {
                Field::VALID => 1,
                Field::DESTINATION => self.traffic.destination(source) as u64 >> from,
                Field::PAYLOAD => self.traffic.payload_chunk(source, from),
                other => return Err(other.unknown()),
            };
        }
        Ok(())
    }
}

/// What is found where messages were to arrive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Messages that are at their destination, whole.
    pub delivered: u64,
    /// Nodes that hold a message that is not for them, or not as it was sent.
    pub wrong: u64,
    /// The first node at which it is not as it should be: its number, whether it holds a message, and the source of the one
    /// that is for it, if any.
    pub first_fault: Option<(usize, bool, Option<usize>)>,
}

impl Found {
    fn add(&mut self, other: &Found) {
        self.delivered += other.delivered;
        self.wrong += other.wrong;
        self.first_fault = match (self.first_fault, other.first_fault) {
            (Some(one), Some(another)) => Some(one.min(another)),
            (one, another) => one.or(another),
        };
    }
}

/// What all hosts of a machine find together.
#[derive(Debug, Default)]
pub struct Ledger(Mutex<Found>);

impl Ledger {
    /// All of it.
    pub fn found(self) -> Found {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The host that receives.
pub struct Receiving<'a, T: ByNode> {
    traffic: &'a T,
    passed: Passed<'a>,
    ledger: &'a Ledger,
    found: Found,
    seats: Seats,
    /// By place, whose message is for the node.
    sources: [Option<usize>; NODES_AT_ONCE],
    holds: u64,
    is_as_sent: u64,
}

impl<'a, T: ByNode> Receiving<'a, T> {
    /// Of this traffic; `ledger` has what it has found when it is dropped.
    pub fn new(traffic: &'a T, passed: Passed<'a>, ledger: &'a Ledger) -> Self {
        Receiving {
            traffic,
            passed,
            ledger,
            found: Found::default(),
            seats: [usize::MAX; NODES_AT_ONCE],
            sources: [None; NODES_AT_ONCE],
            holds: 0,
            is_as_sent: 0,
        }
    }

    /// Takes note of the nodes that have been read.
    fn note(&mut self) {
        let nodes = self.traffic.dimensions().nodes();
        for (place, &seat) in self.seats.iter().enumerate() {
            let (holds, is_as_sent) = (
                self.holds >> place & 1 == 1,
                self.is_as_sent >> place & 1 == 1,
            );
            let source = self.sources[place];
            let is_right = holds && is_as_sent;
            match source {
                _ if seat >= nodes => continue,
                None if !holds => continue,
                Some(_) if is_right => {
                    self.found.delivered += 1;
                    continue;
                }
                _ => {}
            }
            self.found.wrong += u64::from(holds);
            self.found.add(&Found {
                first_fault: Some((seat, holds, source)),
                ..Found::default()
            });
        }
        self.seats = [usize::MAX; NODES_AT_ONCE];
    }
}

impl<T: ByNode> Unloads for Receiving<'_, T> {
    fn seats(&mut self, seats: &Seats) -> Result<(), Error> {
        self.note();
        (self.passed)(NODES_AT_ONCE)?;
        let nodes = self.traffic.dimensions().nodes();
        self.seats = *seats;
        self.sources = seats.map(|seat| match seat < nodes {
            true => self.traffic.source(seat),
            false => None,
        });
        (self.holds, self.is_as_sent) = (0, u64::MAX);
        Ok(())
    }

    fn values(&mut self, field: Field, from: usize, values: &Square) -> Result<(), Error> {
        for (place, value) in values.iter().enumerate() {
            match field {
                Field::VALID => self.holds |= (value & 1) << place,
                Field::PAYLOAD => {
                    let expected = self.sources[place];
                    let expected = expected.map(|source| {
                        let ends = (source, self.seats[place]);
                        self.traffic.arriving_chunk(ends, from)
                    });
                    if expected != Some(*value) {
                        self.is_as_sent &= !(1 << place);
                    }
                }
                other => return Err(other.unknown()),
            }
        }
        Ok(())
    }
}

impl<T: ByNode> Drop for Receiving<'_, T> {
    fn drop(&mut self) {
        self.note();
        let mut all = self.ledger.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.add(&self.found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::lanes::Words;
    use crate::machine::arrivals::{self, Arrivals};
    use crate::machine::device::Device;
    use crate::machine::fabric::Fabric;
    use crate::machine::simulation::Lockstep;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::routers::kuszmaul::spread::Spread;
    use crate::routers::permutation::PermutationRouter;
    use crate::traffic::pattern::Pattern;
    use crate::traffic::{Computed, Traffic};

    const PAYLOAD_BITS: usize = 70;

    fn traffic(k: usize, load: f64) -> Computed {
        let cube = Dimensions::new(k).unwrap();
        Computed::new(cube, PAYLOAD_BITS, Pattern::Randperm, load, 3).unwrap()
    }

    fn machine(traffic: &Computed) -> Box<dyn Lockstep> {
        let cube = traffic.dimensions();
        let router = PermutationRouter::<Spread>::new(cube, PAYLOAD_BITS).unwrap();
        match cube.count() {
            ..=8 => router.build(1).unwrap(),
            _ => Box::new(Fabric::<_, Words<8>>::new(router, 1).unwrap()),
        }
    }

    fn load(machine: &mut dyn Lockstep, traffic: &Computed) {
        let hosts = || Box::new(Sending::new(traffic, &|_| Ok(()))) as Box<dyn Loads>;
        machine.load_on_threads(&hosts).unwrap();
    }

    fn found(machine: &dyn Lockstep, traffic: &Computed) -> Found {
        let ledger = Ledger::default();
        let hosts = || Box::new(Receiving::new(traffic, &|_| Ok(()), &ledger)) as Box<dyn Unloads>;
        machine.unload_on_threads(&hosts).unwrap();
        ledger.found()
    }

    fn registers(machine: &dyn Lockstep) -> Vec<bool> {
        let mut bits = Vec::new();
        (0..machine.nodes()).for_each(|node| machine.append_registers(node, &mut bits));
        bits
    }

    #[test]
    fn it_is_loaded_as_its_list_is_and_arrives() {
        for (k, share) in [(3, 0.5), (8, 0.4), (11, 1.0), (13, 0.3)] {
            let traffic = traffic(k, share);
            let list = Traffic::listed(&traffic);
            let (mut one, mut other) = (machine(&traffic), machine(&traffic));
            load(&mut *one, &traffic);
            arrivals::load(&mut *other, std::slice::from_ref(&list)).unwrap();
            assert!(registers(&*one) == registers(&*other), "{k} dimensions");
            one.restart();
            load(&mut *one, &traffic);
            one.advance(u64::MAX, &crate::machine::fabric::How::default())
                .unwrap();
            let expected = Found {
                delivered: list.messages().len() as u64,
                ..Found::default()
            };
            assert_eq!(found(&*one, &traffic), expected);
            let arrived = Arrivals::read(&*one, PAYLOAD_BITS).unwrap();
            assert_eq!(arrived.count(), list.messages().len());
        }
    }

    /// Every bit that a host reads, flipped: the one message is not there, or one is that should not be.
    #[test]
    fn what_is_not_as_it_was_sent_is_found_wherever_it_is() {
        let traffic = traffic(8, 0.4);
        let mut machine = machine(&traffic);
        load(&mut *machine, &traffic);
        machine
            .advance(u64::MAX, &crate::machine::fabric::How::default())
            .unwrap();
        let whole = found(&*machine, &traffic);
        for node in [0, 1, 77, 255] {
            let source = traffic.source(node);
            let fields = machine.host_reads(node);
            let mut noticed = 0;
            for number in 0..registers(&*machine).len() / machine.nodes() {
                let before = machine.host_reads(node);
                machine.flip_register(node, number);
                let after = machine.host_reads(node);
                let found = found(&*machine, &traffic);
                let changed: Vec<Field> = (before.iter().zip(&after))
                    .filter(|(before, after)| before != after)
                    .map(|((field, _), _)| *field)
                    .collect();
                match (changed.first(), source) {
                    (None, _) => assert_eq!(found, whole),
                    (Some(&Field::VALID), None) => {
                        assert_eq!(
                            (found.wrong, found.first_fault),
                            (1, Some((node, true, None)))
                        );
                        noticed += 1;
                    }
                    (Some(&field), Some(_)) => {
                        let holds = field != Field::VALID;
                        let wrong = u64::from(holds);
                        assert_eq!((found.delivered, found.wrong), (whole.delivered - 1, wrong));
                        assert_eq!(found.first_fault, Some((node, holds, source)));
                        noticed += 1;
                    }
                    // Nobody looks at the payload of no message.
                    (Some(_), None) => assert_eq!(found, whole),
                }
                machine.flip_register(node, number);
            }
            assert_eq!(noticed, if source.is_some() { fields.len() } else { 1 });
        }
    }

    #[test]
    fn who_watches_can_break_off() {
        let traffic = traffic(8, 1.0);
        let mut machine = machine(&traffic);
        let passed = |_| Err(Error::BrokenOff);
        let hosts = || Box::new(Sending::new(&traffic, &passed)) as Box<dyn Loads>;
        assert_eq!(machine.load_on_threads(&hosts), Err(Error::BrokenOff));
    }
}
