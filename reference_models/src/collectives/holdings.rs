//! Which bits each node has, since when, and what it keeps only to send it on.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::violation::Violation;
use super::{Message, Run, Send};

/// Bits of a message in a node.
#[derive(Clone, Debug)]
struct Piece {
    /// Which.
    bits: Range<u64>,
    /// Padding behind them.
    padding: u64,
    /// From when on they may be sent.
    available: u64,
    /// When they began to arrive, if they are not the node's own.
    arrived: Option<u64>,
    /// The end of the last sending of copies.
    last_sent: Option<u64>,
    /// Whose values are in them, if they are sums.
    values: BTreeSet<usize>,
}

/// Everything that the nodes have.
pub(super) struct Holdings {
    nodes: Vec<BTreeMap<Message, Vec<Piece>>>,
    /// Changes of the forwarding buffer of each node: when, and by how many bits.
    changes: Vec<Vec<(u64, i128)>>,
}

impl Holdings {
    /// Before the first send.
    pub(super) fn new(nodes: usize, messages: &[(Message, u64)]) -> Holdings {
        let mut holdings = Holdings {
            nodes: vec![BTreeMap::new(); nodes],
            changes: vec![Vec::new(); nodes],
        };
        for &(message, bits) in messages {
            let own = |values: BTreeSet<usize>| Piece {
                bits: 0..bits,
                padding: 0,
                available: 0,
                arrived: None,
                last_sent: None,
                values,
            };
            match message {
                Message::Personal { source, .. }
                | Message::Flooded { source, .. }
                | Message::Broadcast { source } => {
                    holdings.nodes[source].insert(message, vec![own(BTreeSet::new())]);
                }
                Message::PartialSum { .. } => {
                    for node in 0..nodes {
                        holdings.nodes[node].insert(message, vec![own(BTreeSet::from([node]))]);
                    }
                }
            }
        }
        holdings
    }

    /// Takes what is in a packet from its sender to its receiver. Packets have to be given in order of
    /// their begin.
    pub(super) fn carry(&mut self, send: &Send) -> Result<(), Violation> {
        for run in &send.items {
            let values = self.take(send, run)?;
            self.put(send, run, values)?;
        }
        Ok(())
    }

    /// Takes a run from the sender. Of copies of a bit it takes the last that arrived, and of sums all.
    fn take(&mut self, send: &Send, run: &Run) -> Result<BTreeSet<usize>, Violation> {
        let mut values = BTreeSet::new();
        let pieces = self.nodes[send.from].entry(run.message).or_default();
        split(pieces, run.bits.start);
        split(pieces, run.bits.end);
        let mut position = run.bits.start;
        while position < run.bits.end {
            let here =
                |piece: &Piece| piece.bits.contains(&position) && piece.available <= send.begin;
            let Some(last) = (0..pieces.len())
                .filter(|index| here(&pieces[*index]))
                .max_by_key(|index| pieces[*index].available)
            else {
                return Err(Violation::NotHeld {
                    begin: send.begin,
                    from: send.from,
                    to: send.to,
                    message: run.message,
                    bit: position,
                });
            };
            let end = pieces[last].bits.end;
            match run.message {
                Message::Personal { .. } => {
                    let piece = pieces.swap_remove(last);
                    kept(&mut self.changes[send.from], &piece, send.end());
                }
                Message::Flooded { .. } | Message::Broadcast { .. } => {
                    let piece = &mut pieces[last];
                    piece.last_sent = piece.last_sent.max(Some(send.end()));
                }
                Message::PartialSum { .. } => {
                    let (sent, left): (Vec<Piece>, Vec<Piece>) =
                        std::mem::take(pieces).into_iter().partition(here);
                    *pieces = left;
                    let first = sent.iter().filter(|piece| piece.arrived.is_some());
                    if let Some(first) = first.min_by_key(|piece| piece.arrived) {
                        kept(&mut self.changes[send.from], first, send.end());
                    }
                    values.extend(sent.into_iter().flat_map(|piece| piece.values));
                }
            }
            position = end;
        }
        Ok(values)
    }

