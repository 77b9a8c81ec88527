//! The rows of a prefix operation: every node ends up with the combination of its word and all before it, in the order of addresses
//! (thesis, chapter 4).
//!
//! A node has three words: its *result*, the *message* that holds the combination of a whole subcube, and what *precedes* its
//! building block, which begins as the operator's identity.
//!
//! ```text
//!   in the block   dimension 0 .. k-1: messages are exchanged and combined; upper nodes add what came to their results
//!   printed        stage i = 0 .. D-1: blocks with ones in bits 0..i get what precedes them from the block without bit i,
//!                    and pass it on to the 2^i - 1 blocks below them. All of it goes through node 2^k - 1 of each block
//!   short          for m = 0 .. D-1: messages are exchanged at SB m, upper blocks keep what precedes them; both words
//!                    walk SB m -> m+1, at the end the second walks back to SB 0
//!   in place       the same, but what precedes stays at SB m, and all sub-blocks combine their shares at the end
//!   on the block   broadcast of what precedes, from where it is; every node adds it to its result
//! ```

use crate::machine::topology::hypercube::Dimensions;
use crate::machine::topology::reduced_hypercube::ReducedHypercube;
use crate::routers::reduced_hypercube::steps::paths::{Paths, across, broadcast};
use crate::routers::reduced_hypercube::steps::table::{Nodes, Table, TableRow, Way};

/// A word of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// What the node ends up with.
    Result,
    /// The combination of a subcube, or what is on its way.
    Message,
    /// What precedes the building block.
    Preceding,
}

/// What a row of a prefix operation orders. Of the words of a row, one behind the other, each has its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefixing {
    /// Which word is sent, first and, where the row has a second word, then.
    pub sent: [Word; 2],
    /// Receivers combine their message with what comes, by address.
    pub exchange: bool,
    /// Receivers keep what comes as the word that was sent; a result, as the message.
    pub take: bool,
    /// Receivers put what comes before what precedes them.
    pub precede: bool,
    /// Receivers combine their share of what precedes with what comes: that of higher sub-blocks is the left one.
    pub share: bool,
    /// Receivers put what comes before their results.
    pub add: bool,
    /// All put what their share has become before their results.
    pub add_share: bool,
    /// Only receivers with a one in the crossed bit do so.
    pub upper_only: bool,
}

const NOTHING: Prefixing = Prefixing {
    sent: [Word::Message; 2],
    exchange: false,
    take: false,
    precede: false,
    share: false,
    add: false,
    add_share: false,
    upper_only: false,
};

/// Names of the kinds of rows.
pub const KINDS: [&str; 6] = [
    "1_in_blocks",
    "2_walk",
    "3_between_blocks",
    "4_walk_back",
    "5_on_blocks",
    "done",
];
const IN_BLOCKS: usize = 0;
const WALK: usize = 1;
const BETWEEN_BLOCKS: usize = 2;
const WALK_BACK: usize = 3;
const ON_BLOCKS: usize = 4;

fn row(kind: usize, way: Way, sent: Word, orders: Prefixing) -> TableRow<Prefixing> {
    TableRow {
        kind,
        words: 1,
        steps: 1,
        way: Some(way),
        orders: Prefixing {
            sent: [sent; 2],
            ..orders
        },
    }
}

fn in_cube(dimensions: usize) -> impl Iterator<Item = TableRow<Prefixing>> {
    (0..dimensions).map(|dimension| {
        let orders = Prefixing {
            exchange: true,
            add: true,
            upper_only: true,
            ..NOTHING
        };
        let way = across(dimension, Nodes::default());
        row(IN_BLOCKS, way, Word::Message, orders)
    })
}

/// On the hypercube.
pub fn full(cube: Dimensions) -> Table<Prefixing> {
    Table {
        rows: in_cube(cube.count()).collect(),
    }
}

/// As the thesis has it, operands mended: what comes from a lower address is the left one.
pub fn printed(network: ReducedHypercube) -> Table<Prefixing> {
    let paths = Paths::new(network);
    let mut rows: Vec<TableRow<Prefixing>> = in_cube(paths.block_dimensions).collect();
    for stage in 0..paths.blocks_dimensions {
        for dimension in (0..=stage).rev() {
            rows.extend(handed_on(&paths, stage, dimension));
        }
    }
    let corner = (1 << paths.block_dimensions) - 1;
    rows.extend(on_blocks(broadcast(
        Nodes::default(),
        paths.block_dimensions,
        corner,
    )));
    Table { rows }
}

