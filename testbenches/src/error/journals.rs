//! What can be wrong with the journal of a sweep.

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Something else.
    #[error("this is no journal of a sweep, and it is left as it is: give --journal another file")]
    NoJournal,
    /// The line that says what sweep it is of cannot be relied on.
    #[error(
        "line 1 is broken: its checksum is not that of what stands before it, so it cannot be told what sweep this is of; give \
         --journal another file"
    )]
    FirstLine,
    /// Of another version, whose rows may be others.
    #[error(
        "it was begun by cubewave {version}, and this is {}, which may measure something else: go on with that version, or \
         give --journal another file",
        env!("CARGO_PKG_VERSION")
    )]
    OtherVersion {
        /// Which.
        version: String,
    },
    /// Of another sweep.
    #[error(
        "it is of another sweep, of {points} points ({asked}): give that one's options, or give --journal another file"
    )]
    OtherSweep {
        /// How many points it has.
        points: usize,
        /// What it was asked for with.
        asked: String,
    },
    /// A line that cannot be read, with more behind it.
    #[error(
        "line {line} is broken: {why}; take the line out, and its point is run again, or give --journal another file"
    )]
    Broken {
        /// Which, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// Somebody writes it.
    #[error("another sweep is writing it: wait for its end, or give --journal another file")]
    InUse,
}
