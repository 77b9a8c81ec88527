//! Networks, switches and ways to cut messages, as the command line calls them.

use clap::ValueEnum;
use rtl_model::routers::wormhole::network::MAX_VIRTUAL_CHANNELS;
use rtl_model::routers::wormhole::pieces::Pieces;

/// Which network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
pub enum NetworkName {
    /// Cube-connected cycles: n levels of 2^n columns
    #[default]
    Ccc,
    /// The n copies of them in the hypercube of as many nodes; messages go in pieces
    Copies,
    /// The same hypercube in order of dimensions
    Ecube,
    /// The same hypercube, twice in order of dimensions: to a node drawn at random, and from there on
    Valiant,
    /// The cross product of butterflies in a hypercube, n = 4 or 8 levels in its rows and columns together: along the row's
    /// butterfly, then along the column's
    Butterflies,
}

impl NetworkName {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            NetworkName::Ccc => "ccc",
            NetworkName::Copies => "copies",
            NetworkName::Ecube => "ecube",
            NetworkName::Valiant => "valiant",
            NetworkName::Butterflies => "butterflies",
        }
    }
}

impl NetworkName {
    /// The most virtual channels that its links have use for, where it has so many levels.
    pub fn most_virtual_channels(self, levels: usize) -> usize {
        match self {
            NetworkName::Butterflies if levels <= 4 => 2,
            NetworkName::Ccc | NetworkName::Copies | NetworkName::Butterflies => {
                MAX_VIRTUAL_CHANNELS
            }
            NetworkName::Ecube => 1,
            NetworkName::Valiant => 2,
        }
    }

    /// Why it has no use for more virtual channels, where three would be more than it has use for.
    pub(super) fn why_no_more_channels(self) -> Option<&'static str> {
        match self {
            NetworkName::Ccc | NetworkName::Copies => None,
            NetworkName::Butterflies => Some(
                "a worm takes lanes of the class whose number is how often it has come to level 0 in its row or column, which \
                 is once at the most on 2 levels and twice on 4, but for the end of its way",
            ),
            NetworkName::Ecube => Some(
                "worms correct address bits in ascending order, so a channel waits only for one of a higher dimension, and \
                 no circle can close",
            ),
            NetworkName::Valiant => Some(
                "each of the two phases has a channel of its own, in which worms correct address bits in ascending order, \
                 and no circle can close",
            ),
        }
    }
}

/// How many connections a node makes in a bit time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, ValueEnum)]
pub enum SwitchName {
    /// Any number
    #[default]
    Strong,
    /// One
    Weak,
}

impl SwitchName {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            SwitchName::Strong => "strong",
            SwitchName::Weak => "weak",
        }
    }
}

/// How the n copies cut messages into pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum)]
pub enum PiecesName {
    /// The longer the route, the shorter the piece: all arrive together if they meet no others
    #[default]
    ByWay,
    /// Of the same length, the first ones a bit longer where it does not come out even
    Even,
}

impl PiecesName {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            PiecesName::ByWay => "by-way",
            PiecesName::Even => "even",
        }
    }
}

impl From<Pieces> for PiecesName {
    fn from(pieces: Pieces) -> Self {
        match pieces {
            Pieces::ByWay => PiecesName::ByWay,
            Pieces::Even => PiecesName::Even,
        }
    }
}

impl From<PiecesName> for Pieces {
    fn from(name: PiecesName) -> Self {
        match name {
            PiecesName::ByWay => Pieces::ByWay,
            PiecesName::Even => Pieces::Even,
        }
    }
}
