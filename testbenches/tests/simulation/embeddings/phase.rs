//! A host of its own: it loads what the plan says, runs, and reads messages.

use rtl_model::error::Error;
use rtl_model::machine::device::Device;
use rtl_model::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square};
use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::phase::{CELLS, RECEIVES, SENDS};

use crate::embeddings::case::Hardware;

/// What stands in the registers of all nodes before the first bit time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    pub sends: Vec<Vec<bool>>,
    pub receives: Vec<Vec<bool>>,
    pub cells: Vec<Vec<bool>>,
}

impl Configuration {
    /// Of these messages, one an edge.
    pub fn of(hardware: &Hardware, messages: &[Vec<bool>]) -> Self {
        let plan = hardware.machine.plan();
        let (nodes, ports) = (plan.host().nodes(), plan.host().count());
        let bits = hardware.machine.packet_bits();
        let codes = |code: &dyn Fn(usize, usize, usize) -> usize| {
            let of_node = |node: usize| -> Vec<bool> {
                let all =
                    (0..ports).flat_map(|port| (0..plan.steps()).map(move |step| (port, step)));
                all.flat_map(|(port, step)| {
                    let code = code(node, port, step);
                    (0..plan.code_bits()).map(move |place| code >> place & 1 == 1)
                })
                .collect()
            };
            (0..nodes).map(of_node).collect()
        };
        let mut cells = vec![vec![false; plan.cells() * bits]; nodes];
        for packet in 0..hardware.packets() {
            let first = plan.begins(packet) * bits;
            cells[plan.source(packet)][first..first + bits]
                .copy_from_slice(&hardware.packet(messages, packet));
        }
        Configuration {
            sends: codes(&|node, port, step| plan.sends(node, port, step)),
            receives: codes(&|node, port, step| plan.receives(node, port, step)),
            cells,
        }
    }

    /// The bits of a node's field.
    pub fn field(&mut self, field: Field, node: usize) -> &mut Vec<bool> {
        match field {
            SENDS => &mut self.sends[node],
            RECEIVES => &mut self.receives[node],
            CELLS => &mut self.cells[node],
            _ => panic!("{field:?}"),
        }
    }
}

struct Loading<'a> {
    configuration: &'a mut Configuration,
    seats: Seats,
}

impl Loads for Loading<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, Error> {
        self.seats = *seats;
        let nodes = self.configuration.cells.len();
        Ok((0..NODES_AT_ONCE).fold(0, |places, place| {
            places | u64::from(seats[place] < nodes) << place
        }))
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), Error> {
        for (value, &node) in values.iter_mut().zip(&self.seats) {
            if node < self.configuration.cells.len() {
                let bits = self
                    .configuration
                    .field(field, node)
                    .iter()
                    .skip(from)
                    .take(64);
                *value = (bits.enumerate()).fold(0, |word, (at, &bit)| word | u64::from(bit) << at);
            }
        }
        Ok(())
    }
}

/// The machine, loaded.
pub fn loaded(hardware: &Hardware, configuration: &mut Configuration) -> Box<dyn Lockstep> {
    let mut machine = hardware.machine.build(1).unwrap();
    let seats = [usize::MAX; NODES_AT_ONCE];
    machine
        .load(&mut Loading {
            configuration,
            seats,
        })
        .unwrap();
    machine
}

/// Runs to the end, which comes when it should; between the halves of each bit time somebody looks, or puts a fault in.
pub fn run(machine: &mut dyn Lockstep, between: &mut dyn FnMut(&mut dyn Lockstep)) {
    while !machine.is_done() {
        machine.transmit().unwrap();
        between(machine);
        machine.clock();
    }
    assert_eq!(machine.bit_time(), machine.device().bit_times().value);
}

/// What the cells of a node hold.
pub fn cells(machine: &dyn Lockstep, node: usize) -> Vec<bool> {
    let read = machine.host_reads(node).into_iter();
    read.filter(|(field, _)| *field == CELLS)
        .map(|(_, bit)| bit)
        .collect()
}

/// The messages as the cells of all nodes hold them, and how many bits behind their ends are not 0.
pub fn arrived(hardware: &Hardware, cells: &[Vec<bool>]) -> (Vec<Vec<bool>>, usize) {
    let (plan, bits) = (hardware.machine.plan(), hardware.machine.packet_bits());
    let each = hardware.embedding.packets().len();
    let packets: Vec<Vec<bool>> = (0..hardware.packets())
        .map(|packet| cells[plan.destination(packet)][plan.ends(packet) * bits..][..bits].to_vec())
        .collect();
    let messages = packets.chunks(each).map(<[_]>::concat);
    let mut beyond = 0;
    let messages = messages.map(|mut message| {
        let padding = message.split_off(hardware.bits);
        beyond += padding.into_iter().filter(|bit| *bit).count();
        message
    });
    let messages = messages.collect();
    (messages, beyond)
}

/// What all nodes hold.
pub fn all_cells(machine: &dyn Lockstep) -> Vec<Vec<bool>> {
    (0..machine.nodes())
        .map(|node| cells(machine, node))
        .collect()
}

/// Carries messages; they come as they were sent.
pub fn carries(hardware: &Hardware, messages: &[Vec<bool>]) {
    let mut machine = loaded(hardware, &mut Configuration::of(hardware, messages));
    run(&mut *machine, &mut |_| ());
    assert_eq!(
        arrived(hardware, &all_cells(&*machine)),
        (messages.to_vec(), 0)
    );
}
