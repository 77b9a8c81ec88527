//! The program by which the nodes of a cube find their places in a binary tree with two roots
//! (section 2.1.1).
//!
//! Every node runs it by itself and finds how each of its ports is used. A tree of three dimensions is
//! looked up in a table. For each further dimension two trees are joined: FT3 moves the second copy so
//! that what is to be joined is face to face across the new dimension, a table moves three edges, and BT3
//! renames three dimensions so that the joined tree looks again like the one before.
//!
//! As printed, the program does not work from four dimensions on. Two things are missing. A node must
//! start from the virtual address that the moves turn into its physical one. And as the moves exchange
//! dimensions, the uses of these ports must move along.

use super::Violation;
pub use super::tree_check::check;

/// How a node of the tree uses a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The link is not in the tree.
    Unused,
    /// The parent is across.
    Parent,
    /// A child is across.
    Child,
}

/// Which of the two corrections the program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program {
    /// Whether a node starts from the virtual address that becomes its physical one, rather than from the
    /// physical one.
    pub starts_from_virtual: bool,
    /// Whether the uses of ports move along with the dimensions.
    pub moves_ports: bool,
}

impl Program {
    /// What works.
    pub const CORRECT: Program = Program {
        starts_from_virtual: true,
        moves_ports: true,
    };

    /// What the thesis prints.
    pub const PRINTED: Program = Program {
        starts_from_virtual: false,
        moves_ports: false,
    };
}

/// What a node knows when the program is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The use of each port.
    pub relations: Vec<Relation>,
    /// The node's virtual address, which is its physical one if the program works.
    pub current: usize,
}

use Relation::{Child, Parent, Unused};

/// The uses of ports 0, 1 and 2 in the tree of three dimensions, by node.
const THREE: [[Relation; 3]; 8] = [
    [Child, Unused, Child],
    [Parent, Child, Child],
    [Unused, Unused, Parent],
    [Unused, Parent, Unused],
    [Unused, Child, Parent],
    [Unused, Unused, Parent],
    [Child, Parent, Child],
    [Parent, Unused, Unused],
];

/// The same of two dimensions, for which the thesis has no tree.
const TWO: [[Relation; 2]; 4] = [
    [Child, Child],
    [Parent, Unused],
    [Child, Parent],
    [Parent, Unused],
];

/// The same of one dimension.
const ONE: [[Relation; 1]; 2] = [[Child], [Parent]];

/// The tree of the cube of `dims` dimensions with node 0 as its root, by node and port. Rooted at node `r`
/// instead, node `u` uses its ports as node `u ^ r` of this tree does.
///
/// # Errors
///
/// More dimensions than the models do. Without any dimension the tree is one node.
pub fn tree(dims: usize) -> Result<Vec<Vec<Relation>>, Violation> {
    let places = places(dims, Program::CORRECT)?;
    Ok(places.into_iter().map(|place| place.relations).collect())
}

/// What every node knows when the program is done.
///
/// # Errors
///
/// More dimensions than the models do.
pub fn places(dims: usize, program: Program) -> Result<Vec<Place>, Violation> {
    if dims > super::network::MOST_BITS {
        return Err(Violation::Dims { dims });
    }
    Ok((0..1 << dims)
        .map(|node| place(dims, node, program))
        .collect())
}

/// The program of a node.
fn place(dims: usize, node: usize, program: Program) -> Place {
    let known = |relations: &[Relation]| Place {
        relations: relations.to_vec(),
        current: node,
    };
    match dims {
        0 => return known(&[]),
        1 => return known(&ONE[node]),
        2 => return known(&TWO[node]),
        _ => {}
    }
    let mut current = Address(node);
    if program.starts_from_virtual {
        for port in (3..dims).rev() {
            current.undo_bt3(port);
            if current.bit(port) {
                current.undo_ft3();
            }
        }
    }
    let mut relations = vec![Unused; dims];
    relations[..3].copy_from_slice(&THREE[current.0 % 8]);
    let mut on_edge = true;
    for port in 3..dims {
        if current.bit(port) {
            current.ft3();
            if program.moves_ports {
                let [zero, one, two] = [0, 1, 2].map(|of| relations[of]);
                (relations[2], relations[1], relations[0]) = (zero, two, one);
            }
        }
        if on_edge {
            join(&mut relations, port, current);
        }
        current.bt3(port);
        if program.moves_ports {
            let [zero, two, new] = [0, 2, port].map(|of| relations[of]);
            (relations[port], relations[2], relations[0]) = (zero, new, two);
        }
        on_edge &= !current.bit(port);
    }
    Place {
        relations,
        current: current.0,
    }
}

/// Joins the two trees on the sides of a port, which concerns six nodes.
fn join(relations: &mut [Relation], port: usize, current: Address) {
    match (current.bit(port), current.0 % 8) {
        (false, 0) => (relations[2], relations[port]) = (Parent, Child),
        (false, 4) => {
            (relations[2], relations[port]) = (Child, Child);
            relations[1] = Unused;
        }
        (false, 6) => (relations[1], relations[port]) = (Unused, Parent),
        (true, 0 | 4) => (relations[2], relations[port]) = (Unused, Parent),
        (true, 6) => relations[port] = Child,
        _ => {}
    }
}

/// A virtual address.
#[derive(Clone, Copy)]
struct Address(usize);

impl Address {
    fn bit(self, place: usize) -> bool {
        (self.0 >> place) % 2 == 1
    }

    fn set(&mut self, places: [usize; 3], values: [bool; 3]) {
        for (place, value) in places.into_iter().zip(values) {
            self.0 = self.0 & !(1 << place) | usize::from(value) << place;
        }
    }

    fn three(self, places: [usize; 3]) -> [bool; 3] {
        places.map(|place| self.bit(place))
    }

    /// Table 2.1, as a movement of bits.
    fn ft3(&mut self) {
        let [two, one, zero] = self.three([2, 1, 0]);
        self.set([2, 1, 0], [!zero, two, one]);
    }

    fn undo_ft3(&mut self) {
        let [two, one, zero] = self.three([2, 1, 0]);
        self.set([2, 1, 0], [one, zero, !two]);
    }

    /// Table 2.2, as a movement of bits.
    fn bt3(&mut self, port: usize) {
        let [new, two, zero] = self.three([port, 2, 0]);
        self.set([port, 2, 0], [zero, new, !two]);
    }

    fn undo_bt3(&mut self, port: usize) {
        let [new, two, zero] = self.three([port, 2, 0]);
        self.set([port, 2, 0], [two, !zero, new]);
    }
}
