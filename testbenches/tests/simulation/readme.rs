//! What the README and the pages of `docs/` say that a command prints is what it prints; what they say that a node
//! stores is what it stores.

use std::path::{Path, PathBuf};
use std::process::Command;

use rayon::prelude::*;
use regex::Regex;
use tempfile::TempDir;
use testbenches::lockstep::benches;

use crate::common::asked::Setup;
use crate::pages::{DOCS, drawn, pages};

/// A folder of its own, with the examples that a reader has in a clone.
fn as_in_a_clone() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    std::os::unix::fs::symlink(examples, folder.path().join("examples")).unwrap();
    folder
}

/// Runs one `$` line of a page and returns what it prints.
fn run(folder: &Path, command: &str) -> String {
    let mut words = command.split_whitespace();
    match words.next() {
        Some("cubewave") => {
            let output = Command::new(env!("CARGO_BIN_EXE_cubewave"))
                // Quotes are for the shell; there is no blank inside.
                .args(words.map(|word| word.trim_matches('"')))
                .current_dir(folder)
                .output()
                .unwrap();
            let printed = String::from_utf8(output.stdout).unwrap();
            // A check that fails on purpose is printed.
            assert!(
                output.status.success() || printed.contains("FAIL"),
                "{command}"
            );
            printed
        }
        Some("cat") => std::fs::read_to_string(folder.join(words.next().unwrap())).unwrap(),
        _ => panic!("a page runs `{command}`"),
    }
}

/// Compares line by line; `[..]` stands for the rest of a line, a line `...` for any lines.
fn assert_matches(printed: &str, shown: &[&str], command: &str) {
    let lines: Vec<&str> = printed.lines().collect();
    assert!(
        matches(&lines, shown),
        "{command} prints\n{printed}\nin place of\n{}",
        shown.join("\n")
    );
}

fn matches(printed: &[&str], shown: &[&str]) -> bool {
    let Some((&line, others)) = shown.split_first() else {
        return printed.is_empty();
    };
    if line == "..." {
        return (0..=printed.len()).any(|skipped| matches(&printed[skipped..], others));
    }
    let is_shown = |first: &str| match line.strip_suffix("[..]") {
        Some(start) => first.starts_with(start),
        None => first == line,
    };
    match printed.split_first() {
        Some((first, rest)) => is_shown(first) && matches(rest, others),
        None => false,
    }
}

/// The plot that a command of a page wrote is the picture that the pages show.
fn assert_same_plot(folder: &Path, name: &str) {
    let shown = Path::new(DOCS).join("images").join(name);
    // Whoever drew it had another machine, on another day.
    let metadata = Regex::new("<metadata>.*?</metadata>").unwrap();
    let drawn = |path: &Path| {
        let svg = std::fs::read_to_string(path).unwrap();
        metadata.replace(&svg, "").into_owned()
    };
    assert!(
        drawn(&folder.join(name)) == drawn(&shown),
        "docs/images/{name} is not what the command of the pages draws"
    );
}

/// What the options of a command name was written: with its view, if it is a waveform; as it is shown, if a page shows it.
fn assert_written(folder: &Path, command: &str) {
    let words: Vec<&str> = command.split_whitespace().collect();
    for pair in words.windows(2) {
        let [option, file] = pair else { continue };
        match *option {
            "--wave" => assert!(
                folder.join(file).with_extension("gtkw").exists(),
                "{command}"
            ),
            "--plot" if Path::new(DOCS).join("images").join(file).exists() => {
                assert_same_plot(folder, file);
            }
            "--plot" | "--picture" | "--out" | "--deliveries" | "--results" => {}
            _ => continue,
        }
        assert!(folder.join(file).exists(), "{command}");
    }
}

