//! The command `embedding`: what is said of one embedding, with its paths as a file, or of all of them in a table.
//!
//! ```text
//!   no guest   all constructions at their sizes --> Row: paper, corrected, measured --> table, JSON
//!   a guest    one of them -----------------------> Row, and every hop ---------------> text, JSON, CSV of paths
//! ```

mod paths;
mod row;
mod table;

use std::path::PathBuf;

use clap::{ArgMatches, Args};
use rtl_model::embedding::constructions::CONSTRUCTIONS;

use crate::error::Error;
use crate::families::embeddings::arguments::{GuestArguments, PacketsArgument};
use crate::families::embeddings::options::Setup;
use crate::options::{Format, FormatArgument, reworded};
use crate::output::Staging;
use crate::report::json;
use crate::testbench::{Command, Printed, parsed};
use row::Row;

/// The command.
pub static EMBEDDING: &dyn Command = &Embedding;

struct Embedding;

const EXAMPLES: &str = "\
Examples:
  cubewave embedding                                 all embeddings: paper, corrected, measured
  cubewave embedding --guest cycle --dims 8          one of them
  cubewave embedding --guest cycle --dims 4 --paths paths.csv
  cubewave embedding --guest grid --sides 5,5 --format json

Exit status: 0 all that holds was measured, 1 something else was, 2 bad usage or input.";

/// Its arguments.
#[derive(Args, Clone, Debug)]
struct Arguments {
    #[command(flatten)]
    guest: GuestArguments,

    #[command(flatten)]
    packets: PacketsArgument,

    /// Write every hop of every path here, as CSV: guest_edge,path,hop,from,to. `-` is standard output; what is said of the
    /// embedding then goes to standard error
    #[arg(
        long,
        value_name = "FILE.csv",
        help_heading = "Output",
        requires = "guest"
    )]
    paths: Option<PathBuf>,

    #[command(flatten)]
    format: FormatArgument,
}

impl Command for Embedding {
    fn name(&self) -> &'static str {
        "embedding"
    }

    fn arguments(&self) -> clap::Command {
        let command = Arguments::augment_args(clap::Command::new(self.name()));
        // Without a guest there is nothing that they could be about.
        let command = command.mut_args(|argument| match argument.get_id().as_str() {
            "dims" | "axes" | "sides" | "packets" | "order" | "both_ways" | "start_up" => {
                argument.requires("guest")
            }
            _ => argument,
        });
        let guest = "The guest, by its name in the table [default: all of them, in a table]";
        reworded(command, "guest", guest)
            .about("Say what an embedding does: width, dilation, congestion, cost; of all, or of one")
            .long_about(
                "Say what an embedding does: width, dilation, congestion, cost; of all, or of one.\n\n\
                 Each figure is computed from the paths, packet by packet, and stands beside what Greenberg & Bhatt 1990 have and \
                 what holds. The cost is that of a run of the machine, which sends the packets bit by bit.",
            )
            .after_help(EXAMPLES)
    }

    fn execute(&self, arguments: &ArgMatches) -> Result<Printed, Error> {
        let arguments = parsed::<Arguments>(arguments)?;
        let format = arguments.format.format;
        let guest = arguments.guest.clone();
        let Some(name) = guest.guest.as_deref() else {
            return all(format);
        };
        let setup = Setup {
            guest: Some(name.to_owned()),
            packets: arguments.packets.packets,
            ..guest.setup()
        };
        let mut staging = Staging::default();
        let file = match &arguments.paths {
            None => None,
            Some(path) => Some(staging.create_text(path, "the paths")?),
        };
        let row = Row::of(&setup)?;
        if let Some(file) = file {
            paths::write(file, &row.job.embedding)?;
        }
        Ok(Printed {
            text: match format {
                Format::Text => table::of_one(&row),
                Format::Json => json(&row.json())?,
            },
            passed: row.holds(),
            beside: arguments.paths,
        })
    }
}

/// Of all constructions, at the sizes that are to be shown.
fn all(format: Format) -> Result<Printed, Error> {
    let mut rows = Vec::new();
    for construction in CONSTRUCTIONS {
        for &dimensions in construction.shown_dimensions() {
            rows.push(Row::of(&Setup {
                guest: Some(construction.name().to_owned()),
                dims: Some(dimensions),
                ..Setup::default()
            })?);
        }
    }
    Ok(Printed {
        text: match format {
            Format::Text => table::of_all(&rows),
            Format::Json => json(&rows.iter().map(Row::json).collect::<Vec<_>>())?,
        },
        passed: rows.iter().all(Row::holds),
        beside: None,
    })
}
