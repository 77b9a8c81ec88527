//! The copies of the cube-connected cycles as tables, with any number of virtual channels.

use crate::wormhole::theorem3::Copy;

/// Copies of the CCC of `levels` levels. Switches are in order of node, then of copy.
pub struct Network {
    /// `n`.
    pub levels: usize,
    /// Copies in use.
    pub copies: usize,
    /// Of the hypercube.
    pub dimensions: usize,
    maps: Vec<Copy>,
}

/// What a worm does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// To the next level.
    Straight,
    /// To the other column.
    Cross,
    /// To the host.
    Eject,
}

/// One visit of a worm to a switch.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The switch.
    pub switch: usize,
    /// Its level in its copy.
    pub level: usize,
    /// It came by a straight link that crosses the dateline.
    pub behind_dateline: bool,
    /// Header bits that it reads here.
    pub reads: usize,
    /// Where it goes on.
    pub turn: Turn,
}

impl Network {
    /// The first `copies` copies of `levels` levels, a power of two.
    pub fn new(levels: usize, copies: usize) -> Network {
        Network {
            levels,
            copies,
            dimensions: levels + levels.ilog2() as usize,
            maps: (0..copies).map(|k| Copy::new(levels, k)).collect(),
        }
    }

    /// Nodes of the hypercube.
    pub fn nodes(&self) -> usize {
        self.levels << self.levels
    }

    /// The directed wire that a link uses and its slot on it; wires of a node follow each other.
    pub fn wire(&self, switch: usize, turn: Turn) -> (usize, usize) {
        let (node, copy) = (switch / self.copies, switch % self.copies);
        let to = self.far(switch, turn) / self.copies;
        let dimension = (node ^ to).trailing_zeros() as usize;
        let slot = match (turn, dimension) {
            (Turn::Straight, 1) => usize::from(self.maps[copy].vertex[node].0 == self.levels - 1),
            (Turn::Straight, _) => 0,
            _ => 1,
        };
        (node * self.dimensions + dimension, slot)
    }

    /// The switch at the other end of a link.
    pub fn far(&self, switch: usize, turn: Turn) -> usize {
        let (node, copy) = (switch / self.copies, switch % self.copies);
        let (level, column) = self.maps[copy].vertex[node];
        let (level, column) = match turn {
            Turn::Straight => ((level + 1) % self.levels, column),
            _ => (level, column ^ 1 << level),
        };
        self.maps[copy].address[level][column] * self.copies + copy
    }

    /// The way of a piece on a copy, from a node to a node.
    pub fn way(&self, copy: usize, source: usize, destination: usize) -> Vec<Step> {
        let (mut switch, end) = (
            source * self.copies + copy,
            destination * self.copies + copy,
        );
        let to = self.maps[copy].vertex[destination].1;
        let mut steps = Vec::new();
        let (mut behind_dateline, mut crossed) = (false, false);
        loop {
            let (level, column) = self.maps[copy].vertex[switch / self.copies];
            let turn = if !crossed && (column ^ to) >> level & 1 == 1 {
                Turn::Cross
            } else if switch == end {
                Turn::Eject
            } else {
                Turn::Straight
            };
            steps.push(Step {
                switch,
                level,
                behind_dateline,
                // Cross? and unless yes: eject?
                reads: if crossed || turn == Turn::Cross { 1 } else { 2 },
                turn,
            });
            if turn == Turn::Eject {
                return steps;
            }
            crossed = turn == Turn::Cross;
            behind_dateline = !crossed && level + 1 == self.levels;
            switch = self.far(switch, turn);
        }
    }
}

/// Header bits of a way.
pub fn header_bits(way: &[Step]) -> usize {
    way.iter().map(|step| step.reads).sum()
}
