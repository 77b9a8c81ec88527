//! One suite over the list of testbenches, beside other programs. Of each choice of each testbench a small machine is written as a
//! Verilog project: Icarus agrees with the run, its testbench notices what is wrong, Verilator has nothing to say, Yosys finds the
//! storage that is told, and views show the dump. What only one family has stands beside its other tests.

pub mod agreement;
mod files;
mod linted;
mod noticed;

use std::fs;
use std::path::Path;

use rayon::prelude::*;
use tempfile::TempDir;
use testbenches::families::{broadcast, kuszmaul, relations, testbenches};
use testbenches::options::VerilogOptions;
use testbenches::report::Report;
use testbenches::testbench::Testbench;
use testbenches::testbench::bench;
use testbenches::testbench::chosen::Chosen;
use testbenches::verilog::Project;

use crate::common::sample::{Sampled, ends_of_choices};
use crate::common::verilog::{replace, text, tool};

/// What is larger takes longer, and has nothing more.
const MOST_NODES: usize = 16;

/// Machines that have a part which no small machine of the sample has: groups of dimensions, ports that are busy one at a time or
/// all at once.
const FURTHER: [(&Testbench, &str); 5] = [
    (
        &kuszmaul::BENCH,
        "--schedule radix4 --dims 5 --payload-bits 1",
    ),
    (
        &relations::BATCHES,
        "--batches 2 --schedule radix4 --dims 4 --payload-bits 3",
    ),
    (
        &relations::RELATIONS,
        "--h 2 --schedule radix4 --dims 4 --payload-bits 2",
    ),
    (
        &broadcast::BENCH,
        "--algorithm msbt --ports all --dims 3 --message-bits 15 --packet-bits 4 --start-up 2 --source 5",
    ),
    (
        &broadcast::BENCH,
        "--algorithm tcbt --ports one-way --dims 3 --message-bits 7 --packet-bits 2",
    ),
];

/// Of each choice of each testbench the largest machine, and further ones.
fn largest() -> Vec<Chosen> {
    with_further(|[_, (sampled, _)]| sampled.chosen())
}

/// Of each choice of each testbench the smallest machine, and further ones.
fn smallest() -> Vec<Chosen> {
    with_further(|[(sampled, _), _]| sampled.chosen())
}

fn with_further(of_choice: impl Fn([(&Sampled, &Report); 2]) -> Chosen) -> Vec<Chosen> {
    let all = ends_of_choices(MOST_NODES).into_iter().map(of_choice);
    let further = FURTHER.into_iter();
    let further = further.map(|(bench, words)| bench.asked(words).unwrap());
    further.chain(all).collect()
}

/// Of each testbench the smallest machine, with its report, on all cores: what writes a testbench in Verilog asks for nothing more.
fn each_smallest(test: impl Fn(&Chosen, &Report) + Sync) {
    let mut all = ends_of_choices(MOST_NODES);
    all.dedup_by(|[one, _], [other, _]| std::ptr::eq(one.0.bench, other.0.bench));
    assert_eq!(all.len(), testbenches().count());
    let all = all.into_par_iter();
    all.for_each(|[(sampled, report), _]| test(&sampled.chosen(), report));
}

/// A project of what is chosen, in a folder of its own.
pub struct Exported {
    /// The command line.
    name: String,
    project: Project,
    folder: TempDir,
}

/// What a testbench said, and with which status it ended.
pub struct Verdict {
    /// Of what.
    pub name: String,
    pub said: String,
    pub status: Option<i32>,
}

impl Exported {
    pub fn of(chosen: &Chosen, rounds: usize) -> Self {
        let (name, folder) = (chosen.command("verilog"), tempfile::tempdir().unwrap());
        let options = VerilogOptions {
            rounds: Some(rounds),
            out: folder.path().to_owned(),
            ..VerilogOptions::default()
        };
        let project = bench::export(chosen, &options);
        Exported {
            project: project.unwrap_or_else(|error| panic!("{name}: {error}")),
            name,
            folder,
        }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path().join(file)).unwrap()
    }

    pub fn write(&self, file: &str, text: &str) {
        fs::write(self.path().join(file), text).unwrap();
    }

    /// The files of the machine, without the testbench.
    fn machine_files(&self) -> Vec<&str> {
        let files = self.project.files.iter().map(String::as_str);
        files
            .filter(|file| file.ends_with(".v") && *file != "tb.v")
            .collect()
    }

    /// The file of the module that joins the nodes.
    pub fn network_file(&self) -> &str {
        let is_network = |file: &&str| !["node.v", "sequencer.v"].contains(file);
        self.machine_files().into_iter().find(is_network).unwrap()
    }

    /// As the project says, with all warnings, of which there must be none.
    pub fn compile(&self) {
        let [command, _] = &self.project.commands;
        let (program, arguments) = command.split_once(' ').unwrap();
        let output = tool(
            self.path(),
            program,
            &arguments.replace("-g2005", "-g2005 -Wall"),
        );
        let said = text(&output.stderr);
        assert!(output.status.success(), "{}: {said}", self.name);
        assert_eq!(said, "", "{}: {command}", self.name);
    }

    /// Of what has been compiled.
    pub fn run(&self, arguments: &str) -> Verdict {
        let [_, command] = &self.project.commands;
        let (program, first) = command.split_once(' ').unwrap();
        let output = tool(self.path(), program, &format!("{first} {arguments}"));
        Verdict {
            name: self.name.clone(),
            said: text(&output.stdout),
            status: output.status.code(),
        }
    }

    /// What it says with another text in a file, which is there as it was afterwards.
    pub fn with(&self, file: &str, from: &str, to: &str) -> Verdict {
        let sound = self.read(file);
        replace(self.path(), file, from, to);
        self.compile();
        let verdict = self.run("");
        self.write(file, &sound);
        verdict
    }
}

impl Verdict {
    /// All is as it should be, in all of so many rounds.
    pub fn passes(&self, report: &Report, rounds: usize) {
        let Verdict { name, said, status } = self;
        let passed = said.lines().last().unwrap_or_default();
        let after = format!(" after {} bit times", report.bit_times);
        let in_each = match rounds {
            1 => [after.clone(), after.clone()],
            _ => [
                format!("{after}, in each of {rounds} rounds"),
                format!(
                    "{after}, and all of {} further rounds as they should",
                    rounds - 1
                ),
            ],
        };
        let [amount, of] = [1, 3].map(|place| passed.split(' ').nth(place));
        assert!(
            passed.starts_with("PASS: ")
                && amount == of
                && in_each.iter().any(|in_each| passed.ends_with(in_each))
                && !said.contains("FAIL"),
            "{name}: {said}"
        );
        assert_eq!(*status, Some(0), "{name}");
    }

    /// It says this of what is wrong, and nothing passes.
    pub fn fails(&self, verdict: &str, what: &str) {
        let Verdict { name, said, status } = self;
        assert!(
            said.contains(verdict) && said.contains("FAIL: ") && !said.contains("PASS"),
            "{name}: {what}: {said}"
        );
        assert_eq!(*status, Some(1), "{name}: {what}");
    }
}
