//! Grids and tori (section 4.5): each axis along a cycle in dimensions of its own, `cross_product`.
//!
//! | guest       | an axis of `2^a` | sides                                                                       |
//! |-------------|------------------|-----------------------------------------------------------------------------|
//! | `grid`      | Theorem 1        | Corollary 1: all need as many dimensions. Corollary 2: two axes, `squaring` |
//! | `gray-grid` | the Gray code    | any                                                                         |
//!
//! An edge leads onwards along an axis. A side of `2^a` is a cycle, with an edge from its last vertex to its first; a shorter one
//! is the path that the cycle begins with. A squared grid has paths only.
//!
//! Corrected:
//!
//! - Corollary 1 says that the expansion is at most `k + 1`, of `k` axes. Of four axes of 9 it is 8.
//! - Theorem 1 has more paths and packets than the corollary counts, and a grid has them too. In less than 4 dimensions an axis
//!   is the Gray-code cycle.
//! - Corollary 2 has the smallest hypercube of `2 ceil(log L)` dimensions that has room for the grid. The lanes of `squaring`
//!   lose cells at turns and at the ends, and may need two dimensions more, so that the expansion is up to 8. Its constant cost
//!   is 14 to 18 steps for the grids of width 3 and 5 that were measured, hop by hop, and 9 or 10 greedily.

use crate::embedding::constructions::construction::{
    AXES, Ask, Claim, Construction, Figure, not_embedded,
};
use crate::embedding::constructions::cross_product::{self, Axis};
use crate::embedding::constructions::cycle::Cycle;
use crate::embedding::constructions::gray_cycle::GrayCycle;
use crate::embedding::constructions::squaring::Squaring;
use crate::embedding::paths::Embedding;
use crate::error::Error;

#[cfg(test)]
mod tests;

/// The construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// Along the cycles of Theorem 1.
    Wide,
    /// Along the Gray code.
    Gray,
}

/// The most dimensions of the host.
const MOST: usize = 16;

/// A grid that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shape {
    sides: Vec<usize>,
    /// Of two unequal sides, how they are made equal.
    squaring: Option<Squaring>,
}

/// Dimensions that an axis of this side takes.
fn bits(side: usize) -> usize {
    (usize::BITS - (side - 1).leading_zeros()) as usize
}

impl Shape {
    fn dimensions(&self) -> usize {
        match self.squaring {
            Some(squaring) => 2 * squaring.bits(),
            None => self.sides.iter().map(|&side| bits(side)).sum(),
        }
    }

    /// Every side is a whole cycle.
    fn is_torus(&self) -> bool {
        self.squaring.is_none() && self.sides.iter().all(|side| side.is_power_of_two())
    }
}

impl Grid {
    fn shape(self, ask: &Ask) -> Result<Shape, Error> {
        let shape = match &ask.sides {
            None => self.of_dimensions(ask)?,
            Some(sides) => self.of_sides(ask, sides)?,
        };
        let needs = shape.dimensions();
        match ask.dimensions {
            Some(dimensions) if dimensions != needs => Err(self.refused(
                dimensions,
                "its sides say in how many it lies",
                format!("choose {needs}, or leave them out"),
            )),
            _ => Ok(shape),
        }
    }

    /// All sides equal, of so many axes.
    fn of_dimensions(self, ask: &Ask) -> Result<Shape, Error> {
        let axes = ask.axes.unwrap_or(AXES);
        if !(1..=MOST).contains(&axes) {
            let nearest = axes.clamp(1, MOST);
            return Err(self.not_of(
                format!("of {axes} axes"),
                "an axis takes one of up to 16 dimensions, or more".to_owned(),
                format!("choose {nearest}"),
            ));
        }
        // Four dimensions an axis, the fewest that make it wide, where there are as many.
        let dimensions = ask.dimensions.unwrap_or(axes * 4.min(MOST / axes));
        if !dimensions.is_multiple_of(axes) || !(axes..=MOST).contains(&dimensions) {
            let most = MOST / axes * axes;
            let below = (dimensions / axes * axes).clamp(axes, most);
            let above = (below + axes).min(most);
            let nearest = match dimensions < below || below == above {
                true => format!("choose {below}"),
                false => format!("choose {below} or {above}"),
            };
            let why = format!("{axes} axes take as many each, and 16 together at the most");
            return Err(self.refused(dimensions, &why, nearest));
        }
        Ok(Shape {
            sides: vec![1 << (dimensions / axes); axes],
            squaring: None,
        })
    }

