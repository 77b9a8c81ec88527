//! The command `schema`: what is in results, and in what other commands print as JSON.

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::cli::chosen::{Faults, Plan, Takes, Verilog};
use crate::cli::list::Listed;
use crate::compare::Comparison;
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::{COMMANDS, testbench};
use crate::lockstep::campaign::Record;
use crate::lockstep::plan::Planned;
use crate::report::{From, json};
use crate::schema::{self, described, page_of_printed, printed, without_parameters};
use crate::topology;

/// Its arguments.
#[derive(Args, Clone, Debug)]
pub(super) struct Schema {
    /// Testbench; without one, what results of any of them may have
    #[arg(value_name = "TESTBENCH")]
    bench: Option<String>,
    /// Command whose JSON is meant, if not the results of run and measure
    #[arg(long, value_name = "COMMAND", value_parser = PossibleValuesParser::new(names()))]
    command: Option<String>,
    /// Form: JSON Schema, or a page with tables
    #[arg(long, value_enum, default_value = "json")]
    format: Form,
}

/// A form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// JSON Schema, 2020-12
    Json,
    /// Markdown
    Markdown,
}

/// A command that prints JSON which is no result, and the schema of that.
type Printing = (&'static str, fn() -> Value);

/// Those that are no family's.
const PRINTING: [Printing; 6] = [
    (Plan::NAME, || {
        let says = "What `cubewave plan BENCH --format json` prints: what a run would take, and what bounds it.";
        printed(Plan::NAME, says, described::<From<'_, Planned>>())
    }),
    (Faults::NAME, || {
        let says = "What `cubewave faults BENCH --format json` prints: what came of the faults that were put into a machine.";
        printed(Faults::NAME, says, described::<From<'_, Record>>())
    }),
    (Verilog::NAME, || {
        let says = "What `cubewave verilog BENCH --out DIR --format json` prints of the project that it has written. Beside what all \
                    projects say, each testbench has some of the entries.";
        printed(Verilog::NAME, says, schema::projects())
    }),
    ("topology", || {
        let says = "What `cubewave topology NETWORK --format json` prints: what is known of a network, counted and by closed forms.";
        let schema = described::<From<'_, topology::Report>>();
        printed("topology", says, without_parameters(schema))
    }),
    ("compare", || {
        let says = "What `cubewave compare OLD NEW --format json` prints: what of two results is otherwise. A setting or reading \
                    that one side has not is null there.";
        printed("compare", says, described::<Comparison>())
    }),
    ("list", || {
        let says = "An item of the list that `cubewave list --format json` prints: a testbench, which `cubewave list BENCH --format \
                    json` prints too; or a pattern of those that `cubewave list traffic --format json` prints.";
        printed("list", says, described::<Listed>())
    }),
];

/// Commands that print JSON which is no result.
fn names() -> impl Iterator<Item = &'static str> {
    let own = PRINTING.into_iter().map(|(name, _)| name);
    own.chain(COMMANDS.into_iter().map(|command| command.name()))
}

/// The schemas of what such commands print, each behind the command's name.
pub fn schemas() -> impl Iterator<Item = (&'static str, Value)> {
    let own = PRINTING.into_iter().map(|(name, schema)| (name, schema()));
    own.chain(
        COMMANDS
            .into_iter()
            .map(|command| (command.name(), command.schema())),
    )
}

/// What the page says of `meta`, whose parts it has above.
const META: &str = "Where it comes from, as [of results](#all-testbenches), without `sweep`; of networks and \
    embeddings the command alone has what was chosen";

/// The page on results of all testbenches, and on what such commands print.
pub fn page() -> String {
    let commands = schemas().map(|(_, mut schema)| {
        if let Some(meta) = schema.pointer_mut("/properties/meta") {
            *meta = serde_json::json!({ "type": "object", "description": META });
        }
        format!("\n{}", page_of_printed(&schema))
    });
    schema::page(None) + &commands.collect::<String>()
}

impl Schema {
    /// What is printed.
    ///
    /// # Errors
    /// A testbench that there is not, or beside a command.
    pub fn text(&self) -> Result<String, Error> {
        let name = self.bench.as_deref();
        name.map_or(Ok(()), |name| testbench(name).map(|_| ()))?;
        let Some(command) = self.command.as_deref() else {
            return match (self.format, name) {
                (Form::Json, _) => json(&schema::schema(name)),
                (Form::Markdown, None) => Ok(page()),
                (Form::Markdown, _) => Ok(schema::page(name)),
            };
        };
        if let Some(name) = name {
            return Err(
                Refusal::of(format!("--command {command} beside testbench {name}"))
                    .because(format!(
                        "what `cubewave {command}` prints has one schema for all testbenches"
                    ))
                    .instead("leave the testbench out")
                    .into(),
            );
        }
        let found = schemas().find(|(name, _)| *name == command);
        let schema = found.map_or(Value::Null, |(_, schema)| schema);
        match self.format {
            Form::Json => json(&schema),
            Form::Markdown => Ok(page_of_printed(&schema)),
        }
    }
}
