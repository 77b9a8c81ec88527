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
use serde_json::Value;

use crate::error::Error;
use crate::families::embeddings::parameters::{
    AXES, BOTH_WAYS, DIMS, GUEST, ORDER, PACKETS, SIDES, START_UP,
};
use crate::families::embeddings::testbench;
use crate::options::{Format, FormatArgument, words};
use crate::output::Staging;
use crate::report::{DateArgument, From, Meta, json, value, with_value};
use crate::schema::{described, printed, without_parameters};
use crate::testbench::arguments::{add_options, read_options};
use crate::testbench::chosen::{Chosen, Given};
use crate::testbench::parameter::Parameter;
use crate::testbench::{Command, Printed, parsed};
use row::{ConstructionRow, Told};

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

/// What is printed for scripts.
const PRINTED: &str = "\
What `cubewave embedding --guest GUEST --format json` prints, or an item of the list that `cubewave embedding --format json` prints.";

const NAME: Parameter = GUEST
    .help("The guest, by its name in the table")
    .default_in_words("all of them, in a table");

const PATHS: Parameter = Parameter::output(
    ("paths", "--paths"),
    "the paths",
    "Write every hop of every path here, as CSV: guest_edge,path,hop,from,to. `-` is standard output; what is said of the \
     embedding then goes to standard error",
);

/// Its options: those of the testbench that say which embedding, and the paths.
const OPTIONS: [&Parameter; 9] = [
    &NAME, &DIMS, &AXES, &SIDES, &ORDER, &BOTH_WAYS, &START_UP, &PACKETS, &PATHS,
];

impl Command for Embedding {
    fn name(&self) -> &'static str {
        "embedding"
    }

    fn arguments(&self) -> clap::Command {
        let nothing = Chosen::of(&testbench::EMBEDDING);
        let command = clap::Command::new(self.name());
        let command = add_options(command, OPTIONS.iter(), &nothing);
        // Without a guest there is nothing that they could be about.
        let command = command.mut_args(|argument| match argument.get_id() == GUEST.name {
            true => argument,
            false => argument.requires(GUEST.name),
        });
        DateArgument::augment_args(FormatArgument::augment_args(command))
            .about("Say what an embedding does: width, dilation, congestion, cost; of all, or of one")
            .long_about(
                "Say what an embedding does: width, dilation, congestion, cost; of all, or of one.\n\n\
                 Each figure is computed from the paths, packet by packet, and stands beside what Greenberg & Bhatt 1990 have and \
                 what holds. The cost is that of a run of the machine, which sends the packets bit by bit.",
            )
            .after_help(EXAMPLES)
    }

    fn schema(&self) -> Value {
        printed(
            self.name(),
            PRINTED,
            without_parameters(described::<From<'_, Told>>()),
        )
    }

    fn execute(&self, arguments: &ArgMatches) -> Result<Printed, Error> {
        let format = parsed::<FormatArgument>(arguments)?.format;
        let said: DateArgument = parsed(arguments)?;
        let chosen = read_options(Chosen::of(&testbench::EMBEDDING), arguments);
        if !chosen.has(&GUEST) {
            return all(format, said);
        }
        chosen.check()?;
        let beside = arguments.get_one::<PathBuf>(PATHS.name).cloned();
        let mut staging = Staging::default();
        let file = match &beside {
            None => None,
            Some(path) => Some(staging.create_text(path, "the paths")?),
        };
        let row = ConstructionRow::of(&chosen)?;
        if let Some(file) = file {
            paths::write(file, &row.job.embedding)?;
        }
        Ok(Printed {
            text: match format {
                Format::Text => table::of_one(&row),
                Format::Json => json(&told(&row, said)?)?,
            },
            passed: row.holds(),
            beside,
        })
    }
}

/// One of them for scripts, with the command that gives it.
fn told(row: &ConstructionRow, date: DateArgument) -> Result<Value, Error> {
    let chosen = &row.job.chosen;
    let said = OPTIONS
        .iter()
        .filter(|parameter| parameter.name != PATHS.name);
    let said = said.filter_map(|parameter| {
        Some(match chosen.shown(parameter)?.as_str() {
            "" => format!(" {}", parameter.option),
            value => with_value(parameter.option, value),
        })
    });
    let options = words([("--format", Format::Json.word())], date);
    let command = format!("cubewave embedding{}{options}", said.collect::<String>());
    Ok(value(&From {
        result: &row.told(),
        meta: &Meta::new(Some(command), date.date()?),
    }))
}

/// Of all constructions, at the sizes that are to be shown.
fn all(format: Format, date: DateArgument) -> Result<Printed, Error> {
    let mut rows = Vec::new();
    for construction in CONSTRUCTIONS {
        let guest = Given::Text(construction.name().to_owned());
        let chosen = Chosen::of(&testbench::EMBEDDING).with(&GUEST, guest);
        for &dimensions in construction.shown_dimensions() {
            rows.push(ConstructionRow::of(
                &chosen.clone().with(&DIMS, Given::number(dimensions)),
            )?);
        }
    }
    Ok(Printed {
        text: match format {
            Format::Text => table::of_all(&rows),
            Format::Json => {
                let rows = rows.iter().map(|row| told(row, date));
                json(&rows.collect::<Result<Vec<_>, _>>()?)?
            }
        },
        passed: rows.iter().all(ConstructionRow::holds),
        beside: None,
    })
}
