//! A program of the hardware as sends of the model: messages are followed from where they are loaded, bit by
//! bit, through memories and over wires.

use std::collections::BTreeMap;

use reference_models::collectives::{Message, Run, Send};
use rtl_model::routers::collectives::algorithms::Operation;
use rtl_model::routers::collectives::program::{Segment, Transfer, TransferProgram};
use rtl_model::routers::collectives::rules::{nodes_of, part};

/// A bit of a message where it lies or crosses, or nothing that was ever loaded.
type Token = Option<Bit>;

/// A bit of a message, and its way here.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bit {
    message: Message,
    bit: u64,
    /// The last of its hops, if it has made one.
    hop: Option<usize>,
}

/// A bit that crosses a wire.
struct Hop {
    /// Which packet it is in, and where.
    at: (usize, usize),
    before: Option<usize>,
}

/// The message of a bit that is loaded at a node.
pub fn loaded(
    of: (Operation, bool),
    program: &TransferProgram,
    node: usize,
    segment: &Segment,
) -> Message {
    let absolute = node ^ program.source;
    let other = absolute ^ segment.partner;
    message(of, absolute, other)
}

/// The message of a bit that arrives at a node.
pub fn arrived(
    of: (Operation, bool),
    program: &TransferProgram,
    node: usize,
    segment: &Segment,
) -> Message {
    let absolute = node ^ program.source;
    message(of, absolute ^ segment.partner, absolute)
}

/// The message from one node to another. `floods`: whether copies of it are sent.
fn message((operation, floods): (Operation, bool), source: usize, destination: usize) -> Message {
    match operation {
        Operation::AllGather => Message::Broadcast { source },
        Operation::Histogram => Message::PartialSum { owner: destination },
        Operation::Send if floods => Message::Flooded {
            source,
            destination,
        },
        _ => Message::Personal {
            source,
            destination,
        },
    }
}

/// A packet under way.
struct Crossing<'a> {
    transfer: &'a Transfer,
    from: (usize, usize),
    to: (usize, usize),
    tokens: Vec<Token>,
}

/// All packets of a program, with absolute nodes. What has no START although others have one continues the
/// packet before it on its wire. Packets that are rounded up end with whatever lies behind their contents, so
/// that bits of another message may cross as padding; of a message from one node to another, bits that never
/// come to where they are read at the end are padding.
pub fn sends(of: (Operation, bool), program: &TransferProgram) -> Vec<Send> {
    let nodes = program.cube.nodes();
    let mut followed = Followed {
        memory: vec![vec![None; program.memory_bits]; nodes],
        crossings: crossings(program),
        hops: Vec::new(),
    };
    for segment in &program.loads {
        for node in nodes_of(program, segment) {
            for index in 0..segment.bits {
                followed.memory[node][segment.address + index] = Some(Bit {
                    message: loaded(of, program, node, segment),
                    bit: (segment.bit + index) as u64,
                    hop: None,
                });
            }
        }
    }
    let mut under_way: Vec<Vec<usize>> = vec![Vec::new(); program.bit_times];
    for (number, crossing) in followed.crossings.iter().enumerate() {
        let end = crossing.transfer.end();
        assert!(
            end <= program.bit_times,
            "a packet ends at {end}, behind the end"
        );
        for now in crossing.transfer.shifts() {
            under_way[now].push(number);
        }
    }
    for (now, under_way) in under_way.iter().enumerate() {
        followed.step(under_way, now);
        if let Some(reorder) = program.reorder.as_ref().filter(|it| it.bit_time == now) {
            for (memory, numbers) in followed.memory.iter_mut().zip(&reorder.numbers) {
                let old = memory.clone();
                for (block, number) in numbers.iter().enumerate() {
                    let from = reorder.from + block * reorder.block_bits;
                    let to = reorder.to + *number as usize * reorder.block_bits;
                    memory[to..to + reorder.block_bits]
                        .copy_from_slice(&old[from..from + reorder.block_bits]);
                }
            }
        }
    }
    followed.drop_what_never_arrives(program);
    joined(program, followed.crossings)
}

/// All packets, before anything has crossed.
fn crossings(program: &TransferProgram) -> Vec<Crossing<'_>> {
    let (nodes, dims) = (program.cube.nodes(), program.cube.count());
    let mut crossings = Vec::new();
    for transfer in &program.transfers {
        for (node, port) in (0..nodes).flat_map(|node| (0..dims).map(move |port| (node, port))) {
            let next = node ^ (1 << port);
            let takes = part(program, (&transfer.receives, false), next, port);
            let Some((from, _)) = part(program, (&transfer.sends, true), node, port) else {
                assert!(takes.is_none(), "node {next} waits for nothing");
                continue;
            };
            crossings.push(Crossing {
                transfer,
                from: (node, from),
                to: (next, takes.unwrap().0),
                tokens: Vec::new(),
            });
        }
    }
    crossings
}

