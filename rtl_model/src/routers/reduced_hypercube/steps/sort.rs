//! The rows of a sort: keys into the order of addresses, every node as many as it began with (thesis, chapter 5, mended).
//!
//! A node has a slot for each key that it may ever hold. Keys lie in blocks of `p`, as many as a node begins with, each block in
//! ascending order. While blocks are gathered and scattered, a node of sub-block `u` holds block `b` of its building block in the slots
//! of block `b ^ u`, so the same slots leave at all nodes.
//!
//! ```text
//!   sort blocks   bitonic, over the k dimensions of each building block, in the end by BB bit 0
//!   gather        all blocks to SB 0: in turn t, SB u sends slot block t across dimension tz(u), if t < 2^tz(u)
//!   stage i = 0 .. D-1
//!     for m = i .. 0:  walk to SB m; compare-split with the building block that differs in bit m
//!     merge:           compare-split over virtual dimensions k-1 .. 0: slots, then nodes of SB 0
//!   scatter       back, block s to SB s: the gather in reverse
//! ```
//!
//! The virtual address of a key is (BB, s, x): `s` its block, `x` the node of the sub-block. Directions of stage `i` are by BB bit
//! `i + 1`, ascending in the last; the thesis has none. In its own form each pair of building blocks is sorted anew, over the virtual
//! (k+1)-cube (the thesis has n+1), in the place of a compare-split and the merge.

use crate::machine::topology::hypercube::Dimensions;
use crate::machine::topology::reduced_hypercube::ReducedHypercube;
use crate::routers::reduced_hypercube::steps::paths::{Paths, across};
pub use crate::routers::reduced_hypercube::steps::slots::{Pair, Slots};
use crate::routers::reduced_hypercube::steps::table::{Nodes, Table, TableRow, Way};

/// What is done with the slots of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Each end of a wire keeps the lower or the higher key of two.
    Exchange,
    /// The receiver takes the key.
    Move,
    /// Two slots of a node are put into order.
    Order,
    /// Across every dimension of the sub-blocks, towards SB 0.
    Gather,
    /// And back.
    Scatter,
}

/// What a row of a sort orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sorting {
    /// What is done,
    pub action: Action,
    /// with which slots,
    pub slots: Slots,
    /// descending where this address bit is 1,
    pub by_address: Option<usize>,
    /// or this bit of the number of the slot's block.
    pub by_block: Option<usize>,
    /// Keys of a block.
    pub keys: usize,
    /// All slots of a node.
    pub slots_of_node: usize,
}

/// Names of the kinds of rows.
pub const KINDS: [&str; 7] = [
    "1_sort_blocks",
    "2_gather",
    "3_walk",
    "4_between_blocks",
    "5_merge",
    "6_scatter",
    "done",
];
const SORT_BLOCKS: usize = 0;
const GATHER: usize = 1;
const WALK: usize = 2;
const BETWEEN_BLOCKS: usize = 3;
const MERGE: usize = 4;
const SCATTER: usize = 5;

/// In which direction keys are put into order.
#[derive(Clone, Copy, Default)]
struct Direction {
    by_address: Option<usize>,
    by_block: Option<usize>,
}

impl Direction {
    /// Descending where this address bit is 1; ascending, if there is none.
    fn by_address(bit: Option<usize>) -> Self {
        Direction {
            by_address: bit,
            by_block: None,
        }
    }
}

/// Rows in the making.
struct Rows {
    keys: usize,
    slots: usize,
    rows: Vec<TableRow<Sorting>>,
}

impl Rows {
    fn push(
        &mut self,
        (kind, action, slots): (usize, Action, Slots),
        way: Option<Way>,
        direction: Direction,
    ) {
        let words = slots.words(self.keys);
        let crosses = action != Action::Order;
        self.rows.push(TableRow {
            kind,
            words,
            steps: if crosses { words } else { 0 },
            way,
            orders: Sorting {
                action,
                slots,
                by_address: direction.by_address,
                by_block: direction.by_block,
                keys: self.keys,
                slots_of_node: self.slots,
            },
        });
    }

    /// Puts the keys of each block into ascending order, if they are several.
    fn order_within(&mut self, kind: usize, blocks: usize) {
        if self.keys > 1 {
            let slots = Slots::Within { blocks };
            self.push((kind, Action::Order, slots), None, Direction::default());
        }
    }

    /// A compare-split over a wire.
    fn split_over(&mut self, kind: usize, way: Way, blocks: usize, direction: Direction) {
        let slots = Slots::Of { first: 0, blocks };
        self.push((kind, Action::Exchange, slots), Some(way), direction);
        self.order_within(kind, blocks);
    }

    /// A compare-split between the blocks of a node that differ in a bit.
    fn split_within(&mut self, kind: usize, bit: usize, blocks: usize, direction: Direction) {
        let slots = Slots::Apart { bit, blocks };
        self.push((kind, Action::Order, slots), None, direction);
        self.order_within(kind, blocks);
    }

    fn turn(&mut self, kind: usize, action: Action, turn: usize) {
        let slots = Slots::Of {
            first: turn,
            blocks: 1,
        };
        self.push((kind, action, slots), None, Direction::default());
    }

    fn walk(&mut self, ways: Vec<Way>, blocks: usize) {
        let slots = Slots::Of { first: 0, blocks };
        for way in ways {
            let moved = (WALK, Action::Move, slots);
            self.push(moved, Some(way), Direction::default());
        }
    }

