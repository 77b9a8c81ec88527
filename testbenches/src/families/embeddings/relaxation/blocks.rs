//! The points by processes: who has which, what is sent to neighbours, and the new values from what has come.
//!
//! Process `(x, y)` of `P x P` is vertex `x + P y` of the guest, and has the points of rows `c y` to `c y + c - 1` and columns `c x`
//! to `c x + c - 1`. Right is where `x` grows, down is where `y` grows; behind the last process comes the first.

use hosts::words::Words;
use rtl_model::embedding::paths::Embedding;

/// Whereto a process sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the next column of processes.
    Right,
    /// To the next row of processes.
    Down,
    /// To the column before.
    Left,
    /// To the row before.
    Up,
}

impl Direction {
    /// All of them.
    pub const EACH: [Direction; 4] = [
        Direction::Right,
        Direction::Down,
        Direction::Left,
        Direction::Up,
    ];

    /// Of a guest edge: along the axis in which its ends differ, onwards or backwards.
    fn of(side: usize, [from, to]: [usize; 2], is_onwards: bool) -> Self {
        match (from / side == to / side, is_onwards) {
            (true, true) => Direction::Right,
            (true, false) => Direction::Left,
            (false, true) => Direction::Down,
            (false, false) => Direction::Up,
        }
    }
}

/// A torus of processes, a block of points to each, and the guest edges between them.
#[derive(Clone, Debug)]
pub struct Layout {
    processes: usize,
    side: usize,
    /// By direction and process: the edge on which it sends that way.
    sends: [Vec<usize>; 4],
    /// By direction and process: the edge on which comes what was sent that way.
    receives: [Vec<usize>; 4],
}

impl Layout {
    /// Of a torus of so many processes a side, whose blocks have so many points a side; the embedding has every edge both ways.
    pub fn new(embedding: &Embedding, processes: usize, side: usize) -> Self {
        let none = || vec![usize::MAX; embedding.vertices()];
        let mut layout = Layout {
            processes,
            side,
            sends: [(); 4].map(|()| none()),
            receives: [(); 4].map(|()| none()),
        };
        for edge in 0..embedding.edges() {
            let [from, to] = embedding.edge(edge);
            let is_onwards = edge < embedding.edges() / 2;
            let direction = Direction::of(processes, [from, to], is_onwards) as usize;
            layout.sends[direction][from] = edge;
            layout.receives[direction][to] = edge;
        }
        layout
    }

    /// Points of a side of a block.
    pub fn side(&self) -> usize {
        self.side
    }

    /// Processes of a side of the torus.
    pub fn processes(&self) -> usize {
        self.processes
    }

    /// Points of a side of the torus.
    pub fn points(&self) -> usize {
        self.processes * self.side
    }

    /// The process that has a point, and where in its block.
    fn home(&self, [row, column]: [usize; 2]) -> (usize, usize) {
        let process = column / self.side + self.processes * (row / self.side);
        (process, column % self.side + self.side * (row % self.side))
    }

    /// The point of a block, its place there, that is number `along` of what is sent in a direction.
    fn boundary(&self, direction: Direction, along: usize) -> usize {
        let last = self.side - 1;
        match direction {
            Direction::Right => last + self.side * along,
            Direction::Down => along + self.side * last,
            Direction::Left => self.side * along,
            Direction::Up => along,
        }
    }
}

/// All points, block by block.
#[derive(Clone, Debug)]
pub struct Blocks<'a> {
    layout: &'a Layout,
    word_bits: usize,
    /// By process: the points of its block, row by row.
    values: Vec<Vec<u64>>,
}

impl<'a> Blocks<'a> {
    /// With these values, a word a point, row by row of the torus.
    pub fn new(layout: &'a Layout, points: &Words) -> Self {
        let amount = layout.processes * layout.processes;
        let mut values = vec![vec![0; layout.side * layout.side]; amount];
        for (number, word) in points.iter().enumerate() {
            let (row, column) = (number / layout.points(), number % layout.points());
            let (process, place) = layout.home([row, column]);
            values[process][place] = word.first().copied().unwrap_or(0);
        }
        Blocks {
            layout,
            word_bits: points.bits(),
            values,
        }
    }

    /// The value of a point.
    pub fn value(&self, row: usize, column: usize) -> u64 {
        let (process, place) = self.layout.home([row, column]);
        self.values[process][place]
    }

    /// The points of a process, row by row.
    pub fn block(&self, process: usize) -> &[u64] {
        &self.values[process]
    }

    /// What all processes send: a message an edge, the words of a side of the block in order of rows or columns.
    pub fn messages(&self) -> Words {
        let (layout, bits) = (self.layout, self.word_bits);
        let edges = 4 * self.values.len();
        let mut messages = Words::zeros(edges, 1, layout.side * bits);
        for direction in Direction::EACH {
            let sends = &layout.sends[direction as usize];
            for (block, &edge) in self.values.iter().zip(sends) {
                for along in 0..layout.side {
                    let value = block[layout.boundary(direction, along)];
                    messages.set_chunk(edge, along * bits, (bits, value));
                }
            }
        }
        messages
    }

