//! Networks by themselves, with nothing that runs on them: how large they are, how far their nodes are apart, and what lies
//! in them; each figure that has a closed form beside it, and checked.
//!
//! ```text
//!   Network  -->  Facts  -->  checks  -->  Report: text, JSON
//!                 counted     what was counted against what is said
//! ```
//!
//! Checks read facts alone, so a test can show of each that it fails where a fact is wrong.

mod checks;
mod count;
mod facts;
mod network;
mod reduced;
mod text;

use schemars::JsonSchema;
use serde::Serialize;

use crate::error::Error;
use crate::options::Format;
use crate::report::{Check, From, Meta, json};
use facts::Facts;
pub use network::{Network, NetworkName};

/// What is known of a network, and whether it holds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// What is known.
    #[serde(flatten)]
    facts: Facts,
    /// A verdict each.
    checks: Vec<Check>,
    /// All checks hold.
    passed: bool,
}

impl Report {
    /// Of a network.
    ///
    /// # Errors
    /// None of its own; those of networks that are made beside it.
    pub fn of(network: &Network) -> Result<Self, Error> {
        Ok(Self::on(count::facts(network)?))
    }

    fn on(facts: Facts) -> Self {
        let checks = checks::checks(&facts);
        Report {
            passed: checks.iter().all(|check| check.passed),
            facts,
            checks,
        }
    }

    /// All checks hold.
    pub fn passed(&self) -> bool {
        self.passed
    }

    /// For people or for scripts.
    ///
    /// # Errors
    /// None that is known of.
    pub fn formatted(&self, format: Format, meta: &Meta) -> Result<String, Error> {
        match format {
            Format::Text => Ok(text::text(&self.facts, &self.checks)),
            Format::Json => json(&From { result: self, meta }),
        }
    }
}
