//! What a project says of its network, and what is refused.

use std::path::Path;

use crate::common::collective::{Job, Network};
use crate::common::dump::Dump;
use crate::common::verilog::{icarus_of, text};
use crate::reduced_hypercube_verilog::SMALL;

fn file(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn a_project_speaks_of_its_network() {
    let outside = tempfile::tempdir().unwrap();
    let job = Job::new("reduce", Network::Reduced(3, 2), "--word-bits 4");
    let project = job.export(3, outside.path());
    let files = [
        "README.md",
        "node.v",
        "sequencer.v",
        "rh.v",
        "tb.v",
        "values.csv",
        "traffic.hex",
        "expected.hex",
        "tb.gtkw",
        "tb.step.filter",
        "tb.surfer.sucl",
    ];
    assert_eq!(project["files"], serde_json::json!(files));
    assert_eq!(
        project["commands"][0],
        "iverilog -g2005 -o tb.vvp node.v sequencer.v rh.v tb.v"
    );
    let folder = outside.path().join("project");
    let readme = file(&folder, "README.md");
    let machine = "--network reduced-hypercube --dims 3 --blocks 2 --algorithm printed --operator add --word-bits 4";
    for part in [
        "reduce, algorithm printed: all words into one,",
        &format!("Written by cubewave 0.1.0: cubewave verilog reduce {machine} --out DIR\n"),
        "| `rh.v` | the sequencer, 128 nodes, and the wires: 4 wires from each node to others, by the table in that file; \
         a reduced hypercube RH(3,2) |",
        &format!(
            "| `values.csv` | the same traffic, of round 1, for `cubewave run reduce {machine} --values values.csv` |"
        ),
        "## Using `rh`",
        "--top-module rh rh.v",
        "(`node[i].dim_0.tx`)",
        "chparam -set ADDRESS 127 node",
    ] {
        assert!(readme.contains(part), "{part:?} is not in {readme}");
    }
    let view = file(&folder, "tb.gtkw");
    for path in [
        "tb.rh.done",
        "tb.rh.node[0].between_blocks.rx",
        "tb.rh.node[18].dim_2.tx",
        "tb.rh.node[0].router.word",
    ] {
        assert!(view.contains(path), "{path} is not in {view}");
    }
    assert_eq!(file(&folder, "values.csv").lines().count(), 129);
}

/// The machine that the head of a file asks for is the same again, defaults spelled out.
#[test]
fn a_project_says_how_it_is_written_again() {
    let commands = Job::of_each(SMALL).map(|mut job| {
        job.options = String::new();
        let outside = tempfile::tempdir().unwrap();
        let told = job.command("verilog", "--out project --format json", outside.path());
        let told = text(&told.stdout);
        assert_eq!(told.matches("\"algorithm\"").count(), 1, "{told}");
        let sequencer = file(&outside.path().join("project"), "sequencer.v");
        let (_, command) = sequencer.split_once("cubewave verilog ").unwrap();
        let (command, _) = command.split_once(" --out DIR\n").unwrap();
        command.replace(" --network reduced-hypercube --dims 2 --blocks 1", "")
    });
    assert_eq!(
        commands,
        [
            "broadcast --algorithm double-rooted --switching store-and-forward --source 0 --message-bits 64",
            "reduce --algorithm printed --operator add --word-bits 16",
            "prefix --algorithm short --operator add --word-bits 16",
            "sort --algorithm virtual-cube --keys 1 --word-bits 16",
        ]
    );
}

/// The view of the Verilog's dump shows what is there, and so does the one of cubewave's.
#[test]
fn what_the_views_show_is_in_the_dumps() {
    for job in Job::of_each(SMALL) {
        let outside = tempfile::tempdir().unwrap();
        job.told("run", "--wave run.vcd", outside.path());
        job.export(2, outside.path());
        let folder = outside.path().join("project");
        assert!(icarus_of(&folder, "rh").status.success());
        for (folder, name) in [(outside.path(), "run"), (&*folder, "tb")] {
            let dump = Dump::read(&folder.join(format!("{name}.vcd")));
            let view = file(folder, &format!("{name}.gtkw"));
            // A line of a signal is its path, after another name where it has one; a register's width is at its end.
            let paths = view.lines().filter_map(|line| {
                let path = line.rsplit(' ').next().unwrap();
                let is_path = path.starts_with("rh.") || path.starts_with("tb.rh.");
                let is_vector = path.ends_with(":0]");
                let end = path.rfind('[').filter(|_| is_vector);
                let is_signal = is_path && !line.starts_with('[');
                is_signal.then(|| &path[..end.unwrap_or(path.len())])
            });
            let paths: Vec<&str> = paths.collect();
            let between = paths
                .iter()
                .filter(|path| path.contains(".between_blocks.rx"));
            assert!(between.count() >= 3, "{job:?}: {view}");
            for path in paths {
                assert!(dump.signals.contains_key(path), "{job:?}: {path}");
            }
        }
    }
}

#[test]
fn nodes_have_names_in_waves_and_others_are_refused() {
    let outside = tempfile::tempdir().unwrap();
    let job = Job::new("reduce", SMALL, "--word-bits 4");
    job.told(
        "run",
        "--wave run.vcd --trace-nodes 2_1_1,3",
        outside.path(),
    );
    let dump = file(outside.path(), "run.vcd");
    for scope in ["node_2_1_1", "node_0_1_1", "between_blocks", "dim_1"] {
        assert!(
            dump.contains(&format!("$scope module {scope} $end")),
            "{scope}"
        );
    }
    assert!(!dump.contains("$scope module node_0_0_0 "));
    let refused = job.command(
        "run",
        "--wave run.vcd --trace-nodes 3_1_1,4_0_0",
        outside.path(),
    );
    assert!(!refused.status.success());
    assert_eq!(
        text(&refused.stderr),
        "error: --trace-nodes: there is no node `4_0_0`: the machine has nodes 0 to 15, which by block, sub-block and low bits \
         are 0_0_0 to 3_1_1: give either, with commas between, or all\n"
    );
}

#[test]
fn what_is_too_large_is_refused_before_words_are_drawn() {
    let outside = tempfile::tempdir().unwrap();
    let job = Job::new("sort", Network::Reduced(7, 2), "");
    let refused = job.command("verilog", "--out project", outside.path());
    assert!(!refused.status.success());
    assert_eq!(
        text(&refused.stderr),
        "error: a Verilog project of a reduced hypercube RH(7,2) would be unreasonable: its traffic.hex and expected.hex have a \
         line for each of the 2048 nodes, and a Verilog simulator builds every node from its gates: choose a network of 1024 \
         nodes at the most (`cubewave run` goes further)\n"
    );
    assert!(!outside.path().join("project").exists());
}

#[test]
fn a_file_that_is_read_is_not_written_over() {
    let outside = tempfile::tempdir().unwrap();
    let job = Job::new("prefix", SMALL, "--word-bits 4");
    job.export(1, outside.path());
    let words = file(&outside.path().join("project"), "values.csv");
    let values = outside.path().join("values.vcd");
    std::fs::write(&values, &words).unwrap();
    for (verb, further, refusal) in [
        (
            "verilog",
            "--values project/values.csv --force --out project",
            "cannot be both the words and a file of the project",
        ),
        (
            "run",
            "--values values.vcd --wave values.vcd",
            "cannot be both the words and the waveform",
        ),
    ] {
        let refused = job.command(verb, further, outside.path());
        let refused_with = text(&refused.stderr);
        assert!(!refused.status.success());
        assert!(refused_with.contains(refusal), "{refused_with}");
        assert_eq!(file(&outside.path().join("project"), "values.csv"), words);
        assert_eq!(std::fs::read_to_string(&values).unwrap(), words);
    }
}
