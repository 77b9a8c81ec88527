//! The judge of schedules: it knows wires, port models and messages, and no algorithm.

use std::collections::{BTreeMap, BTreeSet};

use super::holdings::Holdings;
use super::violation::Violation;
use super::{MOST_DIMS, Message, Ports, Send};

/// What is to be done, and in which cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The cube has `2^dims` nodes.
    pub dims: usize,
    /// Who may talk at once.
    pub ports: Ports,
    /// Bit times before the first bit of every packet.
    pub start_up: u64,
    /// The messages and their lengths in bits. No message stands here twice.
    pub messages: Vec<(Message, u64)>,
}

/// What came of a schedule that was found correct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Bit times until the last packet is there.
    pub bit_times: u64,
    /// For each node, the most bits that it keeps at once only to send them on.
    ///
    /// Bits that a node sends on count from the bit time in which the first bit of their packet arrives
    /// until the end of the packet that takes them away, with the padding behind them. Of copies, that is
    /// the last packet before they arrive again. What the node itself had, and what stays with it, counts
    /// nothing. Sums that it sends on count once, however often it adds to them, from the first arrival.
    pub forwarding_bits: Vec<u64>,
    /// How many packets there are.
    pub packets: usize,
    /// How many bits cross wires, padding included.
    pub bits: u64,
}

impl Judgement {
    /// The most bits that any node keeps at once only to send them on.
    #[must_use]
    pub fn peak_forwarding_bits(&self) -> u64 {
        self.forwarding_bits.iter().copied().max().unwrap_or(0)
    }
}

/// Checks any list of sends, in any order. Packets go between neighbours, with the start-up of the cube,
/// and are not shorter than what is in them. A wire carries one packet at a time, and nodes keep to their
/// port model from the begin to the end of every packet. A node sends only what it had or has received
/// wholly, and bits of a message to one node only if it has not sent them away. At the end every message
/// is where it is to be, and every sum has every value.
///
/// # Errors
///
/// The first violation, by bit time.
pub fn check(task: &Task, sends: &[Send]) -> Result<Judgement, Violation> {
    let nodes = cube(task.dims)?;
    let lengths: BTreeMap<Message, u64> = task.messages.iter().copied().collect();
    for &message in lengths.keys() {
        if let Some(node) = ends(message).into_iter().find(|node| *node >= nodes) {
            return Err(Violation::NoSuchNode {
                begin: 0,
                node,
                nodes,
            });
        }
    }
    let mut sends: Vec<&Send> = sends.iter().collect();
    sends.sort_by_key(|send| (send.begin, send.from, send.to));
    for send in &sends {
        exists(send, nodes, task.start_up)?;
        bits_exist(send, &lengths)?;
    }
    keeps_to(task.ports, &sends)?;
    let mut holdings = Holdings::new(nodes, &task.messages);
    for send in &sends {
        holdings.carry(send)?;
    }
    for (&message, &bits) in &lengths {
        delivered(&holdings, nodes, message, bits)?;
    }
    Ok(Judgement {
        bit_times: sends.iter().map(|send| send.end()).max().unwrap_or(0),
        forwarding_bits: holdings.peaks(),
        packets: sends.len(),
        bits: sends
            .iter()
            .fold(0, |sum, send| sum.saturating_add(send.units)),
    })
}

/// The number of nodes, if there is such a cube.
pub(super) fn cube(dims: usize) -> Result<usize, Violation> {
    if (1..=MOST_DIMS).contains(&dims) {
        Ok(1 << dims)
    } else {
        Err(Violation::Dims {
            dims,
            most: MOST_DIMS,
        })
    }
}

/// The nodes that a message names.
fn ends(message: Message) -> Vec<usize> {
    match message {
        Message::Personal {
            source,
            destination,
        }
        | Message::Flooded {
            source,
            destination,
        } => vec![source, destination],
        Message::Broadcast { source } => vec![source],
        Message::PartialSum { owner } => vec![owner],
    }
}

