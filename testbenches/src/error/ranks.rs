//! What keeps ranks from one work.

use thiserror::Error;

/// How what a rank was asked for differs from what the first was asked for.
#[derive(Debug, Error)]
pub enum Apart {
    /// It runs another version of the program.
    #[error(
        "runs cubewave {other}, and the first rank cubewave {first}: start the same program on all"
    )]
    Version {
        /// That of the first rank.
        first: String,
        /// Its own.
        other: String,
    },

    /// It has another command line.
    #[error(
        "was asked for something else than the first rank: its command line {}{}: give all ranks one command line",
        words(*.word, (.first.as_deref(), .other.as_deref())), others(*.more)
    )]
    Words {
        /// The first word that differs, 1 being that behind the program's name.
        word: usize,
        /// What the first rank has there.
        first: Option<String>,
        /// What it has itself.
        other: Option<String>,
        /// How many more ranks differ from the first.
        more: usize,
    },
}

fn words(word: usize, of: (Option<&str>, Option<&str>)) -> String {
    match of {
        (Some(first), Some(other)) => format!("has `{other}` as word {word}, and not `{first}`"),
        (Some(first), None) => format!("ends before word {word}, `{first}`"),
        (None, other) => format!("goes on with word {word}, `{}`", other.unwrap_or_default()),
    }
}

fn others(more: usize) -> String {
    match more {
        0 => String::new(),
        1 => ", and 1 more rank differs".to_owned(),
        more => format!(", and {more} more ranks differ"),
    }
}