/// What lies where, and what crosses.
struct Followed<'a> {
    memory: Vec<Vec<Token>>,
    crossings: Vec<Crossing<'a>>,
    hops: Vec<Hop>,
}

impl Followed<'_> {
    /// A bit time: all bits are read before any is written.
    fn step(&mut self, under_way: &[usize], now: usize) {
        let index = |crossing: &Crossing| now - crossing.transfer.first_bit();
        for &number in under_way {
            let crossing = &mut self.crossings[number];
            let (node, address) = crossing.from;
            let mut token = self.memory[node][address + index(crossing)];
            if let Some(bit) = &mut token {
                self.hops.push(Hop {
                    at: (number, crossing.tokens.len()),
                    before: bit.hop,
                });
                bit.hop = Some(self.hops.len() - 1);
            }
            crossing.tokens.push(token);
        }
        for &number in under_way {
            let crossing = &self.crossings[number];
            let (node, address) = crossing.to;
            let place = &mut self.memory[node][address + index(crossing)];
            let token = crossing.tokens[index(crossing)];
            if crossing.transfer.adds.is_some() {
                let what = |token: Token| token.map(|bit| (bit.message, bit.bit));
                assert_eq!(what(*place), what(token), "node {node} adds to other sums");
            }
            *place = token;
        }
    }

    /// Bits of messages from one node to another are padding unless they are read at the end.
    fn drop_what_never_arrives(&mut self, program: &TransferProgram) {
        let mut arrives = vec![false; self.hops.len()];
        for segment in &program.arrivals {
            for node in nodes_of(program, segment) {
                for token in &self.memory[node][segment.address..segment.address + segment.bits] {
                    let mut hop = token.and_then(|bit| bit.hop);
                    while let Some(number) = hop {
                        arrives[number] = true;
                        hop = self.hops[number].before;
                    }
                }
            }
        }
        for (hop, arrives) in self.hops.iter().zip(arrives) {
            let token = &mut self.crossings[hop.at.0].tokens[hop.at.1];
            let is_personal = |bit: &mut Bit| matches!(bit.message, Message::Personal { .. });
            if !arrives && token.as_mut().is_some_and(is_personal) {
                *token = None;
            }
        }
    }
}

/// The packets, each with the pieces that continue it.
fn joined(program: &TransferProgram, crossings: Vec<Crossing>) -> Vec<Send> {
    let start_up = program.transfers.iter().map(|it| it.start_up).max();
    let start_up = start_up.unwrap_or(0);
    let mut sends: Vec<Send> = Vec::new();
    let mut last: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for crossing in crossings {
        let transfer = crossing.transfer;
        let wire = [crossing.from.0, crossing.to.0].map(|node| node ^ program.source);
        let wire = (wire[0], wire[1]);
        let items = runs(&crossing.tokens);
        if transfer.start_up < start_up {
            let before = last.get(&wire).copied();
            assert!(before.is_some(), "a packet on wire {wire:?} lacks START");
            let send = &mut sends[before.unwrap()];
            assert_eq!(send.end(), transfer.begin as u64, "a piece is on its own");
            send.units += transfer.bits as u64;
            send.items.extend(items);
            continue;
        }
        last.insert(wire, sends.len());
        sends.push(Send {
            begin: transfer.begin as u64,
            start_up: transfer.start_up as u64,
            units: transfer.bits as u64,
            from: wire.0,
            to: wire.1,
            items,
        });
    }
    sends
}

/// Bits in a row as runs. Padding is with the bits before it.
fn runs(tokens: &[Token]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for token in tokens {
        match (token, runs.last_mut()) {
            (None, Some(last)) => last.padding += 1,
            // Padding before the first bit is told by the packet's length alone.
            (None, None) => {}
            (Some(Bit { message, bit, .. }), Some(last))
                if last.message == *message && last.bits.end == *bit && last.padding == 0 =>
            {
                last.bits.end += 1;
            }
            (Some(Bit { message, bit, .. }), _) => runs.push(Run {
                message: *message,
                bits: *bit..*bit + 1,
                padding: 0,
            }),
        }
    }
    runs
}
