//! Two results side by side: what was chosen otherwise, what came out otherwise, and whether that is better or worse.
//!
//! ```text
//!   old ---+                        +--> settings that are one thing in all old points, and another in all new ones: chosen otherwise
//!          +-- points by settings --+--> points that are alike in the other settings: each with its other
//!   new ---+                        +--> points that one side alone has
//! ```

pub mod better;
mod junit;
mod results;
mod told;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use rtl_model::csv_file::visible;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::near::nearest;
use better::{OF_THE_COMPUTER, Tolerance, Verdict, verdict};
use results::ReportOrRow;
pub use results::Results;
pub use told::Form;

/// By how much readings may differ, by their names.
pub type Tolerances = BTreeMap<String, Tolerance>;

/// A setting that is another one.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Setting {
    /// What the setting is called.
    name: String,
    /// Its value in the old results.
    old: Value,
    /// Its value in the new ones.
    new: Value,
}

/// A reading that is another one.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Reading {
    /// Where results have the reading: names with dots between.
    name: String,
    /// The old value.
    old: Value,
    /// The new one.
    new: Value,
    /// How much more the new value is, as a share of the old one; none of what is no number.
    change: Option<f64>,
    /// Whether the new value is `better` or `worse`; `other`, where it is neither.
    verdict: Verdict,
}

/// Two points that belong together, and differ.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Pair {
    /// The settings that tell the point from others, by their names; empty of a report.
    point: Map<String, Value>,
    /// Readings that are other ones, what is worse first.
    readings: Vec<Reading>,
}

/// What a comparison gives.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Comparison {
    /// The testbench; of several, their names with commas between.
    bench: String,
    /// The file of the old results.
    old: String,
    /// The file of the new ones.
    new: String,
    /// Settings that all old points have otherwise than all new ones.
    settings: Vec<Setting>,
    /// How many points were compared; a report is one.
    compared: usize,
    /// Points of which some reading is another one.
    different: Vec<Pair>,
    /// The settings of each point that the old results alone have.
    only_old: Vec<Map<String, Value>>,
    /// The settings of each point that the new results alone have.
    only_new: Vec<Map<String, Value>>,
    /// How many readings are worse.
    worse: usize,
    /// How many readings are better.
    better: usize,
    /// Nothing is worse, and no old point is missing.
    passed: bool,
    /// It is of two reports, and not of rows.
    #[serde(skip)]
    is_of_reports: bool,
    /// All points that were compared, those among them that do not differ.
    #[serde(skip)]
    pairs: Vec<Pair>,
    /// Readings of two reports that were compared.
    #[serde(skip)]
    names: Vec<String>,
}

impl Comparison {
    /// Of an old result and a new one.
    ///
    /// # Errors
    /// Results of different testbenches; a tolerance of no reading.
    pub fn of(old: Results, new: Results, tolerances: &Tolerances) -> Result<Self, Error> {
        let bench = benches_of(&old, &new)?;
        check_names(tolerances, old.points.iter().chain(&new.points))?;
        let settings = chosen_otherwise(&old.points, &new.points);
        let is_common = |name: &str| settings.iter().all(|setting| setting.name != name);
        let mut telling = values(old.points.iter().chain(&new.points));
        telling.retain(|name, values| values.len() > 1 && is_common(name));
        let telling: Vec<String> = telling.into_keys().map(str::to_owned).collect();
        let is_of_reports = old.is_report;
        let (pairs, only_old, only_new) = paired((old.points, new.points), &telling);
        let names = match &pairs[..] {
            [(old, new)] if is_of_reports => junit::names(old, new, tolerances),
            _ => Vec::new(),
        };
        let named = |points: Vec<ReportOrRow>| -> Vec<_> {
            points
                .iter()
                .map(|point| told_by(point, &telling))
                .collect()
        };
        let compared = pairs.len();
        let pairs = pairs.into_iter().map(|(old, new)| Pair {
            point: told_by(&old, &telling),
            readings: readings((&old, &new), tolerances),
        });
        let pairs: Vec<Pair> = pairs.collect();
        let is_other = |pair: &&Pair| !pair.readings.is_empty();
        let different: Vec<Pair> = pairs.iter().filter(is_other).cloned().collect();
        let all = different.iter().flat_map(|pair| &pair.readings);
        let count = |of: Verdict| all.clone().filter(|one| one.verdict == of).count();
        let (worse, better) = (count(Verdict::Worse), count(Verdict::Better));
        Ok(Comparison {
            passed: worse == 0 && only_old.is_empty(),
            bench,
            old: old.name,
            new: new.name,
            settings,
            compared,
            different,
            only_old: named(only_old),
            only_new: named(only_new),
            worse,
            better,
            is_of_reports,
            pairs,
            names,
        })
    }

