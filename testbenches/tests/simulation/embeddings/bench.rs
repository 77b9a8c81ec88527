//! The testbench, run in this process as the command line runs it.

use std::path::Path;

use serde_json::Value;
use testbenches::error::Error;
use testbenches::families;
use testbenches::options::Format;

use crate::embeddings::patterns::Messages;

/// A run of `embedding` with these options; its report, which passes.
pub fn run(options: &str, folder: &Path) -> Result<Value, Error> {
    let bench = families::testbench("embedding").unwrap();
    let command = bench.run_arguments(clap::Command::new("run"));
    let words = options
        .split_whitespace()
        .map(|word| match word.strip_prefix("@") {
            Some(file) => folder.join(file).display().to_string(),
            None => word.to_owned(),
        });
    let arguments = command.get_matches_from(["run".to_owned()].into_iter().chain(words));
    let ran = bench.run(&arguments)?;
    let report = ran.report.formatted(Format::Json)?;
    assert!(ran.report.passed, "{options}: {report}");
    Ok(serde_json::from_str(&report).unwrap())
}

/// A file of messages.
pub fn values(messages: &Messages) -> String {
    let digit = |bits: &[bool]| {
        let number = bits
            .iter()
            .rev()
            .fold(0, |number, &bit| number << 1 | u32::from(bit));
        char::from_digit(number, 16).unwrap()
    };
    let rows = messages.iter().enumerate().map(|(edge, message)| {
        let digits: String = message.chunks(4).rev().map(digit).collect();
        format!("{edge},{digits}\n")
    });
    "edge,value\n".to_owned() + &rows.collect::<String>()
}
