//! The order in which steps 2 to 6 pass the dimensions that are left, and what it makes of ranks.
//!
//! Bit `r-1` of a rank belongs to the `r`-th dimension of the row. So the row says both who gets which
//! rank, and which node a rank stands for.

/// An order of dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// From the lowest up: ranks follow the node numbers.
    Ascending,
    /// Every other dimension up, beginning with the second, and the others back down.
    Folded,
}

impl Row {
    /// The dimensions from `lowest` to `k-1`, in this order.
    pub fn dimensions(self, lowest: usize, k: usize) -> Vec<usize> {
        match self {
            Row::Ascending => (lowest..k).collect(),
            Row::Folded => ((lowest + 1..k).step_by(2))
                .chain((lowest..k).step_by(2).rev())
                .collect(),
        }
    }
}

/// The place of `node` among the members of its subcube, as a row over these dimensions counts them.
pub fn place(row: &[usize], node: usize) -> usize {
    (row.iter().enumerate())
        .map(|(bit, dimension)| (node >> dimension & 1) << bit)
        .sum()
}

/// The address bits of the member at `place`: [`place`] the other way round.
pub fn member(row: &[usize], place: usize) -> usize {
    (row.iter().enumerate())
        .map(|(bit, dimension)| (place >> bit & 1) << dimension)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folded_row_passes_every_other_dimension_on_its_way_up() {
        assert_eq!(Row::Ascending.dimensions(2, 6), [2, 3, 4, 5]);
        assert_eq!(Row::Folded.dimensions(1, 7), [2, 4, 6, 5, 3, 1]);
        assert_eq!(Row::Folded.dimensions(1, 6), [2, 4, 5, 3, 1]);
        assert_eq!(Row::Folded.dimensions(5, 6), [5]);
    }

    #[test]
    fn a_row_numbers_each_member_once() {
        for row in [Row::Ascending, Row::Folded] {
            let dimensions = row.dimensions(1, 6);
            for number in 0..1 << dimensions.len() {
                let node = member(&dimensions, number);
                assert_eq!(place(&dimensions, node), number);
                assert_eq!(node % 2, 0);
                if row == Row::Ascending {
                    assert_eq!(node, number << 1);
                }
            }
        }
    }
}