/// From corner to corner across `dimension` of the cube of building blocks: in the stage's own dimension, results of the blocks
/// before; in those below, what came in the stage.
fn handed_on(paths: &Paths, stage: usize, dimension: usize) -> Vec<TableRow<Prefixing>> {
    let is_own = dimension == stage;
    let corner = paths.blocks_dimensions - 1;
    let low = paths.with_low(Nodes::default(), (1 << paths.low_bits) - 1);
    let ones = (1 << dimension) - 1;
    let senders = match is_own {
        true => paths.in_blocks(low, 0, stage + 1, ones),
        false => {
            let holders = paths.in_blocks(low, stage, 1, 1);
            paths.in_blocks(holders, 0, dimension + 1, ones | 1 << dimension)
        }
    };
    let receivers = Nodes {
        value: senders.value ^ 1 << (paths.block_dimensions + dimension),
        ..senders
    };
    let first = if is_own { Word::Result } else { Word::Message };
    let ways: Vec<(usize, Way)> = (paths.walk(senders, corner, dimension).into_iter())
        .map(|way| (WALK, way))
        .chain([(BETWEEN_BLOCKS, paths.between(senders, dimension))])
        .chain((paths.walk(receivers, dimension, corner).into_iter()).map(|way| (WALK_BACK, way)))
        .collect();
    let hops = ways.len();
    let hop = |(number, (kind, way)): (usize, (usize, Way))| {
        let arrives = number + 1 == hops;
        let sent = if number == 0 { first } else { Word::Message };
        let orders = Prefixing {
            take: true,
            precede: arrives,
            add: arrives,
            ..NOTHING
        };
        row(kind, way, sent, orders)
    };
    ways.into_iter().enumerate().map(hop).collect()
}

/// What precedes, over the dimensions of the blocks.
fn on_blocks(ways: Vec<Way>) -> impl Iterator<Item = TableRow<Prefixing>> {
    let orders = Prefixing {
        take: true,
        add: true,
        ..NOTHING
    };
    (ways.into_iter()).map(move |way| row(ON_BLOCKS, way, Word::Preceding, orders))
}

/// Messages are exchanged between blocks.
fn between_blocks(way: Way) -> TableRow<Prefixing> {
    let orders = Prefixing {
        exchange: true,
        precede: true,
        upper_only: true,
        ..NOTHING
    };
    row(BETWEEN_BLOCKS, way, Word::Message, orders)
}

/// The short form: sub-block `m` hands both words to sub-block `m + 1`.
pub fn short(network: ReducedHypercube) -> Table<Prefixing> {
    let paths = Paths::new(network);
    let walkers = paths.with_low(Nodes::default(), 0);
    let take = Prefixing {
        take: true,
        ..NOTHING
    };
    let mut rows: Vec<TableRow<Prefixing>> = in_cube(paths.block_dimensions).collect();
    for bit in 0..paths.blocks_dimensions {
        if let Some(before) = bit.checked_sub(1) {
            let both = |way| TableRow {
                words: 2,
                orders: Prefixing {
                    sent: [Word::Message, Word::Preceding],
                    ..take
                },
                ..row(WALK, way, Word::Message, take)
            };
            let ways = paths.walk(walkers, before, bit);
            rows.extend(ways.into_iter().map(both));
        }
        rows.push(between_blocks(paths.between(walkers, bit)));
    }
    let back = paths.walk(walkers, paths.blocks_dimensions - 1, 0);
    let hops = back.len();
    rows.extend(back.into_iter().enumerate().map(|(hop, way)| {
        let orders = Prefixing {
            add: hop + 1 == hops,
            ..take
        };
        row(WALK_BACK, way, Word::Preceding, orders)
    }));
    let ways = broadcast(Nodes::default(), paths.block_dimensions, 0);
    rows.extend(on_blocks(ways));
    Table { rows }
}

/// The form in which what precedes stays where it came: all nodes of a sub-block walk, with messages alone.
pub fn in_place(network: ReducedHypercube) -> Table<Prefixing> {
    let paths = Paths::new(network);
    let all = Nodes::default();
    let take = Prefixing {
        take: true,
        ..NOTHING
    };
    let mut rows: Vec<TableRow<Prefixing>> = in_cube(paths.block_dimensions).collect();
    for bit in 0..paths.blocks_dimensions {
        if let Some(before) = bit.checked_sub(1) {
            let ways = paths.walk(all, before, bit);
            rows.extend((ways.into_iter()).map(|way| row(WALK, way, Word::Message, take)));
        }
        rows.push(between_blocks(paths.between(all, bit)));
    }
    let subblock_dimensions = paths.low_bits..paths.block_dimensions;
    let last = paths.block_dimensions - 1;
    rows.extend(subblock_dimensions.map(|dimension| {
        let orders = Prefixing {
            share: true,
            add_share: dimension == last,
            ..NOTHING
        };
        row(ON_BLOCKS, across(dimension, all), Word::Preceding, orders)
    }));
    Table { rows }
}
