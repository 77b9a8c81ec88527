//! A comparison for people and for scripts.

use clap::ValueEnum;
use comfy_table::CellAlignment;
use rtl_model::csv_file::visible;
use serde_json::{Map, Value};

use crate::compare::better::Verdict;
use crate::compare::{Comparison, Pair};
use crate::error::Error;
use crate::report::{aligned, counted, json};

/// As many points, and readings of a point that are neither better nor worse, are told at the most: JSON has all.
const MOST: usize = 20;

/// Form of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people.
    #[default]
    Text,
    /// For scripts: all differences.
    Json,
    /// For build servers: JUnit XML, of two reports a test case a reading, of rows a test case a point.
    Junit,
}

impl Comparison {
    /// In the form that was asked for.
    ///
    /// # Errors
    /// If it cannot be written down.
    pub fn formatted(&self, form: Form) -> Result<String, Error> {
        match form {
            Form::Text => Ok(self.text()),
            Form::Json => json(self),
            Form::Junit => self.suite().xml(),
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{}: {} beside {}\n", self.bench, self.new, self.old);
        let settings = self.settings.iter().map(|setting| {
            let [old, new] = [&setting.old, &setting.new].map(shown);
            vec![visible(&setting.name), old, new]
        });
        let settings: Vec<_> = settings.collect();
        if !settings.is_empty() {
            text += &format!(
                "\nchosen otherwise\n{}\n",
                aligned(settings, &[CellAlignment::Left; 3])
            );
        }
        for pair in self.different.iter().take(MOST) {
            text += &told(pair);
        }
        if let Some(more) = self.different.len().checked_sub(MOST + 1) {
            text += &format!(
                "\nand {} more, which --format json has\n",
                counted(more + 1, "point")
            );
        }
        for (whose, points) in [(&self.old, &self.only_old), (&self.new, &self.only_new)] {
            if !points.is_empty() {
                text += &format!("\nonly {whose} has {}:\n", counted(points.len(), "point"));
                for point in points.iter().take(MOST) {
                    text += &format!("  {}\n", named(point));
                }
                if let Some(more) = points.len().checked_sub(MOST + 1) {
                    text += &format!("  and {} more\n", more + 1);
                }
            }
        }
        let same = self.compared - self.different.len();
        let compared = counted(self.compared, "point");
        text + &format!(
            "\n{compared} compared: {same} the same; {} worse, {} better\n",
            counted(self.worse, "reading"),
            self.better
        )
    }
}

/// A point in words: what tells it from others.
pub(super) fn named(point: &Map<String, Value>) -> String {
    let settings = point
        .iter()
        .map(|(name, value)| format!("{name} {}", shown(value)));
    let settings: Vec<String> = settings.collect();
    visible(&settings.join(", "))
}

pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => visible(text),
        value => value.to_string(),
    }
}

fn told(pair: &Pair) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let (mut others, mut left_out) = (0, 0);
    for reading in &pair.readings {
        let verdict = match reading.verdict {
            Verdict::Worse => "WORSE",
            Verdict::Better => "better",
            Verdict::Other => {
                others += 1;
                ""
            }
        };
        if others > MOST {
            left_out += 1;
            continue;
        }
        let change = reading
            .change
            .map(|change| format!("{:+.1} %", 100.0 * change));
        let [old, new] = [&reading.old, &reading.new].map(shown);
        let name = visible(&reading.name);
        rows.push(vec![
            name,
            old,
            new,
            change.unwrap_or_default(),
            verdict.to_owned(),
        ]);
    }
    let title = match pair.point.is_empty() {
        true => String::new(),
        false => format!("{}\n", named(&pair.point)),
    };
    let right = CellAlignment::Right;
    let table = aligned(
        rows,
        &[
            CellAlignment::Left,
            right,
            right,
            right,
            CellAlignment::Left,
        ],
    );
    let more = match left_out {
        0 => String::new(),
        more => format!(
            "  and {}, which --format json has\n",
            counted(more, "more reading")
        ),
    };
    format!("\n{title}{table}\n{more}")
}