    /// Nothing is worse, and nothing is missing.
    pub fn passed(&self) -> bool {
        self.passed
    }
}

/// The testbenches of two results.
///
/// # Errors
/// Results that have none in common; a report and rows.
fn benches_of(old: &Results, new: &Results) -> Result<String, Error> {
    let benches = [old, new].map(|results| {
        let all = results.points.iter().map(|point| point.bench.as_str());
        all.collect::<BTreeSet<&str>>()
    });
    let refused = |kinds: [&str; 2]| {
        let [old, new] = [&old.name, &new.name];
        Refusal::of(format!("{old} is {}, and {new} {}", kinds[0], kinds[1]))
    };
    if benches[0].is_disjoint(&benches[1]) {
        let of = |all: &BTreeSet<&str>| format!("of {}", Vec::from_iter(all.clone()).join(", "));
        return Err(refused([&of(&benches[0]), &of(&benches[1])])
            .because("results of different testbenches have nothing in common")
            .instead("compare results of the same")
            .into());
    }
    if old.is_report != new.is_report {
        let kinds = [old, new].map(|one| if one.is_report { "a report" } else { "rows" });
        return Err(refused(kinds)
            .because("of what a report says, rows have only a part")
            .instead("compare two reports, or rows with rows")
            .into());
    }
    Ok(Vec::from_iter(&benches[0] | &benches[1]).join(", "))
}

/// Refuses tolerances of what no point reads.
fn check_names<'a>(
    tolerances: &Tolerances,
    points: impl Iterator<Item = &'a ReportOrRow> + Clone,
) -> Result<(), Error> {
    for name in tolerances.keys() {
        let known = points.clone().flat_map(|point| point.readings.keys());
        let known = known.map(String::as_str);
        if known.clone().all(|other| other != name) {
            let refusal = Refusal::of(format!("--tolerance {}", visible(name)))
                .because("neither of both results has such a reading");
            return Err(match nearest(name, known) {
                Some(near) => refusal.instead(format!("did you mean `{near}`?")),
                None => refusal,
            }
            .into());
        }
    }
    Ok(())
}

/// By the name of a setting its values, two of them if there are more; where a point has none, null.
fn values<'a>(
    points: impl Iterator<Item = &'a ReportOrRow> + Clone,
) -> BTreeMap<&'a str, Vec<&'a Value>> {
    let mut all: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    let names = points.clone().flat_map(|point| point.settings.keys());
    all.extend(names.map(|name| (name.as_str(), Vec::new())));
    for point in points {
        for (name, values) in &mut all {
            let value = point.settings.get(*name).unwrap_or(&Value::Null);
            if values.len() < 2 && !values.contains(&value) {
                values.push(value);
            }
        }
    }
    all
}

