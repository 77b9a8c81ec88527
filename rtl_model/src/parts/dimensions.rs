//! A row of like modules, one for each dimension of the cube from some dimension up.

use std::ops::{Index, IndexMut, Range};

use crate::bit::Bit;
use crate::register::{Name, Registers, Visitor};

/// Modules for the dimensions `first..first + len`, indexed by dimension.
#[derive(Clone, Debug)]
pub struct ByDimension<M> {
    first: usize,
    modules: Vec<M>,
}

impl<M> ByDimension<M> {
    /// One module for each of `dimensions`.
    pub fn new(dimensions: Range<usize>, module: impl FnMut(usize) -> M) -> Self {
        ByDimension {
            first: dimensions.start,
            modules: dimensions.map(module).collect(),
        }
    }

    /// The dimensions that have a module.
    #[inline]
    pub fn range(&self) -> Range<usize> {
        self.first..self.first + self.modules.len()
    }

    /// The module of the dimension below, if there is one.
    #[inline]
    pub fn below(&self, dimension: usize) -> Option<&M> {
        dimension
            .checked_sub(self.first + 1)
            .and_then(|place| self.modules.get(place))
    }

    /// The module of the dimension above, if there is one.
    #[inline]
    pub fn above(&self, dimension: usize) -> Option<&M> {
        self.modules.get(dimension + 1 - self.first)
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
}
