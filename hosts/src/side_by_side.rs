//! Many routers of permutations, or of batches of them, side by side in the lanes, each with traffic of its own: how full their nodes
//! get, read from registers in every bit time, and whether each message arrives.
//!
//! ```text
//!   destinations of machine 0, 1, ... --Sending--> nodes --tick, look, tick, look ...--> Receiving --> Measured of each machine
//! ```

use rtl_model::error::Error;
use rtl_model::machine::device::Device;
use rtl_model::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square, Unloads};
use rtl_model::machine::router::Position;
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::slots::pieces;
use rtl_model::traffic::pattern::Pattern;
use rtl_model::traffic::{Nodes, Payloads, Traffic};

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meter {
    /// Message bits that a node holds.
    OccupiedBits,
    /// Messages that a node holds.
    Messages,
}

/// What a machine has shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// The most at a node, ever.
    pub most: u32,
    /// The most at a node, summed over all looks: one as loaded, and one after each bit time.
    pub sum: u64,
    /// Nodes that end up with another message than is due, or with one though none is.
    pub wrong: u32,
}

/// As many nodes as are simulated at once.
const NODES: usize = 8192;

/// Machines side by side, and what each node sends if it sends.
pub struct SideBySide {
    machine: Box<dyn Lockstep>,
    /// By slot of a node, what each source sends from there.
    payloads: Vec<Payloads>,
    payload_bits: usize,
    /// Of each place of each word the machine; one beyond all, where there is no node.
    machines: Vec<usize>,
    held: Vec<u32>,
}

impl SideBySide {
    /// Some machines, whose nodes send from so many slots messages that have so many payload bits, drawn from a seed.
    ///
    /// # Errors
    /// Payloads out of range; [`Error::DoesNotFit`].
    pub fn new(
        device: &dyn Device,
        (slots, payload_bits): (usize, usize),
        seed: u64,
    ) -> Result<Self, Error> {
        let nodes = device.topology().nodes();
        let payloads = (0..slots as u64).map(|slot| {
            let seed = seed.wrapping_add(slot);
            let all = Traffic::drawn(
                Nodes::new(nodes)?,
                payload_bits,
                Pattern::Identity,
                1.0,
                seed,
            )?;
            Ok(all.payloads().clone())
        });
        let payloads = payloads.collect::<Result<_, Error>>()?;
        let amount = (NODES / nodes).max(1);
        let mut machine = device.build(amount)?;
        machine.watch();
        let seats = (0..machine.words()).flat_map(|word| machine.seats(word));
        let machine_of = |seat: usize| (seat / nodes).min(amount);
        Ok(SideBySide {
            machines: seats.map(machine_of).collect(),
            payloads,
            payload_bits,
            machine,
            held: Vec::new(),
        })
    }

    /// How many there are.
    pub fn amount(&self) -> usize {
        self.machine.machines()
    }

    /// Runs them with messages to these destinations: of each machine slot by slot those of its sources. Machines without any have no
    /// messages.
    ///
    /// # Errors
    /// [`Error::WireConflict`], of whichever machine.
    pub fn run(
        &mut self,
        destinations: &[Option<u32>],
        meter: Meter,
    ) -> Result<Vec<Measured>, Error> {
        let mut measured = vec![Measured::default(); self.amount()];
        let mut now = vec![0; self.amount() + 1];
        let machine = &mut *self.machine;
        machine.restart();
        let nodes = machine.topology().nodes();
        let address_bits = machine.topology().address_bits();
        machine.load(&mut Sending {
            nodes,
            address_bits,
            payload_bits: self.payload_bits,
            destinations,
            payloads: &self.payloads,
            seats: [usize::MAX; NODES_AT_ONCE],
        })?;
        let mut after = None;
        loop {
            self.look(meter, after, &mut now);
            for (measured, now) in measured.iter_mut().zip(&now) {
                measured.most = measured.most.max(*now);
                measured.sum += u64::from(*now);
            }
            if self.machine.is_done() {
                break;
            }
            after = Some(self.machine.position());
            self.machine.tick()?;
        }
        self.machine.unload(&mut Receiving {
            nodes,
            due: sources(destinations, nodes),
            payload_bits: self.payload_bits,
            payloads: &self.payloads,
            seats: [usize::MAX; NODES_AT_ONCE],
            measured: &mut measured,
        })?;
        Ok(measured)
    }

    /// Bit times that have passed, and the look as loaded.
    pub fn looks(&self) -> u64 {
        self.machine.bit_time() + 1
    }

