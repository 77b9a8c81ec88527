//! Worms: headers, pieces, and what becomes of them.

use super::butterflies::Line;
use super::flits::{self, Flit};
use super::network::Plan;
use super::{Arrival, Message, Network, Piece, Pieces, Variant, Violation};

/// A header and a body under way.
#[derive(Clone, Debug)]
pub struct Worm {
    /// Which message it is of.
    pub message: usize,
    /// Which piece.
    pub piece: usize,
    /// The switch at which it starts.
    pub source: usize,
    /// The switch that ejects it.
    pub destination: usize,
    /// When it may start.
    pub created: u64,
    /// What the host sends: what the switches read, and then what the host at the destination receives.
    pub flits: Vec<u64>,
    /// How many of them are the header.
    pub header: usize,
    /// The bits of the body.
    pub body: Vec<bool>,
    /// Header flits read so far.
    pub consumed: usize,
    /// Datelines crossed so far, of butterflies in the line in which it is.
    pub datelines: usize,
    /// Of butterflies, that line.
    pub line: Line,
    /// Where its way is given and links lead from node to node, each hop's phase, or class if there is a table, and link.
    pub way: Vec<(usize, usize)>,
    /// The flits that have arrived.
    pub received: Vec<u64>,
    /// When.
    pub times: Piece,
}

impl Worm {
    /// The flit at `place`; `worm` is this worm's number.
    pub fn flit(&self, worm: usize, place: usize) -> Flit {
        Flit {
            worm,
            place,
            value: self.flits[place],
            tail: place + 1 == self.flits.len(),
        }
    }

    /// What has arrived are the first bits of the body, behind the last one 0; all of them, if its tail has.
    pub fn is_unchanged(&self, wires: usize) -> bool {
        flits::carry(&self.received, wires, &self.body)
            && (self.times.tail_arrived.is_none()
                || self.received.len() == self.body.len().div_ceil(wires))
    }
}

/// The worms of all messages, each host's in the order in which it sends them.
pub fn worms(plan: &Plan, messages: &[Message], variant: Variant) -> Result<Vec<Worm>, Violation> {
    let mut order: Vec<usize> = (0..messages.len()).collect();
    order.sort_by_key(|&message| messages[message].created);
    let wires = plan.machine.wire_bits;
    let mut worms = Vec::new();
    for index in order {
        let message = &messages[index];
        for node in [message.source, message.destination] {
            if node >= plan.nodes {
                return Err(Violation::NoSuchNode {
                    message: index,
                    node,
                    nodes: plan.nodes,
                });
            }
        }
        if message.bits.is_empty() {
            return Err(Violation::NoBits { message: index });
        }
        let pieces = pieces(plan, message).into_iter().enumerate();
        for (piece, body) in pieces.filter(|(_, body)| !body.is_empty()) {
            let source = message.source * plan.copies + piece;
            let destination = message.destination * plan.copies + piece;
            let way = way(plan, index, message)?;
            let header = match plan.machine.network {
                Network::Hypercube { .. } | Network::Grid { .. } | Network::Listed(_) => {
                    (plan.links.as_ref())
                        .map(|links| links.header(source, destination, &way))
                        .unwrap_or_default()
                }
                Network::Butterflies { .. } => (plan.product.as_ref())
                    .map(|product| product.header(message.source, message.destination))
                    .unwrap_or_default(),
                Network::CubeConnectedCycles { levels } | Network::Copies { levels, .. } => {
                    let mut ends = [source, destination].map(|switch| plan.switches[switch].vertex);
                    if variant == Variant::EjectsEarly {
                        ends[1].0 = (ends[1].0 + levels - 1) % levels;
                    }
                    ccc_header(levels, ends[0], ends[1])
                }
            };
            let mut flits = flits::pack_header(&header, wires, variant);
            let header_flits = flits.len();
            flits.extend(flits::pack_body(&body, wires, variant));
            worms.push(Worm {
                message: index,
                piece,
                source,
                destination,
                created: message.created,
                times: Piece {
                    header_bits: header.concat().len(),
                    body_bits: body.len(),
                    ..Piece::default()
                },
                flits,
                header: header_flits,
                body,
                consumed: 0,
                datelines: 0,
                line: Line::Row,
                way,
                received: Vec::new(),
            });
        }
    }
    Ok(worms)
}

