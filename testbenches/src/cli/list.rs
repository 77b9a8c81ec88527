//! The command `list`: all testbenches by what they are for, on one screen; or one of them, with what there is to choose; or either for
//! scripts.

use clap::{Args, Command};
use rtl_model::traffic::pattern::Pattern;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::chosen::{Run, Takes};
use crate::cli::describe::Described;
use crate::error::Error;
use crate::families::{namesakes, purposes, unknown};
use crate::options::{Format, FormatArgument};
use crate::report;
use crate::testbench::{Choice, Testbench};

/// What is asked for in place of a testbench.
const TRAFFIC: &str = "traffic";
/// Options on a line.
const OPTIONS_A_LINE: usize = 5;
/// Letters on a line of names, on a usual screen.
const ON_A_LINE: usize = 76;

#[derive(Args, Debug)]
pub(super) struct List {
    /// A testbench: its source, schedules, algorithms, networks, options and examples; or `traffic`: the patterns [default: the names of
    /// all testbenches, by what they are for]
    pub name: Option<String>,

    #[command(flatten)]
    pub format: FormatArgument,
}

/// What is listed for scripts.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Listed {
    /// A testbench.
    Testbench(Described),
    /// A pattern of traffic.
    Pattern {
        /// The pattern, as `--traffic` takes it.
        name: &'static str,
        /// Which node sends to which.
        meaning: &'static str,
    },
}

impl List {
    /// What is to be printed.
    ///
    /// # Errors
    /// A testbench that there is not.
    pub fn text(&self) -> Result<String, Error> {
        let is_text = self.format.format == Format::Text;
        match self.name.as_deref() {
            None if is_text => Ok(all()),
            Some(TRAFFIC) if is_text => Ok(traffic()),
            Some(TRAFFIC) => {
                let patterns = Pattern::entries();
                let patterns = patterns.map(|(name, _, meaning)| Listed::Pattern { name, meaning });
                report::json(&patterns.collect::<Vec<_>>())
            }
            Some(name) if namesakes(name).is_empty() => Err(unknown(Run::NAME, name)),
            Some(name) if is_text => {
                let several = namesakes(name);
                let several: Vec<String> = several.into_iter().map(one).collect();
                Ok(several.join("\n"))
            }
            name => {
                let all = purposes().into_iter().flat_map(|(purpose, benches)| {
                    let asked = benches.into_iter();
                    let asked = asked.filter(|bench| name.is_none_or(|name| bench.name == name));
                    asked.map(move |bench| Listed::Testbench(Described::of(bench, purpose)))
                });
                report::json(&all.collect::<Vec<_>>())
            }
        }
    }
}

/// As it is typed, with the option that picks it among others of its name, if there are others.
fn typed(bench: &'static Testbench, option: impl Fn(Choice) -> String) -> String {
    let has_namesakes = namesakes(bench.name).len() > 1;
    match bench.chosen_by.filter(|_| has_namesakes) {
        Some(choice) => format!("{} {}", bench.name, option(choice)),
        None => bench.name.to_owned(),
    }
}

/// All of them on one screen: what they are for, and below it their names.
fn all() -> String {
    let mut text = String::from(
        "cubewave list NAME has what there is to choose, cubewave run NAME runs it\n\n",
    );
    for (purpose, benches) in purposes() {
        text += &format!("{purpose}\n");
        let names = benches.into_iter();
        let names = names.map(|bench| typed(bench, |choice| format!("--{}", choice.option)));
        for line in lines(names) {
            text += &format!("  {line}\n");
        }
    }
    text + "\ncubewave run --help has a line of each, cubewave list traffic the patterns of\n\
            traffic, and cubewave list --format json everything, for scripts\n"
}

/// Words with commas between, as many on a line as there is room for.
fn lines(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() + 2 <= ON_A_LINE => *line += &format!(", {word}"),
            last => {
                if let Some(line) = last {
                    line.push(',');
                }
                lines.push(word);
            }
        }
    }
    lines
}

fn traffic() -> String {
    let mut text = String::from("traffic patterns, for --traffic\n");
    for (name, _, meaning) in Pattern::entries() {
        text += &format!("  {name:<9}  {meaning}\n");
    }
    text
}

fn one(bench: &'static Testbench) -> String {
    let typed = typed(bench, |choice| choice.words());
    let mut text = format!("{typed}: {}\n{}\n", bench.models, bench.source);
    for (number, line) in bench.choices().iter().enumerate() {
        text += if number == 0 { "\n" } else { "" };
        text += &format!("{line}\n");
    }
    text += &format!("\noptions, which cubewave run {typed} --help explains\n");
    let command = bench.run_arguments(Command::new(bench.name));
    let options: Vec<String> = (command.get_arguments())
        .filter(|option| !option.is_hide_set())
        .filter_map(|option| Some(format!("--{}", option.get_long()?)))
        .collect();
    for line in options.chunks(OPTIONS_A_LINE) {
        text += &format!("  {}\n", line.join(", "));
    }
    text += "\nexamples\n";
    for example in bench.examples {
        text += &format!("  {example}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_them_fit_a_usual_screen() {
        let text = all();
        assert!(text.lines().count() < 24, "{text}");
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
        for (_, benches) in purposes() {
            for bench in benches {
                let typed = typed(bench, |choice| format!("--{}", choice.option));
                assert!(text.contains(&typed), "{typed}");
            }
        }
    }
}
