//! Searches from the command line: bounds are reached, files are taken, and the same is found again.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::schema::misfits;

fn search(folder: &Path, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cubewave"));
    command.arg("search").args(words.split(' '));
    command.current_dir(folder).output().unwrap()
}

/// The rows of a search whose checks all hold.
fn rows(folder: &Path, words: &str) -> Vec<Value> {
    let output = search(folder, &format!("{words} --format json --no-date"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words}: {said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Of each schedule: in cubes of which all traffics are tried, and in larger ones.
#[test]
fn bounds_are_reached_and_never_passed() {
    let folder = tempfile::tempdir().unwrap();
    let mut reached = 0;
    for reading in ["occupied-bits", "messages-per-node"] {
        let words = format!(
            "kuszmaul,bitonic,radix --schedule all --maximise {reading} --dims 1..5 --payload-bits 1,2,4 --tries 1100"
        );
        for row in rows(folder.path(), &words) {
            let (search, k) = (&row["search"], row["topology"]["dims"].as_u64().unwrap());
            assert_eq!(search["found"], search["bound"]["value"], "{row}");
            assert_eq!(search["exhaustive"], k <= 2, "{row}");
            assert_eq!(misfits("search", &row), Vec::<String>::new());
            reached += 1;
        }
    }
    assert_eq!(reached, 2 * 9 * 5 * 3);
}

/// All 1,441,729 partial permutations of 8 nodes, on each schedule.
#[test]
#[ignore = "long: all traffics of 8 nodes"]
fn bounds_are_those_of_all_traffics_of_8_nodes() {
    let folder = tempfile::tempdir().unwrap();
    for reading in ["occupied-bits", "messages-per-node"] {
        let words = format!(
            "kuszmaul,bitonic,radix --schedule all --maximise {reading} --dims 3 --payload-bits 2,8"
        );
        for row in rows(folder.path(), &words) {
            let search = &row["search"];
            assert_eq!(search["found"], search["bound"]["value"], "{row}");
            assert_eq!(search["exhaustive"], true);
        }
    }
}

/// Whatever a testbench is searched for, a run of the file says the same, and a search with the same seed finds the same.
#[test]
fn what_is_found_is_a_file_that_run_takes_and_is_found_again() {
    for (words, run) in [
        (
            "kuszmaul --maximise occupied --dims 4",
            "kuszmaul --schedule plain --dims 4",
        ),
        (
            "kuszmaul --batches 2 --maximise peak-occupied --dims 2",
            "kuszmaul --batches 2 --dims 2",
        ),
        (
            "kuszmaul --h 2 --schedule radix4 --maximise peak-occupied --dims 2",
            "kuszmaul --h 2 --schedule radix4 --dims 2",
        ),
        (
            "wormhole --network hypercube --dims 2 --maximise wire-load",
            "wormhole --network hypercube --dims 2",
        ),
        (
            "wormhole --network hypercube --dims 2 --maximise latency-largest",
            "wormhole --network hypercube --dims 2",
        ),
    ] {
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let words = format!("{words} --tries 70 --schedule plain");
        let words = match words.contains("kuszmaul --maximise") {
            true => words,
            false => words.replace(" --schedule plain", ""),
        };
        let found = folders.each_ref().map(|folder| rows(folder.path(), &words));
        let [folder, again] = folders.each_ref().map(|folder| folder.path());
        assert!(found[0].len() == 1, "{words}");
        let file = found[0][0]["search"]["file"].as_str().unwrap();
        let [text, other] =
            [folder, again].map(|folder| fs::read_to_string(folder.join(file)).unwrap());
        assert_eq!(text, other, "{words}");
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
        let mut command = Command::new(env!("CARGO_BIN_EXE_cubewave"));
        command
            .arg("run")
            .args(run.split(' '))
            .args(["--traffic-file", file]);
        let output = command
            .args(["--format", "json"])
            .current_dir(folder)
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let reading = found[0][0]["search"]["reading"].as_str().unwrap();
        let read = match reading {
            "peak_occupied_bits_per_node" => &report["peak"]["occupied_bits_per_node"],
            "largest_wire_load" => &report["wires"]["largest_load"],
            _ => &report["latency"]["largest"],
        };
        assert_eq!(
            read.as_f64(),
            found[0][0]["search"]["found"].as_f64(),
            "{words}: {report}"
        );
    }
}

#[test]
fn what_cannot_be_searched_is_refused_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for (words, why) in [
        (
            "scatter --maximise bit-times",
            "no traffic of testbench scatter can be searched",
        ),
        (
            "packing --maximise bit-times",
            "no traffic of testbench packing can be searched",
        ),
        (
            "kuszmaul --maximise nothing",
            "rows of kuszmaul have no such reading",
        ),
        (
            "kuszmaul --maximise bits",
            "several readings of kuszmaul are called so",
        ),
        (
            "kuszmaul --maximise occupied --tries 0",
            "0 tries find nothing",
        ),
        (
            "kuszmaul --maximise occupied --traffic bitrev",
            "a search begins at all patterns",
        ),
        ("kuszmaul --maximise occupied --dims 34", "GiB of memory"),
        (
            "kuszmaul --maximise occupied --out no/folder",
            "there is no folder no/folder",
        ),
        (
            "wormhole --maximise latency-of-seeds --tries 9",
            "have no number there",
        ),
    ] {
        let output = search(folder.path(), words);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(why), "{words}: {said}");
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{words}");
    }
}

/// Each seed is a point with a file of its own, and a search ends in time, whatever is asked for.
#[test]
fn each_point_has_its_file_and_no_limit_is_too_large() {
    let folder = tempfile::tempdir().unwrap();
    let words = format!(
        "kuszmaul --maximise occupied --dims 4 --seeds 2 --tries 9 --seconds {}",
        u64::MAX
    );
    assert_eq!(rows(folder.path(), &words).len(), 2);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    let [row] = &rows(
        folder.path(),
        "kuszmaul --maximise occupied --dims 6 --seconds 0",
    )[..] else {
        panic!("one point");
    };
    assert!(row["search"]["tried"].as_u64().unwrap() < 1000, "{row}");
}

/// Rows of a journal are of files that have to be there.
#[test]
fn a_journal_whose_files_are_gone_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let words = "kuszmaul --maximise occupied-bits --dims 4 --tries 40 --journal kept.jsonl";
    let first = rows(folder.path(), words);
    assert_eq!(rows(folder.path(), words)[0]["search"], first[0]["search"]);
    let file = first[0]["search"]["file"].as_str().unwrap();
    fs::remove_file(folder.path().join(file)).unwrap();
    let output = search(folder.path(), words);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    let due = "error: the journal kept.jsonl: it has the row of a point whose file is not there any more: worst-";
    assert!(said.starts_with(due), "{said}");
    assert!(!folder.path().join(file).exists());
}