/// Where links lead from node to node, the way of a message, and by the node that it names if it goes in two phases.
fn way(plan: &Plan, index: usize, message: &Message) -> Result<Vec<(usize, usize)>, Violation> {
    let Some(links) = &plan.links else {
        return Ok(Vec::new());
    };
    let via = links.via(message);
    if via >= plan.nodes {
        return Err(Violation::NoSuchNode {
            message: index,
            node: via,
            nodes: plan.nodes,
        });
    }
    Ok(links.way([message.source, via, message.destination]))
}

/// The bits of each piece of a message.
fn pieces(plan: &Plan, message: &Message) -> Vec<Vec<bool>> {
    match plan.machine.pieces {
        Pieces::Even => cut(&message.bits, &vec![0; plan.copies], 1),
        Pieces::ByWay => {
            let overhead = |copy| overhead(plan, message, copy);
            let overheads: Vec<usize> = (0..plan.copies).map(overhead).collect();
            cut(&message.bits, &overheads, plan.machine.wire_bits)
        }
    }
}

/// What a piece on a copy adds to the bit times of its flits: its header, and on each hop a connection and a wire. With
/// buffers of one flit all but the hops takes twice as long, so a hop is half as much.
fn overhead(plan: &Plan, message: &Message, copy: usize) -> usize {
    let (Network::Copies { levels, .. } | Network::CubeConnectedCycles { levels }) =
        plan.machine.network
    else {
        return 0;
    };
    let vertex = |node: usize| plan.switches[node * plan.copies + copy].vertex;
    let header = ccc_header(levels, vertex(message.source), vertex(message.destination));
    // Every channel on the way asks something.
    let hops = header.len() - 1;
    let flits = flits::pack_header(&header, plan.machine.wire_bits, Variant::Correct).len();
    match plan.machine.buffer_bits {
        1 => flits + hops,
        _ => flits + 2 * hops,
    }
}

/// Consecutive bits for each piece, so that the largest sum of flits and overhead is small: the next bit to the first piece
/// that has the least with it. So a flit that has been begun is filled first.
pub fn cut(bits: &[bool], overheads: &[usize], wires: usize) -> Vec<Vec<bool>> {
    let mut lengths = vec![0usize; overheads.len()];
    for _ in bits {
        let pieces = overheads.iter().zip(&mut lengths);
        let next =
            pieces.min_by_key(|(overhead, length)| *overhead + (**length + 1).div_ceil(wires));
        next.into_iter().for_each(|(_, length)| *length += 1);
    }
    let mut rest = bits.iter().copied();
    let take = |length| rest.by_ref().take(length).collect();
    lengths.into_iter().map(take).collect()
}

/// At every level that is visited: whether to cross, and then whether to eject; for each channel its answers. One that has
/// come by a cross link is not asked whether to cross. Vertices are `(level, column)`.
pub fn ccc_header(
    levels: usize,
    source: (usize, usize),
    destination: (usize, usize),
) -> Vec<Vec<bool>> {
    let (mut level, mut column) = source;
    let mut header = Vec::new();
    loop {
        let bit = 1 << level;
        let cross = column & bit != destination.1 & bit;
        if cross {
            column ^= bit;
        }
        let eject = (level, column) == destination;
        match cross {
            true => header.extend([vec![true], vec![eject]]),
            false => header.push(vec![false, eject]),
        }
        if eject {
            return header;
        }
        level = (level + 1) % levels;
    }
}

/// Puts the pieces of each message together again.
pub fn arrivals(worms: Vec<Worm>, messages: usize) -> Vec<Arrival> {
    let mut pieces = vec![Vec::new(); messages];
    for worm in worms {
        // A message's worms are in order of piece.
        pieces[worm.message].push(worm.times);
    }
    let arrival = |pieces: Vec<Piece>| Arrival {
        injected: pieces.iter().filter_map(|piece| piece.injected).min(),
        head_arrived: pieces.iter().filter_map(|piece| piece.head_arrived).min(),
        tail_arrived: match pieces.iter().all(|piece| piece.tail_arrived.is_some()) {
            true => pieces.iter().filter_map(|piece| piece.tail_arrived).max(),
            false => None,
        },
        pieces,
    };
    pieces.into_iter().map(arrival).collect()
}
