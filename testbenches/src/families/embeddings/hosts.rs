//! The hosts: they put configuration and packets into the nodes, and read the packets that have arrived.

use rtl_model::error::Error as ModelError;
use rtl_model::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square, Unloads};
use rtl_model::routers::phase::CELLS;

use crate::families::embeddings::job::Job;
use crate::words::Words;

/// No packet.
const NONE: u32 = u32::MAX;

/// Which packet lies in which cell of which node.
pub struct Occupants {
    cells: usize,
    packets: Vec<u32>,
}

impl Occupants {
    /// Before the first step.
    pub fn at_first(job: &Job) -> Self {
        let plan = job.plan();
        Self::of(job, |packet| (plan.source(packet), plan.begins(packet)))
    }

    /// After the last one.
    pub fn at_last(job: &Job) -> Self {
        let plan = job.plan();
        Self::of(job, |packet| (plan.destination(packet), plan.ends(packet)))
    }

    fn of(job: &Job, place: impl Fn(usize) -> (usize, usize)) -> Self {
        let (nodes, cells) = (job.embedding.host().nodes(), job.plan().cells());
        let mut packets = vec![NONE; nodes * cells];
        for packet in 0..job.plan().packets() {
            let (node, cell) = place(packet);
            packets[node * cells + cell] = packet as u32;
        }
        Occupants { cells, packets }
    }

    /// The packet in a cell.
    pub fn packet(&self, node: usize, cell: usize) -> Option<usize> {
        let packet = *self.packets.get(node * self.cells + cell)?;
        (packet != NONE).then_some(packet as usize)
    }
}

/// 64 bits of what a node's cells begin with, from bit `from` on.
fn cells(job: &Job, occupants: &Occupants, messages: &Words, (node, from): (usize, usize)) -> u64 {
    let packet_bits = job.machine.packet_bits();
    let last = job.plan().cells() * packet_bits;
    let bit = |bit: usize| {
        let packet = occupants.packet(node, bit / packet_bits)?;
        let place = job.message_bit(packet, bit % packet_bits)?;
        messages.bit(job.edge_of(packet), place)
    };
    let bits = from..last.min(from + 64);
    bits.fold(0, |word, at| {
        word | u64::from(bit(at).unwrap_or(false)) << (at - from)
    })
}

/// The host that loads all nodes.
pub struct Loading<'a> {
    job: &'a Job,
    messages: &'a Words,
    occupants: Occupants,
    seats: Seats,
    passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
    nodes: usize,
}

impl<'a> Loading<'a> {
    /// With these messages; `passed` is told how many nodes have been loaded.
    pub fn new(
        job: &'a Job,
        messages: &'a Words,
        passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
    ) -> Self {
        Loading {
            job,
            messages,
            occupants: Occupants::at_first(job),
            seats: [usize::MAX; NODES_AT_ONCE],
            passed,
            nodes: 0,
        }
    }
}

impl Loads for Loading<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, ModelError> {
        (self.passed)(self.nodes)?;
        self.nodes += NODES_AT_ONCE;
        self.seats = *seats;
        let nodes = self.job.embedding.host().nodes();
        let seats = seats.iter().enumerate();
        Ok(seats.fold(0, |places, (place, &node)| {
            places | u64::from(node < nodes) << place
        }))
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), ModelError> {
        let nodes = self.job.embedding.host().nodes();
        for (value, &node) in values.iter_mut().zip(&self.seats) {
            if node >= nodes {
                continue;
            }
            *value = match self.job.plan().word(field, node, from) {
                Some(orders) => orders,
                None if field == CELLS => {
                    cells(self.job, &self.occupants, self.messages, (node, from))
                }
                None => return Err(field.unknown()),
            };
        }
        Ok(())
    }
}

/// The host that reads all nodes: the messages as they arrived.
pub struct Reading<'a> {
    job: &'a Job,
    occupants: &'a Occupants,
    seats: Seats,
    passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
    nodes: usize,
    /// What has been read.
    pub messages: Words,
    /// Bits of packets beyond their message's last that are not 0.
    pub beyond: usize,
}

impl<'a> Reading<'a> {
    /// Nothing yet; `passed` is told how many nodes have been read.
    pub fn new(
        job: &'a Job,
        occupants: &'a Occupants,
        passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
    ) -> Self {
        Reading {
            job,
            occupants,
            seats: [usize::MAX; NODES_AT_ONCE],
            passed,
            nodes: 0,
            messages: Words::zeros(job.embedding.edges(), 1, job.message_bits),
            beyond: 0,
        }
    }
}

impl Unloads for Reading<'_> {
    fn seats(&mut self, seats: &Seats) -> Result<(), ModelError> {
        (self.passed)(self.nodes)?;
        self.nodes += NODES_AT_ONCE;
        self.seats = *seats;
        Ok(())
    }

    fn values(&mut self, field: Field, from: usize, values: &Square) -> Result<(), ModelError> {
        if field != CELLS {
            return Err(field.unknown());
        }
        let (nodes, packet_bits) = (
            self.job.embedding.host().nodes(),
            self.job.machine.packet_bits(),
        );
        for (&value, &node) in values.iter().zip(&self.seats) {
            if node >= nodes {
                continue;
            }
            for bit in from..(from + 64).min(self.job.plan().cells() * packet_bits) {
                let Some(packet) = self.occupants.packet(node, bit / packet_bits) else {
                    continue;
                };
                let is_one = value >> (bit - from) & 1 == 1;
                match self.job.message_bit(packet, bit % packet_bits) {
                    Some(place) => self
                        .messages
                        .set_bit(self.job.edge_of(packet), place, is_one),
                    None => self.beyond += usize::from(is_one),
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::families::embeddings::options::Setup;
    use crate::families::embeddings::stimulus::{load, read};

    /// Messages of 3 bits in 2 packets of 2: a bit behind the end of each, which nobody but the verdict looks at.
    #[test]
    fn bits_behind_the_end_of_a_message_are_counted() {
        let setup = Setup {
            guest: Some("gray-cycle".to_owned()),
            dims: Some(2),
            packets: Some(2),
            message_bits: Some(3),
            ..Setup::default()
        };
        let job = Job::new(&setup).unwrap();
        let sent = Words::drawn(4, 1, 3, 1);
        let mut machine = job.machine.as_device().build(1).unwrap();
        load(&job, &sent, &mut *machine, &mut |_| Ok(())).unwrap();
        while !machine.is_done() {
            machine.tick().unwrap();
        }
        assert_eq!(read(&job, &*machine, true).unwrap(), (sent.clone(), 0));
        // Registers of cells come last.
        let plan = job.plan();
        let orders = 2 * 2 * plan.steps() * plan.code_bits();
        for edge in 0..4 {
            let packet = 2 * edge + 1;
            let padding = orders + 2 * plan.ends(packet) + 1;
            machine.flip_register(plan.destination(packet), padding);
            assert_eq!(
                read(&job, &*machine, true).unwrap(),
                (sent.clone(), edge + 1)
            );
        }
    }
}
