//! A measured point, as a row: values by name, from which JSON and CSV follow, and the cells of a table.

pub(super) mod kept;

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

use crate::error::Error;
use crate::error::refusal::unprintable;
use crate::report::{self, Check, Meta};
use crate::schema;

/// All checks hold.
pub const PASSED: &str = "passed";
/// The checks that do not, with semicolons between.
pub const FAILED: &str = "failed";
/// What the whole point took, meters and scoreboard included, beside others at the same time.
pub const WALL_SECONDS: &str = "wall_seconds";

/// What was run and what it gave, in the order in which scripts read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row(Vec<(Cow<'static, str>, Value)>);

/// One of its values.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Number(u64),
    /// Any other.
    Real(f64),
    /// A name, as a rule.
    Text(String),
    /// Whether it is so.
    Truth(bool),
    /// This point has none.
    Nothing,
}

/// Values by name, in their order.
macro_rules! values {
    ($($name:ident: $value:expr,)*) => {
        [$((stringify!($name), $crate::measure::row::Value::from($value))),*]
    };
}
pub(crate) use values;

impl Row {
    /// Of these values, and of what was checked.
    #[cfg(test)]
    pub(crate) fn new<const N: usize>(
        values: [(&'static str, Value); N],
        checks: &[Check],
    ) -> Self {
        Row::of(values.to_vec(), checks)
    }

    /// Of these values, and of what was checked.
    pub fn of(values: Vec<(&'static str, Value)>, checks: &[Check]) -> Self {
        let failed: Vec<String> = (checks.iter())
            .filter(|check| !check.passed)
            .map(|check| format!("{}: {}", check.name, check.detail))
            .collect();
        let checked = [
            (PASSED, failed.is_empty().into()),
            (FAILED, failed.join("; ").into()),
        ];
        let values = values.into_iter().chain(checked);
        Row(values
            .map(|(name, value)| (Cow::Borrowed(name), value))
            .collect())
    }

    /// With what it took.
    pub(super) fn with_seconds(mut self, seconds: f64) -> Self {
        self.0.push((WALL_SECONDS.into(), seconds.into()));
        self
    }

    /// The value of that name; [`Value::Nothing`], if there is none.
    pub fn get(&self, name: &str) -> &Value {
        let found = self.0.iter().find(|(known, _)| *known == name);
        debug_assert!(found.is_some(), "a row has no {name}");
        found.map_or(&Value::Nothing, |(_, value)| value)
    }

    /// What its values are called, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().map(|(name, _)| name.as_ref())
    }

    /// Puts a value before what was checked.
    pub(crate) fn put(&mut self, name: &'static str, value: Value) {
        let place = self.0.iter().position(|(known, _)| known == PASSED);
        let place = place.unwrap_or(self.0.len());
        self.0.insert(place, (name.into(), value));
    }

    /// Adds a check.
    pub(crate) fn check(&mut self, check: &Check) {
        if !check.passed {
            let failed = [
                self.text(FAILED),
                format!("{}: {}", check.name, check.detail),
            ];
            let failed: Vec<&str> = failed
                .iter()
                .map(String::as_str)
                .filter(|text| !text.is_empty())
                .collect();
            self.set(FAILED, failed.join("; "));
            self.set(PASSED, false);
        }
    }

    /// Takes a value out, if there is one of that name.
    pub(super) fn take(&mut self, name: &str) -> Option<Value> {
        let place = self.0.iter().position(|(known, _)| *known == name)?;
        Some(self.0.remove(place).1)
    }

    /// Puts another value in its place.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        let found = self.0.iter_mut().find(|(known, _)| *known == name);
        debug_assert!(found.is_some(), "a row has no {name}");
        if let Some((_, known)) = found {
            *known = value.into();
        }
    }

    /// A number, whole or not, if it has one.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.get(name) {
            Value::Number(number) => Some(*number as f64),
            Value::Real(number) => Some(*number),
            Value::Text(_) | Value::Truth(_) | Value::Nothing => None,
        }
    }

    /// A value as people read it; empty, where there is none.
    pub fn text(&self, name: &str) -> String {
        match self.get(name) {
            Value::Number(number) => number.to_string(),
            Value::Real(number) => number.to_string(),
            Value::Text(text) => text.clone(),
            Value::Truth(truth) => truth.to_string(),
            Value::Nothing => String::new(),
        }
    }

    /// Whether it has a value of that name.
    pub fn has(&self, name: &str) -> bool {
        *self.get(name) != Value::Nothing
    }

    /// Whether it has that value, and it says so.
    pub fn is(&self, name: &str) -> bool {
        *self.get(name) == Value::Truth(true)
    }

    /// All its checks hold.
    pub fn passed(&self) -> bool {
        self.is(PASSED)
    }
}

