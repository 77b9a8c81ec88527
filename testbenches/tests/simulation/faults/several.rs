//! Machines with several messages a node, of which each runs with a fault of its own, many side by side.

use bitvec::vec::BitVec;
use rtl_model::error::Error;
use rtl_model::machine::device::Device;
use rtl_model::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square, Unloads};
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::slots::SlotArrivals;
use rtl_model::traffic::Traffic;
use testbenches::families::relations::score;

/// A machine, and whether a message has to arrive in the slot in which it was sent.
pub struct Machine {
    pub name: &'static str,
    pub k: usize,
    pub payload_bits: usize,
    pub slots: usize,
    pub by_slot: bool,
    pub device: Box<dyn Device>,
}

/// The host of all machines: it writes the same into each.
struct Host<'a> {
    machine: &'a Machine,
    slots: &'a [Traffic],
    machines: usize,
    seats: Seats,
}

impl Host<'_> {
    fn bit(&self, node: usize, field: Field, bit: usize) -> bool {
        let Machine {
            k, payload_bits, ..
        } = *self.machine;
        let of_slot = |slot: usize| {
            let traffic = self.slots.get(slot)?;
            Some((traffic, traffic.index_from(node)?))
        };
        let found = match field {
            Field::VALID => return of_slot(bit).is_some(),
            Field::DESTINATION => of_slot(bit / k)
                .map(|(traffic, index)| traffic.destination(index) >> (bit % k) & 1 == 1),
            _ => of_slot(bit / payload_bits)
                .map(|(traffic, index)| traffic.payload(index)[bit % payload_bits]),
        };
        found.unwrap_or(false)
    }
}

impl Loads for Host<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, Error> {
        self.seats = *seats;
        let nodes = self.machines << self.machine.k;
        let is_there = |place: usize| u64::from(seats[place] < nodes) << place;
        Ok((0..NODES_AT_ONCE).map(is_there).sum())
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), Error> {
        for (value, seat) in values.iter_mut().zip(self.seats) {
            let node = seat & ((1 << self.machine.k) - 1);
            let bits = (0..64).map(|bit| u64::from(self.bit(node, field, from + bit)) << bit);
            *value = bits.sum();
        }
        Ok(())
    }
}

/// What every node holds: which slots have a message, and what all slots carry.
#[derive(Default)]
struct Held {
    seats: Vec<usize>,
    nodes: Vec<(u64, u64)>,
}

impl Unloads for Held {
    fn seats(&mut self, seats: &Seats) -> Result<(), Error> {
        self.seats = seats.to_vec();
        Ok(())
    }

    fn values(&mut self, field: Field, from: usize, values: &Square) -> Result<(), Error> {
        assert_eq!(from, 0, "all bits of a field are in one word");
        for (&node, &bits) in self.seats.iter().zip(values) {
            if let Some(held) = self.nodes.get_mut(node) {
                match field {
                    Field::VALID => held.0 = bits,
                    _ => held.1 = bits,
                }
            }
        }
        Ok(())
    }
}

/// A fault that one of the machines has.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// A register bit is flipped at the start of a bit time; after the last clock edge, if the run is over then.
    Flip {
        node: usize,
        number: usize,
        when: u64,
    },
    /// A wire is stuck for the whole run.
    Stuck {
        node: usize,
        wire: usize,
        value: bool,
    },
}

impl Machine {
    pub fn nodes(&self) -> usize {
        1 << self.k
    }

    /// Machines that are about to begin with these messages.
    pub fn loaded(&self, slots: &[Traffic], machines: usize) -> Box<dyn Lockstep> {
        let mut fabric = self.device.build(machines).unwrap();
        let mut host = Host {
            machine: self,
            slots,
            machines,
            seats: [0; NODES_AT_ONCE],
        };
        fabric.load(&mut host).unwrap();
        fabric.watch();
        fabric
    }

    /// The payload that stands in a slot, if there is a message.
    fn payload(&self, (valid, payload): (u64, u64), slot: usize) -> Option<u64> {
        let mask = (1 << self.payload_bits) - 1;
        (valid >> slot & 1 == 1).then(|| payload >> (slot * self.payload_bits) & mask)
    }

