//! The rows of a reduction: all words become one, at node 0 (thesis, section 3.1; bit p-j is inverted where it has
//! p-j+1).
//!
//! ```text
//!   in the block      dimension 0, 1, .. k-1: nodes with bits 0..d-1 zero; bit d = 1 sends, bit d = 0 combines
//!   between blocks    for j = 0 .. D-1, of blocks whose bits 0..j-1 are zero: those with bit j = 1 send
//!                       SB 0 --walk--> SB j ==wire==> SB j --walk--> SB 0: combines
//! ```
//!
//! The receiver has the lower address, so its own word is the left operand: any associative operator will do. Steps: `k + sum (2
//! popcount(j) + 1) = k + (n+1)2^n`.
//!
//! In the short form, which is not in the thesis, words do not go home in between: those that are left walk SB j -> SB j+1, and only the
//! last one walks back from SB D-1: `k + 3*2^n - 2` steps.

use crate::machine::topology::hypercube::Dimensions;
use crate::machine::topology::reduced_hypercube::ReducedHypercube;
use crate::routers::reduced_hypercube::steps::paths::{Paths, across};
use crate::routers::reduced_hypercube::steps::table::{Nodes, Table, TableRow, Way};

/// What a row of a reduction orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reducing {
    /// The receiver combines its word with what comes.
    Combine,
    /// The receiver takes what comes in place of its own word, to send it on.
    Take,
}

/// Names of the kinds of rows.
pub const KINDS: [&str; 5] = [
    "1_in_blocks",
    "2_walk_out",
    "3_between_blocks",
    "4_walk_back",
    "done",
];

fn row(kind: usize, way: Way, orders: Reducing) -> TableRow<Reducing> {
    TableRow {
        kind,
        words: 1,
        steps: 1,
        way: Some(way),
        orders,
    }
}

fn in_cube(dimensions: usize) -> impl Iterator<Item = TableRow<Reducing>> {
    (0..dimensions).map(|dimension| {
        let senders = Nodes::default().with(0..dimension + 1, 1 << dimension);
        row(0, across(dimension, senders), Reducing::Combine)
    })
}

/// On the reduced hypercube.
pub fn reduced(network: ReducedHypercube) -> Table<Reducing> {
    let paths = Paths::new(network);
    let mut rows: Vec<TableRow<Reducing>> = in_cube(paths.block_dimensions).collect();
    for bit in 0..paths.blocks_dimensions {
        let with_bit = |value: usize| {
            let nodes = paths.with_low(Nodes::default(), 0);
            paths.in_blocks(nodes, 0, bit + 1, value << bit)
        };
        let (senders, receivers) = (with_bit(1), with_bit(0));
        let out = paths.walk(senders, 0, bit);
        rows.extend(out.into_iter().map(|way| row(1, way, Reducing::Take)));
        let back = paths.walk(receivers, bit, 0);
        let meets_at_once = back.is_empty();
        let order = |meets| match meets {
            true => Reducing::Combine,
            false => Reducing::Take,
        };
        rows.push(row(2, paths.between(senders, bit), order(meets_at_once)));
        let hops = back.len();
        let back = back.into_iter().enumerate();
        rows.extend(back.map(|(hop, way)| row(3, way, order(hop + 1 == hops))));
    }
    Table { rows }
}

/// On the reduced hypercube, in the short form.
pub fn short(network: ReducedHypercube) -> Table<Reducing> {
    let paths = Paths::new(network);
    let mut rows: Vec<TableRow<Reducing>> = in_cube(paths.block_dimensions).collect();
    let left = |bits: usize| {
        let nodes = paths.with_low(Nodes::default(), 0);
        paths.in_blocks(nodes, 0, bits, 0)
    };
    let walk = |kind: usize, nodes: Nodes, from: usize, to: usize| {
        let ways = paths.walk(nodes, from, to);
        ways.into_iter()
            .map(move |way| row(kind, way, Reducing::Take))
    };
    for bit in 0..paths.blocks_dimensions {
        if let Some(before) = bit.checked_sub(1) {
            rows.extend(walk(1, left(bit), before, bit));
        }
        let senders = paths.in_blocks(left(bit), bit, 1, 1);
        rows.push(row(2, paths.between(senders, bit), Reducing::Combine));
    }
    let all_bits = paths.blocks_dimensions;
    rows.extend(walk(3, left(all_bits), all_bits - 1, 0));
    Table { rows }
}

/// On the hypercube.
pub fn full(cube: Dimensions) -> Table<Reducing> {
    Table {
        rows: in_cube(cube.count()).collect(),
    }
}