/// Whether there are such nodes and such a wire, and the packet is as long as it has to be.
fn exists(send: &Send, nodes: usize, start_up: u64) -> Result<(), Violation> {
    let &Send {
        begin, from, to, ..
    } = send;
    if let Some(node) = [from, to].into_iter().find(|node| *node >= nodes) {
        return Err(Violation::NoSuchNode { begin, node, nodes });
    }
    if !(from ^ to).is_power_of_two() {
        return Err(Violation::NotNeighbours { begin, from, to });
    }
    if send.start_up != start_up {
        return Err(Violation::StartUp {
            begin,
            from,
            to,
            found: send.start_up,
            needed: start_up,
        });
    }
    let needed = send
        .items
        .iter()
        .fold(0, |sum: u64, run| sum.saturating_add(run.units()));
    if send.units < needed {
        return Err(Violation::TooShort {
            begin,
            from,
            to,
            units: send.units,
            needed,
        });
    }
    Ok(())
}

/// Whether everything that is in a packet is part of a message.
fn bits_exist(send: &Send, lengths: &BTreeMap<Message, u64>) -> Result<(), Violation> {
    for run in &send.items {
        let bits = lengths.get(&run.message).copied().unwrap_or(0);
        if run.bits.end > bits && !run.bits.is_empty() {
            return Err(Violation::NoSuchBit {
                begin: send.begin,
                from: send.from,
                to: send.to,
                message: run.message,
                bit: bits.max(run.bits.start),
            });
        }
    }
    Ok(())
}

/// What carries one packet at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Resource {
    /// A wire.
    Wire(usize, usize),
    /// All outgoing wires of a node.
    Outputs(usize),
    /// All incoming wires of a node.
    Inputs(usize),
    /// All wires of a node.
    Node(usize),
}

/// Whether no wire carries two packets at once, and no node uses more ports than the model allows.
fn keeps_to(ports: Ports, sends: &[&Send]) -> Result<(), Violation> {
    let mut free: BTreeMap<Resource, u64> = BTreeMap::new();
    for send in sends {
        let &&Send {
            begin, from, to, ..
        } = send;
        let mut needs = BTreeSet::from([Resource::Wire(from, to)]);
        match ports {
            Ports::OneWay => needs.extend([Resource::Node(from), Resource::Node(to)]),
            Ports::TwoWay => needs.extend([Resource::Outputs(from), Resource::Inputs(to)]),
            Ports::All => {}
        }
        for resource in needs {
            let until = free.insert(resource, send.end()).unwrap_or(0);
            if until <= begin {
                continue;
            }
            return Err(match resource {
                Resource::Wire(..) => Violation::WireInUse {
                    begin,
                    from,
                    to,
                    until,
                },
                Resource::Outputs(node) | Resource::Inputs(node) | Resource::Node(node) => {
                    Violation::TooManyPorts {
                        begin,
                        from,
                        to,
                        node,
                        until,
                        ports,
                    }
                }
            });
        }
    }
    Ok(())
}

/// Whether a message is where it is to be.
fn delivered(
    holdings: &Holdings,
    nodes: usize,
    message: Message,
    bits: u64,
) -> Result<(), Violation> {
    let wanted = match message {
        Message::Personal { destination, .. } | Message::Flooded { destination, .. } => {
            destination..destination + 1
        }
        Message::Broadcast { .. } => 0..nodes,
        Message::PartialSum { owner } => owner..owner + 1,
    };
    for node in wanted {
        if let Some(bit) = holdings.missing(node, message, bits) {
            return Err(Violation::Missing { node, message, bit });
        }
    }
    if let Message::PartialSum { owner } = message
        && let Some((bit, node)) = holdings.missing_value(owner, bits)
    {
        return Err(Violation::MissingValue { owner, bit, node });
    }
    Ok(())
}
