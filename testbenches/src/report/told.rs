//! What a testbench adds to its report, as data.

use serde_json::Value;

use crate::report::{Behind, Report, Section, Sections};

/// What a testbench adds to its report.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Rows of the summary, from the network to the use of wires.
    pub summary: Vec<(&'static str, String)>,
    /// Names and values in the JSON, each at its place there.
    pub entries: Vec<(Behind, &'static str, Value)>,
    /// Text between the summary and the storage; nothing, or lines that begin with an empty one.
    pub before_storage: String,
    /// Rows below the storage and its closed form.
    pub storage_rows: Vec<(String, u64)>,
    /// Text between the storage and the checks; nothing, or lines that begin with an empty one.
    pub after_storage: String,
}

impl Told {
    /// The value of that name; null, where there is none.
    pub fn entry(&self, name: &str) -> &Value {
        let mut all = self.entries.iter();
        let found = all.find(|(_, known, _)| *known == name);
        found.map_or(&Value::Null, |(.., value)| value)
    }
}

impl Sections for Told {
    fn section(&self, behind: Behind) -> Section {
        let here = self.entries.iter().filter(|(at, ..)| *at == behind);
        here.map(|(_, name, value)| (*name, value.clone()))
            .collect()
    }

    fn summary(report: &Report<Self>) -> Vec<(&'static str, String)> {
        report.family.summary.clone()
    }

    fn before_storage(report: &Report<Self>) -> String {
        report.family.before_storage.clone()
    }

    fn storage_rows(&self) -> Vec<(String, u64)> {
        self.storage_rows.clone()
    }

    fn after_storage(report: &Report<Self>) -> String {
        report.family.after_storage.clone()
    }
}
