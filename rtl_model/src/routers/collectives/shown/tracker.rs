//! All bits of all messages, followed from where they are loaded: which bit lies at which address of each node, and crosses which
//! wire.

use crate::machine::topology::hypercube::neighbour;
use crate::routers::collectives::program::{Side, TransferProgram};
use crate::routers::collectives::rules::{nodes_of, part};

/// A bit of a message, by absolute nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whose {
    pub from: u32,
    pub to: u32,
    pub bit: u32,
    /// Of how many nodes it is the sum.
    pub summed: u32,
}

/// The same as numbers: all 0 where nothing lies, so that memory in which nothing ever lies takes no room.
type BitIdentity = [u32; 4];

impl Whose {
    fn at(place: BitIdentity) -> Option<Self> {
        let [from, to, bit, summed] = place;
        let whose = Whose {
            from,
            to,
            bit,
            summed,
        };
        (summed > 0).then_some(whose)
    }

    fn place(whose: Option<Self>) -> BitIdentity {
        whose.map_or([0; 4], |whose| {
            [whose.from, whose.to, whose.bit, whose.summed]
        })
    }
}

/// A bit that crosses a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Crossing {
    pub whose: Whose,
    /// The bit with which the message, or the piece of it, began to cross.
    pub first: u32,
}

impl Crossing {
    /// What comes behind another bit, or not.
    fn behind(before: Option<Crossing>, whose: Whose) -> Self {
        let next = before.filter(|before| {
            let next = Whose {
                bit: before.whose.bit + 1,
                ..before.whose
            };
            next == whose
        });
        Crossing {
            whose,
            first: next.map_or(whose.bit, |before| before.first),
        }
    }
}

/// What crosses wires in a bit time.
#[derive(Debug)]
struct Sent {
    /// By relative node and port.
    by_port: Vec<Option<Crossing>>,
    /// The ports of which it is known, by their places there: the others are idle.
    busy: Vec<usize>,
}

impl Sent {
    /// Over so many ports, nothing.
    fn nothing(ports: usize) -> Self {
        Sent {
            by_port: vec![None; ports],
            busy: Vec::new(),
        }
    }

    fn clear(&mut self) {
        for port in self.busy.drain(..) {
            self.by_port[port] = None;
        }
    }

    fn put(&mut self, port: usize, crossing: Option<Crossing>) {
        self.by_port[port] = crossing;
        if crossing.is_some() {
            self.busy.push(port);
        }
    }
}

/// Ports that take part in a transfer, by their places, and the places of their first bits.
type Parts = Vec<(usize, usize)>;

/// A transfer that has begun and is not over.
#[derive(Debug)]
struct UnderWay {
    /// Its number.
    transfer: usize,
    sends: Parts,
    receives: Parts,
}

/// All bits, followed up to a bit time.
#[derive(Debug)]
pub(super) struct Tracker {
    pub now: usize,
    /// By relative node and address.
    memory: Vec<BitIdentity>,
    /// In the bit time `now`.
    sent: Sent,
    /// The same of the bit time before.
    before: Sent,
    /// How many transfers have begun.
    begun: usize,
    /// In the order of the program.
    under_way: Vec<UnderWay>,
}

impl Tracker {
    /// Before the first bit time is over.
    pub fn new(program: &TransferProgram) -> Self {
        let nodes = program.cube.nodes();
        let mut tracker = Tracker {
            now: 0,
            memory: vec![[0; 4]; nodes * program.memory_bits],
            sent: Sent::nothing(nodes * program.cube.count()),
            before: Sent::nothing(nodes * program.cube.count()),
            begun: 0,
            under_way: Vec::new(),
        };
        for segment in &program.loads {
            for node in nodes_of(program, segment) {
                let first = node * program.memory_bits + segment.address;
                let places = &mut tracker.memory[first..first + segment.bits];
                for (index, place) in places.iter_mut().enumerate() {
                    *place = Whose::place(Some(Whose {
                        from: (node ^ program.source) as u32,
                        to: (node ^ segment.partner ^ program.source) as u32,
                        bit: (segment.bit + index) as u32,
                        summed: 1,
                    }));
                }
            }
        }
        tracker.send(program);
        tracker
    }

    /// What a side of a transfer is, at all nodes: the same in all of its bit times.
    fn parts(program: &TransferProgram, side: &Side, sends: bool) -> Parts {
        let ports = program.cube.count();
        let all = (0..program.cube.nodes() * ports).filter_map(|place| {
            let (node, port) = (place / ports, place % ports);
            let (address, _) = part(program, (side, sends), node, port)?;
            Some((place, node * program.memory_bits + address))
        });
        all.collect()
    }

