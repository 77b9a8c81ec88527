//! docs/waves-names.md describes every scope and every name that a dump of any testbench has.

use std::collections::BTreeSet;

use crate::views::dump::Dump;
use crate::views::{run, runs};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/waves-names.md");

/// A scope or name with numbers as the page writes them: `dim_<n>`.
fn kind(name: &str) -> String {
    let parts = name.split('_').map(|part| {
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { "<n>" } else { part }
    });
    parts.collect::<Vec<&str>>().join("_")
}

/// What stands between backquotes in the page.
fn described() -> BTreeSet<String> {
    let page = std::fs::read_to_string(PAGE).unwrap();
    // Blocks of text and of commands have backquotes of their own.
    let prose = page.split("```").step_by(2);
    let quoted = prose.flat_map(|prose| prose.split('`').skip(1).step_by(2));
    quoted.map(str::to_owned).collect()
}

#[test]
fn the_page_of_waves_describes_whatever_a_dump_holds() {
    let described = described();
    let mut missing = BTreeSet::new();
    for one in runs::all() {
        let folder = tempfile::tempdir().unwrap();
        let dump = Dump::read(&run(folder.path(), one, "run.vcd"));
        let names = dump.signals.keys().flat_map(|path| path.split('.'));
        let kinds: BTreeSet<String> = names.map(kind).collect();
        let unknown = kinds.into_iter().filter(|kind| !described.contains(kind));
        missing.extend(unknown.map(|kind| format!("{kind} ({one})")));
    }
    assert_eq!(missing, BTreeSet::new());
}

#[test]
fn numbers_in_names_are_left_out() {
    assert_eq!(kind("dim_12"), "dim_<n>");
    assert_eq!(kind("in_3_phase_0"), "in_<n>_phase_<n>");
    assert_eq!(kind("radix4"), "radix4");
    assert_eq!(kind("node_2_110"), "node_<n>_<n>");
}
