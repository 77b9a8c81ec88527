//! The command `list`: all testbenches by what they are for, a line each; or one of them, with what there is to choose.

use clap::{Args, Command};
use rtl_model::traffic::pattern::Pattern;

use crate::cli::chosen::{Run, Takes};
use crate::error::Error;
use crate::families::{namesakes, purposes, unknown};
use crate::testbench::{Choice, Testbench};

/// What is asked for in place of a testbench.
const TRAFFIC: &str = "traffic";
/// Options on a line.
const OPTIONS_A_LINE: usize = 5;

#[derive(Args, Debug)]
pub(super) struct List {
    /// A testbench: its source, schedules, algorithms, networks, options and examples; or `traffic`: the patterns [default: all
    /// testbenches, a line each]
    pub name: Option<String>,
}

impl List {
    /// What is to be printed.
    ///
    /// # Errors
    /// A testbench that there is not.
    pub fn text(&self) -> Result<String, Error> {
        match self.name.as_deref() {
            None => Ok(all()),
            Some(TRAFFIC) => Ok(traffic()),
            Some(name) => match namesakes(name).as_slice() {
                [] => Err(unknown(Run::NAME, name)),
                several => Ok(several
                    .iter()
                    .map(|bench| one(bench))
                    .collect::<Vec<_>>()
                    .join("\n")),
            },
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

fn all() -> String {
    let mut text = String::from(
        "cubewave list NAME has the algorithms, networks and options of a testbench, cubewave run NAME runs it\n",
    );
    for (purpose, benches) in purposes() {
        text += &format!("\n{purpose}\n");
        for bench in benches {
            let typed = typed(bench, |choice| format!("--{}", choice.option));
            text += &format!("  {typed:<20}  {}\n", bench.models);
        }
    }
    let patterns: Vec<&str> = Pattern::entries().map(|(name, ..)| name).collect();
    text + &format!(
        "\ntraffic: {} (cubewave list {TRAFFIC})\n",
        patterns.join(", ")
    )
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