    /// The most that a node of each machine holds now.
    fn look(&mut self, meter: Meter, after: Option<Position>, most: &mut [u32]) {
        self.held.clear();
        match meter {
            Meter::OccupiedBits => self.machine.append_occupied_bits(after, &mut self.held),
            Meter::Messages => self.machine.append_messages(after, &mut self.held),
        }
        most.fill(0);
        for (&machine, &held) in self.machines.iter().zip(&self.held) {
            most[machine] = most[machine].max(held);
        }
    }
}

/// Of each slot of each machine by node who sends to it.
fn sources(destinations: &[Option<u32>], nodes: usize) -> Vec<Option<u32>> {
    let mut sources = vec![None; destinations.len()];
    for (place, destination) in destinations.iter().enumerate() {
        if let Some(destination) = destination {
            sources[place / nodes * nodes + *destination as usize] = Some((place % nodes) as u32);
        }
    }
    sources
}

/// What a slot of the node of a seat has, in lists that have it machine by machine, slot by slot and node by node.
fn at(
    all: &[Option<u32>],
    (nodes, slots): (usize, usize),
    (seat, slot): (usize, usize),
) -> Option<u32> {
    let (machine, node) = (seat / nodes, seat % nodes);
    let slot = machine.checked_mul(slots)? + slot;
    all.get(slot.checked_mul(nodes)? + node).copied().flatten()
}

/// The host that sends.
struct Sending<'a> {
    nodes: usize,
    address_bits: usize,
    payload_bits: usize,
    destinations: &'a [Option<u32>],
    payloads: &'a [Payloads],
    seats: Seats,
}

impl Sending<'_> {
    fn destination(&self, seat: usize, slot: usize) -> Option<u32> {
        let shape = (self.nodes, self.payloads.len());
        at(self.destinations, shape, (seat, slot))
    }
}

impl Loads for Sending<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, Error> {
        self.seats = *seats;
        let sends = |seat: usize| {
            let mut slots = 0..self.payloads.len();
            slots.any(|slot| self.destination(seat, slot).is_some())
        };
        let places = seats.iter().enumerate().filter(|(_, seat)| sends(**seat));
        Ok(places.fold(0, |places, (place, _)| places | 1 << place))
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), Error> {
        let width = match field {
            Field::VALID => 1,
            Field::DESTINATION => self.address_bits,
            Field::PAYLOAD => self.payload_bits,
            other => return Err(other.unknown()),
        };
        values.fill(0);
        for piece in pieces(self.payloads.len(), width, from) {
            for (&seat, value) in self.seats.iter().zip(&mut *values) {
                let Some(destination) = self.destination(seat, piece.slot) else {
                    continue;
                };
                *value |= piece.placed(match field {
                    Field::VALID => 1,
                    Field::DESTINATION => u64::from(destination) >> piece.at,
                    _ => self.payloads[piece.slot].chunk(seat % self.nodes, piece.at),
                });
            }
        }
        Ok(())
    }
}

/// The host that receives.
struct Receiving<'a> {
    nodes: usize,
    payload_bits: usize,
    /// Of each slot of each machine by node the source of its message, if one is due.
    due: Vec<Option<u32>>,
    payloads: &'a [Payloads],
    seats: Seats,
    measured: &'a mut [Measured],
}

