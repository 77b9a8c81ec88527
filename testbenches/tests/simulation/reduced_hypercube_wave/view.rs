//! The view beside the dump.

use crate::reduced_hypercube_wave::dumped::Dumped;

fn is_row(line: &str) -> bool {
    !line.is_empty() && !line.starts_with(['[', '@', '^', '-', '*'])
}

/// The path of a row, without its range.
fn path(row: &str) -> &str {
    let path = row.rsplit_once(' ').map_or(row, |(_, path)| path);
    path.split('[').next().unwrap()
}

/// A view shows as many nodes at least, if there are so many.
const FEWEST_NODES: usize = 8;

/// The step by name and what is said of it, with the counters folded; at each node its words, then wires that were used, in
/// their order, and the rest folded away.
pub fn begins_with_words(dumped: &Dumped) {
    let lines: Vec<&str> = dumped.view.lines().collect();
    let at = |line: &str| lines.iter().position(|one| *one == line);
    let steps = at(&format!(
        "+{{step}} {}.sequencer.step_name",
        dumped.machine()
    ));
    let counters = at("-counters").unwrap();
    assert!(steps.unwrap() < counters, "{}", dumped.name);
    assert_eq!(lines[counters - 1], "@c00200", "folded");
    for node in 0..dumped.nodes() {
        // Behind it may stand what the node is for the run.
        let title = format!("-{}", dumped.title(node));
        let is_title = |line: &&str| *line == title || line.starts_with(&format!("{title}, "));
        let Some(begin) = lines.iter().position(is_title) else {
            assert!(node >= FEWEST_NODES, "{}", dumped.name);
            continue;
        };
        let rest = &lines[begin..];
        let wires = rest.iter().position(|line| *line == "-wires").unwrap();
        let folded = rest
            .iter()
            .position(|line| *line == "-idle wires, registers");
        let paths = |from: usize, to: usize| -> Vec<&str> {
            let rows = rest[from..to].iter().filter(|line| is_row(line));
            rows.map(|row| path(row)).collect()
        };
        let words = paths(0, wires);
        assert!(words.iter().all(|path| path.contains(".numbers.")));
        assert_eq!(words.len(), dumped.numbers(node), "{}", dumped.name);
        let used: Vec<String> = (0..dumped.links())
            .flat_map(|wire| ["tx", "rx"].map(|what| (wire, what)))
            .filter(|(wire, what)| dumped.wire(node, *wire, what).contains(&"1"))
            .map(|(wire, what)| dumped.path(node, wire, what))
            .collect();
        assert_eq!(paths(wires, folded.unwrap()), used, "{}", dumped.name);
    }
}

/// A marker where a row begins, by the number of its step; but not at the left edge, where the name would be cut, nor where it
/// would lie over another.
pub fn marks_rows(dumped: &Dumped) {
    let names: Vec<&str> = (dumped.view.lines())
        .filter_map(|line| line.strip_prefix("[markername] "))
        .map(|name| &name[1..])
        .collect();
    let steps = dumped.of("sequencer.step_name");
    let rows = dumped.of("sequencer.row");
    let begins = (0..=dumped.end).filter(|at| *at == 0 || rows[*at] != rows[at - 1]);
    let expected: Vec<&str> = begins
        .map(|at| steps[at].split('_').next().unwrap())
        .collect();
    assert!(names.len() >= 2 && names.len() <= expected.len());
    let mut rest = expected.iter();
    // Where one kind of step goes on, rows are told by their numbers.
    let in_order = |name: &&str| name.starts_with('#') || rest.any(|expected| expected == name);
    assert!(
        names.iter().all(in_order),
        "{}: {names:?} {expected:?}",
        dumped.name
    );
}
