//! Two phases on the cross product of butterflies (Greenberg & Bhatt 1990, section 6 and the last paragraph
//! of section 7), from the definition of its embedding.
//!
//! A node is `row * 2^n + column`, `n = m + log m` for butterflies of `m` levels. Row `i` holds the butterfly
//! laid into copy `moment(i) mod m` of the cube-connected cycles, and so does column `j` by `j`. Lane `k` of an
//! edge goes aside into the line whose number differs in bit `k`, there along the edge's links, and back.

use super::Machine;
use super::theorem3::Copy;

mod channels;

pub use channels::fill;

/// Rows and columns, in the order of the two phases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Line {
    /// The first phase.
    #[default]
    Row,
    /// The second one.
    Column,
}

/// A lane of an edge out of a node, or into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lane {
    /// In which of the node's lines.
    pub line: Line,
    /// Of the edge that crosses.
    pub cross: bool,
    /// Which of the lanes of the edge.
    pub number: usize,
}

/// The network.
pub struct Product {
    levels: usize,
    /// `n`: bits of a line's number and of a place in it, and lanes of an edge.
    bits: usize,
    copies: Vec<Copy>,
}

/// The exclusive or of the numbers of the bits that are 1.
fn moment(number: usize) -> usize {
    (0..usize::BITS as usize)
        .filter(|bit| number >> bit & 1 == 1)
        .fold(0, |moment, bit| moment ^ bit)
}

impl Product {
    /// Of butterflies of `levels` levels, a power of two.
    pub fn new(levels: usize) -> Product {
        Product {
            levels,
            bits: dimensions(levels) / 2,
            copies: (0..levels).map(|copy| Copy::new(levels, copy)).collect(),
        }
    }

    /// The number of a node's line, and its place there.
    fn split(&self, line: Line, node: usize) -> (usize, usize) {
        let (row, column) = (node >> self.bits, node % (1 << self.bits));
        match line {
            Line::Row => (row, column),
            Line::Column => (column, row),
        }
    }

    fn join(&self, line: Line, number: usize, place: usize) -> usize {
        match line {
            Line::Row => (number << self.bits) + place,
            Line::Column => (place << self.bits) + number,
        }
    }

    fn copy(&self, number: usize) -> usize {
        moment(number) % self.levels
    }

    /// Level and column in the butterfly of a node's line.
    pub fn vertex(&self, line: Line, node: usize) -> (usize, usize) {
        let (number, place) = self.split(line, node);
        self.copies[self.copy(number)].vertex[place]
    }

    /// The nodes on a lane out of `node`, which is the first of them; the last is the other end of the edge.
    pub fn path(&self, node: usize, lane: Lane) -> Vec<usize> {
        let (number, place) = self.split(lane.line, node);
        let map = &self.copies[self.copy(number)];
        let (level, mut column) = map.vertex[place];
        let mut places = vec![place];
        if lane.cross {
            column ^= 1 << level;
            places.push(map.address[level][column]);
        }
        let end = map.address[(level + 1) % self.levels][column];
        places.push(end);
        let aside = number ^ 1 << lane.number;
        let mut path = vec![node];
        path.extend(places.iter().map(|&at| self.join(lane.line, aside, at)));
        path.push(self.join(lane.line, number, end));
        path
    }

    /// For each edge on the way: its line, and whether it crosses.
    pub fn way(&self, source: usize, destination: usize) -> Vec<(Line, bool)> {
        let (row, _) = self.split(Line::Row, source);
        let (_, column) = self.split(Line::Row, destination);
        let corner = self.join(Line::Row, row, column);
        let mut way = Vec::new();
        for (line, from, to) in [
            (Line::Row, source, corner),
            (Line::Column, corner, destination),
        ] {
            let (mut at, end) = (self.vertex(line, from), self.vertex(line, to));
            while at != end {
                let bit = 1 << at.0;
                let cross = at.1 & bit != end.1 & bit;
                way.push((line, cross));
                at = ((at.0 + 1) % self.levels, at.1 & !bit | end.1 & bit);
            }
        }
        way
    }

    /// What the switches on the way read. In a row, and at the source: by the row's cross edge? By its straight
    /// edge? By the column's cross edge? Out? Else by the column's straight edge. In a column: by its cross
    /// edge? Out? Else by its straight edge. For each switch its answers.
    pub fn header(&self, source: usize, destination: usize) -> Vec<Vec<bool>> {
        let mut header = Vec::new();
        let mut in_row = true;
        for (line, cross) in self.way(source, destination) {
            let (question, questions) = match (in_row, line, cross) {
                (true, Line::Row, true) => (0, 4),
                (true, Line::Row, false) => (1, 4),
                (true, Line::Column, true) => (2, 4),
                (true, Line::Column, false) => (4, 4),
                (false, _, true) => (0, 2),
                (false, _, false) => (2, 2),
            };
            answer(&mut header, question, questions);
            in_row = line == Line::Row;
        }
        match in_row {
            true => answer(&mut header, 3, 4),
            false => answer(&mut header, 1, 2),
        }
        header
    }

    fn lanes(&self) -> impl Iterator<Item = Lane> + use<> {
        let bits = self.bits;
        [Line::Row, Line::Column].into_iter().flat_map(move |line| {
            let edges = [false, true].into_iter();
            edges.flat_map(move |cross| {
                (0..bits).map(move |number| Lane {
                    line,
                    cross,
                    number,
                })
            })
        })
    }
}

/// What a channel reads: no to the questions before this one, and yes to it; nothing is asked about the last choice.
pub fn answer(header: &mut Vec<Vec<bool>>, question: usize, questions: usize) {
    let mut answers = vec![false; question];
    answers.extend((question < questions).then_some(true));
    header.push(answers);
}

/// Of the hypercube: rows and columns of butterflies of `levels` levels.
pub fn dimensions(levels: usize) -> usize {
    2 * (levels + levels.ilog2() as usize)
}

/// The classes of the lanes of an edge.
pub fn classes(machine: &Machine, levels: usize) -> usize {
    machine.virtual_channels.min(levels)
}
