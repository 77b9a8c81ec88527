//! How the nodes of a network without a layout of its own lie in lane groups: one after the other, by their numbers.
//!
//! What comes over a link is then what all nodes send, moved on by the distance between its ends. In a grid there are two such
//! distances, of which the second is that over the wrap:
//!
//! ```text
//!   nodes of radix 4, dimension 0     0 1 2 3 | 4 5 6 7 | ...
//!   sent over plus_0                  a b c d   e f g h
//!   moved on by 1                     . a b c   d e f g        but for the nodes of digit 0,
//!   moved back by 3                   d e f g   h . . .        which take this
//!   received                          d a b c   h e f g
//! ```
//!
//! Where there are many distances, as in a network whose links somebody has drawn by hand, bits are gathered one by one.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::language::lanes::Lanes;

/// Bits of a word in which lanes are read.
const WORD: usize = 64;

/// The most distances between the ends of a link that are sooner moved over than gathered bit by bit.
const MOST_MOVES: usize = 12;

/// A bit for each node of a network, over and over, so that the 64 from any node on can be taken at once.
#[derive(Clone, Debug)]
struct Plane(Vec<u64>);

impl Plane {
    fn of(nodes: usize, bit: impl Fn(usize) -> bool) -> Self {
        let mut words = vec![0; (nodes + WORD).div_ceil(WORD) + 1];
        for place in 0..nodes + WORD {
            words[place / WORD] |= u64::from(bit(place % nodes)) << (place % WORD);
        }
        Plane(words)
    }

    /// The bits of the 64 nodes from one on.
    #[inline]
    fn from(&self, node: usize) -> u64 {
        joined(self.0[node / WORD], self.0[node / WORD + 1], node % WORD)
    }
}

/// 64 bits of two words, from a bit of the first on.
#[inline]
fn joined(low: u64, high: u64, from: usize) -> u64 {
    match from {
        0 => low,
        _ => low >> from | high << (WORD - from),
    }
}

/// Where what nodes receive over a link comes from.
#[derive(Clone, Debug)]
struct Road {
    /// By node: the one from which it comes; itself where none does.
    from: Vec<u32>,
    /// By distance from who sends to who receives: who receives so. Empty where there are too many.
    moves: Vec<(isize, Plane)>,
}

impl Road {
    fn of(nodes: usize, sender: impl Fn(usize) -> Option<usize>) -> Self {
        let from: Vec<u32> = (0..nodes)
            .map(|node| sender(node).unwrap_or(node) as u32)
            .collect();
        let mut moves: BTreeMap<isize, Vec<bool>> = BTreeMap::new();
        for (node, &from) in from.iter().enumerate() {
            let distance = node as isize - from as isize;
            if distance != 0 {
                moves.entry(distance).or_insert_with(|| vec![false; nodes])[node] = true;
            }
        }
        let is_gathered = moves.len() > MOST_MOVES;
        let moves = moves.into_iter().filter(|_| !is_gathered);
        Road {
            from,
            moves: moves
                .map(|(distance, receives)| (distance, Plane::of(nodes, |node| receives[node])))
                .collect(),
        }
    }
}

/// The order of nodes in lanes of any width.
#[derive(Clone, Debug)]
pub struct Lay {
    nodes: usize,
    /// By link: the way that its bits go, and the way back of its credits.
    roads: Arc<[[Road; 2]]>,
    /// By bit of the address.
    address: Arc<[Plane]>,
}

impl Lay {
    /// For so many nodes and links, whose addresses have so many bits: `near` is the node from which a link comes to a node, `far`
    /// the one to which it leads, `bit` one of an address.
    pub fn of(
        (nodes, links, address_bits): (usize, usize, usize),
        near: impl Fn(usize, usize) -> Option<usize>,
        far: impl Fn(usize, usize) -> Option<usize>,
        bit: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let road = |link| {
            [
                Road::of(nodes, |node| near(node, link)),
                Road::of(nodes, |node| far(node, link)),
            ]
        };
        let address = |place| Plane::of(nodes, |node| bit(node, place));
        Lay {
            nodes,
            roads: (0..links).map(road).collect(),
            address: (0..address_bits).map(address).collect(),
        }
    }

    /// Lane groups of so many machines.
    pub fn groups<B: Lanes>(&self, machines: usize) -> usize {
        (machines * self.nodes).div_ceil(B::NODES)
    }

    /// What the nodes of a group receive on a wire over a link, on which other nodes send; `back`: what comes from where the link
    /// leads, as credits do. `wires[group * driven + wire]` is what each group drives.
    // Apart, so that other networks' wires stay short.
    #[inline(never)]
    pub fn receive<B: Lanes>(
        &self,
        wires: &[B],
        (driven, group, wire): (usize, usize, usize),
        link: usize,
        back: bool,
    ) -> B {
        let road = &self.roads[link][usize::from(back)];
        let mut received = B::ZERO;
        if B::NODES < WORD || road.moves.is_empty() {
            for place in 0..B::NODES {
                let all = group * B::NODES + place;
                let (first, node) = (all - all % self.nodes, all % self.nodes);
                let from = first + road.from[node] as usize;
                if from != all
                    && let Some(sent) = wires.get(from / B::NODES * driven + wire)
                {
                    received.set(place, sent.get(from % B::NODES));
                }
            }
            return received;
        }
        let words = (wires.len() / driven * B::WORDS) as isize;
        let sent = |index: isize| match (0..words).contains(&index) {
            true => {
                let index = index as usize;
                wires[index / B::WORDS * driven + wire].word(index % B::WORDS)
            }
            false => 0,
        };
        let moved = |first: isize| {
            let (index, from) = (
                first.div_euclid(WORD as isize),
                first.rem_euclid(WORD as isize) as usize,
            );
            match from {
                0 => sent(index),
                _ => joined(sent(index), sent(index + 1), from),
            }
        };
        for index in 0..B::WORDS {
            let first = WORD * (group * B::WORDS + index);
            let node = first % self.nodes;
            let moves = road.moves.iter();
            let word = moves.fold(0, |word, (distance, receives)| {
                word | moved(first as isize - distance) & receives.from(node)
            });
            received.set_word(index, word);
        }
        received
    }

    /// The addresses of a group's nodes, bit by bit.
    #[inline]
    pub fn address<B: Lanes>(&self, group: usize, address: &mut [B]) {
        for (to, plane) in address.iter_mut().zip(&*self.address) {
            if B::NODES < WORD {
                for place in 0..B::NODES {
                    let node = (group * B::NODES + place) % self.nodes;
                    to.set(place, plane.from(node) & 1 == 1);
                }
                continue;
            }
            for index in 0..B::WORDS {
                let first = WORD * (group * B::WORDS + index);
                to.set_word(index, plane.from(first % self.nodes));
            }
        }
    }
}
