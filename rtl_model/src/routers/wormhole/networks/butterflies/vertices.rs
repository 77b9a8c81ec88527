//! The vertices of `X(butterfly)` and the way between two of them.
//!
//! A node of the hypercube is `row << n | column`. Row `i` holds the butterfly copy with the label of
//! `i`, its moment modulo the number of copies, and column `j` that with the label of `j`; the node is the
//! vertex of its row's copy at address `j`, and that of its column's at address `i`.

use crate::embedding::copies::Copies;
use crate::embedding::moment::moment;
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::wormhole::trip::Trip;

/// The numbers of levels of which there is a machine.
const LEVELS: [usize; 2] = [2, 4];

/// Rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Line {
    /// The first phase goes along these.
    Row,
    /// The second one.
    Column,
}

/// Edges out of a vertex of a butterfly, both to the next level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edge {
    /// To the same column.
    Straight,
    /// To the column that differs in the bit of the level.
    Cross,
}

impl Line {
    /// Both, in the order of phases.
    pub const ALL: [Line; 2] = [Line::Row, Line::Column];
}

impl Edge {
    /// Both.
    pub const ALL: [Edge; 2] = [Edge::Straight, Edge::Cross];

    /// Relays on a path of it: two where it crosses aside, along and back, three where it crosses two
    /// links along.
    pub fn relays(self) -> usize {
        match self {
            Edge::Straight => 2,
            Edge::Cross => 3,
        }
    }
}

/// An edge that a worm takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Whether in its row or in its column.
    pub line: Line,
    /// The level from which it goes.
    pub level: usize,
    /// The edge.
    pub edge: Edge,
    /// How often the worm has come to level 0 in this line.
    pub datelines: usize,
}

/// The induced cross product of the butterflies of `m` levels: `m` copies of them in rows and columns of
/// `n = m + log m` dimensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Butterflies {
    copies: Copies,
    host: Dimensions,
}

impl Butterflies {
    /// Of butterflies of so many levels.
    ///
    /// # Errors
    /// Levels, unless there are 2 or 4.
    pub fn new(levels: usize) -> Result<Self, Error> {
        if !LEVELS.contains(&levels) {
            return Err(Refusal::of(format!(
                "there is no machine of butterflies of {levels} levels"
            ))
            .because(
                "butterflies of m levels, m = 2 or 4, are laid into rows and columns of m + log m dimensions each, 64 or 4096 nodes \
                 in all; no other m up to 7 is a power of two, as the copies need, and 8 levels would take 4,194,304 nodes",
            )
            .into());
        }
        let copies = Copies::new(levels)?;
        Ok(Butterflies {
            host: Dimensions::new(2 * copies.dimensions().count())?,
            copies,
        })
    }

    /// The hypercube: `2n` dimensions.
    pub fn host(&self) -> Dimensions {
        self.host
    }

    /// `n`: dimensions of a line, and lanes of an edge.
    pub fn lanes(&self) -> usize {
        self.copies.dimensions().count()
    }

    /// `m`: levels of a butterfly, and copies of it.
    pub fn levels(&self) -> usize {
        self.copies.levels()
    }

    /// The copies of the cube-connected cycles into which those of the butterfly are laid.
    pub fn copies(&self) -> &Copies {
        &self.copies
    }

    /// The number of a node's line, and the node's address in it.
    pub fn in_line(&self, line: Line, node: usize) -> (usize, usize) {
        let (row, column) = (node >> self.lanes(), node & ((1 << self.lanes()) - 1));
        match line {
            Line::Row => (row, column),
            Line::Column => (column, row),
        }
    }

    /// The lowest address bit of a node that is one of its place in a line.
    pub fn along(&self, line: Line) -> usize {
        match line {
            Line::Row => 0,
            Line::Column => self.lanes(),
        }
    }

    /// The lowest address bit of a node that is one of the number of a line.
    pub fn aside(&self, line: Line) -> usize {
        self.lanes() - self.along(line)
    }

    /// The copy that a line holds.
    pub fn label(&self, number: usize) -> usize {
        moment(number) % self.levels()
    }

    /// Level and column of the vertex of its line's butterfly that a node is.
    pub fn vertex(&self, line: Line, node: usize) -> (usize, usize) {
        let (number, place) = self.in_line(line, node);
        self.copies.unmap(self.label(number), place)
    }

    /// The node of line 0 that is a vertex of its butterfly, and the dimensions of the path of a lane from
    /// there.
    pub fn path(
        &self,
        (line, level, column): (Line, usize, usize),
        edge: Edge,
        lane: usize,
    ) -> (usize, Vec<usize>) {
        let copy = self.label(0);
        let place = self.copies.map(copy, level, column);
        let aside = self.aside(line) + lane;
        let straight = self.along(line) + self.copies.straight_dimension(copy, level);
        let cross = self.along(line) + self.copies.cross_dimension(copy, level);
        let path = match edge {
            Edge::Straight => vec![aside, straight, aside],
            Edge::Cross => vec![aside, cross, straight, aside],
        };
        (place << self.along(line), path)
    }

    /// The edges that a worm takes: along its row to the column of its destination, and along that to
    /// its destination; in a butterfly from level to level, by the cross edge where the bit of the level
    /// is wrong, until level and column are right. At most `2m - 1` in a line.
    pub fn way(&self, trip: Trip) -> Vec<Step> {
        let (row, _) = self.in_line(Line::Row, trip.source);
        let (_, place) = self.in_line(Line::Row, trip.destination);
        let turn = row << self.lanes() | place;
        let mut way = self.in_one(Line::Row, trip.source, turn);
        way.extend(self.in_one(Line::Column, turn, trip.destination));
        way
    }

    fn in_one(&self, line: Line, from: usize, to: usize) -> Vec<Step> {
        steps(
            self.levels(),
            line,
            self.vertex(line, from),
            self.vertex(line, to),
        )
    }
}

/// The edges of one line from one vertex to another, each a level and a column.
pub(in crate::routers::wormhole) fn steps(
    levels: usize,
    line: Line,
    (mut level, mut column): (usize, usize),
    to: (usize, usize),
) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut datelines = 0;
    while (level, column) != to {
        let edge = match (column ^ to.1) >> level & 1 {
            1 => Edge::Cross,
            _ => Edge::Straight,
        };
        steps.push(Step {
            line,
            level,
            edge,
            datelines,
        });
        column ^= usize::from(edge == Edge::Cross) << level;
        level = (level + 1) % levels;
        datelines += usize::from(level == 0);
    }
    steps
}