/// Sweeps of pages that take seconds each. Others like them, of other networks and operations, take less.
const LONG: [&str; 4] = [
    "cubewave measure wormhole --network torus --routing all --traffic uniform --offered-load 0.05..0.5 --plot torus.svg",
    "cubewave measure kuszmaul,bitonic,radix --dims 2..16 --schedule plain,overlapped,folded,spread,radix4,sort-and-unpack --plot bits.svg",
    "cubewave measure transpose --algorithm all --against all --word-bits 1,4,16 --plot prearranged.svg",
    "cubewave measure all-to-all --against all --message-bits 1,16,64",
];

/// Runs commands of every console block of a page in a folder of its own, the long ones or the others; says how many.
fn assert_true(page: &Path, long: bool) -> usize {
    let folder = as_in_a_clone();
    let folder = folder.path();
    let text = std::fs::read_to_string(page).unwrap();
    let blocks = text.split("```").skip(1).step_by(2);
    let (mut commands, mut run_here) = (0, 0);
    for block in blocks {
        let (kind, content) = block.split_once('\n').unwrap();
        if let Some(file) = kind.strip_prefix("csv ") {
            std::fs::write(folder.join(file), content).unwrap();
        }
        for step in content.split("$ ").skip(1).filter(|_| kind == "console") {
            let (command, shown) = step.split_once('\n').unwrap();
            commands += 1;
            if LONG.contains(&command) != long {
                continue;
            }
            let shown: Vec<&str> = shown.lines().collect();
            assert_matches(&run(folder, command), &shown, command);
            assert_written(folder, command);
            run_here += 1;
        }
    }
    assert_eq!(
        commands,
        text.matches("\n$ cubewave").count() + text.matches("\n$ cat ").count(),
        "{}",
        page.display()
    );
    run_here
}

/// Those with console blocks. The page of a router of one's own is run by that router's tests.
fn with_blocks() -> Vec<PathBuf> {
    let has_blocks = |page: &PathBuf| {
        let text = std::fs::read_to_string(page).unwrap();
        text.contains("\n```console\n") && !page.ends_with("own-router.md")
    };
    pages().into_iter().filter(has_blocks).collect()
}

#[test]
fn every_console_block_of_the_readme_and_the_pages_is_true() {
    let pages = with_blocks();
    assert!(pages.len() > 12, "{pages:?}");
    let run: usize = pages.par_iter().map(|page| assert_true(page, false)).sum();
    assert!(run > 50, "{run}");
}

#[test]
#[ignore = "long: sweeps that take seconds each"]
fn every_long_sweep_of_the_pages_is_true() {
    let pages = with_blocks();
    let run: usize = pages.par_iter().map(|page| assert_true(page, true)).sum();
    assert_eq!(run, LONG.len());
}

/// Of those that no page draws in a console block.
#[test]
#[ignore = "long: plots of sweeps"]
fn every_plot_is_what_its_command_draws() {
    let folder = as_in_a_clone();
    for (name, options) in drawn("plots") {
        run(
            folder.path(),
            &format!("cubewave measure {options} --plot {name}.svg"),
        );
        assert_same_plot(folder.path(), &format!("{name}.svg"));
    }
}

/// The LUTs of the table depend on the version of Yosys; the flip-flops do not.
#[test]
fn the_flip_flops_in_the_table_of_areas_are_the_storage() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/area.md");
    let page = std::fs::read_to_string(page).unwrap();
    let mut rows = 0;
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let Some(bench) = benches().find(|bench| cells.get(1) == Some(&bench.name)) else {
            continue;
        };
        let number = |cell: usize| cells[cell].parse::<usize>().ok();
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup {
            schedule: (cells[2] != "-").then(|| cells[2].to_owned()),
            dims: number(3),
            payload_bits: number(4),
            load: Some(1.0),
            ..Setup::default()
        };
        let project = setup.export(bench, Some(1), folder.path()).unwrap();
        let flip_flops = |module| {
            let count = project.fact("flip_flops")[module].as_u64();
            count.map(|count| count as usize)
        };
        assert_eq!(number(6), flip_flops("node"), "{line}");
        assert_eq!(number(10), flip_flops("sequencer"), "{line}");
        rows += 1;
    }
    assert!(rows >= 12);
}
