//! The command `schema`: what is in results.

use clap::{Args, ValueEnum};

use crate::error::Error;
use crate::families::testbench;
use crate::report::json;
use crate::schema::{page, schema};

/// Its arguments.
#[derive(Args, Clone, Debug)]
pub(super) struct Schema {
    /// Testbench; without one, what results of any of them may have
    #[arg(value_name = "TESTBENCH")]
    bench: Option<String>,
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

impl Schema {
    /// What is printed.
    ///
    /// # Errors
    /// A testbench that there is not.
    pub fn text(&self) -> Result<String, Error> {
        let name = self.bench.as_deref();
        name.map_or(Ok(()), |name| testbench(name).map(|_| ()))?;
        match self.format {
            Form::Json => json(&schema(name)),
            Form::Markdown => Ok(page(name)),
        }
    }
}
