//! What is in results, by the tables of entries and parameters: as JSON Schema, as a page, and for whoever reads results.
//!
//! ```text
//!   Entry, of a testbench and of all ----+
//!   Parameter, of its options -----------+--> properties --> schema of all that have a name, or of all --> page
//!   Reading, of its rows: columns -------+    of a testbench
//! ```

mod merged;
mod page;
mod printed;
mod properties;

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::families::{namesakes, testbenches};
use crate::measure::reading::Reading;
use crate::measure::row::PASSED;
use crate::report::{Better, Entry, SCHEMA, of_all};
use crate::search::SEARCH;
use crate::testbench::Testbench;
use crate::testbench::bench::Offer;
use merged::merge;
pub use page::{page, page_of_printed};
pub use printed::{described, printed, projects, without_parameters};
use properties::{Properties, has_column};

/// The entry that has the route of a message.
const ROUTE: &str = "route";

/// The form of schemas.
const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// What every result has, of a run and of a sweep.
const REQUIRED: [&str; 7] = [
    "bench",
    "topology",
    "messages",
    "delivered",
    "bit_times",
    PASSED,
    "meta",
];

/// The entries that results of a testbench have of its own: those that it tells, and those that are readings of it alone.
fn own_entries(bench: &'static Testbench) -> impl Iterator<Item = &'static Entry> + Clone {
    let told = bench.entries.iter().copied().flatten();
    told.chain(bench.readings.iter().filter_map(Reading::entry))
}

/// The entries of results of a testbench: its own, and behind them those of all that it does not have otherwise.
fn entries(bench: &'static Testbench) -> impl Iterator<Item = &'static Entry> + Clone {
    let own = move || own_entries(bench);
    let is_own = move |entry: &&Entry| {
        own().any(|one| one.path == entry.path || one.in_rows() == entry.in_rows())
    };
    // A testbench that cannot follow a message never says a route.
    let is_told = |entry: &&Entry| entry.path != ROUTE || bench.offers(Offer::TraceMessage);
    let of_all = of_all::ALL.iter().filter(is_told);
    let searched = bench.searched().map(|_| &SEARCH).into_iter();
    (own().chain(of_all.filter(move |entry| !is_own(entry)))).chain(searched)
}

/// The testbench of that name whose rows have the most of these columns; none, if there is none of the name.
pub fn of_columns<'a>(
    name: &str,
    columns: impl Iterator<Item = &'a str> + Clone,
) -> Option<&'static Testbench> {
    let known = |bench: &Testbench| columns.clone().filter(|one| has_column(bench, one)).count();
    namesakes(name).into_iter().max_by_key(|bench| known(bench))
}

/// Where JSON has a column of rows of a testbench.
pub fn path<'a>(bench: &'static Testbench, column: &'a str) -> Cow<'a, str> {
    let found = entries(bench).find_map(|entry| entry.place_of(column));
    found.unwrap_or(column.into())
}

/// Whether results of a testbench have a column that is called so.
pub fn has(bench: &'static Testbench, column: &str) -> bool {
    let whole = column.split('.').next();
    let is_told = |entry: &Entry| {
        [Some(column), whole].contains(&Some(entry.path)) || entry.place_of(column).is_some()
    };
    entries(bench).any(is_told) || bench.parameter(column).is_some()
}

/// Puts a value into an object where a path says.
pub fn put(all: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('.') {
        None => {
            all.insert(path.to_owned(), value);
        }
        Some((whole, part)) => {
            let whole = all.entry(whole).or_insert_with(|| Map::new().into());
            if let Value::Object(parts) = whole {
                put(parts, part, value);
            }
        }
    }
}

/// Which is better of two values that a result of a testbench of that name has there.
pub fn better(name: &str, path: &str) -> Option<Better> {
    // The mean over seeds is as what it is the mean of.
    let of_seeds = path.strip_prefix("over_seeds.readings.");
    let mean = of_seeds.and_then(|of| of.strip_suffix(".mean"));
    let is_there = |bench, entry: &Entry| match (mean, entry.text) {
        (Some(column), _) => *self::path(bench, column) == *entry.path,
        (None, Some(_)) => path.strip_suffix(".value") == Some(entry.path),
        (None, None) => entry.path == path,
    };
    namesakes(name).into_iter().find_map(|bench| {
        let mut all = entries(bench);
        all.find_map(|entry| entry.better.filter(|_| is_there(bench, entry)))
    })
}

/// The schema of results of the testbenches of a name, or of all.
pub fn schema(name: Option<&str>) -> Value {
    let mut properties = Map::new();
    let benches = testbenches().filter(|bench| name.is_none_or(|name| bench.name == name));
    for (name, property) in benches.flat_map(Properties::of) {
        merge(properties.entry(name).or_insert(Value::Null), property);
    }
    let (of, title) = match name {
        Some(name) => (format!(" of {name}"), format!("Results of cubewave {name}")),
        None => (String::new(), "Results of cubewave".to_owned()),
    };
    let description = format!(
        "A report{of} as `cubewave run --format json` prints it, or a row of those that `cubewave measure --format json`, or `search`, prints \
         as a list. Of an entry, `in` says which of both has it, `column` what CSV calls it, `unit` in what it is counted, `better` whether \
         less or more of it is better. What nobody measured, and what a point has none of, is null."
    );
    json!({
        "$schema": DRAFT,
        "title": title,
        "description": description,
        "version": SCHEMA,
        "type": "object",
        "properties": properties,
        "required": REQUIRED,
        "additionalProperties": false,
    })
}
