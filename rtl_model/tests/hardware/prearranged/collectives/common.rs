//! Asks of every algorithm, and a host that loads messages and reads them.

use std::collections::HashMap;
use std::sync::Arc;

use rtl_model::error::Error;
use rtl_model::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square, Unloads};
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::collectives::algorithms::{ALGORITHMS, Algorithm, Ask, Operation};
use rtl_model::routers::collectives::program::{Segment, TransferProgram};
use rtl_model::routers::collectives::rules::nodes_of;
use rtl_model::routers::collectives::{CollectiveMachine, MEMORY, VIOLATION};
use rtl_model::routers::ports::algorithm::PortModel;

/// What is asked for, of a cube, bits, start-up and ports. Where there is one node, it is neither the first nor the last.
pub fn ask(of: &dyn Algorithm, dims: usize, bits: usize, start_up: usize, ports: PortModel) -> Ask {
    let cube = Dimensions::new(dims).unwrap();
    let has_one = matches!(
        of.operation(),
        Operation::Scatter | Operation::Gather | Operation::Send
    );
    let shifted = (0..cube.nodes()).map(|node| (node + 1) % cube.nodes());
    let source = if has_one { cube.nodes() / 2 - 1 } else { 0 };
    // Not the opposite corner, and not a node of a low subcube, where there is another.
    let near = match dims {
        1 => 1,
        2 => 0b10,
        _ => 0b101,
    };
    let takes_any = of.name().starts_with("arbitrary") || of.name().starts_with("xoc");
    Ask {
        cube,
        source,
        destination: takes_any.then_some(source ^ near),
        permutation: (of.operation() == Operation::PermutedSend).then(|| shifted.collect()),
        message_bits: bits,
        bins: if of.operation() == Operation::Histogram {
            3 * cube.nodes() / 2
        } else {
            0
        },
        packet_bits: None,
        groups: None,
        start_up,
        ports,
    }
}

/// Every algorithm that takes such a size, on each of its port models.
pub fn machines(
    dims: usize,
    bits: usize,
    start_up: usize,
) -> Vec<(String, Operation, CollectiveMachine)> {
    let mut found = Vec::new();
    for &algorithm in ALGORITHMS {
        for &ports in algorithm.port_models() {
            let what = format!(
                "{} {}, {ports}, d = {dims}, m = {bits}, T = {start_up}",
                algorithm.operation(),
                algorithm.name()
            );
            if let Ok(plan) = algorithm.plan(&ask(algorithm, dims, bits, start_up, ports)) {
                let machine = CollectiveMachine::new(Arc::new(plan)).unwrap();
                found.push((what, algorithm.operation(), machine));
            }
        }
    }
    found
}

/// A bit of a message, by absolute nodes: something that hangs together with all of them.
pub fn message_bit(operation: Operation, from: usize, to: usize, bit: usize) -> bool {
    let to = if operation == Operation::AllGather {
        from
    } else {
        to
    };
    let number = (from as u64) << 40 ^ (to as u64) << 20 ^ bit as u64 ^ 0x51_7cc1_b727_220a;
    let mixed = (number ^ number >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ mixed >> 32).wrapping_mul(0x94d0_49bb_1331_11eb) >> 40 & 1 == 1
}

/// Segments by relative node.
fn by_node(program: &TransferProgram, segments: &[Segment]) -> Vec<Vec<Segment>> {
    let mut found = vec![Vec::new(); program.cube.nodes()];
    for segment in segments {
        for node in nodes_of(program, segment) {
            found[node].push(*segment);
        }
    }
    found
}

/// What a memory begins with: zeros, or ones, and messages.
pub struct Loading<'a> {
    machine: &'a CollectiveMachine,
    memories: Vec<Vec<bool>>,
    seats: Seats,
}

impl<'a> Loading<'a> {
    pub fn new(operation: Operation, machine: &'a CollectiveMachine, elsewhere: bool) -> Self {
        let program = &machine.plan().program;
        // What is added to has to be 0 behind the end of the bins.
        let elsewhere = elsewhere && operation != Operation::Histogram;
        let loads = by_node(program, &program.loads);
        let memories = (0..program.cube.nodes()).map(|node| {
            let mut memory = vec![elsewhere; program.memory_bits];
            for segment in &loads[node ^ program.source] {
                for index in 0..segment.bits {
                    memory[segment.address + index] =
                        message_bit(operation, node, node ^ segment.partner, segment.bit + index);
                }
            }
            memory
        });
        Loading {
            memories: memories.collect(),
            machine,
            seats: [usize::MAX; NODES_AT_ONCE],
        }
    }
}

impl Loads for Loading<'_> {
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
            let memory = &self.memories[seat % nodes];
            let bits = (0..64).fold(0, |word, place| {
                let bit = memory.get(from + place).is_some_and(|bit| *bit);
                word | u64::from(bit) << place
            });
            *value = match field {
                MEMORY => bits,
                _ => self
                    .machine
                    .word(field, seat % nodes, from)
                    .ok_or_else(|| field.unknown())?,
            };
        }
        Ok(())
    }
}

/// What memories hold.
pub struct Reading {
    pub memories: Vec<Vec<bool>>,
    pub violations: usize,
    seats: Seats,
}

impl Reading {
    pub fn new(machine: &CollectiveMachine) -> Self {
        let program = &machine.plan().program;
        Reading {
            memories: vec![vec![false; program.memory_bits]; program.cube.nodes()],
            violations: 0,
            seats: [usize::MAX; NODES_AT_ONCE],
        }
    }

    /// What is not as it should be, if anything is.
    pub fn fault(
        &self,
        operation: Operation,
        machine: &CollectiveMachine,
        word_bits: usize,
    ) -> Option<String> {
        let program = &machine.plan().program;
        let arrivals = by_node(program, &program.arrivals);
        let loads = by_node(program, &program.loads);
        for (node, memory) in self.memories.iter().enumerate() {
            let mut sums: HashMap<usize, usize> = HashMap::new();
            if operation == Operation::Histogram {
                sums = totals(operation, program, &loads, node, word_bits);
            }
            for segment in &arrivals[node ^ program.source] {
                for index in 0..segment.bits {
                    let (from, bit) = (node ^ segment.partner, segment.bit + index);
                    let due = match operation {
                        Operation::Histogram => {
                            sums[&(bit / word_bits)] >> (bit % word_bits) & 1 == 1
                        }
                        _ => message_bit(operation, from, node, bit),
                    };
                    if memory[segment.address + index] != due {
                        return Some(format!("bit {bit} from node {from} at node {node}"));
                    }
                }
            }
        }
        None
    }
}

/// The sums of a node's bins, by number of the bin.
fn totals(
    operation: Operation,
    program: &TransferProgram,
    loads: &[Vec<Segment>],
    owner: usize,
    word_bits: usize,
) -> HashMap<usize, usize> {
    let mut sums = HashMap::new();
    for node in 0..program.cube.nodes() {
        for segment in loads[node ^ program.source]
            .iter()
            .filter(|segment| node ^ segment.partner == owner)
        {
            for bit in segment.bit..segment.bit + segment.bits {
                let is_one = usize::from(message_bit(operation, node, owner, bit));
                *sums.entry(bit / word_bits).or_default() += is_one << (bit % word_bits);
            }
        }
    }
    sums
}

impl Unloads for Reading {
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
