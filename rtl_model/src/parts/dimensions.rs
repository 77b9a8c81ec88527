//! A row of like modules, one for each dimension of the cube from some dimension up, and the order
//! in which a row passes them.
//!
//! ```text
//!   ascending:  1 -> 2 -> 3 -> 4 -> 5 -> 6
//!   folded:     2 -> 4 -> 6 -> 5 -> 3 -> 1
//!   without 1, the other way round:
//!               3 -> 5 -> 6 -> 4 -> 2
//! ```
//!
//! An iteration of Algorithm 2 leaves one dimension fewer, the lowest. What is left of a folded
//! row, run from its other end, is a folded row again: so it needs no wires but those between
//! neighbours.

use std::ops::{Index, IndexMut, Range};

use crate::language::bit::Bit;
use crate::language::register::{Name, Registers, Visitor};

/// The order in which a row passes the dimensions of a subcube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrder {
    /// From the lowest to the highest.
    Ascending,
    /// Up by twos from the second lowest, and back down by twos to the lowest (Kuszmaul's steps
    /// leave the order open: any will do, if enumeration and packing agree on it).
    Folded,
}

impl RowOrder {
    /// The number, from 1, of the stage that passes `dimension` in a row over `dimensions`.
    pub fn stage(self, dimension: usize, dimensions: Range<usize>) -> usize {
        let above = dimension - dimensions.start;
        match self {
            RowOrder::Ascending => above + 1,
            RowOrder::Folded if above % 2 == 1 => above / 2 + 1,
            RowOrder::Folded => dimensions.len() - above / 2,
        }
    }

    /// The dimensions in the order in which a row over them passes them.
    pub fn row(self, dimensions: Range<usize>) -> Vec<usize> {
        let mut row: Vec<usize> = dimensions.clone().collect();
        row.sort_by_key(|&dimension| self.stage(dimension, dimensions.clone()));
        row
    }

    /// The dimensions on either side of `dimension` in a row over `dimensions`: before it and
    /// behind it.
    #[inline]
    fn neighbours(
        self,
        dimension: usize,
        dimensions: Range<usize>,
    ) -> (Option<usize>, Option<usize>) {
        let Range { start, end } = dimensions;
        let within = |dimension: usize| (dimension < end).then_some(dimension);
        let below = |by: usize| dimension.checked_sub(by).filter(|below| *below >= start);
        match self {
            RowOrder::Ascending => (below(1), within(dimension + 1)),
            // At the fold the neighbour is the other of the two highest.
            RowOrder::Folded => {
                let (towards_fold, towards_end) = match within(dimension + 2) {
                    Some(above) => (Some(above), below(2)),
                    None if dimension + 1 < end => (Some(dimension + 1), below(2)),
                    None => (below(1), below(2)),
                };
                match (dimension - start) % 2 {
                    1 => (towards_end, towards_fold),
                    _ => (towards_fold, towards_end),
                }
            }
        }
    }
}

/// Whether the stage of a dimension ever has another before it, and behind it, in the rows that a
/// module for `dimensions` is to serve: over all of them, and over those that later iterations
/// leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbours {
    /// Another stage feeds this one.
    pub is_fed: bool,
    /// This one feeds another.
    pub feeds: bool,
}

impl Neighbours {
    /// Of `dimension` in rows of the given order.
    pub fn of(dimension: usize, order: RowOrder, dimensions: Range<usize>) -> Self {
        let stages = (dimensions.start..=dimension).map(|lowest| {
            (
                order.stage(dimension, lowest..dimensions.end),
                dimensions.end - lowest,
            )
        });
        Neighbours {
            is_fed: stages.clone().any(|(stage, _)| stage > 1),
            feeds: stages.clone().any(|(stage, last)| stage < last),
        }
    }
}

/// Modules for the dimensions `first..first + len`, indexed by dimension, in a row.
#[derive(Clone, Debug)]
pub struct ByDimension<M> {
    first: usize,
    order: RowOrder,
    modules: Vec<M>,
}

impl<M> ByDimension<M> {
    /// One module for each of `dimensions`.
    pub fn new(dimensions: Range<usize>, order: RowOrder, module: impl FnMut(usize) -> M) -> Self {
        ByDimension {
            first: dimensions.start,
            order,
            modules: dimensions.map(module).collect(),
        }
    }

    /// The dimensions that have a module.
    #[inline]
    pub fn range(&self) -> Range<usize> {
        self.first..self.first + self.modules.len()
    }

    /// The dimensions against the flow: from the last that a row passes to the first, or where it
    /// runs `backward`, from its far end, the other way round. Those that are not `active` may be
    /// left out.
    #[inline]
    pub fn against_flow(
        &self,
        active: Range<usize>,
        backward: bool,
    ) -> impl Iterator<Item = usize> + use<M> {
        let (order, first, length) = (self.order, self.first, self.modules.len());
        let (from, to) = match order {
            RowOrder::Ascending => (
                active.start.saturating_sub(first),
                active.end.saturating_sub(first),
            ),
            RowOrder::Folded => (0, length),
        };
        let up = length / 2;
        (from..to).map(move |step| {
            let place = if backward { step } else { from + to - 1 - step };
            match order {
                RowOrder::Ascending => first + place,
                RowOrder::Folded if place < up => first + 1 + 2 * place,
                RowOrder::Folded => first + 2 * (length - 1 - place),
            }
        })
    }

