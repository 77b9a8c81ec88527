//! What the command line refuses, and why: a [`Refusal`] next to the code that refuses it. A variant of its own has what code
//! asks for.

pub mod refusal;

use std::path::Path;

use rtl_model::csv_file::visible;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::memory;

use crate::error::refusal::Refusal;
use crate::interrupt;
use crate::near::nearest;

/// A path, as messages have it: on a line.
pub(super) fn shown_path(path: &Path) -> String {
    visible(&path.display().to_string())
}

/// Bad usage or input: shown as it is, exit status 2.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What the code that refuses it says.
    #[error("{0}")]
    Refusal(Refusal),

    /// The model refuses it.
    #[error(transparent)]
    Model(#[from] ModelError),

    /// A name that is not in a list.
    #[error("there is no {what} `{}`{}; there are: {}", visible(.name), nearest_hint(.name, .known), .known.join(", "))]
    Unknown {
        /// What the name should name.
        what: &'static str,
        /// As given.
        name: String,
        /// The list.
        known: Vec<&'static str>,
    },

    /// What was met at a point of a sweep.
    #[error("{point}: {reason}")]
    AtPoint {
        /// Its machine and its traffic.
        point: String,
        /// What it was.
        reason: Box<Error>,
    },

    /// It is over, and the first rank says what came of it.
    #[error("the first rank reports")]
    ReportedElsewhere,

    /// What all ranks know of, and end because of: the first says it.
    #[error("{0}")]
    Agreed(#[source] Box<Error>),

    /// What another rank met at a point.
    #[error("{said}")]
    AtPointOnRank {
        /// What it says: the point and the reason.
        said: String,
    },

    /// Ctrl-C, or the system's wish to end.
    #[error("interrupted: {}", interrupt::left())]
    Interrupted,

    /// What clap has to say of a command line: why it refuses it, or help.
    #[error("{0}")]
    CommandLine(#[from] clap::Error),
}

impl Error {
    /// Refuses threads for which the limits of the process leave no room.
    ///
    /// # Errors
    /// That there is none.
    pub(crate) fn require_threads(threads: usize) -> Result<(), Self> {
        match memory::has_room_for_threads(threads) {
            true => Ok(()),
            false => Err(Self::no_threads(format!(
                "the memory that it may have leaves no room for {threads} more"
            ))),
        }
    }

    pub(crate) fn no_threads(says: impl std::fmt::Display) -> Self {
        Refusal::of("cannot begin: the system gives no threads")
            .because(says)
            .into()
    }

    /// The kind of reason for which a sweep goes without a point, if it is one that a testbench has.
    pub fn kind_together(&self) -> Option<&'static str> {
        match self {
            Error::Refusal(refusal) | Error::Model(ModelError::Refusal(refusal)) => {
                refusal.kind_together()
            }
            _ => None,
        }
    }

    /// Whether one point of a sweep cannot be, though each of its coordinates can: a sweep goes without such points.
    pub fn concerns_one_point(&self) -> bool {
        let is_odd = matches!(
            self,
            Error::Model(ModelError::NoTransposeAtOddDimensions { .. })
        );
        self.kind_together().is_some() || is_odd
    }
}

/// ` (did you mean X?)` where a known name is near.
fn nearest_hint(name: &str, known: &[&'static str]) -> String {
    let nearest = nearest(name, known.iter().copied());
    did_you_mean(nearest.map(str::to_owned).as_slice())
}

/// ` (did you mean X or Y?)` where there is something.
pub(crate) fn did_you_mean(all: &[String]) -> String {
    let quoted: Vec<String> = all.iter().map(|one| format!("`{one}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => format!(" (did you mean {last}?)"),
        Some((last, others)) => format!(" (did you mean {} or {last}?)", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_nearly_right_is_guessed() {
        let message = |name: &str| {
            Error::Unknown {
                what: "router",
                name: name.to_owned(),
                known: vec!["enumeration", "packing", "kuszmaul"],
            }
            .to_string()
        };
        assert_eq!(
            message("kuzmaul"),
            "there is no router `kuzmaul` (did you mean `kuszmaul`?); there are: enumeration, packing, kuszmaul"
        );
        assert_eq!(
            message("q"),
            "there is no router `q`; there are: enumeration, packing, kuszmaul"
        );
    }
}
