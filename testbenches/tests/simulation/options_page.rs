//! `docs/options.md`: the commands, and each option of `run` with the testbenches that take it, as the program has them.

use std::collections::BTreeMap;
use std::fs;

use clap::{Arg, Command};

use testbenches::cli::commands;
use testbenches::families::{namesakes, testbenches};
use testbenches::testbench::Testbench;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/options.md");
/// Of an option that most testbenches take, those that do not take it are named, if they are no more than these.
const FEW: usize = 7;

const HEAD: &str = "\
# Commands and options

Every command of cubewave, and every option of `cubewave run` with the testbenches that take it. `cubewave COMMAND --help` and
`cubewave run BENCH --help` say more. A test writes this page from the program: `CUBEWAVE_GOLDEN=overwrite cargo test -p cubewave
--test simulation options_page`.

| command | what it does |
|---|---|
";

/// What comes before defaults, lists and further sentences, as a cell of a table.
fn point(text: &str) -> String {
    let text = text.lines().next().unwrap_or_default();
    let ends = [". ", "; ", ": ", " [default"].map(|end| text.find(end));
    let end = ends.into_iter().flatten().min().unwrap_or(text.len());
    text[..end].trim_end_matches(':').replace('|', "\\|")
}

fn name(bench: &'static Testbench) -> String {
    let has_namesakes = namesakes(bench.name).len() > 1;
    let choice = bench.chosen_by.filter(|_| has_namesakes);
    choice.map_or(bench.name.to_owned(), |choice| {
        format!("{} --{}", bench.name, choice.option)
    })
}

/// As it is typed.
fn typed(option: &Arg) -> String {
    let long = option.get_long().unwrap_or_default();
    match option.get_action().takes_values() {
        true => {
            let names = option.get_value_names().unwrap_or_default();
            let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
            format!("--{long} {}", names.join(" ")).replace('|', "\\|")
        }
        false => format!("--{long}"),
    }
}

/// Those that take an option, out of all.
fn takers(takers: &[String], all: &[String]) -> String {
    let others: Vec<&String> = all.iter().filter(|name| !takers.contains(name)).collect();
    match others.as_slice() {
        [] => "all".to_owned(),
        few if few.len() <= FEW => {
            let few: Vec<&str> = few.iter().map(|name| name.as_str()).collect();
            format!("all but {}", few.join(", "))
        }
        _ => takers.join(", "),
    }
}

fn page() -> String {
    let mut text = HEAD.to_owned();
    for command in commands()
        .get_subcommands()
        .filter(|command| command.get_name() != "help")
    {
        let about = command.get_about().map(ToString::to_string);
        text += &format!(
            "| `{}` | {} |\n",
            command.get_name(),
            point(&about.unwrap_or_default())
        );
    }
    let mut options: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    let all: Vec<String> = testbenches().map(name).collect();
    for bench in testbenches() {
        let command = bench.run_arguments(Command::new(bench.name));
        for option in command
            .get_arguments()
            .filter(|option| !option.is_hide_set())
        {
            let help = option
                .get_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            let rows = options.entry(typed(option)).or_default();
            rows.push((point(&help), name(bench)));
        }
    }
    text += "\n| option of `run` | what it says | testbenches |\n|---|---|---|\n";
    for (option, rows) in options {
        // Of several texts, the one that most testbenches have.
        let having = |text: &str| rows.iter().filter(|(other, _)| other == text).count();
        let help = rows.iter().rev().max_by_key(|(text, _)| having(text));
        let help = help.map(|(text, _)| text.as_str()).unwrap_or_default();
        let benches: Vec<String> = rows.iter().map(|(_, bench)| bench.clone()).collect();
        text += &format!("| `{option}` | {help} | {} |\n", takers(&benches, &all));
    }
    text
}

#[test]
fn the_page_of_options_is_what_the_program_has() {
    let page = page();
    if std::env::var_os("CUBEWAVE_GOLDEN").is_some_and(|value| value == "overwrite") {
        fs::write(PAGE, &page).unwrap();
    }
    assert!(
        fs::read_to_string(PAGE).unwrap() == page,
        "docs/options.md: CUBEWAVE_GOLDEN=overwrite writes it anew"
    );
}
