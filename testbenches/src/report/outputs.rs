//! Files that a run wrote, and checks that it made.

use std::collections::BTreeMap;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::output::{DASH, Stream};

/// Files that a run wrote.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct Outputs {
    /// The dump.
    pub wave: Option<String>,
    /// Its view.
    pub view: Option<String>,
    /// The filter file that names the steps in the view.
    pub step_names: Option<String>,
    /// The same view for Surfer.
    pub surfer_view: Option<String>,
    /// The nodes in it.
    pub traced_nodes: Option<TracedNodes>,
    /// A file of a view of that name that was edited and so is left as it is; only where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept_view: Option<String>,
    /// The whole run as a picture; only where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// Deliveries.
    pub deliveries: Option<String>,
    /// Other files that were asked for, each by its name.
    #[serde(flatten)]
    #[schemars(with = "BTreeMap<String, String>")]
    pub others: Others,
}

/// Files by their names, in the order in which they were written.
#[derive(Clone, Debug, Default)]
pub struct Others(Vec<(&'static str, String)>);

impl Serialize for Others {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, path)| (name, path)))
    }
}

impl Outputs {
    /// With another file, by that name.
    pub fn add(&mut self, name: &'static str, path: &Path) {
        self.others.0.push((name, path.display().to_string()));
    }
}

/// The nodes in a waveform: numbers, or `"all"`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum TracedNodes {
    /// These.
    List(Vec<usize>),
    /// These, by the names that the network gives them.
    Named(Vec<String>),
    /// `"all"`.
    All(&'static str),
}

impl TracedNodes {
    /// These, or all.
    pub fn new(nodes: Option<Vec<usize>>) -> Self {
        nodes.map_or(TracedNodes::All("all"), TracedNodes::List)
    }
}

/// A check and its verdict.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Check {
    /// What it is called.
    pub name: &'static str,
    /// Whether it holds.
    pub passed: bool,
    /// What was compared.
    pub detail: String,
    /// Whether points of a sweep are held to it, too.
    #[serde(skip)]
    pub is_of_points: bool,
}

impl Check {
    /// A verdict.
    pub fn new(name: &'static str, passed: bool, detail: impl Into<String>) -> Self {
        Check {
            name,
            passed,
            detail: detail.into(),
            is_of_points: true,
        }
    }

    /// Of a single run alone: how often it fails is what a sweep asks.
    pub fn of_run(self) -> Self {
        Check {
            is_of_points: false,
            ..self
        }
    }
}

/// Verdicts, and what was compared.
pub(crate) fn check_rows(checks: &[Check]) -> Vec<(String, String)> {
    let rows = checks.iter().map(|check| {
        let verdict = if check.passed { "pass" } else { "FAIL" };
        (format!("{verdict}  {}", check.name), check.detail.clone())
    });
    rows.collect()
}

/// The files that a run wrote.
pub(crate) fn written(outputs: &Outputs) -> Vec<(String, String)> {
    let mut written = Vec::new();
    let mut add = |name: &str, value: String| written.push((name.to_owned(), value));
    if let (Some(wave), Some(view)) = (&outputs.wave, &outputs.view) {
        let nodes = match &outputs.traced_nodes {
            Some(TracedNodes::List(nodes)) => {
                let nodes: Vec<String> = nodes.iter().map(usize::to_string).collect();
                format!("nodes {}", nodes.join(", "))
            }
            Some(TracedNodes::Named(nodes)) => format!("nodes {}", nodes.join(", ")),
            _ => "all nodes".to_owned(),
        };
        add("wave", format!("{wave} ({nodes})"));
        let command = format!("gtkwave {} {}", quoted(wave), quoted(view));
        add("view", format!("{view}; to open both: {command}"));
    }
    if let Some(step_names) = &outputs.step_names {
        add(
            "names",
            format!("{step_names}, of the steps; the view needs it beside it"),
        );
    }
    if let (Some(wave), Some(view)) = (&outputs.wave, &outputs.surfer_view) {
        let command = format!("surfer {} -c {}", quoted(wave), quoted(view));
        add("surfer", format!("{view}, the same for Surfer: {command}"));
    }
    if let Some(kept) = &outputs.kept_view {
        add(
            "kept",
            format!("{kept}, which was edited, or is not cubewave's; so the view has another name"),
        );
    }
    if let Some(picture) = &outputs.picture {
        add("picture", format!("{picture}; to open it: a browser"));
    }
    if let Some(deliveries) = &outputs.deliveries {
        add("deliveries", shown_path(deliveries));
    }
    for (name, path) in &outputs.others.0 {
        add(&name.replace('_', " "), shown_path(path));
    }
    written
}

/// A path as a report has it.
pub(crate) fn shown_path(path: &str) -> String {
    match path {
        DASH => Stream::Output.to_string(),
        path => path.to_owned(),
    }
}

/// An option with its value, as a shell takes it, behind a blank. A value that begins with a dash would be taken for another option.
pub(crate) fn with_value(option: &str, value: &str) -> String {
    let between = if value.len() > 1 && value.starts_with('-') {
        '='
    } else {
        ' '
    };
    format!(" {option}{between}{}", quoted(value))
}

/// A file name, or another word, as a shell takes it.
pub(crate) fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "./_-,:=+@%".contains(c);
    if name.chars().all(is_plain) {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', "'\\''"))
    }
}