    /// The bitonic sort of cubes of so many dimensions, in the end by an address bit.
    fn cubes(&mut self, dimensions: usize, in_the_end: Option<usize>) {
        self.order_within(SORT_BLOCKS, 1);
        for stage in 0..dimensions {
            let is_last = stage + 1 == dimensions;
            let bit = if is_last { in_the_end } else { Some(stage + 1) };
            for dimension in (0..=stage).rev() {
                let way = across(dimension, Nodes::default());
                self.split_over(SORT_BLOCKS, way, 1, Direction::by_address(bit));
            }
        }
    }
}

/// On the hypercube: the bitonic sort, `p` keys a node.
pub fn full(cube: Dimensions, keys: usize) -> Table<Sorting> {
    let mut rows = Rows {
        keys,
        slots: keys,
        rows: Vec::new(),
    };
    rows.cubes(cube.count(), None);
    Table { rows: rows.rows }
}

/// On the reduced hypercube: one bitonic sort over virtual addresses.
pub fn virtual_cube(network: ReducedHypercube, keys: usize) -> Table<Sorting> {
    gathered(network, keys, |sort, stage| {
        for bit in (0..=stage.number).rev() {
            sort.walk_to(stage, bit);
            let way = sort.paths.between(Nodes::default(), bit);
            let blocks = sort.paths.blocks_dimensions;
            sort.rows
                .split_over(BETWEEN_BLOCKS, way, blocks, stage.direction);
        }
        for dimension in (0..sort.paths.block_dimensions).rev() {
            sort.split(MERGE, dimension, 0, stage.direction);
        }
    })
}

/// On the reduced hypercube: each pair of building blocks is sorted anew, as the thesis has it.
pub fn pairs_of_blocks(network: ReducedHypercube, keys: usize) -> Table<Sorting> {
    gathered(network, keys, |sort, stage| {
        for bit in (0..=stage.number).rev() {
            sort.walk_to(stage, bit);
            let k = sort.paths.block_dimensions;
            for of_pair in 0..=k {
                let direction = match of_pair == k {
                    true => stage.direction,
                    false => sort.by_virtual_bit(of_pair + 1, bit),
                };
                if of_pair == k {
                    let way = sort.paths.between(Nodes::default(), bit);
                    let blocks = sort.paths.blocks_dimensions;
                    sort.rows.split_over(BETWEEN_BLOCKS, way, blocks, direction);
                }
                for dimension in (0..=of_pair.min(k - 1)).rev() {
                    sort.split(MERGE, dimension, bit, direction);
                }
            }
        }
    })
}

/// A stage of the sort over building blocks.
struct Stage {
    number: usize,
    /// The sub-block in which the keys are.
    at: usize,
    direction: Direction,
}

/// A sort of gathered keys.
struct Gathered {
    paths: Paths,
    rows: Rows,
}

impl Gathered {
    fn walk_to(&mut self, stage: &mut Stage, subblock: usize) {
        let ways = self.paths.walk(Nodes::default(), stage.at, subblock);
        self.rows.walk(ways, self.paths.blocks_dimensions);
        stage.at = subblock;
    }

    /// A compare-split over a virtual dimension of the building block, with all keys in one sub-block.
    fn split(&mut self, kind: usize, dimension: usize, subblock: usize, direction: Direction) {
        let blocks = self.paths.blocks_dimensions;
        match dimension.checked_sub(self.paths.low_bits) {
            Some(bit) => self.rows.split_within(kind, bit, blocks, direction),
            None => {
                let nodes = self.paths.in_subblock(Nodes::default(), subblock);
                self.rows
                    .split_over(kind, across(dimension, nodes), blocks, direction);
            }
        }
    }

    /// Descending where that bit of the virtual address is 1, in a pair of building blocks that differ in `between`.
    fn by_virtual_bit(&self, bit: usize, between: usize) -> Direction {
        let k = self.paths.block_dimensions;
        match bit.checked_sub(self.paths.low_bits) {
            None => Direction::by_address(Some(bit)),
            Some(_) if bit == k => Direction::by_address(Some(k + between)),
            Some(block) => Direction {
                by_address: None,
                by_block: Some(block),
            },
        }
    }
}

/// What both forms begin and end with.
fn gathered(
    network: ReducedHypercube,
    keys: usize,
    stage_of: impl Fn(&mut Gathered, &mut Stage),
) -> Table<Sorting> {
    let paths = Paths::new(network);
    let (k, blocks) = (paths.block_dimensions, paths.blocks_dimensions);
    let mut sort = Gathered {
        paths,
        rows: Rows {
            keys,
            slots: blocks * keys,
            rows: Vec::new(),
        },
    };
    sort.rows.cubes(k, Some(k));
    for turn in 0..blocks / 2 {
        sort.rows.turn(GATHER, Action::Gather, turn);
    }
    for number in 0..blocks {
        let bit = (number + 1 < blocks).then_some(k + number + 1);
        let direction = Direction::by_address(bit);
        let mut stage = Stage {
            number,
            at: 0,
            direction,
        };
        stage_of(&mut sort, &mut stage);
    }
    for turn in (0..blocks / 2).rev() {
        sort.rows.turn(SCATTER, Action::Scatter, turn);
    }
    Table {
        rows: sort.rows.rows,
    }
}
