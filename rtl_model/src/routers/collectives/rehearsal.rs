//! A program worked through with plain numbers, node by node and bit time by bit time: what nodes do according to the rules, said
//! a second time and without hardware. Whoever writes a program finds out here whether it does what it should.

use std::collections::HashMap;

use crate::machine::topology::hypercube::neighbour;
use crate::routers::collectives::program::{Side, Transfer, TransferProgram};
use crate::routers::collectives::rules::{nodes_of, part};

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rehearsed {
    /// What went wrong first.
    pub fault: Option<String>,
    /// The most bits that a node held of what it was to send on.
    pub peak: usize,
    /// How many bits crossed wires.
    pub crossed: usize,
}

/// What stands for a bit of a message: any number that hardly another has.
fn token(from: usize, to: usize, bit: usize) -> u64 {
    let number = (from as u64) << 40 ^ (to as u64) << 20 ^ bit as u64 ^ 0x9e37_79b9_7f4a_7c15;
    let mixed = (number ^ number >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ mixed >> 29).wrapping_mul(0x94d0_49bb_1331_11eb) | 1
}

struct Stage<'a> {
    program: &'a TransferProgram,
    /// By node and address: what lies there, and the bit time from which on it may be used.
    memory: Vec<(u64, usize)>,
    held: Vec<usize>,
    rehearsed: Rehearsed,
}

impl Stage<'_> {
    fn fault(&mut self, fault: impl FnOnce() -> String) {
        self.rehearsed.fault.get_or_insert_with(fault);
    }

    fn place(&self, node: usize, address: usize) -> usize {
        node * self.program.memory_bits + address
    }

    fn count(&mut self, transfer: &Transfer, side: &Side, sends: bool) {
        for node in 0..self.program.cube.nodes() {
            for port in 0..self.program.cube.count() {
                if let Some((_, true)) = part(self.program, (side, sends), node, port) {
                    match sends {
                        false => self.held[node] += transfer.bits,
                        true if self.held[node] < transfer.bits => {
                            self.fault(|| {
                                format!(
                                    "node {node} gives up more than it holds at {}",
                                    transfer.end()
                                )
                            });
                        }
                        true => self.held[node] -= transfer.bits,
                    }
                }
            }
        }
        let peak = self.held.iter().copied().max().unwrap_or(0);
        self.rehearsed.peak = self.rehearsed.peak.max(peak);
    }

    /// All transfers that are under way at a bit time.
    fn bit_time(&mut self, now: usize, under_way: &[&Transfer]) {
        let program = self.program;
        let (nodes, n) = (program.cube.nodes(), program.cube.count());
        for node in 0..nodes {
            let busy = |sends: bool| {
                let ports = (0..n).filter(|&port| {
                    under_way.iter().any(|transfer| {
                        let side = if sends {
                            &transfer.sends
                        } else {
                            &transfer.receives
                        };
                        part(program, (side, sends), node, port).is_some()
                    })
                });
                ports.count()
            };
            let (sending, receiving) = (busy(true), busy(false));
            if !program.ports.admits(sending, receiving) {
                self.fault(|| format!("node {node} has {sending} ports that send and {receiving} that receive in bit time {now}"));
            }
        }
        let mut wires: HashMap<(usize, usize), u64> = HashMap::new();
        for transfer in under_way.iter().filter(|one| one.shifts().contains(&now)) {
            let index = now - transfer.first_bit();
            for (node, port) in (0..nodes).flat_map(|node| (0..n).map(move |port| (node, port))) {
                let Some((address, _)) = part(program, (&transfer.sends, true), node, port) else {
                    continue;
                };
                let (value, since) = self.memory[self.place(node, address + index)];
                if since > transfer.begin {
                    self.fault(|| format!("node {node} sends from address {} across port {port} in bit time {now} what is not complete", address + index));
                }
                if wires.insert((node, port), value).is_some() {
                    self.fault(|| {
                        format!("port {port} of node {node} sends twice in bit time {now}")
                    });
                }
                self.rehearsed.crossed += 1;
            }
        }
        for transfer in under_way.iter().filter(|one| one.shifts().contains(&now)) {
            let index = now - transfer.first_bit();
            for (node, port) in (0..nodes).flat_map(|node| (0..n).map(move |port| (node, port))) {
                let Some((address, _)) = part(program, (&transfer.receives, false), node, port)
                else {
                    continue;
                };
                let Some(value) = wires.remove(&(neighbour(node, port), port)) else {
                    self.fault(|| {
                        format!("nothing comes to node {node} across port {port} in bit time {now}")
                    });
                    continue;
                };
                let place = self.place(node, address + index);
                let value = match transfer.adds {
                    Some(_) => self.memory[place].0.wrapping_add(value),
                    None => value,
                };
                self.memory[place] = (value, transfer.end());
            }
        }
        if let Some((node, port)) = wires.keys().next() {
            self.fault(|| {
                format!("nobody takes what node {node} sends across port {port} in bit time {now}")
            });
        }
    }

    fn reorder(&mut self, now: usize) {
        let Some(reorder) = self
            .program
            .reorder
            .as_ref()
            .filter(|one| one.bit_time == now)
        else {
            return;
        };
        for (node, numbers) in reorder.numbers.iter().enumerate() {
            let block = |from: usize, number: usize| {
                let first = node * self.program.memory_bits + from + number * reorder.block_bits;
                first..first + reorder.block_bits
            };
            let blocks: Vec<Vec<(u64, usize)>> = (0..numbers.len())
                .map(|number| self.memory[block(reorder.from, number)].to_vec())
                .collect();
            for (number, old) in numbers.iter().zip(blocks) {
                self.memory[block(reorder.to, *number as usize)].copy_from_slice(&old);
            }
        }
    }
}