    /// What a node holds, in order where each slot has its own message.
    fn contents(&self, held: (u64, u64)) -> Vec<Option<u64>> {
        let mut slots: Vec<_> = (0..self.slots)
            .map(|slot| self.payload(held, slot))
            .collect();
        if !self.by_slot {
            slots.sort_unstable();
        }
        slots
    }

    /// What the nodes of a machine are to hold, worked out from the messages alone.
    fn due(&self, slots: &[Traffic]) -> Vec<Vec<Option<u64>>> {
        let mut due = vec![vec![None; self.slots]; self.nodes()];
        for (slot, traffic) in slots.iter().enumerate() {
            for (index, message) in traffic.messages().iter().enumerate() {
                let bits = traffic.payload(index).iter().by_vals().enumerate();
                let payload = bits.fold(0, |value, (place, bit)| value | u64::from(bit) << place);
                let at = &mut due[message.destination];
                let free = match self.by_slot {
                    true => slot,
                    false => at.iter().position(Option::is_none).unwrap(),
                };
                assert_eq!(at[free].replace(payload), None, "two messages for one slot");
            }
        }
        if !self.by_slot {
            due.iter_mut().for_each(|at| at.sort_unstable());
        }
        due
    }

    /// What the scoreboard says of one of the machines.
    fn scoreboard_objects(&self, slots: &[Traffic], held: &[(u64, u64)]) -> bool {
        let mut arrived = SlotArrivals::none(self.nodes(), self.slots, self.payload_bits);
        for (node, held) in held.iter().enumerate() {
            for slot in 0..self.slots {
                if let Some(payload) = self.payload(*held, slot) {
                    let bits: BitVec<u64> = (0..self.payload_bits)
                        .map(|bit| payload >> bit & 1 == 1)
                        .collect();
                    arrived.set(node, slot, &bits);
                }
            }
        }
        let score = match self.by_slot {
            true => score::by_slot(slots, &arrived),
            false => score::in_any_order(slots, &arrived),
        };
        assert_eq!(
            score.first_fault.is_some(),
            score.wrong > 0 || score.delivered < score.messages
        );
        score.first_fault.is_some()
    }

    /// Runs with each of these faults in a machine of its own: whether each is noticed in what arrives. The scoreboard looks at every slot:
    /// it objects exactly where something else arrives than what is due, so a fault that it lets pass has changed nothing that a
    /// processor sees.
    pub fn noticed(&self, slots: &[Traffic], faults: &[Fault]) -> Vec<bool> {
        const SIDE_BY_SIDE: usize = 512;
        let due = self.due(slots);
        let mut noticed = Vec::new();
        for faults in faults.chunks(SIDE_BY_SIDE) {
            let mut fabric = self.loaded(slots, faults.len());
            loop {
                let now = fabric.bit_time();
                for (machine, fault) in faults.iter().enumerate() {
                    if let Fault::Flip { node, number, when } = *fault
                        && when == now
                    {
                        fabric.flip_register((machine << self.k) + node, number);
                    }
                }
                if fabric.is_done() {
                    break;
                }
                fabric.transmit().unwrap();
                for (machine, fault) in faults.iter().enumerate() {
                    if let Fault::Stuck { node, wire, value } = *fault {
                        fabric.force_wire((machine << self.k) + node, wire, value);
                    }
                }
                fabric.clock();
            }
            assert_eq!(fabric.bit_time(), self.device.bit_times().value);
            let mut held = Held {
                nodes: vec![(0, 0); faults.len() << self.k],
                ..Held::default()
            };
            fabric.unload(&mut held).unwrap();
            for (held, fault) in held.nodes.chunks(self.nodes()).zip(faults) {
                let is_other =
                    (held.iter().zip(&due)).any(|(held, due)| self.contents(*held) != *due);
                let objects = self.scoreboard_objects(slots, held);
                assert_eq!(objects, is_other, "{}: {fault:?}", self.name);
                noticed.push(objects);
            }
        }
        noticed
    }
}