    /// The new values, from the old ones and from what has arrived.
    pub fn relax(&mut self, arrived: &Words) {
        let side = self.layout.side;
        for process in 0..self.values.len() {
            let come = |direction: Direction, along: usize| {
                let edge = self.layout.receives[direction as usize][process];
                arrived.chunk(edge, along * self.word_bits, self.word_bits)
            };
            let old = &self.values[process];
            let mut new = Vec::with_capacity(old.len());
            for (place, (row, column)) in (0..side)
                .flat_map(|row| (0..side).map(move |column| (row, column)))
                .enumerate()
            {
                let left = match column {
                    0 => come(Direction::Right, row),
                    _ => old[place - 1],
                };
                let right = match column + 1 == side {
                    true => come(Direction::Left, row),
                    false => old[place + 1],
                };
                let up = match row {
                    0 => come(Direction::Down, column),
                    _ => old[place - side],
                };
                let down = match row + 1 == side {
                    true => come(Direction::Up, column),
                    false => old[place + side],
                };
                new.push((left + right + up + down) >> 2);
            }
            self.values[process] = new;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtl_model::embedding::constructions::{Ask, construction};

    /// Two processes a side, four points a side: numbered row by row.
    ///
    /// ```text
    ///    0  1 |  2  3
    ///    4  5 |  6  7
    ///   ------+------
    ///    8  9 | 10 11
    ///   12 13 | 14 15
    /// ```
    fn numbered(layout: &Layout) -> Blocks<'_> {
        let mut points = Words::zeros(16, 1, 5);
        for number in 0..16 {
            points.fill(number, || number as u64);
        }
        Blocks::new(layout, &points)
    }

    fn embedding(guest: &str, dims: usize) -> Embedding {
        let guest = construction(guest).unwrap();
        guest.embed(&Ask::of_dimensions(dims)).unwrap().both_ways()
    }

    #[test]
    fn a_block_sends_its_sides_as_drawn() {
        let layout = Layout::new(&embedding("grid", 2), 2, 2);
        let blocks = numbered(&layout);
        assert_eq!(blocks.values[0], [0, 1, 4, 5]);
        assert_eq!(blocks.values[1], [2, 3, 6, 7]);
        assert_eq!(blocks.values[2], [8, 9, 12, 13]);
        let messages = blocks.messages();
        let sent = |direction: Direction, process: usize| {
            let word = messages.word(layout.sends[direction as usize][process])[0];
            [word & 31, word >> 5]
        };
        assert_eq!(sent(Direction::Right, 0), [1, 5]);
        assert_eq!(sent(Direction::Left, 0), [0, 4]);
        assert_eq!(sent(Direction::Down, 0), [4, 5]);
        assert_eq!(sent(Direction::Up, 0), [0, 1]);
        assert_eq!(sent(Direction::Down, 3), [14, 15]);
    }

    #[test]
    fn a_point_becomes_a_quarter_of_its_neighbours_rounded_down() {
        let layout = Layout::new(&embedding("gray-grid", 2), 2, 2);
        let mut blocks = numbered(&layout);
        let messages = blocks.messages();
        blocks.relax(&messages);
        // Left 3, right 1, up 12, down 4: 20 / 4. Left 1, right 3, up 14, down 6: 24 / 4.
        assert_eq!((blocks.value(0, 0), blocks.value(0, 2)), (5, 6));
        // Left 9, right 11, up 6, down 14: 40 / 4. Left 14, right 12, up 11, down 3: 40 / 4.
        assert_eq!((blocks.value(2, 2), blocks.value(3, 3)), (10, 10));
        // Left 4, right 6, up 1, down 9: 20 / 4. Of 3 and 15 by turns, the quarter is rounded down.
        assert_eq!(blocks.value(1, 1), 5);
        let mut points = Words::zeros(4, 1, 4);
        points.fill(1, || 3);
        let layout = Layout::new(&embedding("gray-grid", 2), 2, 1);
        let mut blocks = Blocks::new(&layout, &points);
        let messages = blocks.messages();
        blocks.relax(&messages);
        assert_eq!((blocks.value(0, 0), blocks.value(0, 1)), (1, 0));
    }

    /// Every process has a neighbour on each side, by an edge of its own.
    #[test]
    fn edges_lead_to_neighbours() {
        for (guest, dims, side) in [
            ("grid", 2, 2),
            ("gray-grid", 2, 2),
            ("grid", 6, 8),
            ("gray-grid", 4, 4),
            ("large-grid", 4, 8),
            ("large-grid", 8, 64),
        ] {
            let embedding = embedding(guest, dims);
            let layout = Layout::new(&embedding, side, 3);
            let mut has = vec![false; embedding.edges()];
            for direction in Direction::EACH {
                for process in 0..side * side {
                    let [x, y] = [process % side, process / side];
                    let [x, y] = match direction {
                        Direction::Right => [(x + 1) % side, y],
                        Direction::Left => [(x + side - 1) % side, y],
                        Direction::Down => [x, (y + 1) % side],
                        Direction::Up => [x, (y + side - 1) % side],
                    };
                    let edge = layout.sends[direction as usize][process];
                    assert_eq!(embedding.edge(edge), [process, x + side * y], "{guest}");
                    assert_eq!(layout.receives[direction as usize][x + side * y], edge);
                    assert!(!std::mem::replace(&mut has[edge], true));
                }
            }
            assert!(has.into_iter().all(|has| has));
        }
    }
}
