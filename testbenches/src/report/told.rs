//! What a testbench adds to its report, as data.

use std::any::Any;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::report::{Behind, Check, Entry, Formula, Quantity, Section};

/// What a testbench adds to its report.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Rows of the summary, from the network to the use of wires.
    pub summary: Vec<(&'static str, String)>,
    /// Names and values in the JSON, each at its place there.
    pub entries: Vec<(Behind, &'static str, Value)>,
    /// Its checks.
    pub checks: Vec<Check>,
    /// What came of it beside what is right, for the sentence that says how the run ended; nothing, or a phrase.
    pub outcome: String,
    /// Text between the summary and the storage; nothing, or lines that begin with an empty one.
    pub before_storage: String,
    /// Rows below the storage and its closed form.
    pub storage_rows: Vec<(String, u64)>,
    /// Text between the storage and the checks; nothing, or lines that begin with an empty one.
    pub after_storage: String,
    /// The same as the testbench has it, of its own type, from which its readings are read.
    pub details: Option<Arc<dyn Any + Send + Sync>>,
}

impl Told {
    /// Of a machine, by its facts.
    pub fn of(facts: Section) -> Self {
        let facts = facts.into_iter();
        let entries = facts.map(|(name, value)| (Behind::Network, name, value));
        Told {
            entries: entries.collect(),
            ..Told::default()
        }
    }

    /// A row of the summary.
    pub fn say(&mut self, title: &'static str, text: impl Into<String>) {
        self.summary.push((title, text.into()));
    }

    /// A value of the JSON, of an entry that is no part of another one.
    pub fn put(&mut self, entry: &Entry, of: &impl Serialize) {
        let (name, value) = entry.is(of);
        self.entries.push((entry.behind, name, value));
    }

    /// A check, and what was compared.
    pub fn check(&mut self, name: &'static str, passed: bool, detail: impl Into<String>) {
        self.checks.push(Check::new(name, passed, detail));
    }

    /// What was measured of a quantity, beside its closed form: in the JSON, in the summary, and as a check.
    pub fn measured(&mut self, of: &Quantity, measured: u64, form: impl Into<Formula>) {
        let form = form.into();
        self.put(&of.of, &measured);
        self.put(&of.form, &form);
        self.say(of.title, of.beside(measured, ";", &form));
        self.checks.push(of.check(measured, &form));
    }

    /// The value of that name; null, where there is none.
    pub fn entry(&self, name: &str) -> &Value {
        let mut all = self.entries.iter();
        let found = all.find(|(_, known, _)| *known == name);
        found.map_or(&Value::Null, |(.., value)| value)
    }

    /// What the testbench has of its own type, if it is that.
    pub fn details<T: 'static>(&self) -> Option<&T> {
        self.details.as_ref()?.downcast_ref()
    }
}
