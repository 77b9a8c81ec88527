//! The relaxation as one would write it without processes: the whole torus in one array. What the blocks make is compared with it.

use hosts::words::Words;

/// All points, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Torus {
    side: usize,
    values: Vec<u64>,
}

impl Torus {
    /// With these values, a word a point, so many points a side.
    pub fn new(points: &Words, side: usize) -> Self {
        let value = |word: &[u64]| word.first().copied().unwrap_or(0);
        Torus {
            side,
            values: points.iter().map(value).collect(),
        }
    }

    /// The value of a point.
    pub fn value(&self, row: usize, column: usize) -> u64 {
        self.values[row * self.side + column]
    }

    /// A sweep.
    pub fn relax(&mut self) {
        let before = |place: usize| (place + self.side - 1) % self.side;
        let after = |place: usize| (place + 1) % self.side;
        let mut values = Vec::with_capacity(self.values.len());
        for row in 0..self.side {
            for column in 0..self.side {
                let sum = self.value(row, before(column))
                    + self.value(row, after(column))
                    + self.value(before(row), column)
                    + self.value(after(row), column);
                values.push(sum / 4);
            }
        }
        self.values = values;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_point_spreads_to_its_neighbours() {
        let mut points = Words::zeros(9, 1, 8);
        points.fill(0, || 203);
        let mut torus = Torus::new(&points, 3);
        torus.relax();
        assert_eq!(torus.values, [0, 50, 50, 50, 0, 0, 50, 0, 0]);
        torus.relax();
        assert_eq!(torus.values, [50, 12, 12, 12, 25, 25, 12, 25, 25]);
    }
}
