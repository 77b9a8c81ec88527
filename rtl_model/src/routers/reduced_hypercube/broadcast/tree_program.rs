//! The double-rooted tree program in hardware: every node finds out over which of its ports the root lies, and over which its children
//! (thesis, section 2.1.1, mended: inverse transformations run first, and relations of ports move along with ids).
//!
//! ```text
//!   strobe    what happens                                               bit times
//!   load      id := address                                              1       only from 4 ports on
//!   prepare   the inverse transformations, ports d-1 .. 3; the ring of id goes up     d-3
//!   begin     relations of ports 0, 1, 2 from the table of three-level trees          1
//!   merge     two trees become one over port 3 .. d-1; both rings go down             d-3
//! ```
//!
//! ```text
//!               port 3 .. d-1: rings                        ports 2, 1, 0
//!   id          [ d-1 ] .. [ 3 ]  <-- current port -->      [2] [1] [0]
//!   parent      [ d-1 ] .. [ 3 ]                            [2] [1] [0]
//!   child       [ d-1 ] .. [ 3 ]                            [2] [1] [0]
//! ```
//!
//! The rings turn, so the current port is always at the same place. The root is 0 and the spacer 4. With up to three ports there is a
//! table and no program.

use crate::language::bit::{Bit, any};
use crate::parts::word::Word;
use crate::{registers, strobes};

strobes! {
    /// What the program is told.
    #[derive(Clone, Debug)]
    pub struct TreeStrobes<S> {
        /// The address is loaded.
        pub load: S,
        /// The current port is the highest that is left: an inverse transformation.
        pub prepare: S,
        /// Three-level trees.
        pub begin: S,
        /// The current port joins two trees.
        pub merge: S,
    }
}

/// Ports that have places of their own; the others are in rings.
const FIXED: usize = 3;

/// Bit times that the program takes with so many ports.
pub fn bit_times(ports: usize) -> usize {
    match ports {
        0 => 0,
        1..=FIXED => 1,
        _ => 2 * (ports - FIXED) + 2,
    }
}

/// Bits of the address that the program transforms, with so many ports.
pub fn id_bits(ports: usize) -> usize {
    if ports > FIXED { ports } else { 0 }
}

/// Register bits of the program with so many ports.
pub fn storage_bits(ports: usize) -> usize {
    match ports {
        0..=FIXED => 2 * ports,
        _ => 3 * ports + 1,
    }
}

/// The registers of a node for one tree.
#[derive(Clone, Debug)]
pub struct TreeProgram<B: Bit> {
    ports: usize,
    id: Word<B>,
    parent: Word<B>,
    child: Word<B>,
    zero: Option<B>,
}
registers!(TreeProgram {
    id: "the node's address among those of the tree, transformed",
    parent: "over which port the root lies",
    child: "over which ports children lie",
    zero: "all ports from 3 up to the current one are 0 in the id",
});

/// Whether the number that these bits spell, the lowest first, is one of some.
fn is_one_of<B: Bit>(bits: &[B], numbers: &[usize]) -> B {
    any(numbers.iter().map(|number| {
        (bits.iter().enumerate()).fold(B::ONE, |is, (place, &bit)| {
            is & if number >> place & 1 == 1 { bit } else { !bit }
        })
    }))
}

/// Of trees of one, two and three ports: where each port's relation is parent, and where child.
const TABLES: [&[[&[usize]; 2]]; 3] = [
    &[[&[1], &[0]]],
    &[[&[1, 3], &[0, 2]], [&[2], &[0]]],
    &[
        [&[1, 7], &[0, 6]],
        [&[3, 6], &[1, 4]],
        [&[2, 4, 5], &[0, 1, 6]],
    ],
];

impl<B: Bit> TreeProgram<B> {
    /// Of so many ports, before it runs.
    pub fn new(ports: usize) -> Self {
        let is_program = ports > FIXED;
        TreeProgram {
            ports,
            id: Word::new(id_bits(ports), B::ZERO),
            parent: Word::new(ports, B::ZERO),
            child: Word::new(ports, B::ZERO),
            zero: is_program.then_some(B::ZERO),
        }
    }

    /// The address, as far as it is transformed; no bits where there is a table and no program.
    pub fn id(&self) -> &Word<B> {
        &self.id
    }

    /// 1 where the root lies over that port.
    #[inline]
    pub fn parent(&self, port: usize) -> B {
        self.parent[port]
    }

