//! What the processes of a sweep say to each other, as JSON.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::measure::row::kept::Kept;

/// What another rank says to the first.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub enum ToFirst {
    /// It is there.
    Ready {
        /// The checksum of the sweep that it has planned.
        sweep: String,
        /// How many points it runs at a time.
        threads: usize,
    },
    /// A point is done.
    Row {
        /// Its place in the grid.
        point: usize,
        /// What came of it.
        row: Kept,
    },
    /// There was no room for a point beside the others.
    NoRoom {
        /// Its place in the grid.
        point: usize,
    },
    /// A point has met an error.
    Failed {
        /// The point and the error.
        said: String,
    },
}

/// What the first rank says to another.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToOther {
    /// It is to run these points.
    Take {
        /// Their places in the grid.
        points: Vec<usize>,
    },
    /// All is done.
    Over {
        /// Whether a rank is lost, so that nobody can part from all others.
        one_is_lost: bool,
    },
}

/// As it is sent. Nothing of these cannot be written down.
pub fn written(words: &impl Serialize) -> String {
    serde_json::to_string(words).unwrap_or_default()
}

/// As it was heard; none, if these are no such words.
pub fn read<T: DeserializeOwned>(words: &str) -> Option<T> {
    serde_json::from_str(words).ok()
}