/// Settings that are one thing in all old points, and another in all new ones.
fn chosen_otherwise(old: &[ReportOrRow], new: &[ReportOrRow]) -> Vec<Setting> {
    let (old, new) = (values(old.iter()), values(new.iter()));
    let names: BTreeSet<&str> = old.keys().chain(new.keys()).copied().collect();
    let one = |values: Option<&Vec<&Value>>| match values.map(Vec::as_slice) {
        None => Some(Value::Null),
        Some([value]) => Some((*value).clone()),
        Some(_) => None,
    };
    let settings = names.into_iter().filter_map(|name| {
        Some(Setting {
            name: name.to_owned(),
            old: one(old.get(name))?,
            new: one(new.get(name))?,
        })
    });
    settings
        .filter(|setting| setting.old != setting.new)
        .collect()
}

/// The settings of a point that tell it from others.
fn told_by(point: &ReportOrRow, telling: &[String]) -> Map<String, Value> {
    let mut settings = point.settings.clone();
    settings.retain(|name, _| telling.contains(name));
    settings
}

/// Points that belong together, and those that are alone on either side.
type Paired = (
    Vec<(ReportOrRow, ReportOrRow)>,
    Vec<ReportOrRow>,
    Vec<ReportOrRow>,
);

fn paired((old, new): (Vec<ReportOrRow>, Vec<ReportOrRow>), telling: &[String]) -> Paired {
    // What is measured beside a router may have the same settings: then the order tells.
    let mut waiting: HashMap<String, VecDeque<usize>> = HashMap::new();
    let key = |point: &ReportOrRow| {
        let told = telling.iter().map(|name| point.settings.get(name));
        serde_json::to_string(&(&point.bench, told.collect::<Vec<_>>())).unwrap_or_default()
    };
    for (number, point) in new.iter().enumerate() {
        waiting.entry(key(point)).or_default().push_back(number);
    }
    let mut new: Vec<Option<ReportOrRow>> = new.into_iter().map(Some).collect();
    let (mut pairs, mut only_old) = (Vec::new(), Vec::new());
    for point in old {
        let other = waiting.get_mut(&key(&point)).and_then(VecDeque::pop_front);
        match other.and_then(|number| new[number].take()) {
            Some(other) => pairs.push((point, other)),
            None => only_old.push(point),
        }
    }
    (pairs, only_old, new.into_iter().flatten().collect())
}

/// What two have otherwise, by name; what one of them has not is null.
fn differing<'a>(
    old: &'a Map<String, Value>,
    new: &'a Map<String, Value>,
) -> impl Iterator<Item = (String, Value, Value)> {
    let added = new.keys().filter(|name| !old.contains_key(*name));
    let all = old.keys().chain(added).map(move |name| {
        let [old, new] = [old, new].map(|map| map.get(name).cloned().unwrap_or_default());
        (name.clone(), old, new)
    });
    all.filter(|(_, old, new)| old != new)
}

fn readings((old, new): (&ReportOrRow, &ReportOrRow), tolerances: &Tolerances) -> Vec<Reading> {
    let bench = old.bench.as_str();
    let other = differing(&old.readings, &new.readings).filter_map(|(name, old, new)| {
        let tolerance = tolerances.get(&name);
        let numbers = old.as_f64().zip(new.as_f64());
        match (tolerance, numbers) {
            (Some(tolerance), Some((old, new))) if tolerance.allows(old, new) => return None,
            (None, _) if OF_THE_COMPUTER.contains(&name.as_str()) => return None,
            _ => {}
        }
        // Whoever asks for it to be compared is told that it was not.
        let verdict = match (tolerance, numbers) {
            (Some(_), None) => Verdict::Worse,
            _ => verdict(bench, &name, &old, &new),
        };
        let change = numbers.map(|(old, new)| (new - old) / old);
        Some(Reading {
            verdict,
            change: change.filter(|change| change.is_finite()),
            name,
            old,
            new,
        })
    });
    let mut all: Vec<Reading> = other.collect();
    // What is worse first.
    all.sort_by_key(|reading| match reading.verdict {
        Verdict::Worse => 0,
        Verdict::Better => 1,
        Verdict::Other => 2,
    });
    all
}

#[cfg(test)]
mod tests;
