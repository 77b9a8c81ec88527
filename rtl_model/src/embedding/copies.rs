//! `n` copies of the cube-connected cycles of `n` levels, each of which takes every node of one
//! hypercube once and two wires out of it (Greenberg and Bhatt, section 5.3, Theorem 3).
//!
//! `n = 2^r`, and the hypercube has `n + r` dimensions. Copy `k` shares the dimensions out to two
//! *windows*, ordered lists: `r` of them, in `W^k`, say the level, and the other `n`, in `Wbar^k`,
//! say the column. Node `<l, c>` of the copy lies on the hypercube node whose address reads
//!
//! - `H^k(l)` in window `W^k`, the most significant bit in `W^k(0)`: bit `r - 1 - i` in dimension
//!   `W^k(i)`;
//! - `c` in window `Wbar^k`, the least significant bit in `Wbar^k(0)`: bit `l` in dimension
//!   `Wbar^k(l)`.
//!
//! `H^k` is the closed walk through the `r`-bit addresses by the Gray code, begun at `k`. So a
//! straight link changes one bit of `H`, a cross link one bit of `c`, and each lies on one wire:
//! the dilation is 1. The choice:
//!
//! ```text
//!   W^k(0)    = 1
//!   W^k(i)    = 2^i + (k >> (r - i))                  0 < i < r
//!   Wbar^k(l) = l,  or n + floor(log l) if W^k has l
//!   H^k(l)    = gray(l) ^ k
//! ```
//!
//! A window is a path from the root of a tree of dimensions, in which `d` has the children `2d` and
//! `2d + 1`, and the bits of `k` say where to turn. For `n = 4`, in the hypercube of 6 dimensions:
//!
//! | copy | `W`  | `Wbar`     | `H`        | straight links of levels 0..4 | cross links |
//! |------|------|------------|------------|-------------------------------|-------------|
//! | 0    | 1, 2 | 0, 4, 5, 3 | 0, 1, 3, 2 | 2, 1, 2, 1                    | 0, 4, 5, 3  |
//! | 1    | 1, 2 | 0, 4, 5, 3 | 1, 0, 2, 3 | 2, 1, 2, 1                    | 0, 4, 5, 3  |
//! | 2    | 1, 3 | 0, 4, 2, 5 | 2, 3, 1, 0 | 3, 1, 3, 1                    | 0, 4, 2, 5  |
//! | 3    | 1, 3 | 0, 4, 2, 5 | 3, 2, 0, 1 | 3, 1, 3, 1                    | 0, 4, 2, 5  |
//!
//! Copy 0 alone, in which `W` is 1, 2, 4, ..., is an embedding as in Lemma 4, for these `n`.
//!
//! No wire then carries more than two links of all the copies: [`crate::embedding::congestion`]
//! counts.
//!
//! The paper leaves open, or has otherwise, and it is corrected here:
//!
//! - What is added to `2^i` are the *top* `i` bits of the `r`-bit number `k`.
//! - `H` is read from `W` most significant bit first. Read the other way round, eight copies put 4
//!   links on a wire, and 16 copies 8.
//! - The straight link of level `l` lies in dimension `W^k(r - 1 - G_r(l))`, where `G_r(l)` counts
//!   bits from the least significant; Observation 2 has `W^k(G_r(l))`, which its Lemma 8
//!   contradicts.
//! - If `n` is no power of two the formulas make no embedding: the windows overlap.

use crate::embedding::gray_code;
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use crate::machine::topology::hypercube::{Dimensions, address_bit};

#[cfg(test)]
mod tests;

/// The copies of one size: their windows and walks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copies {
    network: CubeConnectedCycles,
    dimensions: Dimensions,
    copies: Vec<Windows>,
}

/// The two windows of a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Windows {
    window: Vec<usize>,
    column_window: Vec<usize>,
}

/// The refusal of cube-connected cycles that have as many nodes as no hypercube has.
fn no_copies_of(levels: usize) -> Error {
    let above = levels.next_power_of_two();
    let nearest = match levels {
        0..=2 => "2".to_owned(),
        16.. => "16".to_owned(),
        _ => format!("{} or {above}", above / 2),
    };
    let refusal = Refusal::of(format!(
        "no hypercube has as many nodes as cube-connected cycles of {levels} levels"
    ))
    .because("the levels must be a power of two, 2 to 16")
    .instead(format!("choose {nearest}"));
    match levels {
        2..=16 => refusal.only_together("levels of copies"),
        _ => refusal,
    }
    .into()
}

impl Copies {
    /// The `levels` copies of the cube-connected cycles of `levels` levels.
    ///
    /// # Errors
    /// Levels, unless there are 2, 4, 8 or 16.
    pub fn new(levels: usize) -> Result<Self, Error> {
        if !levels.is_power_of_two() {
            return Err(no_copies_of(levels));
        }
        let network = CubeConnectedCycles::new(levels).map_err(|_| no_copies_of(levels))?;
        let bits = levels.ilog2() as usize;
        Ok(Copies {
            network,
            dimensions: Dimensions::new(levels + bits)?,
            copies: (0..levels)
                .map(|copy| Windows::new(levels, bits, copy))
                .collect(),
        })
    }

