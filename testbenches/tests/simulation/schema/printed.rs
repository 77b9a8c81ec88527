//! What commands print as JSON that is no result fits the schema of the command, and has all that is in it.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use testbenches::cli::schemas;

use super::{begun, folder, frozen, has, paths};
use crate::compare::cubewave;

/// Command lines in `tests/cmd`, with what they print; what is another one on each machine is left out there.
fn told() -> Vec<(String, String)> {
    let files = std::fs::read_dir(folder().join("testbenches/tests/cmd")).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "trycmd"));
    let texts = files.map(|path| std::fs::read_to_string(path).unwrap());
    let all = texts.flat_map(|text| {
        let parts = text.split("\n$ ").skip(1).map(str::to_owned);
        parts.collect::<Vec<_>>()
    });
    all.filter_map(|part| {
        let (command, printed) = part.split_once('\n')?;
        Some((command.to_owned(), printed.replace(": [..]", ": \"..\"")))
    })
    .collect()
}

/// What is printed where nothing that is frozen has it: plans, whose seconds differ; and lists and comparisons.
fn printed_here(folder: &Path) -> Vec<(String, String)> {
    let printed = |words: &str| {
        let output = cubewave(folder, words);
        String::from_utf8(output.stdout).unwrap()
    };
    for schedule in ["plain", "spread"] {
        let report = printed(&format!(
            "run kuszmaul --dims 3 --schedule {schedule} --format json"
        ));
        std::fs::write(folder.join(schedule), report).unwrap();
        let dims = if schedule == "plain" { "2,3" } else { "3,4" };
        let words = format!("measure kuszmaul --dims {dims} --schedule {schedule} --format json");
        std::fs::write(folder.join(format!("{schedule}-rows")), printed(&words)).unwrap();
    }
    let asked = [
        "plan kuszmaul --dims 8 --format json",
        "plan kuszmaul --dims 10 --machines 2 --bandwidth 10Gbit --format json",
        "embedding --guest gray-cycle --dims 2 --format json",
        "list --format json",
        "compare plain spread --format json",
        "compare spread plain --format json",
        "compare plain-rows spread-rows --format json",
        "verilog send --dims 2 --destination 1 --message-bits 12 --out send --format json",
    ];
    let all = asked.map(|words| (format!("cubewave {words}"), printed(words)));
    all.to_vec()
}

/// What each command prints, item by item.
fn printed() -> BTreeMap<String, Vec<(String, Value)>> {
    let folder = tempfile::tempdir().unwrap();
    let all = frozen().into_iter().chain(told());
    let all = all.chain(printed_here(folder.path()));
    let mut printed: BTreeMap<String, Vec<(String, Value)>> = BTreeMap::new();
    let is_there = |(line, text): &(String, String)| {
        line.contains("--format json") && !text.starts_with("? 2")
    };
    for (line, text) in all.filter(is_there) {
        let command = line.split(' ').nth(1).unwrap();
        if !schemas().any(|(name, _)| name == command) {
            continue;
        }
        let items = match begun(&line, &text) {
            Value::Array(items) => items,
            item => vec![item],
        };
        let items = items.into_iter().map(|item| (line.clone(), item));
        printed.entry(command.to_owned()).or_default().extend(items);
    }
    printed
}

/// Of a schema, the paths that nothing has which is printed.
fn missing(schema: &Value, printed: &[(String, Value)]) -> Vec<String> {
    let mut known = Vec::new();
    paths(schema, "", &mut known);
    let known = known.into_iter().map(|(path, _)| path);
    let is_met = |path: &str| printed.iter().any(|(_, item)| has(item, path));
    known.filter(|path| !is_met(path)).collect()
}

/// A view that is left as it is was edited by hand, of which no test of these prints JSON.
#[test]
fn what_commands_print_has_what_is_in_their_schemas_and_nothing_else() {
    let printed = printed();
    let mut wrong = Vec::new();
    for (name, schema) in schemas() {
        jsonschema::meta::validate(&schema).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let items = &printed[name];
        for (line, item) in items {
            let errors = validator.iter_errors(item);
            wrong.extend(errors.map(|error| format!("{line}: {} {error}", error.instance_path)));
        }
        let missing = missing(&schema, items).into_iter();
        let missing = missing.filter(|path| (name, &**path) != ("verilog", "/kept_view"));
        wrong.extend(missing.map(|path| format!("{name}: {path} is in no output")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A testbench beside a command is refused, and so is a command that prints no such thing.
#[test]
fn a_command_has_one_schema() {
    let folder = tempfile::tempdir().unwrap();
    let asked = |words: &str| cubewave(folder.path(), &format!("schema {words}"));
    for (name, schema) in schemas() {
        let output = asked(&format!("--command {name}"));
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(told, schema, "{name}");
    }
    for words in ["kuszmaul --command plan", "--command run"] {
        let output = asked(words);
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(output.stdout.is_empty(), "{words}");
    }
}