    /// Takes up the transfers that begin now, and leaves those that are over.
    fn turn_to(&mut self, program: &TransferProgram) {
        let now = self.now;
        let transfers = &program.transfers;
        self.under_way
            .retain(|one| transfers[one.transfer].end() > now);
        while let Some(transfer) = transfers.get(self.begun).filter(|one| one.begin <= now) {
            self.under_way.push(UnderWay {
                transfer: self.begun,
                sends: Self::parts(program, &transfer.sends, true),
                receives: Self::parts(program, &transfer.receives, false),
            });
            self.begun += 1;
        }
    }

    fn send(&mut self, program: &TransferProgram) {
        std::mem::swap(&mut self.sent, &mut self.before);
        self.sent.clear();
        self.turn_to(program);
        for one in &self.under_way {
            let Some(index) = program.transfers[one.transfer].bit_at(self.now) else {
                continue;
            };
            for (port, first) in &one.sends {
                let before = self.before.by_port[*port].filter(|_| index > 0);
                let whose = Whose::at(self.memory[first + index]);
                let crossing = whose.map(|whose| Crossing::behind(before, whose));
                self.sent.put(*port, crossing);
            }
        }
    }

    /// The bit time is over.
    pub fn clock(&mut self, program: &TransferProgram) {
        let ports = program.cube.count();
        for one in &self.under_way {
            let transfer = &program.transfers[one.transfer];
            let Some(index) = transfer.bit_at(self.now) else {
                continue;
            };
            for (place, first) in &one.receives {
                let (node, port) = (place / ports, place % ports);
                let comes = self.sent.by_port[neighbour(node, port) * ports + port];
                let comes = comes.map(|crossing| crossing.whose);
                let place = &mut self.memory[first + index];
                let stays = match (Whose::at(*place), transfer.adds) {
                    // A sum is still of whom it was.
                    (Some(sum), Some(_)) => Some(Whose {
                        summed: sum.summed + comes.map_or(0, |added| added.summed),
                        ..sum
                    }),
                    _ => comes,
                };
                *place = Whose::place(stays);
            }
        }
        if let Some(reorder) = program
            .reorder
            .as_ref()
            .filter(|one| one.bit_time == self.now)
        {
            for (node, numbers) in reorder.numbers.iter().enumerate() {
                let first = node * program.memory_bits;
                let bits = numbers.len() * reorder.block_bits;
                let before = self.memory[first + reorder.from..][..bits].to_vec();
                for (number, block) in numbers.iter().zip(before.chunks(reorder.block_bits)) {
                    let to = first + reorder.to + *number as usize * reorder.block_bits;
                    self.memory[to..to + reorder.block_bits].copy_from_slice(block);
                }
            }
        }
        self.now += 1;
        self.send(program);
    }

    /// What crosses the wire of a port, by its place.
    pub fn crossing(&self, port: usize) -> Option<Crossing> {
        self.sent.by_port[port]
    }

    /// The ports, by their places, over which a text says something else than in the bit time before.
    pub fn anew(&self) -> impl Iterator<Item = usize> + '_ {
        let begin = self.sent.busy.iter();
        let begin = begin.filter(|port| self.before.by_port[**port].is_none());
        let busy = self.before.busy.iter().chain(begin).copied();
        busy.filter(|port| {
            let [before, now] = [&self.before, &self.sent].map(|sent| {
                let crossing = sent.by_port[*port]?;
                Some((
                    Whose {
                        bit: 0,
                        ..crossing.whose
                    },
                    crossing.first,
                ))
            });
            before != now
        })
    }
}

/// Bytes of memory that it takes to follow all bits of a program.
pub fn bytes_to_follow(program: &TransferProgram) -> u64 {
    let bits = (program.cube.nodes() * program.memory_bits) as u64;
    bits.saturating_mul(size_of::<BitIdentity>() as u64)
}

/// Where numbers are added: of how many nodes the sums are that each node has of its own numbers, at the beginning and at the end
/// of each step.
pub fn summed(program: &TransferProgram) -> Vec<(usize, Vec<u32>)> {
    let mut tracker = Tracker::new(program);
    let mut times: Vec<usize> = program.steps.clone();
    times.push(program.bit_times);
    let at = |time: usize| {
        while tracker.now < time {
            tracker.clock(program);
        }
        let of_nodes = tracker
            .memory
            .chunks(program.memory_bits.max(1))
            .enumerate();
        let of_node = |(node, memory): (usize, &[BitIdentity])| {
            let own = (node ^ program.source) as u32;
            let bits = memory.iter().filter_map(|place| Whose::at(*place));
            let own = bits.filter(|bit| bit.to == own);
            own.map(|bit| bit.summed).min().unwrap_or(0)
        };
        let mut amounts = vec![0; program.cube.nodes()];
        for (node, amount) in of_nodes.map(of_node).enumerate() {
            amounts[node ^ program.source] = amount;
        }
        (time, amounts)
    };
    times.into_iter().map(at).collect()
}
