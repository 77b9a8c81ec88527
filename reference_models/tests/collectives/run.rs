//! Runs of the hardware: what its memories hold at the end, how long it took, what it held on the way, and
//! how many bits crossed each wire.

use std::collections::BTreeMap;
use std::sync::Arc;

use rtl_model::error::Error;
use rtl_model::machine::fabric::{Fabric, How};
use rtl_model::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square, Unloads};
use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::collectives::algorithms::OperationPlan;
use rtl_model::routers::collectives::{CollectiveMachine, MEMORY, VIOLATION};

/// The memories of all nodes, by absolute address.
pub type Memories = Vec<Vec<bool>>;

/// What came of a run.
pub struct Ran {
    pub memories: Memories,
    pub bit_times: u64,
    /// The most bits that a node held of what it was to send on. A run that is not ticked has none.
    pub peak: u64,
    pub violations: usize,
    /// How many bit times each wire, by its two nodes, was 1. A run that is not ticked has none.
    pub ones: BTreeMap<(usize, usize), u64>,
    /// Wires of a node that nodes may have driven, summed over all bit times.
    pub driven: u64,
}

/// Runs a plan from these memories, bit time by bit time or all at once.
pub fn run(plan: &OperationPlan, memories: Memories, ticks: bool) -> Ran {
    let machine = CollectiveMachine::new(Arc::new(plan.clone())).unwrap();
    let (nodes, dims) = (plan.program.cube.nodes(), plan.program.cube.count());
    let mut host = Host {
        machine: machine.clone(),
        memories,
        violations: 0,
        seats: [usize::MAX; NODES_AT_ONCE],
    };
    let mut fabric = Fabric::<_, u64>::new(machine, 1).unwrap();
    if ticks {
        fabric.watch();
    }
    fabric.load(&mut host).unwrap();
    let (mut peak, mut ones) = (0, BTreeMap::new());
    while ticks && !fabric.is_done() {
        fabric.transmit().unwrap();
        for node in 0..nodes {
            for port in 0..dims {
                if fabric.wire(node, port) {
                    *ones.entry((node, node ^ (1 << port))).or_default() += 1;
                }
            }
        }
        fabric.clock();
        peak = peak.max(Lockstep::occupancy(&mut fabric, None).most_bits);
    }
    if !ticks {
        fabric.advance(u64::MAX, &How::default()).unwrap();
    }
    fabric.unload(&mut host).unwrap();
    Ran {
        memories: host.memories,
        bit_times: fabric.bit_time(),
        peak: u64::from(peak),
        violations: host.violations,
        ones,
        driven: fabric.driven_wire_bit_times(),
    }
}

/// Writes memories before a run, and reads them after it.
struct Host {
    machine: CollectiveMachine,
    memories: Memories,
    violations: usize,
    seats: Seats,
}

impl Loads for Host {
    fn places(&mut self, seats: &Seats) -> Result<u64, Error> {
        self.seats = *seats;
        let here = |place: usize| u64::from(seats[place] != usize::MAX) << place;
        Ok((0..NODES_AT_ONCE).fold(0, |places, place| places | here(place)))
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), Error> {
        let nodes = self.memories.len();
        for (value, &seat) in values.iter_mut().zip(&self.seats) {
            if seat == usize::MAX {
                continue;
            }
            // A group of lanes has places for 64 nodes; in a small cube it has several cubes.
            let node = seat % nodes;
            *value = match field {
                MEMORY => (0..64).fold(0, |word, place| {
                    let bit = self.memories[node].get(from + place) == Some(&true);
                    word | u64::from(bit) << place
                }),
                _ => self
                    .machine
                    .word(field, node, from)
                    .ok_or_else(|| field.unknown())?,
            };
        }
        Ok(())
    }
}

impl Unloads for Host {
    fn seats(&mut self, seats: &Seats) -> Result<(), Error> {
        self.seats = *seats;
        Ok(())
    }

    fn values(&mut self, field: Field, from: usize, values: &Square) -> Result<(), Error> {
        for (value, &node) in values.iter().zip(&self.seats) {
            let Some(memory) = self.memories.get_mut(node) else {
                continue;
            };
            match field {
                MEMORY => {
                    for (place, bit) in memory.iter_mut().skip(from).take(64).enumerate() {
                        *bit = value >> place & 1 == 1;
                    }
                }
                VIOLATION => self.violations += usize::from(value & 1 == 1),
                _ => return Err(field.unknown()),
            }
        }
        Ok(())
    }
}
