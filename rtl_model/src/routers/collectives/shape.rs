//! What a node is built of: whatever of it a program needs.

use crate::machine::router::Blocks;
use crate::routers::collectives::program::{LineOrder, View};
use crate::routers::collectives::score::Score;
use crate::routers::ports::algorithm::PortModel;

/// The sizes and parts of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Ports, `n`.
    pub ports: usize,
    /// How many of them may be busy.
    pub model: PortModel,
    /// Bits of memory.
    pub memory_bits: usize,
    /// Lines of a channel.
    pub lines: usize,
    /// By channel, how lines lead to ports: of senders, of receivers.
    pub orders: Vec<[LineOrder; 2]>,
    /// Dimensions that are the low part, as a mask.
    pub low_part: u32,
    /// Nodes with a one in these dimensions take no part.
    pub unused: u32,
    /// The node looks at the ones in the low part.
    pub counts_low: bool,
    /// And in the other part.
    pub counts_high: bool,
    /// It sees where the halves of its address differ.
    pub sees_differences: bool,
    /// Bits of a place in a tree, if it has one.
    pub place_bits: Option<usize>,
    /// It adds.
    pub adds: bool,
    /// Blocks that it puts in another order, as many as there are nodes.
    pub blocks: Option<Blocks>,
    /// Bits of the count of what it holds, for measurement.
    pub held_bits: usize,
}

impl Shape {
    /// Of what a program needs.
    pub fn of(score: &Score) -> Self {
        let program = score.program();
        let sides = || {
            program
                .transfers
                .iter()
                .flat_map(|one| [&one.sends, &one.receives])
        };
        Shape {
            ports: program.cube.count(),
            model: program.ports,
            memory_bits: program.memory_bits,
            lines: score.lines(),
            orders: score
                .channels()
                .iter()
                .map(|channel| channel.orders)
                .collect(),
            low_part: program.low_part,
            unused: program.unused,
            counts_low: sides().any(|side| side.who.low.is_some()),
            counts_high: sides().any(|side| side.who.high.is_some()),
            sees_differences: program.view == View::Differences,
            place_bits: match &program.view {
                View::Tree(tree) => Some(tree.place_bits),
                _ => None,
            },
            adds: program.transfers.iter().any(|one| one.adds.is_some()),
            blocks: program.reorder.as_ref().map(|one| Blocks {
                from: one.from,
                to: one.to,
                bits: one.block_bits,
                count: program.cube.nodes(),
            }),
            held_bits: score.held_bits(),
        }
    }

    /// Serial adders, one a line.
    pub fn adders(&self) -> usize {
        if self.adds { self.lines } else { 0 }
    }

    /// Not all of its ports may be busy, and a register notes if more are than may be.
    pub fn has_arbiter(&self) -> bool {
        self.model != PortModel::All
    }

    /// Registers of a node beside its memory: the one that notes a violation, adders' carries, its place in a tree, the order
    /// of blocks.
    pub fn other_bits(&self) -> usize {
        let place = self.place_bits.map_or(0, |bits| bits + 3 * self.ports);
        let blocks = self.blocks.map_or(0, |_| self.ports << self.ports);
        usize::from(self.has_arbiter()) + self.adders() + place + blocks
    }
}
