//! What a construction is, what it is asked for, and what is claimed of what it gives.

use std::fmt;
use std::ops::RangeInclusive;

use crate::embedding::paths::Embedding;
use crate::error::Error;
use crate::error::refusal::Refusal;

/// The refusal of a guest that is not laid into a hypercube as it is asked for, though others may be.
pub fn not_embedded(
    guest: &str,
    asked: impl fmt::Display,
    why: impl fmt::Display,
    instead: impl fmt::Display,
) -> Error {
    Refusal::of(format!("the guest {guest} is not embedded {asked}"))
        .because(why)
        .instead(instead)
        .only_together("guest")
        .into()
}

/// Axes of a grid where none are asked for.
pub const AXES: usize = 2;

/// What is asked of a construction; what it does not take, and was given, it refuses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    /// Dimensions of the host.
    pub dimensions: Option<usize>,
    /// Axes of a grid.
    pub axes: Option<usize>,
    /// Sides of a grid, which say how many axes there are.
    pub sides: Option<Vec<usize>>,
}

impl Ask {
    /// A host of so many dimensions, and nothing else.
    pub fn of_dimensions(dimensions: usize) -> Self {
        Ask {
            dimensions: Some(dimensions),
            ..Ask::default()
        }
    }
}

impl Ask {
    /// Refuses axes and sides, for a guest that is no grid.
    ///
    /// # Errors
    /// That there are such.
    pub fn only_dimensions(&self, of: &dyn Construction) -> Result<(), Error> {
        let has = [
            ("--axes", self.axes.is_some()),
            ("--sides", self.sides.is_some()),
        ];
        match has.into_iter().find(|(_, given)| *given) {
            None => Ok(()),
            Some((option, _)) => Err(not_embedded(
                of.name(),
                format_args!("with {option}"),
                "it is no grid",
                "leave the option out, or choose the guest grid",
            )),
        }
    }

    /// The dimensions of the host, or those of the construction where none are asked for, of a guest that is no grid.
    ///
    /// # Errors
    /// Dimensions that are not made, with the nearest that are; axes and sides.
    pub fn dimensions_of(
        &self,
        of: &dyn Construction,
        made: RangeInclusive<usize>,
    ) -> Result<usize, Error> {
        self.only_dimensions(of)?;
        let dimensions = self.dimensions.unwrap_or(of.default_dimensions());
        let (fewest, most) = (*made.start(), *made.end());
        match made.contains(&dimensions) {
            true => Ok(dimensions),
            false => Err(of.refused(
                dimensions,
                &format!("it is made for {fewest} to {most} dimensions"),
                format!("choose {}", dimensions.clamp(fewest, most)),
            )),
        }
    }
}

/// A guest and the way to lay it into a hypercube.
pub trait Construction: Sync {
    /// The guest's name on a command line.
    fn name(&self) -> &'static str;

    /// What it is, in a line.
    fn models(&self) -> &'static str;

    /// Theorem, lemma, corollary or section of the paper.
    fn theorem(&self) -> &'static str;

    /// Dimensions of the host where none are asked for.
    fn default_dimensions(&self) -> usize;

    /// Dimensions of hosts that a table of all embeddings shows.
    fn shown_dimensions(&self) -> &'static [usize];

    /// The dimensions of the host that is asked for.
    ///
    /// # Errors
    /// A size for which there is none, with the nearest for which there is.
    fn host(&self, ask: &Ask) -> Result<usize, Error>;

    /// The guest in its host. It passes [`Embedding::check`].
    ///
    /// # Errors
    /// As [`Construction::host`].
    fn embed(&self, ask: &Ask) -> Result<Embedding, Error>;

    /// What the paper claims.
    ///
    /// # Errors
    /// As [`Construction::host`].
    fn paper(&self, ask: &Ask) -> Result<Claim, Error>;

    /// What holds: what the paths have, and the packets of a phase take hop by hop.
    ///
    /// # Errors
    /// As [`Construction::host`].
    fn corrected(&self, ask: &Ask) -> Result<Claim, Error>;

    /// The refusal of a host of so many dimensions: why, and what to do.
    fn refused(&self, dimensions: usize, why: &str, instead: String) -> Error {
        let asked = format_args!("in a hypercube of {dimensions} dimensions");
        not_embedded(self.name(), asked, why, instead)
    }
}

/// A figure of a claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Figure {
    /// This number.
    Is(usize),
    /// An order of growth, `O(1)`.
    Order(&'static str),
    /// Nothing is said of it.
    #[default]
    Unsaid,
}

/// `3`, `O(1)` or `-`.
impl fmt::Display for Figure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Figure::Is(number) => number.fmt(formatter),
            Figure::Order(order) => formatter.pad(order),
            Figure::Unsaid => formatter.pad("-"),
        }
    }
}

/// What is claimed of an embedding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// Paths of an edge.
    pub width: Figure,
    /// Hops of the longest.
    pub dilation: Figure,
    /// The most guest edges on a directed wire.
    pub congestion: Figure,
    /// Packets of an edge.
    pub packets: Figure,
    /// Steps of a phase in which every edge has as many packets.
    pub cost: Figure,
}

impl Claim {
    /// Every edge on the one wire that joins its ends, and every wire for one edge.
    pub const ONE_WIRE_EACH: Claim = Claim {
        width: Figure::Is(1),
        dilation: Figure::Is(1),
        congestion: Figure::Is(1),
        packets: Figure::Is(1),
        cost: Figure::Is(1),
    };
}
