//! Searches for the traffic in which a reading is as large as can be, at each point of a grid; writes it as a file, and runs it.
//!
//! ```text
//!   Space: all traffics --candidates--> Judge: machines side by side, or runs --scores--> climb: keeps the most
//!                                                                                           |
//!   row: found, bound, tried <--- a run of the file, with all its checks <--- file <--------+
//! ```
//!
//! Points, rows, tables, plots and journals are those of [`crate::measure`].

mod by_lanes;
mod by_runs;
mod climb;
mod entries;
mod grid;
mod point;
mod sought;
mod space;

use std::path::PathBuf;

use clap::Args;

use crate::options::whole_number;
pub use entries::SEARCH;
pub use grid::SearchGrid;
pub use space::Traffics;

/// What is searched for, and how long.
#[derive(Args, Clone, Debug)]
pub struct SearchOptions {
    /// The reading that is to be as large as can be, by its name in rows or a part of it, as in occupied-bits
    #[arg(long, value_name = "READING", help_heading = "Search")]
    pub maximise: String,

    /// Traffics that are tried at each point, at the most; if there are no more than that, each is tried once, and what is found is the
    /// most that there is [default: all, of up to 8 nodes; 50000 where machines run side by side, else 2000]
    #[arg(long, value_name = "N", help_heading = "Search", value_parser = whole_number::<u64>)]
    pub tries: Option<u64>,

    /// Seconds after which the search of a point ends
    #[arg(long, value_name = "S", help_heading = "Search", value_parser = whole_number::<u64>)]
    pub seconds: Option<u64>,

    /// The folder in which the traffics that were found are written, each as a file that `run --traffic-file` takes
    #[arg(long, value_name = "DIR", help_heading = "Search", default_value = ".")]
    pub out: PathBuf,
}
