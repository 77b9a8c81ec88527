//! What a testbench adds to its report, as data.

use std::any::Any;
use std::sync::Arc;

use serde_json::Value;

use crate::report::Behind;

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
    /// The same as the testbench has it, of its own type, from which its readings are read.
    pub details: Option<Arc<dyn Any + Send + Sync>>,
}

impl Told {
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
