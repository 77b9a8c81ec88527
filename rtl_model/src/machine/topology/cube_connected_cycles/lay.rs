//! How the nodes of cube-connected cycles lie in lane groups: a group holds nodes of one level only, columns side by side.
//!
//! ```text
//!   group = (block * levels + level) * highs + high        place = machine in the block * columns + low bits of the column
//! ```
//!
//! So a straight link leads from a group to another, place by place, and the level is the same in a whole group. A machine
//! of fewer columns than a group has places leaves room for more machines, which form a block with it.

use std::marker::PhantomData;

use crate::language::lanes::Lanes;
use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;

/// The order of nodes in lanes of some width.
#[derive(Clone, Copy, Debug)]
pub struct Lay<B> {
    levels: usize,
    columns: usize,
    /// Groups of one level of a machine.
    highs: usize,
    /// Machines of a block.
    machines: usize,
    lanes: PhantomData<B>,
}

impl<B: Lanes> Lay<B> {
    /// For a machine.
    #[inline]
    pub fn of(cycles: CubeConnectedCycles) -> Self {
        let columns = cycles.columns();
        Lay {
            levels: cycles.levels(),
            columns,
            highs: (columns / B::NODES).max(1),
            machines: (B::NODES / columns).max(1),
            lanes: PhantomData,
        }
    }

    /// Groups of so many machines.
    pub fn groups(&self, machines: usize) -> usize {
        machines.div_ceil(self.machines) * self.levels * self.highs
    }

    /// Group and place of a node, over all machines.
    pub fn seat(&self, node: usize) -> (usize, usize) {
        let nodes = self.levels * self.columns;
        let (machine, node) = (node / nodes, node % nodes);
        let (level, column) = (node / self.columns, node % self.columns);
        let (block, in_block) = (machine / self.machines, machine % self.machines);
        let group = (block * self.levels + level) * self.highs + column / B::NODES;
        (group, in_block * self.columns + column % B::NODES)
    }

    /// The node at a place of a group, over all machines; beyond them where there is none.
    pub fn node_at(&self, group: usize, place: usize) -> usize {
        let block = group / (self.highs * self.levels);
        let (level, high) = (self.level(group), group % self.highs);
        let machine = block * self.machines + place / self.columns;
        let column = high * B::NODES + place % self.columns;
        (machine * self.levels + level) * self.columns + column
    }

    /// The level of a group's nodes.
    #[inline]
    pub fn level(&self, group: usize) -> usize {
        group / self.highs % self.levels
    }

    #[inline]
    fn at_level(&self, group: usize, level: usize) -> usize {
        group + level * self.highs - self.level(group) * self.highs
    }

    /// The group whose straight links lead to this one.
    #[inline]
    pub fn before(&self, group: usize) -> usize {
        self.at_level(group, (self.level(group) + self.levels - 1) % self.levels)
    }

    /// The group to which its straight links lead.
    #[inline]
    pub fn behind(&self, group: usize) -> usize {
        self.at_level(group, (self.level(group) + 1) % self.levels)
    }

    /// The group to which its cross links lead; none where they stay in it, across the dimension of its level.
    #[inline]
    pub fn crossed(&self, group: usize) -> Option<usize> {
        let level = self.level(group);
        (level >= B::LOG2_NODES).then(|| group ^ 1 << (level - B::LOG2_NODES))
    }

    /// The addresses of a group's nodes: bits of the column, then bits of the level.
    #[inline]
    pub fn address(&self, group: usize, address: &mut [B]) {
        let column_bits = self.columns.ilog2() as usize;
        let (level, high) = (self.level(group), group % self.highs);
        for (bit, address) in address.iter_mut().enumerate() {
            *address = if bit >= column_bits {
                B::from_strobe(level >> (bit - column_bits) & 1 == 1)
            } else if bit >= B::LOG2_NODES {
                B::from_strobe(high >> (bit - B::LOG2_NODES) & 1 == 1)
            } else {
                B::place_bit(bit)
            };
        }
    }
}
