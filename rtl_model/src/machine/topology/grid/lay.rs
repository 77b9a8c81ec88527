//! How the nodes of a grid lie in lane groups: one after the other, by their numbers.
//!
//! What comes over a link is then what all nodes send, moved on by the distance between neighbours, and over the wrap moved back
//! by all digits but one:
//!
//! ```text
//!   nodes of radix 4, dimension 0     0 1 2 3 | 4 5 6 7 | ...
//!   sent over plus_0                  a b c d   e f g h
//!   moved on by 1                     . a b c   d e f g        but for the nodes of digit 0,
//!   moved back by 3                   d e f g   h . . .        which take this
//!   received                          d a b c   h e f g
//! ```

use std::sync::Arc;

use crate::language::lanes::Lanes;
use crate::machine::topology::grid::{Grid, Way};

/// Bits of a word in which lanes are read.
const WORD: usize = 64;

/// A bit for each node of a grid, over and over, so that the 64 from any node on can be taken at once.
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

/// The order of nodes in lanes of any width.
#[derive(Clone, Debug)]
pub struct Lay {
    grid: Grid,
    nodes: usize,
    /// By link: the nodes to which it leads over the wrap.
    behind_wrap: Arc<[Plane]>,
    /// By bit of the address.
    address: Arc<[Plane]>,
}

impl Lay {
    /// For a grid.
    pub fn of(grid: Grid) -> Self {
        let nodes = grid.nodes();
        let behind_wrap = |link| Plane::of(nodes, |node| grid.is_at_end(node, link ^ 1));
        let address = |bit| Plane::of(nodes, |node| grid.address(node) >> bit & 1 == 1);
        Lay {
            grid,
            nodes,
            behind_wrap: (0..grid.links()).map(behind_wrap).collect(),
            address: (0..grid.address_bits()).map(address).collect(),
        }
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
        // Where a link leads, its opposite comes from.
        let link = link ^ usize::from(back);
        let mut received = B::ZERO;
        if B::NODES < WORD {
            for place in 0..B::NODES {
                let all = group * B::NODES + place;
                let (first, node) = (all - all % self.nodes, all % self.nodes);
                if self.grid.has_link(node, link ^ 1) {
                    let from = first + self.grid.near(node, link);
                    if let Some(sent) = wires.get(from / B::NODES * driven + wire) {
                        received.set(place, sent.get(from % B::NODES));
                    }
                }
            }
            return received;
        }
        let (dimension, way) = self.grid.way(link);
        let stride = self.grid.radix().pow(dimension as u32) as isize;
        let round = stride * (self.grid.radix() as isize - 1);
        let (on, back) = match way {
            Way::Plus => (-stride, round),
            Way::Minus => (stride, -round),
        };
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
            let behind = self.behind_wrap[link].from(first % self.nodes);
            let mut word = moved(first as isize + on) & !behind;
            if self.grid.wraps() {
                word |= moved(first as isize + back) & behind;
            }
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
