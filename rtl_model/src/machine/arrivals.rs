//! Messages that a host writes before a run, and those that nodes hold at the end.

pub mod in_place;

use bitvec::field::BitField;
use bitvec::slice::BitSlice;
use bitvec::vec::BitVec;

use crate::error::Error;
use crate::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square, Unloads};
use crate::machine::simulation::Lockstep;
use crate::traffic::{Nodes, Payloads, Traffic};

/// Is told of 64 nodes after the other, while they are written or read: how many have been.
pub type Passed<'a> = &'a mut dyn FnMut(usize) -> Result<(), Error>;

/// For those who do not care.
pub(super) fn unwatched(_nodes: usize) -> Result<(), Error> {
    Ok(())
}

/// Writes each traffic into a machine of its own, of those side by side.
///
/// # Errors
/// A machine that is none of messages.
pub fn load(machine: &mut dyn Lockstep, traffics: &[Traffic]) -> Result<(), Error> {
    load_watched(machine, traffics, &mut unwatched)
}

/// The same, watched.
///
/// # Errors
/// As [`load`]; whatever `passed` returns.
pub fn load_watched(
    machine: &mut dyn Lockstep,
    traffics: &[Traffic],
    passed: Passed<'_>,
) -> Result<(), Error> {
    machine.load(&mut Sending {
        nodes: machine.topology().nodes(),
        traffics,
        found: [(0, 0); NODES_AT_ONCE],
        written: 0,
        passed,
    })
}

/// The host that sends.
struct Sending<'a> {
    /// Of a machine.
    nodes: usize,
    traffics: &'a [Traffic],
    /// By place, the traffic and the message in it.
    found: [(usize, usize); NODES_AT_ONCE],
    written: usize,
    passed: Passed<'a>,
}

impl Loads for Sending<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, Error> {
        (self.passed)(self.written)?;
        self.written += NODES_AT_ONCE;
        let mut places = 0;
        for (place, &seat) in seats.iter().enumerate() {
            let (machine, node) = (seat / self.nodes, seat % self.nodes);
            let traffic = self.traffics.get(machine);
            if let Some(index) = traffic.and_then(|traffic| traffic.index_from(node)) {
                self.found[place] = (machine, index);
                places |= 1 << place;
            } else {
                self.found[place].0 = usize::MAX;
            }
        }
        Ok(places)
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), Error> {
        for (&(machine, index), value) in self.found.iter().zip(values) {
            let Some(traffic) = self.traffics.get(machine) else {
                continue;
            };
            *value = match field {
                Field::VALID => 1,
                Field::DESTINATION => traffic.destination(index) as u64 >> from,
                Field::PAYLOAD => traffic.payloads().chunk(index, from),
                other => return Err(other.unknown()),
            };
        }
        Ok(())
    }
}

/// What the nodes of one machine hold at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrivals {
    holds: BitVec<u64>,
    payloads: Payloads,
}

impl Arrivals {
    /// Of nodes that hold no message.
    pub fn none(nodes: usize, payload_bits: usize) -> Self {
        Arrivals {
            holds: BitVec::repeat(false, nodes),
            payloads: Payloads::zeros(payload_bits, nodes),
        }
    }

    /// Reads the nodes of the first machine, whose messages carry so many bits.
    ///
    /// # Errors
    /// A machine that is none of messages.
    pub fn read(machine: &dyn Lockstep, payload_bits: usize) -> Result<Self, Error> {
        Self::read_watched(machine, payload_bits, &mut unwatched)
    }

    /// The same, watched.
    ///
    /// # Errors
    /// As [`Arrivals::read`]; whatever `passed` returns.
    pub fn read_watched(
        machine: &dyn Lockstep,
        payload_bits: usize,
        passed: Passed<'_>,
    ) -> Result<Self, Error> {
        let nodes = machine.topology().nodes();
        let mut arrivals = [Arrivals::none(nodes, payload_bits)];
        Self::read_into(machine, &mut arrivals, passed)?;
        let [arrivals] = arrivals;
        Ok(arrivals)
    }