    /// The module before that of `dimension` in the row, if there is one.
    #[inline]
    pub fn before(&self, dimension: usize) -> Option<&M> {
        match self.order {
            RowOrder::Ascending => {
                let place = dimension.checked_sub(self.first + 1);
                place.and_then(|place| self.modules.get(place))
            }
            RowOrder::Folded => self.beside(dimension).0,
        }
    }

    /// The module behind that of `dimension` in the row, if there is one.
    #[inline]
    pub fn behind(&self, dimension: usize) -> Option<&M> {
        match self.order {
            RowOrder::Ascending => self.modules.get(dimension + 1 - self.first),
            RowOrder::Folded => self.beside(dimension).1,
        }
    }

    fn beside(&self, dimension: usize) -> (Option<&M>, Option<&M>) {
        let (before, behind) = self.order.neighbours(dimension, self.range());
        let module = |dimension: usize| &self[dimension];
        (before.map(module), behind.map(module))
    }
}

impl<M> Index<usize> for ByDimension<M> {
    type Output = M;
    #[inline]
    fn index(&self, dimension: usize) -> &M {
        &self.modules[dimension - self.first]
    }
}

impl<M> IndexMut<usize> for ByDimension<M> {
    #[inline]
    fn index_mut(&mut self, dimension: usize) -> &mut M {
        &mut self.modules[dimension - self.first]
    }
}

impl<B: Bit, M: Registers<B>> Registers<B> for ByDimension<M> {
    /// The modules stand in the enclosing module directly, each under its dimension.
    fn visit(&self, _name: Name, visitor: &mut dyn Visitor<B>) {
        for dimension in self.range() {
            self[dimension].visit(Name::Dimension(dimension), visitor);
        }
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        for module in &mut self.modules {
            module.visit_mut(visitor);
        }
    }

    fn visit_witnesses(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        for module in &mut self.modules {
            module.visit_witnesses(visitor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folded_row_goes_up_by_twos_and_comes_back() {
        assert_eq!(RowOrder::Ascending.row(1..7), [1, 2, 3, 4, 5, 6]);
        assert_eq!(RowOrder::Folded.row(1..7), [2, 4, 6, 5, 3, 1]);
        assert_eq!(RowOrder::Folded.row(1..6), [2, 4, 5, 3, 1]);
        assert_eq!(RowOrder::Folded.row(5..6), [5]);
    }

    #[test]
    fn what_is_left_of_a_folded_row_is_one_the_other_way_round() {
        for end in 2..12 {
            for start in 1..end {
                let mut left = RowOrder::Folded.row(start..end);
                assert_eq!(left.pop(), Some(start));
                left.reverse();
                assert_eq!(left, RowOrder::Folded.row(start + 1..end));
            }
        }
    }

    #[test]
    fn neighbours_stand_side_by_side_in_the_row() {
        for order in [RowOrder::Ascending, RowOrder::Folded] {
            for end in 2..12 {
                let row = order.row(1..end);
                let modules = ByDimension::new(1..end, order, |dimension| dimension);
                let mut against: Vec<usize> = modules.against_flow(1..end, true).collect();
                assert_eq!(against, row);
                against.reverse();
                assert_eq!(
                    modules.against_flow(1..end, false).collect::<Vec<_>>(),
                    against
                );
                for (place, &dimension) in row.iter().enumerate() {
                    let before = place.checked_sub(1).map(|place| row[place]);
                    let behind = row.get(place + 1).copied();
                    assert_eq!(order.neighbours(dimension, 1..end), (before, behind));
                    assert_eq!(modules.before(dimension).copied(), before);
                    assert_eq!(modules.behind(dimension).copied(), behind);
                    assert_eq!(order.stage(dimension, 1..end), place + 1);
                }
            }
        }
    }

    #[test]
    fn an_ascending_row_has_one_first_stage_and_one_last_whatever_is_left_of_it() {
        for dimension in 1..6 {
            assert_eq!(
                Neighbours::of(dimension, RowOrder::Ascending, 1..6),
                Neighbours {
                    is_fed: dimension > 1,
                    feeds: dimension < 5
                }
            );
        }
        // In 2, 4, 5, 3, 1 and what is left of it every dimension but 1 begins a row and another
        // ends one.
        for dimension in 1..6 {
            assert_eq!(
                Neighbours::of(dimension, RowOrder::Folded, 1..6),
                Neighbours {
                    is_fed: true,
                    feeds: dimension > 1
                }
            );
        }
    }
}
