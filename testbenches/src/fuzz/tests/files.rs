//! Files and lists that testbenches and commands read: whole runs of tiny machines with every option that takes a file.

use std::fs;
use std::str::from_utf8;

use waves::gtkwave;

use crate::compare::better::Tolerance;
use crate::compare::{Comparison, Form, Results, Tolerances};
use crate::error::Error;
use crate::families::{namesakes, testbenches};
use crate::fuzz::{Desk, folder, fuzz, fuzz_from, is_of_many_nodes};
use crate::measure::ranges::{numbers, shares};
use crate::options::{amount, share, whole_number};
use crate::testbench::bench::run_beside_others;
use crate::testbench::{Choice, Testbench, chosen};
use crate::viewer::is_dump;

/// What stands in a command line for the file.
const FILE: &str = "FILE";

/// The testbench that a line begins with, and the words behind it.
fn of_bench(line: &str) -> Option<(&'static Testbench, &str)> {
    let (name, words) = line.split_once(' ')?;
    let is_there = |choice: Choice| words.contains(&format!("--{}", choice.option));
    let all = namesakes(name);
    let chosen = all
        .iter()
        .find(|bench| bench.chosen_by.is_some_and(is_there));
    Some((chosen.or(all.first())?, words))
}

/// What options ask for is worked out, and nothing is run.
#[test]
fn options() {
    let examples = testbenches().flat_map(|bench| bench.examples);
    let of_run = examples.filter_map(|line| line.strip_prefix("cubewave run "));
    let of_run: Vec<&str> = of_run.collect();
    fuzz_from("options", &of_run, |line| {
        let line = String::from_utf8_lossy(line);
        let Some((bench, words)) = of_bench(&line) else {
            return;
        };
        let looked_at = || {
            let asked = bench.asked_by(&bench.arguments(words.split(' '))?)?;
            if is_of_many_nodes(words) {
                return Ok(());
            }
            let job = (bench.job)(&asked.chosen)?;
            _ = (
                job.requirement(),
                asked.chosen.command_of_run(&asked.options),
            );
            job.check_traffic()
        };
        _ = looked_at().map_err(|error: Error| error.to_string());
    });
}

/// Reads what an option gives to a run: the words behind `run` are the first line of each file of the corpus, and the file that they
/// name is what stands below.
#[test]
fn runs() {
    let files = fs::read_dir(folder().join("runs")).unwrap();
    let files = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap_or_default());
    let heads: Vec<String> = files
        .filter_map(|file| Some(file.split_once('\n')?.0.to_owned()))
        .collect();
    let heads: Vec<String> = heads
        .into_iter()
        .filter(|head| head.ends_with(FILE))
        .collect();
    assert!(heads.len() > 15);
    let desk = Desk::new();
    fuzz("runs", move |input| {
        let (head, rest) = match input.iter().position(|byte| *byte == b'\n') {
            Some(end) => (&input[..end], &input[end + 1..]),
            None => (&[][..], input),
        };
        // What words ask for is drawn elsewhere, where it is not run.
        let head = heads.iter().find(|known| known.as_bytes() == head);
        let head = head.unwrap_or_else(|| &heads[input.len() % heads.len()]);
        let path = desk.put("my.csv", rest);
        let words = head.replace(FILE, path.to_str().unwrap());
        let (bench, words) = of_bench(&words).unwrap();
        let asked = bench.asked(words);
        let ran = asked.and_then(|chosen| run_beside_others(&chosen));
        _ = ran.map_err(|error| error.to_string());
        desk.has_only(&["my.csv"]);
    });
}

/// Results beside others, in each form.
#[test]
fn results() {
    let desk = Desk::new();
    let others = fs::read(folder().join("results/report.json")).unwrap();
    let others = desk.put("report.json", &others);
    fuzz("results", move |input| {
        let new = desk.put("new.json", input);
        let compared = Results::read(&new).and_then(|new| {
            let old = Results::read(&others)?;
            let comparison = Comparison::of(old, new, &Tolerances::default())?;
            for form in [Form::Text, Form::Json, Form::Junit] {
                _ = comparison.formatted(form)?;
            }
            Ok(comparison.passed())
        });
        _ = compared.map_err(|error| error.to_string());
    });
}

/// A line is whatever a list or a number of a command line may be.
#[test]
fn lists() {
    fuzz("lists", |input| {
        for text in input
            .split(|byte| *byte == b'\n')
            .filter_map(|line| from_utf8(line).ok())
        {
            _ = numbers("--dims", text).map_err(|error| error.to_string());
            _ = shares("--load", text).map_err(|error| error.to_string());
            let form: Result<chosen::Form, ()> = text.parse();
            _ = form.map(|form| form.at(usize::MAX).to_string() + &form.to_string());
            _ = (share(text), amount(text), whole_number::<u64>(text));
            _ = Tolerance::read(text).map_err(|error| error.to_string());
        }
    });
}

/// Dumps by their beginning, and views as they were written.
#[test]
fn views() {
    let desk = Desk::new();
    fuzz("views", move |input| {
        for name in ["run.vcd", "run.fst"] {
            _ = is_dump(&desk.put(name, input)).map_err(|error| error.to_string());
        }
        _ = gtkwave::is_as_written(input);
    });
}