    /// `n`, of the hypercube of so many dimensions that has as many nodes as cube-connected cycles of `n` levels, where there is
    /// one: `n + log2 n`.
    pub fn levels_in(dimensions: usize) -> Option<usize> {
        [2, 4, 8, 16]
            .into_iter()
            .find(|&levels: &usize| levels + levels.ilog2() as usize == dimensions)
    }

    /// The copies that there are in the hypercube of so many dimensions.
    ///
    /// # Errors
    /// Dimensions, unless there are 3, 6, 11 or 20.
    pub fn in_hypercube(dimensions: usize) -> Result<Self, Error> {
        let Some(levels) = Self::levels_in(dimensions) else {
            return Err(Refusal::of(format!(
                "there are no copies of cube-connected cycles in a hypercube of {dimensions} dimensions"
            ))
            .because("those of n levels, n = 2, 4, 8 or 16, lie in one of n + log2 n")
            .instead("choose --dims 3, 6, 11 or 20 (they were --dims 2, 4, 8 and 16)")
            .only_together("levels of copies")
            .into());
        };
        Self::new(levels)
    }

    /// The network of which these are copies.
    pub fn network(&self) -> CubeConnectedCycles {
        self.network
    }

    /// Levels of each copy, `n`.
    pub fn levels(&self) -> usize {
        self.network.levels()
    }

    /// Number of copies: also `n`.
    pub fn copies(&self) -> usize {
        self.copies.len()
    }

    /// The hypercube: `n + r` dimensions.
    pub fn dimensions(&self) -> Dimensions {
        self.dimensions
    }

    /// `W^copy`: the dimensions that carry the level, that of the most significant bit of `H^copy`
    /// first.
    pub fn window(&self, copy: usize) -> &[usize] {
        &self.copies[copy].window
    }

    /// `Wbar^copy`: the dimensions that carry the column, that of bit 0 first.
    pub fn column_window(&self, copy: usize) -> &[usize] {
        &self.copies[copy].column_window
    }

    /// `H^copy(level)`: what the address reads in [`Copies::window`] at that level.
    #[inline]
    pub fn cycle(&self, copy: usize, level: usize) -> usize {
        gray_code::gray(level) ^ copy
    }

    /// The hypercube node on which node `<level, column>` of a copy lies.
    pub fn map(&self, copy: usize, level: usize, column: usize) -> usize {
        let cycle = self.cycle(copy, level);
        let window = self.window(copy).iter().rev();
        scatter(cycle, window) | scatter(column, self.column_window(copy).iter())
    }

    /// The level and the column of a copy's node that lies on hypercube node `node`: the inverse of
    /// [`Copies::map`].
    pub fn unmap(&self, copy: usize, node: usize) -> (usize, usize) {
        let cycle = gather(node, self.window(copy).iter().rev());
        let column = gather(node, self.column_window(copy).iter());
        (gray_code::index(cycle ^ copy), column)
    }

    /// The dimension of the wires on which a copy's straight links out of `level` lie.
    pub fn straight_dimension(&self, copy: usize, level: usize) -> usize {
        let window = self.window(copy);
        window[window.len() - 1 - gray_code::transition(window.len(), level)]
    }

    /// The dimension of the wires on which a copy's cross links of `level` lie.
    pub fn cross_dimension(&self, copy: usize, level: usize) -> usize {
        self.column_window(copy)[level]
    }

    /// The copies whose links lie on the wire from `node` across `dimension`: at most two, in two
    /// slots.
    ///
    /// - Dimension 1 has straight links only, two on every wire: slot 0 has that out of level
    ///   `n / 2 - 1`, slot 1 that out of level `n - 1`.
    /// - Any other has a straight link in slot 0 and a cross link in slot 1, or one of them.
    pub fn owners(&self, node: usize, dimension: usize) -> [Option<usize>; 2] {
        let level = |copy| self.unmap(copy, node).0;
        let find = |owns: &dyn Fn(usize) -> bool| (0..self.copies()).find(|&copy| owns(copy));
        if dimension == 1 {
            let last = self.levels() - 1;
            [last / 2, last].map(|at| find(&|copy| level(copy) == at))
        } else {
            [
                find(&|copy| self.straight_dimension(copy, level(copy)) == dimension),
                find(&|copy| self.cross_dimension(copy, level(copy)) == dimension),
            ]
        }
    }
}

impl Windows {
    fn new(levels: usize, bits: usize, copy: usize) -> Self {
        let window: Vec<usize> = (0..bits)
            .map(|place| (1 << place) + (copy >> (bits - place)))
            .collect();
        let column_window = (0..levels)
            .map(|level| {
                if window.contains(&level) {
                    levels + level.ilog2() as usize
                } else {
                    level
                }
            })
            .collect();
        Windows {
            window,
            column_window,
        }
    }
}

/// The address that has bit `i` of `value` in the `i`-th of `dimensions`.
fn scatter<'a>(value: usize, dimensions: impl Iterator<Item = &'a usize>) -> usize {
    dimensions
        .enumerate()
        .map(|(bit, dimension)| usize::from(address_bit(value, bit)) << dimension)
        .sum()
}

/// The number whose bit `i` is the address's bit in the `i`-th of `dimensions`.
fn gather<'a>(node: usize, dimensions: impl Iterator<Item = &'a usize>) -> usize {
    dimensions
        .enumerate()
        .map(|(bit, &dimension)| usize::from(address_bit(node, dimension)) << bit)
        .sum()
}