    fn of_sides(self, ask: &Ask, sides: &[usize]) -> Result<Shape, Error> {
        let names: Vec<String> = sides.iter().map(usize::to_string).collect();
        let refused = |why: String, instead: &str| {
            self.not_of(
                format!("of sides {}", names.join(" x ")),
                why,
                instead.to_owned(),
            )
        };
        if sides.is_empty() || sides.contains(&0) || sides.contains(&1) {
            let why = "a side has two vertices or more".to_owned();
            return Err(refused(why, "leave out axes of one vertex"));
        }
        if let Some(axes) = ask.axes
            && axes != sides.len()
        {
            let why = format!(
                "these are {} sides, and the axes asked for are {axes}",
                sides.len()
            );
            return Err(refused(why, "leave out the number of axes"));
        }
        let unequal = sides.iter().any(|&side| bits(side) != bits(sides[0]));
        let squaring = match (self, sides) {
            (Grid::Wide, &[one, other]) if unequal => {
                let (lanes, length) = (one.min(other), one.max(other));
                let Some(squaring) = Squaring::new(lanes, length, MOST / 2) else {
                    let why = format!("squared, it takes more than {MOST} dimensions");
                    let instead = match Squaring::longest(lanes, MOST / 2) {
                        Some(longest) => format!("with {lanes} choose up to {longest}"),
                        None => format!("choose a side of up to {}", 1 << (MOST / 2 - 1)),
                    };
                    return Err(refused(why, &instead));
                };
                Some(squaring)
            }
            (Grid::Wide, _) if unequal => {
                let why =
                    "their dimensions differ, and only a grid of two axes is squared".to_owned();
                let instead = "choose sides that need as many dimensions each, or two axes, or the guest gray-grid";
                return Err(refused(why, instead));
            }
            _ => None,
        };
        let shape = Shape {
            sides: sides.to_vec(),
            squaring,
        };
        match shape.dimensions() {
            ..=MOST => Ok(shape),
            needs => {
                let why = format!("it takes {needs} dimensions, and is made for 16 at the most");
                Err(refused(why, "choose shorter sides"))
            }
        }
    }

    fn not_of(self, asked: String, why: String, instead: String) -> Error {
        not_embedded(self.name(), asked, why, instead)
    }

    /// The cycle of an axis of so many dimensions. Of two vertices it is one for both guests.
    fn cycle(self, bits: usize) -> Result<Embedding, Error> {
        let ask = Ask::of_dimensions(bits);
        match (self, bits) {
            (Grid::Gray, _) | (_, 1) => GrayCycle.embed(&ask),
            (Grid::Wide, _) => Cycle.embed(&ask),
        }
    }
}

impl Construction for Grid {
    fn name(&self) -> &'static str {
        match self {
            Grid::Wide => "grid",
            Grid::Gray => "gray-grid",
        }
    }

    fn models(&self) -> &'static str {
        match self {
            Grid::Wide => {
                "the grid or torus, each edge over half as many paths as an axis has dimensions"
            }
            Grid::Gray => "the grid or torus along the Gray code, one path an edge",
        }
    }

    fn theorem(&self) -> &'static str {
        match self {
            Grid::Wide => "Corollaries 1, 2",
            Grid::Gray => "section 4.5",
        }
    }

    fn default_dimensions(&self) -> usize {
        8
    }

    fn shown_dimensions(&self) -> &'static [usize] {
        &[8, 12]
    }

    fn host(&self, ask: &Ask) -> Result<usize, Error> {
        Ok(self.shape(ask)?.dimensions())
    }

    fn embed(&self, ask: &Ask) -> Result<Embedding, Error> {
        let shape = self.shape(ask)?;
        if let (Some(squaring), &[one, other]) = (shape.squaring, shape.sides.as_slice()) {
            return squaring.embed([one, other], &self.cycle(squaring.bits())?);
        }
        let cycles = shape.sides.iter().map(|&side| self.cycle(bits(side)));
        let cycles: Vec<Embedding> = cycles.collect::<Result<_, _>>()?;
        let axes = cycles.iter().zip(&shape.sides);
        let axes: Vec<Axis<'_>> = axes.map(|(cycle, &side)| Axis { cycle, side }).collect();
        cross_product::grid(&axes)
    }

    fn paper(&self, ask: &Ask) -> Result<Claim, Error> {
        let shape = self.shape(ask)?;
        if *self == Grid::Gray {
            return GrayCycle.paper(&Ask::default());
        }
        // Corollary 2 has the side of the square that has as many cells as the grid, rounded up; an equal side is that side.
        let longest = match shape.squaring {
            None => shape.sides.iter().copied().max().unwrap_or(2),
            Some(_) => {
                let cells: usize = shape.sides.iter().product();
                cells.isqrt() + usize::from(cells.isqrt().pow(2) < cells)
            }
        };
        let bits = bits(longest);
        let (dilation, cost) = match shape.squaring {
            None => (Figure::Is(3), Figure::Is(3)),
            Some(_) => (Figure::Order("O(1)"), Figure::Order("O(1)")),
        };
        Ok(Claim {
            width: Figure::Is(bits / 2),
            dilation: if bits < 4 { Figure::Unsaid } else { dilation },
            congestion: Figure::Unsaid,
            packets: Figure::Is(bits.div_ceil(2)),
            cost,
        })
    }

    /// Of a torus, what holds of its axes. Other grids do not use all that cycles do, and squared ones more: of them nothing is said
    /// but the width.
    fn corrected(&self, ask: &Ask) -> Result<Claim, Error> {
        let shape = self.shape(ask)?;
        let bits = bits(shape.sides[0]);
        match self {
            Grid::Gray => GrayCycle.corrected(&Ask::default()),
            Grid::Wide if shape.is_torus() && bits > 1 => {
                Cycle.corrected(&Ask::of_dimensions(bits))
            }
            Grid::Wide => Ok(Claim {
                width: match self.host(ask)? / shape.sides.len() {
                    ..2 => Figure::Unsaid,
                    of_axis => Cycle.corrected(&Ask::of_dimensions(of_axis))?.width,
                },
                ..Claim::default()
            }),
        }
    }
}
