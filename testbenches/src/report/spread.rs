//! How a reading is spread over seeds.

use comfy_table::CellAlignment;
use schemars::JsonSchema;
use serde::Serialize;

use crate::report::{Check, aligned};
use crate::statistics::interval::Interval;

/// What runs say that differ in their seeds alone.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OverSeeds {
    /// How many runs there are.
    pub seeds: u64,
    /// The seeds of those of which a check did not hold.
    pub failed: Vec<u64>,
    /// The checks that did not hold with the first of them.
    #[serde(skip)]
    pub first_failed: Vec<&'static str>,
    /// Readings that differ, as rows have them.
    pub readings: Vec<Spread>,
}

impl OverSeeds {
    /// That all checks held in all of them.
    pub fn check(&self) -> Check {
        let seeds = self.seeds;
        let detail = match self.failed.first() {
            None => format!("all checks hold with each of {seeds}"),
            Some(first) => format!(
                "a check fails with {} of {seeds} seeds; with the first of them, {first}, these do not hold: {}",
                self.failed.len(),
                self.first_failed.join(", ")
            ),
        };
        Check::new("seeds", self.failed.is_empty(), detail).of_run()
    }

    /// A table of what differs.
    pub fn text(&self) -> String {
        let headings = ["", "mean", "+-", "least", "most"].map(str::to_owned);
        let mut rows = vec![headings.to_vec()];
        rows.extend(self.readings.iter().map(|spread| {
            let name = spread.name.replace('_', " ");
            [vec![name], spread.in_words().to_vec()].concat()
        }));
        let seeds = self.seeds;
        let right = [CellAlignment::Right; 4];
        let alignment = [&[CellAlignment::Left][..], &right].concat();
        match self.readings.is_empty() {
            true => format!("\nover {seeds} seeds: nothing that is read differs\n"),
            false => format!(
                "\nover {seeds} seeds, of what differs: the mean, half of the width of its 95 % confidence interval (Student's t), the least, the most\n{}\n",
                aligned(rows, &alignment)
            ),
        }
    }
}

/// How a reading is spread over the seeds of a point.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Spread {
    /// Its name, as a column.
    pub name: String,
    /// The average.
    pub mean: f64,
    /// Half of the width of its 95 % confidence interval, by Student's t.
    pub half_width: f64,
    /// The smallest value.
    pub least: f64,
    /// The largest.
    pub most: f64,
}

impl Spread {
    /// Of a reading with these values; none, if they are all the same.
    pub fn of(name: &str, values: &[f64]) -> Option<Self> {
        let Interval { mean, half_width } = Interval::of(values)?;
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (least < most).then(|| Spread {
            name: name.to_owned(),
            mean,
            half_width,
            least,
            most,
        })
    }

    /// Mean, half width, least and most, as people read them.
    pub fn in_words(&self) -> [String; 4] {
        let digits = match self.mean.abs() {
            ..0.1 => 5,
            0.1..10.0 => 3,
            _ => 1,
        };
        let rounded = |number: f64| format!("{number:.digits$}");
        let exact = |number: f64| match number.fract() == 0.0 {
            true => number.to_string(),
            false => rounded(number),
        };
        [
            rounded(self.mean),
            rounded(self.half_width),
            exact(self.least),
            exact(self.most),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_with_which_a_check_fails_fails_the_run() {
        let over = |failed: &[u64]| OverSeeds {
            seeds: 3,
            failed: failed.to_vec(),
            first_failed: vec!["delivered", "depth"],
            readings: Vec::new(),
        };
        assert!(over(&[]).check().passed);
        let check = over(&[7, 8, 9]).check();
        assert!(!check.passed);
        assert_eq!(
            check.detail,
            "a check fails with 3 of 3 seeds; with the first of them, 7, these do not hold: delivered, depth"
        );
        assert_eq!(
            over(&[]).text(),
            "\nover 3 seeds: nothing that is read differs\n"
        );
    }

    #[test]
    fn what_differs_has_a_mean_an_interval_and_ends() {
        let spread = Spread::of("peak", &[11.0, 18.0, 20.0, 20.0]).unwrap();
        assert_eq!(spread.in_words(), ["17.2", "6.8", "11", "20"]);
        assert_eq!(Spread::of("peak", &[3.0, 3.0]), None);
        assert_eq!(Spread::of("peak", &[3.0]), None);
        let share = Spread::of("wire_use", &[0.01, 0.0225]).unwrap();
        assert_eq!(
            share.in_words(),
            ["0.01625", "0.07941", "0.01000", "0.02250"]
        );
    }
}