    /// Reads the nodes of each machine.
    ///
    /// # Errors
    /// As [`Arrivals::read`].
    pub fn read_each(machine: &dyn Lockstep, payload_bits: usize) -> Result<Vec<Self>, Error> {
        let nodes = machine.topology().nodes();
        let mut arrivals = vec![Arrivals::none(nodes, payload_bits); machine.machines()];
        Self::read_into(machine, &mut arrivals, &mut unwatched)?;
        Ok(arrivals)
    }

    /// Reads the nodes of as many machines as there are places for.
    fn read_into(
        machine: &dyn Lockstep,
        arrivals: &mut [Self],
        passed: Passed<'_>,
    ) -> Result<(), Error> {
        machine.unload(&mut Receiving {
            nodes: machine.topology().nodes(),
            arrivals,
            seats: [usize::MAX; NODES_AT_ONCE],
            read: 0,
            passed,
        })
    }

    /// The payload that `node` holds, if it holds a message.
    pub fn at(&self, node: usize) -> Option<&BitSlice<u64>> {
        self.holds[node].then(|| self.payloads.at(node))
    }

    /// Whether `node` holds a message.
    pub fn holds(&self, node: usize) -> bool {
        self.holds[node]
    }

    /// Lets `node` hold a message of that payload, as many bits as the others have.
    pub fn set(&mut self, node: usize, payload: &BitSlice<u64>) {
        self.holds.set(node, true);
        self.payloads.at_mut(node).copy_from_bitslice(payload);
    }

    /// Lets `node` hold a message or none, of the payload that it has.
    pub(super) fn set_holds(&mut self, node: usize, holds: bool) {
        self.holds.set(node, holds);
    }

    /// Replaces bits `at .. at + width` of the payload at `node`, 64 of them at the most, and no others.
    pub(super) fn set_payload_bits(&mut self, node: usize, (at, width): (usize, usize), bits: u64) {
        self.payloads.at_mut(node)[at..][..width].store_le(bits);
    }

    /// The nodes that hold a message, in ascending order.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        self.holds.iter_ones()
    }

    /// How many nodes hold a message.
    pub fn count(&self) -> usize {
        self.holds.count_ones()
    }

    /// Whether `node` holds the message at `index` of `traffic`, whole.
    pub fn is_there(&self, node: usize, traffic: &Traffic, index: usize) -> bool {
        self.holds[node] && self.payloads.is_like(node, traffic.payloads(), index)
    }

    /// Bytes that this takes of so many nodes.
    pub fn bytes(nodes: impl Into<Nodes>, payload_bits: usize) -> u64 {
        let nodes = nodes.into().count();
        8 * nodes.div_ceil(64) as u64 + Payloads::bytes(payload_bits, nodes)
    }
}

/// The host that receives.
struct Receiving<'a> {
    nodes: usize,
    arrivals: &'a mut [Arrivals],
    seats: Seats,
    read: usize,
    passed: Passed<'a>,
}

