//! What rows of a search have beside those of the run of the worst traffic.

use std::path::Path;

use schemars::JsonSchema;

use crate::measure::row::{Row, Value};
use crate::measure::table::Column;
use crate::report::{Check, Entry, Formula, Heading, shown_path};
use crate::search::climb::Found;
use crate::search::sought::Sought;

/// How the traffic of a row was found.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "rows have its parts, by name")]
struct Searched {
    /// The reading that is to be as large as can be.
    reading: String,
    /// The most that was found of it; none where the reading is no number.
    found: Option<f64>,
    /// The least that any of the traffics had.
    least: f64,
    /// The closed form that bounds it, if one is known.
    bound: Option<Formula>,
    /// How many traffics were tried.
    tried: u64,
    /// They are all that there are, so that no other has more.
    exhaustive: bool,
    /// The file of the traffic that has most.
    file: String,
}

/// What rows of a search have beside those of a sweep.
pub const SEARCH: Entry = Entry::of::<Searched>(
    "search",
    "How the traffic was found with which the rest was measured: the worst of those that were tried",
)
.of_rows();

/// The reading.
pub const READING: &str = "search.reading";
/// The most that was found.
pub const FOUND: &str = "search.found";
/// The least.
pub const LEAST: &str = "search.least";
/// The closed form that bounds it.
pub const BOUND: &str = "search.bound.value";
/// As text.
pub const BOUND_TEXT: &str = "search.bound.text";
/// Traffics that were tried.
pub const TRIED: &str = "search.tried";
/// They are all that there are.
pub const EXHAUSTIVE: &str = "search.exhaustive";
/// The file of the traffic.
pub const FILE: &str = "search.file";

/// Columns of a table.
pub const COLUMNS: [Column; 4] = [
    Column::new(Heading::of("found"), FOUND),
    Column::new(Heading::of("bound").if_any_has(), BOUND),
    Column::new(Heading::of("least"), LEAST),
    Column::new(Heading::of("tried"), TRIED).made(tried),
];

fn tried(row: &Row) -> String {
    let all = if row.is(EXHAUSTIVE) { "all " } else { "" };
    all.to_owned() + &row.text(TRIED)
}

/// Puts into the row of the run of a traffic how it was found. A check says that this run has what the search has seen, and that it
/// is within its bound.
pub fn put(mut row: Row, sought: &Sought, found: &Found, path: &Path) -> Row {
    let again = row.number(sought.reading);
    let has = |(form, _): &(&str, &str)| row.names().any(|name| name == *form);
    let known = sought.bound.filter(has);
    let bound = known.map(|(form, _)| row.get(form).clone());
    let text = known.map(|(_, text)| row.get(text).clone());
    let number = |number: f64| match number.fract() == 0.0 && number >= 0.0 {
        true => Value::Number(number as u64),
        false => Value::Real(number),
    };
    let values = [
        (READING, sought.reading.into()),
        // Of a run of which a check does not hold it says nothing.
        (
            FOUND,
            again
                .filter(|_| found.value.is_finite())
                .map_or(Value::Nothing, number),
        ),
        (LEAST, number(found.least)),
        (BOUND, bound.unwrap_or(Value::Nothing)),
        (BOUND_TEXT, text.unwrap_or(Value::Nothing)),
        (TRIED, found.tried.into()),
        (EXHAUSTIVE, found.is_exhaustive.into()),
        (FILE, shown_path(&path.display().to_string()).into()),
    ];
    for (name, value) in values {
        row.put(name, value);
    }
    let is_found_again = match found.value.is_finite() {
        true => again == Some(found.value),
        // A check failed in the search; so one has to fail in the run, which says which.
        false => !row.passed(),
    };
    let read = match found.value.is_finite() {
        true => found.value.to_string(),
        false => "a check failed".to_owned(),
    };
    let detail = format!("{read} in the search, {again:?} in the run of its traffic");
    row.check(&Check::new("found again", is_found_again, detail));
    if let (Some(again), Some(bound)) = (again, row.number(BOUND)) {
        let detail = format!(
            "{again} found, {} = {bound} at the most",
            row.text(BOUND_TEXT)
        );
        row.check(&Check::new("bound", again <= bound, detail));
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::row::{FAILED, values};

    /// The row of a traffic with which `read` was found, and `again` in the run of its file, where 9 is the bound.
    fn checked(read: f64, again: u64) -> Row {
        let values = values! { peak: again, bound: 9u64, text: "k+D", };
        let sought = Sought {
            reading: "peak",
            bound: Some(("bound", "text")),
            meter: None,
        };
        let found = Found {
            candidate: Vec::new(),
            value: read,
            least: 2.0,
            tried: 7,
            is_exhaustive: false,
        };
        put(Row::new(values, &[]), &sought, &found, Path::new("w.csv"))
    }

    #[test]
    fn what_is_not_found_again_and_what_passes_its_bound_fails() {
        assert!(checked(9.0, 9).passed() && checked(8.0, 8).passed());
        let other = checked(9.0, 8);
        assert!(!other.passed() && other.text(FAILED).starts_with("found again"));
        let beyond = checked(10.0, 10);
        let said = "bound: 10 found, k+D = 9 at the most";
        assert!(!beyond.passed());
        assert_eq!(beyond.text(FAILED), said);
        // A check failed in the search, and none does in the run.
        let lost = checked(f64::INFINITY, 8);
        assert!(!lost.passed() && lost.text(FOUND).is_empty());
    }
}
