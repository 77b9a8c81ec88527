//! Command lines, and what becomes words of one: configurations, reports that are given again.

use std::os::unix::ffi::OsStringExt;

use clap::Args;

use crate::cli::*;
use crate::families::testbenches;
use crate::fuzz::{Desk, fuzz, fuzz_from, is_of_many_nodes};

/// Words as a shell gives them, which need be no text.
fn words(line: &[u8]) -> Vec<OsString> {
    let words = line.split(|byte| *byte == b' ');
    words
        .map(|word| OsString::from_vec(word.to_vec()))
        .collect()
}

/// Reads a command line, and works out what it asks for, as far as nothing is run, written or printed.
fn look_at(line: Vec<OsString>) -> Result<(), Error> {
    let words: Vec<_> = line.iter().map(|word| word.to_string_lossy()).collect();
    let is_of_many_nodes = is_of_many_nodes(&words.join(" "));
    match read_with_hints(config::expanded(line)?)? {
        Asked::Command(_) if is_of_many_nodes => Ok(()),
        Asked::Command(Cli {
            command: Some(Command::Run(run)),
            ..
        }) => {
            let (bench, arguments) = run.bench()?;
            let asked = bench.asked_by(&arguments)?;
            let job = (bench.job)(&asked.chosen)?;
            _ = (
                job.requirement(),
                asked.chosen.command_of_run(&asked.options),
            );
            job.check_traffic()
        }
        Asked::Command(Cli {
            command: Some(Command::Measure(measure)),
            ..
        }) => measure.points().map(drop),
        Asked::Command(Cli {
            command: Some(Command::Plan(plan)),
            ..
        }) => plan.bench().map(drop),
        Asked::Command(Cli {
            command: Some(Command::Verilog(verilog)),
            ..
        }) => verilog.bench().map(drop),
        Asked::Command(Cli {
            command: Some(Command::List(list)),
            ..
        }) => list.text().map(drop),
        _ => Ok(()),
    }
}

#[test]
fn command_lines() {
    let examples = testbenches().flat_map(|bench| bench.examples);
    let examples: Vec<String> = examples.map(ToString::to_string).collect();
    fuzz_from("command_lines", &examples, |line| {
        _ = look_at(words(line)).map_err(|error| error.to_string());
    });
}

/// With options as a testbench has them: that each is a word is held by tests of command lines.
#[test]
fn configurations() {
    let known = config::options("run", "kuszmaul");
    fuzz("configurations", move |text| {
        if let Ok(text) = std::str::from_utf8(text) {
            _ = config::options_in(text, &known).map_err(|(place, why)| {
                assert!(place.start <= text.len() && !why.is_empty());
            });
        }
    });
}

/// What a report names as the command that gave it.
#[test]
fn reports() {
    let report = |command: &str| {
        let schema = crate::report::SCHEMA;
        serde_json::json!({ "meta": { "schema": schema, "command": command } }).to_string()
    };
    let examples = testbenches().flat_map(|bench| bench.examples);
    let reports: Vec<String> = examples.map(|line| report(line)).collect();
    let desk = Desk::new();
    fuzz_from("reports", &reports, move |text| {
        let command = Repeat::augment_args(clap::Command::new("repeat").no_binary_name(true));
        let path = desk.put("report.json", text);
        let repeat = Repeat::from_arg_matches(&command.get_matches_from([path])).unwrap();
        _ = repeat.words().map_err(|error| error.to_string());
        desk.has_only(&["report.json"]);
    });
}
