//! The kits name no family: what a family is called appears in its folders and in the list, and nowhere else. The sources are
//! read, without their comments and tests.

use std::fs;
use std::path::{Path, PathBuf};

use testbenches::families;

/// All Rust files below a folder.
pub fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false if path.extension().is_some_and(|ending| ending == "rs") => found.push(path),
            false => {}
        }
    }
}

/// Names of testbenches and of the folders of their hardware.
fn names() -> Vec<String> {
    let mut names: Vec<String> = families::testbenches()
        .map(|bench| bench.name.to_owned())
        // These are words that anybody may use. Of their testbenches, machines and what these are made of are looked for.
        .filter(|name| {
            ![
                "broadcast",
                "reduce",
                "prefix",
                "sort",
                "embedding",
                "scatter",
                "gather",
                "send",
                "inversion",
                "transpose",
                "histogram",
                "radix",
            ]
            .contains(&name.as_str())
        })
        .collect();
    let further = [
        "sorting",
        "Radix",
        "Kuszmaul",
        "Wormhole",
        "PortMachine",
        "msbt",
        "Collective",
        "collective",
        "StepSequencer",
        "routers::reduced_hypercube",
        "PhaseMachine",
        "Construction",
        "routers::phase",
        "embedding::constructions",
    ];
    names.extend(further.map(str::to_owned));
    names
}

/// Whether a line of code has a word in it; part of a longer name, as in `radix4` or `WormholeSetup`, counts.
fn has(code: &str, name: &str) -> bool {
    let is_part = |before: Option<char>| before.is_some_and(char::is_alphabetic);
    code.match_indices(name)
        .any(|(at, _)| !is_part(code[..at].chars().next_back()))
}

/// Whether a file holds tests, which are of some family. They are beside what they test, in a file or in a folder.
pub fn is_of_tests(file: &str) -> bool {
    file.ends_with("tests.rs")
        || Path::new(file)
            .components()
            .any(|part| part.as_os_str() == "tests")
}

/// Lines of code that name a family.
fn naming(root: &str, is_of_family: impl Fn(&str) -> bool) -> Vec<String> {
    let names = names();
    let is_named = |code: &str| {
        // MPI has words of its own.
        !code.starts_with("use mpi::") && names.iter().any(|name| has(code, name))
    };
    having(root, is_of_family, is_named)
}

/// Lines of code of which something holds; but for some files, and those of tests.
fn having(
    root: &str,
    is_exempt: impl Fn(&str) -> bool,
    holds: impl Fn(&str) -> bool,
) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
    let mut all = Vec::new();
    files(&root, &mut all);
    assert!(all.len() > 10, "{}", root.display());
    let mut found = Vec::new();
    for path in all {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        if is_exempt(&name) || is_of_tests(&name) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for line in code.lines() {
            let code = line.split("//").next().unwrap_or_default();
            if holds(code) {
                found.push(format!("{name}: {}", line.trim()));
            }
        }
    }
    found
}

#[test]
fn the_kit_of_testbenches_names_no_family() {
    let found = naming("testbenches/src", |file| file.starts_with("families/"));
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn the_kit_of_hardware_names_no_family() {
    // A part is named after what it does: the units `enumeration` and `packing` drive wires in several routers.
    let is_of_family = |file: &str| {
        ["routers/", "parts/", "embedding/", "error.rs"]
            .iter()
            .any(|own| file.starts_with(own))
    };
    let found = naming("rtl_model/src", is_of_family);
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(naming("waves/src", |_| false), Vec::<String>::new());
    let is_of_family = |file: &str| {
        [
            "collectives/",
            "embeddings.rs",
            "lib.rs",
            "ports/",
            "wormhole/",
        ]
        .iter()
        .any(|own| file.starts_with(own))
    };
    assert_eq!(naming("hosts/src", is_of_family), Vec::<String>::new());
}

/// Ways to write on standard error piece by piece: what several ranks say at once would be torn apart.
const PIECEMEAL: [&str; 6] = [
    "eprint",
    "dbg!",
    "io::stderr()",
    "stderr().lock",
    ".exit()",
    ".print()",
];

/// Whether a line of code has one; whoever asks what standard error is says nothing.
fn is_piecemeal(code: &str) -> bool {
    !code.contains("stderr().is_terminal()") && PIECEMEAL.iter().any(|way| code.contains(way))
}

#[test]
fn standard_error_is_written_to_in_one_place() {
    for (root, place) in [
        ("testbenches/src", "output/stream.rs"),
        ("rtl_model/src", ""),
        ("waves/src", ""),
        ("hosts/src", ""),
    ] {
        let found = having(root, |file| file == place, is_piecemeal);
        assert_eq!(found, Vec::<String>::new());
    }
    assert!(!having("testbenches/src", |_| false, is_piecemeal).is_empty());
}

/// The search itself: it finds what there is in a family's own folder.
#[test]
fn a_family_that_is_named_is_found() {
    let found = naming("testbenches/src", |file| {
        !file.starts_with("families/kuszmaul/")
    });
    assert!(
        found.iter().any(|line| line.contains("\"kuszmaul\"")),
        "{found:?}"
    );
    assert!(has("use crate::wormhole;", "wormhole") && has("WormholeSetup", "Wormhole"));
    assert!(!has("unpacking", "packing"));
    assert!(is_of_tests("traffic/tests.rs") && is_of_tests("traffic/tests/lists.rs"));
    assert!(!is_of_tests("traffic/lists.rs") && !is_of_tests("contests/lists.rs"));
}
