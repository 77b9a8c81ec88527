//! Worms: headers, pieces, and what becomes of them.

use super::butterflies::Line;
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
    /// What the switches read.
    pub header: Vec<bool>,
    /// What the host at the destination receives.
    pub body: Vec<bool>,
    /// Header bits read so far.
    pub consumed: usize,
    /// Datelines crossed so far, of butterflies in the line in which it is.
    pub datelines: usize,
    /// Of butterflies, that line.
    pub line: Line,
    /// Where its way is given and links lead from node to node, each hop's phase, or class if there is a table, and link.
    pub way: Vec<(usize, usize)>,
    /// What has arrived.
    pub received: Vec<bool>,
    /// When.
    pub times: Piece,
}

/// One bit of a worm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flit {
    /// Which worm.
    pub worm: usize,
    /// Its place in the worm; header bits count.
    pub place: usize,
    /// 0 or 1.
    pub value: bool,
    /// The last of its worm.
    pub tail: bool,
}

impl Worm {
    /// Header and body.
    pub fn length(&self) -> usize {
        self.header.len() + self.body.len()
    }

    /// The bit at `place`; `worm` is this worm's number.
    pub fn flit(&self, worm: usize, place: usize) -> Flit {
        let header = self.header.len();
        Flit {
            worm,
            place,
            value: match place < header {
                true => self.header[place],
                false => self.body[place - header],
            },
            tail: place + 1 == self.length(),
        }
    }
}

/// The worms of all messages, each host's in the order in which it sends them.
pub fn worms(plan: &Plan, messages: &[Message], variant: Variant) -> Result<Vec<Worm>, Violation> {
    let mut order: Vec<usize> = (0..messages.len()).collect();
    order.sort_by_key(|&message| messages[message].created);
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
        let overheads: Vec<usize> = (0..plan.copies)
            .map(|copy| match plan.machine.pieces {
                Pieces::Even => 0,
                Pieces::ByWay => overhead(plan, message, copy),
            })
            .collect();
        if message.bits.is_empty() {
            return Err(Violation::NoBits { message: index });
        }
        let pieces = cut(&message.bits, &overheads).into_iter().enumerate();
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
            worms.push(Worm {
                message: index,
                piece,
                source,
                destination,
                created: message.created,
                times: Piece {
                    header_bits: header.len(),
                    body_bits: body.len(),
                    ..Piece::default()
                },
                header,
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

/// What a piece on a copy adds to the bit times of its bits: its header, and on each hop a connection and a wire. With
/// buffers of one bit all but the hops takes twice as long, so a hop is half as much.
fn overhead(plan: &Plan, message: &Message, copy: usize) -> usize {
    let (Network::Copies { levels, .. } | Network::CubeConnectedCycles { levels }) =
        plan.machine.network
    else {
        return 0;
    };
    let vertex = |node: usize| plan.switches[node * plan.copies + copy].vertex;
    let header = ccc_header(levels, vertex(message.source), vertex(message.destination));
    let visits = header.chunks(2);
    let crosses = visits.clone().filter(|visit| visit[0]).count();
    let hops = visits.len() - 1 + crosses;
    match plan.machine.buffer_bits {
        1 => header.len() + hops,
        _ => header.len() + 2 * hops,
    }
}

/// Consecutive bits for each piece, so that the largest sum of bits and overhead is small: the next bit to the first piece
/// with the least.
pub fn cut(bits: &[bool], overheads: &[usize]) -> Vec<Vec<bool>> {
    let mut lengths = vec![0; overheads.len()];
    for _ in bits {
        let pieces = overheads.iter().zip(&mut lengths);
        let next = pieces.min_by_key(|(overhead, length)| *overhead + **length);
        next.into_iter().for_each(|(_, length)| *length += 1);
    }
    let mut rest = bits.iter().copied();
    let take = |length| rest.by_ref().take(length).collect();
    lengths.into_iter().map(take).collect()
}

/// At every level that is visited: whether to cross, and then whether to eject. Vertices are
/// `(level, column)`.
pub fn ccc_header(levels: usize, source: (usize, usize), destination: (usize, usize)) -> Vec<bool> {
    let (mut level, mut column) = source;
    let mut header = Vec::new();
    loop {
        let bit = 1 << level;
        let cross = column & bit != destination.1 & bit;
        if cross {
            column ^= bit;
        }
        let eject = (level, column) == destination;
        header.extend([cross, eject]);
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