    /// Gives a run to the receiver, which has it from the end of the packet on.
    fn put(&mut self, send: &Send, run: &Run, values: BTreeSet<usize>) -> Result<(), Violation> {
        if run.bits.is_empty() {
            return Ok(());
        }
        let pieces = self.nodes[send.to].entry(run.message).or_default();
        if matches!(run.message, Message::Broadcast { .. }) {
            let overlap =
                |piece: &&Piece| piece.bits.start < run.bits.end && run.bits.start < piece.bits.end;
            if let Some(piece) = pieces.iter().find(overlap) {
                return Err(Violation::Redundant {
                    begin: send.begin,
                    from: send.from,
                    to: send.to,
                    message: run.message,
                    bit: piece.bits.start.max(run.bits.start),
                });
            }
        }
        let mut piece = Piece {
            bits: run.bits.clone(),
            padding: run.padding,
            available: send.end(),
            arrived: Some(send.arrives()),
            last_sent: None,
            values,
        };
        if matches!(run.message, Message::PartialSum { .. }) {
            // Every bit of the sums of a packet has to have its own pieces, as those of the node have.
            split(pieces, piece.bits.start);
            split(pieces, piece.bits.end);
            let mut cuts: Vec<u64> = pieces.iter().map(|piece| piece.bits.start).collect();
            cuts.sort_unstable();
            cuts.dedup();
            for cut in cuts.into_iter().rev() {
                if piece.bits.start < cut && cut < piece.bits.end {
                    pieces.push(piece.split_off(cut));
                }
            }
        }
        pieces.push(piece);
        Ok(())
    }

    /// The first bit of a message that a node does not have.
    pub(super) fn missing(&self, node: usize, message: Message, bits: u64) -> Option<u64> {
        let mut ranges: Vec<Range<u64>> = self
            .pieces(node, message)
            .map(|it| it.bits.clone())
            .collect();
        ranges.sort_unstable_by_key(|range| range.start);
        let mut position = 0;
        for range in ranges {
            if range.start <= position {
                position = position.max(range.end);
            }
        }
        (position < bits).then_some(position)
    }

    /// The first bit of the sums in a node that lacks the value of a node, and whose value it is.
    pub(super) fn missing_value(&self, owner: usize, bits: u64) -> Option<(u64, usize)> {
        let message = Message::PartialSum { owner };
        let mut cuts: Vec<u64> = self
            .pieces(owner, message)
            .map(|it| it.bits.start)
            .collect();
        cuts.sort_unstable();
        cuts.dedup();
        for bit in cuts.into_iter().filter(|bit| *bit < bits) {
            let mut found = vec![false; self.nodes.len()];
            let here = self
                .pieces(owner, message)
                .filter(|it| it.bits.contains(&bit));
            for node in here.flat_map(|piece| &piece.values) {
                found[*node] = true;
            }
            if let Some(node) = found.iter().position(|found| !found) {
                return Some((bit, node));
            }
        }
        None
    }

    /// What a node has of a message.
    fn pieces(&self, node: usize, message: Message) -> impl Iterator<Item = &Piece> {
        self.nodes[node].get(&message).into_iter().flatten()
    }

    /// The most bits that each node keeps at once only to send them on.
    pub(super) fn peaks(mut self) -> Vec<u64> {
        for (node, changes) in self.nodes.iter().zip(&mut self.changes) {
            for piece in node.values().flatten() {
                if let Some(end) = piece.last_sent {
                    kept(changes, piece, end);
                }
            }
        }
        self.changes.into_iter().map(peak).collect()
    }
}

impl Piece {
    /// Cuts off what is from a bit on, with the padding.
    fn split_off(&mut self, bit: u64) -> Piece {
        let mut behind = self.clone();
        behind.bits.start = bit;
        self.bits.end = bit;
        self.padding = 0;
        behind
    }
}

/// Cuts the pieces at a bit.
fn split(pieces: &mut Vec<Piece>, bit: u64) {
    for index in 0..pieces.len() {
        if pieces[index].bits.start < bit && bit < pieces[index].bits.end {
            let behind = pieces[index].split_off(bit);
            pieces.push(behind);
        }
    }
}

/// Notes that a piece which is not the node's own was kept until it was sent.
fn kept(changes: &mut Vec<(u64, i128)>, piece: &Piece, until: u64) {
    if let Some(since) = piece.arrived {
        let bits = i128::from(piece.bits.end - piece.bits.start + piece.padding);
        changes.push((since, bits));
        changes.push((until, -bits));
    }
}

/// The highest sum of changes. At the same time, what goes goes first.
fn peak(mut changes: Vec<(u64, i128)>) -> u64 {
    changes.sort_unstable();
    let mut level = 0;
    let mut highest = 0;
    for (_, change) in changes {
        level += change;
        highest = highest.max(level);
    }
    u64::try_from(highest).unwrap_or(u64::MAX)
}
