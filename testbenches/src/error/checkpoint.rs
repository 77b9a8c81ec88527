//! What can be wrong with a checkpoint that a run is to be taken up from.

/// Why it is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// There is none.
    #[error("there is none; a run with --checkpoint writes one there")]
    Missing,

    /// Its description cannot be read.
    #[error("checkpoint.json cannot be read: {reason}")]
    Unreadable {
        /// Why not.
        reason: String,
    },

    /// Another version of the program wrote it.
    #[error("cubewave {of} wrote it, and this is {here}: take it up with that one, or begin anew")]
    Version {
        /// That which wrote it.
        of: String,
        /// This one.
        here: &'static str,
    },

    /// It is of another machine.
    #[error("it is of another machine\n  there: {of}\n  here:  {here}")]
    Machine {
        /// What it is of.
        of: String,
        /// What was asked for.
        here: String,
    },

    /// It is of a machine that does something else.
    #[error(
        "its machine is described as this one is and does something else: give the options with which it began (what its nodes \
         do has the sum {of}, here {here})"
    )]
    Fingerprint {
        /// The sum there.
        of: String,
        /// And here.
        here: String,
    },

    /// It is of another traffic.
    #[error(
        "its run had other traffic: give the options or the file with which it began (its first registers have the checksum \
         {of}, those of this one {here})"
    )]
    Traffic {
        /// The sum of what was loaded there.
        of: String,
        /// And here.
        here: String,
    },

    /// Shares of so few nodes lie in another order in memory.
    #[error(
        "{} wrote it, and shares of so small a machine cannot be put together for another number: take as many, or begin anew",
        counted(*.of)
    )]
    Ranks {
        /// How many there were.
        of: usize,
    },

    /// A share is broken.
    #[error("{file} is broken: {reason}")]
    Share {
        /// The file in it.
        file: String,
        /// What is wrong.
        reason: String,
    },
}

fn counted(ranks: usize) -> String {
    match ranks {
        1 => "one process".to_owned(),
        _ => format!("{ranks} ranks"),
    }
}