impl Unloads for Receiving<'_> {
    fn seats(&mut self, seats: &Seats) -> Result<(), Error> {
        self.seats = *seats;
        Ok(())
    }

    fn values(&mut self, field: Field, from: usize, values: &Square) -> Result<(), Error> {
        let width = match field {
            Field::VALID => 1,
            Field::PAYLOAD => self.payload_bits,
            other => return Err(other.unknown()),
        };
        let shape = (self.nodes, self.payloads.len());
        for piece in pieces(self.payloads.len(), width, from) {
            for (&seat, &value) in self.seats.iter().zip(values) {
                let Some(measured) = self.measured.get_mut(seat / self.nodes) else {
                    continue;
                };
                let due = at(&self.due, shape, (seat, piece.slot));
                let is_right = match (field, due) {
                    (Field::VALID, due) => piece.of(value) == u64::from(due.is_some()),
                    // What stands in the buffer of a node without a message is no message.
                    (_, None) => true,
                    (_, Some(source)) => {
                        let payloads = &self.payloads[piece.slot];
                        piece.of(value)
                            == piece.of(piece.placed(payloads.chunk(source as usize, piece.at)))
                    }
                };
                measured.wrong += u32::from(!is_right);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtl_model::machine::topology::hypercube::Dimensions;
    use rtl_model::machine::{arrivals, slots};
    use rtl_model::routers::kuszmaul::batches::{AnyPipeline, OVERLAPPED, SPREAD};
    use rtl_model::routers::kuszmaul::plain::PLAIN;
    use rtl_model::routers::kuszmaul::radix4::RADIX4;
    use rtl_model::routers::permutation::AnySchedule;
    use rtl_model::traffic::Message;

    /// Partial permutations of 8 nodes.
    fn destinations(permutations: usize) -> Vec<Option<u32>> {
        let of_one = |number: usize| {
            (0..8_usize).map(move |source| {
                let sends = (number * 37 + 21) >> (source % 5) & 3 != 0;
                sends.then_some(((source * 3 + number) % 8) as u32)
            })
        };
        (0..permutations).flat_map(of_one).collect()
    }

    /// What a machine by itself shows to the meters of a run.
    fn alone(device: &dyn Device, sent: &[Option<u32>], meter: Meter) -> Measured {
        let message = |(source, to): (usize, &Option<u32>)| {
            let destination = (*to)? as usize;
            Some(Message {
                source,
                destination,
            })
        };
        let slots = sent.chunks(8).map(|sent| {
            let messages = sent.iter().enumerate().filter_map(message).collect();
            Traffic::new(Dimensions::new(3).unwrap(), 5, messages, 9).unwrap()
        });
        let slots: Vec<Traffic> = slots.collect();
        let mut machine = device.build(1).unwrap();
        match &slots[..] {
            [_] => arrivals::load(&mut *machine, &slots).unwrap(),
            _ => slots::load(&mut *machine, &slots).unwrap(),
        }
        let (mut measured, mut after) = (Measured::default(), None);
        loop {
            let now = machine.occupancy(after);
            let now = match meter {
                Meter::OccupiedBits => now.most_bits,
                Meter::Messages => now.most_messages,
            };
            measured.most = measured.most.max(now);
            measured.sum += u64::from(now);
            if machine.is_done() {
                return measured;
            }
            after = Some(machine.position());
            machine.tick().unwrap();
        }
    }

    #[test]
    fn machines_side_by_side_are_what_each_is_alone() {
        let cube = Dimensions::new(3).unwrap();
        let schedules: [&dyn AnySchedule; 2] = [PLAIN, RADIX4];
        let pipelines: [&dyn AnyPipeline; 2] = [OVERLAPPED, SPREAD];
        let devices = schedules.map(|one| (one.device(cube, 5), 1));
        let of_batches = pipelines.map(|one| (one.device(cube, 5, 3, None), 3));
        for (device, slots) in devices.into_iter().chain(of_batches) {
            let device = device.unwrap();
            let mut several = SideBySide::new(&*device, (slots, 5), 9).unwrap();
            for meter in [Meter::OccupiedBits, Meter::Messages] {
                for machines in [several.amount(), 70] {
                    let sent = destinations(slots * machines);
                    let measured = several.run(&sent, meter).unwrap();
                    for machine in [0, 1, 5, 63, 69] {
                        let of_machine = &sent[8 * slots * machine..][..8 * slots];
                        let due = alone(&*device, of_machine, meter);
                        assert_eq!(measured[machine], due);
                        assert!(due.most > 0 || slots > 1 && meter == Meter::Messages);
                    }
                    let idle = measured.iter().skip(machines).map(|one| one.most);
                    assert_eq!(idle.sum::<u32>(), 0);
                }
            }
        }
    }

    /// Two messages for a node: one of them does not arrive, or both are mixed.
    #[test]
    fn a_message_that_does_not_arrive_is_wrong_in_its_machine_alone() {
        let device = PLAIN.device(Dimensions::new(3).unwrap(), 5).unwrap();
        let mut several = SideBySide::new(&*device, (1, 5), 9).unwrap();
        let mut sent = destinations(20);
        sent[8 * 7..][..8]
            .copy_from_slice(&[3, 3, 0, 0, 0, 0, 0, 0].map(|to| (to > 0).then_some(to)));
        let measured = several.run(&sent, Meter::OccupiedBits).unwrap();
        let wrong: Vec<usize> = (0..20)
            .filter(|machine| measured[*machine].wrong > 0)
            .collect();
        assert_eq!(wrong, [7]);
    }
}