    /// 1 where a child lies over that port.
    #[inline]
    pub fn child(&self, port: usize) -> B {
        self.child[port]
    }

    /// The clock edge. `address` is the node's among those of the tree, the root's being 0.
    #[inline]
    pub fn clock(&mut self, strobes: &TreeStrobes<B::Strobe>, address: &[B]) {
        B::when(strobes.load, &mut self.id, |id| {
            for (port, bit) in address.iter().enumerate() {
                id[port] = *bit;
            }
        });
        B::when(strobes.prepare, &mut self.id, Self::prepare);
        B::when(strobes.begin, self, |tree| tree.begin(address));
        B::when(strobes.merge, self, Self::merge);
    }

    /// Undoes both transformations for the port on top of the ring, and turns the ring.
    fn prepare(id: &mut Word<B>) {
        let top = id.width() - 1;
        // The inverse of BT3 on the current port, 2 and 0.
        let (current, two, one, zero) = (id[2], !id[0], id[1], id[top]);
        // The inverse of FT3 on 2, 1 and 0, where the current port's bit is 1.
        let next = [
            current.mux(!two, zero),
            current.mux(zero, one),
            current.mux(one, two),
        ];
        for port in (FIXED + 1..=top).rev() {
            id[port] = id[port - 1];
        }
        id[FIXED] = current;
        for (port, bit) in next.into_iter().enumerate() {
            id[port] = bit;
        }
    }

    /// Three-level trees, or the whole of a smaller one.
    fn begin(&mut self, address: &[B]) {
        let fixed = self.ports.min(FIXED);
        let id: Vec<B> = (0..fixed)
            .map(|port| match self.ports > FIXED {
                true => self.id[port],
                false => address[port],
            })
            .collect();
        for (port, [parents, children]) in TABLES[fixed - 1].iter().enumerate() {
            self.parent[port] = is_one_of(&id, parents);
            self.child[port] = is_one_of(&id, children);
        }
        if let Some(zero) = &mut self.zero {
            *zero = B::ONE;
        }
    }

    /// Joins two trees over the port at the bottom of the rings, and turns them.
    fn merge(&mut self) {
        let current = self.id[FIXED];
        // FT3 in the upper half, of ports too.
        let turned = |word: &Word<B>, inverts: bool| {
            let [zero, one, two] = [word[0], word[1], word[2]];
            let to_two = if inverts { !zero } else { zero };
            [
                current.mux(one, zero),
                current.mux(two, one),
                current.mux(to_two, two),
            ]
        };
        let id = turned(&self.id, true);
        let mut parent = turned(&self.parent, false);
        let mut child = turned(&self.child, false);
        let zero = self.zero.unwrap_or(B::ZERO);
        let is = |numbers: &[usize]| zero & is_one_of(&[id[0], id[1], id[2], current], numbers);
        // The links that go, and those that come.
        parent[2] = (parent[2] & !is(&[4, 8, 12])) | is(&[0]);
        child[2] = (child[2] & !is(&[0, 8, 12])) | is(&[4]);
        parent[1] = parent[1] & !is(&[4, 6]);
        child[1] = child[1] & !is(&[4, 6]);
        let (new_parent, new_child) = (is(&[6, 8, 12]), is(&[0, 4, 14]));
        // BT3 on the current port, 2 and 0, of ports too.
        let renamed = |ring: B, [zero, one, two]: [B; 3], inverts: bool| {
            let to_zero = if inverts { !two } else { two };
            (zero, [to_zero, one, ring])
        };
        let (id_ring, id) = renamed(current, id, true);
        let (parent_ring, parent) = renamed(new_parent, parent, false);
        let (child_ring, child) = renamed(new_child, child, false);
        put(&mut self.id, id_ring, id);
        put(&mut self.parent, parent_ring, parent);
        put(&mut self.child, child_ring, child);
        if let Some(zero) = &mut self.zero {
            *zero = *zero & !id_ring;
        }
    }
}

/// Turns a ring down, what was at its bottom now being `ring`.
fn put<B: Bit>(word: &mut Word<B>, ring: B, fixed: [B; 3]) {
    let top = word.width() - 1;
    for port in FIXED..top {
        word[port] = word[port + 1];
    }
    word[top] = ring;
    for (port, bit) in fixed.into_iter().enumerate() {
        word[port] = bit;
    }
}

#[cfg(test)]
mod tests;
