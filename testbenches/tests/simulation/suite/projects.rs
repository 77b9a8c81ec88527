//! Verilog projects: their files are there, and what they declare is what the report counts. What Icarus makes of them is in `tools`.

use std::collections::BTreeMap;
use std::path::Path;

use testbenches::error::Error;
use testbenches::options::VerilogOptions;
use testbenches::report::json;
use testbenches::testbench::bench;
use testbenches::testbench::chosen::Chosen;
use testbenches::verilog::Project;

use crate::common::sample::ran_of_choices;

/// Register bits that a module declares, by name.
fn registers(verilog: &str) -> BTreeMap<&str, usize> {
    let declared = verilog
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("reg "));
    declared
        .map(|rest| {
            let rest = rest.split(';').next().unwrap();
            match rest.strip_prefix('[') {
                None => (rest, 1),
                Some(range) => {
                    let (range, name) = range.split_once("] ").unwrap();
                    let most = range.strip_suffix(":0").unwrap();
                    (name, most.parse::<usize>().unwrap() + 1)
                }
            }
        })
        .collect()
}

fn read(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).unwrap()
}

/// Two rounds.
fn export(chosen: &Chosen, folder: &Path) -> Result<Project, Error> {
    let options = VerilogOptions {
        rounds: Some(2),
        out: folder.to_owned(),
        ..VerilogOptions::default()
    };
    bench::export(chosen, &options)
}

#[test]
fn a_project_has_the_flip_flops_of_the_report() {
    let mut written = 0;
    for (sampled, report) in ran_of_choices() {
        let name = sampled.name();
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let project = export(&sampled.chosen(), folder);
        let project = project.unwrap_or_else(|error| panic!("{name}: {error}"));
        for file in &project.files {
            assert!(folder.join(file).exists(), "{name}: {file}");
        }
        let total = report.storage_bits_per_node.total;
        let sequencer = report.family.entry("sequencer_storage_bits");
        let facts = project.fact("flip_flops");
        assert_eq!(facts["node"], total, "{name}");
        assert_eq!(&facts["sequencer"], sequencer, "{name}");
        let nodes = read(folder, "node.v");
        let registers = registers(&nodes);
        let declared: usize = registers.values().sum();
        assert_eq!(declared, total, "{name}: {registers:?}");
        assert_eq!(project.nodes, report.topology.nodes, "{name}");
        assert_eq!(Some(project.logic_depth), report.logic_depth, "{name}");
        let form = &project.fact("bit_times_formula")["value"];
        let has_form = report.bit_times_formula.is_some();
        assert!(!has_form || *form == report.bit_times, "{name}: {form}");
        // Text and JSON say the same.
        let (text, json) = (project.text(), json(&project).unwrap());
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert!(text.contains(&project.files.join(" ")), "{text}");
        assert_eq!(json["files"].as_array().unwrap().len(), project.files.len());
        let told = match &json["flip_flops"]["sequencer"] {
            serde_json::Value::Null => format!("{total} a node\n"),
            bits => format!("{total} a node, {bits} in the sequencer"),
        };
        assert!(text.contains(&told), "{name}: {text}");
        written += 1;
    }
    assert!(written > 80, "{written}");
}

/// The command that its README says, with the file that has its first round, and the seed of which the later ones are drawn, asks for
/// the same project.
#[test]
fn a_project_can_be_written_again_from_its_own_files() {
    for (sampled, _) in ran_of_choices() {
        let round = &sampled.bench.project.first_round;
        let name = sampled.name();
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let [first, second] = folders.each_ref().map(|folder| folder.path());
        let chosen = sampled.chosen();
        let project = export(&chosen, first).unwrap();
        let readme = read(first, "README.md");
        let file = round.file;
        let mut commands = readme
            .split('`')
            .filter(|part| part.starts_with("cubewave run "));
        let command = commands
            .next()
            .unwrap_or_else(|| panic!("{name}: {readme}"));
        let begin = format!("cubewave run {} ", sampled.bench.name);
        let words = command.strip_prefix(&begin).unwrap();
        let words = words.replace(file, &first.join(file).display().to_string());
        let words = match words.contains("--seed ") {
            true => words,
            false => format!("{words} --seed {}", chosen.seed()),
        };
        let again = sampled.bench.asked(&words);
        let again = again.and_then(|again| export(&again, second));
        let again = again.unwrap_or_else(|error| panic!("{name}: {command}: {error}"));
        assert_eq!(again.files, project.files, "{name}");
        // What the file says instead of an option, such as the size of its matrix, the command for the machine alone lacks.
        let is_said_by_file = chosen.beside(round.option).command("") != chosen.command("");
        // One was drawn, the other was read.
        let files = project.files.iter().filter(|file| *file != "meta.json");
        for file in files {
            let [one, other] = [first, second].map(|folder| {
                let text = read(folder, file);
                let lines = text.lines();
                let is_compared = |line: &&str| !(is_said_by_file && line.contains("Written by "));
                lines
                    .filter(is_compared)
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            });
            assert!(one == other, "{name}: {file}");
        }
    }
}
