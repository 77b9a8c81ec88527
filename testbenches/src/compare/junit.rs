//! A comparison as a suite of JUnit: of two reports a case a reading, of rows a case a point. What is worse, or missing, is a failure.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::compare::better::{OF_THE_COMPUTER, Verdict};
use crate::compare::results::ReportOrRow;
use crate::compare::told::{named, shown};
use crate::compare::{Comparison, Pair, Reading, Tolerances};
use crate::junit::{Case, Suite};
use crate::report::{VERSION, counted};

/// The readings of two reports that are compared: those that the computer decides only where a tolerance is given for them.
pub(super) fn names(old: &ReportOrRow, new: &ReportOrRow, tolerances: &Tolerances) -> Vec<String> {
    let all: BTreeSet<&String> = old.readings.keys().chain(new.readings.keys()).collect();
    let is_compared = |name: &&String| {
        tolerances.contains_key(*name) || !OF_THE_COMPUTER.contains(&name.as_str())
    };
    all.into_iter().filter(is_compared).cloned().collect()
}

impl Comparison {
    /// As a suite.
    pub(super) fn suite(&self) -> Suite {
        let said = [("version", VERSION), ("old", &self.old), ("new", &self.new)];
        let said = said.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let settings = self.settings.iter().map(|setting| {
            let [old, new] = [&setting.old, &setting.new].map(shown);
            (setting.name.clone(), format!("{old} -> {new}"))
        });
        let case = |name: String, failure| Case {
            name,
            class: self.bench.clone(),
            seconds: None,
            failure,
        };
        let cases = match &self.pairs[..] {
            [pair] if self.is_of_reports => {
                let of = |name: &String| {
                    let mut worse = worse(pair);
                    let found = worse.find(|reading| reading.name == *name);
                    case(name.clone(), found.map(change))
                };
                self.names.iter().map(of).collect()
            }
            pairs => {
                let compared = pairs
                    .iter()
                    .map(|pair| case(self.point(&pair.point), failure(pair)));
                let missing = self.only_old.iter().map(|point| {
                    let failure = format!("{} has no such point", self.new);
                    case(self.point(point), Some(failure))
                });
                compared.chain(missing).collect()
            }
        };
        Suite {
            name: self.bench.clone(),
            properties: said.into_iter().chain(settings).collect(),
            cases,
            ..Suite::default()
        }
    }

    /// What a point is called; the only one there is, by its testbench.
    fn point(&self, point: &Map<String, Value>) -> String {
        match point.is_empty() {
            true => self.bench.clone(),
            false => named(point),
        }
    }
}

/// What is worse at a point.
fn worse(pair: &Pair) -> impl Iterator<Item = &Reading> {
    let readings = pair.readings.iter();
    readings.filter(|reading| reading.verdict == Verdict::Worse)
}

/// How many readings are worse at a point, and how each has changed, a line each; none, if none is.
fn failure(pair: &Pair) -> Option<String> {
    let lines: Vec<String> = worse(pair)
        .map(|reading| format!("{}: {}", reading.name, change(reading)))
        .collect();
    match &lines[..] {
        [] => None,
        [only] => Some(only.clone()),
        several => {
            let worse = counted(several.len(), "reading");
            Some(format!("{worse} worse\n{}", several.join("\n")))
        }
    }
}

/// What it was, what it is, and by how much that is more.
fn change(reading: &Reading) -> String {
    let [old, new] = [&reading.old, &reading.new].map(shown);
    match reading.change {
        Some(change) => format!("{old} -> {new} ({:+.1} %)", 100.0 * change),
        None => format!("{old} -> {new}"),
    }
}