/// Works through a program, of a small cube. `is_broadcast`: every node's message goes to all (`partner` of what is loaded is 0).
pub fn rehearse(program: &TransferProgram, is_broadcast: bool) -> Rehearsed {
    let nodes = program.cube.nodes();
    let mut stage = Stage {
        program,
        memory: vec![(0, 0); nodes * program.memory_bits],
        held: vec![0; nodes],
        rehearsed: Rehearsed::default(),
    };
    let adds = program
        .transfers
        .iter()
        .any(|transfer| transfer.adds.is_some());
    // What was loaded anywhere, by who it is for and which bit it is.
    let mut sums: HashMap<(usize, usize), u64> = HashMap::new();
    for segment in &program.loads {
        for node in nodes_of(program, segment) {
            let to = node ^ segment.partner;
            for index in 0..segment.bits {
                let place = stage.place(node, segment.address + index);
                let value = token(node, to, segment.bit + index);
                stage.memory[place] = (value, 0);
                let sum = sums.entry((to, segment.bit + index)).or_default();
                *sum = sum.wrapping_add(value);
            }
        }
    }
    for now in 0..program.bit_times {
        let under_way: Vec<&Transfer> = program
            .transfers
            .iter()
            .filter(|one| one.begin <= now && now < one.end())
            .collect();
        for transfer in under_way.iter().filter(|one| one.begin == now) {
            stage.count(transfer, &transfer.receives, false);
        }
        stage.bit_time(now, &under_way);
        for transfer in under_way.iter().filter(|one| one.end() == now + 1) {
            stage.count(transfer, &transfer.sends, true);
        }
        stage.reorder(now);
    }
    if let Some(late) = program
        .transfers
        .iter()
        .find(|one| one.end() > program.bit_times)
    {
        stage.fault(|| format!("a transfer ends at {}, behind the end", late.end()));
    }
    for segment in &program.arrivals {
        for node in nodes_of(program, segment) {
            for index in 0..segment.bits {
                let (from, bit) = (node ^ segment.partner, segment.bit + index);
                let due = match (adds, is_broadcast) {
                    (true, _) => sums[&(node, bit)],
                    (_, true) => token(from, from, bit),
                    _ => token(from, node, bit),
                };
                let (found, _) = stage.memory[stage.place(node, segment.address + index)];
                if found != due {
                    stage.fault(|| {
                        format!(
                            "bit {bit} from node {from} is not at address {} of node {node}",
                            segment.address + index
                        )
                    });
                }
            }
        }
    }
    stage.rehearsed
}