impl Row {
    /// As reports have it: parts within their wholes. An object of which there is nothing at all is null.
    fn nested(&self) -> Map<String, Json> {
        let name = self.0.iter().find_map(|(name, value)| match value {
            Value::Text(bench) if name == "bench" => Some(bench.as_str()),
            _ => None,
        });
        let bench = schema::of_columns(name.unwrap_or_default(), self.names());
        let mut all = Map::new();
        for (name, value) in &self.0 {
            // A reading that others of the sweep have is none of this one.
            let is_others = |bench| *value == Value::Nothing && !schema::has(bench, name);
            match bench {
                Some(bench) if is_others(bench) => {}
                Some(bench) => {
                    schema::put(&mut all, &schema::path(bench, name), report::value(value))
                }
                None => schema::put(&mut all, name, report::value(value)),
            }
        }
        all.values_mut().for_each(or_null);
        all
    }
}

/// What has nothing in it becomes nothing.
fn or_null(value: &mut Json) {
    if let Json::Object(parts) = value {
        parts.values_mut().for_each(or_null);
        if parts.values().all(Json::is_null) {
            *value = Json::Null;
        }
    }
}

impl Value {
    /// A value of a report; of what is no single one, none.
    pub fn of_json(value: &serde_json::Value) -> Self {
        match value {
            serde_json::Value::Bool(truth) => Value::Truth(*truth),
            serde_json::Value::String(text) => Value::Text(text.clone()),
            serde_json::Value::Number(number) => match (number.as_u64(), number.as_f64()) {
                (Some(number), _) => Value::Number(number),
                (None, Some(number)) => Value::Real(number),
                (None, None) => Value::Nothing,
            },
            _ => Value::Nothing,
        }
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Value::Number(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Value::Number(number.into())
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Value::Number(number as u64)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Value::Real(number)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned())
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Value::Truth(truth)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Nothing, Into::into)
    }
}

/// For scripts: a list of objects, each of which says where it comes from.
///
/// # Errors
/// A row that cannot be written down.
pub(super) fn json(rows: &[Row], meta: &[Meta]) -> Result<String, Error> {
    let rows: Vec<_> = rows.iter().map(Row::nested).collect();
    let told = rows.iter().zip(meta);
    let told = told.map(|(result, meta)| report::From { result, meta });
    report::json(&told.collect::<Vec<_>>())
}

/// Comma-separated values with a header: a row a point, a column a value of it.
///
/// # Errors
/// A row that cannot be written down.
pub(super) fn comma_separated(rows: &[Row], meta: &[Meta]) -> Result<String, Error> {
    let mut builder = csv::WriterBuilder::new();
    let mut writer = builder.has_headers(false).from_writer(Vec::new());
    let names = rows.first().map(|Row(values)| {
        let own = values.iter().map(|(name, _)| name.as_ref());
        own.chain(Meta::COLUMNS)
    });
    let mut written = names.map_or(Ok(()), |names| writer.write_record(names));
    for (Row(values), meta) in rows.iter().zip(meta) {
        let values: Vec<&Value> = values.iter().map(|(_, value)| value).collect();
        written = written.and_then(|()| writer.serialize((values, meta.cells())));
    }
    written.map_err(unprintable)?;
    let bytes = writer.into_inner().map_err(unprintable)?;
    String::from_utf8(bytes).map_err(unprintable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_read_every_value_in_its_order_and_people_none_where_there_is_none() {
        let checks = [
            Check::new("one", false, "first".to_owned()),
            Check::new("two", true, "second".to_owned()),
            Check::new("three", false, "3, \"third\"".to_owned()),
        ];
        let values = values! { name: "a", load: 1.0, most: u64::MAX, depth: None::<usize>, saturated: Some(true), };
        let row = Row::new(values, &checks).with_seconds(0.25);
        let meta = ["first", "second, b"].map(|command| Meta {
            schema: 1,
            version: "2",
            command: Some(command.to_owned()),
            seed: Some(7),
            platform: "here".to_owned(),
            ..Meta::default()
        });
        assert_eq!(
            comma_separated(&[row.clone(), row.clone()], &meta).unwrap(),
            "name,load,most,depth,saturated,passed,failed,wall_seconds,meta.schema,meta.version,meta.commit,meta.command,\
             meta.sweep,meta.seed,meta.platform,meta.date\n\
             a,1.0,18446744073709551615,,true,false,\"one: first; three: 3, \"\"third\"\"\",0.25,1,2,,first,,7,here,\n\
             a,1.0,18446744073709551615,,true,false,\"one: first; three: 3, \"\"third\"\"\",0.25,1,2,,\"second, b\",,7,here,\n"
        );
        assert_eq!(
            serde_json::to_string(&row.nested()).unwrap(),
            r#"{"name":"a","load":1.0,"most":18446744073709551615,"depth":null,"saturated":true,"passed":false,"failed":"one: first; three: 3, \"third\"","wall_seconds":0.25}"#
        );
        assert_eq!(
            ["name", "load", "depth"].map(|name| row.text(name)),
            ["a", "1", ""]
        );
        assert!(!row.passed() && row.is("saturated") && !row.has("depth"));
        assert_eq!(row.number("load"), Some(1.0));
        assert!(Row::new([], &checks[1..2]).passed());
    }
}