impl Unloads for Receiving<'_> {
    fn seats(&mut self, seats: &Seats) -> Result<(), Error> {
        (self.passed)(self.read)?;
        self.read += NODES_AT_ONCE;
        self.seats = *seats;
        Ok(())
    }

    fn values(&mut self, field: Field, from: usize, values: &Square) -> Result<(), Error> {
        for (&seat, &value) in self.seats.iter().zip(values) {
            let (machine, node) = (seat / self.nodes, seat % self.nodes);
            let Some(arrivals) = self.arrivals.get_mut(machine) else {
                continue;
            };
            match field {
                Field::VALID => arrivals.holds.set(node, value & 1 == 1),
                Field::PAYLOAD => arrivals.payloads.set_chunk(node, from, value),
                other => return Err(other.unknown()),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::lanes::{Lanes, Words};
    use crate::machine::fabric::Fabric;
    use crate::machine::router::{Machine, MessageRouter};
    use crate::machine::topology::hypercube::Dimensions;
    use crate::routers::kuszmaul::plain::PlainRouter;
    use crate::traffic::pattern::Pattern;

    /// 64 nodes at once and node by node come to the same, in lanes of every width; of several machines each has its own.
    fn what_is_loaded_is_read<B: Lanes>(k: usize, payload_bits: usize) {
        let cube = Dimensions::new(k).unwrap();
        let router = PlainRouter::new(cube, payload_bits).unwrap();
        let drawn = |seed| Traffic::drawn(cube, payload_bits, Pattern::Randperm, 0.6, seed);
        let sent = [drawn(4).unwrap(), drawn(5).unwrap()];
        // The third is left alone.
        let mut at_once = Fabric::<_, B>::new(router, 3).unwrap();
        load(&mut at_once, &sent).unwrap();
        let mut by_node = Fabric::<_, B>::new(router, 3).unwrap();
        for (machine, traffic) in sent.iter().enumerate() {
            for (index, message) in traffic.messages().iter().enumerate() {
                let (node, place) = by_node.node_mut(machine << k | message.source);
                let payload = traffic.payload(index);
                router.load(node, place, message.destination, payload);
            }
        }
        let registers = |fabric: &Fabric<_, B>, node| {
            let mut bits = Vec::new();
            crate::machine::simulation::Simulation::append_registers(fabric, node, &mut bits);
            bits
        };
        for node in 0..3 << k {
            assert_eq!(registers(&at_once, node), registers(&by_node, node));
        }
        while !at_once.is_done() {
            at_once.tick().unwrap();
        }
        let arrivals = Arrivals::read_each(&at_once, payload_bits).unwrap();
        let mut payload = BitVec::<u64>::repeat(false, payload_bits);
        for (machine, arrivals) in arrivals.iter().enumerate() {
            for node in 0..1 << k {
                let (group, place) = at_once.node(machine << k | node);
                let holds = router.unload(group, place, &mut payload);
                let there = arrivals.at(node).map(|there| there.to_bitvec());
                assert_eq!(there, holds.then(|| payload.clone()));
            }
            let messages = sent.get(machine).map_or(0, |sent| sent.messages().len());
            assert_eq!(arrivals.count(), messages);
        }
        assert_eq!(Arrivals::read(&at_once, payload_bits).unwrap(), arrivals[0]);
        assert_eq!(router.topology(), cube);
    }

    #[test]
    fn messages_are_loaded_and_read_as_node_by_node() {
        for payload_bits in [1, 64, 70] {
            for k in [1, 3, 6, 9] {
                what_is_loaded_is_read::<bool>(k, payload_bits);
                what_is_loaded_is_read::<u64>(k, payload_bits);
                what_is_loaded_is_read::<Words<8>>(k, payload_bits);
            }
        }
    }

    #[test]
    fn who_watches_can_break_off() {
        let cube = Dimensions::new(8).unwrap();
        let router = PlainRouter::new(cube, 3).unwrap();
        let traffic = Traffic::drawn(cube, 3, Pattern::Randperm, 1.0, 1).unwrap();
        let mut fabric = Fabric::<_, u64>::new(router, 1).unwrap();
        let mut asked = Vec::new();
        let outcome = load_watched(&mut fabric, &[traffic], &mut |nodes| {
            asked.push(nodes);
            match nodes < 128 {
                true => Ok(()),
                false => Err(Error::BrokenOff),
            }
        });
        assert_eq!((outcome, asked), (Err(Error::BrokenOff), vec![0, 64, 128]));
        let mut looks = 0;
        let outcome = Arrivals::read_watched(&fabric, 3, &mut |_| {
            looks += 1;
            Err(Error::BrokenOff)
        });
        assert_eq!((outcome, looks), (Err(Error::BrokenOff), 1));
    }
}
